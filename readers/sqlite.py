"""SQLite databases of agents, read without leaving a trace.

An agent may be writing at the same moment. What it has committed and not yet moved into the main file (the write-ahead
log, `-wal`) is seen; neither the files nor their folder are changed: no lock file, no log, no index is created or
written. All of a read is one transaction, so that it sees one state, and it ends when the read is closed.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from panscript.readers.lines import DATABASE
from panscript.readers.options import ReadOptions, least_busy_retries
from panscript.schemas.errors import NotATranscript, SourceError, SourceNotFound, SourceUnreadable
from panscript.schemas.naming import encodable

__all__ = ["Database", "database", "named_row", "tables_of"]

_HEADER = 100
_LONGEST = 200
"""Characters of a key that are shown."""
_WRITE_VERSION = 18
"""Byte of the header that says how changes are logged: 2 is a write-ahead log."""
_KIND = 0xFF
"""Mask of an extended result code that leaves the kind of error."""
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_PASSING = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})
"""While a writer opens or closes, its log and the index of it are there one moment and gone the next."""
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FORMAT})
_ENCRYPTED_OR_FOREIGN = "this is no SQLite database, or an encrypted one"


def named_row(table: str, **key: object) -> str:
    """What a row is called: `message[id=msg_1]`."""
    said = ",".join(f"{column}={encodable(str(value))[:_LONGEST]}" for column, value in key.items())
    return f"{table}[{said}]"


class Database:
    """A database in a read transaction; `database` makes it."""

    tables: frozenset[str]
    """Names of its tables; views are none."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        """Begins the transaction. Raises `sqlite3.Error`."""
        self._connection = connection
        self._path = path
        self._open: set[sqlite3.Cursor] = set()
        connection.execute("BEGIN")
        # Only the first query takes the lock and fixes the state that all others see.
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        self.tables = frozenset(name for (name,) in names if isinstance(name, str))

    def columns(self, table: str) -> frozenset[str]:
        """Names of the columns of a table; none where there is no such table."""
        return frozenset(name for (name,) in self.rows("SELECT name FROM pragma_table_info(?)", (table,)))

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query as they are read. Text that is no UTF-8 comes with replacement characters.

        Raises `SourceUnreadable` where the database is damaged, or not laid out as the query takes it to be.
        """
        return self.rows_of_each(sql, (parameters,))

    def rows_of_each(self, sql: str, each: Iterable[Sequence[object]]) -> Iterator[tuple[Any, ...]]:
        """The rows of a query with these parameters, then with the next ones, and so on. Raises as `rows`."""
        cursor = self._connection.cursor()
        self._open.add(cursor)
        try:
            for parameters in each:
                yield from cursor.execute(sql, tuple(parameters))
        except (sqlite3.Error, OverflowError, MemoryError, UnicodeError) as problem:
            raise _told(problem, self._path) from None
        finally:
            self._open.discard(cursor)
            with suppress(sqlite3.Error):
                cursor.close()

    def close(self) -> None:
        """End the transaction; a query that was not read to its end would keep the file open."""
        for cursor in self._open:
            with suppress(sqlite3.Error):
                cursor.close()
        self._open.clear()
        self._connection.close()


@contextmanager
def database(path: str, options: ReadOptions = ReadOptions()) -> Iterator[Database]:
    """A database for reading, in one read transaction that ends with the block.

    While another program holds it locked, it is tried again `options.max_busy_retries` times.
    Raises `SourceNotFound`, `SourceUnreadable` (damaged, locked, not permitted), `NotATranscript` (no database).
    """
    with ExitStack() as stack:
        found = _opened(path, options, stack)
        try:
            yield found
        finally:
            found.close()


def tables_of(path: str) -> frozenset[str]:
    """Names of the tables of a database file; none where it cannot be told."""
    try:
        with database(path) as found:
            return found.tables
    except SourceError:
        return frozenset()


class _Changing(Exception):
    """The files changed while they were copied."""


def _opened(path: str, options: ReadOptions, stack: ExitStack) -> Database:
    retries = max(options.max_busy_retries, least_busy_retries.get())
    for attempt in range(1, retries + 2):
        try:
            return _once(path, stack)
        except (_Changing, sqlite3.Error) as problem:
            code = _code(problem)
            if code not in _BUSY | _PASSING and not isinstance(problem, _Changing):
                raise _told(problem, path) from None
            last = problem
        except UnicodeError as problem:
            raise _told(problem, path) from None
        if attempt <= retries:
            time.sleep(options.busy_retry_delay_ms * attempt / 1000)
    raise _told(last, path) from None


