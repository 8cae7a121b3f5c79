"""A context says where to look: the agents' own places, moved by variables, or roots named instead."""

from pathlib import Path

import pytest

from panscript.readers.context import Context


def _paths(context: Context, agent: str) -> list[str]:
    return [str(place.path) for place in context.places(agent)]


def test_the_usual_places_are_below_the_home_folder() -> None:
    assert _paths(Context.at(Path("/home/ana")), "codex") == [
        "/home/ana/.codex/sessions",
        "/home/ana/.codex/archived_sessions",
    ]


def test_variables_move_an_agent_away() -> None:
    context = Context(Path("/home/ana"), {"CLAUDE_CONFIG_DIR": "/a, ~/b"})
    assert _paths(context, "claude") == [
        "/a/projects",
        "/home/ana/b/projects",
        "/a/transcripts",
        "/home/ana/b/transcripts",
    ]


def test_a_place_that_several_locations_name_is_looked_at_once() -> None:
    places = _paths(Context.at(Path("/home/ana")), "claude")
    assert len(set(places)) == len(places)


def test_another_home_takes_no_variable_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", "/elsewhere")
    assert all(path.startswith("/home/ana/") for path in _paths(Context.at(Path("/home/ana")), "codex"))
    assert _paths(Context.here(), "codex")[0] == "/elsewhere/sessions"


def test_the_environment_is_read_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Context.here()
    monkeypatch.setenv("CODEX_HOME", "/later")
    assert _paths(Context.here(), "codex")[0] == "/later/sessions"
    assert _paths(before, "codex")[0] != "/later/sessions"


def test_roots_replace_the_places_of_their_agent_only(tmp_path: Path) -> None:
    context = Context.at(Path("/home/ana"), {"codex": (tmp_path,)})
    assert [(place.path, place.explicit) for place in context.places("codex")] == [(tmp_path, True)]
    assert all(not place.explicit for place in context.places("claude"))


def test_a_root_may_be_the_whole_folder_of_the_agent(tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()
    (tmp_path / "archived_sessions").mkdir()
    context = Context.at(Path("/home/ana"), {"codex": (tmp_path,)})
    assert _paths(context, "codex") == [str(tmp_path / "sessions"), str(tmp_path / "archived_sessions")]
