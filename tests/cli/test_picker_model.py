"""What the picker has in view and which row is meant, without a screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from panscript.cli.picker import pick
from panscript.cli.picker.glimpse import glimpse
from panscript.cli.picker.loading import Loader
from panscript.cli.picker.model import Model, Row
from panscript.readers.context import Context
from panscript.readers.discovery import discover
from panscript.readers.peek import Facts
from panscript.schemas.errors import SourceError
from panscript.schemas.records import SessionFile, Source
from tests.builders import user, write_rows


def row(name: str, changed: int = 0, *, here: bool = True, agent: str = "claude", **facts: Any) -> Row:
    """A row that was read."""
    made = Row(Source(agent=agent, id=name, files=(SessionFile(f"/s/{name}.jsonl"),)), changed)
    made.learn(Facts(session_id=name, **{"modified": changed, **facts}), here=here)
    return made


def names(model: Model) -> list[str]:
    return [each.session_id for each in model.view]


def selected(model: Model) -> str | None:
    return model.selected.session_id if model.selected is not None else None


@pytest.fixture
def ten() -> Model:
    """Ten rows of the project, `r0` the newest."""
    return Model([row(f"r{number}", 100 - number) for number in range(10)])


def test_the_last_changed_is_first_and_meant() -> None:
    model = Model([row("old", 1), row("new", 3), row("middle", 2)])
    assert names(model) == ["new", "middle", "old"]
    assert selected(model) == "new"


def test_other_projects_are_in_view_only_when_asked_for() -> None:
    model = Model([row("mine", 1), row("other", 2, here=False)])
    assert (names(model), model.here, model.total) == (["mine"], 1, 2)
    model.toggle()
    assert (names(model), model.here, model.total, selected(model)) == (["other", "mine"], 1, 2, "other")
    model.toggle()
    assert names(model) == ["mine"]


@pytest.mark.parametrize("query", ["flaky", "FLAKY", "test flaky", "parser", "abc-1", "code/app", "claude", "c parse"])
def test_a_row_is_found_by_all_words_in_prompt_title_id_folder_and_agent(query: str) -> None:
    wanted = row("abc-123", 1, first_prompt="Mend the Flaky test", title="Parser", cwd="/home/dev/code/app")
    model = Model([wanted, row("xyz", 2, agent="pi", first_prompt="something")], query=query)
    assert names(model) == ["abc-123"]


def test_a_row_without_one_of_the_words_is_not_found() -> None:
    model = Model([row("a", first_prompt="mend the test")], query="test nowhere")
    assert (model.view, selected(model), model.index) == ([], None, 0)
    model.move(1)
    model.go(5)
    assert selected(model) is None
    assert model.window(5) == []
    model.type("")
    assert selected(model) == "a"


def test_moving_stays_between_the_ends(ten: Model) -> None:
    model = ten
    model.move(-1)
    assert selected(model) == "r0"
    model.move(3)
    assert selected(model) == "r3"
    model.move(100)
    assert selected(model) == "r9"
    model.go(0)
    assert selected(model) == "r0"


def test_the_window_follows_the_row_that_is_meant(ten: Model) -> None:
    def shown(height: int) -> str:
        return " ".join(each.session_id for each in ten.window(height))

    assert shown(3) == "r0 r1 r2"
    ten.move(2)
    assert shown(3) == "r0 r1 r2"
    ten.move(1)
    assert shown(3) == "r1 r2 r3"
    ten.move(-1)
    assert shown(3) == "r1 r2 r3"
    ten.go(9)
    assert shown(3) == "r7 r8 r9"
    assert shown(5) == "r5 r6 r7 r8 r9"
    assert shown(0) == "r9"
    ten.go(5)
    assert shown(100) == "r0 r1 r2 r3 r4 r5 r6 r7 r8 r9"


def test_typing_means_the_first_row_again() -> None:
    model = Model([row("a1", 3), row("a2", 2), row("b", 1)])
    model.go(2)
    model.type("a")
    assert selected(model) == "a1"
    model.move(1)
    model.type("a")
    assert selected(model) == "a2"


def test_what_comes_in_is_in_view_only_after_a_refresh_and_does_not_move_what_was_moved_to() -> None:
    rows = [row("a", 2), row("b", 1)]
    model = Model(rows)
    rows.append(row("newer", 3))
    assert (names(model), selected(model)) == (["a", "b"], "a")
    model.refresh()
    assert (names(model), selected(model)) == (["newer", "a", "b"], "newer")
    model.go(2)
    rows.append(row("newest", 4))
    model.refresh()
    assert (selected(model), model.index) == ("b", 3)


def test_when_the_meant_row_goes_away_its_neighbour_is_meant() -> None:
    rows = [row("a", 3), row("b", 2), row("c", 1)]
    model = Model(rows)
    model.go(1)
    rows[1].gone = True
    assert selected(model) == "b"
    model.refresh()
    assert (names(model), selected(model)) == (["a", "c"], "c")
    rows[0].gone = rows[2].gone = True
    model.refresh()
    assert selected(model) is None


def test_a_row_that_was_not_read_is_in_view_of_all_projects_without_a_filter() -> None:
    unread = Row(Source(agent="codex", id="t", files=(SessionFile("/s/t.jsonl"),)), 1)
    model = Model([unread])
    assert model.view == []
    model.toggle()
    assert model.view == [unread]
    assert (unread.session_id, unread.title, unread.prompt, unread.cwd) == ("t", "", "", "")
    model.type("t")
    assert model.view == []


def test_what_a_row_says_is_safe_to_show() -> None:
    made = row("i\x1b[2Jd", title="a\x1b]0;x\x07b\nc", first_prompt="\x9b31m\u202e", cwd="/a\x00\udce9")
    assert (made.session_id, made.title, made.prompt, made.cwd) == ("id", "ab c", "", "/a\\xe9")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Three sessions of the project, one of another, a sub-agent, and a file that is none."""
    for number in range(4):
        name = f"{number}1111111-1111-4111-8111-111111111111"
        folder = "-home-dev-app" if number else "-home-dev-other"
        cwd = "/home/dev/app" if number else "/home/dev/other"
        rows = [user("u", None, f"prompt {number}", number, sessionId=name, cwd=cwd)]
        write_rows(tmp_path / ".claude/projects" / folder / f"{name}.jsonl", rows)
    side = [user("s", None, "count", 9, isSidechain=True, agentId="k", sessionId=name)]
    write_rows(tmp_path / ".claude/projects/-home-dev-app" / name / "subagents/agent-k.jsonl", side)
    write_rows(tmp_path / ".claude/projects/-home-dev-app/broken.jsonl", [{"nothing": 1}])
    return tmp_path


