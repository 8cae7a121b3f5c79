"""How Pi's tokens are counted: every record that carries counts, on all branches, compacted away or not.

Counts stand on messages (those of tools included), on summaries of compactions and left branches, and in entries of
their own. What was imported was paid for elsewhere and carries zeros; it is never counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec

from panscript.readers.lines import lines
from panscript.readers.pi.files import Header, header_of, is_known, is_record
from panscript.readers.pi.survey import is_hollow
from panscript.readers.rawjson import clean_raw
from panscript.readers.tolerant import recover
from panscript.schemas import timestamps
from panscript.schemas.counts import count
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import NO_RAW, Tokens
from panscript.schemas.events import Usage as UsageEvent
from panscript.schemas.naming import billing_provider, model_name
from panscript.schemas.pi.lean import Cost, Project, Usage, UsageEntry, UsageMessage, usage_decoder
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["MARKER", "UsageCounter", "is_imported", "tokens_of", "usage", "usage_of_entries"]

MARKER = b'"usage"'
"""A line without these bytes carries no counts."""
_CHANGE = b'"model_change"'
_COUNTED = frozenset({"message", "usage", "model_usage", "compaction", "branch_summary"})
_ONE_REQUEST = frozenset({"usage", "model_usage"})
_DEFAULT_ROLE = (None, "default")


def tokens_of(usage: Usage) -> Tokens:
    """The counts in disjoint buckets."""
    fresh, output = count(usage.input), count(usage.output)
    read, write = count(usage.cache_read), count(usage.cache_write)
    spellings = (usage.reasoning, usage.reasoning_tokens, usage.reasoning_output, usage.output_reasoning)
    cost = usage.cost.total if isinstance(usage.cost, Cost) else usage.cost
    return Tokens(
        input=fresh,
        output=output,
        reasoning=count(next((number for number in spellings if number is not None), None)),
        cache_read=read,
        cache_write=write,
        cache_write_1h=min(write, count(usage.cache_write_1h)),
        total=count(usage.total_tokens) or fresh + output + read + write,
        cost=_dollars(cost),
    )


def _dollars(cost: float | str | None) -> float | None:
    """US dollars; what is no number is absent, and nothing costs less than nothing."""
    if isinstance(cost, str):
        try:
            cost = float(cost)
        except ValueError:
            return None
    if cost is None or not math.isfinite(cost):
        return None
    return max(0.0, float(cost))


def is_imported(message: UsageMessage) -> bool:
    """Whether the message was imported: what it cost is counted where it was said."""
    return (message.api or "").startswith("imported-")


class UsageCounter:
    """Feed it every record in file order; it remembers the model last chosen."""

    def __init__(self, header: Header, report: FileReport, *, raw: bool = False) -> None:
        self._header = header
        self._report = report
        self._raw = raw
        self._model, self._provider = header.model, header.provider
        self._line = self._times = 0

    def add(self, row: UsageEntry, text: bytes, line: int) -> UsageEvent | None:
        """What this record says was billed. `text` is the whole line it stands on, `line` its number."""
        if row.type == "model_change":
            if _CHANGE in text:
                self._change(row)
            return None
        if MARKER not in text or row.type not in _COUNTED:
            return None
        message = row.message
        if message is not None and is_imported(message):
            return None
        usage = row.usage or (message.usage if message is not None else None)
        if usage is None:
            return None
        tokens = tokens_of(usage)
        if not (tokens.total or tokens.reasoning or tokens.cost):
            self._report.skip("no_token_usage")
            return None
        header = self._header
        time = timestamps.parse(row.timestamp)
        if time is None and message is not None:
            time = timestamps.parse(message.timestamp)
        copied = header.is_copy(time)
        time = time if time is not None else header.time
        if time is None:
            self._report.skip("invalid_timestamp")
            return None
        raw_provider = row.provider or (message.provider if message is not None else None) or self._provider
        model = row.model or row.model_id or (message.model if message is not None else None) or self._model
        self._times = self._times + 1 if line == self._line else 1
        self._line = line
        return UsageEvent(
            id=f"usage:{line}" if self._times == 1 else f"usage:{line}.{self._times}",
            time=time,
            inherited_from=header.parent if copied and header.parent_is_there else None,
            tokens=tokens,
            model=model_name(model),
            provider=billing_provider(raw_provider),
            raw_provider=raw_provider,
            message_id=message.response_id if message is not None else None,
            cwd=_folder(row) or (_folder(message) if message is not None else None) or header.repo,
            single_request=row.type in _ONE_REQUEST or (message is not None and message.role == "assistant"),
            told=message is not None and message.role == "assistant",
            session_id=header.parent if copied and not header.parent_is_there else None,
            raw=clean_raw(text.strip(b"\0\xef\xbb\xbf \t\r\n")) if self._raw else NO_RAW,
        )

    def _change(self, row: UsageEntry) -> None:
        if row.model and not row.model_id:
            if row.role in _DEFAULT_ROLE:
                provider, _, model = row.model.rpartition("/") if row.model.count("/") < 2 else row.model.partition("/")
                self._model, self._provider = model or None, provider or self._provider
            return
        self._model, self._provider = row.model_id or self._model, row.provider or self._provider


def _folder(place: UsageEntry | UsageMessage) -> str | None:
    """Where the record says it ran."""
    project = place.path
    named = project.root or project.cwd if isinstance(project, Project) else None
    return named or place.cwd or None


def usage(source: Source, *, report: FileReport) -> Iterator[UsageEvent]:
    """What was billed, in one pass that decodes only the lines which may say so.

    Gives the same events as the full read; the report counts only the lines that had to be decoded (`scan` usage).
    Raises `SourceError`s.
    """
    return (event for event, _ in usage_of_entries(source, report=report))


def usage_of_entries(source: Source, *, report: FileReport) -> Iterator[tuple[UsageEvent, str | None]]:
    """The same, each with the id of its entry, which is the same in copies."""
    report.agent, report.session_id, report.scan = source.agent, source.id, "usage"
    counter: UsageCounter | None = None
    seen = understood = False
    for raw, _, line in lines(source.files[-1].path):
        if counter is not None and MARKER not in raw and _CHANGE not in raw:
            continue
        for row in _rows(raw, line, report):
            understood = understood or is_known(row)
            if counter is None:
                if row.type == "title":
                    continue
                header = header_of(source, row if row.type == "session" else None)
                report.session_id = header.session_id
                counter = UsageCounter(header, report)
                if row.type == "session":
                    continue
            if is_hollow(row):
                report.skip_line("message_invalid_message", line)
            event = counter.add(row, raw, line)
            if event is not None:
                yield event, row.id
        seen = seen or bool(raw.strip(b"\0\xef\xbb\xbf \t\r\n"))
    if seen and not understood and not _any_known(source):
        raise NotATranscript("no line of it is a Pi entry", path=source.path)


def _any_known(source: Source) -> bool:
    """Whether there is an entry at all, when none of those that had to be decoded was one."""
    unheard = FileReport(path="")
    return any(is_known(row) for raw, _, line in lines(source.files[-1].path) for row in _rows(raw, line, unheard))


def _rows(raw: bytes, line: int, report: FileReport) -> list[UsageEntry]:
    try:
        return [usage_decoder.decode(raw)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    found = recover(raw, usage_decoder, is_record)
    if found.skip is not None:
        code = "json_parse_error" if MARKER in raw else "other_json_parse_error"
        report.skip_line(code if found.skip == "json_parse_error" else found.skip, line)
    for note in found.notes:
        report.change(note)
    return found.rows
