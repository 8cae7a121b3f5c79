"""From a path to a session: which agent wrote it, which files belong to it, and its records.

The content decides, never the name of a file (but see `databases`). Readers are imported when a file is theirs.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast

from msgspec.structs import replace

from panscript.readers.databases import only_session, owner, sessions
from panscript.readers.lines import DATABASE, head
from panscript.readers.options import ReadOptions
from panscript.schemas.agents import AGENTS, agent
from panscript.schemas.errors import NotATranscript, SourceNotFound, SourceUnreadable, UndecidedAgent, UnknownAgent
from panscript.schemas.events import Event
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport

__all__ = ["Reader", "detect", "open_source", "open_sources", "read", "read_events", "reader", "recognise"]

_SURE = 50
_LONGEST = 16 << 20
"""Bytes that are looked at where the first line is long."""


class Reader(Protocol):
    """What the module of every agent offers."""

    def detect(self, start: bytes) -> int:
        """How surely a file that starts like this is the agent's: 0 not at all, 100 certainly."""

    def resolve(self, path: str) -> Source:
        """The session that a file belongs to, with the other files of that session."""

    def layout(self, path: str) -> str:
        """Where a file of a session lies below the agent's sessions folder."""

    def read(self, source: Source, *, report: FileReport, options: ReadOptions = ...) -> Iterator[Record]:
        """Every record of the session with its events."""


def reader(name: str) -> Reader:
    """The reader of an agent. Raises `UnknownAgent`."""
    found = agent(name).reader
    if found is None:
        raise UnknownAgent(f"sessions of {agent(name).name} cannot be read yet")
    return cast(Reader, import_module(found))


def detect(start: bytes, named: str | None = None) -> dict[str, int]:
    """Every agent that could have written a file that starts like this, with how sure its reader is.

    Where the agent that was `named` is one of them, the others are not asked.
    """
    if named is not None and (sure := reader(named).detect(start)) > 0:
        return {named: sure}
    asked = (known.id for known in AGENTS if known.reader is not None and re.search(known.sign, start))
    scores = {name: reader(name).detect(start) for name in asked}
    return {name: score for name, score in scores.items() if score > 0}


def open_source(path: str, agent_id: str | None = None) -> Source:
    """The session that the file at this path belongs to. `agent_id` names the agent instead of the content.

    Raises `SourceNotFound`, `SourceUnreadable` (also for a database of several sessions), `NotATranscript`,
    `UndecidedAgent`, `UnknownAgent`.
    """
    start, scores = _opened(path, agent_id)
    if start.startswith(DATABASE):
        return replace(only_session(path, agent_id), named=path)
    return _of_file(path, agent_id, start, scores)


def open_sources(path: str, agent_id: str | None = None) -> list[Source]:
    """The session that the file at this path belongs to; of a database all of its sessions. Raises as `open_source`."""
    start, scores = _opened(path, agent_id)
    if start.startswith(DATABASE):
        return [replace(source, named=path) for source in sessions(path, agent_id)]
    return [_of_file(path, agent_id, start, scores)]


def _opened(path: str, agent_id: str | None) -> tuple[bytes, dict[str, int]]:
    # Unlike the methods of `Path` these two answer for every name, however long or odd.
    if not os.path.lexists(path):
        raise SourceNotFound("there is no such file", path=path)
    if os.path.isdir(path):  # noqa: PTH112
        raise SourceUnreadable("this is a folder, not a session file", path=path, hint="name the files in it")
    return _looked_at(path, agent_id)


def _of_file(path: str, agent_id: str | None, start: bytes, scores: dict[str, int]) -> Source:
    if agent_id is None:
        agent_id = _decide(path, start, scores)
    else:
        others = {name for name, score in scores.items() if score >= _SURE}
        if others and agent_id not in scores:
            names = " or ".join(f"`--from {name}`" for name in sorted(others))
            raise NotATranscript(f"this is no session of {agent(agent_id).name}", path=path, hint=f"use {names}")
        if agent_id not in scores and (what := _known(start)):
            raise NotATranscript(what, path=path)
    return replace(reader(agent_id).resolve(path), named=path)


def recognise(path: str, agent_id: str | None = None) -> str:
    """The agent that wrote the file at this path, by its content; `agent_id` where it is one of several likely ones.

    Raises `SourceUnreadable`, `NotATranscript`, `UndecidedAgent`.
    """
    start, scores = _looked_at(path)
    if start.startswith(DATABASE):
        return owner(path, agent_id)
    if (keeper := _keeper(path, scores)) is not None:
        return keeper
    if agent_id is not None and scores.get(agent_id, 0) == max(scores.values(), default=1):
        return agent_id
    return _decide(path, start, scores)


def _looked_at(path: str, agent_id: str | None = None) -> tuple[bytes, dict[str, int]]:
    """The beginning of a file, and who could have written it; of a database that stands in its tables."""
    start = head(path)
    if start.startswith(DATABASE):
        return start, {}
    if b"\n" not in start.strip():
        # One line may hold a picture; only a whole line says whose it is.
        start = head(path, _LONGEST)
    return start, detect(start, agent_id)


def _decide(path: str, start: bytes, scores: dict[str, int]) -> str:
    if not scores:
        if what := _known(start):
            raise NotATranscript(what, path=path)
        what = "no agent's session was recognised in it"
        raise NotATranscript(what, path=path, hint="`--from AGENT` names the agent")
    if (keeper := _keeper(path, scores)) is not None:
        return keeper
    best = max(scores.values())
    winners = [name for name, score in scores.items() if score == best]
    if len(winners) > 1:
        raise UndecidedAgent("several agents could have written it", path=path, hint=" or ".join(winners))
    return winners[0]


def _keeper(path: str, scores: dict[str, int]) -> str | None:
    """The agent in whose own place the file lies, where only one of those that could have written it has that place.

    Some write what another would, so that only the place tells them apart.
    """
    plain = os.path.abspath(path).replace(os.sep, "/")  # noqa: PTH100 - keep links
    found = [
        name
        for name in scores
        if any(place.default and f"/{place.default}/" in plain for place in agent(name).locations)
    ]
    return found[0] if len(found) == 1 else None


def _known(start: bytes) -> str | None:
    """What a file is that no reader takes; None when nobody knows."""
    if not start.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        return "there is nothing in it"
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "it is UTF-16, not UTF-8"
    first = next((line for line in start.split(b"\n") if line.strip()), b"")
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        if {"display", "project"} <= value.keys() or {"session_id", "ts", "text"} <= value.keys():
            return "this is a history of prompts, not a session"
        if {"id", "thread_name"} <= value.keys():
            return "this is an index of sessions, not a session"
    return None


def read(source: Source, *, report: FileReport | None = None, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events. Nothing is opened before the first `next()`.

    Raises `SourceError`s; what could not be read inside the file is counted in the report.
    """
    account = report if report is not None else FileReport(path=source.path)
    yield from reader(source.agent).read(source, report=account, options=options)


def read_events(path: str, agent_id: str | None = None, *, report: FileReport | None = None) -> Iterator[Event]:
    """The events of the session that the file at this path belongs to."""
    for record in read(open_source(path, agent_id), report=report):
        yield from record.events
