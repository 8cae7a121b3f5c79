"""Whole folders of sessions: what is found below them, that one outcome does not hang on another, and the sum."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.builders import assistant, user, write_rows
from tests.cli.imports import Machine, machine
from tests.cli.program import Done, panscript, snapshot
from tests.readers.trees import claude_session, codex_thread, pi_session
from tests.sessions import FIXTURES

__all__ = ["machine"]

SECRET = "ghp_" + "A1b2C3d4E5f6" * 3
GARBAGE = "00000000-0000-4000-8000-0000000000ff.jsonl"
WHEN = ("--imported-at", "2026-05-01T00:00:00Z")


def said(name: str, text: str = "hello", **more: Any) -> list[dict[str, Any]]:
    """The rows of a session of Claude Code of this name."""
    return [user("u", None, text, 1, sessionId=name, **more), assistant("a", "u", "hi", 2, sessionId=name, **more)]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Sessions of three agents at several depths, one with a sub-agent, and files that are no sessions."""
    top = tmp_path / "corpus"
    write_rows(top / ".claude/projects/-a/one.jsonl", said("one"))
    side = said("one", "count", isSidechain=True, agentId="k")
    write_rows(top / ".claude/projects/-a/one/subagents/agent-k.jsonl", side)
    write_rows(top / ".claude/history.jsonl", [{"display": "hello", "project": "/a"}])
    claude_session(top / "loose", "two")
    shutil.copy(FIXTURES / "pi/tree.jsonl", top / "loose/a tree.jsonl")
    codex_thread(top / "deep/er/sessions/2026/03/01", 1)
    (top / "loose/notes.txt").write_text("nothing\n")
    write_rows(top / "loose/data.jsonl", [{"x": 1}])
    return top


def convert(tmp_path: Path, *args: object) -> Done:
    """Convert into the folder `out`, with a report, at the same time each time."""
    return panscript("convert", *args, "--to", "pi", "-o", "out/", "--report", "r.json", *WHEN, cwd=tmp_path)


def report(tmp_path: Path) -> list[dict[str, Any]]:
    """The sessions of the report."""
    files: list[dict[str, Any]] = json.loads((tmp_path / "r.json").read_bytes())["files"]
    return files


def written(tmp_path: Path) -> list[Path]:
    """The files below `out`."""
    return sorted(path for path in (tmp_path / "out").rglob("*") if path.is_file())


def test_every_session_below_a_folder_is_found_once_whoever_wrote_it(tmp_path: Path, corpus: Path) -> None:
    (corpus / "again.jsonl").symlink_to(corpus / "loose/two.jsonl")
    done = convert(tmp_path, corpus)
    assert done.code == 0
    paths = [Path(file["path"]).name for file in report(tmp_path)]
    assert [*paths[:2], *paths[3:]] == ["one.jsonl", "agent-k.jsonl", "a tree.jsonl", "two.jsonl"]
    assert [file["agent"] for file in report(tmp_path)] == ["claude", "claude", "codex", "pi", "claude"]
    assert len(written(tmp_path)) == 5
    assert done.complaints[-1] == "4 sessions converted, 5 files written; 2 other files passed over"
    assert [line.split()[0] for line in done.complaints[:5]] == ["wrote"] * 5


def test_what_is_reachable_by_several_sources_is_converted_once(tmp_path: Path, corpus: Path) -> None:
    two = corpus / "loose/two.jsonl"
    agent = corpus / ".claude/projects/-a/one/subagents/agent-k.jsonl"
    done = convert(tmp_path, agent, two, corpus, corpus / "loose", two)
    assert (done.code, len(written(tmp_path))) == (0, 5)
    assert [Path(file["path"]).name for file in report(tmp_path)][:1] == ["two.jsonl"]
    shutil.rmtree(tmp_path / "out")
    assert convert(tmp_path, agent, corpus / ".claude", "--no-subagents").code == 0
    assert len(written(tmp_path)) == 2


def test_only_the_agent_that_is_asked_for(tmp_path: Path, corpus: Path) -> None:
    assert convert(tmp_path, corpus, "--from", "codex").code == 0
    assert [file["agent"] for file in report(tmp_path)] == ["codex"]


