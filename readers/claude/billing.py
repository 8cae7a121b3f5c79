"""What a Claude Code session was billed, from as few of its bytes as can be: lines without counts are never touched.

The rules are those of `counting`, and give the same. Instead of events there is a row of numbers a response: a file
may hold very many, and the best record of a response may come late.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import msgspec

from panscript.readers.blocks import blocks
from panscript.readers.claude.counting import COPIED, FORKS_BEGIN, MARKER, SYNTHETIC
from panscript.readers.claude.files import is_record
from panscript.readers.claude.responses import MAIN, NAMELESS, SIDE, STOPPED, Responses
from panscript.readers.claude.survey import CHAIN, copied_from, is_hollow
from panscript.readers.lines import head, is_packed, lines, open_bytes, reading
from panscript.readers.tolerant import recover
from panscript.schemas import timestamps
from panscript.schemas.billing import Billed, Payer
from panscript.schemas.claude.lean import Usage, UsageRow, usage_decoder
from panscript.schemas.counts import count
from panscript.schemas.naming import billing_provider, encodable, model_name, provider_of_model
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["began", "billed", "ended"]

_TAIL = 1 << 16


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, each response once, in no certain order. Raises `SourceError`s.

    The report counts the lines that had to be decoded (`scan` usage).
    """
    report.agent, report.scan = source.agent, "usage"
    tally = _Tally(report, own=source.agent_id is not None)
    for file in source.transcripts:
        for buffer, end in blocks(file.path):
            _search(buffer, end, tally, report)
    yield from tally.responses(source)


def _search(buffer: bytearray, end: int, tally: _Tally, report: FileReport) -> None:
    """Count what stands in a block of whole lines."""
    find, rfind, decode = buffer.find, buffer.rfind, usage_decoder.decode
    # Only a file that begins with copies is searched for more of them.
    seek = (MARKER, *COPIED) if tally.to_settle else (MARKER,)
    places = [find(marker, 0, end) for marker in seek]
    at = 0
    while True:
        place = places[0] if len(places) == 1 else min((place for place in places if place >= 0), default=-1)
        if place < 0:
            return
        start = rfind(b"\n", at, place) + 1 or at
        at = find(b"\n", place, end) + 1 or end
        line = buffer[start:at]
        try:
            row = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            _damaged(bytes(line), tally, report)
        else:
            tally.add(row)
        if not tally.to_settle and len(places) > 1:
            seek, places = seek[:1], places[:1]
        for number, found in enumerate(places):
            if 0 <= found < at:
                places[number] = find(seek[number], at, end)


def _damaged(line: bytes, tally: _Tally, report: FileReport) -> None:
    found = recover(line, usage_decoder, is_record)
    if found.skip is not None and MARKER in line:
        report.complete = False
        report.skipped_lines += 1
        report.skip(found.skip)
    for row in found.rows:
        tally.add(row)


def _counts(usage: Usage) -> tuple[int, int, int, int, int]:
    """Input, output and of it reasoning, read from and written to the cache."""
    fresh, output = usage.input_tokens, usage.output_tokens
    read, write = usage.cache_read_input_tokens, usage.cache_creation_input_tokens
    # Nearly always they are plain numbers.
    if type(fresh) is not int or fresh < 0:
        fresh = count(fresh)
    if type(output) is not int or output < 0:
        output = count(output)
    if type(read) is not int or read < 0:
        read = count(read)
    if type(write) is not int or write < 0:
        write = count(write)
    details = usage.output_tokens_details
    return fresh, output, min(output, count(details.thinking_tokens)) if details is not None else 0, read, write


