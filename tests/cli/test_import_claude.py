"""`panscript import --to claude`: threads of Codex in Claude Code's own store, where it lists and resumes them."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from panscript.cli.main import main
from panscript.readers.claude.files import resolve
from panscript.readers.opening import read_events
from panscript.schemas.events import Message, Session, Text
from panscript.writers.claude.place import project
from tests.cli.imports import Machine, entries, machine, snapshot
from tests.readers.trees import TIME, thread_id, write

__all__ = ["machine"]

TASK = "count the files"


def _line(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": TIME, "type": kind, "payload": payload}


def _spoken(text: str) -> list[dict[str, Any]]:
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    return [_line("response_item", said), _line("event_msg", {"type": "user_message", "message": text})]


def _answered(text: str, output: int = 5) -> list[dict[str, Any]]:
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    counts = {"input_tokens": 10, "cached_input_tokens": 0, "output_tokens": output, "total_tokens": 10 + output}
    info = {"total_token_usage": counts, "last_token_usage": counts}
    return [
        _line("response_item", said),
        _line("event_msg", {"type": "agent_message", "message": text}),
        _line("event_msg", {"type": "token_count", "info": info}),
    ]


def thread(machine: Machine, number: int, *rows: list[dict[str, Any]], parent: int | None = None) -> Path:
    """A thread in Codex' store; with a parent that of a sub-agent."""
    meta: dict[str, Any] = {
        "id": thread_id(number),
        "timestamp": TIME,
        "cwd": "/home/dev/app",
        "originator": "cli",
        "cli_version": "0.171.0",
    }
    if parent is not None:
        spawn = {"parent_thread_id": thread_id(parent), "depth": 1}
        meta |= {"source": {"subagent": {"thread_spawn": spawn}}}
    turn = _line("turn_context", {"cwd": "/home/dev/app", "model": "gpt-5", "approval_policy": "never"})
    path = machine.home / f".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-{number:02d}-{thread_id(number)}.jsonl"
    return write(path, _line("session_meta", meta), turn, *(row for said in rows for row in said))


def store(machine: Machine) -> Path:
    """The folder for the sessions of the project."""
    return machine.home / ".claude/projects" / project(str(machine.project))


def written(machine: Machine) -> list[str]:
    """What lies in the project's folder."""
    folder = store(machine)
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def bring(machine: Machine, source: object, *args: object) -> Path:
    """Import into Claude Code; gives the one path on stdout."""
    result = machine.run(source, "--to", "claude", *args)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("\n") == 1
    return Path(result.stdout[:-1])


def codes(machine: Machine, source: object, *args: object) -> tuple[Path, list[str]]:
    """The same with what the report warns of."""
    report = machine.top / "report.json"
    path = bring(machine, source, *args, "--report", report)
    return path, [w["code"] for file in json.loads(report.read_text())["files"] for w in file["warnings"]]


def texts(path: Path) -> list[str]:
    """What was said."""
    found = [event for event in read_events(str(path)) if isinstance(event, Message)]
    return [block.text for event in found for block in event.content if isinstance(block, Text)]


def run(machine: Machine, *args: object) -> str:
    """Another command, with this home."""
    result = CliRunner().invoke(main, [*map(str, args)])
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.fixture
def talk(machine: Machine) -> Path:
    """A thread of Codex with one answer."""
    return thread(machine, 1, _spoken("hello"), _answered("hi"))


def test_a_session_lies_where_claude_code_looks_for_those_of_the_project(machine: Machine, talk: Path) -> None:
    result = machine.run(talk, "--to", "claude")
    path = Path(result.stdout[:-1])
    assert path.parent == store(machine)
    assert written(machine) == [path.name]
    rows = entries(path)
    assert {row["sessionId"] for row in rows} == {path.stem}
    assert {row["cwd"] for row in rows if "uuid" in row} == {str(machine.project)}
    assert rows[0]["customTitle"] == "Imported from Codex: hello (from /home/dev/app)"
    assert result.stderr == f"Imported from Codex: usage excluded\ngo on with: claude --resume {path.stem}\n"


def test_only_its_owner_may_look_at_it(machine: Machine, talk: Path) -> None:
    assert stat.S_IMODE(bring(machine, talk).stat().st_mode) == 0o600
    assert stat.S_IMODE(store(machine).stat().st_mode) == 0o700


def test_a_second_import_is_another_session(machine: Machine, talk: Path) -> None:
    first = bring(machine, talk)
    before = first.read_bytes()
    second = bring(machine, talk)
    assert first.read_bytes() == before
    assert written(machine) == sorted([first.name, second.name])
    names = [{row["uuid"] for row in entries(path) if "uuid" in row} for path in (first, second)]
    assert not names[0] & names[1]


def test_an_id_is_taken_wherever_in_the_store_it_is(machine: Machine, talk: Path) -> None:
    other = machine.home / "other"
    other.mkdir()
    assert bring(machine, talk).stem != bring(machine, talk, "--cwd", other).stem


