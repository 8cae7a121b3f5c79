"""What messages hold, made fit for any target: pictures that can be taken, names and ids that everyone takes, arguments
that are objects, no empty text. What had to be changed is counted, and its original is put into the import record."""

from __future__ import annotations

import msgspec

from panscript.schemas.events import Block, File, Image, Text, Thinking, ToolCall
from panscript.schemas.packed import PackedMap
from panscript.schemas.report import FileReport
from panscript.writers.identity import clean_name, digest
from panscript.writers.media import Picture, picture
from panscript.writers.record import Record

__all__ = ["EMPTY_RESULT", "Answer", "Call", "Content", "Said"]

EMPTY_RESULT = "(no output)"
_LONGEST_NAME = 64
_BITS = (1 << 31) - 1


class Call(msgspec.Struct, frozen=True, gc=False):
    """A call as it is written."""

    id: str
    name: str
    arguments: msgspec.Raw
    """An object where the target wants one; empty when `text` holds what it is called with."""
    text: str | None = None
    custom: bool = False
    """The text is free by design."""


Said = list[Text | Picture | File]
Answer = list[Text | Thinking | Call]


class Content:
    """Turns blocks into what can be written, counts what cannot be kept, and remembers what it renamed."""

    def __init__(
        self,
        record: Record,
        report: FileReport,
        *,
        longest_id: int,
        customs: bool = False,
        documents: frozenset[str] = frozenset(),
    ) -> None:
        """`customs`: calls with free text are held. `documents`: media types that the target holds beside pictures."""
        self._record = record
        self._report = report
        self._longest_id = longest_id
        self._customs = customs
        self._documents = documents
        self._given: dict[str, PackedMap] = {"id": PackedMap(), "name": PackedMap()}
        """Ids and names as written -> hash of what was logged, so that no two become one."""

    def said(self, blocks: tuple[Block, ...]) -> Said:
        """Text, pictures and documents."""
        out: Said = []
        for block in blocks:
            if isinstance(block, Text):
                if not block.text.strip():
                    self._report.lose("empty_block")
                    continue
                out.append(block)
                self._report.keep("text")
            elif isinstance(block, Image):
                out.append(self._image(block))
            elif isinstance(block, File):
                out.append(self._file(block))
            elif isinstance(block, Thinking):
                if self._thought(block):
                    out.append(Text(text=block.text))
            else:
                # Only an answer asks for tools.
                told = bytes(block.arguments).decode("utf-8", "replace") or block.text or ""
                out.append(Text(text=f"[Call of {block.name}] {told}"))
                self._report.change("call_as_text")
                self._report.keep("tool_call")
        return out

    def result(self, blocks: tuple[Block, ...]) -> Said:
        """The same, never empty."""
        out = self.said(blocks)
        if not out:
            self._report.change("empty_text_replaced")
            return [Text(text=EMPTY_RESULT)]
        return out

    def answer(self, blocks: tuple[Block, ...], *, signed: bool = False) -> tuple[Answer, int, bool]:
        """An answer's blocks, the number of calls, and whether anything in it can be seen.

        `signed`: the target is the vendor's own, and takes thinking with its signature.
        """
        out: Answer = []
        calls = 0
        visible = False
        for block in blocks:
            if isinstance(block, Text):
                if not block.text.strip():
                    self._report.lose("empty_block")
                    continue
                out.append(block)
                visible = True
                self._report.keep("text")
            elif isinstance(block, ToolCall):
                out.append(self._call(block))
                calls += 1
                visible = True
            elif isinstance(block, Thinking):
                if signed and block.signature is not None:
                    out.append(block)
                    self._report.keep("thinking")
                elif self._thought(block):
                    out.append(Thinking(text=block.text))
            else:
                found = self._image_in_answer(block) if isinstance(block, Image) else self._file_text(block)
                out.append(Text(text=found))
                visible = True
        return out, calls, visible

    def _image_in_answer(self, block: Image) -> str:
        """Answers hold no pictures."""
        found = picture(block)
        self._report.lose(found.lost or "image_missing")
        return found.placeholder or "[Image missing: an answer cannot hold one]"

    def _thought(self, block: Thinking) -> bool:
        """Whether there is text to keep. A signature goes with its vendor."""
        if block.redacted:
            self._report.lose("redacted_thinking")
        elif block.signature is not None:
            self._report.lose("signature_dropped")
        if block.text.strip():
            self._report.keep("thinking")
            return True
        if block.signature is None:
            self._report.lose("empty_block")
        return False

    def _call(self, block: ToolCall) -> Call:
        self._report.keep("tool_call")
        call = self.call_id(block.id)
        return self._arguments(block, call, self.tool_name(block.name, block.id))

    def _arguments(self, block: ToolCall, call: str, name: str) -> Call:
        """Arguments are objects: what is none is kept as text under one key."""
        raw = block.arguments
        if block.custom and self._customs:
            return Call(call, name, raw, block.text, block.custom)
        if block.text is None and bytes(raw)[:1] == b"{":
            return Call(call, name, raw)
        self._report.change("arguments_wrapped")
        self._record.text_arguments(call)
        text = block.text if block.text is not None else bytes(raw).decode("utf-8", "replace")
        return Call(call, name, msgspec.Raw(msgspec.json.encode({"input" if block.custom else "_text": text})))

    def call_id(self, name: str) -> str:
        """The id as every provider takes it."""
        written = self._own("id", name, clean_name(name, self._longest_id))
        if written != name:
            self._record.renamed(written, name)
            self._report.change("call_id_cleaned")
        return written

    def _own(self, kind: str, name: str, written: str) -> str:
        """The cleaned name, or another one where a different name was cleaned to the same."""
        given, mark = self._given[kind], hash(name) & _BITS
        number = 0
        found = written
        while (known := given.get(found)) is not None and known != mark:
            number += 1
            found = f"{written[: self._longest_id - 12]}_{digest(name, str(number), size=4)}"
        if known is None:
            given.put(found, mark)
        return found

    def tool_name(self, name: str, call: str) -> str:
        """The tool's name as every provider takes it."""
        if not name:
            self._report.change("tool_name_missing")
            written = f"unknown_{clean_name(call, self._longest_id)[:8] or 'tool'}"
            self._record.renamed(written, None)
            return written
        written = self._own("name", name, clean_name(name, _LONGEST_NAME, letter_first=True))
        if written != name:
            self._record.renamed(written, name)
            self._report.change("tool_name_cleaned")
        return written

    def _image(self, block: Image) -> Picture | Text:
        found = picture(block)
        if found.lost is None:
            self._report.keep("image")
            return found
        self._report.lose(found.lost)
        return Text(text=found.placeholder)

    def _file(self, block: File) -> File | Text:
        if block.data is not None and block.media_type in self._documents:
            self._report.keep("file")
            return block
        return Text(text=self._file_text(block))

    def _file_text(self, block: File) -> str:
        name = block.name or block.media_type or "document"
        if block.data is not None and block.media_type.startswith("text/"):
            self._report.change("file_as_text")
            self._report.keep("file")
            return f"[File: {name}]\n{block.data}"
        self._report.lose("file_missing")
        return f"[File left out: {name}]"