def test_a_bad_session_does_not_stop_the_others(tmp_path: Path, corpus: Path) -> None:
    bad = corpus / "loose" / GARBAGE
    bad.write_bytes(b"no session\n")
    silent = write_rows(corpus / "loose/silent.jsonl", [{"type": "summary", "summary": "x", "leafUuid": "y"}])
    done = convert(tmp_path, corpus)
    assert (done.code, len(written(tmp_path))) == (1, 5)
    errors = [line for line in done.complaints if line.startswith("panscript: ")]
    assert sum(str(bad) in line for line in errors) == 1
    assert sum(str(silent) in line for line in errors) == 1
    assert done.complaints[-1].startswith("4 sessions converted, 2 refused, 5 files written")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everywhere")
def test_a_file_and_a_folder_that_may_not_be_read_are_named(tmp_path: Path, corpus: Path) -> None:
    (corpus / "loose/two.jsonl").chmod(0)
    (corpus / "deep").chmod(0)
    done = convert(tmp_path, corpus)
    (corpus / "deep").chmod(0o700)
    assert (done.code, len(written(tmp_path))) == (1, 3)
    assert sum("Permission denied" in line for line in done.complaints) == 2


@pytest.mark.parametrize("command", ["convert", "redact", "events", "import"])
def test_a_folder_without_a_session_is_one_line(tmp_path: Path, command: str) -> None:
    write_rows(tmp_path / "in/data.jsonl", [{"x": 1}])
    more = {"convert": ["--to", "pi", "-o", "out/"], "redact": ["-o", "out/"]}.get(command, [])
    for folder, hint in (("in", " (one file was looked at)"), ("empty", "")):
        (tmp_path / folder).mkdir(exist_ok=True)
        done = panscript(command, folder, *more, "--quiet", cwd=tmp_path)
        assert (done.code, done.out) == (1, b"")
        assert done.err == f"panscript: {folder}: no session was found in this folder{hint}\n"
    assert not (tmp_path / "out").exists()


def test_the_sessions_of_a_folder_need_a_folder(tmp_path: Path, corpus: Path) -> None:
    (tmp_path / "x.jsonl").touch()
    for args in ((), ("-o", "x.jsonl")):
        for command in (["convert", "--to", "pi"], ["redact"]):
            done = panscript(*command, corpus, *args, cwd=tmp_path)
            assert (done.code, done.out, len(done.complaints)) == (1, b"", 1)
            assert "the sessions of a folder need a folder (-o DIR/)" in done.err
    assert panscript("convert", corpus, "--to", "pi", "-o", "new.d", cwd=tmp_path).code == 0
    assert (tmp_path / "new.d").is_dir()


def test_the_output_is_no_source(tmp_path: Path) -> None:
    claude_session(tmp_path, "two")
    for _ in range(2):
        assert convert(tmp_path, ".", "--force").code == 0
        assert (len(report(tmp_path)), len(written(tmp_path))) == (1, 1)


def test_several_processes_have_the_outcome_of_one(tmp_path: Path, corpus: Path) -> None:
    (corpus / "loose" / GARBAGE).write_bytes(b"no session\n")
    write_rows(corpus / "b/secret.jsonl", said("three", f"use {SECRET} and 12345"))
    (tmp_path / "panscript.toml").write_text(
        "[[redaction.rules]]\nname = 'five-digits'\npattern = '[0-9]{5}'\n[convert]\njobs = 1\n"
    )
    sources = (corpus, FIXTURES / "claude", FIXTURES / "codex")
    outcomes = []
    for jobs in ((), ("--jobs", 3)):
        done = convert(tmp_path, *sources, *jobs)
        files = snapshot(tmp_path / "out")
        outcomes.append((done, files, (tmp_path / "r.json").read_bytes()))
        shutil.rmtree(tmp_path / "out")
    assert outcomes[0] == outcomes[1]
    assert json.loads(outcomes[0][2])["totals"]["redacted"].keys() == {"five-digits", "github-token"}


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_two_sessions_of_one_name_are_noticed(tmp_path: Path, jobs: int, force: tuple[str, ...]) -> None:
    for name in "abc":
        write_rows(tmp_path / f"in/{name}.jsonl", said("same", f"I am {name}"))
    if force:
        assert convert(tmp_path, "in/c.jsonl").code == 0
    done = convert(tmp_path, "in", "--jobs", jobs, *force)
    (file,) = written(tmp_path)
    assert done.code == 1
    assert b"I am a" in file.read_bytes()
    errors = [line for line in done.complaints if "another session of this run has this name" in line]
    assert [line.split(":")[1] for line in errors] == [" in/b.jsonl", " in/c.jsonl"]
    assert all(line.endswith("that of in/a.jsonl") for line in errors)
    assert "1 session converted, 2 refused, 1 file written" in done.complaints[-1]


