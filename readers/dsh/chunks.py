"""A response that was being received: its pieces, for the case that its message was never written."""

from __future__ import annotations

from panscript.readers.dsh.content import call_block
from panscript.schemas.dsh.lean import Chunk, Row, Usage
from panscript.schemas.events import Block as Content
from panscript.schemas.events import Text, Thinking

__all__ = ["Partial"]

_PACKED = {"text-chunks": "text", "reasoning-chunks": "reasoning", "tool-call-chunks": "tool-call"}


class _Piece:
    """A content block as far as it came."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.id: str | None = None
        self.name: str | None = None
        self.text: list[str] = []


class Partial:
    """Feed it the chunks of one response."""

    def __init__(self, line: int) -> None:
        self.line = line
        """The line of its first chunk."""
        self.usage: Usage | None = None
        self._pieces: dict[int, _Piece] = {}

    def add(self, row: Row) -> None:
        """The next row of chunks, packed or single."""
        data = row.data
        if data is None:
            return
        kind = _PACKED.get(row.type or "")
        if kind is not None:
            piece = self._piece(data.index, kind)
            piece.id, piece.name = data.id or piece.id, data.name or piece.name
            piece.text.extend(data.texts or data.args or ())
        elif data.chunk is not None:
            self._chunk(data.chunk)

    def _piece(self, index: int | None, kind: str) -> _Piece:
        return self._pieces.setdefault(index or 0, _Piece(kind))

    def _chunk(self, chunk: Chunk) -> None:
        kind = chunk.type or ""
        if kind == "usage":
            self.usage = chunk.usage or self.usage
        elif kind in ("text-delta", "reasoning-delta"):
            text = chunk.text if chunk.text is not None else chunk.delta
            self._piece(chunk.index, kind.removesuffix("-delta")).text.append(text or "")
        elif kind == "tool-call-delta":
            piece = self._piece(chunk.index, "tool-call")
            piece.id, piece.name = chunk.id or piece.id, chunk.name or piece.name
            piece.text.append(chunk.arguments_delta or "")
        elif kind == "block-end" and chunk.block is not None and chunk.block.type in _PACKED.values():
            # The whole block comes once more when it is complete.
            piece = self._piece(chunk.index, chunk.block.type or "")
            piece.id, piece.name = chunk.block.id or piece.id, chunk.block.name or piece.name
            piece.text = [chunk.block.arguments or chunk.block.text or ""]

    def blocks(self, unanswered: set[str]) -> list[Content]:
        """What came of the response, in the order of its blocks."""
        found: list[Content] = []
        for _, piece in sorted(self._pieces.items()):
            text = "".join(piece.text)
            if piece.kind == "tool-call":
                if piece.id:
                    found.append(call_block(piece.id, piece.name, text, unanswered | {piece.id}))
            elif text:
                found.append(Thinking(text=text) if piece.kind == "reasoning" else Text(text=text))
        return found
