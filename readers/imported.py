"""The import record read back: what panscript knew of a session when it wrote it, and the target's entries cannot say.

The parts of the record stand after the entries they are about, so a second look at the file runs ahead of the read and
holds one part at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator

import msgspec

from panscript.readers.lines import lines
from panscript.readers.rawjson import clean_raw
from panscript.schemas import timestamps
from panscript.schemas.events import NO_RAW, Block, Thinking, Tokens
from panscript.schemas.import_lean import (
    Command,
    ContextText,
    Embedded,
    Head,
    OpaqueRecord,
    Outcome,
    Part,
    embed_decoder,
    head_decoder,
    part_decoder,
)
from panscript.schemas.record_names import IMPORTER, LONGEST_TEXT

__all__ = ["Imported", "PartsOf", "Wrapped", "embedded", "head_of", "imported_until"]

_ERRORS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

_EMBED, _LAST = b'"embed"', b'"importedUpToEntryId"'

PartsOf = Callable[[bytes], Iterable[tuple[str | None, msgspec.Raw]]]
"""From a line to the parts it holds: name of the entry and JSON."""


class Wrapped(msgspec.Struct):
    """Arguments that are no JSON object, as they are written."""

    input: str | None = None
    text: str | None = msgspec.field(default=None, name="_text")


class Imported:
    """What the record says about the entries read now. Tell it of every part that is passed."""

    def __init__(self, path: str, marker: bytes, parts_of: PartsOf) -> None:
        """`marker` stands in every line that holds a part, and `parts_of` takes them out of it."""
        self._ahead = _parts(path, marker, parts_of)
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
        self._thinking: dict[str, list[tuple[int, str]]] = {}
        for thought in part.thinking:
            self._thinking.setdefault(thought.entry, []).append((thought.index, thought.text))
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

    def kind(self, entry: str) -> str | None:
        """What put the text before the model that stands in the chat here and that no person typed."""
        return self._part.kinds.get(entry)

    def model(self, entry: str) -> str | None:
        """The model that said it, where the entry does not name it."""
        return self._part.models.get(entry)

    def outcome(self, entry: str) -> Outcome | None:
        """How a call ended, where the result alone would be read otherwise."""
        return self._part.outcomes.get(entry)

    def command(self, entry: str) -> Command | None:
        """What is known of a command that the person ran, if the entry is one."""
        return self._part.commands.get(entry)

    def first_kept(self, entry: str) -> str | None:
        """The first entry that a compaction kept."""
        return self._part.kept.get(entry)

    def with_thinking(self, entry: str, blocks: list[Block]) -> list[Block]:
        """The parts of an answer with what the model thought among them."""
        found = self._thinking.get(entry)
        if found is None:
            return blocks
        out = list(blocks)
        last = -1
        for index, text in found:
            said = out[last] if last == index else None
            if isinstance(said, Thinking):
                # A long text is cut into pieces.
                out[last] = Thinking(text=said.text + text)
            else:
                out.insert(index, Thinking(text=text))
            last = index
        return out

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


def head_of(data: msgspec.Raw) -> Head | None:
    """The head of a record; None when the data is another program's."""
    try:
        head = head_decoder.decode(data)
    except _ERRORS:
        return None
    return head if head.source and (head.importer or "").startswith(IMPORTER) else None


def embedded(path: str, marker: bytes, parts_of: PartsOf) -> Iterator[Embedded]:
    """The source records that the file carries along, in pieces; what is damaged is left out."""
    for raw, _, _ in lines(path):
        if marker not in raw or _EMBED not in raw:
            continue
        for _, data in parts_of(raw):
            try:
                piece = part_decoder.decode(data).embed
                if bytes(piece):
                    yield embed_decoder.decode(piece)
            except _ERRORS:
                continue


def imported_until(path: str, marker: bytes, parts_of: PartsOf) -> int:
    """Offset of the last line that closes the record: what stands behind it was said since. -1: there is none."""
    end = -1
    for raw, offset, _ in lines(path):
        if marker not in raw or _LAST not in raw:
            continue
        for _, data in parts_of(raw):
            try:
                if part_decoder.decode(data).imported_up_to_entry_id is not None:
                    end = offset
            except _ERRORS:
                continue
    return end


def _parts(path: str, marker: bytes, parts_of: PartsOf) -> Generator[tuple[str | None, Part]]:
    """Every part with the name of its entry; those that only embed records of the source are stepped over."""
    for raw, _, _ in lines(path):
        if marker not in raw:
            continue
        for entry, data in parts_of(raw):
            try:
                part = part_decoder.decode(data)
            except _ERRORS:
                part = Part()
            if not bytes(part.embed):
                yield entry, part