def test_the_same_session_is_kept_to(machine: Machine, talk: Path) -> None:
    path = bring(machine, talk, "--once")
    before = snapshot(store(machine))
    assert codes(machine, talk, "--once") == (path, ["unchanged"])
    assert snapshot(store(machine)) == before


def test_a_session_that_has_grown_is_imported_once_more_and_the_newer_import_serves(
    machine: Machine, talk: Path
) -> None:
    path = bring(machine, talk, "--once")
    before = path.read_bytes()
    thread(machine, 1, _spoken("hello"), _answered("hi"), _spoken("and now?"), _answered("done"))
    again, found = codes(machine, talk, "--once")
    assert path.read_bytes() == before
    assert texts(again) == ["hello", "hi", "and now?", "done"]
    assert (found, again == path) == (["imported_again"], False)
    assert codes(machine, talk, "--once") == (again, ["unchanged"])


def _family(machine: Machine, *more: list[dict[str, Any]]) -> Path:
    """A thread with a sub-agent, which has one, too."""
    thread(machine, 3, _spoken("deeper"), _answered("1"), parent=2)
    thread(machine, 2, _spoken(TASK), _answered("2"), *more, parent=1)
    return thread(machine, 1, _spoken("hello"), _answered("hi"))


def test_sub_agents_lie_below_the_session_that_a_person_talks_to(machine: Machine) -> None:
    path = bring(machine, _family(machine))
    source = resolve(str(path))
    assert len(source.children) == 2
    assert {Path(child.path).parent for child in source.children} == {path.with_suffix("") / "subagents"}
    assert sorted(texts(Path(child.path))[0] for child in source.children) == [TASK, "deeper"]
    for child in source.children:
        rows = [row for row in entries(Path(child.path)) if "uuid" in row]
        assert {row["agentId"] for row in rows} == {child.agent_id}
        assert {(row["sessionId"], row["isSidechain"]) for row in rows} == {(path.stem, True)}
        meta = json.loads(Path(child.path).with_suffix(".meta.json").read_text())
        assert meta == {"agentType": "imported", "description": texts(Path(child.path))[0]}
    assert len(written(machine)) == 5


def test_a_second_import_has_sub_agents_of_its_own(machine: Machine) -> None:
    source = _family(machine)
    first = bring(machine, source)
    before = snapshot(first.with_suffix(""))
    second = bring(machine, source)
    assert snapshot(first.with_suffix("")) == before
    assert len(written(machine)) == 10
    names = [
        {row["uuid"] for child in resolve(str(path)).children for row in entries(Path(child.path)) if "uuid" in row}
        for path in (first, second)
    ]
    assert not names[0] & names[1]


def test_sub_agents_are_kept_to_at_any_depth(machine: Machine) -> None:
    source = _family(machine)
    path = bring(machine, source, "--once")
    before = snapshot(store(machine))
    assert codes(machine, source, "--once") == (path, ["unchanged"] * 3)
    assert snapshot(store(machine)) == before


def test_a_sub_agent_that_came_later_joins_the_session_that_is_there(machine: Machine) -> None:
    source = thread(machine, 1, _spoken("hello"), _answered("hi"))
    path = bring(machine, source, "--once")
    for number, said in ((2, TASK), (3, "deeper"), (4, "deepest")):
        thread(machine, number, _spoken(said), _answered("0"), parent=number - 1)
        assert bring(machine, source, "--once") == path
        assert said in [texts(Path(child.path))[0] for child in resolve(str(path)).children]
    assert len(written(machine)) == 7


def test_a_sub_agent_that_has_grown_lies_there_once_more(machine: Machine) -> None:
    path = bring(machine, _family(machine), "--once")
    before = written(machine)
    source = _family(machine, _spoken("go on"), _answered("3"))
    again, found = codes(machine, source, "--once")
    assert again == path
    assert "imported_again" in found
    assert set(before) < set(written(machine))
    after = snapshot(store(machine))
    assert codes(machine, source, "--once") == (path, ["unchanged"] * 3)
    assert snapshot(store(machine)) == after


def test_what_is_left_of_a_deleted_import_is_left_alone(machine: Machine) -> None:
    source = _family(machine)
    path = bring(machine, source)
    path.unlink()
    left = {name: found for name, found in snapshot(path.with_suffix("") / "subagents").items() if name != "."}
    assert bring(machine, source) == path
    assert left.items() <= snapshot(path.with_suffix("") / "subagents").items()
    assert len(resolve(str(path)).children) == 4


def test_sub_agents_can_be_left_out(machine: Machine) -> None:
    path = bring(machine, _family(machine), "--no-subagents")
    assert written(machine) == [path.name]


