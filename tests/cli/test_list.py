"""`panscript list`: every session once, newest first, and nothing in it that moves a cursor."""

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from panscript.cli.listing import Entry, short_ids
from panscript.cli.main import main
from panscript.cli.table import age
from panscript.readers.peek import Facts
from panscript.schemas.records import SessionFile, Source
from tests.readers.trees import claude_row, claude_session, codex_thread, pi_session, thread_id, write

KEYS = [
    "agent",
    "session_id",
    "parent_session_id",
    "path",
    "title",
    "first_message",
    "cwd",
    "created",
    "modified",
    "messages",
    "imported_from",
]


def run(*args: object) -> Result:
    """Run the program."""
    return CliRunner().invoke(main, [str(arg) for arg in args])


def listed(*args: object) -> list[dict[str, Any]]:
    """The rows of `list --json`."""
    result = run("list", "--json", *args)
    assert result.exit_code == 0, result.output
    rows: list[dict[str, Any]] = json.loads(result.stdout)
    return rows


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with a session of each agent."""
    home = tmp_path / "home"
    claude_session(home / ".claude/projects/-a", "c1", "about queues", timestamp="2026-03-02T10:00:00.000Z")
    write(
        home / ".claude/projects/-a/c1/subagents/agent-b.jsonl",
        claude_row("c1", "count the lines", isSidechain=True, agentId="b", timestamp="2026-03-05T10:00:00.000Z"),
    )
    codex_thread(home / ".codex/sessions/2026/03/01", 1, "about stacks")
    pi_session(home / ".pi/agent/sessions/--a--/x.jsonl", "p1", "about trees")
    return home


def test_json_has_exactly_the_fixed_keys_and_children_follow_their_parent(home: Path) -> None:
    rows = listed("--home", home)
    assert [list(row) for row in rows] == [KEYS] * 4
    assert [(row["session_id"], row["parent_session_id"]) for row in rows] == [
        ("c1", None),
        ("c1/b", "c1"),
        ("p1", None),
        (thread_id(1), None),
    ]
    assert rows[0] == {
        "agent": "claude",
        "session_id": "c1",
        "parent_session_id": None,
        "path": str(home / ".claude/projects/-a/c1.jsonl"),
        "title": None,
        "first_message": "about queues",
        "cwd": "/home/dev/app",
        "created": "2026-03-02T10:00:00.000Z",
        "modified": "2026-03-02T10:00:00.000Z",
        "messages": 1,
        "imported_from": None,
    }


def test_the_last_changed_comes_first_and_equal_times_in_the_order_of_discovery(home: Path) -> None:
    for name in ("c3", "c2"):
        claude_session(home / ".claude/projects/-b", name, timestamp="2026-03-03T10:00:00.000Z")
    assert [row["session_id"] for row in listed("--home", home, "--from", "claude")] == ["c2", "c3", "c1", "c1/b"]


def test_no_sessions_are_an_empty_array_and_a_word_on_stderr(tmp_path: Path) -> None:
    assert listed("--home", tmp_path) == []
    result = run("list", "--home", tmp_path)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "no sessions were found\n")


@pytest.mark.parametrize("value", [["claude,pi"], ["pi", "claude"], ["claude", "claude,pi"]])
def test_from_may_be_repeated_or_a_list(home: Path, value: list[str]) -> None:
    options = [part for each in value for part in ("--from", each)]
    assert {row["agent"] for row in listed("--home", home, *options)} == {"claude", "pi"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--query", "STACKS"], [thread_id(1)]),
        (["--query", "p1"], ["p1"]),
        (["--query", "/home/ana"], ["p1"]),
        (["--query", "the lines"], ["c1", "c1/b"]),
        (["--query", "nothing"], []),
        (["--cwd", "/home/ana/app"], ["p1"]),
        (["--cwd", "/home/ana/../ana/app/"], ["p1"]),
        (["--cwd", "/home/ana"], []),
        (["--since", "2026-03-02"], ["c1", "c1/b"]),
        (["--until", "2026-03-02"], ["p1", thread_id(1)]),
        (["--since", "2026-03-02T12:00:00+02:00"], ["c1", "c1/b"]),
        (["--since", "2026-03-02T10:00:00.001Z"], []),
        (["--until", "2026-03-02T10:00:00Z"], ["p1", thread_id(1)]),
        (["--limit", "1"], ["c1", "c1/b"]),
        (["--limit", "0"], []),
        (["--limit", "1", "--all"], ["c1", "c1/b", "p1", thread_id(1)]),
    ],
)
def test_what_is_asked_for_is_listed(home: Path, options: list[str], expected: list[str]) -> None:
    assert [row["session_id"] for row in listed("--home", home, *options)] == expected


def test_fifty_are_listed_unless_more_are_asked_for(tmp_path: Path) -> None:
    for number in range(55):
        claude_session(tmp_path / ".claude/projects/-a", f"s{number:02d}")
    assert len(listed("--home", tmp_path)) == 50
    assert len(listed("--home", tmp_path, "--all")) == 55


@pytest.mark.parametrize("bound", ["yesterday", "2026-03-02T10:00:00", "2026-3-2", "1772359200"])
def test_a_bound_that_is_not_certain_is_wrong_usage(home: Path, bound: str) -> None:
    assert run("list", "--home", home, "--since", bound).exit_code == 2


@pytest.mark.parametrize(
    "options", [["--from", "nobody"], ["--root", "claude"], ["--root", "nobody=/"], ["--home", "/nowhere/at/all"]]
)
def test_unknown_agents_and_odd_places_are_wrong_usage(options: list[str]) -> None:
    assert run("list", *options).exit_code == 2


def test_a_root_that_is_not_there_is_refused(tmp_path: Path) -> None:
    result = run("list", "--root", f"claude={tmp_path}/none")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"panscript: {tmp_path}/none: there is no such folder\n"


def test_a_root_replaces_the_places_of_its_agent(home: Path, tmp_path: Path) -> None:
    claude_session(tmp_path / "other/-p", "c9")
    rows = listed("--home", home, "--root", f"claude={tmp_path}/other")
    assert [row["session_id"] for row in rows if row["agent"] == "claude"] == ["c9"]
    assert {row["agent"] for row in rows} == {"claude", "codex", "pi"}


def test_messages_of_large_sessions_are_counted_only_when_asked_for(tmp_path: Path) -> None:
    rows = [claude_row("c1", "x" * 3000, uuid=f"u{number}") for number in range(40)]
    write(tmp_path / ".claude/projects/-a/c1.jsonl", *rows)
    assert listed("--home", tmp_path)[0]["messages"] is None
    assert listed("--home", tmp_path, "--count")[0]["messages"] == 40


def test_each_problem_is_one_warning_and_the_list_goes_on(home: Path) -> None:
    folder = home / ".claude/projects/-a"
    (folder / "dead.jsonl").symlink_to("nowhere")
    (folder / "rubbish.jsonl").write_text("no json\n")
    (folder / "folder.jsonl").mkdir()
    (folder / "empty.jsonl").write_bytes(b"")
    result = run("list", "--home", home, "--from", "claude", "--json")
    assert result.exit_code == 0
    assert [row["session_id"] for row in json.loads(result.stdout)] == ["c1", "c1/b"]
    assert sorted(result.stderr.splitlines()) == [
        f"panscript: {folder}/dead.jsonl: this link leads nowhere",
        f"panscript: {folder}/folder.jsonl: a folder with the name of a session file was left out",
        f"panscript: {folder}/rubbish.jsonl: no session of Claude Code was recognised in it",
    ]
    assert run("list", "--home", home, "--quiet", "--json").stderr == ""


def test_the_table_is_plain_and_aligned_off_a_terminal(home: Path) -> None:
    claude_session(
        home / ".claude/projects/-a", "wide", "日本語 [bold]text[/bold]", timestamp="2026-03-04T10:00:00.000Z"
    )
    result = run("list", "--home", home)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "AGENT   ID        CHANGED           MESSAGES  FOLDER         TITLE",
        "claude  wide      2026-03-04 10:00  1         /home/dev/app  日本語 [bold]text[/bold]",
        "claude  c1        2026-03-02 10:00  1         /home/dev/app  about queues",
        "claude  └ b       2026-03-05 10:00  1         /home/dev/app  count the lines",
        "pi      p1        2026-03-01 10:00  1         /home/ana/app  about trees",
        "codex   01990000  2026-03-01 10:00  1         /home/dev/app  about stacks",
    ]


def test_no_control_reaches_the_table_and_all_of_them_the_json(tmp_path: Path) -> None:
    evil = "\x1b[31mSiren\x1b]2;evil title\x07 repair\x9b2J\u202e"
    claude_session(tmp_path / ".claude/projects/-a", "c1", evil, cwd="/home/\x1b[2Jdev")
    shown = run("list", "--home", tmp_path).stdout
    assert "Siren repair" in shown
    assert [character for character in shown if ord(character) < 32 and character != "\n"] == []
    assert not any(part in shown for part in ("[31m", "evil title", "\x9b", "\u202e"))
    row = listed("--home", tmp_path)[0]
    assert row["first_message"] == evil
    assert row["cwd"] == "/home/\x1b[2Jdev"


def test_a_file_name_that_is_no_text_is_shown_escaped(tmp_path: Path) -> None:
    folder = tmp_path / ".claude/projects/-a"
    made = claude_session(folder, "c1", sessionId=None)
    os.rename(made, os.fsencode(folder) + b"/\xff.jsonl")
    row = listed("--home", tmp_path)[0]
    assert row["path"].endswith(r"/\xff.jsonl")
    assert row["session_id"] == r"\xff"


def test_home_takes_no_variable_of_this_process(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/nowhere")
    assert [row["session_id"] for row in listed("--home", home, "--from", "claude")] == ["c1", "c1/b"]


def _entry(name: str, agent_id: str | None = None) -> Entry:
    files = (SessionFile("x"),)
    source = Source(agent="claude", id=name, files=files, parent="p" if agent_id else None, agent_id=agent_id)
    return Entry(source, Facts(session_id=name))


def test_a_short_id_is_long_enough_to_mean_one_session() -> None:
    names = ["abcdefgh-1", "abcdefgh-23", "abcdefgh-24", "zyx", "zyxwvutsrq"]
    short = short_ids([*map(_entry, names), _entry("child", "child")])
    assert {name: said for (_, name), said in short.items()} == {
        "abcdefgh-1": "abcdefgh-1",
        "abcdefgh-23": "abcdefgh-23",
        "abcdefgh-24": "abcdefgh-24",
        "zyx": "zyx",
        "zyxwvutsrq": "zyxwvuts",
        "p/child": "child",
    }


def test_a_short_id_means_no_session_of_another_agent() -> None:
    here, there = _entry("abcdefgh-1"), _entry("abcdefgh-2")
    there = Entry(msgspec.structs.replace(there.source, agent="codex"), there.facts)
    assert short_ids([here, there]) == {("claude", "abcdefgh-1"): "abcdefgh-1", ("codex", "abcdefgh-2"): "abcdefgh-2"}


def test_one_id_at_two_agents_is_as_short_as_at_each(home: Path) -> None:
    """A session imported into two agents has one id at both; `--from` tells them apart."""
    here = _entry("abcdefgh-1")
    there = Entry(msgspec.structs.replace(here.source, agent="codex"), here.facts)
    assert short_ids([here, there]) == {("claude", "abcdefgh-1"): "abcdefgh", ("codex", "abcdefgh-1"): "abcdefgh"}
    name = "0" * 8 + "-0000-4000-8000-" + "0" * 12
    claude_session(home / ".claude/projects/-a", name)
    pi_session(home / ".pi/agent/sessions/--a--/y.jsonl", name)
    shown = [line.split()[:2] for line in run("list", "--home", home).stdout.splitlines()]
    assert ["claude", "0" * 8] in shown
    assert ["pi", "0" * 8] in shown


def test_where_there_are_more_sessions_than_are_shown_it_is_said(home: Path) -> None:
    said = run("list", "--home", home, "--limit", 2)
    assert (said.stderr, len(said.stdout.splitlines())) == ("2 of 3 sessions; --all shows all\n", 4)
    assert run("list", "--home", home, "--limit", 2, "--json").stderr == said.stderr
    assert run("list", "--home", home, "--limit", 2, "--quiet").stderr == ""
    assert run("list", "--home", home, "--limit", 2, "--all").stderr == ""


@pytest.fixture
def imports(home: Path, tmp_path: Path) -> Path:
    """The home folder with an import of Claude Code's session into Pi's store."""
    (tmp_path / "app").mkdir()
    done = run("import", home / ".claude/projects/-a/c1.jsonl", "--home", home, "--cwd", tmp_path / "app", "--quiet")
    assert done.exit_code == 0, done.stderr
    return home


def test_an_import_says_where_it_comes_from(imports: Path) -> None:
    origins = {(row["agent"], row["imported_from"]) for row in listed("--home", imports)}
    assert origins == {("claude", None), ("codex", None), ("pi", None), ("pi", "claude")}


def test_the_table_says_once_where_an_import_comes_from(imports: Path) -> None:
    shown = [line for line in run("list", "--home", imports).stdout.splitlines() if "pi (from claude)" in line]
    assert "about queues" in shown[0]
    assert not any("Imported from" in line for line in shown)
    assert listed("--home", imports, "--query", "Imported from Claude Code: about queues")


def test_ids_that_must_be_long_are_broken_and_not_cut(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"10000000-0000-4000-8000-00000000000{number}" for number in range(2)]
    for name in names:
        claude_session(home / ".claude/projects/-a", name, "word " * 40)
    monkeypatch.setattr("panscript.cli.table._is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "70")
    lines = run("list", "--home", home).stdout.splitlines()
    column = lines[0].index("ID")
    shown = "".join(line[column : lines[0].index("  AGE  ")].strip() for line in lines)
    assert all(name in shown for name in names)
    assert all(len(line[line.index("word") :].strip()) >= 20 for line in lines if "word" in line)


@pytest.mark.parametrize(("width", "left_out"), [(80, False), (68, True)])
def test_a_title_keeps_its_place_and_a_folder_that_has_none_is_named(
    imports: Path, width: int, left_out: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude_session(imports / ".claude/projects/-a", "long", "word " * 40, timestamp="2026-03-04T10:00:00.000Z")
    monkeypatch.setattr("panscript.cli.table._is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    done = run("list", "--home", imports)
    (line,) = [line for line in done.stdout.splitlines() if " long " in line]
    assert len(line[line.index("word") :]) >= 20
    assert ("FOLDER" in done.stdout) != left_out
    assert ("no room for the column FOLDER" in done.stderr) == left_out
    assert "no room" not in run("list", "--home", imports, "--quiet").stderr


@pytest.mark.parametrize(
    ("minutes", "word"),
    [(-5, "now"), (0, "now"), (1, "1m"), (59, "59m"), (60, "1h"), (1439, "23h"), (1440, "1d"), (43_200, "1mo")],
)
def test_ages_are_one_word(minutes: int, word: str) -> None:
    assert age(0, minutes * 60_000) == word
    assert age(0, 2 * 366 * 86_400_000) == "2y"


@pytest.mark.parametrize("width", [64, 80, 100, 200])
def test_on_a_terminal_ids_stay_whole_and_titles_give_way(
    home: Path, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude_session(home / ".claude/projects/-a", "long", "word " * 40, timestamp="2026-03-04T10:00:00.000Z")
    monkeypatch.setattr("panscript.cli.table._is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    lines = run("list", "--home", home).stdout.splitlines()
    assert lines[0].split() == ["AGENT", "ID", "AGE", "MESSAGES", "FOLDER", "TITLE"]
    assert len(lines) == 6
    assert all(len(line) <= width for line in lines)
    for name in ("long", "c1", "└ b", "p1", "01990000"):
        assert any(name in line for line in lines)