def test_quiet_says_nothing_and_one_session_has_no_sum(tmp_path: Path, corpus: Path) -> None:
    assert convert(tmp_path, corpus, "--quiet").err == ""
    shutil.rmtree(tmp_path / "out")
    assert "converted" not in convert(tmp_path, corpus / "loose/two.jsonl").err


def test_the_sum_names_secrets_and_losses(tmp_path: Path) -> None:
    write_rows(tmp_path / "in/a.jsonl", said("a", f"use {SECRET}"))
    picture = [{"type": "image", "source": {"type": "url", "url": "https://x/y.png"}}]
    write_rows(tmp_path / "in/b.jsonl", [*said("b"), user("v", "a", picture, 3, sessionId="b")])
    assert convert(tmp_path, "in").complaints[-1] == (
        "2 sessions converted, 2 files written; 2 secrets replaced; lost: 1 x picture that is only a link"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_folder_that_may_not_be_written(tmp_path: Path, corpus: Path, jobs: int) -> None:
    (tmp_path / "out").mkdir(mode=0o500)
    done = convert(tmp_path, corpus, "--jobs", jobs)
    assert done.code == 1
    assert sum("Permission denied" in line for line in done.complaints) == 4


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_jobs_is_a_number_from_one(tmp_path: Path, corpus: Path, jobs: str) -> None:
    assert convert(tmp_path, corpus, "--jobs", jobs).code == 2


def test_redaction_takes_folders_with_their_sub_agents(tmp_path: Path, corpus: Path) -> None:
    agent = corpus / ".claude/projects/-a/one/subagents/agent-k.jsonl"
    assert panscript("redact", "--check", corpus, cwd=tmp_path).code == 0
    write_rows(agent, said("one", f"use {SECRET}", isSidechain=True, agentId="k"))
    done = panscript("redact", "--check", corpus, cwd=tmp_path)
    assert done.code == 1
    assert f"{agent}: 1 secret (github-token x 1)" in done.complaints
    assert "5 sessions checked; 1 secret found" in done.complaints[-1]
    assert panscript("redact", corpus, "-o", "clean/", "--jobs", 2, cwd=tmp_path).code == 0
    files = [path for path in (tmp_path / "clean").rglob("*") if path.is_file()]
    assert len(files) == 5
    assert not any(SECRET.encode() in path.read_bytes() for path in files)


def test_events_of_a_folder(tmp_path: Path, corpus: Path) -> None:
    done = panscript("events", corpus, "--kinds", "message", cwd=tmp_path)
    agents = {json.loads(line)["source"] for line in done.out.splitlines()}
    assert (done.code, agents) == (0, {"claude", "codex", "pi"})


def test_a_folder_tells_what_the_places_in_it_tell(tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(FIXTURES / "usage-home", home)

    def told(*args: object) -> list[str]:
        return sorted(panscript("events", *args, cwd=tmp_path).out.decode().splitlines())

    assert len(told("--home", home, "--kinds", "usage")) == 44
    assert told(home, "--kinds", "usage") == told("--home", home, "--kinds", "usage")


@pytest.mark.parametrize(
    ("path", "agents"),
    [
        (".clawdbot/agents/main/sessions/old-session.jsonl", {"openclaw"}),
        (".config/Code/User/globalStorage/kilocode.kilo-code", {"kilocode"}),
        (".copilot/otel", {"copilot"}),
    ],
)
def test_what_several_agents_write_alike_is_of_the_one_whose_place_it_lies_in(
    tmp_path: Path, path: str, agents: set[str]
) -> None:
    place = FIXTURES / "usage-home" / path
    found = [json.loads(line) for line in panscript("events", place, cwd=tmp_path).out.splitlines()]
    assert {each["source"] for each in found} == agents
    if path.startswith(".copilot"):
        assert {each["session_id"] for each in found} == {"cop-1", "cop-2"}


def test_every_session_of_a_folder_is_imported(machine: Machine) -> None:
    folder = machine.top / "more"
    for name in ("one", "two"):
        write_rows(folder / f"{name}.jsonl", said(name))
    pi_session(folder / "mine.jsonl", "p1")
    result = machine.run(folder)
    assert result.exit_code == 0, result.stderr
    assert [Path(line) in machine.files for line in result.stdout.splitlines()] == [True, True]
    assert result.stderr.splitlines()[-1] == "2 sessions imported, 2 files written; 1 session is Pi's already"
    assert machine.run(folder, "--once").stderr == "2 unchanged; 1 session is Pi's already\n"
    write_rows(folder / "two.jsonl", [*said("two"), user("v", "a", "and now?", 3, sessionId="two")])
    write_rows(folder / "three.jsonl", said("three"))
    last = machine.run(folder, "--once").stderr.splitlines()[-1]
    assert last == "1 session imported, 1 unchanged, 1 grown, 2 files written; 1 session is Pi's already"
    assert machine.run(folder, "--open").exit_code == 2


def test_where_all_sessions_are_the_targets_own_it_is_said(machine: Machine) -> None:
    folder = machine.top / "more"
    for name in ("p1", "p2"):
        pi_session(folder / f"{name}.jsonl", name)
    result = machine.run(folder)
    assert (result.exit_code, result.stderr) == (0, "all 2 sessions found are Pi's already\n")
    assert machine.run(folder, "--quiet").stderr == ""
    (folder / "p1.jsonl").unlink()
    assert machine.run(folder).stderr == "the only session found is Pi's already\n"
    alone = machine.run(folder / "p2.jsonl")
    assert (alone.exit_code, "this is a session of Pi already" in alone.stderr) == (1, True)


def test_the_same_imports_over_and_over_stay_as_many(machine: Machine) -> None:
    """From each store into the other, as a person does who wants everything everywhere."""
    write_rows(machine.home / ".claude/projects/-a/one.jsonl", said("one"))
    codex_thread(machine.home / ".codex/sessions/2026/03/01", 1)
    counts = []
    for _ in range(3):
        for target in ("pi", "codex", "claude"):
            result = machine.run(machine.home, "--to", target, "--once")
            assert result.exit_code == 0, result.stderr
        counts.append(sum(1 for path in machine.home.rglob("*-*.jsonl")))
    assert counts == [counts[0]] * 3
    result = machine.run(machine.home / ".claude", "--to", "pi", "--once")
    assert result.stderr == "1 unchanged; 1 import passed over\n"


def test_an_import_that_somebody_went_on_with_is_a_source_and_so_is_one_that_is_named(machine: Machine) -> None:
    path = machine.bring("--to", "codex")
    assert machine.run(path.parent, "--to", "claude").stderr == "1 import passed over\n"
    assert machine.run(path, "--to", "claude").stdout.count("\n") == 1
    line = {"type": "response_item", "timestamp": "2026-03-03T00:00:00Z"}
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "on"}]}
    with path.open("a") as file:
        file.write(json.dumps({**line, "type": "turn_context", "payload": {"cwd": "/a", "model": "m"}}) + "\n")
    assert machine.run(path.parent, "--to", "claude").stderr == "1 import passed over\n", "nothing was said"
    with path.open("a") as file:
        file.write(json.dumps({**line, "payload": message}) + "\n")
    result = machine.run(path.parent, "--to", "claude")
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)


