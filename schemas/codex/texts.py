"""Facts that Codex tells the model in words only: whether a call went well, and what command the person ran."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["FAILURE", "Ran", "failed", "shell_parts", "shell_split", "shell_text"]

FAILURE = "Exit code: 1\nWall time: 0 seconds\nOutput:\n"
"""Stands before the text of a call that failed and whose text does not say so."""
_EXIT = re.compile(
    r"Exit code: (-?\d+)\s"
    r"|(?:Chunk ID: [^\n]*\n)?(?:Wall time: [^\n]*\n)?Process exited with code (-?\d+)\s"
)
_REFUSED = re.compile(
    r"apply_patch verification failed|unsupported call: |aborted by user|Wall time: [^\n]*\naborted by user"
)
_BEFORE_RESULT = re.compile(r"</command>\s*<result>\n?")
_SHELL_RESULT = re.compile(r"(?:Exit code: (-?\d{1,10})\n)?(?:Duration: [^\n]*\n)?(?:Output:\n)?(.*)", re.DOTALL)
_OPEN, _BETWEEN, _CLOSE = (
    "<user_shell_command>\n<command>\n",
    "\n</command>\n<result>\n",
    "\n</result>\n</user_shell_command>",
)
_OUTPUT = "Output:\n"
_COMMAND, _END_OF_RESULT = "<command>", "</result>"


class Ran(NamedTuple):
    """A command that the person ran."""

    command: str | None = None
    output: str | None = None
    exit_code: int | None = None


def failed(text: str) -> bool:
    """Whether the text of an output names an exit status other than 0 or begins like a refusal."""
    start = text[:512]
    status = _EXIT.match(start)
    if status is not None:
        return int(status[1] or status[2]) != 0
    return _REFUSED.match(start) is not None


def shell_text(command: str, output: str, exit_code: int | None) -> str:
    """How the model is told of a command that the person ran."""
    status = f"Exit code: {exit_code}\n" if exit_code is not None else ""
    return f"{_OPEN}{command}{_BETWEEN}{status}Duration: 0.0000 seconds\n{_OUTPUT}{output}{_CLOSE}"


def shell_parts(text: str) -> Ran:
    """What such a text says; nothing when it is none."""
    start = text.find(_COMMAND)
    between = _BEFORE_RESULT.search(text, start) if start >= 0 else None
    end = text.find(_END_OF_RESULT, between.end()) if between is not None else -1
    if between is None or end < 0:
        return Ran()
    command = text[start + len(_COMMAND) : between.start()].removeprefix("\n").removesuffix("\n")
    output = text[between.end() : end].removesuffix("\n")
    result = _SHELL_RESULT.fullmatch(output)
    if result is None:
        return Ran(command, output)
    return Ran(command, result[2], int(result[1]) if result[1] else None)


def shell_split(text: str, length: int) -> tuple[str, str] | None:
    """Command and output of a text of ours whose command has so many characters; None when it does not fit."""
    end = len(_OPEN) + length
    if not text.startswith(_OPEN) or not text.startswith(_BETWEEN, end) or not text.endswith(_CLOSE):
        return None
    start = text.find(_OUTPUT, end + len(_BETWEEN))
    return (text[len(_OPEN) : end], text[start + len(_OUTPUT) : -len(_CLOSE)]) if start >= 0 else None
