"""Several processes at work: who gets a name that two want, and what becomes of the others when one is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from panscript.cli.crew import Crew
from panscript.cli.output import Destination
from panscript.cli.progress import Bar
from panscript.cli.work import Outcome
from panscript.schemas.errors import OutputExists
from panscript.schemas.records import SessionFile, Source
from panscript.schemas.report import Report


class Writing:
    """Writes a file of the name that a session has as its id; what else happens depends on the session's file."""

    def __init__(self, folder: Path) -> None:
        self.report = Report()
        self._folder = folder
        self._destination = Destination(f"{folder}/out/", force=True)

    def __call__(self, source: Source) -> Iterator[str]:
        """Write it, and tell so."""
        what = Path(source.path).name
        if what == "slow":
            # Until another one is as far as it shall be.
            (self._folder / "pipe").read_bytes()
        try:
            yield from self._write(source, what)
        except OutputExists:
            if what == "refused" and not (self._folder / "refused").exists():
                (self._folder / "refused").touch()
                (self._folder / "pipe").write_bytes(b"refused")
            raise

    def _write(self, source: Source, what: str) -> Iterator[str]:
        with self._destination.open(source.id) as place:
            place.file.write(what.encode())
            place.file.flush()
            if what == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if what == "wrong":
                raise ZeroDivisionError("by nothing")
            if what == "waiting":
                (self._folder / "pipe").write_bytes(b"here")
                (self._folder / "never").read_bytes()
        if what == "fast":
            (self._folder / "pipe").write_bytes(b"done")
        self.report.open(source.path)
        yield f"{what} wrote {source.id}"


Started = Callable[..., Crew]


@pytest.fixture
def crew(tmp_path: Path) -> Started:
    """Two processes for sessions that are given as `what=name`."""
    for pipe in ("pipe", "never"):
        os.mkfifo(tmp_path / pipe)

    def crew(**sessions: str) -> Crew:
        sources = [
            Source(agent="pi", id=name, files=(SessionFile(str(tmp_path / what)),)) for what, name in sessions.items()
        ]
        return Crew(sources, Writing(tmp_path), 2, Bar(sources, quiet=True))

    return crew


def _names(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in (folder / "out").iterdir()} if (folder / "out").exists() else {}


def _error(outcome: Outcome) -> str:
    return str(outcome.error)


def test_the_earlier_session_gets_the_name_even_when_the_later_one_was_faster(tmp_path: Path, crew: Started) -> None:
    slow, fast, other = crew(slow="x", fast="x", other="y").outcomes()
    assert slow.told == ["slow wrote x"]
    assert _error(fast).startswith(f"{tmp_path}/fast: {tmp_path}/out/x: another session of this run has this name")
    assert (fast.told, fast.accounts) == ([], [])
    assert [account.path for account in other.accounts] == [f"{tmp_path}/other"]
    assert _names(tmp_path) == {"x": "slow", "y": "other"}


def test_who_was_refused_by_one_that_did_not_keep_the_name_asks_again(tmp_path: Path, crew: Started) -> None:
    _, second, refused = crew(slow="x", second="x", refused="x").outcomes()
    assert [_error(each).rpartition(" ")[2] for each in (second, refused)] == [f"{tmp_path}/slow"] * 2
    assert _names(tmp_path) == {"x": "slow"}


def test_a_process_that_is_killed_costs_its_session_only(tmp_path: Path, crew: Started) -> None:
    first, killed, third, fourth = crew(first="a", killed="b", third="c", fourth="b").outcomes()
    assert "the process that was working on it was killed" in _error(killed)
    assert [outcome.error for outcome in (first, third, fourth)] == [None, None, None]
    assert _names(tmp_path) == {"a": "first", "b": "fourth", "c": "third"}


def test_what_nobody_foresaw_is_one_line_of_its_session(tmp_path: Path, crew: Started) -> None:
    wrong, other = crew(wrong="a", other="b").outcomes()
    assert _error(wrong) == f"{tmp_path}/wrong: this should not happen: ZeroDivisionError: by nothing"
    assert other.error is None
    assert _names(tmp_path) == {"b": "other"}


def test_an_end_in_the_middle_leaves_no_half_of_a_file(tmp_path: Path, crew: Started) -> None:
    outcomes = crew(slow="a", waiting="b", other="c").outcomes()
    next(outcomes)
    assert any(name.endswith(".part") for name in _names(tmp_path))
    outcomes.close()
    assert {"a": "slow"}.items() <= _names(tmp_path).items() <= {"a": "slow", "c": "other"}.items()
