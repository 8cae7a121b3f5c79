"""Goose's database: sessions, messages and requests, with the columns that this version of it has."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

from panscript.readers.sqlite import Database
from panscript.schemas import timestamps
from panscript.schemas.errors import NotATranscript, SourceNotFound, SourceUnreadable

__all__ = ["TABLES", "Store"]

TABLES = frozenset({"sessions", "messages"})
_SESSION = tuple(
    """
    id name description user_set_name session_type working_dir created_at updated_at extension_data
    total_tokens input_tokens output_tokens cache_read_tokens cache_write_tokens
    accumulated_total_tokens accumulated_input_tokens accumulated_output_tokens
    accumulated_cache_read_tokens accumulated_cache_write_tokens accumulated_cost
    schedule_id recipe_json user_recipe_values_json provider_name model_config_json goose_mode thread_id archived_at
    project_id parent_session_id parent_delegation
    """.split()
)
_MESSAGE = tuple("id message_id session_id role content_json created_timestamp timestamp tokens metadata_json".split())
_LEDGER = tuple(
    """
    id session_id created_timestamp model input_tokens output_tokens total_tokens cache_read_tokens cache_write_tokens
    cost cost_source is_compaction
    """.split()
)
_NEEDED = (("sessions", {"id", "working_dir"}), ("messages", {"session_id", "role", "content_json"}))


class Store:
    """Goose's tables in a database."""

    def __init__(self, database: Database, path: str) -> None:
        """Raises `NotATranscript` when it is of something else."""
        self._database = database
        self._path = path
        for table, columns in _NEEDED:
            if not columns <= database.columns(table):
                raise NotATranscript("this is no database of Goose", path=path)
        self._sessions = _known("sessions", _SESSION, database)
        self._messages = _known("messages", _MESSAGE, database)
        self._requests = _known("usage_ledger", _LEDGER, database) if "usage_ledger" in database.tables else ()

    def ids(self) -> Iterator[tuple[str, str | None]]:
        """Every session with the one that it is a sub-agent of, in the order of the rows."""
        parent = "parent_session_id" if "parent_session_id" in self._sessions else "NULL"
        for name, above in self._database.rows(f"SELECT id, {parent} FROM sessions ORDER BY rowid"):  # noqa: S608
            if isinstance(name, str) and name:
                yield name, above if isinstance(above, str) and above else None

    def session(self, name: str) -> dict[str, Any]:
        """The row of a session. Raises `SourceNotFound`."""
        columns = _listed(self._sessions)
        row = next(self._database.rows(f"SELECT {columns} FROM sessions WHERE id = ?", (name,)), None)  # noqa: S608
        if row is None:
            raise SourceNotFound("the database holds no session of this id", path=self._path, hint=name)
        return dict(zip(self._sessions, map(_plain, row), strict=True))

    def messages(self, name: str) -> Iterator[dict[str, Any]]:
        """The messages of a session in the order that Goose gives them."""
        # Sorting whole rows would hold all of them.
        by_time = "created_timestamp, " if "created_timestamp" in self._messages else ""
        order = f"SELECT rowid FROM messages WHERE session_id = ? ORDER BY {by_time}rowid"  # noqa: S608
        numbers = array("q", (number for (number,) in self._database.rows(order, (name,))))
        found = f"SELECT {_listed(self._messages)} FROM messages WHERE rowid = ?"  # noqa: S608
        rows = self._database.rows_of_each(found, zip(numbers))
        for _ in numbers:
            row = next(rows, None)
            if row is None:
                raise SourceUnreadable("the database is damaged: a message is missing", path=self._path)
            yield dict(zip(self._messages, map(_plain, row), strict=True))

    def ledger(self, name: str) -> Iterator[dict[str, Any]]:
        """The requests that the session is known to have made."""
        if not self._requests:
            return
        columns = _listed(self._requests)
        found = f"SELECT {columns} FROM usage_ledger WHERE session_id = ? ORDER BY rowid"  # noqa: S608
        for row in self._database.rows(found, (name,)):
            yield dict(zip(self._requests, map(_plain, row), strict=True))

    def latest(self, name: str) -> int | None:
        """When the last message was written, in milliseconds since 1970 UTC."""
        if "created_timestamp" not in self._messages:
            return None
        found = "SELECT max(created_timestamp) FROM messages WHERE session_id = ?"
        return next((timestamps.parse(time) for (time,) in self._database.rows(found, (name,))), None)

    def size(self, name: str) -> int:
        """Bytes of what the messages hold."""
        found = "SELECT sum(length(CAST(content_json AS BLOB))) FROM messages WHERE session_id = ?"
        return next((int(size or 0) for (size,) in self._database.rows(found, (name,))), 0)


def _known(table: str, columns: tuple[str, ...], database: Database) -> tuple[str, ...]:
    """The columns that the table has, those that are known first: versions differ."""
    there = database.columns(table)
    return (*(column for column in columns if column in there), *sorted(there.difference(columns)))


def _listed(columns: tuple[str, ...]) -> str:
    return ", ".join('"{}"'.format(column.replace('"', '""')) for column in columns)


def _plain(value: object) -> object:
    """A value as JSON can hold it."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
