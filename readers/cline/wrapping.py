"""What of a user message a person typed, and what the agent put around it."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Spoken", "cwd_in", "model_in", "result_header", "spoken", "without_words"]

_ENVIRONMENT = re.compile(r"<environment_details>.*?(?:</environment_details>|\Z)", re.DOTALL)
_WHOLE = re.compile(r"<environment_details>(.*?)</environment_details>", re.DOTALL)
_MODEL = re.compile(r"<model>\s*([^<\s][^<]*?)\s*</model>")
_CWD = re.compile(r"^# Current (?:Working|Workspace) Directory \((.+)\) Files$", re.MULTILINE)
_WORDS = re.compile(
    r"<(?P<tag>task|feedback|user_message|answer|user_input)(?:\s[^<>]*)?>\n?(?P<said>.*)\n?</(?P=tag)>", re.DOTALL
)
_HEADER = re.compile(r"\[(?P<tool>[a-z][a-z0-9_]*)(?:[^\n]*)\] Result:[ \t]*\n?")
_NOTICE = re.compile(
    r"\s*(?:\[(?:TASK RESUMPTION|ERROR|NOTE|WARNING|New instructions)|# (?:Reminder|Next Steps|Task Progress)"
    r"|<(?:explicit_instructions|(?:file|folder|url)_(?:content|mention)|git_\w+|workspace_diagnostics|terminal_output"
    r"|hook_context|system-reminder|slash_command|command|error|notice|user_instructions|problems)\b)"
)


class Spoken(NamedTuple):
    """A text of a user message, taken apart."""

    typed: str
    """What the person typed; empty when nothing."""
    added: list[str]
    """What the agent put beside it."""
    environment: list[str]
    """Its description of the surroundings."""


def spoken(text: str) -> Spoken:
    """Take a text apart."""
    environment = [found.strip() for found in _ENVIRONMENT.findall(text)] if "<environment_details>" in text else []
    rest = _ENVIRONMENT.sub("", text).strip() if environment else text
    words = _WORDS.search(rest)
    if words is not None:
        outside = [piece.strip() for piece in (rest[: words.start()], rest[words.end() :])]
        return Spoken(words["said"].removesuffix("\n"), [piece for piece in outside if piece], environment)
    if not rest.strip():
        return Spoken("" if environment else rest, [], environment)
    if _NOTICE.match(rest) or _HEADER.match(rest):
        return Spoken("", [rest], environment)
    return Spoken(rest, [], environment)


def without_words(text: str) -> tuple[str, str]:
    """The text of a result without what a person said in it (feedback, the answer to a question), and that."""
    if not text.rstrip().endswith((">", "</feedback>", "</answer>", "</user_message>")):
        return text, ""
    found = _WORDS.search(text)
    if found is None or found["tag"] in ("task", "user_input"):
        return text, ""
    return f"{text[: found.start()]}{text[found.end() :]}".strip(), found["said"].removesuffix("\n")


def result_header(text: str) -> tuple[str, str] | None:
    """The tool whose result begins here, and the text behind the header; None when none does."""
    found = _HEADER.match(text)
    return (found["tool"], text[found.end() :]) if found is not None else None


def model_in(text: str) -> str | None:
    """The first model that the last complete description of the surroundings names."""
    blocks = _WHOLE.findall(text)
    found = _MODEL.search(blocks[-1]) if blocks else None
    return found[1] if found is not None else None


def cwd_in(text: str) -> str | None:
    """The project's folder as a description of the surroundings names it."""
    found = _CWD.search(text)
    return found[1] if found is not None else None
