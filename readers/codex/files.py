"""Which files make up a Codex thread, and where they lie.

A revert opens a further file of the same thread; a fork may build on another thread's file; a sub-agent is a thread
of its own whose first record names its parent. All of them lie in one tree, by date, archived ones flat beside it.
Names begin with the time in the machine's own time zone and hold the thread's id, so most files need not be opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from panscript.readers.lines import lines, open_bytes
from panscript.readers.tolerant import recover
from panscript.schemas import timestamps
from panscript.schemas.codex.lean import (
    BARE_ITEMS,
    LINES,
    STATE_LINES,
    HistoryBase,
    Line,
    Origin,
    Payload,
    SubAgent,
    line_decoder,
)
from panscript.schemas.errors import PanscriptError
from panscript.schemas.records import SessionFile, Source

__all__ = [
    "Head",
    "Named",
    "base_file",
    "detect",
    "head_of",
    "is_document",
    "is_record",
    "layout",
    "named",
    "parent_of",
    "resolve",
    "title_of",
]

_NAME = re.compile(
    r"rollout-(?P<date>\d{4}-\d\d-\d\d)T(?P<hour>\d\d)-(?P<minute>\d\d)-(?P<second>\d\d)-"
    r"(?P<thread>[0-9a-fA-F-]{36})(?:_(?P<segment>.+?))?\.jsonl(?:\.zst)?"
)
_DATE = re.compile(r"rollout-(\d{4})-(\d\d)-(\d\d)T")
_TREES = ("sessions", "archived_sessions")
_ENVELOPE = re.compile(rb'"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context|compacted)"')
_DOCUMENT = re.compile(rb'\{\s*"session"\s*:\s*\{\s*"(?:id|timestamp|instructions)"')


class Named(NamedTuple):
    """What a file name says."""

    thread: str | None
    segment: str | None
    time: int | None = None
    """Of the machine's own time zone, taken for UTC."""


class Head(NamedTuple):
    """What the first record of a file says of its thread."""

    thread: str | None = None
    parent: str | None = None
    forked_from: str | None = None
    base: HistoryBase | None = None
    ordinal: int = 0
    time: int | None = None
    sub_agent: bool = False


def is_record(value: dict[str, Any]) -> bool:
    """Whether an object found on a damaged line carries the envelope of a line."""
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if "timestamp" in value and isinstance(value.get("payload"), dict):
        return True
    return kind in BARE_ITEMS and "payload" not in value and ("call_id" in value or "content" in value)


def detect(start: bytes) -> int:
    """How surely these first bytes are a Codex rollout: 0 not at all, 100 certainly."""
    best = 0
    lines = start.split(b"\n")
    for place, line in enumerate(lines[:200]):
        text = line.strip(b"\0\xef\xbb\xbf \t\r")
        if not text.startswith(b"{"):
            continue
        if place == len(lines) - 1 and b'"payload"' in text and b'"timestamp"' in text[:300] and _ENVELOPE.search(text):
            return 100
        try:
            row = line_decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found = recover(text, line_decoder, is_record)
            if not found.rows:
                continue
            row = found.rows[0]
        best = max(best, _likeness(row, text))
        if best == 100:
            return best
    return 80 if not best and is_document(start) else best


def is_document(start: bytes) -> bool:
    """Whether a file that starts like this is a `rollout-*.json` of early 2025: one JSON document."""
    return _DOCUMENT.match(start.lstrip(b"\xef\xbb\xbf \t\r\n")) is not None


def _likeness(row: Line, text: bytes) -> int:
    if (row.type in LINES or row.type in STATE_LINES) and row.payload is not msgspec.UNSET:
        return 100 if row.timestamp is not None else 70
    if row.record_type == "state":
        return 90
    if row.type is None and row.id and row.timestamp is not None and b'"instructions"' in text:
        return 95
    if row.type in BARE_ITEMS and row.payload is msgspec.UNSET:
        if row.type != "message":
            return 70 if row.call_id or row.type == "reasoning" else 40
        content = row.content
        if row.role and isinstance(content, list) and any(b.type in ("input_text", "output_text") for b in content):
            return 70
    return 0


