"""The picker's screen as a terminal shows it, key by key."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from panscript.cli.picker import painting
from panscript.cli.picker.loading import Loader
from panscript.cli.picker.model import Model, Row
from panscript.cli.picker.screen import Screen
from panscript.readers.context import Context
from panscript.readers.discovery import discover
from panscript.readers.peek import Facts
from panscript.schemas import timestamps
from panscript.schemas.agents import agent_ids
from panscript.schemas.records import SessionFile, Source
from tests.builders import START, assistant, at, user, write_rows

SHOWN = Path(__file__).parent / "shown"
NOW = START + 2 * 86_400_000
ENTER, ESCAPE, TAB = "\r", "\x1b", "\t"
UP, DOWN, PAGE_UP, PAGE_DOWN, HOME, END = "\x1b[A", "\x1b[B", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F"
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff]")


class Terminal:
    """A terminal in memory with the picker on it. Each step begins when all of the last one is on the screen."""

    def __init__(self, home: Path, columns: int = 80, lines: int = 24, query: str = "") -> None:
        self._written = StringIO()
        self._size = Size(lines, columns)
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.Stream(self._screen)
        self._fed = 0
        self.raw = ""
        output = Vt100_Output(self._written, lambda: self._size, term="xterm-256color", enable_bell=False)
        loader = Loader(discover(Context.at(home), None, lambda _: None), "/home/dev/app")
        self._keys = create_pipe_input()
        self.keys = self._keys.__enter__()
        self.picker = Screen(
            loader, into="Pi", home=str(home), query=query, clock=lambda: NOW, keys=self.keys, output=output
        )
        loader.start()

    def resize(self, columns: int, lines: int) -> None:
        """The person changes the window."""
        self.text()
        self._screen.resize(lines, columns)
        self._size = Size(lines, columns)
        signal.raise_signal(signal.SIGWINCH)

    def text(self) -> str:
        """What is on the screen."""
        self.raw = self._written.getvalue()
        self._stream.feed(self.raw[self._fed :])
        self._fed = len(self.raw)
        return "\n".join(line.rstrip() for line in self._screen.display) + "\n"

    def bold(self, line: int) -> str:
        """The characters of a line that are marked."""
        buffer = self._screen.buffer[line]
        return "".join(buffer[column].data for column in range(self._screen.columns) if buffer[column].underscore)

    def run(self, steps: Callable[[Terminal], Iterator[str]]) -> Row | None:
        """Send the keys that the steps give one after the other; gives the row that was chosen."""
        going = steps(self)

        def rendered(_: object) -> None:
            if self.picker.settled and not self.picker.application.is_done:
                self.text()
                keys = next(going, ESCAPE)
                if keys:
                    self.keys.send_text(keys)

        self.picker.application.after_render += rendered
        try:
            return self.picker.run()
        except KeyboardInterrupt:
            return None
        finally:
            self.text()
            self._keys.__exit__(None, None, None)


def claude(
    home: Path, number: int, prompt: str, *, title: str = "", cwd: str = "/home/dev/app", days: float = 0
) -> None:
    """A session of Claude Code: a prompt and an answer."""
    name = f"{number:08x}-1111-4111-8111-111111111111"
    start = days * 86_400
    rows = [
        user("u", None, prompt, start, sessionId=name, cwd=cwd),
        assistant("a", "u", "done", start + 60, sessionId=name, cwd=cwd),
    ]
    if title:
        rows.append({"type": "custom-title", "customTitle": title, "sessionId": name})
    write_rows(home / ".claude/projects" / cwd.replace("/", "-") / f"{name}.jsonl", rows)


def codex(home: Path, number: int, prompt: str, *, cwd: str = "/home/dev/app", days: float = 0) -> None:
    """A thread of Codex: a prompt."""
    name = f"{number:08x}-2222-7222-8222-222222222222"
    meta = {"id": name, "timestamp": at(days * 86_400), "cwd": cwd, "originator": "codex_cli_rs", "cli_version": "0.9"}
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": prompt}]}
    rows = [
        {"timestamp": at(days * 86_400), "type": "session_meta", "payload": meta},
        {"timestamp": at(days * 86_400 + 1), "type": "response_item", "payload": said},
    ]
    write_rows(home / f".codex/sessions/2026/03/02/rollout-2026-03-02T09-00-00-{name}.jsonl", rows)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Sessions of two agents in three projects."""
    claude(tmp_path, 1, "Mend the flaky test in the parser", days=1.99)
    claude(tmp_path, 2, "Why is the build slow?", title="Build times", days=1.5)
    codex(
        tmp_path, 3, "日本語のテキストを直してください。長い長い長い文章です、とても長い長い長い長い文章です", days=1.2
    )
    claude(tmp_path, 4, "👩‍💻 says ❤️ and a\x1b[31m red\x1b]0;title\x07 thing\nin two lines", days=1)
    codex(tmp_path, 5, "Write release notes for the flaky release", cwd="/home/dev/notes", days=1.95)
    claude(tmp_path, 6, "a word " * 40, cwd="/home/dev/a/very/long/path/to/some/project/folder", days=-300)
    return tmp_path


