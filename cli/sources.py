"""Sources as the command line names them: a path, the id of a session or its beginning, a folder, `-`.

A database of several sessions means all of them, as a folder does.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias, cast

from msgspec.structs import replace

from panscript.readers.context import Context
from panscript.readers.databases import is_database
from panscript.readers.opening import open_source, open_sources
from panscript.schemas.errors import OutputFailed, PanscriptError, SourceError, SourceNotFound, SourceUnreadable
from panscript.schemas.records import Source

__all__ = ["Gathered", "context_of", "gathered", "has_folder", "is_several", "needs_folder", "opened"]

_ID = re.compile(r"[A-Za-z0-9][\w.:+@-]*(?:/[\w.:+@-]+)?")
_FILE_NAMES = (".jsonl", ".json", ".zst", ".db", ".sqlite", ".sqlite3", ".md", ".txt")
_MOST_CANDIDATES = 5

Leave: TypeAlias = Callable[[Source], str | None]
"""Why a session that was found is not wanted; None where it is."""


def context_of(home: str | None, roots: Mapping[str, tuple[Path, ...]]) -> Context:
    """Where to look for sessions. Raises `SourceNotFound` for a root that is not there."""
    for folders in roots.values():
        for folder in folders:
            if not folder.exists():
                raise SourceNotFound("there is no such folder", path=str(folder))
    return Context.at(Path(home), roots) if home is not None else Context.here(roots)


class Gathered(NamedTuple):
    """What the SOURCEs of a command mean."""

    entries: list[Source | PanscriptError]
    """The sessions, each once, in the order they were named, those below a folder by their path; and what is none."""
    others: int
    """Files below folders that were passed over."""
    left: dict[str, int]
    """Sessions below folders that were not wanted, by the reason."""


def is_several(names: Sequence[str], agent: str | None) -> bool:
    """Whether these SOURCEs, of this agent where one is named, may be more than one session."""
    return len(names) > 1 or has_folder(names, agent)


def has_folder(names: Sequence[str], agent: str | None) -> bool:
    """Whether one of them is a folder of sessions, or a database of several."""
    return any(_is_folder(name) or _holds_several(name, agent) for name in names)


def _holds_several(name: str, agent: str | None) -> bool:
    if name == "-" or not is_database(name):
        return False
    try:
        return len(open_sources(name, agent)) > 1
    except PanscriptError:
        return False  # Reading it says what is wrong.


def needs_folder(names: Sequence[str], output: str) -> OutputFailed:
    """Why these SOURCEs cannot go to this output."""
    what = "several sources need" if len(names) > 1 else "the sessions of a folder need"
    if len(names) == 1 and not _is_folder(names[0]):
        what = "the sessions of a database need"
    return OutputFailed(f"{what} a folder", path=output, hint="-o DIR/")


@contextmanager
def gathered(
    names: Sequence[str],
    agent: str | None,
    context: Context | None = None,
    *,
    noted: Callable[[PanscriptError], None],
    subagents: bool = True,
    flat: bool = False,
    without: Path | None = None,
    leave: Leave | None = None,
) -> Iterator[Gathered]:
    """The sessions that the SOURCEs mean. What cannot be read twice is kept in a private file meanwhile.

    `noted` is told of copies that were left out. `subagents`: a session brings its sub-agents with it, so that they are
    not taken by themselves, too. `flat`: sub-agents below a folder are taken like sessions. What lies in `without` is
    passed over. `leave` gives the reason why a session that nobody named by itself is not wanted.
    """
    entries: list[Source | PanscriptError] = []
    others = 0
    left: dict[str, int] = {}
    with ExitStack() as stack:
        for name in names:
            if not _is_folder(name):
                try:
                    if name != "-" and is_database(name):
                        held = open_sources(name, agent)
                        for source in _wanted(held, leave if len(held) > 1 else None, left):
                            entries.extend(_family(source) if flat else [source])
                    else:
                        entries.append(stack.enter_context(opened(name, agent, context)))
                except PanscriptError as error:
                    entries.append(error)
                continue
            found, passed_over = _below(name, agent, noted, without=without, leave=leave, left=left)
            others += passed_over
            for entry in found:
                entries.extend(_family(entry) if flat and isinstance(entry, Source) else [entry])
        yield Gathered(_each_once(entries, subagents=subagents and not flat), others, left)


def _below(
    folder: str,
    agent: str | None,
    noted: Callable[[PanscriptError], None],
    *,
    without: Path | None,
    leave: Leave | None,
    left: dict[str, int],
) -> tuple[list[Source | PanscriptError], int]:
    """The sessions below a folder and what may be some and cannot be read, by path, and how much was passed over."""
    from panscript.readers.folders import sessions_below

    failed: list[PanscriptError] = []
    found = sessions_below(folder, agent, failed=failed.append, noted=noted, without=str(without) if without else None)
    wanted = _wanted(found.sources, leave, left)
    others = found.others
    if not found.sources and not failed:
        what = f"{others} files were looked at" if others != 1 else "one file was looked at"
        failed.append(SourceNotFound("no session was found in this folder", path=folder, hint=what if others else None))
    return sorted([*wanted, *failed], key=lambda entry: entry.path or ""), others


def _wanted(found: Iterable[Source], leave: Leave | None, left: dict[str, int]) -> list[Source]:
    """The sessions that are not left out; the others are counted."""
    wanted = []
    for source in found:
        reason = leave(source) if leave is not None else None
        if reason is None:
            wanted.append(source)
        else:
            left[reason] = left.get(reason, 0) + 1
    return wanted


def _each_once(entries: list[Source | PanscriptError], *, subagents: bool) -> list[Source | PanscriptError]:
    """The same without sessions that come again, or as sub-agents of another."""
    brought = {
        _key(member) for entry in entries if subagents and isinstance(entry, Source) for member in _family(entry)[1:]
    }
    known: set[str] = set()
    once: list[Source | PanscriptError] = []
    for entry in entries:
        if isinstance(entry, Source):
            key = _key(entry)
            if key in known or key in brought:
                continue
            known.add(key)
        once.append(entry)
    return once


def _family(source: Source) -> list[Source]:
    from panscript.readers.discovery import family

    return list(family(source))


def _key(source: Source) -> str:
    """What tells a session from all others: its newest transcript; where one file may hold several, also its id."""
    from panscript.schemas.agents import agent

    path = os.path.realpath(source.transcripts[-1].path)
    return f"{path}\0{source.id}" if {"sqlite", "otel"} & set(agent(source.agent).storage) else path


@contextmanager
def opened(name: str, agent: str | None, context: Context | None = None) -> Iterator[Source]:
    """The session that a SOURCE names. What cannot be read twice is kept in a private file meanwhile.

    `context` says where to look for a session id; without one, on this machine.
    """
    if name != "-" and not _is_pipe(name):
        is_path = os.path.lexists(name) or name.endswith(_FILE_NAMES) or _ID.fullmatch(name) is None
        yield open_source(name, agent) if is_path else _session(name, agent, context or Context.here())
        return
    with tempfile.TemporaryDirectory(prefix="panscript-") as folder:
        spool = Path(folder, "stdin.jsonl")
        with spool.open("wb") as file:
            if name == "-":
                _copy(cast(BufferedReader, sys.stdin.buffer), file)
            else:
                with Path(name).open("rb") as pipe:
                    _copy(pipe, file)
        try:
            source = replace(open_source(str(spool), agent), shown_as=name)
        except SourceError as error:
            raise type(error)(error.message, path=name, hint=error.hint) from None
        yield source


def _copy(pipe: BufferedReader, file: BinaryIO) -> None:
    # `read` would go on until it has all it was asked for, and Ctrl-C would have to wait for that.
    while data := pipe.read1(1 << 20):
        file.write(data)


def _is_folder(name: str) -> bool:
    return name != "-" and os.path.isdir(name)  # noqa: PTH112 - answers for every name


def _is_pipe(name: str) -> bool:
    try:
        return stat.S_ISFIFO(os.stat(name).st_mode)  # noqa: PTH116
    except (OSError, ValueError):
        return False


def _session(name: str, agent: str | None, context: Context) -> Source:
    """The one session of this id, or whose id begins like this."""
    from panscript.readers.discovery import discover, find_session, full_id

    closed: list[SourceError] = []
    found = find_session(discover(context, [agent] if agent else None, closed.append), name)
    if len(found) == 1:
        return found[0]
    # What is in the way of the search matters only where the session may be in it.
    if not found and (first := next((error for error in closed if isinstance(error, SourceUnreadable)), None)):
        what = "there is no such file, and no session that can be read has an id that begins like this"
        raise SourceNotFound(what, path=name, hint=f"{first.path}: {first.message}")
    if not found:
        raise SourceNotFound(
            "there is no such file, and no session has an id that begins like this",
            path=name,
            hint="`panscript list` shows the sessions",
        )
    some = [f"{source.agent} {full_id(source)}" for source in found[:_MOST_CANDIDATES]]
    agents = list(dict.fromkeys(source.agent for source in found))
    if len({full_id(source) for source in found}) == len(agents) == 1:
        some = [source.path for source in found[:_MOST_CANDIDATES]]
    more = f" and {len(found) - _MOST_CANDIDATES} more" if len(found) > _MOST_CANDIDATES else ""
    # Where one more word settles it, that is the word.
    told = f"; --from {' or --from '.join(agents)}" if len(agents) == len(found) else ""
    raise SourceNotFound(
        "several sessions have an id that begins like this", path=name, hint=", ".join(some) + more + told
    )
