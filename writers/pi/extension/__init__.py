"""What panscript puts into Pi: one file in `<agent folder>/extensions`, which Pi loads when it starts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

import msgspec

from panscript.writers.pi.store import agent_folder
from panscript.writers.stores import Surroundings

__all__ = ["ADVICE", "called", "content", "path", "version"]

ADVICE = "Pi has the command /import-session when it starts next; a running one has it after /reload"
_HEAD = re.compile(rb"// panscript extension for Pi, version (\S+)\r?\n")
_PROGRAM = re.compile(rb"^const PROGRAM = (.*);$", re.MULTILINE)


def path(surroundings: Surroundings) -> Path:
    """Where the file belongs; it may not be there."""
    return agent_folder(surroundings) / "extensions" / "panscript.js"


def content(version: str, program: Sequence[str], names: Mapping[str, str]) -> bytes:
    """The file for this version of panscript, called by `program`. `names`: agent id -> name of what it reads."""
    text = files(__name__).joinpath("panscript.js").read_text(encoding="utf-8")
    for old, new in (
        ("Pi, version 0\n", f"Pi, version {version}\n"),
        # What JSON escapes is a literal of JavaScript, too.
        ('const PROGRAM = ["panscript"];\n', f"const PROGRAM = {json.dumps(list(program))};\n"),
        ("const NAMES = {};\n", f"const NAMES = {json.dumps(dict(names))};\n"),
    ):
        before, found, after = text.partition(old)
        assert found, old
        text = before + new + after
    return text.encode()


def called(content: bytes) -> list[str]:
    """How a file of ours calls panscript; empty where that cannot be seen."""
    found = _PROGRAM.search(content)
    try:
        return msgspec.json.decode(found[1], type=list[str]) if found else []
    except (msgspec.DecodeError, UnicodeDecodeError):
        return []


def version(content: bytes) -> str | None:
    """The version of panscript that wrote the file; None when it is somebody else's."""
    found = _HEAD.match(content)
    return found[1].decode("utf-8", "replace") if found else None
