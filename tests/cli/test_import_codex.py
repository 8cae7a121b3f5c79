"""`panscript import --to codex`: sessions of Claude Code in Codex' own store, where it lists and resumes them."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from panscript.cli.main import main
from panscript.readers.codex.files import resolve
from panscript.readers.opening import read_events
from panscript.schemas.events import Message, Session, Text
from tests.builders import assistant, user, write_rows
from tests.cli.imports import MORE, TALK, Machine, entries, machine, snapshot
from tests.readers.trees import codex_thread, thread_id

__all__ = ["machine"]


def store(machine: Machine) -> Path:
    """Codex' folder."""
    return machine.home / ".codex"


def written(machine: Machine) -> list[Path]:
    """The rollouts in it."""
    return sorted((store(machine) / "sessions").rglob("*.jsonl"))


def index(machine: Machine) -> list[dict[str, Any]]:
    """The lines of its index of threads."""
    return entries(store(machine) / "session_index.jsonl")


def bring(machine: Machine, *args: object) -> Path:
    """Import the session into Codex; gives the one path on stdout."""
    return machine.bring("--to", "codex", *args)


def meta(path: Path) -> dict[str, Any]:
    """What the first line says."""
    said: dict[str, Any] = entries(path)[0]["payload"]
    return said


def texts(path: Path) -> list[str]:
    """What was said."""
    found = [event for event in read_events(str(path)) if isinstance(event, Message)]
    return [block.text for event in found for block in event.content if isinstance(block, Text)]


def run(*args: object) -> str:
    """Another command."""
    result = CliRunner().invoke(main, [*map(str, args)])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def _side(machine: Machine, name: str = "k", text: str = "count", *more: dict[str, Any]) -> None:
    """A sub-agent of the session."""
    rows = [user("s", None, text, 1), assistant("t", "s", "2", 2), *more]
    below = machine.source.with_suffix("") / "subagents"
    write_rows(below / f"agent-{name}.jsonl", [{**row, "isSidechain": True, "agentId": name} for row in rows])


def test_a_session_lies_where_codex_looks_for_it(machine: Machine) -> None:
    result = machine.run(machine.source, "--to", "codex")
    path = Path(result.stdout[:-1])
    thread = meta(path)["id"]
    assert written(machine) == [path]
    assert path == store(machine) / f"sessions/2026/03/02/rollout-2026-03-02T09-00-01-{thread}.jsonl"
    assert meta(path)["cwd"] == str(machine.project)
    assert result.stderr == f"Imported from Claude Code: usage excluded\ngo on with: codex resume {thread}\n"


def test_the_index_names_it(machine: Machine) -> None:
    path = bring(machine)
    name = "Imported from Claude Code: hello (from /home/dev/app)"
    assert [(line["id"], line["thread_name"]) for line in index(machine)] == [(meta(path)["id"], name)]


def test_an_import_that_was_deleted_and_comes_again_has_one_line(machine: Machine) -> None:
    path = bring(machine)
    before = index(machine)
    path.unlink()
    assert bring(machine) == path
    assert index(machine) == before
    with (store(machine) / "session_index.jsonl").open("a") as file:
        file.write(json.dumps({**before[0], "thread_name": "renamed"}) + "\n")
    path.unlink()
    bring(machine)
    assert [line["thread_name"] for line in index(machine)] == [
        before[0]["thread_name"],
        "renamed",
        before[0]["thread_name"],
    ]


@pytest.mark.parametrize("end", ["\n", ""])
def test_the_lines_of_others_in_the_index_stay(machine: Machine, end: str) -> None:
    store(machine).mkdir()
    own = json.dumps({"id": thread_id(7), "thread_name": "mine", "updated_at": "2026-03-01T00:00:00Z"})
    (store(machine) / "session_index.jsonl").write_text(own + end)
    path = bring(machine)
    assert [line["id"] for line in index(machine)] == [thread_id(7), meta(path)["id"]]
    assert (store(machine) / "session_index.jsonl").read_text().startswith(own + "\n")


