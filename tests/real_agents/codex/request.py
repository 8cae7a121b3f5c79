"""A request to the Responses API, taken apart into the turns that `meant` gives of a session."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from tests.real_agents.meant import Call, Media, Part, Ran, Result, Said, Thought, Turn, digest, joined

__all__ = ["turns_of"]

Item = dict[str, Any]
# The agent's own way to tell of a command that the person ran.
_COMMAND = re.compile(
    r"\s*<user_shell_command>\s*<command>\n?(.*?)\n?</command>\s*"
    r"<result>\n?(?:Exit code: -?\d+\n)?(?:Duration: [^\n]*\n)?(?:Output:\n)?(.*?)\n?</result>\s*"
    r"</user_shell_command>\s*",
    re.DOTALL,
)
# Codex puts these around a picture, as blocks of their own.
_WRAPPER = re.compile(r"<image(?: [^>]*)?>|</image>")


def turns_of(items: Iterable[Item]) -> list[Turn]:
    """The items of a request. What comes from a developer is counted to the person's side: it is not the model's."""
    return joined(_told(item) for item in items)


def _told(item: Item) -> tuple[str, list[Part]]:
    kind = item["type"]
    if kind == "message":
        return "assistant" if item["role"] == "assistant" else "user", _parts(item["content"])
    if kind == "reasoning":
        thought = [piece["text"] for piece in (*item["summary"], *(item.get("content") or ()))]
        return "assistant", [Thought("\n\n".join(thought), item.get("encrypted_content"))]
    if kind == "function_call":
        name = f"{item['namespace']}__{item['name']}" if item.get("namespace") else item["name"]
        return "assistant", [Call(item["call_id"], name, _arguments(item["arguments"]))]
    if kind == "custom_tool_call":
        return "assistant", [Call(item["call_id"], item["name"], item["input"])]
    if kind == "web_search_call":
        # The vendor ran it, and keeps what it found.
        return "assistant", [Call(item.get("id") or "", "web_search", item.get("action"))]
    if kind in {"function_call_output", "custom_tool_call_output"}:
        inner = _parts(item["output"])
        texts = tuple(part.text for part in inner if isinstance(part, Said))
        media = tuple(part.digest for part in inner if isinstance(part, Media))
        # The API has no flag for a failed call.
        return "user", [Result(item["call_id"], texts, error=False, media=media)]
    raise AssertionError(f"an item of type {kind} was sent")


def _parts(content: str | list[Item]) -> list[Part]:
    blocks = [{"type": "input_text", "text": content}] if isinstance(content, str) else content
    return [_part(block) for block in blocks if not _WRAPPER.fullmatch(block.get("text") or "")]


def _part(block: Item) -> Part:
    if block["type"] == "input_image":
        return Media(digest(block["image_url"].rpartition("base64,")[2]))
    text = block["text"]
    if command := _COMMAND.fullmatch(text):
        return Ran(command[1], command[2])
    return Said(text)


def _arguments(text: str) -> Any:
    """Parsed where they are JSON, as `meant` has them."""
    try:
        return json.loads(text)
    except ValueError:
        return text
