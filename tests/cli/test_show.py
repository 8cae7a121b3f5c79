"""`panscript show`: what a person reads of a session, and nothing that a session could do to the person's terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from panscript.cli.main import main
from panscript.cli.pager import pager_command
from panscript.cli.transcript.coloured import coloured, screen
from panscript.cli.transcript.pieces import Look, Piece
from panscript.cli.transcript.plain import plain
from panscript.cli.transcript.showing import pieces
from panscript.readers import open_source
from panscript.schemas.report import FileReport
from tests.builders import SESSION, assistant, call, result_row, user, write_rows
from tests.repository import ROOT
from tests.sessions import FIXTURES, SESSIONS, name_of

SHOWN = Path(__file__).parent / "shown"
CAPTURED = {
    "claude": "claude/v2.1.328/projects/-home-dev-app/20442b62-39fb-44c6-98c1-119a0a4ec831.jsonl",
    "claude-compacted": "claude/v2.1.328/projects/-home-dev-app/10000000-0000-4000-8000-000000000007.jsonl",
    "claude-sub-agent": "claude/v2.1.328/projects/-home-dev-app/10000000-0000-4000-8000-000000000004.jsonl",
    "codex": "codex/home-0.171.0/sessions/2026/11/30/"
    "rollout-2026-11-30T06-00-47-01a22b0a-a2cb-7010-9815-b4252868bfef.jsonl",
    "pi": "pi/agent-run.jsonl",
    "pi-tree": "pi/tree.jsonl",
}
OPTIONS = {"claude-compacted": ["--context"], "pi-tree": ["--branch", "all"], "codex": ["--tools", "full"]}
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
HOSTILE = "\x1b[31mred\x1b]0;pwned\x07 \x9b2Jx\u202eevil\x1bP1;2q\x1b\\ [bold]b[/bold] [link=http://e]l[/link] :smile:"


def run(*args: object) -> Result:
    """Run the program; its output is no terminal."""
    return CliRunner().invoke(main, ["show", *map(str, args)])


def shown(*args: object) -> str:
    """What is printed."""
    done = run(*args)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def on_screen(*given: Piece, width: int = 60, colours: bool = False) -> str:
    """The pieces as a terminal shows them."""
    return "".join(coloured(given, screen(width, colours=colours)))


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A prompt, thoughts, a failing and a long call, injected text, an answer."""
    rows = [
        user("u", None, "Count the files", 1),
        assistant("a", "u", [{"type": "thinking", "thinking": "Simple.", "signature": "s"}], 2, message="m", stop=None),
        assistant("b", "a", [call("c", "Bash", command="ls -1", description="List")], 3, message="m"),
        result_row("r", "b", "c", "\n".join(f"file{n}" for n in range(20)), 4),
        user("x", "r", "<command-name>/cost</command-name>", 5),
        assistant("d", "x", "There are **20** files.", 6),
    ]
    return write_rows(tmp_path / f"{SESSION}.jsonl", rows)


