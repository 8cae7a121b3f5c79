"""The import record in the making: what the session had and the target's own entries cannot say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from panscript.schemas import timestamps
from panscript.schemas.events import EventBase, Opaque, Session, Tokens
from panscript.schemas.import_record import (
    Command,
    ContextText,
    Fallback,
    ImportedTokens,
    ImportedUsage,
    ImportHead,
    ImportPart,
    OpaqueRecord,
    Outcome,
    SourceFile,
    ThinkingText,
    UsageTotals,
)
from panscript.schemas.record_names import LONGEST_TEXT
from panscript.schemas.report import FileReport
from panscript.writers.options import WriteOptions

__all__ = ["Record", "head", "stated"]

_FULL = 600_000
"""Bytes at which a part is closed; with the largest item it stays below 1 MB."""
_LARGEST_OPAQUE = 250_000


def head(session: Session, options: WriteOptions) -> ImportHead:
    """The head: where the session came from."""
    path = options.source_path
    if path is None and session.files:
        path = session.files[-1].path
    return ImportHead(
        source=session.agent,
        imported_at=timestamps.iso(options.imported_at),
        importer=options.importer,
        source_path=path,
        source_files=[SourceFile(path=f.path, bytes=f.bytes, sha256=f.sha256) for f in session.files],
        source_session_id=session.session_id,
        source_version=session.version,
        parent_source_session_id=session.parent_session_id,
        original_cwd=session.cwd,
        original_model=session.model,
    )


def stated(event: EventBase) -> int | None:
    """The time that the source states, whatever a stage made of it."""
    return event.logged if event.moved else event.time


class Record:
    """Collects the parts. `full` says that a part should be written before it grows beyond its size."""

    def __init__(self, report: FileReport) -> None:
        self._report = report
        self._part = ImportPart()
        self._bytes = 0
        self._all = _Sum()
        self._models: dict[str, _Sum] = {}
        self._fallbacks: dict[tuple[str, str], int] = {}

    @property
    def full(self) -> bool:
        """Whether the part should be written now."""
        return self._bytes >= _FULL

    def crowded(self, text: str) -> bool:
        """Whether a text would be cut by the end of the part, although it fits into one."""
        return len(text) > LONGEST_TEXT and bool(self._bytes) and self._bytes + len(text) > _FULL >= len(text)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to write yet."""
        return not self._bytes

    def usage(self, entry: str | None, tokens: Tokens, model: str) -> None:
        """The true counts of a message that is written with zeros, or not at all."""
        if entry is not None:
            self._part.usage[entry] = _imported(tokens)
            self._bytes += 200
        self._all.add(tokens)
        self._models.setdefault(model, _Sum()).add(tokens)

    def time(self, entry: str, logged: int | None) -> None:
        """The logged time of an entry whose time was moved."""
        self._part.timestamps[entry] = timestamps.iso(logged) if logged is not None else None
        self._bytes += 50

    def renamed(self, written: str, original: str | None) -> None:
        """A call id or a tool name that had to be changed; None: it had none."""
        if written not in self._part.ids:
            self._part.ids[written] = original = original[:LONGEST_TEXT] if original is not None else None
            self._bytes += 20 + len(written) + 6 * len(original or "")

    def task(self, entry: str) -> None:
        """A user message that no person typed: a sub-agent was told it."""
        self._part.tasks.append(entry)
        self._bytes += 30

    def model(self, entry: str, model: str) -> None:
        """The model of an answer whose entry names none."""
        self._part.models[entry] = model
        self._bytes += 30 + len(model)

    def kind(self, entry: str, kind: str) -> None:
        """What put a text before the model that stands in the chat and that no person typed."""
        self._part.kinds[entry] = kind
        self._bytes += 30 + len(kind)

    def outcome(self, entry: str, *, error: bool, added: int = 0) -> None:
        """How a call ended, where the written result alone would be read otherwise."""
        self._part.outcomes[entry] = Outcome(error=error, added=added)
        self._bytes += 50

    def command(self, entry: str, command: Command) -> None:
        """A command that the person ran."""
        self._part.commands[entry] = command
        self._bytes += 100

    def kept(self, entry: str, first: str) -> None:
        """The first entry that a compaction kept."""
        self._part.kept[entry] = first
        self._bytes += 50

    def thought(self, entry: str, index: int, piece: str) -> None:
        """Thinking, or a piece of it, that is part of an answer and cannot stand in it."""
        self._part.thinking.append(ThinkingText(entry=entry, index=index, text=piece))
        self._bytes += 50 + len(msgspec.json.encode(piece))

    def text_arguments(self, call: str) -> None:
        """A call whose arguments are text, which an object holds under one key."""
        self._part.texts.append(call)
        self._bytes += 10 + len(call)

    @staticmethod
    def pieces(text: str) -> Iterator[str]:
        """The text cut so that no piece alone fills a part."""
        for start in range(0, len(text) or 1, LONGEST_TEXT):
            yield text[start : start + LONGEST_TEXT]

    def note(self, piece: str, kind: str | None, after: str | None, time: int | None, role: str | None) -> None:
        """A text, or a piece of one, that stands only in the record. Role None: it was never sent to the model."""
        stamp = timestamps.iso(time) if time is not None else None
        self._part.context.append(ContextText(text=piece, after=after, timestamp=stamp, role=role, kind=kind))
        self._bytes += 150 + len(msgspec.json.encode(piece))

    def opaque(self, event: Opaque, after: str | None) -> bool:
        """A record of no known type. False when it is too large to be kept."""
        size = len(bytes(event.data))
        if size > _LARGEST_OPAQUE:
            return False
        self._part.opaque.append(OpaqueRecord(data=event.data if size else None, after=after, kind=event.name))
        self._bytes += 100 + size
        return True

    def fallback(self, field: str, value: str) -> None:
        """A value that was not logged and that Pi must have."""
        self._fallbacks[field, value] = self._fallbacks.get((field, value), 0) + 1

    def part(self, first: str | None, last: str | None) -> ImportPart:
        """Close the part: it is about the entries from `first` to `last`."""
        part, self._part, self._bytes = self._part, ImportPart(), 0
        part.from_, part.to = first, last
        return part

    def last_part(self, first: str | None, last: str | None) -> ImportPart:
        """Close the last part, with the sums over everything."""
        part = self.part(first, last)
        part.usage_totals = UsageTotals(
            all=self._all.imported(), per_model={model: total.imported() for model, total in self._models.items()}
        )
        part.fallbacks = [Fallback(field=f, value=v, count=n) for (f, v), n in self._fallbacks.items()]
        part.imported_up_to_entry_id = last or ""
        report: dict[str, Any] = {
            name: dict(sorted(getattr(self._report, name).items()))
            for name in ("kept", "changed", "lost", "skipped", "unknown", "redacted")
        }
        part.report = {name: counts for name, counts in report.items() if counts}
        return part


class _Sum:
    def __init__(self) -> None:
        self._tokens = ImportedTokens()
        self._cost: float | None = None

    def add(self, tokens: Tokens) -> None:
        total = self._tokens
        total.input += tokens.input
        total.output += tokens.output
        total.reasoning += tokens.reasoning
        total.cache_read += tokens.cache_read
        total.cache_write += tokens.cache_write
        total.cache_write_1h += tokens.cache_write_1h
        total.total += tokens.total
        if tokens.cost is not None:
            self._cost = (self._cost or 0) + tokens.cost

    def imported(self) -> ImportedUsage:
        return ImportedUsage(tokens=self._tokens, cost=self._cost)


def _imported(tokens: Tokens) -> ImportedUsage:
    return ImportedUsage(
        tokens=ImportedTokens(
            input=tokens.input,
            output=tokens.output,
            reasoning=tokens.reasoning,
            cache_read=tokens.cache_read,
            cache_write=tokens.cache_write,
            cache_write_1h=tokens.cache_write_1h,
            total=tokens.total,
        ),
        cost=tokens.cost,
    )
