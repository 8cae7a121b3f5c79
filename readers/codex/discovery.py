"""Codex threads on a machine.

`sessions/YYYY/MM/DD/rollout-<local time>-<thread>[_<segment>].jsonl`, archived ones flat in `archived_sessions/`, each
perhaps compressed as `.jsonl.zst`. A thread may stand in several files (a revert opens a new segment) and build on
another thread's; a sub-agent is a thread of its own whose first record names its parent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from panscript.readers.codex import detect
from panscript.readers.context import Place
from panscript.readers.finding import HEAD, Found, Problems, find_files, readable, start_of
from panscript.readers.lines import head
from panscript.schemas.errors import SourceUnreadable
from panscript.schemas.records import SessionFile, Source

__all__ = ["discover"]

_NAME = re.compile(r"rollout-.*\.jsonl(?:\.zst)?")
_IDS = re.compile(r"rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(?P<thread>[^_]+?)(?:_(?P<segment>.+))?\.jsonl(?:\.zst)?")
_LONGEST_HEADER = 1 << 22
"""The first record carries the instructions of the model, and may be longer than the head of a file."""


class _ThreadSpawn(msgspec.Struct):
    parent_thread_id: str | None = None


class _Subagent(msgspec.Struct):
    thread_spawn: _ThreadSpawn | None = None


class _Origin(msgspec.Struct):
    subagent: _Subagent | str | None = None


class _Base(msgspec.Struct):
    thread_id: str | None = None


class _Payload(msgspec.Struct):
    id: str | None = None
    parent_thread_id: str | None = None
    source: _Origin | str | None = None
    history_base: _Base | None = None

    @property
    def parent(self) -> str | None:
        """The thread that started this one as a sub-agent."""
        if self.parent_thread_id:
            return self.parent_thread_id
        origin = self.source.subagent if isinstance(self.source, _Origin) else None
        spawn = origin.thread_spawn if isinstance(origin, _Subagent) else None
        return spawn.parent_thread_id if spawn is not None else None


class _Header(msgspec.Struct):
    type: str | None = None
    payload: _Payload | None = None
    id: str | None = None


_decode = msgspec.json.Decoder(_Header).decode


class _Rollout(NamedTuple):
    """One file of a thread."""

    file: Found
    thread: str
    segment: bool
    parent: str | None
    base: str | None

    @property
    def name(self) -> str:
        """The file name without the mark of compression; its time orders the segments."""
        return Path(self.file.path).name.removesuffix(".zst")


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The threads in these places, by real path of their first own file; sub-agents are children of their thread."""
    threads: dict[str, list[_Rollout]] = {}
    for file in _without_twins(find_files(places, lambda name: _NAME.fullmatch(name) is not None, report)):
        start = start_of(file, detect, report, "Codex")
        if start is not None:
            rollout = _rollout(file, start)
            threads.setdefault(rollout.thread, []).append(rollout)
    for thread, rollouts in threads.items():
        threads[thread] = _segments(rollouts, report)
    yield from _Tree(agent_id, threads).roots()


def _without_twins(files: list[Found]) -> Iterator[Found]:
    """The same without compressed files whose plain form stands beside them: that is the one in use."""
    plain = {path for file in files for path in file[:2]}
    for file in files:
        if file.path.removesuffix(".zst") == file.path or file.path.removesuffix(".zst") not in plain:
            yield file


def _rollout(file: Found, start: bytes) -> _Rollout:
    named = _IDS.fullmatch(Path(file.path).name)
    thread = named["thread"] if named is not None else Path(file.path).name.split(".jsonl")[0]
    payload = _header(file, start)
    return _Rollout(
        file,
        payload.id or readable(thread),
        named is not None and named["segment"] is not None,
        payload.parent,
        payload.history_base.thread_id if payload.history_base is not None else None,
    )


def _header(file: Found, start: bytes) -> _Payload:
    """What the first record says of the thread; nothing when it is no header or cannot be read."""
    if b"\n" not in start and len(start) == HEAD:
        start = head(file.path, _LONGEST_HEADER)
    first = next((line for line in start.split(b"\n") if line.strip()), b"")
    try:
        header = _decode(first.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Payload()
    if header.type == "session_meta" and header.payload is not None:
        return header.payload
    return _Payload(id=header.id) if header.type is None else _Payload()


def _segments(rollouts: list[_Rollout], report: Problems) -> list[_Rollout]:
    """The files of one thread in reading order. Of copies of one file the fuller one is kept, and the other named."""
    kept: dict[str, _Rollout] = {}
    for rollout in rollouts:
        key = rollout.name if rollout.segment else ""
        known = kept.get(key)
        if known is not None:
            known, rollout = sorted((known, rollout), key=_worth)
            said = f"the thread is read from {readable(rollout.file.path)}"
            report(SourceUnreadable("a copy of a thread was left out", path=known.file.path, hint=said))
        kept[key] = rollout
    return sorted(kept.values(), key=lambda rollout: (rollout.segment, rollout.name))


def _worth(rollout: _Rollout) -> tuple[bool, int]:
    return not rollout.file.path.endswith(".zst"), rollout.file.size


class _Tree:
    """Threads put together: segments and bases to sessions, sub-agents beneath their parents."""

    def __init__(self, agent_id: str, threads: dict[str, list[_Rollout]]) -> None:
        self._agent_id, self._threads = agent_id, threads
        self._children: dict[str, list[str]] = {}
        self._placed: set[str] = set()
        self._order = sorted(threads, key=lambda thread: threads[thread][0].file.real)
        for thread in self._order:
            parent = threads[thread][0].parent
            if parent is not None and parent in threads and parent != thread:
                self._children.setdefault(parent, []).append(thread)

    def roots(self) -> Iterator[Source]:
        """The threads that are nobody's child. Threads that name each other are opened at the first."""
        below = {child for children in self._children.values() for child in children}
        for thread in (*(thread for thread in self._order if thread not in below), *self._order):
            if thread not in self._placed:
                yield self._source(thread)

    def _source(self, thread: str) -> Source:
        self._placed.add(thread)
        own = self._threads[thread]
        bases, missing = self._bases(thread)
        roles = [SessionFile(rollout.file.path, "segment" if place else "main") for place, rollout in enumerate(own)]
        return Source(
            agent=self._agent_id,
            id=thread,
            files=(*(SessionFile(rollout.file.path, "base") for rollout in bases), *roles),
            parent=own[0].parent,
            children=tuple(self._source(child) for child in self._children.get(thread, ()) if self._free(child)),
            missing=missing,
        )

    def _free(self, thread: str) -> bool:
        return thread not in self._placed

    def _bases(self, thread: str) -> tuple[list[_Rollout], tuple[str, ...]]:
        """The files of other threads that this one builds on, the oldest first, and the threads that are not there."""
        found: list[list[_Rollout]] = []
        seen = {thread}
        base = self._threads[thread][0].base
        if base == thread:
            return [], (thread,)  # the first file of the thread itself is gone
        while base is not None and base not in seen:
            seen.add(base)
            rollouts = self._threads.get(base)
            if rollouts is None:
                return _joined(found), (base,)
            found.append(rollouts)
            base = rollouts[0].base
        return _joined(found), ()


def _joined(found: list[list[_Rollout]]) -> list[_Rollout]:
    return [rollout for rollouts in reversed(found) for rollout in rollouts]
