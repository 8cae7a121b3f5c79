"""Codex threads on a machine.

`sessions/YYYY/MM/DD/rollout-<local time>-<thread>[_<segment>].jsonl`, archived ones flat in `archived_sessions/`, each
perhaps compressed as `.jsonl.zst`. All of them are looked at before the first thread is put together, since its
segments, what it builds on and its sub-agents may lie anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from panscript.readers.codex.files import Head, base_file, detect, head_of, named
from panscript.readers.context import Place
from panscript.readers.finding import Found, Problems, find_files, readable, start_of
from panscript.schemas.errors import SourceUnreadable
from panscript.schemas.records import SessionFile, Source

__all__ = ["discover"]

_NAME = re.compile(r"rollout-.*\.jsonl(?:\.zst)?", re.DOTALL)


class _Rollout(NamedTuple):
    """One file of a thread."""

    file: Found
    segment: str | None
    head: Head

    @property
    def order(self) -> tuple[bool, str, str]:
        """Its place among the files of its thread: ids of segments begin with their time."""
        return self.segment is not None, self.segment or "", Path(self.file.path).name


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The threads in these places, by real path of their first own file; sub-agents are children of their thread."""
    threads: dict[str, list[_Rollout]] = {}
    for file in _without_twins(find_files(places, lambda name: _NAME.fullmatch(name) is not None, report)):
        if start_of(file, detect, report, "Codex") is not None:
            name, head = named(file.path), head_of(file.path)
            thread = head.thread or name.thread or readable(Path(file.path).name.split(".json")[0])
            threads.setdefault(thread, []).append(_Rollout(file, name.segment, head))
    yield from _Tree(agent_id, {thread: _own(rollouts, report) for thread, rollouts in threads.items()}).roots()


def _without_twins(files: list[Found]) -> Iterator[Found]:
    """The same without compressed files whose plain form stands beside them: that is the one in use."""
    known = {path for file in files for path in file[:2]}
    for file in files:
        if not file.path.endswith(".zst") or file.path.removesuffix(".zst") not in known:
            yield file


def _own(rollouts: list[_Rollout], report: Problems) -> list[_Rollout]:
    """The files of one thread in reading order. Of copies of one file the fuller one is kept, and the other named."""
    kept: dict[str | None, _Rollout] = {}
    for rollout in rollouts:
        known = kept.get(rollout.segment)
        if known is not None:
            known, rollout = sorted((known, rollout), key=_worth)
            said = f"the thread is read from {readable(rollout.file.path)}"
            report(SourceUnreadable("a copy of a thread was left out", path=known.file.path, hint=said))
        kept[rollout.segment] = rollout
    return sorted(kept.values(), key=lambda rollout: rollout.order)


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
            parent = threads[thread][0].head.parent
            if parent is not None and parent in threads and parent != thread:
                self._children.setdefault(parent, []).append(thread)

    def roots(self) -> Iterator[Source]:
        """The threads that are nobody's child. Threads that name each other as parents are entered at the first."""
        below = {child for children in self._children.values() for child in children}
        for thread in (*(thread for thread in self._order if thread not in below), *self._order):
            if thread not in self._placed:
                yield self._source(thread)

    def _source(self, thread: str) -> Source:
        self._placed.add(thread)
        own = self._threads[thread]
        bases, missing = self._bases(thread, own[0])
        roles = [SessionFile(rollout.file.path, "segment" if place else "main") for place, rollout in enumerate(own)]
        return Source(
            agent=self._agent_id,
            id=thread,
            files=(*(SessionFile(path, "base") for path in bases), *roles),
            parent=own[0].head.parent,
            children=tuple(self._sub_agents(thread)),
            missing=missing,
        )

    def _sub_agents(self, thread: str) -> Iterator[Source]:
        for child in self._children.get(thread, ()):
            if child not in self._placed:
                yield self._source(child)

    def _bases(self, thread: str, first: _Rollout) -> tuple[list[str], tuple[str, ...]]:
        """The files of other threads that this one builds on, the oldest first, and the thread that is not there."""
        found: list[str] = []
        head = first.head
        while head.base is not None and head.base.thread_id:
            name = head.base.thread_id
            known = [] if name == thread else self._threads.get(name, [])
            heads = {each.file.path: each.head for each in known if each.file.path not in found}
            chosen = base_file(head, heads.items())
            if chosen is None:
                return found, (name,)
            found.insert(0, chosen)
            head = heads[chosen]
        return found, ()