def _pressing(keys: str, _: Terminal) -> Iterator[str]:
    yield keys


def captured(name: str, terminal: Terminal, accept: bool) -> None:
    """The screen is as it was."""
    file = SHOWN / f"picker-{name}.txt"
    if accept:
        file.write_text(terminal.text(), encoding="utf-8")
    assert terminal.text() == file.read_text(encoding="utf-8")


def test_screens_look_as_they_did(home: Path, accept: bool) -> None:
    def steps(terminal: Terminal) -> Iterator[str]:
        captured("start", terminal, accept)
        yield DOWN + DOWN
        captured("wide-characters", terminal, accept)
        yield TAB
        captured("all", terminal, accept)
        yield "flaky"
        captured("filtered", terminal, accept)
        yield " nowhere"
        captured("no-match", terminal, accept)
        yield TAB
        captured("no-match-project", terminal, accept)

    assert Terminal(home).run(steps) is None


@pytest.mark.parametrize(("columns", "lines"), [(40, 10), (60, 14), (120, 30)])
def test_screens_of_other_sizes_look_as_they_did(home: Path, columns: int, lines: int, accept: bool) -> None:
    def steps(terminal: Terminal) -> Iterator[str]:
        yield TAB + DOWN
        captured(f"all-{columns}x{lines}", terminal, accept)

    Terminal(home, columns, lines).run(steps)


def test_a_changed_window_is_filled_anew(home: Path, accept: bool) -> None:
    def steps(terminal: Terminal) -> Iterator[str]:
        yield TAB + DOWN
        terminal.resize(40, 10)
        yield ""
        captured("all-40x10", terminal, accept)
        terminal.resize(120, 30)
        yield ""
        captured("all-120x30", terminal, accept)

    Terminal(home).run(steps)


def test_a_home_without_sessions_says_so(tmp_path: Path, accept: bool) -> None:
    def steps(terminal: Terminal) -> Iterator[str]:
        captured("empty", terminal, accept)
        yield ENTER + DOWN + PAGE_DOWN + END
        captured("empty", terminal, accept)

    assert Terminal(tmp_path).run(steps) is None


def test_five_thousand_sessions_are_all_there(tmp_path: Path, accept: bool) -> None:
    for number in range(5000):
        claude(tmp_path, number, f"prompt number {number}", cwd=f"/home/dev/p{number % 7}", days=-number / 24)

    def steps(terminal: Terminal) -> Iterator[str]:
        yield TAB
        captured("5000", terminal, accept)
        yield END
        captured("5000-end", terminal, accept)
        yield "4321"
        assert "> 4321" in terminal.text()
        yield ENTER

    chosen = Terminal(tmp_path).run(steps)
    assert chosen is not None
    assert chosen.prompt == "prompt number 4321"


