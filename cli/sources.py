"""Sources as the command line names them: a path, the id of a session or its beginning, `-`."""

from __future__ import annotations

import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from msgspec.structs import replace

from panscript.readers.context import Context
from panscript.readers.opening import open_source
from panscript.schemas.errors import SourceError, SourceNotFound
from panscript.schemas.records import Source

__all__ = ["context_of", "opened"]

_ID = re.compile(r"[A-Za-z0-9][\w.:+@-]*(?:/[\w.:+@-]+)?")
_FILE_NAMES = (".jsonl", ".json", ".zst", ".db", ".sqlite", ".md", ".txt")
_MOST_CANDIDATES = 5


def context_of(home: str | None, roots: Mapping[str, tuple[Path, ...]]) -> Context:
    """Where to look for sessions. Raises `SourceNotFound` for a root that is not there."""
    for folders in roots.values():
        for folder in folders:
            if not folder.exists():
                raise SourceNotFound("there is no such folder", path=str(folder))
    return Context.at(Path(home), roots) if home is not None else Context.here(roots)


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


def _is_pipe(name: str) -> bool:
    try:
        return stat.S_ISFIFO(os.stat(name).st_mode)  # noqa: PTH116
    except (OSError, ValueError):
        return False


def _session(name: str, agent: str | None, context: Context) -> Source:
    """The one session of this id, or whose id begins like this."""
    from panscript.readers.discovery import discover, find_session, full_id

    # What is in the way of the search matters only to who asks for all sessions.
    found = find_session(discover(context, [agent] if agent else None, lambda _: None), name)
    if len(found) == 1:
        return found[0]
    if not found:
        raise SourceNotFound(
            "there is no such file, and no session has an id that begins like this",
            path=name,
            hint="`panscript list` shows the sessions",
        )
    some = [f"{source.agent} {full_id(source)}" for source in found[:_MOST_CANDIDATES]]
    if len({full_id(source) for source in found}) == 1:
        some = [source.path for source in found[:_MOST_CANDIDATES]]
    more = f" and {len(found) - _MOST_CANDIDATES} more" if len(found) > _MOST_CANDIDATES else ""
    raise SourceNotFound("several sessions have an id that begins like this", path=name, hint=", ".join(some) + more)