def _once(path: str, stack: ExitStack) -> Database:
    """One attempt. Which way is open depends on the files beside it, so that is looked at each time."""
    real = os.path.realpath(path)
    header = _header(path)
    if header and not header.startswith(DATABASE):
        raise NotATranscript(_ENCRYPTED_OR_FOREIGN, path=path)
    log, index, journal = f"{real}-wal", f"{real}-shm", f"{real}-journal"
    if _size(log) or (header[_WRITE_VERSION : _WRITE_VERSION + 1] == b"\2" and os.path.exists(index)):  # noqa: PTH110
        if not os.path.exists(index):  # noqa: PTH110
            return _connected(_copied(path, real, log, stack), path)
        # The log's index is used as it stands; where no writer keeps it, SQLite makes one of its own in memory.
        return _connected(real, path, "mode=ro", "readonly_shm=1")
    if header[_WRITE_VERSION : _WRITE_VERSION + 1] == b"\2":
        # Nobody writes. Opened in any other way SQLite would create the log and its index.
        return _connected(real, path, "mode=ro", "immutable=1")
    try:
        return _connected(real, path, "mode=ro")
    except sqlite3.Error as problem:
        if _code(problem) not in _PASSING or not _size(journal):
            raise
    # A write broke off, and what it had overwritten stands in the journal: put back in a copy.
    return _connected(_copied(path, real, journal, stack), path)


def _connected(file: str, path: str, *how: str) -> Database:
    uri = f"{Path(file).as_uri()}?{'&'.join(how)}" if how else Path(file).as_uri()
    connection = sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        connection.text_factory = _text
        connection.execute("PRAGMA query_only = ON")
        return Database(connection, path)
    except BaseException:
        connection.close()
        raise


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _header(path: str) -> bytes:
    try:
        # A pipe would be waited for.
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116
            raise SourceUnreadable("this is no file but a folder, a device or a pipe", path=path)
        with Path(path).open("rb") as file:
            return file.read(_HEADER)
    except FileNotFoundError:
        raise SourceNotFound("there is no such file", path=path) from None
    except OSError as problem:
        raise SourceUnreadable(f"cannot be opened: {problem.strerror}", path=path) from None


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116
    except OSError:
        return 0


def _copied(path: str, real: str, beside: str, stack: ExitStack) -> str:
    """The database and the file beside it in a private folder that goes away with the read."""
    try:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="panscript-"))
        copy = str(Path(folder, "database"))
        before = _state(real, beside)
        shutil.copyfile(real, copy)
        shutil.copyfile(beside, copy + beside[len(real) :])
        after = _state(real, beside)
    except FileNotFoundError:
        raise _Changing from None
    except OSError as problem:
        raise SourceUnreadable(f"cannot be copied for reading: {problem.strerror}", path=path) from None
    if before != after:
        raise _Changing
    return copy


def _state(*paths: str) -> list[tuple[int, int]]:
    found = [os.stat(path) for path in paths]  # noqa: PTH116
    return [(each.st_size, each.st_mtime_ns) for each in found]


def _code(problem: Exception) -> int | None:
    code = getattr(problem, "sqlite_errorcode", None)
    return code & _KIND if code is not None else None


def _told(problem: Exception, path: str) -> SourceError:
    """What went wrong, in one line."""
    code = _code(problem)
    said = " ".join(str(problem).split())
    if isinstance(problem, _Changing) or code in _BUSY:
        hint = "try again, or close the program"
        return SourceUnreadable("another program is writing to the database", path=path, hint=hint)
    if code == sqlite3.SQLITE_NOTADB:
        return NotATranscript(_ENCRYPTED_OR_FOREIGN, path=path)
    if isinstance(problem, UnicodeError):
        # Python decodes what SQLite complains of, which may quote damaged bytes.
        return SourceUnreadable("the database is damaged", path=path)
    if code in _DAMAGED:
        return SourceUnreadable(f"the database is damaged: {said}", path=path)
    if code in _PASSING:
        return SourceUnreadable(f"the database cannot be opened: {said}", path=path)
    return SourceUnreadable(f"the database cannot be read: {said}", path=path)