class _Tally:
    """Feed it every row that may carry usage, in file order."""

    def __init__(self, report: FileReport, *, own: bool) -> None:
        """`own`: sub-agent rows are the conversation of this file."""
        self.to_settle = FORKS_BEGIN
        """0 when the file does not begin with copies, so that only rows that carry usage can still be some."""
        self._report = report
        self._own = own
        self._held = Responses()
        self._known: dict[tuple[str | None, ...], int] = {}
        self._main: set[int] = set()
        """Message ids of the main conversation that stand for no response here."""
        self._copied: set[str] = set()
        self._skipped: dict[str, int] = {}

    def add(self, row: UsageRow) -> None:
        """Count this row, or note why not."""
        message = row.message
        if is_hollow(row):
            self._report.complete = False
            self._report.skipped_lines += 1
            self._report.skip(f"message_invalid_{row.type}_message")
        usage = message.usage if message is not None and row.type == "assistant" else None
        if row.imported_from is not None:
            # It was used up elsewhere, and is counted there.
            usage = None
        copied = False
        if row.request_session_id is not None or row.forked_from is not None:
            copied = (usage is not None or self.to_settle != 0) and self._inherit(row)
        if usage is None or message is None:
            if message is None and row.type == "assistant" and not copied:
                self._skip("invalid_assistant_message")
            return
        self.to_settle -= self.to_settle > 0
        name, side = message.id, bool(row.is_sidechain)
        response = hash(name) if name else 0
        if copied:
            if response and not side:
                self._main.add(response)
            return
        time = timestamps.parse(row.timestamp)
        counts = _counts(usage)
        if message.model == SYNTHETIC or row.is_api_error_message:
            code = "synthetic_message"
        elif not any(counts):
            code = "no_token_usage"
        else:
            code = "invalid_timestamp" if time is None else ""
        if code or time is None:
            if response and not side:
                self._main.add(response)
            self._skip(code)
            return
        flags = (SIDE if side else MAIN) | (message.stop_reason is not None)
        if name:
            key = hash(f"{name}\0{row.request_id or row.request_id_snake or ''}")
        elif row.uuid:
            key = hash(f"\0{row.uuid}")
        else:
            flags |= NAMELESS
            key = hash(f"\0{time} {model_name(message.model)}")
        held = self._held
        place = held.find(key)
        if place is None:
            held.add(key, response, flags, time, counts, self._payer(row))
            return
        before = held.flags[place]
        if (before & STOPPED, held.output(place)) <= (flags & STOPPED, counts[1]):
            held.replace(place, flags | before & MAIN, time, counts, self._payer(row))
        else:
            held.flags[place] = before | flags & MAIN

    def _payer(self, row: UsageRow) -> int:
        message = row.message
        assert message is not None
        said = (row.session_id, message.model, message.provider, row.cwd)
        return self._known.setdefault(said, len(self._known))

    def _skip(self, code: str) -> None:
        self._skipped[code] = self._skipped.get(code, 0) + 1

    def _inherit(self, row: UsageRow) -> bool:
        """What stands before a row that was copied from another session is that session's, and so is this row."""
        if row.type not in CHAIN or (row.is_sidechain and not self._own) or copied_from(row) is None:
            return False
        self.to_settle = -1
        # A repeat of a copied row says nothing of what stands before it.
        if row.uuid is None or row.uuid not in self._copied:
            self._main.update(self._held.of_main())
            self._held = Responses()
            self._skipped.clear()
        if row.uuid is not None:
            self._copied.add(row.uuid)
        return True

    def responses(self, source: Source) -> Iterator[Billed]:
        """What was billed; a sub-agent's replay of a row of the main conversation is left out."""
        for code, times in self._skipped.items():
            self._report.skip(code, times)
        held, main = self._held, self._main
        if any(flags & SIDE for flags in held.flags):
            main.update(held.of_main())
        payers = self._payers_of(source)
        for place in held.places():
            flags, response = held.flags[place], held.names[place]
            side = bool(flags & SIDE)
            if side and response in main:
                continue
            fresh, output, reasoning, read, write = held.counts(place)
            yield Billed(
                payers[held.payers[place]],
                held.times[place],
                fresh,
                output,
                reasoning,
                read,
                write,
                fresh + output + read + write,
                None,
                0 if flags & NAMELESS else held.keys[place],
                response,
                side and self._own,
            )

    def _payers_of(self, source: Source) -> list[Payer]:
        found = []
        for session, logged, provider, cwd in self._known:
            if session is None:
                alone = f"unknown/{source.agent_id}" if source.agent_id is not None else source.id
                session = encodable(source.parent or _session_of(source) or alone)
            model = model_name(logged)
            found.append(Payer(session, model, billing_provider(provider) or provider_of_model(model), cwd))
        return found


class _Row(msgspec.Struct, rename="camel"):
    type: str | None = None
    session_id: str | None = None
    timestamp: str | int | float | None = None


_decode = msgspec.json.Decoder(_Row).decode


def _session_of(source: Source) -> str | None:
    """The session that the first row to name one names."""
    for file in source.transcripts:
        for raw, _, _ in lines(file.path):
            if b'"sessionId"' in raw and (row := _row(raw)) is not None and row.session_id and row.type is not None:
                return row.session_id
    return None


def _row(line: bytes) -> _Row | None:
    try:
        return _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def began(source: Source) -> int | None:
    """When the session began, in milliseconds since 1970 UTC. Of two copies the earlier session keeps its own."""
    return next(_times(head(source.path).split(b"\n")), None)


def ended(source: Source) -> int | None:
    """When it ended. Of sessions that began with the same record the one that ended first was gone on from."""
    with open_bytes(source.path) as file, reading(source.path):
        if not is_packed(source.path):
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
        return max(_times(file.read().split(b"\n")), default=None)


def _times(lines: Iterable[bytes]) -> Iterator[int]:
    for line in lines:
        row = _row(line)
        time = timestamps.parse(row.timestamp) if row is not None else None
        if time is not None:
            yield time
