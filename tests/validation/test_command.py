"""`panscript validate`: exit status, forms of output, searching folders."""

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from panscript.cli.main import main
from tests.repository import ROOT
from tests.validation.files import CLAUDE_TOOLS, FIXTURES, PI_RUN, drop, lines_of, put


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["validate", *map(str, args)])


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A Claude Code session with an error on line 36 and a warning on line 21."""
    path = tmp_path / "broken.jsonl"
    lines = drop(21, "message.content.0.signature")(drop(36, "timestamp")(lines_of(CLAUDE_TOOLS)))
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def test_a_sound_file_prints_nothing_and_ends_with_0() -> None:
    done = run(FIXTURES / CLAUDE_TOOLS, "--from", "claude")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "1 file: 0 errors, 0 warnings" in done.stderr


def test_files_of_a_folder_that_are_no_sessions_are_counted(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / CLAUDE_TOOLS, tmp_path / "session.jsonl")
    (tmp_path / "notes.txt").write_text("notes")
    (tmp_path / "other.jsonl").write_text('{"a":1}\n')
    assert "1 file: 0 errors, 0 warnings; 2 other files passed over" in run(tmp_path).stderr


def test_problems_are_printed_as_compilers_do(broken: Path) -> None:
    done = run(broken, "--from", "claude")
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        f"{broken}:21: warning thinking.unsigned: the thinking has no signature [$.message.content[0]]",
        f"{broken}:36: error schema.missing_field: the field `timestamp` is missing [$.timestamp]",
    ]


def test_quiet_prints_only_errors(broken: Path) -> None:
    done = run(broken, "--from", "claude", "--quiet")
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["error"]
    assert done.stderr == ""


def test_warnings_fail_only_when_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "warned.jsonl"
    path.write_bytes(b"\n".join(drop(21, "message.content.0.signature")(lines_of(CLAUDE_TOOLS))))
    assert run(path, "--from", "claude").exit_code == 0
    assert run(path, "--from", "claude", "--fail-on", "warning").exit_code == 1


def test_strict_reports_unknown_fields_as_warnings(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    path.write_bytes(b"\n".join(put(36, "hologram", 1)(lines_of(CLAUDE_TOOLS))))
    assert run(path, "--from", "claude").stdout == ""
    done = run(path, "--from", "claude", "--strict")
    assert done.exit_code == 0
    assert ":36: warning schema.unknown_field:" in done.stdout


def test_json_has_the_fixed_shape(broken: Path) -> None:
    done = run(broken, FIXTURES / CLAUDE_TOOLS, "--from", "claude", "--format", "json")
    document = json.loads(done.stdout)
    assert done.exit_code == 1
    assert document["ok"] is False
    first, second = document["files"]
    assert (first["path"], first["agent"], first["ok"], first["records"]) == (str(broken), "claude", False, 87)
    assert first["problems"][1] == {
        "line": 36,
        "severity": "error",
        "code": "schema.missing_field",
        "message": "the field `timestamp` is missing",
        "path": "$.timestamp",
    }
    assert (second["ok"], second["problems"]) == (True, [])


def test_github_gets_one_command_a_problem(broken: Path) -> None:
    first, second = run(broken, "--from", "claude", "--format", "github").stdout.splitlines()
    assert first.startswith(f"::warning file={broken},line=21,title=thinking.unsigned::")
    assert second.startswith(f"::error file={broken},line=36,title=schema.missing_field::")


def test_github_gets_nothing_where_nothing_is_wrong() -> None:
    clean = ROOT / "fixtures/pi/tree.jsonl"
    assert (run(clean, "--format", "github").exit_code, run(clean, "--format", "github").stdout) == (0, "")


def test_a_name_cannot_start_a_command_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a\n::error::b,c.jsonl"
    path.write_bytes(b"x\n")
    for line in run(path, "--from", "claude", "--format", "github").stdout.splitlines():
        assert line.startswith(f"::error file={tmp_path}/a%0A%3A%3Aerror%3A%3Ab%2Cc.jsonl,")


def test_junit_has_a_case_a_file_and_a_failure_where_errors_are(broken: Path) -> None:
    root = ET.fromstring(run(broken, FIXTURES / CLAUDE_TOOLS, "--from", "claude", "--format", "junit").stdout)
    first, second = root.iter("testcase")
    assert root.get("failures") == "1"
    failure = first.find("failure")
    assert failure is not None
    assert "schema.missing_field" in (failure.text or "")
    assert second.find("failure") is None


def test_sarif_names_rules_and_places(broken: Path) -> None:
    log = json.loads(run(broken, "--from", "claude", "--format", "sarif").stdout)
    (one,) = log["runs"]
    rules = one["tool"]["driver"]["rules"]
    for result in one["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    location = one["results"][1]["locations"][0]["physicalLocation"]
    assert location == {"artifactLocation": {"uri": f"file://{broken}"}, "region": {"startLine": 36}}


def test_a_missing_path_is_one_line_and_the_others_go_on(broken: Path) -> None:
    done = run(broken.parent / "nowhere.jsonl", broken, "--from", "claude", "--quiet")
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [f"panscript: {broken.parent}/nowhere.jsonl: there is no such file"]
    assert "schema.missing_field" in done.stdout


def test_a_file_of_another_agent_is_said_in_one_line(broken: Path) -> None:
    done = run(broken, "--from", "goose", "--quiet")
    assert done.exit_code == 1
    assert done.stderr == f"panscript: {broken}: this is no session of Goose (use `--from claude`)\n"


def test_controls_in_names_and_values_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31mb.jsonl"
    path.write_bytes(b'{"type":"\\u001b]0;title\\u0007x","sessionId":"s"}\n')
    done = run(path, "--from", "claude", "--strict")
    assert "\x1b" not in done.stdout + done.stderr


def test_a_file_of_no_agent_is_an_error_of_line_1(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("shopping list\n")
    done = run(path)
    assert done.exit_code == 1
    assert done.stdout.startswith(f"{path}:1: error file.not_recognised: ")


def test_a_folder_is_searched_and_what_is_no_session_is_passed_over(tmp_path: Path) -> None:
    for name in (CLAUDE_TOOLS, PI_RUN):
        (tmp_path / "store" / Path(name).parent).mkdir(parents=True)
        shutil.copy(FIXTURES / name, tmp_path / "store" / name)
    (tmp_path / "store" / "notes.txt").write_text("shopping list\n")
    (tmp_path / "store" / "history.jsonl").write_text('{"display":"hi","project":"/"}\n')
    (tmp_path / "store" / "empty.jsonl").touch()
    document = json.loads(run(tmp_path / "store", "--format", "json").stdout)
    assert [(file["agent"], file["ok"]) for file in document["files"]] == [("claude", True), ("pi", True)]
    only = json.loads(run(tmp_path / "store", "--from", "pi", "--format", "json").stdout)
    assert [file["agent"] for file in only["files"]] == ["pi"]


def test_a_folder_without_a_session_is_one_line(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"panscript: {tmp_path}: no session was found in this folder\n"


def test_a_file_below_a_folder_that_is_named_like_a_session_and_is_none_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "10000000-0000-4000-8000-000000000009.jsonl"
    path.write_text("nothing that an agent wrote\n")
    done = run(tmp_path)
    assert done.exit_code == 1
    assert f"{path}:1: error file.not_recognised" in done.stdout