def test_only_its_owner_may_look_at_it(machine: Machine) -> None:
    path = bring(machine)
    for file in (path, store(machine) / "session_index.jsonl"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(store(machine).stat().st_mode) == 0o700


def test_a_second_import_is_another_session(machine: Machine) -> None:
    first = bring(machine)
    before = first.read_bytes()
    second = bring(machine)
    assert first.read_bytes() == before
    assert len({meta(path)["id"] for path in (first, second)}) == 2
    assert [line["id"] for line in index(machine)] == [meta(path)["id"] for path in (first, second)]


def test_an_archived_thread_keeps_its_id(machine: Machine) -> None:
    first = bring(machine)
    archive = store(machine) / "archived_sessions"
    archive.mkdir()
    first.rename(archive / first.name)
    assert bring(machine).name != first.name


def test_the_same_session_is_kept_to(machine: Machine) -> None:
    path = bring(machine, "--once")
    before = snapshot(store(machine))
    assert machine.codes("--to", "codex", "--once") == (path, ["unchanged"])
    assert snapshot(store(machine)) == before


def test_an_import_into_another_project_does_not_serve(machine: Machine) -> None:
    other = machine.home / "other"
    other.mkdir()
    path = bring(machine, "--once")
    assert bring(machine, "--once", "--cwd", other) != path
    assert bring(machine, "--once") == path


def test_a_session_that_has_grown_is_imported_once_more_and_the_newer_import_serves(machine: Machine) -> None:
    path = bring(machine, "--once")
    before = path.read_bytes()
    machine.says([*TALK, *MORE])
    again, found = machine.codes("--to", "codex", "--once")
    assert path.read_bytes() == before
    assert texts(again) == ["hello", "hi", "and now?", "done"]
    assert (found, again == path) == (["imported_again"], False)
    machine.says([*TALK, *MORE, user("w", "b", "more", 5)])
    said = machine.run(machine.source, "--to", "codex", "--once")
    assert "once more: the source has grown, and an import into Codex does not grow with it" in said.stderr
    machine.says([*TALK, *MORE])
    again = bring(machine, "--once")
    assert machine.codes("--to", "codex", "--once") == (again, ["unchanged"])


def test_sub_agents_are_threads_that_name_their_parent(machine: Machine) -> None:
    _side(machine)
    path = bring(machine)
    (child,) = set(written(machine)) - {path}
    said = meta(child)
    assert said["parent_thread_id"] == said["session_id"] == meta(path)["id"]
    assert said["source"]["subagent"]["thread_spawn"]["parent_thread_id"] == meta(path)["id"]
    assert [found.path for found in resolve(str(path)).children] == [str(child)]
    assert texts(child) == ["count", "2"]
    assert [line["id"] for line in index(machine)] == [meta(path)["id"]], "only what a person talks to is listed"


def test_sub_agents_are_kept_to_and_those_that_came_later_join(machine: Machine) -> None:
    _side(machine)
    path = bring(machine, "--once")
    before = snapshot(store(machine))
    assert machine.codes("--to", "codex", "--once") == (path, ["unchanged"] * 2)
    assert snapshot(store(machine)) == before
    _side(machine, "l", "count again")
    assert bring(machine, "--once") == path
    assert sorted(texts(Path(child.path))[0] for child in resolve(str(path)).children) == ["count", "count again"]


def test_a_sub_agent_that_has_grown_is_a_thread_once_more(machine: Machine) -> None:
    _side(machine)
    path = bring(machine, "--once")
    _side(machine, "k", "count", user("w", "t", "and now?", 5))
    again, found = machine.codes("--to", "codex", "--once")
    assert again == path
    assert "imported_again" in found
    assert sorted(len(texts(Path(child.path))) for child in resolve(str(path)).children) == [2, 3]


def test_a_dry_run_writes_nothing_and_names_the_place(machine: Machine) -> None:
    _side(machine)
    before = snapshot(machine.home)
    result = machine.run(machine.source, "--to", "codex", "--dry-run")
    assert snapshot(machine.home) == before
    path = Path(result.stdout[:-1])
    assert result.stderr.splitlines()[0] == f"would be imported: {path}"
    assert bring(machine) == path


@pytest.mark.parametrize(
    ("value", "folder"),
    [("{top}/codex", "codex"), ("~/codex", "home/codex"), ("", "home/.codex")],
)
def test_a_variable_moves_the_store(machine: Machine, monkeypatch: pytest.MonkeyPatch, value: str, folder: str) -> None:
    monkeypatch.setenv("CODEX_HOME", value.format(top=machine.top))
    path = bring(machine)
    assert path.is_relative_to(machine.top / folder / "sessions")
    assert (machine.top / folder / "session_index.jsonl").exists()


def test_another_home_leaves_the_variable_out_of_account(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(machine.top / "codex"))
    other = machine.top / "other"
    other.mkdir()
    assert bring(machine, "--home", other).is_relative_to(other / ".codex/sessions")
    assert not (machine.top / "codex").exists()


@pytest.mark.parametrize(("below", "place"), [("sessions", "store"), ("", "store")])
def test_a_root_is_the_sessions_folder_or_one_that_has_it(machine: Machine, below: str, place: str) -> None:
    (machine.top / place / below).mkdir(parents=True)
    path = bring(machine, "--root", f"codex={machine.top}/{place}")
    assert path.parent == machine.top / place / below / "2026/03/02"
    assert (machine.top / place / "session_index.jsonl").exists()


def test_no_file_of_the_agents_own_is_touched(machine: Machine) -> None:
    codex_thread(store(machine) / "sessions/2026/03/02", 1)
    for name in ("config.toml", "auth.json", "history.jsonl", "state_5.sqlite"):
        (store(machine) / name).write_text("own")
    _side(machine)
    before = snapshot(machine.home)
    bring(machine)
    after = snapshot(machine.home)
    assert {name for name, found in before.items() if found[0] is not None and after[name] != found} == set()
    new = {machine.home / name for name in after.keys() - before.keys()}
    assert new == {*written(machine)[1:], store(machine) / "session_index.jsonl"}


def test_it_is_listed_as_imported_and_nothing_is_counted_twice(machine: Machine) -> None:
    there = machine.home / ".claude/projects/-a" / machine.source.name
    there.parent.mkdir(parents=True)
    machine.source.rename(there)
    before = run("usage", "--json")
    result = machine.run(there, "--to", "codex")
    assert result.exit_code == 0, result.stderr
    assert run("usage", "--json") == before
    (shown,) = [line for line in run("list").splitlines() if "codex (from claude)" in line]
    assert "hello (from /home/dev/app)" in shown
    session = next(event for event in read_events(result.stdout[:-1]) if isinstance(event, Session))
    assert (session.imported_from, session.cwd) == ("claude", str(machine.project))


def test_a_session_of_codex_itself_is_refused(machine: Machine) -> None:
    source = codex_thread(machine.top, 1)
    result = machine.run(source, "--to", "codex")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"panscript: {source}: this is a session of Codex already\n"


def test_secrets_stay_behind_in_the_index_too(machine: Machine) -> None:
    secret = "".join(["ghp", "_", "a1B2c3D4e5" * 4])
    machine.says([user("u", None, f"use {secret}", 1), assistant("a", "u", "ok", 2)])
    bring(machine)
    for path in store(machine).rglob("*.jsonl"):
        assert secret.encode() not in path.read_bytes()


def test_a_folder_of_output_has_the_same_layout(machine: Machine) -> None:
    _side(machine)
    out = machine.top / "out"
    when = ("--imported-at", "2026-05-01T00:00:00Z")
    run("convert", machine.source, "--to", "codex", "-o", f"{out}/", "--cwd", machine.project, *when)
    bring(machine, *when)
    sessions = store(machine) / "sessions"
    for path in written(machine):
        assert (out / path.relative_to(sessions)).read_bytes() == path.read_bytes()
    # The index of all threads is the agent's own.
    assert not (out / "session_index.jsonl").exists()
