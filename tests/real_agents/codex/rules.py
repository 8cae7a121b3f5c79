"""Why the Responses API would refuse a request, by its public rules; the stand-in takes anything."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

__all__ = ["refused"]

Item = dict[str, Any]
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}")
_SAID = {"user": "input_text", "developer": "input_text", "assistant": "output_text"}


def refused(items: Iterable[Item]) -> list[str]:
    """The reasons; none for a request that is taken."""
    reasons: list[str] = []
    calls: Counter[str] = Counter()
    waiting: list[str] = []
    for item in items:
        kind = item["type"]
        if kind in {"function_call", "custom_tool_call"}:
            reasons += [f"name {name!r}" for name in (item["name"], item["call_id"]) if not _NAME.fullmatch(name)]
            calls[item["call_id"]] += 1
            waiting.append(item["call_id"])
            if kind == "function_call" and not _is_json(item["arguments"]):
                reasons.append(f"arguments of {item['call_id']} are no JSON")
        elif kind in {"function_call_output", "custom_tool_call_output"}:
            if item["call_id"] in waiting:
                waiting.remove(item["call_id"])
            else:
                reasons.append(f"an output for {item['call_id']}, which waits for none")
            reasons += _refused_content(item["output"], "input_text")
        elif kind == "message":
            if not item["content"]:
                reasons.append("a message of nothing")
            reasons += _refused_content(item["content"], _SAID.get(item["role"], "nobody's text"))
    reasons += [f"no output for {call}" for call in waiting]
    return reasons + [f"call id {call} stands {n} times" for call, n in calls.items() if n > 1]


def _refused_content(content: str | list[Item], text: str) -> list[str]:
    if isinstance(content, str):
        return []
    wrong = [block["type"] for block in content if block["type"] not in {text, "input_image"}]
    images = [block["image_url"][:40] for block in content if block["type"] == "input_image"]
    return [f"a block of type {kind}" for kind in wrong] + [f"image {url}" for url in images if not _IMAGE.match(url)]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
