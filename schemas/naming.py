"""Names of models, of who bills for them, and of sessions that have none."""

from __future__ import annotations

import re

__all__ = ["billing_provider", "encodable", "first_words", "model_name", "provider_of_model"]

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_NO_TEXT = re.compile("[\ud800-\udfff]")
_LONGEST = 256


def encodable(text: str) -> str:
    """The same text, with the bytes of a file name that are no UTF-8 as visible escapes."""
    return text if text.isascii() else _NO_TEXT.sub(lambda found: f"\\x{ord(found.group()) & 0xFF:02x}", text)


def first_words(prompt: str | None) -> str | None:
    """What a session is known by that has no title: the first prompt on one line, at most 200 characters."""
    # Splitting all of a long prompt would take long for nothing.
    return " ".join(prompt[:4000].split())[:200] or None if prompt else None


def model_name(logged: str | None) -> str | None:
    """Lower case, without controls, at most 256 characters; None when nothing is left."""
    if not logged:
        return None
    return _CONTROLS.sub("", logged).strip().lower()[:_LONGEST] or None


def billing_provider(logged: str | None) -> str | None:
    """The billing entity behind a provider name as logged."""
    name = (logged or "").strip().lower()
    if not name:
        return None
    if name == "github-copilot":
        return "github"
    if name == "openai-codex" or name.startswith(("openai-", "openai/")):
        return "openai"
    return name


def provider_of_model(model: str | None) -> str | None:
    """Who makes the model of this name, when the name says so."""
    name = (model or "").strip().lower()
    if name.startswith("gpt-") or re.match(r"o[134](?:$|[-.])", name):
        return "openai"
    if re.match(r"claude(?:$|[-.])", name):
        return "anthropic"
    if re.match(r"gemini(?:$|[-.])", name):
        return "google"
    return None
