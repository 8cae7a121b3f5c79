"""Every session below a folder, whichever agents wrote it and however its files are called.

The content says whose a file is; then each agent's own search puts its files together to sessions. Only the heads of
files are read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, cast

from panscript.readers.context import Place
from panscript.readers.discovery import Discovery, family, part_of_reader
from panscript.readers.finding import Found, Problems, find_files
from panscript.readers.opening import recognise
from panscript.schemas.agents import AGENTS, agent
from panscript.schemas.errors import NotATranscript, SourceError
from panscript.schemas.records import Source

__all__ = ["Below", "own_paths", "sessions_below"]

_SUFFIXES = {
    "jsonl": (".jsonl",),
    "json": (".json",),
    "sqlite": (".db", ".sqlite", ".sqlite3", ".vscdb"),
    "zstd": (".zst", ".zstd"),
}
_NOT_ENTERED = frozenset({".git", "node_modules"})
_SESSION_NAME = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}.*\.jsonl(?:\.zst)?\Z", re.DOTALL)
"""How the agents name session files: one that no agent is recognised in is worth a word."""


class Below(NamedTuple):
    """What a folder holds."""

    sources: list[Source]
    """By the path of their newest transcript; sub-agents are children of their session unless it is not there."""
    others: int
    """How many files with the name of a transcript are none."""


def sessions_below(
    folder: str, agent_id: str | None = None, *, failed: Problems, noted: Problems, without: str | None = None
) -> Below:
    """The sessions below a folder, each once; `agent_id`: only those of this agent.

    `failed` is told of what may be a session and cannot be read, `noted` of copies of sessions that were left out.
    `without` is a folder below this one that is passed by, such as that of the output.
    """
    places = [Place(Path(folder), explicit=True)]
    found = find_files(places, _is_candidate, failed, leave_out=_NOT_ENTERED, leaves_empty=True)
    passed_by = f"{os.path.realpath(without)}{os.sep}" if without is not None else None
    by_agent: dict[str, list[Found]] = {}
    others = 0
    for file in found:
        if passed_by is not None and file.real.startswith(passed_by):
            continue
        owner = _owner(file, agent_id, failed)
        if owner is None:
            others += 1
        else:
            by_agent.setdefault(owner, []).append(file)
    sources = list(_without_side_files(_sessions(by_agent, noted)))
    return Below(sorted(sources, key=lambda source: source.path), others)


def own_paths(source: Source) -> Iterator[str]:
    """The real paths of the transcripts that are the session's own; what it builds on is not."""
    for file in source.files:
        if file.role in ("main", "segment"):
            yield os.path.realpath(file.path)


def _is_candidate(name: str) -> bool:
    return name.endswith(_suffixes())


@cache
def _suffixes() -> tuple[str, ...]:
    readable = [known for known in AGENTS if known.reader is not None]
    return tuple({suffix for known in readable for form in known.storage for suffix in _SUFFIXES.get(form, ())})


def _owner(file: Found, agent_id: str | None, failed: Problems) -> str | None:
    """The agent that wrote the file; None where it is no transcript, or not of the agent that is wanted."""
    try:
        owner = recognise(file.path, agent_id)
    except NotATranscript as problem:
        if agent_id is not None or not _SESSION_NAME.search(os.path.basename(file.path)):  # noqa: PTH119
            return None
        failed(problem)
        return None
    except SourceError as problem:
        failed(problem)
        return None
    return owner if agent_id in (None, owner) else None


def _sessions(by_agent: dict[str, list[Found]], noted: Problems) -> Iterator[Source]:
    for known in AGENTS:
        if known.id in by_agent:
            places = [Place(Path(file.path)) for file in by_agent[known.id]]
            yield from cast(Discovery, part_of_reader(known.id, "discovery")).discover(known.id, places, noted)


def _without_side_files(sources: Iterable[Source]) -> Iterator[Source]:
    """The same without what is a file beside another session: a long result may be somebody's transcript.

    Telemetry may lie beside one session and hold others.
    """
    found = list(sources)
    members = [member for source in found for member in family(source) if "otel" not in agent(member.agent).storage]
    sides = {os.path.realpath(file.path) for each in members for file in each.files if file.role == "side"}
    for source in found:
        if not sides.issuperset(own_paths(source)):
            yield source
