"""`panscript diff`: what differs, to be seen at once, and nothing that a session could do to a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from panscript.cli.difference.inside import inside
from panscript.cli.difference.painting import painted, plainly
from panscript.cli.difference.picture import View, picture
from panscript.cli.difference.sides import Side
from panscript.cli.main import main
from panscript.schemas.events import Event, Session
from panscript.stages.difference import compare
from panscript.stages.normal_form import normal_form
from tests.builders import SESSION, assistant, call, result_row, user, write_rows
from tests.sessions import FIXTURES
from tests.strategies import sessions

SHOWN = Path(__file__).parent / "shown"
CLAUDE = FIXTURES / "claude/v2.1.328/projects/-home-dev-app/20442b62-39fb-44c6-98c1-119a0a4ec831.jsonl"
CODEX = (
    FIXTURES / "codex/home-0.171.0/sessions/2026/11/30/"
    "rollout-2026-11-30T06-00-47-01a22b0a-a2cb-7010-9815-b4252868bfef.jsonl"
)
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
HOSTILE = "\x1b[31mred\x1b]0;pwned\x07 \x9b2Jx\u202eevil\x1bP1;2q\x1b\\ [bold]b[/bold] :smile:"
WORKER = (
    "The worker takes a job from the queue and holds the lock for as long as the job runs, so that a second worker "
    "which starts in the meantime waits."
)


def run(*args: object, stdin: bytes = b"") -> Result:
    """Run the program; its output is no terminal."""
    done = CliRunner().invoke(main, ["diff", *map(str, args)], input=stdin)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done


def document(*args: object, stdin: bytes = b"") -> dict[str, Any]:
    """What `--json` prints."""
    done = run(*args, "--json", "--quiet", stdin=stdin)
    assert done.stderr == ""
    said: dict[str, Any] = json.loads(done.stdout)
    assert done.exit_code == (0 if said["same"] else 1)
    return said


def old() -> list[dict[str, Any]]:
    """A session about a queue."""
    return [
        user("u", None, "Why does the queue test hang?", 1),
        assistant("a", "u", [{"type": "thinking", "thinking": "Look first.", "signature": "s"}], 2, message="m"),
        assistant("b", "a", [call("c1", "Read", file_path="/home/dev/app/worker.py")], 3, message="m"),
        result_row("r1", "b", "c1", "def work():\n    lock.acquire()\n    job = queue.get()\n    run(job)\n", 4),
        assistant("c", "r1", [call("c2", "Bash", command="pytest tests/test_queue.py")], 5),
        result_row("r2", "c", "c2", "1 failed\nE  Timeout", 6, error=True),
        assistant("d", "r2", f"{WORKER} It hangs because the lock is never released.", 7),
        user("v", "d", "Mend it", 8),
        assistant("e", "v", "Done.", 9),
        user("w", "e", "Thanks", 10),
        assistant("f", "w", "You are welcome.", 11),
        user("x", "f", "Where is the changelog?", 12),
        assistant("g", "x", "In CHANGELOG.md.", 13),
    ]


def new() -> list[dict[str, Any]]:
    """The same, with another ending and a few things changed."""
    rows = old()
    return [
        rows[0],
        {**rows[2], "parentUuid": "u"},
        rows[3],
        assistant("c", "r1", [call("c2", "Bash", command="pytest -x tests/test_queue.py")], 5),
        result_row("r2", "c", "c2", "1 passed", 6),
        assistant("d", "r2", f"{WORKER} It hangs for ever because the lock is never released.", 7, output=9),
        *rows[7:9],
        {**rows[11], "parentUuid": "e"},
        {**rows[12]},
        {**rows[9], "parentUuid": "g"},
        user("y", "w", "And add a test\nwith two workers", 14),
        assistant("z", "y", "Added.", 15, model="claude-opus-4-1"),
    ]


@pytest.fixture
def both(tmp_path: Path) -> tuple[Path, Path]:
    """The two as files."""
    return write_rows(tmp_path / f"a/{SESSION}.jsonl", old()), write_rows(tmp_path / f"b/{SESSION}.jsonl", new())


def accepted(name: str, text: str, accept: bool) -> str:
    """The golden text of this name."""
    captured = SHOWN / name
    if accept:
        captured.write_text(text, encoding="utf-8")
    return captured.read_text(encoding="utf-8")


def test_differences_are_shown_as_they_were(both: tuple[Path, Path], accept: bool) -> None:
    done = run(*both)
    assert (done.exit_code, done.stderr) == (1, "")
    assert done.stdout == accepted("diff.txt", done.stdout, accept)


def test_all_events_are_shown_as_they_were(both: tuple[Path, Path], accept: bool) -> None:
    text = run(*both, "--exact", "--context", 0).stdout
    assert text == accepted("diff-exact.txt", text, accept)


def test_a_session_is_the_same_as_itself() -> None:
    for path in (CLAUDE, CODEX):
        for options in ((), ("--exact",)):
            done = run(path, path, *options, "--quiet")
            assert (done.exit_code, done.stderr) == (0, "")
            assert "\nnothing differs: " in done.stdout
        assert document(path, path)["differences"] == []


# What Pi cannot hold: an injected text of several parts, another vendor's signature, a result with nothing in it.
DECLARED: dict[Path, list[tuple[str, str, list[str]]]] = {
    CLAUDE: [],
    CODEX: [
        ("changed", "injected", ["parts.0", "parts.1.text"]),
        ("changed", "injected", ["parts.0", "parts.1.text"]),
        ("changed", "said", ["parts.0.signature"]),
        ("changed", "result", ["parts.0"]),
    ],
}


@pytest.mark.parametrize("path", [CLAUDE, CODEX], ids=["claude", "codex"])
def test_a_session_differs_from_its_import_only_in_what_is_declared(path: Path, tmp_path: Path) -> None:
    written = tmp_path / "pi.jsonl"
    convert = ["convert", str(path), "--to", "pi", "-o", str(written), "--quiet", "--no-redact"]
    assert CliRunner().invoke(main, convert).exit_code == 0
    said = document(path, written)
    assert (said["a"]["agent"], said["b"]["agent"]) == (path.relative_to(FIXTURES).parts[0], "pi")
    assert said["b"]["title"].startswith("Imported from ")
    found = [
        (
            each["kind"],
            each.get("item", each.get("before"))["type"],
            [field["path"] for field in each.get("fields", ())],
        )
        for each in said["differences"]
    ]
    assert found == DECLARED[path]


def test_the_document_has_the_shape_that_the_help_tells(both: tuple[Path, Path]) -> None:
    said = document(*both)
    assert list(said) == ["same", "a", "b", "counts", "differences"]
    assert said["a"] == {
        "agent": "claude",
        "session_id": SESSION,
        "title": None,
        "path": str(both[0]),
        "items": 12,
    }
    assert said["counts"] == {"same": 6, "missing": 1, "added": 2, "changed": 4, "moved": 1}
    by_kind = {each["kind"]: each for each in said["differences"]}
    assert set(by_kind["missing"]) == set(by_kind["added"]) == set(by_kind["moved"]) == {"kind", "a", "b", "item"}
    assert (by_kind["missing"]["b"], by_kind["added"]["a"]) == (None, None)
    assert by_kind["missing"]["item"]["parts"] == [{"type": "written", "text": "You are welcome."}]
    first = said["differences"][0]
    assert (first["kind"], first["a"], first["b"]) == ("changed", 2, 2)
    assert first["fields"][0] == {
        "path": "parts.0",
        "before": {"type": "thought", "text": "Look first.", "signature": "s"},
    }
    assert (first["before"]["role"], len(first["after"]["parts"])) == ("assistant", 1)
    help_text = run("--help").stdout
    assert all(f'"{name}"' in help_text for name in (*said, *said["a"], *said["counts"], "item", "fields", "path"))


def test_standard_input_is_one_of_the_two(both: tuple[Path, Path]) -> None:
    a, b = both
    assert document(a, "-", stdin=a.read_bytes())["same"]
    assert document("-", b, stdin=a.read_bytes())["counts"] == document(a, b)["counts"]
    done = run("-", "-", stdin=a.read_bytes())
    assert (done.exit_code, done.stdout) == (2, "")


def test_ids_name_sessions(tmp_path: Path) -> None:
    folder = tmp_path / ".claude/projects/-home-dev-app"
    write_rows(folder / f"{SESSION}.jsonl", old())
    other = "22222222-1111-4111-8111-111111111111"
    write_rows(folder / f"{other}.jsonl", [{**row, "sessionId": other} for row in new()])
    said = document("1111", "2222", "--home", tmp_path, "--from", "claude")
    assert (said["a"]["session_id"], said["b"]["session_id"]) == (SESSION, other)


@pytest.mark.parametrize("place", [0, 1])
def test_bad_input_is_one_line_and_nothing_else(place: int, both: tuple[Path, Path], tmp_path: Path) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text("hello\n", encoding="utf-8")
    for bad in (notes, tmp_path / "missing.jsonl", tmp_path):
        names: list[Path] = [bad, both[1]] if place == 0 else [both[0], bad]
        for options in ((), ("--json",)):
            done = run(*names, *options)
            assert (done.exit_code, done.stdout) == (1, "")
            assert done.stderr.count("\n") == 1
    done = run(tmp_path / "missing.jsonl", notes)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)


def test_one_session_alone_is_wrong_usage(both: tuple[Path, Path]) -> None:
    assert run(both[0]).exit_code == run().exit_code == run(*both, *both).exit_code == 2
    assert "Missing argument 'B'" in run(both[0]).stderr
    assert "Missing argument 'A'" in run().stderr


def imported(folder: Path, rows: list[dict[str, Any]], *args: object) -> tuple[Path, Path]:
    """A session of Claude Code and what Pi is given of it."""
    source = write_rows(folder / "source.jsonl", rows)
    done = CliRunner().invoke(
        main, ["convert", str(source), "--to", "pi", "-o", str(folder / "pi.jsonl"), *map(str, args)]
    )
    assert done.exit_code == 0, done.stderr
    return source, folder / "pi.jsonl"


@pytest.mark.parametrize("title", [None, "The queue", "x" * 300, "brackets (from here)"])
def test_what_an_import_adds_to_the_title_is_no_difference(title: str | None, tmp_path: Path) -> None:
    named = [{"type": "custom-title", "customTitle": title, "sessionId": SESSION}] if title else []
    rows = [user("u", None, "hello", 1), assistant("a", "u", "hi", 2), *named]
    pair = imported(tmp_path, rows, "--cwd", tmp_path / "other (old)")
    assert document(*pair)["b"]["title"].startswith("Imported from Claude Code: ")
    assert document(*pair)["same"]
    assert document(*reversed(pair))["same"]
    assert run(*pair, "--exact").exit_code == 1


def test_another_title_is_a_difference_of_an_import_too(tmp_path: Path) -> None:
    rows = [user("u", None, "hello", 1), assistant("a", "u", "hi", 2)]
    source, copy = imported(tmp_path, rows)
    write_rows(source, [*rows, {"type": "custom-title", "customTitle": "greetings", "sessionId": SESSION}])
    (only,) = document(source, copy)["differences"]
    assert (only["kind"], only["before"]["text"]) == ("changed", "greetings")


def test_context_and_length_can_be_chosen(both: tuple[Path, Path]) -> None:
    little = run(*both, "--context", 0).stdout
    assert "Mend it" not in little
    assert "── 4 of 4 ─" in little
    assert "Mend it" in run(*both).stdout
    assert WORKER not in little
    assert little.count("…") > run(*both, "--context", 0, "--full").stdout.count("…")
    assert WORKER in run(*both, "--full").stdout


def test_secrets_are_replaced_by_the_same_mark_on_both_sides(tmp_path: Path) -> None:
    parts = ["ghp_", "R8kd0Qm3Zp", "7Lw2Xv9Tn4", "Bs6Hy1Jc5F", "a0Ge2D"]
    secret = "".join(parts)
    a = write_rows(tmp_path / "a.jsonl", [user("u", None, f"my token is {secret}", 1)])
    b = write_rows(tmp_path / "b.jsonl", [user("u", None, f"your token is {secret}", 1)])
    assert secret in run(a, b).stdout
    text = run(a, b, "--redact").stdout
    assert secret not in text
    assert text.count("token is [REDACTED:github-token:1]") == 4


def hostile(folder: Path, ending: str) -> Path:
    """A session with escape sequences wherever something is shown, and something that no other has."""
    text = f"{HOSTILE}{ending}"
    rows = [
        user("u", None, f"prompt {text}", 1, cwd=f"/x/{HOSTILE}", gitBranch=HOSTILE),
        assistant("a", "u", [{"type": "thinking", "thinking": text}], 2, message="m", model=text),
        assistant("b", "a", [call("t", text, **{"command": text, HOSTILE: [text], "x": [{HOSTILE: text}]})], 4),
        result_row("r", "b", "t", f"{text}\n{HOSTILE}", 5),
        {"type": "custom-title", "customTitle": text, "sessionId": SESSION},
        {"type": HOSTILE, "sessionId": SESSION, "x": ending},
        user("v", "r", f"only {ending} {HOSTILE}" * 3, 6),
    ]
    return write_rows(folder / f"{ending}.jsonl", rows)


@pytest.mark.parametrize("options", [(), ("--exact",), ("--exact", "--full")])
def test_hostile_text_is_inert(tmp_path: Path, options: tuple[str, ...]) -> None:
    text = run(hostile(tmp_path, "one"), hostile(tmp_path, "two"), *options).stdout
    assert CONTROLS.search(text) is None
    # A reader may have taken the first character of a sequence out of an id or the name of a type.
    assert "--exact" in options or "pwned" not in text
    assert "[bold]b[/bold]" in text
    assert ":smile:" in text


def test_what_differs_only_in_controls_is_shown_spelled_out(tmp_path: Path) -> None:
    a = write_rows(tmp_path / "a.jsonl", [user("u", None, "red", 1)])
    b = write_rows(tmp_path / "b.jsonl", [user("u", None, "\x1b[31mred", 1)])
    text = run(a, b).stdout
    assert "- red\n" in text
    assert "+ \\x1b[31mred\n" in text


def drawn(a: list[Event], b: list[Event], width: int, *, colours: bool, plain: bool = False) -> str:
    """The picture of two streams."""
    one, two = (Side(_head(events), "x.jsonl", normal_form(events)) for events in (a, b))
    rows = picture(one, two, compare(one.items, two.items), View(width))
    return "".join(plainly(rows) if plain else painted(rows, width, colours=colours))


def _head(events: list[Event]) -> Session:
    assert isinstance(events[0], Session)
    return events[0]


@given(sessions(), sessions(), st.sampled_from([20, 80]))
def test_any_two_sessions_are_drawn_without_controls_and_in_the_columns_there_are(
    a: list[Event], b: list[Event], width: int
) -> None:
    assert CONTROLS.search(drawn(a, b, width, colours=False, plain=True)) is None
    text = drawn(a, b, width, colours=False)
    assert CONTROLS.search(text) is None
    if width == 80:
        assert max(map(len, text.splitlines()), default=0) <= width


@given(st.text(max_size=60), st.text(max_size=60))
def test_inside_of_any_text_what_is_taken_and_put_makes_one_of_the_other(before: str, after: str) -> None:
    found = inside(before, after, full=True)
    if before == after:
        return
    one = "\n".join("".join(run.text for run in line.runs) for line in found if line.mark != "+")
    two = "\n".join("".join(run.text for run in line.runs) for line in found if line.mark != "-")
    assert one != two
    assert CONTROLS.search(one + two) is None


def test_words_that_differ_are_marked_and_long_text_around_them_is_cut() -> None:
    same = "word " * 40
    old_line, new_line = inside(f"{same}red {same}", f"{same}blue {same}")
    assert [run.text for run in old_line.runs if run.changed] == ["red"]
    assert [run.text for run in new_line.runs if run.changed] == ["blue"]
    assert all("…" in run.text for run in old_line.runs if not run.changed)
    many = "\n".join(f"line {n}" for n in range(50))
    marks = [line.mark for line in inside(many, many.replace("line 25", "row 25"))]
    assert marks == [" ", " ", "-", "+", " ", " "]
    assert len(inside("a\n" * 100, "b\n" * 100)) == 16


def on_terminal(*args: object, folder: Path, **variables: str) -> tuple[int, str]:
    """The program with a pseudo-terminal for its output: exit status and what arrived there."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "panscript.cli", "diff", *map(str, args)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(folder),
            "TERM": "xterm-256color",
            "COLUMNS": "80",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            **variables,
        },
        cwd=folder,
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


def test_a_terminal_gets_colours_through_the_pager(both: tuple[Path, Path], tmp_path: Path, accept: bool) -> None:
    status, text = on_terminal(*both, folder=tmp_path, PAGER="cat")
    assert status == 1
    assert text == accepted("diff-coloured.txt", text, accept)
    status, paged = on_terminal(*both, folder=tmp_path, PAGER="sed 's/^/paged:/'")
    assert (status, paged.replace("paged:", "")) == (1, text)


def test_no_color_means_no_escape_sequence_at_all(both: tuple[Path, Path], tmp_path: Path) -> None:
    status, text = on_terminal(*both, folder=tmp_path, PAGER="cat", NO_COLOR="1")
    assert status == 1
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_settings_may_say_how_to_compare(both: tuple[Path, Path], tmp_path: Path) -> None:
    settings = tmp_path / "own.toml"
    settings.write_text("[diff]\nexact = true\n", encoding="utf-8")
    assert run(*both, "--config", settings).stdout == run(*both, "--exact").stdout
