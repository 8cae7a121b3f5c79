"""Databases are read as they are at one moment, whoever writes to them, and nothing in their folder changes."""

import hashlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.options import ReadOptions, patient
from panscript.readers.sqlite import database, tables_of
from panscript.schemas.errors import NotATranscript, SourceError, SourceNotFound, SourceUnreadable

WRITER = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode = " + sys.argv[2])
connection.execute("PRAGMA wal_autocheckpoint = 0")
connection.execute("PRAGMA cache_size = 1")
for line in sys.stdin:
    if line == "die\\n":
        os._exit(9)
    connection.execute(line)
    print("done", flush=True)
"""


class Writer:
    """Another process that has the database open."""

    def __init__(self, path: Path, journal: str) -> None:
        command = [sys.executable, "-c", WRITER, str(path), journal]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def does(self, *statements: str) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        for statement in statements:
            print(statement, file=self.process.stdin, flush=True)
            assert self.process.stdout.readline() == "done\n"

    def dies(self) -> None:
        """Ends without closing the database."""
        if self.process.poll() is None:
            assert self.process.stdin is not None
            print("die", file=self.process.stdin, flush=True)
        self.process.wait()

    def close(self) -> None:
        self.dies()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database is; the characters mean something in a URI."""
    folder = tmp_path / "folder"
    folder.mkdir()
    return folder / "a ?mode=rwc&b#c%20.db"


@pytest.fixture
def logging(path: Path) -> Iterator[Writer]:
    """A writer with a write-ahead log, whose table holds 1."""
    writer = Writer(path, "wal")
    writer.does("CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    yield writer
    writer.close()


def made(path: Path, *statements: str) -> Path:
    """A database at rest."""
    connection = sqlite3.connect(path)
    for statement in statements or ("CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"):
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def seen(path: Path, options: ReadOptions = ReadOptions()) -> list[tuple[Any, ...]]:
    with database(str(path), options) as found:
        return list(found.rows("SELECT a FROM t"))


def folder_of(path: Path) -> dict[str, tuple[int, str]]:
    """Every file of the folder with its time and digest."""
    return {
        each.name: (each.stat().st_mtime_ns, hashlib.sha256(each.read_bytes()).hexdigest())
        for each in path.parent.iterdir()
    }


def open_files(folder: Path) -> list[str]:
    return [link for link in map(_target, Path("/proc/self/fd").iterdir()) if link.startswith(str(folder))]


def _target(descriptor: Path) -> str:
    try:
        return str(descriptor.readlink())
    except OSError:
        return ""


def test_what_a_living_writer_committed_is_seen_and_nothing_changes(path: Path, logging: Writer) -> None:
    main = sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)
    assert main.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,), "it is in the log only"
    main.close()
    before = folder_of(path)
    assert seen(path) == [(1,)]
    assert folder_of(path) == before
    assert len(before) == 3


def test_what_a_writer_has_not_committed_is_not_seen(path: Path, logging: Writer) -> None:
    logging.does("BEGIN IMMEDIATE", "INSERT INTO t VALUES (2)")
    assert seen(path) == [(1,)]


def test_a_read_sees_one_state_however_long_it_takes(path: Path, logging: Writer) -> None:
    with database(str(path)) as found:
        logging.does("INSERT INTO t VALUES (2)")
        assert list(found.rows("SELECT a FROM t")) == [(1,)]
    assert seen(path) == [(1,), (2,)]


def test_a_log_whose_writer_died_is_read(path: Path, logging: Writer) -> None:
    logging.dies()
    before = folder_of(path)
    assert seen(path) == [(1,)]
    assert folder_of(path) == before


