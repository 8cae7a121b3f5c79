"""What a message holds, in Pi's blocks."""

from __future__ import annotations

import msgspec

from panscript.schemas.events import Block, File, Image, Text, Thinking, ToolCall
from panscript.schemas.report import FileReport
from panscript.writers.identity import clean_name
from panscript.writers.media import picture
from panscript.writers.pi.entries import ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock
from panscript.writers.pi.estimate import IMAGE, length, raw_length
from panscript.writers.record import Record

__all__ = ["EMPTY_RESULT", "ORPHAN", "Content"]

EMPTY_RESULT = "(no output)"
ORPHAN = "orphan_result"
_LONGEST_ID = 40
_LONGEST_NAME = 64
_Said = list[TextBlock | ImageBlock]
_Answer = list[TextBlock | ThinkingBlock | ToolCallBlock]


class Content:
    """Turns blocks into blocks, counts what it cannot keep, and remembers what it renamed."""

    def __init__(self, record: Record, report: FileReport) -> None:
        self._record = record
        self._report = report

    def said(self, blocks: tuple[Block, ...]) -> tuple[_Said, int]:
        """Text and pictures, and how many characters Pi takes them for."""
        out: _Said = []
        characters = 0
        for block in blocks:
            if isinstance(block, Text):
                if not block.text.strip():
                    self._report.lose("empty_block")
                    continue
                out.append(TextBlock(block.text))
                characters += length(block.text)
                self._report.keep("text")
            elif isinstance(block, Image):
                characters += self._image(block, out)
            elif isinstance(block, File):
                text = self._file(block)
                out.append(TextBlock(text))
                characters += length(text)
            elif isinstance(block, Thinking):
                if self._thought(block):
                    out.append(TextBlock(block.text))
                    characters += length(block.text)
            else:
                # Only an answer asks for tools.
                text = f"[Call of {block.name}] {bytes(block.arguments).decode('utf-8', 'replace') or block.text or ''}"
                out.append(TextBlock(text))
                characters += length(text)
                self._report.change("call_as_text")
                self._report.keep("tool_call")
        return out, characters

    def result(self, blocks: tuple[Block, ...]) -> tuple[_Said, int]:
        """The same, never empty."""
        out, characters = self.said(blocks)
        if not out:
            self._report.change("empty_text_replaced")
            return [TextBlock(EMPTY_RESULT)], len(EMPTY_RESULT)
        return out, characters

    def answer(self, blocks: tuple[Block, ...]) -> tuple[_Answer, int, int, bool]:
        """An answer's blocks, their characters, the number of calls, and whether anything in it can be seen."""
        out: _Answer = []
        characters = calls = 0
        visible = False
        for block in blocks:
            if isinstance(block, Text):
                if not block.text.strip():
                    self._report.lose("empty_block")
                    continue
                out.append(TextBlock(block.text))
                characters += length(block.text)
                visible = True
                self._report.keep("text")
            elif isinstance(block, ToolCall):
                written = self._call(block)
                out.append(written)
                characters += len(written.name) + raw_length(written.arguments)
                calls += 1
                visible = True
            elif isinstance(block, Thinking):
                if self._thought(block):
                    out.append(ThinkingBlock(block.text))
                    characters += length(block.text)
            else:
                text = self._image_in_answer(block) if isinstance(block, Image) else self._file(block)
                out.append(TextBlock(text))
                characters += length(text)
                visible = True
        return out, characters, calls, visible

    def _image_in_answer(self, block: Image) -> str:
        """Pi's answers hold no pictures."""
        found = picture(block)
        self._report.lose(found.lost or "image_missing")
        return found.placeholder or "[Image left out: an answer cannot hold one]"

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

    def _call(self, block: ToolCall) -> ToolCallBlock:
        self._report.keep("tool_call")
        call = self.call_id(block.id)
        return ToolCallBlock(call, self.tool_name(block.name, block.id), self._arguments(block, call))

    def _arguments(self, block: ToolCall, call: str) -> msgspec.Raw:
        """Always an object; what is none is kept as text under one key."""
        raw = block.arguments
        if block.text is None and bytes(raw[:1] if isinstance(raw, bytes) else bytes(raw)[:1]) == b"{":
            return raw
        self._report.change("arguments_wrapped")
        self._record.text_arguments(call)
        text = block.text if block.text is not None else bytes(raw).decode("utf-8", "replace")
        return msgspec.Raw(msgspec.json.encode({"input" if block.custom else "_text": text}))

    def call_id(self, name: str) -> str:
        """The id as every provider takes it."""
        written = clean_name(name, _LONGEST_ID)
        if written != name:
            self._record.renamed(written, name)
            self._report.change("call_id_cleaned")
        return written

    def tool_name(self, name: str, call: str) -> str:
        """The tool's name as every provider takes it."""
        if not name:
            self._report.change("tool_name_missing")
            written = f"unknown_{clean_name(call, _LONGEST_ID)[:8] or 'tool'}"
            self._record.renamed(written, None)
            return written
        written = clean_name(name, _LONGEST_NAME, letter_first=True)
        if written != name:
            self._record.renamed(written, name)
            self._report.change("tool_name_cleaned")
        return written

    def _image(self, block: Image, out: _Said) -> int:
        found = picture(block)
        if found.lost is None:
            out.append(ImageBlock(found.data, found.media_type))
            self._report.keep("image")
            return IMAGE
        out.append(TextBlock(found.placeholder))
        self._report.lose(found.lost)
        return length(found.placeholder)

    def _file(self, block: File) -> str:
        name = block.name or block.media_type or "document"
        if block.data is not None and block.media_type.startswith("text/"):
            self._report.change("file_as_text")
            self._report.keep("file")
            return f"[File: {name}]\n{block.data}"
        self._report.lose("file_missing")
        return f"[File left out: {name}]"
