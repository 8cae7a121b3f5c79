"""From an agent to the same agent: everything stays as it is, but what is asked for by name is done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.program import panscript
from tests.sessions import FIXTURES

TREE = FIXTURES / "pi/tree.jsonl"
CLAUDE = FIXTURES / "claude/v2.1.328/projects/-home-dev-app/10000000-0000-4000-8000-000000000001.jsonl"


def test_only_the_live_branch_when_that_is_asked_for(tmp_path: Path) -> None:
    done = panscript(
        "convert",
        TREE,
        "--to",
        "pi",
        "--no-redact",
        "--branch",
        "active",
        "--report",
        tmp_path / "r.json",
        cwd=tmp_path,
    )

    texts = TREE.read_bytes()
    assert b"Take option A." in texts
    assert b"Take option A." not in done.out
    assert b"Take option B instead." in done.out
    report = json.loads((tmp_path / "r.json").read_bytes())
    assert report["totals"]["lost"]["branch"] > 0


def test_another_folder_in_every_row_that_names_the_old_one(tmp_path: Path) -> None:
    done = panscript("convert", CLAUDE, "--to", "claude", "--no-redact", "--cwd", "/", cwd=tmp_path)

    old, new = (
        [json.loads(line).get("cwd") for line in raw.splitlines() if line] for raw in (CLAUDE.read_bytes(), done.out)
    )
    assert [None if cwd is None else "/" for cwd in old] == new
    assert done.out.replace(b'"cwd":"/"', b'"cwd":"/home/dev/app"') == CLAUDE.read_bytes()


def test_a_default_changes_nothing(tmp_path: Path) -> None:
    assert panscript("convert", TREE, "--to", "pi", "--no-redact", cwd=tmp_path).out == TREE.read_bytes()


def test_a_file_with_a_line_nobody_can_read_does_not_pass_the_check(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(TREE.read_bytes() + b'{"torn\n')

    done = panscript("redact", "--check", path, cwd=tmp_path)

    assert done.code == 1
    assert "no secrets in what can be read, 1 unreadable line" in done.err
    assert panscript("redact", "--check", TREE, cwd=tmp_path).code == 0


def test_a_sub_agent_without_a_place_is_named(tmp_path: Path) -> None:
    source = CLAUDE.with_name("10000000-0000-4000-8000-000000000004.jsonl")

    done = panscript("convert", source, "--to", "pi", "-o", tmp_path / "one.jsonl", cwd=tmp_path)

    assert "1 sub-agent left out" in done.err


def test_the_folder_that_is_named_for_a_project_keeps_no_secret_and_no_control(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    rows = TREE.read_text().splitlines()
    header = json.loads(rows[0])
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join([json.dumps(header | {"cwd": f"/srv/{secret}/\x1b[31m\u202e"}), *rows[1:], ""]))

    assert panscript("convert", path, "--to", "pi", "-o", f"{tmp_path}/clean/", cwd=tmp_path).code == 0
    (clean,) = (tmp_path / "clean").rglob("*.jsonl")
    assert secret not in str(clean)
    assert str(clean).isprintable()
    assert secret.encode() not in clean.read_bytes()

    assert panscript("convert", path, "--to", "pi", "--no-redact", "-o", f"{tmp_path}/same/", cwd=tmp_path).code == 0
    (same,) = (tmp_path / "same").rglob("*.jsonl")
    assert secret in str(same)
    assert str(same).isprintable()
    assert same.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "command", [("redact", "-o", "out/"), ("redact", "--check"), ("convert", "--to", "pi", "-o", "out/")]
)
def test_names_of_unknown_types_are_told_without_secrets(tmp_path: Path, command: tuple[str, ...]) -> None:
    secret = "ghp_" + "a1B2" * 9
    path = tmp_path / "session.jsonl"
    path.write_bytes(TREE.read_bytes() + json.dumps({"type": secret, "id": "zz", "parentId": None}).encode() + b"\n")
    done = panscript(command[0], path, *command[1:], "--report", "r.json", cwd=tmp_path)
    report = (tmp_path / "r.json").read_text()
    assert "types that are not known were kept as they are: [REDACTED:github-token:1]" in done.err
    assert json.loads(report)["files"][0]["unknown"] == {"[REDACTED:github-token:1]": 1}
    assert secret not in done.err + report
    assert json.loads(report)["files"][0]["redacted"] == {"github-token": 1}