def loaded(home: Path, *, looks_first: bool) -> Loader:
    """A loader that has found and read everything."""
    context = Context.at(home)
    problems: list[SourceError] = []
    sources = discover(context, ["claude"], problems.append)
    loader = Loader(
        sources,
        "/home/dev/app",
        problems,
        first=lambda likely: glimpse(context, ["claude"], likely) if looks_first else [],
    )
    loader.start()
    loader.go_on(lambda: None)
    loader.wait()
    return loader


@pytest.mark.parametrize("looks_first", [False, True])
def test_every_session_is_found_and_read_once(home: Path, looks_first: bool) -> None:
    loader = loaded(home, looks_first=looks_first)
    model = Model(loader.rows)
    assert [each.prompt for each in model.view] == ["prompt 3", "prompt 2", "prompt 1"]
    model.toggle()
    assert [each.prompt for each in model.view] == ["prompt 3", "prompt 2", "prompt 1", "prompt 0"]
    assert [each.tentative for each in model.view] == [False] * 4
    assert [child.agent_id for child in model.view[0].source.children] == ["k"]
    assert [str(problem).split(": ")[0].split("/")[-1] for problem in loader.problems] == ["broken.jsonl"]
    assert (loader.found_all, loader.unread, loader.failure) == (True, 0, None)


def test_the_glimpse_gives_the_newest_files_and_those_of_the_project(home: Path) -> None:
    found = glimpse(Context.at(home), ["claude", "codex"], lambda path: "other" in path)
    assert {Path(source.path).parent.name for source in found} == {"-home-dev-app", "-home-dev-other", "subagents"}
    assert {source.agent for source in found} == {"claude"}


def test_what_was_chosen_at_a_glimpse_comes_with_its_sub_agents(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = next(home.rglob("3*.jsonl"))

    class Hasty:
        """Somebody who does not wait for the search."""

        def __init__(self, loader: Loader, **_: object) -> None:
            self._loader = loader

        def run(self) -> Row:
            self._loader.stop()
            return Row(Source(agent="claude", id="3", files=(SessionFile(str(path)),)), 0, tentative=True)

    monkeypatch.setattr("panscript.cli.picker.screen.Screen", Hasty)
    source = pick(Context.at(home), ["claude"], "/home/dev/app", into="pi")
    assert [child.agent_id for child in source.children] == ["k"]


def test_rows_on_the_screen_are_counted_and_others_are_not(home: Path) -> None:
    loader = loaded(home, looks_first=False)
    assert [each.messages for each in loader.rows] == [None] * 4
    loader.want(loader.rows[:2])
    loader.wait()
    assert [each.messages for each in loader.rows] == [1, 1, None, None]


def test_a_session_that_went_away_is_a_problem_and_no_row(home: Path) -> None:
    sources = list(discover(Context.at(home), ["claude"], lambda _: None))
    Path(sources[0].path).unlink()
    loader = Loader(sources, "/home/dev/app")
    loader.start()
    loader.go_on(lambda: None)
    loader.wait()
    assert [each.gone for each in loader.rows] == [True, False, False, False]
    assert len(loader.problems) == 1


def test_a_search_that_fails_says_why_and_ends(home: Path) -> None:
    def search() -> Any:
        yield from ()
        raise ZeroDivisionError

    loader = Loader(search(), "/home/dev/app")
    loader.start()
    loader.go_on(lambda: None)
    loader.wait()
    assert isinstance(loader.failure, ZeroDivisionError)


def test_a_loader_that_is_stopped_reads_no_further(home: Path) -> None:
    loader = Loader(discover(Context.at(home), ["claude"], lambda _: None), "/home/dev/app")
    loader.stop()
    loader.start()
    loader.wait()
    assert loader.rows == []