def test_a_dry_run_writes_nothing_and_names_the_place(machine: Machine) -> None:
    source = _family(machine)
    before = snapshot(machine.home)
    result = machine.run(source, "--to", "claude", "--dry-run")
    assert snapshot(machine.home) == before
    path = Path(result.stdout[:-1])
    assert result.stderr.splitlines()[0] == f"would be imported: {path}"
    assert bring(machine, source) == path


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"CLAUDE_CONFIG_DIR": "{top}/config"}, "{top}/config/projects/{project}"),
        ({"CLAUDE_CONFIG_DIR": "{top}/config,{top}/older"}, "{top}/config/projects/{project}"),
        ({"CLAUDE_CONFIG_DIR": ""}, "{top}/home/.claude/projects/{project}"),
        (
            {"CLAUDE_CONFIG_DIR": "{top}/config", "CLAUDE_CODE_PROJECT_DIR_NAME": "mine"},
            "{top}/config/projects/mine",
        ),
        ({"CLAUDE_CODE_PROJECT_DIR_NAME": "mine"}, "{top}/home/.claude/projects/{project}"),
    ],
)
def test_variables_move_the_store(
    machine: Machine, talk: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], folder: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(top=machine.top))
    names = {"top": machine.top, "project": project(str(machine.project))}
    assert str(bring(machine, talk).parent) == folder.format(**names)


def test_another_home_leaves_variables_out_of_account(
    machine: Machine, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(machine.top / "config"))
    other = machine.top / "other"
    other.mkdir()
    path = bring(machine, talk, "--home", other)
    assert path.parent == other / ".claude/projects" / project(str(machine.project))
    assert not (machine.top / "config").exists()


@pytest.mark.parametrize("below", ["", "projects"])
def test_a_root_is_the_projects_folder_or_one_that_has_it(machine: Machine, talk: Path, below: str) -> None:
    (machine.top / "store" / below).mkdir(parents=True)
    path = bring(machine, talk, "--root", f"claude={machine.top}/store")
    assert path.parent == machine.top / "store" / below / project(str(machine.project))


def test_a_project_with_a_long_name_has_a_short_folder(machine: Machine, talk: Path) -> None:
    other = machine.home / ("x" * 120) / ("y" * 120)
    other.mkdir(parents=True)
    path = bring(machine, talk, "--cwd", other)
    assert path.parent.name == project(str(other))
    assert len(path.parent.name) < 210


def test_no_file_of_the_agents_own_is_touched(machine: Machine) -> None:
    own = {
        "history.jsonl": '{"display":"x","project":"/x","sessionId":"s"}\n',
        "settings.json": "{}",
        f"projects/{project(str(machine.project))}/00000000-0000-4000-8000-000000000000.jsonl": "{}\n",
    }
    for name, text in own.items():
        place = machine.home / ".claude" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    source = _family(machine)
    before = snapshot(machine.home)
    bring(machine, source)
    after = snapshot(machine.home)
    changed = {name for name, found in before.items() if found[0] is not None and after[name] != found}
    assert changed == set()
    folder = store(machine).relative_to(machine.home)
    assert all(Path(name).is_relative_to(folder) for name in after.keys() - before.keys())


def test_it_is_listed_as_imported_and_nothing_is_counted_twice(machine: Machine) -> None:
    source = _family(machine)
    before = run(machine, "usage", "--json")
    path = bring(machine, source)
    assert run(machine, "usage", "--json") == before
    shown = [line for line in run(machine, "list").splitlines() if "claude (from codex)" in line]
    assert len(shown) >= 1
    assert any("hello (from /home/dev/app)" in line for line in shown)
    session = next(event for event in read_events(str(path)) if isinstance(event, Session))
    assert (session.imported_from, session.cwd) == ("codex", str(machine.project))


def test_a_session_of_claude_code_itself_is_refused(machine: Machine) -> None:
    result = machine.run(machine.source, "--to", "claude")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"panscript: {machine.source}: this is a session of Claude Code already\n"


def test_secrets_stay_behind_in_the_facts_beside_it_too(machine: Machine) -> None:
    secret = "".join(["ghp", "_", "a1B2c3D4e5" * 4])
    thread(machine, 2, _spoken(f"use {secret}"), _answered("2"), parent=1)
    bring(machine, thread(machine, 1, _spoken(f"here is {secret}"), _answered("hi")))
    assert len(written(machine)) == 3
    for name in written(machine):
        assert secret.encode() not in (store(machine) / name).read_bytes()


def test_a_folder_of_output_has_the_same_layout(machine: Machine) -> None:
    source = _family(machine)
    out = machine.top / "out"
    run(machine, "convert", source, "--to", "claude", "-o", f"{out}/", "--cwd", machine.project)
    path = bring(machine, source)
    folder = out / project(str(machine.project))
    assert sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()) == written(machine)
    assert (folder / path.name).exists()
    for name in written(machine):
        if name.endswith(".meta.json"):
            assert (folder / name).read_bytes() == (store(machine) / name).read_bytes()
