"""OpenCode's tables in a database, with the columns that this version of it has.

What holds secrets (`credential`, the accounts, the secret of a shared session) is never asked for.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

from panscript.readers.sqlite import Database
from panscript.schemas.errors import NotATranscript, SourceNotFound, SourceUnreadable

__all__ = ["TABLES", "Store"]

TABLES = frozenset({"session", "message", "part"})
_SESSION = tuple(
    """
    id project_id workspace_id parent_id slug directory path title version summary_additions summary_deletions
    summary_files summary_diffs metadata cost tokens_input tokens_output tokens_reasoning tokens_cache_read
    tokens_cache_write revert permission agent model time_created time_updated time_compacting time_archived
    """.split()
)
_MESSAGE = ("id", "session_id", "time_created", "time_updated", "data")
_PART = ("id", "message_id", "session_id", "time_created", "time_updated", "data")
_NEEDED = (("session", {"id"}), ("message", {"id", "session_id", "data"}), ("part", {"id", "message_id", "data"}))
_NEWER = "session_message"


class Store:
    """The sessions in a database."""

    def __init__(self, database: Database, path: str) -> None:
        """Raises `NotATranscript` when it is of something else."""
        self._database = database
        self._path = path
        for table, columns in _NEEDED:
            if not columns <= database.columns(table):
                raise NotATranscript("this is no database of OpenCode", path=path)
        self._sessions = _known("session", _SESSION, database)
        self._messages = _known("message", _MESSAGE, database)
        self._parts = _known("part", _PART, database)
        self._by_time = "time_created, id" if "time_created" in self._messages else "id"

    def ids(self) -> Iterator[tuple[str, str | None]]:
        """Every session with the one that started it as a sub-agent, oldest first."""
        parent = "parent_id" if "parent_id" in self._sessions else "NULL"
        order = "time_created, id" if "time_created" in self._sessions else "id"
        for name, above in self._database.rows(f"SELECT id, {parent} FROM session ORDER BY {order}"):  # noqa: S608
            if isinstance(name, str) and name:
                yield name, above if isinstance(above, str) and above else None

    def session(self, name: str) -> dict[str, Any]:
        """The row of a session. Raises `SourceNotFound`."""
        columns = ", ".join(self._sessions)
        row = next(self._database.rows(f"SELECT {columns} FROM session WHERE id = ?", (name,)), None)  # noqa: S608
        if row is None:
            raise SourceNotFound("the database holds no session of this id", path=self._path, hint=name)
        return dict(zip(self._sessions, map(_plain, row), strict=True))

    def branch(self, workspace: object) -> str | None:
        """The git branch of a workspace."""
        if not isinstance(workspace, str) or not {"id", "branch"} <= self._database.columns("workspace"):
            return None
        found = next(self._database.rows("SELECT branch FROM workspace WHERE id = ?", (workspace,)), (None,))[0]
        return found if isinstance(found, str) else None

    def messages(self, name: str) -> Iterator[dict[str, Any]]:
        """The messages of a session in the order that OpenCode gives them."""
        # Sorting whole rows would hold all of them.
        order = f"SELECT rowid FROM message WHERE session_id = ? ORDER BY {self._by_time}"  # noqa: S608
        numbers = array("q", (number for (number,) in self._database.rows(order, (name,))))
        found = f"SELECT {', '.join(self._messages)} FROM message WHERE rowid = ?"  # noqa: S608
        rows = self._database.rows_of_each(found, zip(numbers))
        for _ in numbers:
            row = next(rows, None)
            if row is None:
                raise SourceUnreadable("the database is damaged: a message is missing", path=self._path)
            yield dict(zip(self._messages, map(_plain, row), strict=True))

    def parts(self, message: object, *, steps_only: bool = False) -> list[dict[str, Any]]:
        """The parts of a message in order. `steps_only`: those that say what a step used, and few others."""
        columns, few = ", ".join(self._parts), " AND instr(data, 'step-finish')" if steps_only else ""
        sql = f"SELECT {columns} FROM part WHERE message_id = ?{few} ORDER BY id"  # noqa: S608
        found = self._database.rows(sql, (message,))
        return [dict(zip(self._parts, map(_plain, row), strict=True)) for row in found]

    def is_elsewhere(self, name: str) -> bool:
        """Whether what was said in a session stands in the tables of a later version, which are not read."""
        if _NEWER not in self._database.tables or "session_id" not in self._database.columns(_NEWER):
            return False
        found = "SELECT 1 FROM session_message WHERE session_id = ? LIMIT 1"
        return next(self._database.rows(found, (name,)), None) is not None

    def copied(self, name: str) -> dict[int, str]:
        """Of messages that a fork copied: their time, and the session in which they were said.

        A fork gives copies new ids and does not say of what it is one; but they keep their times, which are then
        earlier than the session itself, to the millisecond those of messages said elsewhere.
        """
        if "time_created" not in self._sessions or "time_created" not in self._messages:
            return {}
        early = """SELECT m.time_created FROM message m JOIN session s ON s.id = m.session_id
            WHERE s.id = ? AND m.time_created < s.time_created"""
        if next(self._database.rows(f"{early} LIMIT 1", (name,)), None) is None:
            return {}
        sql = f"""SELECT m.time_created, m.session_id FROM message m JOIN session s ON s.id = m.session_id
            WHERE s.id <> ? AND m.time_created >= s.time_created AND m.time_created IN ({early})"""  # noqa: S608
        return {time: other for time, other in self._database.rows(sql, (name, name)) if isinstance(time, int)}

    def size(self, name: str) -> int:
        """About how many bytes the messages of a session have."""
        total = 0
        for table in ("message", "part"):
            if "session_id" not in self._database.columns(table):
                continue
            found = f"SELECT sum(length(data)) FROM {table} WHERE session_id = ?"  # noqa: S608
            for (size,) in self._database.rows(found, (name,)):
                total += size if isinstance(size, int) else 0
        return total


def _known(table: str, columns: tuple[str, ...], database: Database) -> tuple[str, ...]:
    """Those columns that the table has: versions differ, and what is not known is not read."""
    there = database.columns(table)
    return tuple(column for column in columns if column in there)


def _plain(value: object) -> object:
    """A value as JSON can hold it."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
