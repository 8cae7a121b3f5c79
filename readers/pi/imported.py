"""The import record read back: what panscript knew of a session when it wrote it, and Pi's entries cannot say.

The parts of the record stand after the entries they are about, so a second look at the file runs ahead of the read and
holds one part at a time.
"""

from __future__ import annotations

from collections.abc import Generator

import msgspec

from panscript.readers.lines import lines
from panscript.readers.pi.files import is_record
from panscript.readers.rawjson import clean_raw
from panscript.readers.tolerant import recover
from panscript.schemas import timestamps
from panscript.schemas.events import NO_RAW, Tokens
from panscript.schemas.pi.lean import ContextText, OpaqueRecord, Part, entry_decoder, part_decoder
from panscript.schemas.pi.record_names import LONGEST_TEXT, PART_TYPE

__all__ = ["Imported", "Wrapped"]

_MARKER = f'"{PART_TYPE}"'.encode()
_ERRORS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Wrapped(msgspec.Struct):
    """Arguments that are no JSON object, as they are written."""

    input: str | None = None
    text: str | None = msgspec.field(default=None, name="_text")


class Imported:
    """What the record says about the entries read now. Tell it of every part that is passed."""

    def __init__(self, path: str) -> None:
        self._ahead = _parts(path)
        self._load()

    def close(self) -> None:
        """Close the file that runs ahead."""
        self._ahead.close()

    def passed(self, entry: str | None) -> list[ContextText]:
        """This entry was read. If it is the part in hand, what follows belongs to the next one.

        Gives the texts whose place was not met: they stood after an entry of an earlier part.
        """
        if entry is None or entry != self._entry:
            return []
        rest = [item for name in list(self._context) for item in self.context(name)]
        self._load()
        return rest

    def _load(self) -> None:
        self._entry, part = next(self._ahead, (None, Part()))
        self._part = part
        self._texts = frozenset(part.texts)
        self._tasks = frozenset(part.tasks)
        self._context: dict[str | None, list[ContextText]] = {}
        self._opaque: dict[str | None, list[OpaqueRecord]] = {}
        for item in part.context:
            self._context.setdefault(item.after, []).append(item)
        for record in part.opaque:
            self._opaque.setdefault(record.after, []).append(record)

    def tokens(self, entry: str) -> Tokens | None:
        """What the message cost."""
        found = self._part.usage.get(entry)
        if found is None:
            return None
        tokens = found.tokens
        return Tokens(
            input=tokens.input,
            output=tokens.output,
            reasoning=tokens.reasoning,
            cache_read=tokens.cache_read,
            cache_write=tokens.cache_write,
            cache_write_1h=tokens.cache_write_1h,
            total=tokens.total,
            cost=found.cost,
        )

    def time(self, entry: str, written: int | None) -> int | None:
        """The time as logged: `written` unless the record says that it was changed."""
        if entry not in self._part.timestamps:
            return written
        return timestamps.parse(self._part.timestamps[entry])

    def original(self, written: str) -> str:
        """The call id or tool name as logged."""
        if written not in self._part.ids:
            return written
        return self._part.ids[written] or ""

    def is_task(self, entry: str) -> bool:
        """Whether the user message is what a sub-agent was told."""
        return entry in self._tasks

    def text_of(self, call: str, arguments: msgspec.Raw) -> tuple[str | None, bool]:
        """Arguments that were logged as text, and whether they are text by design."""
        if call not in self._texts:
            return None, False
        try:
            found = msgspec.json.decode(arguments, type=Wrapped)
        except _ERRORS:
            return None, False
        return (found.input, True) if found.input is not None else (found.text, False)

    def context(self, entry: str | None) -> list[ContextText]:
        """What the agent put before the model after this entry."""
        whole: list[ContextText] = []
        cut = False
        for item in self._context.pop(entry, ()):
            if cut and _same(whole[-1], item):
                whole[-1].text += item.text
            else:
                whole.append(item)
            cut = len(item.text) == LONGEST_TEXT
        return whole

    def opaque(self, entry: str | None) -> list[tuple[str, msgspec.Raw]]:
        """Name and JSON of the records of no known type that stood after this entry."""
        found = self._opaque.pop(entry, ())
        return [(record.kind or "", _data(record.data)) for record in found]


def _same(one: ContextText, other: ContextText) -> bool:
    return (one.kind, one.timestamp, one.role) == (other.kind, other.timestamp, other.role)


def _data(raw: msgspec.Raw) -> msgspec.Raw:
    return NO_RAW if bytes(raw) in (b"", b"null") else clean_raw(raw)


def _parts(path: str) -> Generator[tuple[str | None, Part]]:
    """Every part with the id of its entry; those that only embed records of the source are stepped over."""
    for raw, _, _ in lines(path):
        if _MARKER not in raw:
            continue
        try:
            rows = [entry_decoder.decode(raw)]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            rows = recover(raw, entry_decoder, is_record).rows
        for row in rows:
            if row.type == "custom" and row.custom_type == PART_TYPE:
                try:
                    part = part_decoder.decode(row.data)
                except _ERRORS:
                    part = Part()
                if not bytes(part.embed):
                    yield row.id, part
