"""Text that only the screen was given: of some threads no item holds it."""

from __future__ import annotations

from panscript.readers.codex.content import joined, picture, spoken
from panscript.readers.codex.survey import Survey
from panscript.schemas.codex.lean import Block, Payload
from panscript.schemas.events import Block as Content
from panscript.schemas.events import Image, Text, Thinking

__all__ = ["only_told"]


def only_told(payload: Payload, survey: Survey) -> tuple[str, list[Content]] | None:
    """Role and content of an event of which the file holds no item at all. None for a twin."""
    item, kind = payload.item, payload.type
    if kind == "item_completed" and item is not None:
        kind = item.type
    if kind in ("user_message", "UserMessage") and not survey.said_by_user:
        blocks: list[Content] = []
        if item is not None:
            blocks = [said for b in _blocks(item.content) if (said := spoken(b)) is not None]
        elif payload.message:
            blocks = [Text(text=payload.message)]
        blocks.extend(picture(url) for url in payload.images or ())
        blocks.extend(Image(path=path) for path in payload.local_images or ())
        return ("user", blocks) if blocks else None
    if kind in ("agent_message", "AgentMessage") and not survey.said_by_model:
        text = joined(item.content) if item is not None else payload.message
        return ("assistant", [Text(text=text)]) if text else None
    if kind in ("agent_reasoning", "Reasoning") and not survey.thought and not survey.said_by_model:
        text = "\n\n".join(item.summary_text or item.raw_content or ()) if item is not None else payload.text
        return ("assistant", [Thinking(text=text)]) if text else None
    return None


def _blocks(content: str | list[Block] | None) -> list[Block]:
    return [Block(type="text", text=content)] if isinstance(content, str) else content or []
