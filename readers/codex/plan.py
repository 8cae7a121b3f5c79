"""How the files of a session come together: where each ends, and what it goes on from."""

from __future__ import annotations

import msgspec

from panscript.readers.codex.files import Head, base_file, head_of, named
from panscript.schemas.records import Source

__all__ = ["FilePlan", "Plan", "plan"]


class FilePlan(msgspec.Struct):
    """One file of a session."""

    tag: str
    """Goes before the line number in ids, so that they are unique in the session."""
    thread: str
    own: bool
    """Belongs to the session itself."""
    used: bool = True
    """Holds part of the conversation."""
    end: int | None = None
    """Ordinal from which on its records are no part of the conversation; only for files of other threads."""
    goes_on_from: int | None = None
    """Ordinal at which it goes on from the files before it, when it does not go on from their end."""
    first: int = 0
    """Ordinal of its first record."""
    time: int | None = None
    """When it was begun: the time of everything in a bare file. A name says it in the machine's own time zone."""


class Plan(msgspec.Struct):
    """All files of a session, in reading order."""

    thread: str
    first: Head
    files: list[FilePlan]
    first_own: int


def plan(source: Source) -> Plan:
    """Look at the first record of every file."""
    heads = [head_of(file.path) for file in source.files]
    own = [place for place, file in enumerate(source.files) if file.role != "base"]
    first = heads[own[0]]
    thread = first.thread or source.id
    files = []
    tags: set[str] = set()
    for place, (file, head) in enumerate(zip(source.files, heads, strict=True)):
        name = named(file.path)
        is_own = place in own
        whose = thread if is_own else head.thread or name.thread or "base"
        tag = name.segment or ("" if is_own else whose)
        tag = f"{tag}:" if tag else ""
        while tag in tags:
            tag = f"{tag}{place}:"
        tags.add(tag)
        files.append(FilePlan(tag, whose, is_own, used=is_own, first=head.ordinal, time=head.time or name.time))
    for place in own[1:]:
        base = heads[place].base
        files[place].goes_on_from = base.end_ordinal_exclusive if base is not None else None
    _chain(source, heads, files, own[0])
    return Plan(thread, first, files, own[0])


def _chain(source: Source, heads: list[Head], files: list[FilePlan], place: int) -> None:
    """Follow the bases back and mark which files of other threads hold part of the conversation."""
    seen = {place}
    while True:
        base = heads[place].base
        if base is None:
            return
        known = [
            (source.files[other].path, heads[other])
            for other, file in enumerate(files)
            if not file.own and file.thread == base.thread_id and other not in seen
        ]
        chosen = base_file(heads[place], known)
        if chosen is None:
            return
        end = base.end_ordinal_exclusive
        place = next(other for other, file in enumerate(source.files) if file.path == chosen)
        seen.add(place)
        files[place].used, files[place].end = True, end
