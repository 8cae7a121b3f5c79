"""What a compaction left of the conversation before it."""

from __future__ import annotations

from panscript.readers.codex.injected import COMPACTED, block_text, injected_by, is_wrapper
from panscript.schemas.codex.lean import Block, Payload

__all__ = ["summary_of"]

_UNREADABLE = "[The summary is encrypted: only its vendor can read it]"
_KEPT = {"user": "[Kept from the user]", "assistant": "[Kept from the assistant]"}


def summary_of(payload: Payload) -> tuple[str, bool]:
    """The summary, and whether what the replacement keeps was told within it: those are copies, in scattered places."""
    summary = payload.message or ""
    kept: list[str] = []
    encrypted = False
    for item in payload.replacement_history or ():
        if item.type in ("compaction", "context_compaction"):
            encrypted = True
        elif item.type == "message" and item.role in _KEPT:
            said, summed = _kept(item)
            summary = summary or summed
            if said:
                kept.append(f"{_KEPT[item.role]}\n{said}")
    if not summary and encrypted:
        summary = _UNREADABLE
    if kept:
        summary = "\n\n".join([summary, *kept] if summary else kept)
    return summary, bool(kept)


def _kept(item: Payload) -> tuple[str, str]:
    """What was said in a message that a compaction kept, and the summary that it holds."""
    content = item.content
    blocks = [Block(type="input_text", text=content)] if isinstance(content, str) else content or []
    said, summary = [], ""
    for index, block in enumerate(blocks):
        text = block_text(block)
        if not text or is_wrapper(blocks, index):
            continue
        kind = injected_by(item, index, text) if item.role == "user" else None
        if kind is None:
            said.append(text)
        elif kind == COMPACTED:
            summary = text
    return "\n\n".join(said), summary
