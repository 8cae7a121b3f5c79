"""Problems as one JSON document."""

from __future__ import annotations

import os

import msgspec

from panscript.readers.validation import FileProblems, Problem

__all__ = ["document", "utf8"]


class _File(msgspec.Struct):
    path: str
    agent: str | None
    ok: bool
    records: int
    problems: list[Problem]


class _Document(msgspec.Struct):
    ok: bool
    files: list[_File]


def document(files: list[FileProblems]) -> str:
    """`{"ok", "files": [{"path", "agent", "ok", "records", "problems": [{"line", "severity", ...}]}]}`."""
    listed = [_File(utf8(file.path), file.agent, file.ok, file.records, file.problems) for file in files]
    whole = _Document(all(file.ok for file in files), listed)
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()


def utf8(path: str) -> str:
    """A path as text; bytes that are none become visible escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