def named(path: str) -> Named:
    """Thread and segment by the name of a rollout; nothing when it is no rollout's name."""
    found = _NAME.fullmatch(Path(path).name)
    if found is None:
        return Named(None, None)
    time = timestamps.parse(f"{found['date']}T{found['hour']}:{found['minute']}:{found['second']}Z")
    return Named(found["thread"].lower(), found["segment"], time)


def head_of(path: str) -> Head:
    """The first record of a file. Empty when there is none or it cannot be read."""
    try:
        stat = Path(path).stat()
    except OSError:
        return Head()
    return _head(path, (stat.st_size, stat.st_mtime_ns))


@lru_cache(maxsize=4096)
def _head(path: str, _state: tuple[int, int]) -> Head:
    """Kept for as long as the file has this size and time: looking for sub-agents asks for the same heads often."""
    try:
        raws = (line.raw for line in lines(path))
        with closing(raws):
            line = next((raw for raw in raws if raw.strip(b"\0\xef\xbb\xbf \t\r\n")), b"")
    except PanscriptError:
        return Head()  # What is wrong with the file is said when it is read.
    try:
        row = line_decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = recover(line, line_decoder, is_record)
        if not found.rows:
            return Head()
        row = found.rows[0]
    return _of(row)


def _of(row: Line) -> Head:
    payload = row.payload
    if row.type == "session_meta" and isinstance(payload, Payload):
        return Head(
            thread=payload.id,
            parent=parent_of(payload),
            forked_from=payload.forked_from_id,
            base=payload.history_base,
            ordinal=row.ordinal or 0,
            time=timestamps.parse(payload.timestamp),
            sub_agent=isinstance(payload.source, Origin) and payload.source.subagent is not None,
        )
    if row.type is None and row.record_type is None and row.id:
        return Head(thread=row.id, time=timestamps.parse(row.timestamp))
    return Head()


def parent_of(meta: Payload) -> str | None:
    """The thread that started this one as a sub-agent."""
    origin = meta.source.subagent if isinstance(meta.source, Origin) else None
    spawn = origin.thread_spawn if isinstance(origin, SubAgent) else None
    return meta.parent_thread_id or (spawn.parent_thread_id if spawn is not None else None)


def resolve(path: str) -> Source:
    """The thread that a file belongs to, with its other files, those it builds on, and its sub-agents."""
    shelf = _Shelf(path)
    name = named(path)
    thread = head_of(path).thread or name.thread or Path(path).name.split(".json")[0]
    return shelf.source(thread, {thread}, given=path)


