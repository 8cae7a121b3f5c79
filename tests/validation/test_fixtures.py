"""What real agents wrote is sound."""

from pathlib import Path

import pytest

from panscript.readers.validation import validate
from tests.validation.files import FIXTURES, places, sessions


@pytest.mark.parametrize(("agent", "name"), sessions())
def test_a_file_that_an_agent_wrote_has_no_problem_but_calls_nobody_answered(agent: str, name: str) -> None:
    found = validate(str(FIXTURES / name), agent)
    assert [problem for problem in found.problems if problem.code != "call.unanswered"] == []
    assert found.ok
    assert found.agent == agent
    assert found.records > 0


@pytest.mark.parametrize(("agent", "name"), sessions())
def test_strict_checks_find_nothing_unknown_in_what_agents_wrote(agent: str, name: str) -> None:
    codes = {problem.code for problem in validate(str(FIXTURES / name), agent, strict=True).problems}
    assert codes <= {"call.unanswered"}


def _case(name: str) -> list[Path]:
    return sorted((FIXTURES / "cases" / name / "home").rglob("*.jsonl"))


def test_a_torn_record_with_another_behind_it_is_one_error_on_its_line() -> None:
    (path,) = _case("torn-record-then-appended")
    errors = [place for place in places(validate(str(path), "claude")) if place[1].startswith("line.")]
    assert errors == [(3, "line.glued")]


def test_two_whole_records_on_a_line_are_a_warning() -> None:
    (path,) = _case("two-records-welded-on-one-line")
    found = validate(str(path), "claude")
    assert [(problem.line, problem.code, problem.severity) for problem in found.problems] == [
        (3, "line.several_records", "warning")
    ]


def test_a_missing_and_a_torn_header_are_errors_of_line_1_and_the_other_lines_are_checked() -> None:
    for path in _case("pi-header-missing-or-torn"):
        found = validate(str(path), "pi")
        assert (1, "header.missing") in places(found)
        assert {problem.line for problem in found.problems} == {1}
        assert found.records == 2


def test_rows_that_are_no_objects_are_errors_and_rows_of_unknown_types_are_not() -> None:
    (path,) = _case("rows-of-unknown-type-and-wrong-types")
    found = validate(str(path), "codex")
    assert [problem.line for problem in found.problems if problem.code == "line.not_an_object"] == [5, 6, 7, 8]
    assert {9, 10, 11} <= {problem.line for problem in found.problems if problem.severity == "error"}
    assert not any("orbital_call" in problem.message for problem in found.problems)
    strict = validate(str(path), "codex", strict=True)
    assert any("orbital_call" in problem.message and problem.severity == "warning" for problem in strict.problems)


def test_half_a_surrogate_pair_is_a_warning() -> None:
    (path,) = _case("lone-surrogate-in-tool-result")
    found = validate(str(path), "claude")
    assert found.ok
    assert "line.surrogate" in {problem.code for problem in found.problems}


def test_line_separators_inside_strings_do_not_shift_line_numbers() -> None:
    (path,) = _case("unicode-line-separators-in-strings")
    assert places(validate(str(path), "pi")) == []
