"""What stands beside a session: its entry in the history, its metadata, its manifest. None of it has to be there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import msgspec

from panscript.readers.document import load
from panscript.readers.elements import cut
from panscript.readers.tolerant import recover
from panscript.schemas import timestamps
from panscript.schemas.cline.lean import HistoryItem, Manifest, TaskMetadata
from panscript.schemas.errors import PanscriptError
from panscript.schemas.records import Source

__all__ = ["Facts", "facts_of", "history_files", "manifest_of", "parent_task"]

Row = TypeVar("Row", bound=msgspec.Struct)
_item = msgspec.json.Decoder(HistoryItem)
_metadata = msgspec.json.Decoder(TaskMetadata)
_manifest = msgspec.json.Decoder(Manifest)
_LISTS = {"": frozenset({"id"}), "entries": frozenset({"id"})}
"""Where the entries of a list of tasks stand: it is one, or has one."""
_ID = re.compile(rb'"id"\s*:\s*"([^"\\]*)"')


class Facts(msgspec.Struct):
    """What is known of a session from beside it."""

    title: str | None = None
    cwd: str | None = None
    version: str | None = None
    model: str | None = None
    provider: str | None = None
    parent: str | None = None
    """Session that started this one."""
    forked_from: str | None = None
    created: int | None = None
    modified: int | None = None
    prompt: str | None = None
    models: list[tuple[int, str | None, str | None]] = []
    """From when on which model of which provider was in use."""
    manifest: Manifest | None = None

    def in_use(self, time: int | None) -> tuple[str | None, str | None]:
        """Model and provider at this time, as far as it is known from beside the session."""
        before = [each for each in self.models if time is None or each[0] <= time] or self.models[:1]
        return before[-1][1:] if before else (None, None)


def facts_of(source: Source) -> Facts:
    """Read what stands beside a session. What cannot be read says nothing."""
    found = Facts()
    for file in source.files:
        name = Path(file.path).name
        if name == "task_metadata.json":
            _of_metadata(_decoded(file.path, _metadata), found)
        elif file.role == "side" and name != "history_item.json":
            _of_manifest(_decoded(file.path, _manifest), found)
    item = _history(source)
    if item is not None:
        found.title = (item.task or "").strip() or None
        found.cwd = item.cwd_on_task_initialization or item.workspace or None
        found.parent = item.parent_task_id or None
        found.model = found.model or item.model_id or None
    return found


def manifest_of(data: bytes, found: Facts) -> bool:
    """Take the facts out of a manifest; False when it is none."""
    manifest = _struct(data, _manifest)
    _of_manifest(manifest, found)
    return manifest is not None and manifest.session_id is not None


def parent_task(path: str) -> str | None:
    """The task that started the one with this file, as its own entry of the history says."""
    item = _decoded(str(Path(path).with_name("history_item.json")), _item)
    return item.parent_task_id or None if item is not None else None


def history_files(source: Source) -> Iterator[Path]:
    """The lists of all tasks that may hold this one: Cline's and Roo's."""
    tasks = Path(source.path).absolute().parent.parent
    yield tasks.parent / "state" / "taskHistory.json"
    yield tasks / "_index.json"


def _history(source: Source) -> HistoryItem | None:
    for file in source.files:
        if file.path.endswith("history_item.json"):
            item = _decoded(file.path, _item)
            if item is not None:
                return item
    if any(file.path.endswith(".messages.json") for file in source.files):
        return None
    for path in history_files(source):
        try:
            state = path.stat()
        except (OSError, ValueError):
            continue
        raw = _entries(str(path), state.st_mtime_ns, state.st_size).get(source.id)
        if raw is not None:
            return _struct(raw, _item)
    return None


@lru_cache(maxsize=1)
def _entries(path: str, _changed: int, _size: int) -> dict[str, bytes]:
    """The entries of a list of tasks by id: it is the same list for every task of a search."""
    try:
        listed = cut(load(path), _LISTS).elements
    except PanscriptError:
        return {}
    found: dict[str, bytes] = {}
    for _, item in listed:
        raw = bytes(item)
        name = _ID.search(raw)
        if name is not None:
            found[name[1].decode("utf-8", "replace")] = raw
    return found


def _decoded(path: str, decoder: msgspec.json.Decoder[Row]) -> Row | None:
    try:
        return _struct(load(path), decoder)
    except PanscriptError:
        return None


def _struct(data: bytes, decoder: msgspec.json.Decoder[Row]) -> Row | None:
    try:
        return decoder.decode(data.strip(b"\0\xef\xbb\xbf \t\r\n"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        rows = recover(data, decoder, bool).rows
        return rows[0] if rows else None


def _of_metadata(data: TaskMetadata | None, found: Facts) -> None:
    if data is None:
        return
    for used in data.model_usage or ():
        found.models.append((timestamps.parse(used.ts) or 0, used.model_id, used.model_provider_id))
    found.version = next((each.cline_version for each in data.environment_history or () if each.cline_version), None)


def _of_manifest(data: Manifest | None, found: Facts) -> None:
    if data is None:
        return
    found.manifest = data
    found.cwd = data.cwd or data.workspace_root or None
    found.model, found.provider = data.model or None, data.provider or None
    found.parent = data.parent_session_id or None
    found.created, found.modified = timestamps.parse(data.started_at), timestamps.parse(data.ended_at)
    found.prompt = data.prompt or None
    more = data.metadata
    if more is not None:
        found.title = (more.title or "").strip() or None
        found.version = more.session_history_origin.version if more.session_history_origin is not None else None
        found.forked_from = more.fork.forked_from_session_id or None if more.fork is not None else None
