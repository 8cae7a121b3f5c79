"""Gemini CLI's files: how they are known, and the project's folder, which only things beside them tell."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import msgspec

from panscript.readers.recordings import files
from panscript.schemas.records import Source

__all__ = ["detect", "layout", "project_folder", "registries", "resolve"]

_MESSAGE = re.compile(rb'\{\s*"id"\s*:\s*"[^"]*"\s*,\s*"timestamp"\s*:\s*"[^"]*"\s*,\s*"type"\s*:\s*"(?:user|gemini)"')
_HASH = re.compile(rb'"projectHash"\s*:\s*"([0-9a-f]{64})"')
_LARGEST = 1 << 20


class _Registry(msgspec.Struct):
    projects: dict[str, Any] = {}
    """Path of a project -> name of its folder; in an early form an object by key that holds the path."""


def detect(start: bytes) -> int:
    """How surely these first bytes are a Gemini CLI session: 0 not at all, 100 certainly."""
    if files.is_recording(start):
        return 90
    if start.lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith((b'{"$set":{"', b'{"$rewindTo":"')) or _MESSAGE.search(start):
        return 60
    return 55 if files.is_saved_chat(start) else 0


def resolve(path: str) -> Source:
    """The session that a file belongs to, with its other files and its sub-agents."""
    return files.resolve("gemini", path)


def layout(path: str) -> str:
    """Where the file lies below Gemini CLI's `tmp` folder."""
    return files.layout(path)


def registries(source: Source) -> tuple[Path, ...]:
    """The files beside a session that may name its project's folder."""
    path = Path(source.path).absolute()
    if files.CHATS in path.parts[:-1]:
        while path.name != files.CHATS:
            path = path.parent
    project = path.parent
    return project.parent.parent / "projects.json", project / ".project_root"


def project_folder(source: Source) -> str | None:
    """The project's folder: by the registry, by the mark in its folder, or the one of the registry with that hash."""
    registry, mark = registries(source)
    found = _projects(registry)
    name = mark.parent.name
    for path, slug in found.items():
        if slug == name:
            return path
    marked = (_small(mark) or b"").decode("utf-8", "replace").strip()
    if marked:
        return marked
    hashes = {name}
    if found:
        hashes.update(_stated_hash(source))
    return next((path for path in found if hashlib.sha256(path.encode()).hexdigest() in hashes), None)


def _projects(registry: Path) -> dict[str, str]:
    data = _small(registry)
    if data is None:
        return {}
    try:
        listed = msgspec.json.decode(data, type=_Registry).projects
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    found: dict[str, str] = {}
    for key, value in listed.items():
        if isinstance(value, str):
            found[key] = value
        elif isinstance(value, dict) and isinstance(value.get("absolutePath"), str):
            found[value["absolutePath"]] = key
    return found


def _stated_hash(source: Source) -> set[str]:
    start = files.start_of(source.path)
    match = _HASH.search(start) if start is not None else None
    return {match[1].decode()} if match is not None else set()


def _small(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST)
    except (OSError, ValueError):
        return None