def test_a_log_at_rest_without_its_index_is_read_in_a_copy(
    path: Path, logging: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logging.dies()
    Path(f"{path}-shm").unlink()
    before = folder_of(path)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with database(str(path)) as found:
        (copy,) = temporary.iterdir()
        assert copy.stat().st_mode & 0o77 == 0
        assert list(found.rows("SELECT a FROM t")) == [(1,)]
    assert list(temporary.iterdir()) == []
    assert folder_of(path) == before


def test_a_schema_that_checks_its_own_values_is_read_in_a_copy_too(path: Path, logging: Writer) -> None:
    logging.does("CREATE TABLE checked (a CHECK (json_valid(a)))", "INSERT INTO checked VALUES ('{}')")
    logging.dies()
    Path(f"{path}-shm").unlink()
    with database(str(path)) as found:
        assert list(found.rows("SELECT a FROM checked")) == [("{}",)]


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_database_at_rest_gets_no_files_beside_it(path: Path, journal: str) -> None:
    made(path, f"PRAGMA journal_mode = {journal}", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    before = folder_of(path)
    with database(str(path)) as found:
        assert list(found.rows("SELECT a FROM t")) == [(1,)]
        assert folder_of(path) == before
    assert folder_of(path) == before
    assert len(before) == 1


@pytest.mark.parametrize("rest", ["wal", "delete", "log at rest", "log with index"])
def test_a_folder_that_nobody_may_write_to(path: Path, rest: str) -> None:
    writer = Writer(path, "delete" if rest == "delete" else "wal")
    writer.does("CREATE TABLE t (a)", "INSERT INTO t VALUES (1)", "PRAGMA wal_checkpoint(TRUNCATE)")
    if rest.startswith("log"):
        writer.does("INSERT INTO t VALUES (2)")
    writer.close()
    for name in ("-wal", "-shm") if not rest.startswith("log") else ("-shm",) if rest == "log at rest" else ():
        Path(f"{path}{name}").unlink(missing_ok=True)
    for each in path.parent.iterdir():
        each.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        assert seen(path) == [(1,), (2,)][: 2 if rest.startswith("log") else 1]
    finally:
        path.parent.chmod(0o700)


def test_a_link_to_a_database_leads_to_its_log(path: Path, logging: Writer, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(path)
    assert seen(link) == [(1,)]


@pytest.mark.parametrize(("options", "waits"), [(ReadOptions(), [0.05, 0.1]), (ReadOptions(max_busy_retries=0), [])])
def test_a_lock_is_waited_for_so_often(
    path: Path, monkeypatch: pytest.MonkeyPatch, options: ReadOptions, waits: list[float]
) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    writer = Writer(path, "delete")
    writer.does("CREATE TABLE t (a)", "BEGIN EXCLUSIVE")
    try:
        with pytest.raises(SourceUnreadable, match=r"another program is writing to the database \(try again"):
            seen(path, options)
    finally:
        writer.close()
    assert waited == waits


def test_who_is_patient_waits_longer(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    writer = Writer(path, "delete")
    writer.does("CREATE TABLE t (a)", "BEGIN EXCLUSIVE")
    try:
        with patient(), pytest.raises(SourceUnreadable, match="another program is writing"):
            seen(path, ReadOptions(max_busy_retries=0))
        assert 3 < sum(waited) < 8
        waited.clear()
        with pytest.raises(SourceUnreadable, match="another program is writing"):
            seen(path, ReadOptions(max_busy_retries=0))
        assert waited == []
    finally:
        writer.close()


def test_a_lock_that_is_given_up_meanwhile_is_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = Writer(path, "delete")
    writer.does("CREATE TABLE t (a)", "BEGIN EXCLUSIVE", "INSERT INTO t VALUES (7)")
    monkeypatch.setattr("time.sleep", lambda _: writer.does("COMMIT"))
    assert seen(path, ReadOptions(max_busy_retries=1, busy_retry_delay_ms=0)) == [(7,)]
    writer.close()


@pytest.mark.parametrize("name", ["max_busy_retries", "busy_retry_delay_ms"])
@pytest.mark.parametrize("value", [-1, 1.0, True, "2", None])
def test_counts_that_are_none_are_refused_at_once(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{name} is a whole number from 0"):
        ReadOptions(**{name: value})


def test_a_write_that_broke_off_is_taken_back_in_a_copy(path: Path) -> None:
    writer = Writer(path, "delete")
    writer.does("CREATE TABLE t (a)", "INSERT INTO t VALUES (1)", "BEGIN")
    for number in range(2, 60):
        writer.does(f"INSERT INTO t VALUES ('{number}' || hex(zeroblob(2000)))")
    writer.dies()
    writer.close()
    before = folder_of(path)
    assert f"{path.name}-journal" in before
    assert seen(path) == [(1,)]
    assert folder_of(path) == before


def test_a_missing_file_a_folder_and_a_file_of_another_sort(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        seen(tmp_path / "none.db")
    with pytest.raises(SourceUnreadable, match="no file but a folder"):
        seen(tmp_path)
    other = tmp_path / "other.db"
    other.write_bytes(bytes(range(256)) * 20)
    with pytest.raises(NotATranscript, match="no SQLite database, or an encrypted one"):
        seen(other)


def test_a_file_without_permission(path: Path) -> None:
    made(path).chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("permissions do not bind this user")
    with pytest.raises(SourceUnreadable, match="cannot be opened: Permission denied"):
        seen(path)


def test_tables_that_are_not_as_expected(path: Path) -> None:
    made(path, "CREATE TABLE other (b)")
    with pytest.raises(SourceUnreadable, match="the database cannot be read: no such table: t"):
        seen(path)


def test_damaged_pages(path: Path) -> None:
    made(path, "CREATE TABLE t (a)", *(f"INSERT INTO t VALUES ({n} || hex(zeroblob(1500)))" for n in range(40)))
    data = bytearray(path.read_bytes())
    data[8192:12288] = b"\xa5" * 4096
    path.write_bytes(data)
    with pytest.raises(SourceUnreadable, match="the database is damaged: database disk image is malformed"):
        seen(path)


def test_what_stands_before_a_damaged_page_is_given_first(path: Path) -> None:
    made(path, "CREATE TABLE t (a)", *(f"INSERT INTO t VALUES ({n} || hex(zeroblob(1500)))" for n in range(40)))
    data = bytearray(path.read_bytes())
    data[-4096:] = b"\xa5" * 4096
    path.write_bytes(data)
    with database(str(path)) as found:
        rows = found.rows("SELECT a FROM t")
        assert next(rows)[0].startswith("0")
        with pytest.raises(SourceUnreadable, match="damaged"):
            list(rows)


def test_a_cut_file(path: Path) -> None:
    made(path, "CREATE TABLE t (a)", *(f"INSERT INTO t VALUES ({n} || hex(zeroblob(1500)))" for n in range(40)))
    path.write_bytes(path.read_bytes()[:9000])
    with pytest.raises(SourceError):
        seen(path)
    path.write_bytes(b"SQLite format 3\0")
    assert tables_of(str(path)) == frozenset()


def test_tables_and_columns(path: Path) -> None:
    made(path, "CREATE TABLE 'a b' (x, y)", "CREATE TABLE t (a)", "CREATE VIEW v AS SELECT a FROM t")
    assert tables_of(str(path)) == {"a b", "t"}
    with database(str(path)) as found:
        assert found.columns("a b") == {"x", "y"}
        assert found.columns("nothing") == frozenset()


def test_tables_of_what_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"hello\n")
    assert tables_of(str(tmp_path / "x")) == frozenset()
    assert tables_of(str(tmp_path / "none")) == frozenset()


def test_text_that_is_no_utf8(path: Path) -> None:
    made(path, "CREATE TABLE t (a)", "INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT))", "INSERT INTO t VALUES (x'61ff')")
    assert seen(path) == [("a�b",), (b"a\xff",)]


def test_an_early_stop_closes_everything(path: Path, logging: Writer) -> None:
    logging.does(*(f"INSERT INTO t VALUES ({n})" for n in range(50)))

    def values() -> Generator[Any, None, None]:
        with database(str(path)) as found:
            for (value,) in found.rows("SELECT a FROM t"):
                yield value

    reading = values()
    assert next(reading) == 1
    if Path("/proc/self/fd").exists():
        assert open_files(path.parent)
        reading.close()
        assert open_files(path.parent) == []
    reading.close()
    logging.does("PRAGMA wal_checkpoint(TRUNCATE)")
    assert Path(f"{path}-wal").stat().st_size == 0, "no reader is left that the log is kept for"


def test_a_query_that_somebody_still_holds_keeps_nothing_open(path: Path) -> None:
    made(path, "CREATE TABLE t (a)", *(f"INSERT INTO t VALUES ({n})" for n in range(5)))
    with database(str(path)) as found:
        rows = found.rows("SELECT a FROM t")
        next(rows)
    if Path("/proc/self/fd").exists():
        assert open_files(path.parent) == []
    with pytest.raises(SourceUnreadable):
        next(rows)


def test_nothing_can_be_written(path: Path) -> None:
    made(path)
    with database(str(path)) as found, pytest.raises(SourceUnreadable):
        list(found.rows("INSERT INTO t VALUES (2)"))


@given(st.binary(max_size=200), st.integers(0, 4095), st.sampled_from(["wal", "delete"]))
def test_whatever_the_file_holds_only_our_errors_come(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int, journal: str
) -> None:
    path = tmp_path_factory.mktemp("noise") / "x.db"
    made(path, f"PRAGMA journal_mode = {journal}", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    data = bytearray(path.read_bytes())
    data[at : at + len(noise)] = noise
    path.write_bytes(data)
    with suppress(SourceError):
        seen(path)
    tables_of(str(path))
