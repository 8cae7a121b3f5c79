"""`panscript import`: where a session goes, what is said of it, and what is left alone."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from panscript.cli.main import main
from panscript.readers.opening import read_events
from panscript.schemas.events import Session
from tests.builders import SESSION, assistant, user, write_rows
from tests.cli.imports import MORE, TALK, Machine, entries, machine, snapshot
from tests.readers.trees import claude_session, codex_thread, pi_session
from tests.repository import ROOT

__all__ = ["machine"]


def test_a_session_lies_where_pi_looks_for_those_of_the_project(machine: Machine) -> None:
    result = machine.run(machine.source)
    assert (result.exit_code, machine.files) == (0, [Path(result.stdout[:-1])])
    header, head, *_ = entries(machine.files[0])
    assert header["cwd"] == str(machine.project)
    assert machine.files[0].name == f"2026-03-02T09-00-01-000Z_{header['id']}.jsonl"
    assert (head["data"]["source"], head["data"]["sourceSessionId"]) == ("claude", SESSION)
    assert result.stderr == f"Imported from Claude Code: usage excluded\ngo on with: pi --session {header['id']}\n"


def test_the_record_names_the_source_by_a_path_that_means_something_later(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(machine.source.parent)
    path = Path(machine.run(machine.source.name, "--embed", "--cwd", machine.project).stdout[:-1])
    _, head, *rest = entries(path)
    assert head["data"]["sourcePath"] == head["data"]["sourceFiles"][0]["path"] == str(machine.source)
    assert [row["data"]["embed"]["path"] for row in rest if "embed" in row.get("data", {})] == [str(machine.source)]


def test_only_its_owner_may_look_at_it(machine: Machine) -> None:
    path = machine.bring()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for folder in (machine.folder, machine.sessions, machine.sessions.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_it_is_as_old_as_what_was_said_last(machine: Machine) -> None:
    last = entries(machine.bring())[-3]["message"]["timestamp"]
    assert machine.files[0].stat().st_mtime_ns == last * 1_000_000


def test_a_second_import_is_a_second_session(machine: Machine) -> None:
    first = machine.bring()
    before = first.read_bytes()
    second = machine.bring()
    assert first.read_bytes() == before
    assert machine.files == sorted([first, second])
    ids = [[entry["id"] for entry in entries(path)] for path in (first, second)]
    assert not set(ids[0]) & set(ids[1])


def test_an_import_into_another_project_is_another_session(machine: Machine) -> None:
    other = machine.home / "other"
    other.mkdir()
    assert entries(machine.bring())[0]["id"] != entries(machine.bring("--cwd", other))[0]["id"]


def test_another_project_must_be_there_and_is_named_without_links(machine: Machine) -> None:
    assert machine.run(machine.source, "--cwd", machine.top / "nowhere").exit_code == 2
    assert not machine.sessions.exists()
    other = machine.home / "my.proj_x y" / "é"
    other.mkdir(parents=True)
    (machine.home / "link").symlink_to(other)
    result = machine.run(machine.source, "--cwd", f"{machine.home}/./link/")
    path = Path(result.stdout[:-1])
    assert path.parent.name == "--" + str(other)[1:].replace("/", "-") + "--"
    assert entries(path)[0]["cwd"] == str(other)
    assert f"go on with: cd '{other}' && pi --session " in result.stderr


@pytest.mark.parametrize(
    ("variable", "value", "folder"),
    [
        ("PI_CODING_AGENT_DIR", "~/agent", "home/agent/sessions/{project}"),
        ("PI_CODING_AGENT_DIR", "{top}/agent", "agent/sessions/{project}"),
        ("PI_CODING_AGENT_SESSION_DIR", "~/all", "home/all"),
        ("PI_CODING_AGENT_SESSION_DIR", "all", "home/code/app/all"),
        ("PI_CODING_AGENT_DIR", "", "home/.pi/agent/sessions/{project}"),
    ],
)
def test_variables_move_the_store(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, folder: str
) -> None:
    monkeypatch.setenv(variable, value.format(top=machine.top))
    assert machine.bring().parent == machine.top / folder.format(project=machine.folder.name)


def test_pi_settings_move_the_store_but_those_of_the_project_do_not(machine: Machine) -> None:
    for folder, place in ((machine.home / ".pi/agent", "~/all"), (machine.project / ".pi", "/nowhere")):
        folder.mkdir(parents=True)
        (folder / "settings.json").write_text(json.dumps({"sessionDir": place}))
    assert machine.bring().parent == machine.home / "all"


def test_another_home_leaves_variables_out_of_account(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(machine.top / "agent"))
    other = machine.top / "other"
    claude_session(other / ".claude/projects/-a", "abcd")
    result = machine.run("abc", "--home", other)
    path = Path(result.stdout[:-1])
    assert path.parent == other / ".pi/agent/sessions" / machine.folder.name
    # Pi would not find its id in that store.
    assert f"pi --session {path}" in result.stderr
    assert not machine.sessions.exists()


def test_a_root_moves_the_store_and_not_where_sources_are_looked_for(machine: Machine) -> None:
    claude_session(machine.home / ".claude/projects/-a", "abcd")
    (machine.top / "store").mkdir()
    result = machine.run("abcd", "--root", f"pi={machine.top}/store")
    assert Path(result.stdout[:-1]).parent == machine.top / "store" / machine.folder.name


def test_sub_agents_hang_on_the_new_file_of_their_session(machine: Machine) -> None:
    below = machine.source.with_suffix("") / "subagents"
    write_rows(
        below / "agent-k.jsonl", [user("s", None, "count", isSidechain=True, agentId="k"), assistant("t", "s", "2")]
    )
    first = machine.bring()
    assert len(machine.files) == 2
    (child,) = set(machine.files) - {first}
    assert entries(child)[0]["parentSession"] == str(first)
    second = machine.bring()
    parents = [entries(path)[0].get("parentSession") for path in machine.files]
    assert sorted(filter(None, parents)) == sorted([str(first), str(second)])


def test_sub_agents_can_be_left_out_and_that_is_counted(machine: Machine) -> None:
    below = machine.source.with_suffix("") / "subagents"
    write_rows(below / "agent-k.jsonl", [user("s", None, "count", isSidechain=True, agentId="k")])
    report = machine.top / "report.json"
    machine.bring("--no-subagents", "--report", report)
    assert len(machine.files) == 1
    assert json.loads(report.read_text())["totals"]["lost"]["subagent"] == 1


def test_secrets_stay_behind_unless_they_are_asked_for(machine: Machine) -> None:
    secret = "".join(["ghp", "_", "a1B2c3D4e5" * 4])
    machine.says([user("u", None, f"use {secret}", 1), assistant("a", "u", "ok", 2)])
    assert secret.encode() not in machine.bring().read_bytes()
    assert secret.encode() in machine.bring("--no-redact").read_bytes()


def test_what_is_written_reads_back_as_an_import(machine: Machine) -> None:
    session = next(event for event in read_events(str(machine.bring())) if isinstance(event, Session))
    assert (session.imported_from, session.cwd) == ("claude", str(machine.project))


def test_equal_times_of_import_give_equal_files(machine: Machine) -> None:
    when = ("--imported-at", "2026-05-01T00:00:00Z")
    first = machine.bring(*when).read_bytes()
    machine.files[0].unlink()
    assert machine.bring(*when).read_bytes() == first


def test_several_sources_are_imported_and_a_bad_one_does_not_stop_the_others(machine: Machine) -> None:
    other = claude_session(machine.top / "more", "other")
    result = machine.run(machine.source, machine.top / "none.jsonl", other)
    assert result.exit_code == 1
    assert [Path(line) in machine.files for line in result.stdout.splitlines()] == [True, True]
    assert [line for line in result.stderr.splitlines() if line.startswith("panscript: ")] == [
        f"panscript: {machine.top}/none.jsonl: there is no such file"
    ]


def test_a_session_of_the_target_itself_is_refused(machine: Machine) -> None:
    source = pi_session(machine.top / "s.jsonl", "p1")
    result = machine.run(source)
    assert (result.exit_code, result.stdout, machine.files) == (1, "", [])
    assert result.stderr == f"panscript: {source}: this is a session of Pi already\n"


def test_only_agents_with_a_store_are_targets(machine: Machine) -> None:
    result = machine.run(machine.source, "--to", "amp")
    assert result.exit_code == 1
    assert result.stderr == "panscript: amp: nothing can be imported into it (pi, codex, claude)\n"


def test_a_strict_loss_leaves_nothing_behind(machine: Machine) -> None:
    picture = {"type": "image", "source": {"type": "url", "url": "https://x/y.png"}}
    machine.says([*TALK, user("v", "a", [picture], 3)])
    before = snapshot(machine.home)
    result = machine.run(machine.source, "--strict")
    assert (result.exit_code, result.stdout) == (1, "")
    assert snapshot(machine.home).keys() == before.keys()


def test_quiet_says_only_the_path(machine: Machine) -> None:
    result = machine.run(machine.source, "--quiet")
    assert (result.exit_code, result.stderr) == (0, "")


def test_settings_of_the_command_are_its_defaults(machine: Machine) -> None:
    (machine.home / "panscript.toml").write_text("[import]\nno_subagents = true\nquiet = true\n")
    result = machine.run(machine.source)
    assert (result.exit_code, result.stderr) == (0, "")


def test_without_source_a_query_must_mean_one_session(machine: Machine) -> None:
    folder = machine.home / ".claude/projects/-a"
    claude_session(folder, "abcd", "mend the flaky test")
    claude_session(folder, "efgh", "write a poem")
    codex_thread(machine.home / ".codex/sessions/2026/03/01", 1, "mend the roof")
    pi_session(machine.sessions / "--a--/x.jsonl", "p1", "mend the flaky test")
    assert machine.run().exit_code == 2
    assert machine.run("--query", "mend", machine.source).exit_code == 2
    many = machine.run("--query", "mend")
    assert (many.exit_code, many.stdout) == (1, "")
    assert "mend: 2 sessions are like that (" in many.stderr
    assert "claude abcd 'mend the flaky test'" in many.stderr
    none = machine.run("--query", "nothing like it")
    assert none.exit_code == 1
    assert none.stderr.count("\n") == 1
    one = machine.run("--query", "FLAKY")
    assert one.exit_code == 0, one.stderr
    assert entries(Path(one.stdout[:-1]))[1]["data"]["sourceSessionId"] == "abcd"
    assert machine.run("--query", "mend", "--from", "codex").exit_code == 0
    # The imports in Pi's store are no other sessions, and are found where there are no others.
    into_claude = machine.run("--query", "FLAKY", "--to", "claude", "--from", "pi")
    assert "pi p1" not in into_claude.stderr
    assert into_claude.exit_code == 0
    assert machine.run("--query", "FLAKY", "--to", "codex").stderr.count("sessions are like that") == 1
    (machine.sessions / "--a--/x.jsonl").unlink()
    (folder / "abcd.jsonl").unlink()
    only = machine.run("--query", "FLAKY", "--to", "codex", "--from", "pi", "--quiet")
    assert (only.exit_code, only.stdout.count("\n")) == (0, 1)


def test_a_dry_run_writes_nothing_and_names_the_place(machine: Machine) -> None:
    before = snapshot(machine.home)
    result = machine.run(machine.source, "--dry-run")
    assert snapshot(machine.home) == before
    path = Path(result.stdout[:-1])
    assert result.stderr == f"would be imported: {path}\n"
    assert machine.bring() == path
    grown = machine.says([*TALK, *MORE])
    before = snapshot(machine.home)
    result = machine.run(grown, "--dry-run", "--once")
    assert snapshot(machine.home) == before
    assert f"would be appended: {path}\n" in result.stderr
    assert Path(result.stdout[:-1]) == path


_WATCHED = """
import os, sys
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod",
           "os.utime", "os.chown", "os.mkfifo", "os.mknod", "tempfile.mkstemp", "tempfile.mkdtemp", "shutil.move")