@pytest.mark.parametrize("name", CAPTURED)
def test_sessions_read_as_they_did(name: str, accept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = shown(f"fixtures/{CAPTURED[name]}", *OPTIONS.get(name, []))
    captured = SHOWN / f"{name}.txt"
    if accept:
        captured.parent.mkdir(exist_ok=True)
        captured.write_text(text, encoding="utf-8")
    assert text == captured.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", SESSIONS, ids=name_of)
def test_every_session_is_shown_in_every_way_without_controls(path: Path) -> None:
    for look in (Look(), Look("full", context=True), Look("none", thinking=False)):
        account = FileReport(path=str(path))
        found = list(pieces(open_source(str(path)), look, account, all_branches=look.context))
        assert found[0].kind == "title"
        assert CONTROLS.search("".join([*plain(found), on_screen(*found)])) is None


def test_a_pipe_gets_plain_text_with_the_markdown_as_written(session: Path) -> None:
    text = shown(session)
    assert "\x1b" not in text
    assert "> Count the files\n\n  (thinking)\n  Simple.\n" in text
    assert "● Bash  ls -1  description=List\n  │ file0\n  │ file1\n  │ file2\n  │ file3\n  │ … 16 more lines\n" in text
    assert "· context: command  34 characters\n\nThere are **20** files.\n" in text


def test_what_is_shown_can_be_chosen(session: Path) -> None:
    full = shown(session, "--tools", "full", "--context")
    assert "    command: ls -1\n    description: List\n" in full
    assert "file19" in full
    assert "· context: command  09:00:05\n  <command-name>/cost</command-name>\n" in full
    little = shown(session, "--tools", "none", "--no-thinking")
    assert "Simple." not in little
    assert "file0" not in little
    assert "· calls: Bash; context: command  34 characters" in little


def test_the_head_says_what_the_session_is(session: Path) -> None:
    assert shown(session).split("\n\n")[0].split("\n") == [
        "Claude Code: Count the files",
        f"session  {SESSION}",
        "folder   /home/dev/app",
        "time     2026-03-02 09:00 UTC (5.0 s)",
        "model    claude-sonnet-4-5, Claude Code 2.1.204",
        "tokens   20 in, 10 out",
    ]


def test_arguments_nested_too_deeply_are_shown_as_written(tmp_path: Path) -> None:
    block = json.dumps(call("c", "Deep", x="@")).encode().replace(b'"@"', b"[" * 900 + b"]" * 900)
    row = json.dumps(assistant("a", "u", ["@"], 2)).encode().replace(b'"@"', block) + b"\n"
    path = write_rows(tmp_path / f"{SESSION}.jsonl", [user("u", None, "go", 1), row])
    for tools in ("full", "short"):
        text = run(path, "--tools", tools).stdout
        assert "✗ Deep" in text
        assert "[[[[" in text


def test_a_call_without_a_result_says_so(tmp_path: Path) -> None:
    rows = [user("u", None, "go", 1), assistant("a", "u", [call("c", "Read", file_path="/x")], 2)]
    assert "✗ Read  /x  no result was recorded\n" in shown(write_rows(tmp_path / f"{SESSION}.jsonl", rows))


def test_a_sub_agent_is_shown_by_the_command_that_is_named(tmp_path: Path) -> None:
    main_file = write_rows(tmp_path / f"{SESSION}.jsonl", [user("u", None, "ask a helper", 1)])
    side = [user("s", None, "count lines", 2, isSidechain=True, agentId="k1")]
    write_rows(tmp_path / SESSION / "subagents/agent-k1.jsonl", side)
    text = shown(main_file)
    named = re.search(r"agent    count lines \(\d+ bytes\)\n +panscript show (\S+)\n", text)
    assert named is not None
    assert "Task · 09:00:02\n> count lines\n" in shown(named[1])


def test_a_branch_that_was_left_is_marked(tmp_path: Path) -> None:
    rows = [
        user("u", None, "first", 1),
        assistant("a", "u", "one", 2),
        user("v", "a", "left", 3),
        user("w", "a", "kept", 4),
    ]
    path = write_rows(tmp_path / f"{SESSION}.jsonl", rows)
    assert "left" not in shown(path)
    text = shown(path, "--branch", "all")
    assert text.index("a branch that was left") < text.index("> left") < text.index("the branch that went on")


def test_secrets_are_shown_unless_asked(tmp_path: Path) -> None:
    parts = ["ghp_", "R8kd0Qm3Zp", "7Lw2Xv9Tn4", "Bs6Hy1Jc5F", "a0Ge2D"]
    secret = "".join(parts)
    path = write_rows(tmp_path / f"{SESSION}.jsonl", [user("u", None, f"my token is {secret}", 1)])
    assert secret in shown(path)
    text = shown(path, "--redact")
    assert secret not in text
    assert "[REDACTED:" in text


def test_to_is_convert(session: Path) -> None:
    options = ("--to", "claude", "--from", "claude", "--no-redact")
    converted = CliRunner().invoke(main, ["convert", str(session), *options])
    assert run(session, *options).stdout_bytes == converted.stdout_bytes == session.read_bytes()
    assert run(session, "--to", "claude").exit_code == 0


def test_a_target_that_does_not_exist_is_one_line(session: Path) -> None:
    done = run(session, "--to", "papyrus")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("panscript: papyrus: nothing can be written for it (pi, codex, ")


def test_what_is_no_session_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text("hello\n", encoding="utf-8")
    for name in (path, tmp_path / "missing.jsonl"):
        done = run(name)
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr.count("\n") == 1


def test_standard_input_is_a_source(session: Path) -> None:
    done = CliRunner().invoke(main, ["show", "-"], input=session.read_bytes())
    assert done.exit_code == 0
    assert "> Count the files\n" in done.stdout


def _hostile(folder: Path) -> Path:
    rows = [
        user("u", None, f"prompt {HOSTILE}", 1, cwd=f"/x/{HOSTILE}", gitBranch=HOSTILE),
        assistant("a", "u", [{"type": "thinking", "thinking": HOSTILE}], 2, message="m", model=HOSTILE),
        assistant("b", "a", f"# {HOSTILE}\n\n`{HOSTILE}`\n\n    {HOSTILE}\n\n[{HOSTILE}](http://{HOSTILE})", 3),
        assistant(
            "c", "b", [call("t", HOSTILE, **{"command": HOSTILE, HOSTILE: [HOSTILE], "x": [{HOSTILE: HOSTILE}]})], 4
        ),
        result_row("r", "c", "t", f"{HOSTILE}\n{HOSTILE}", 5),
        {"type": "summary", "summary": HOSTILE, "leafUuid": "r"},
        {"type": HOSTILE, "sessionId": SESSION},
    ]
    return write_rows(folder / f"{SESSION}.jsonl", rows)


@pytest.mark.parametrize("tools", ["full", "short", "none"])
def test_hostile_text_is_inert_in_a_pipe(tmp_path: Path, tools: str) -> None:
    text = run(_hostile(tmp_path), "--tools", tools, "--context").stdout
    assert CONTROLS.search(text) is None
    assert "pwned" not in text
    assert "[31m" not in text
    assert "[bold]b[/bold] [link=http://e]l[/link] :smile:" in text


def test_hostile_text_is_inert_on_a_screen(tmp_path: Path) -> None:
    found = list(pieces(open_source(str(_hostile(tmp_path))), Look("full", context=True), FileReport(path="x")))
    text = on_screen(*found, width=500)
    assert CONTROLS.search(text) is None
    assert text.count("[bold]b[/bold] [link=http://e]l[/link] :smile:") >= 7
    # With colours nothing but colours is added: no link, no cursor movement.
    codes = re.findall(r"\x1b[^m]*m?", on_screen(*found, width=500, colours=True))
    assert all(re.fullmatch(r"\x1b\[[0-9;]*m", code) for code in codes)


def test_entities_do_not_bring_back_what_was_removed() -> None:
    text = on_screen(Piece("answer", "a &#27;[31m &#x202e; &rlm; &lt;b&gt;"))
    assert CONTROLS.search(text) is None
    assert "a &#27;[31m &#x202e; &rlm; &lt;b&gt;" in text


@pytest.mark.parametrize(
    "text",
    [
        "see <details>inner</details>",
        "<div>\ninner\n</div>",
        "[inner]: http://x",
        "![inner](y.png)",
        ">" * 40 + " inner",
    ],
)
def test_what_markdown_would_hide_is_shown(text: str) -> None:
    assert "inner" in on_screen(Piece("answer", text))


@given(st.text(alphabet="ab1 \n\t-*_#>+.()[]!<>&;:\\/=", max_size=200))
def test_an_answer_loses_no_letter_on_a_screen(text: str) -> None:
    def letters(of: str) -> str:
        return "".join(sorted(re.findall("[ab]", of)))

    assert letters(on_screen(Piece("answer", text), width=2000)) == letters(text)


@given(st.text(max_size=300), st.sampled_from(["answer", "prompt", "result", "thinking", "call", "title"]))
def test_any_text_is_shown_without_controls(text: str, kind: str) -> None:
    assert CONTROLS.search(on_screen(Piece(kind, text, text), width=20)) is None  # type: ignore[arg-type]


def test_an_answer_becomes_markdown_and_long_lines_are_wrapped_behind_their_mark() -> None:
    text = on_screen(Piece("prompt", "word " * 8), Piece("answer", "# Title\n\n- a *b*"), width=20)
    assert text.split("\n")[:3] == ["▌ word word word", "▌ word word word", "▌ word word"]
    assert "Title" in text
    assert "#" not in text
    assert " • a b" in text


def test_a_narrow_screen_cuts_arguments_and_keeps_how_the_call_went() -> None:
    text = on_screen(Piece("failed", "Bash", "x" * 100, "error  20 ms"), width=40)
    assert re.fullmatch(r"✗ Bash  x+…  error  20 ms", text.rstrip())
    assert len(text.rstrip()) <= 40


@pytest.mark.parametrize(
    ("asked", "command"),
    [
        ("less", ["less", "-R"]),
        ("less -S", ["less", "-S", "-R"]),
        ("less -RS", ["less", "-RS"]),
        ("/usr/bin/less", ["/usr/bin/less", "-R"]),
        ("my pager --fast", ["my", "pager", "--fast"]),
        ("cat", []),
        ("", []),
        ("'", []),
    ],
)
def test_the_pager_is_the_one_that_is_asked_for(asked: str, command: list[str]) -> None:
    assert pager_command({"PAGER": asked}) == command


def _on_terminal(path: Path, **variables: str) -> tuple[int, str]:
    """The program with a pseudo-terminal for its output: exit status and what arrived there."""
    ours, theirs = pty.openpty()
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(path.parent),
        "TERM": "xterm-256color",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        **variables,
    }
    child = subprocess.Popen(
        [sys.executable, "-m", "panscript.cli", "show", str(path)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=path.parent,
    )
    os.close(theirs)
    got = bytearray()
    while True:
        try:
            chunk = os.read(ours, 1 << 16)
        except OSError:
            # So Linux says that the other side was closed.
            break
        if not chunk:
            break
        got += chunk
    os.close(ours)
    assert child.communicate()[1] == b""
    return child.returncode, got.decode().replace("\r\n", "\n")


def test_a_terminal_gets_colours_through_the_pager(session: Path) -> None:
    status, text = _on_terminal(session, PAGER="sed 's/^/paged:/'")
    assert status == 0
    assert all(line.startswith("paged:") for line in text.splitlines())
    assert "\x1b[1;7m Claude Code \x1b[0m" in text
    assert "There are \x1b[1m20\x1b[0m files." in text


def test_no_color_means_no_escape_sequence_at_all(session: Path) -> None:
    status, text = _on_terminal(session, PAGER="cat", NO_COLOR="1")
    assert status == 0
    assert "\x1b" not in text
    assert "There are 20 files." in text


def test_a_pager_that_is_left_early_ends_the_program_quietly(tmp_path: Path) -> None:
    rows = [user("u", None, "go", 1), assistant("a", "u", "many words " * 100_000, 2)]
    status, text = _on_terminal(write_rows(tmp_path / f"{SESSION}.jsonl", rows), PAGER="head -n 1")
    assert status == 0
    assert text.count("\n") == 1


def test_settings_may_say_how_to_show(session: Path, tmp_path: Path) -> None:
    settings = tmp_path / "own.toml"
    settings.write_text('[show]\ntools = "none"\n', encoding="utf-8")
    assert "● Bash" not in shown(session, "--config", settings)


def test_results_that_rewrote_their_line_are_on_lines_of_their_own(tmp_path: Path) -> None:
    rows = [
        user("u", None, "go", 1),
        assistant("a", "u", [call("c")], 2),
        result_row("r", "a", "c", "10%\r20%\r\ndone", 3),
    ]
    assert "  │ 10%\n  │ 20%\n  │ done\n" in shown(write_rows(tmp_path / f"{SESSION}.jsonl", rows))


def test_arguments_that_are_text_or_lists_stand_as_they_are() -> None:
    path = FIXTURES / CAPTURED["codex"]
    text = shown(path)
    assert "● apply_patch  *** Begin Patch *** Update File: hello.txt" in text
    assert json.dumps("*** Begin Patch") not in text
