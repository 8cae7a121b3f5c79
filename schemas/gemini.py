"""Gemini CLI's files as typed structs: validation, JSON Schema, drift detection.

Versions of August 2025 to November 2026 (0.61). Sessions are conversation records (`panscript.schemas.recordings`), on
whose structs the reader itself works; here are the files beside them, and the schema of all.
"""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.field_paths import unknown_paths
from panscript.schemas.genai import Content
from panscript.schemas.recordings import Document, Line, MessageRecord, line_decoder

__all__ = ["Checkpoint", "Line", "LoggedPrompt", "Projects", "decode_line", "json_schema", "unknown_fields"]


class LoggedPrompt(msgspec.Struct, kw_only=True, rename="camel"):
    """An element of `logs.json`, the prompts of interactive use."""

    session_id: str | None = None
    message_id: int | None = None
    """From 0 in each session."""
    timestamp: str | None = None
    type: str | None = None
    """Always `user`."""
    message: str | None = None


class Checkpoint(msgspec.Struct, kw_only=True, rename="camel"):
    """`checkpoint-<tag>.json`, a saved chat; at first the bare list of its contents."""

    history: list[Content] | None = None
    auth_type: str | None = None
    """How the person was logged in; a chat is only resumed with the same."""


class Projects(msgspec.Struct, kw_only=True):
    """`projects.json`."""

    projects: dict[str, str] = {}
    """Absolute path of a project -> name of its folder below `tmp`, of `a-z`, `0-9` and `-`."""


class Session(msgspec.Struct, kw_only=True, rename="camel"):
    """A session of the older form, one document."""

    session_id: str | None = None
    project_hash: str | None = None
    start_time: str | None = None
    last_updated: str | None = None
    messages: list[MessageRecord] | None = None
    summary: str | None = None
    directories: list[str] | None = None
    kind: str | None = None


def decode_line(raw: bytes) -> Line:
    """Decode one line of a session, or one message of the older form.

    Raises `msgspec.DecodeError` when it is not JSON and `msgspec.ValidationError`, with the path, when a field has a
    wrong shape.
    """
    return line_decoder.decode(raw)


def unknown_fields(raw: bytes) -> list[str]:
    """Fields of one line that no struct has, as JSON paths. Raises `msgspec.DecodeError` when it is not JSON."""
    return unknown_paths(msgspec.json.decode(raw), Line)


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of one line of a session; `$defs` also has the files beside it."""
    structs = [Line, Session, Checkpoint, LoggedPrompt, Projects, Document]
    refs, components = msgspec.json.schema_components(structs, ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One line of a Gemini CLI session, or a whole session of the older form",
        "anyOf": refs[:2],
        "$defs": components,
    }