def test_all_commands_but_import_take_imports(machine: Machine, tmp_path: Path) -> None:
    path = machine.bring("--to", "codex")
    done = panscript("convert", path.parent, "--to", "pi", "-o", "out/", cwd=tmp_path)
    assert "1 session" not in done.err
    assert done.err.count("wrote ") == 1


def test_an_index_that_has_a_line_of_each_is_one_file(machine: Machine) -> None:
    folder = machine.top / "more"
    for name in ("one", "two"):
        write_rows(folder / f"{name}.jsonl", said(name))
    last = machine.run(folder, "--to", "codex").stderr.splitlines()[-1]
    assert last == "2 sessions imported, 3 files written"


def test_what_is_left_out_by_design_is_said_once(tmp_path: Path) -> None:
    asked = [user(name, "a", f"and {name}?", 3 + at, sessionId="a") for at, name in enumerate("vw")]
    tree = [*said("a"), *asked]
    write_rows(tmp_path / "in/a.jsonl", tree)
    one = convert(tmp_path, "in/a.jsonl")
    design = [line for line in one.complaints if "by design" in line]
    assert design == ["left out by design: 1 x branch (--report says all)"]
    write_rows(tmp_path / "in/b.jsonl", [{**row, "sessionId": "b"} for row in tree])
    many = convert(tmp_path, "in", "--force")
    assert many.complaints[-1].endswith("; left out by design: 2 x branch (--report says all)")
    assert many.err.count("by design") == 1
    assert convert(tmp_path, "in", "--force", "--quiet").err == ""