@pytest.mark.parametrize(
    ("keys", "prompt"),
    [
        (ENTER, "Mend the flaky test in the parser"),
        (DOWN + ENTER, "Why is the build slow?"),
        (END + UP + ENTER, "日本語のテキストを直してください。"),
        (PAGE_DOWN + HOME + DOWN + ENTER, "Why is the build slow?"),
        (TAB + DOWN + ENTER, "Write release notes for the flaky release"),
        (TAB + TAB + DOWN + ENTER, "Why is the build slow?"),
        ("slow" + ENTER, "Why is the build slow?"),
        ("codex" + ENTER, "日本語のテキストを直してください。"),
        ("nowhere\x7f\x7f\x7f\x7f\x7f\x7f\x7fslow" + ENTER, "Why is the build slow?"),
        ("nowhere\x15slow" + ENTER, "Why is the build slow?"),
        ("nothing at all" + ENTER, None),
        ("\x1b[200~the\nparser\x1b[201~" + ENTER, "Mend the flaky test in the parser"),
        ("\x0e" + ENTER, "Why is the build slow?"),
        (ESCAPE, None),
        (ESCAPE + ESCAPE, None),
        ("\x1b[1;3D\x1b[1;3B\x1bx" + ENTER, "Mend the flaky test in the parser"),
        ("parser slow\x1b\x7f" + ENTER, "Mend the flaky test in the parser"),
        ("\x03", None),
        ("\x04", None),
        (ENTER + ENTER + ESCAPE, "Mend the flaky test in the parser"),
    ],
)
def test_keys_choose_and_leave(home: Path, keys: str, prompt: str | None) -> None:
    chosen = Terminal(home).run(lambda _: iter([keys]))
    assert (chosen.prompt[: len(prompt or "")] if chosen is not None else None) == prompt


def test_a_page_is_as_many_rows_as_fit(tmp_path: Path) -> None:
    for number in range(30):
        claude(tmp_path, number, f"prompt {number}", days=-number)
    for keys, place in ((PAGE_DOWN, 7), (PAGE_DOWN * 2, 14), (PAGE_DOWN * 9, 29), (END + PAGE_UP, 22)):
        chosen = Terminal(tmp_path, 40, 10).run(partial(_pressing, keys + ENTER))
        assert chosen is not None
        assert chosen.prompt == f"prompt {place}"


def test_an_import_is_marked_as_one() -> None:
    source = Source(agent="pi", id="x", files=(SessionFile("x"),))
    row = Row(source, NOW)
    title = "Imported from Claude Code: mend the test"
    row.learn(Facts(session_id="x", title=title, imported_from="claude"), here=True)
    other = Row(msgspec.structs.replace(source, agent="codex"), NOW)
    other.learn(Facts(session_id="y", first_prompt="hello"), here=True)
    shown = [row, other]
    text = ["".join(piece[1] for piece in line) for line in painting.rows(Model(shown), shown, 80, NOW, "/h")]
    assert "pi    (from claude)   now" in text[0]
    assert text[0].rstrip().endswith("  mend the test")
    assert text[0].index("mend") == text[1].index("hello")


def test_a_filter_can_be_given_and_changed(home: Path) -> None:
    def steps(terminal: Terminal) -> Iterator[str]:
        assert terminal.text().splitlines()[1] == "> flaky"
        assert "This project 1  All projects 2" in terminal.text()
        assert terminal.bold(2) == "flaky"
        yield "\x15slow" + ENTER

    chosen = Terminal(home, query="fl\x1b[31maky\n").run(steps)
    assert chosen is not None
    assert chosen.prompt == "Why is the build slow?"


