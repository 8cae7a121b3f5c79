"""What a message holds, in Claude Code's blocks."""

from __future__ import annotations

from panscript.schemas.events import File, Text
from panscript.writers.claude.rows import DocumentBlock, ImageBlock, Source, TextBlock
from panscript.writers.content import Said
from panscript.writers.estimate import IMAGE, length

__all__ = ["DOCUMENTS", "said_blocks"]

DOCUMENTS = frozenset({"application/pdf", "text/plain"})
"""Media types of documents that the vendor takes."""


def said_blocks(said: Said) -> tuple[str | list[TextBlock | ImageBlock | DocumentBlock], int]:
    """Text, pictures and documents, and about how many characters that is; one text stands for itself."""
    if len(said) == 1 and isinstance(said[0], Text):
        return said[0].text, length(said[0].text)
    out: list[TextBlock | ImageBlock | DocumentBlock] = []
    characters = 0
    for block in said:
        if isinstance(block, Text):
            out.append(TextBlock(block.text))
            characters += length(block.text)
        elif isinstance(block, File):
            out.append(_document(block))
            characters += len(block.data or "")
        else:
            out.append(ImageBlock(Source("base64", block.media_type, block.data)))
            characters += IMAGE
    return out, characters


def _document(file: File) -> DocumentBlock:
    kind = "text" if file.media_type.startswith("text/") else "base64"
    return DocumentBlock(Source(kind, file.media_type, file.data or ""), file.name)
