"""Going on where a read stopped: what a cursor covers, and whether it still does.

A cursor covers a session's own files up to the end of the last whole line; what an agent is just writing waits for the
next read. That a file grew proves nothing: the covered bytes have to hash to what they did.

Only whole lines are covered, so a session is read again from its start, quietly, and what was told before is not told
again (see `panscript.stages.resuming`). That costs time but no state: what a later line changes of earlier ones (the
counts of a response, the result of a call, which branch is live) comes out as in any read. In a database there are no
lines: the rows of the session are covered all or not at all.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from panscript.readers.databases import is_database
from panscript.readers.digest import digest_of_records
from panscript.readers.lines import is_packed
from panscript.schemas.errors import OutputExists, SourceNotFound, SourceUnreadable
from panscript.schemas.progress import Cursor
from panscript.schemas.records import Source
from panscript.schemas.versions import parser_version

__all__ = ["Coverage", "check", "cover", "load", "parser_of", "save"]

_BLOCK = 1 << 20
_MANY = "sessions"


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """What a read now covers."""

    offset: int
    """Bytes of the session's own files, one after the other, up to the end of the last whole line."""
    prefix_hash: str
    """SHA-256 of these bytes, hexadecimal."""
    partial_line: bool
    """The last line has no end yet, so it waits."""
    ends: dict[str, int]
    """For files that hold more than is covered: path -> bytes that are. For `reading_up_to`."""
    fits: bool
    """The bytes that the cursor covers are there, unchanged."""
    beside: str
    """Stands for the state of the files beside."""


def parser_of(source: Source) -> str:
    """Agent and parser version, `claude@1.1`."""
    return f"{source.agent}@{parser_version(source.agent)}"


def check(source: Source, cursor: Cursor | None, options: str) -> str | None:
    """Why a cursor cannot be of a read of this session with these options; None when it may be."""
    if cursor is None:
        return None
    if not cursor.parser.startswith(f"{source.agent}@"):
        return "the cursor is of a session of another agent"
    if cursor.parser != parser_of(source):
        return "the cursor was left by another version"
    if cursor.state.session != source.id:
        return "the cursor is of another session"
    if cursor.state.options != options:
        return "the cursor was left by a read with other options"
    return None


def cover(source: Source, cursor: Cursor | None) -> Coverage:
    """Look at the bytes of the session's own files. Raises `SourceError`s."""
    if is_database(source.transcripts[-1].path):
        return _cover_records(source, cursor)
    paths = [file.path for file in source.transcripts if file.role != "base"]
    digest = hashlib.sha256()
    offset, rest, fits = 0, b"", False
    wanted = cursor.offset if cursor is not None else -1
    ends: dict[str, int] = {}
    for number, path in enumerate(paths):
        last = number == len(paths) - 1
        whole = not last or _is_whole(path)
        start = offset + len(rest)
        try:
            with Path(path).open("rb") as file:
                while block := file.read(_BLOCK):
                    block = rest + block
                    cut = len(block) if whole else block.rfind(b"\n") + 1
                    block, rest = block[:cut], block[cut:]
                    if offset < wanted <= offset + len(block):
                        found = digest.copy()
                        found.update(block[: wanted - offset])
                        fits = cursor is not None and found.hexdigest() == cursor.prefix_hash
                    digest.update(block)
                    offset += len(block)
        except FileNotFoundError:
            raise SourceNotFound("there is no such file", path=source.shown_as or path) from None
        except OSError as problem:
            raise SourceUnreadable(f"cannot be read: {problem.strerror}", path=source.shown_as or path) from None
        if not whole:
            ends[path] = offset - start
    if wanted == 0:
        fits = cursor is not None and cursor.prefix_hash == hashlib.sha256().hexdigest()
    return Coverage(
        offset=offset,
        prefix_hash=digest.hexdigest(),
        partial_line=bool(rest),
        ends=ends,
        fits=fits,
        beside=_beside(source),
    )


def _cover_records(source: Source, cursor: Cursor | None) -> Coverage:
    """Of a session in a database: any of its rows may change, so that a cursor fits only where none did."""
    size, digest = digest_of_records(source)
    fits = cursor is not None and (cursor.offset, cursor.prefix_hash) == (size, digest)
    return Coverage(offset=size, prefix_hash=digest, partial_line=False, ends={}, fits=fits, beside=_beside(source))


def _beside(source: Source) -> str:
    """Changes when a file beside does (telemetry, settings): they may grow when the session itself does not."""
    states = []
    for file in source.files:
        if file.role == "side":
            try:
                state = Path(file.path).stat()
            except OSError:
                continue
            states.append(f"{file.path}\0{state.st_size}\0{state.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return hashlib.sha256(b"".join(states)).hexdigest() if states else ""


def _is_whole(path: str) -> bool:
    """Whether a file is no file of lines that is read as it stands, so that its end says nothing."""
    try:
        return not path.endswith(".jsonl") or is_packed(path)
    except OSError:
        return True  # Reading it says what is wrong.


_OURS = re.compile(rb'\s*\{(?:\s*"(?:parser|sessions|offset|prefix_hash|state)"|\s*\}?\s*\Z)')


def load(path: str) -> tuple[dict[str, Cursor], str | None]:
    """The cursors in a file by session, the only one under ""; and what is wrong with the file, which then holds none.

    A file that is not there holds none. Raises `SourceUnreadable` when it cannot be opened, and `OutputExists` when it
    holds something else than a cursor, however damaged.
    """
    try:
        raw = Path(path).read_bytes()
    except FileNotFoundError:
        return {}, None
    except OSError as problem:
        raise SourceUnreadable(f"the cursor cannot be read: {problem.strerror}", path=path) from None
    if raw.strip() and not _OURS.match(raw):
        raise OutputExists("this is no cursor, and it would be replaced by one", path=path, hint="name another file")
    try:
        value: Any = msgspec.json.decode(raw)
        given = value.get(_MANY, {"": value})
        return {str(name): msgspec.convert(each, Cursor) for name, each in given.items()}, None
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError, TypeError, KeyError, AttributeError):
        return {}, "the cursor file is damaged"


def save(cursors: Mapping[str, Cursor]) -> bytes:
    """The same as the content of a file: the cursor itself where there is but one, else all of them by session."""
    value = next(iter(cursors.values())) if len(cursors) == 1 else {_MANY: dict(cursors)}
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
