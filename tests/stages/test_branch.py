"""Which events of a session go on."""

from __future__ import annotations

from panscript.schemas.events import Event, Meta, Opaque, Summary
from panscript.schemas.report import FileReport
from panscript.stages.branch import active_branch, main_thread
from tests.builders import answer, result, spoken


def test_what_is_not_live_is_left_out_and_counted() -> None:
    report = FileReport(path="")
    events: list[Event] = [
        spoken("u"),
        answer("a", "x", live=False),
        result("r", "c", live=False),
        Summary(id="s", text="x", live=False),
        Meta(id="m", cwd="/", live=False),
        Opaque(id="o", name="x", live=False),
        spoken("v"),
    ]
    assert [e.id for e in active_branch(events, report)] == ["u", "v"]
    assert report.lost == {"branch": 3}


def test_sub_agents_inside_the_file_are_left_out_and_counted() -> None:
    report = FileReport(path="")
    assert [e.id for e in main_thread([spoken("u"), answer("a", "x", agent_id="k")], report)] == ["u"]
    assert report.lost == {"subagent": 1}
    assert [e.id for e in main_thread([spoken("u")])] == ["u"]
