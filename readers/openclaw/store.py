"""OpenClaw's database of one agent: the sessions of it, and their lines, of which large ones are compressed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import zstandard

from panscript.readers.sqlite import Database, named_row
from panscript.schemas import timestamps
from panscript.schemas.errors import NotATranscript
from panscript.schemas.openclaw.lean import StoreEntry, store_decoder

__all__ = ["DATABASE_NAME", "TABLES", "Facts", "Held", "Store", "is_child_key", "title_of"]

DATABASE_NAME = "openclaw-agent.sqlite"
TABLES = frozenset({"transcript_events"})
_LIMIT = 64 << 20
"""Bytes of one line, unpacked; OpenClaw itself writes none above 4 MiB."""
_CHILD = re.compile(r"agent:[^:]*:subagent:")
_WINDOW = ("session_key", "created_at", "parent_session_key", "spawned_by", "display_name")
_NODE = ("label", "display_name", "parent_session_key", "spawned_by", "entry_json")


class Facts(NamedTuple):
    """What stands beside the lines of a session."""

    title: str | None = None
    parent: str | None = None
    """Session id of the session that started this one as a sub-agent, where that is there."""
    is_child: bool = False
    created: int | None = None
    """Milliseconds since 1970 UTC."""


class Held(NamedTuple):
    """A line of a session: its JSON, or what stands there where it cannot be unpacked."""

    place: str
    """The row it is."""
    text: bytes
    damaged: bool = False


def is_child_key(key: str | None) -> bool:
    """Whether the key of a session is one of a sub-agent."""
    return key is not None and _CHILD.match(key) is not None


def title_of(entry: StoreEntry) -> str | None:
    """What a session is called in the index."""
    return (entry.display_name or "").strip() or (entry.label or "").strip() or None


class Store:
    """OpenClaw's tables in a database."""

    def __init__(self, database: Database, path: str) -> None:
        """Raises `NotATranscript` when it is of something else."""
        self._database = database
        self._decompressor = zstandard.ZstdDecompressor()
        self._columns = database.columns("transcript_events")
        if not {"session_id", "seq", "event_json"} <= self._columns:
            raise NotATranscript("this is no database of OpenClaw", path=path)
        self._windows = database.columns("session_windows")
        self._nodes = database.columns("session_nodes")

    def ids(self) -> Iterator[tuple[str, str | None]]:
        """Every session that has lines, with the one that it is a sub-agent of, the oldest first."""
        created = "min(created_at)" if "created_at" in self._columns else "min(rowid)"
        found = f"SELECT session_id FROM transcript_events GROUP BY session_id ORDER BY {created}, session_id"  # noqa: S608
        names = [name for (name,) in self._database.rows(found) if isinstance(name, str) and name]
        for name in names:
            yield name, self.facts(name).parent

    def holds(self, name: str) -> bool:
        """Whether there are lines of this session."""
        found = "SELECT 1 FROM transcript_events WHERE session_id = ? LIMIT 1"
        return next(self._database.rows(found, (name,)), None) is not None

    def facts(self, name: str) -> Facts:
        """What is said of a session beside its lines."""
        window = self._row("session_windows", self._windows, _WINDOW, "session_id", name)
        key = window.get("session_key")
        node = self._row("session_nodes", self._nodes, _NODE, "session_key", key) if key is not None else {}
        entry = _entry(node.get("entry_json"))
        titles = (window.get("display_name"), node.get("display_name"), node.get("label"))
        spawned = window.get("spawned_by") or node.get("spawned_by") or entry.spawned_by
        above = spawned or window.get("parent_session_key") or node.get("parent_session_key")
        is_child = spawned is not None or is_child_key(key)
        return Facts(
            title=next((title.strip() for title in titles if title and title.strip()), None) or title_of(entry),
            parent=self._current(above, name) if is_child and above is not None else None,
            is_child=is_child,
            created=timestamps.parse(window.get("created_at") or ""),
        )

    def _current(self, key: str, child: str) -> str | None:
        """The session that a key stands for."""
        row = self._row("session_nodes", self._nodes, ("current_session_id",), "session_key", key)
        found = row.get("current_session_id")
        return found if found and found != child and self.holds(found) else None

    def _row(
        self, table: str, there: frozenset[str], wanted: tuple[str, ...], where: str, value: str
    ) -> dict[str, str]:
        """The columns of a row that hold something, as text."""
        columns = [column for column in wanted if column in there]
        if not columns or where not in there:
            return {}
        found = f"SELECT {', '.join(columns)} FROM {table} WHERE {where} = ?"  # noqa: S608
        row = next(self._database.rows(found, (value,)), ())
        return {name: str(each) for name, each in zip(columns, row, strict=False) if isinstance(each, str | int)}

    def lines(self, name: str) -> Iterator[Held]:
        """The lines of a session in order."""
        packed = "event_zstd" if "event_zstd" in self._columns else "NULL"
        found = f"SELECT seq, event_json, {packed} FROM transcript_events WHERE session_id = ? ORDER BY seq"  # noqa: S608
        for number, text, data in self._database.rows(found, (name,)):
            place = named_row("transcript_events", session_id=name, seq=number)
            if isinstance(text, str):
                yield Held(place, text.encode())
            elif isinstance(text, bytes):
                yield Held(place, text)
            elif isinstance(data, bytes):
                yield self._unpacked(place, data)
            else:
                yield Held(place, b"", damaged=True)

    def _unpacked(self, place: str, data: bytes) -> Held:
        try:
            # Room is made for all that is asked for.
            stated = zstandard.frame_content_size(data)
            most = min(stated, _LIMIT) if stated >= 0 else _LIMIT
            with self._decompressor.stream_reader(data) as stream:
                text = stream.read(most + 1)
        except zstandard.ZstdError:
            return Held(place, data, damaged=True)
        whole = 0 < len(text) <= most
        return Held(place, text if whole else data, damaged=not whole)


def _entry(text: str | None) -> StoreEntry:
    try:
        return store_decoder.decode(text) if text else StoreEntry()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return StoreEntry()