def watch(event, args):
    opens = event == "open" and isinstance(args[2], int) and args[2] & WRITES and args[0] != os.devnull
    if event in CHANGES or opens:
        os.write(2, f"WROTE {event} {args!r}\\n".encode())
sys.addaudithook(watch)
from panscript.cli.main import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize("options", [[], ["--once"], ["--embed", "--branch", "all"], ["--open"]])
def test_a_dry_run_asks_the_system_for_no_change_at_all(machine: Machine, options: list[str]) -> None:
    machine.bring()
    machine.says([*TALK, *MORE])
    command = [sys.executable, "-B", "-c", _WATCHED, "import", str(machine.source), "--dry-run", *options]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT / ".src")}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "WROTE" not in done.stderr
    watched = subprocess.run(
        [part for part in command if part not in {"--dry-run", "--open"}],
        env={**os.environ, "PYTHONPATH": str(ROOT / ".src")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "WROTE" in watched.stderr, "the watch sees nothing"


def _agent(folder: Path, text: str) -> None:
    folder.mkdir()
    # Not as its `#!` line: that cannot name an interpreter whose path has a space.
    (folder / "pi").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(text)} "$@"\n')
    (folder / "pi").chmod(0o755)


def _opened(machine: Machine, *args: object, path: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "panscript.cli", "import", machine.source, "--open", *map(str, args)],
        env={**os.environ, "PYTHONPATH": str(ROOT / ".src"), "PATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_agent_is_started_on_the_session_in_its_folder(machine: Machine) -> None:
    _agent(machine.top / "bin", "import os, sys; print(os.getcwd(), *sys.argv[1:])")
    other = machine.home / "other"
    other.mkdir()
    done = _opened(machine, "--cwd", other, path=str(machine.top / "bin"))
    path, said = done.stdout.splitlines()
    assert said == f"{other} --session {entries(Path(path))[0]['id']}"


def test_without_the_agent_nothing_is_imported(machine: Machine) -> None:
    (machine.top / "bin").mkdir()
    done = _opened(machine, path=str(machine.top / "bin"))
    assert (done.returncode, done.stdout, machine.files) == (1, "", [])
    assert done.stderr == "panscript: pi: this program is not on the PATH, so nothing was imported\n"


def test_the_agent_is_started_on_one_session_only(machine: Machine) -> None:
    assert machine.run(machine.source, machine.source, "--open").exit_code == 2
    assert machine.files == []


def test_a_session_from_standard_input_is_kept_to_by_its_id(machine: Machine) -> None:
    data = machine.source.read_bytes()
    paths = [CliRunner().invoke(main, ["import", "-", "--once"], input=data).stdout for _ in range(2)]
    assert paths[0] == paths[1]
    assert [str(path) for path in machine.files] == paths[0].splitlines()
    assert machine.bring("--once") == machine.files[0]
