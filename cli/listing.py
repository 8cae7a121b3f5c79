"""The sessions on a machine with what a list says of each, and the choice among them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

import msgspec

from panscript.readers.discovery import full_id
from panscript.readers.finding import readable
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.readers.peek import WHOLE, Facts, Peeker, size_of
from panscript.schemas import timestamps
from panscript.schemas.errors import SourceError
from panscript.schemas.records import Source
from panscript.stages.projections import project

__all__ = ["Entry", "Wanted", "count", "gather", "members", "row", "short_ids"]

_SHORTEST = 8
"""Characters of an id that are shown at least."""


class Entry(msgspec.Struct):
    """A session in the list, its sub-agents beneath it."""

    source: Source
    facts: Facts
    children: list[Entry] = []
    messages: int | None = None
    """How many messages its `events` are; None when they were not counted."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which sessions to list; a session is taken with its sub-agents, also for what is said of one of them."""

    query: str | None = None
    """In the first prompt, the title, the id or the cwd, whatever the case."""
    cwd: str | None = None
    since: int | None = None
    until: int | None = None
    """Last changed at or after, and before: milliseconds since 1970 UTC."""

    def __call__(self, entry: Entry) -> bool:
        """Whether it is wanted."""
        modified = entry.facts.modified or 0
        if (self.since is not None and modified < self.since) or (self.until is not None and modified >= self.until):
            return False
        if self.cwd is not None and not _same_folder(entry.facts.cwd, self.cwd):
            return False
        return self.query is None or any(_says(member.facts, self.query.casefold()) for member in members(entry))


def _same_folder(cwd: str | None, folder: str) -> bool:
    """A cwd is text from another machine, perhaps; it is compared as it stands before any link is followed."""
    if not cwd:
        return False
    asked = os.path.abspath(folder)  # noqa: PTH100 - `Path` keeps `..`
    return cwd in (folder, asked, os.path.realpath(asked)) or os.path.realpath(cwd) == os.path.realpath(asked)


def _says(facts: Facts, query: str) -> bool:
    said = (facts.first_prompt, facts.title, facts.session_id, facts.cwd)
    return any(query in text.casefold() for text in said if text)


def members(entry: Entry) -> Iterator[Entry]:
    """The session and, below it, its sub-agents."""
    yield entry
    for child in entry.children:
        yield from members(child)


def gather(sources: Iterable[Source], problem: Callable[[SourceError], None]) -> list[Entry]:
    """The entries of these sessions, the last changed first. What cannot be read is told and left out."""
    peek = Peeker()
    found = [entry for source in sources for entry in _entries(source, peek, problem)]
    found.sort(key=lambda entry: entry.facts.modified or 0, reverse=True)
    return found


def _entries(source: Source, peek: Peeker, problem: Callable[[SourceError], None]) -> list[Entry]:
    children = [entry for child in source.children for entry in _entries(child, peek, problem)]
    try:
        return [Entry(source, peek(source), children)]
    except SourceError as error:
        problem(error)
        return children


def count(entries: Iterable[Entry], problem: Callable[[SourceError], None], *, large: bool) -> None:
    """Count the messages of these sessions and of their sub-agents; of large sessions only when asked for."""
    for entry in entries:
        for member in members(entry):
            if large or size_of(member.source) <= WHOLE:
                try:
                    records = read(member.source, options=ReadOptions(usage=False))
                    member.messages = sum(1 for _ in project(records, kinds=("message",)))
                except SourceError as error:
                    problem(error)


def row(entry: Entry) -> dict[str, Any]:
    """The entry as it is printed in JSON."""
    facts = entry.facts
    return {
        "agent": entry.source.agent,
        "session_id": facts.session_id,
        "parent_session_id": facts.parent_session_id,
        "path": readable(entry.source.path),
        "title": facts.title,
        "first_message": facts.first_prompt,
        "cwd": facts.cwd,
        "created": timestamps.iso(facts.created) if facts.created is not None else None,
        "modified": timestamps.iso(facts.modified) if facts.modified is not None else None,
        "messages": entry.messages,
        "imported_from": facts.imported_from,
    }


def short_ids(entries: Iterable[Entry]) -> dict[tuple[str, str], str]:
    """For agent and id of each session the shortest beginning that means no other id.

    The same import into two agents has one id there; `--from` tells them apart, the whole id would say no more.
    A sub-agent without an id of its own is called by its name within its session.
    """
    listed = [member.source for entry in entries for member in members(entry)]
    short = _beginnings(sorted({_name(source) for source in listed}))
    return {(source.agent, full_id(source)): short[_name(source)] for source in listed}


def _name(source: Source) -> str:
    return source.agent_id or full_id(source)


def _beginnings(names: list[str]) -> dict[str, str]:
    """For each of these names, sorted and each once, as much of it as tells it from the others."""
    shared = [_shared(first, second) for first, second in pairwise(names)]
    return {
        name: name[: max([_SHORTEST - 1, *shared[max(0, place - 1) : place + 1]]) + 1]
        for place, name in enumerate(names)
    }


def _shared(first: str, second: str) -> int:
    """How many characters two ids begin with alike."""
    return next((place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), len(first))
