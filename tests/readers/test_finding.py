"""Files below a place: each once, whatever links, loops and damage there are, and what is in the way is named."""

import os
from pathlib import Path

import pytest

from panscript.readers.context import Place
from panscript.readers.finding import find_files, readable
from panscript.schemas.errors import SourceError, SourceNotFound, SourceUnreadable

AS_ROOT = pytest.mark.skipif(os.geteuid() == 0, reason="file modes mean nothing to root")


def _find(
    *places: Path, explicit: bool = False, leave_out: tuple[str, ...] = ()
) -> tuple[list[str], list[SourceError]]:
    problems: list[SourceError] = []
    found = find_files(
        [Place(place, explicit) for place in places],
        lambda name: name.endswith(".jsonl"),
        problems.append,
        leave_out=leave_out,
    )
    return [file.path for file in found], problems


def _file(path: Path, text: str = "{}\n") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def test_files_come_by_code_point_of_their_path(tmp_path: Path) -> None:
    names = ["b/x.jsonl", "B/x.jsonl", "a-b/x.jsonl", "a/x.jsonl", "a.jsonl", "é.jsonl", "z.jsonl", "\U0001f600.jsonl"]
    made = [_file(tmp_path / name) for name in names]
    assert _find(tmp_path) == (sorted(made), [])


def test_other_names_and_folders_left_out_are_not_looked_at(tmp_path: Path) -> None:
    wanted = _file(tmp_path / "a" / "x.jsonl")
    _file(tmp_path / "a" / "x.json")
    _file(tmp_path / "memory" / "y.jsonl")
    assert _find(tmp_path, leave_out=("memory",)) == ([wanted], [])


def test_files_without_a_byte_are_none_and_named_unless_the_agent_leaves_such(tmp_path: Path) -> None:
    empty = _file(tmp_path / "x.jsonl", "")
    found, problems = _find(tmp_path)
    assert (found, len(problems)) == ([], 1)
    assert empty in str(problems[0])
    places, told = [Place(tmp_path)], list[SourceError]()
    assert find_files(places, lambda name: name.endswith(".jsonl"), told.append, leaves_empty=True) == []
    assert told == []


def test_links_to_files_and_folders_elsewhere_are_followed(tmp_path: Path) -> None:
    outside = Path(_file(tmp_path / "outside" / "one.jsonl"))
    _file(tmp_path / "other" / "two.jsonl")
    place = tmp_path / "place"
    place.mkdir()
    (place / "linked.jsonl").symlink_to(outside)
    (place / "folder").symlink_to(tmp_path / "other", target_is_directory=True)
    found, problems = _find(place)
    assert found == [str(place / "folder" / "two.jsonl"), str(place / "linked.jsonl")]
    assert problems == []


def test_a_folder_linked_into_itself_is_read_once(tmp_path: Path) -> None:
    wanted = _file(tmp_path / "a" / "b" / "x.jsonl")
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "a" / "self").symlink_to(tmp_path / "a", target_is_directory=True)
    assert _find(tmp_path) == ([wanted], [])


def test_several_names_of_one_file_are_one_under_its_own_name(tmp_path: Path) -> None:
    own = _file(tmp_path / "m" / "own.jsonl")
    (tmp_path / "a.jsonl").symlink_to(own)
    (tmp_path / "z.jsonl").symlink_to("a.jsonl")
    (tmp_path / "a-folder").symlink_to("m", target_is_directory=True)
    assert _find(tmp_path) == ([own], [])


def test_hard_links_are_one_file_under_the_first_name(tmp_path: Path) -> None:
    first = _file(tmp_path / "a.jsonl")
    os.link(first, tmp_path / "b.jsonl")
    assert _find(tmp_path) == ([first], [])


def test_a_place_reached_twice_is_read_once(tmp_path: Path) -> None:
    wanted = _file(tmp_path / "place" / "x.jsonl")
    (tmp_path / "alias").symlink_to("place", target_is_directory=True)
    assert _find(tmp_path / "place", tmp_path / "alias", tmp_path / "place") == ([wanted], [])


def test_a_place_may_be_a_file(tmp_path: Path) -> None:
    wanted = _file(tmp_path / "export")
    assert _find(tmp_path / "export") == ([wanted], [])


def test_a_missing_place_is_a_problem_only_when_it_was_named(tmp_path: Path) -> None:
    assert _find(tmp_path / "none") == ([], [])
    found, problems = _find(tmp_path / "none", explicit=True)
    assert found == []
    assert [type(problem) for problem in problems] == [SourceNotFound]
    assert problems[0].path == str(tmp_path / "none")


def test_dead_links_circles_and_folders_with_the_name_of_a_file_are_named_and_passed_by(tmp_path: Path) -> None:
    wanted = _file(tmp_path / "x.jsonl")
    (tmp_path / "dead.jsonl").symlink_to("nowhere")
    (tmp_path / "circle").symlink_to("circle")
    _file(tmp_path / "folder.jsonl" / "inside.jsonl")
    found, problems = _find(tmp_path)
    assert found == [wanted]
    said = {Path(problem.path or "").name: problem.message for problem in problems}
    assert said == {
        "dead.jsonl": "this link leads nowhere",
        "circle": "this link leads round in a circle",
        "folder.jsonl": "a folder with the name of a session file was left out",
    }


def test_a_pipe_with_the_name_of_a_session_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    found, problems = _find(tmp_path)
    assert found == []
    assert [type(problem) for problem in problems] == [SourceUnreadable]


@AS_ROOT
def test_an_unreadable_folder_is_named_and_the_search_goes_on(tmp_path: Path) -> None:
    wanted = _file(tmp_path / "open" / "x.jsonl")
    _file(tmp_path / "closed" / "y.jsonl")
    (tmp_path / "closed").chmod(0)
    try:
        found, problems = _find(tmp_path)
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert found == [wanted]
    assert [problem.path for problem in problems] == [str(tmp_path / "closed")]


def test_a_folder_that_fails_while_it_is_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = _file(tmp_path / "a" / "x.jsonl")
    _file(tmp_path / "b" / "y.jsonl")
    listing = os.scandir

    def scandir(path: str) -> object:
        if path == str(tmp_path / "b"):
            raise PermissionError(13, "Permission denied")
        return listing(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found, problems = _find(tmp_path)
    assert found == [wanted]
    assert [str(problem) for problem in problems] == [f"{tmp_path / 'b'}: the folder cannot be read: Permission denied"]


def test_names_that_are_no_text_are_found_and_can_be_shown(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/\xff\xfe.jsonl"
    with open(raw, "wb") as file:  # noqa: PTH123 - a name of bytes
        file.write(b"{}\n")
    found, problems = _find(tmp_path)
    assert [os.fsencode(path) for path in found] == [raw]
    assert problems == []
    assert readable(Path(found[0]).name) == r"\xff\xfe.jsonl"