class _Shelf:
    """The rollouts that lie in one tree, or in one folder when a file lies in no tree."""

    def __init__(self, path: str) -> None:
        self._threads: dict[str, list[str]] = {}
        self._children: dict[str, list[str]] | None = None
        known: dict[str, str] = {Path(path).name.removesuffix(".zst"): path}
        for found in _rollouts(Path(path)):
            stem = found.name.removesuffix(".zst")
            if stem not in known or (known[stem] != path and not found.name.endswith(".zst")):
                known[stem] = str(found)
        for found_path in known.values():
            thread = named(found_path).thread
            if thread is not None:
                self._threads.setdefault(thread, []).append(found_path)

    def source(self, thread: str, seen: set[str], given: str | None = None) -> Source:
        """A thread as a session. `seen` holds the threads that are being put together."""
        own = [path for path in self._threads.get(thread.lower(), ()) if head_of(path).thread in (None, thread)]
        if given is not None and given not in own:
            own.append(given)
        own.sort(key=lambda path: (named(path).segment is not None, named(path).segment or "", Path(path).name))
        bases, missing = self._bases(thread, own[0])
        first = head_of(own[0])
        return Source(
            agent="codex",
            id=thread,
            files=(
                *(SessionFile(path, "base") for path in bases),
                *(SessionFile(path, "segment" if place else "main") for place, path in enumerate(own)),
            ),
            parent=first.parent,
            children=tuple(self._sub_agents(thread, seen)),
            missing=missing,
        )

    def _bases(self, thread: str, path: str) -> tuple[list[str], tuple[str, ...]]:
        """The files that this one builds on, the oldest first, and the threads that are not there."""
        found: list[str] = []
        head = head_of(path)
        while head.base is not None and head.base.thread_id:
            name = head.base.thread_id
            known = (
                [] if name == thread and not found else [p for p in self._threads.get(name.lower(), ()) if p != path]
            )
            chosen = base_file(head, [(p, head_of(p)) for p in known if p not in found])
            if chosen is None:
                return found, (name,)
            found.insert(0, chosen)
            head = head_of(chosen)
        return found, ()

    def _sub_agents(self, thread: str, seen: set[str]) -> Iterator[Source]:
        for child in self._parents(thread).get(thread, ()):
            if child not in seen:
                yield self.source(child, seen | {child})

    def _parents(self, root: str) -> dict[str, list[str]]:
        """The threads that each thread started, of those that began after `root` did."""
        if self._children is None:
            self._children = {}
            for thread in sorted(self._threads):
                if not _began_before(thread, root):
                    main = min(self._threads[thread], key=lambda path: (named(path).segment is not None, path))
                    head = head_of(main)
                    if head.parent is not None and head.thread is not None and head.parent != head.thread:
                        self._children.setdefault(head.parent, []).append(head.thread)
        return self._children


def base_file(head: Head, known: Iterable[tuple[str, Head]]) -> str | None:
    """Which of a thread's files the base of a later one lies in: the newest that there was then."""
    end = head.base.end_ordinal_exclusive if head.base is not None else None
    fitting = [
        (named(path).segment or "", path)
        for path, other in known
        if (end is None or other.ordinal < end) and (head.time is None or other.time is None or other.time <= head.time)
    ]
    return max(fitting)[1] if fitting else None


def _began_before(thread: str, root: str) -> bool:
    """Whether the ids say that one thread is older than the other: those of Codex begin with their time."""
    both = len(thread) == 36 and len(root) == 36 and thread[14] == "7" and root[14] == "7"
    return both and thread[:13] < root[:13].lower()


def _home(path: Path) -> Path | None:
    """The folder that holds the tree a file lies in."""
    return next((folder.parent for folder in path.absolute().parents if folder.name in _TREES), None)


def _rollouts(path: Path) -> list[Path]:
    home = _home(path)
    try:
        if home is None:
            return sorted(path.parent.glob("rollout-*.jsonl*"))
        below = sorted((home / "sessions").rglob("rollout-*.jsonl*"))
        return below + sorted((home / "archived_sessions").glob("rollout-*.jsonl*"))
    except OSError:
        return []


class _IndexLine(msgspec.Struct):
    id: str | None = None
    thread_name: str | None = None


def title_of(path: str, thread: str) -> str | None:
    """The name that the index of threads gives a thread; the last one counts."""
    home = _home(Path(path))
    found = None
    if home is None or not (home / "session_index.jsonl").is_file():
        return None
    name = thread.encode()
    try:
        with open_bytes(str(home / "session_index.jsonl")) as file:
            for line in file:
                if name not in line:
                    continue
                try:
                    entry = msgspec.json.decode(line, type=_IndexLine)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                    continue
                if entry.id == thread:
                    found = entry.thread_name
    except (OSError, PanscriptError):
        return None
    return found or None


def layout(path: str) -> str:
    """Where the file lies below Codex' `sessions` folder; archived ones name their own folder."""
    parts = Path(path).absolute().parts
    name = parts[-1]
    for place in range(len(parts) - 2, -1, -1):
        if parts[place] == "archived_sessions":
            return f"archived_sessions/{name}"
        if parts[place] == "sessions":
            return "/".join(parts[place + 1 :])
    date = _DATE.match(name)
    return f"{date[1]}/{date[2]}/{date[3]}/{name}" if date is not None else name