def test_the_terminal_is_left_as_it_was(home: Path) -> None:
    for keys in (ENTER, ESCAPE, "\x03"):
        terminal = Terminal(home)
        terminal.run(partial(_pressing, keys))
        for on, off in (("\x1b[?1049h", "\x1b[?1049l"), ("\x1b[?2004h", "\x1b[?2004l")):
            assert 0 <= terminal.raw.rindex(on) < terminal.raw.rindex(off)
        assert terminal.raw.rindex("\x1b[?25l") < terminal.raw.rindex("\x1b[?25h")


def test_no_colour_is_used_where_none_is_wanted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    colour = re.compile(r"\x1b\[[0-9;]*\b(?:3[0-7]|38|4[0-7]|48|9[0-7])\b[0-9;]*m")
    coloured = Terminal(home)
    coloured.run(lambda _: iter([TAB + ESCAPE]))
    assert colour.search(coloured.raw)
    monkeypatch.setenv("NO_COLOR", "1")
    plain = Terminal(home)
    plain.run(lambda _: iter([TAB + ESCAPE]))
    assert colour.search(plain.raw) is None


def test_a_search_that_fails_ends_the_picker_with_its_error(home: Path) -> None:
    def search() -> Iterator[Source]:
        yield from ()
        raise ZeroDivisionError

    terminal = Terminal(home)
    terminal.picker.loader._sources = search()
    with pytest.raises(ZeroDivisionError):
        terminal.run(lambda _: iter([]))


WORDS = st.text(max_size=60) | st.text(st.sampled_from("ab 日👩‍💻❤️é\x1b\x00\u202e\t\n\ud800"), max_size=60)


def _rows() -> st.SearchStrategy[Row]:
    def made(agent: str, name: str, texts: list[str | None], changed: int, read: bool) -> Row:
        row = Row(Source(agent=agent, id=name, files=(SessionFile(f"/h/{name}"),)), changed)
        if read:
            facts: dict[str, Any] = dict(zip(("title", "first_prompt", "cwd", "git_branch"), texts, strict=True))
            row.learn(Facts(session_id=name, created=changed, **facts), here=True)
        return row

    texts = st.lists(st.none() | WORDS, min_size=4, max_size=4)
    name = WORDS.filter(lambda text: "\0" not in text and "\ud800" not in text)
    return st.builds(made, st.sampled_from(agent_ids()), name, texts, st.integers(0, 1 << 42), st.booleans())


@given(st.lists(_rows(), max_size=5), st.integers(1, 130), st.integers(1, 30), WORDS, st.booleans())
def test_no_line_is_too_wide_or_holds_controls(
    given_rows: list[Row], width: int, height: int, query: str, everywhere: bool
) -> None:
    model = Model(given_rows, query=query, everywhere=everywhere)
    shown = model.window(height)
    below = painting.preview_height(height)
    pane = painting.preview(model.selected, width, below, "/h")
    assert len(pane) == below
    lines = [
        painting.header(model, "Pi", "looking: 12", width),
        *painting.rows(model, shown, width, NOW, "/h"),
        painting.nothing(model, loading=False, width=width),
        *pane,
        painting.help_line(width),
    ]
    for line in lines:
        text = "".join(piece[1] for piece in line)
        assert painting.width_of(text) <= width
        assert CONTROLS.search(text) is None


@given(WORDS, st.integers(0, 80), st.booleans())
def test_a_fitted_text_takes_exactly_its_place(text: str, width: int, left: bool) -> None:
    assert painting.width_of(painting.fit(text, width, left=left)) == width


def test_what_does_not_fit_is_cut_with_a_mark() -> None:
    assert painting.fit("abcdef", 4) == "abc…"
    assert painting.fit("abcdef", 4, left=True) == "…def"
    assert painting.fit("日本語", 4) == "日… "
    assert painting.fit("👩‍💻x", 5) == "👩💻x"
    assert timestamps.iso(NOW).startswith("2026-03-04")
