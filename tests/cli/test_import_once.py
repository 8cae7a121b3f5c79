"""`panscript import --once`: one session of Pi for one source session, which grows when the source does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from panscript.cli.importing import Importer, Wishes
from panscript.readers.context import Context
from panscript.readers.opening import open_source, read_events
from panscript.readers.validation import validate
from panscript.schemas.errors import CannotConvert
from panscript.schemas.report import Report
from panscript.stages.normal_form import Title, normal_form
from tests.builders import assistant, user, write_rows
from tests.cli.imports import CALLING, MORE, TALK, Machine, entries, machine
from tests.sessions import SESSIONS, name_of

__all__ = ["machine"]

TREE = ("id", "parentId", "timestamp")


def beside(kind: str, path: Path, **more: Any) -> None:
    """Add a line to a session as Pi does."""
    rows = entries(path)
    row = {
        "type": kind,
        "id": f"{len(rows):08x}",
        "parentId": rows[-1]["id"],
        "timestamp": rows[-1]["timestamp"],
        **more,
    }
    with path.open("a") as file:
        file.write(json.dumps(row) + "\n")


def said(path: Path) -> list[str]:
    """The messages of a session file, in order; they hang on each other, with nothing but asides between."""
    rows = entries(path)
    parents = {row["id"]: row["parentId"] for row in rows[1:]}
    assert len(parents) == len(rows) - 1, "ids are unique"
    chain = [rows[-1]["id"]]
    while (parent := parents[chain[-1]]) is not None:
        chain.append(parent)
    assert set(chain) == set(parents), "everything is on the branch of the last line"
    return [
        "".join(block.get("text", block["type"]) for block in row["message"]["content"])
        for row in rows
        if row["type"] == "message"
    ]


def test_the_earlier_import_serves_again(machine: Machine) -> None:
    first = machine.bring("--once")
    before = first.read_bytes(), first.stat().st_mtime_ns
    again, codes = machine.codes("--once")
    assert (again, codes, machine.files) == (first, ["unchanged"], [first])
    assert (first.read_bytes(), first.stat().st_mtime_ns) == before
    result = machine.run(machine.source, "--once")
    unchanged, go_on = result.stderr.splitlines()
    assert unchanged == f"panscript: {machine.source}: unchanged since it was imported"
    assert go_on.startswith("go on with: pi --session ")
    machine.says([*TALK, *MORE])
    grown, _, go_on = machine.run(machine.source, "--once").stderr.splitlines()
    assert grown == f"panscript: {machine.source}: 2 entries were added to the earlier import"
    assert go_on.startswith("go on with: pi --session ")


def test_an_import_under_another_name_is_found_by_its_head(machine: Machine) -> None:
    renamed = machine.bring().rename(machine.folder / "mine.jsonl")
    assert machine.bring("--once") == renamed


def test_an_import_into_another_project_does_not_serve(machine: Machine) -> None:
    other = machine.home / "code-app"
    other.mkdir()
    (machine.home / "code/app2").mkdir()
    first = machine.bring("--cwd", other)
    assert machine.bring("--once") != first


def test_projects_that_share_a_folder_are_told_apart(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_SESSION_DIR", str(machine.top / "all"))
    other = machine.home / "other"
    other.mkdir()
    paths = [machine.bring("--once"), machine.bring("--once", "--cwd", other)]
    assert paths == [machine.bring("--once"), machine.bring("--once", "--cwd", other)]
    assert [entries(path)[0]["cwd"] for path in paths] == [str(machine.project), str(other)]


def test_the_newest_of_several_imports_serves(machine: Machine) -> None:
    machine.bring("--imported-at", "2026-05-02T00:00:00Z")
    newest = machine.bring("--imported-at", "2026-05-03T00:00:00Z")
    machine.bring("--imported-at", "2026-05-01T00:00:00Z")
    assert machine.bring("--once") == newest


def test_what_pi_forked_from_an_import_does_not_serve(machine: Machine) -> None:
    first = machine.bring()
    header, *rest = entries(first)
    fork = header | {"id": "01990000-0000-7000-8000-00000000abcd", "parentSession": str(first)}
    write_rows(machine.folder / f"2026-06-01T00-00-00-000Z_{fork['id']}.jsonl", [fork, *rest])
    first.unlink()
    assert machine.codes("--once")[1] == []


def test_another_programs_import_record_does_not_serve(machine: Machine) -> None:
    first = machine.bring()
    first.write_bytes(first.read_bytes().replace(b'"importer":"panscript', b'"importer":"other'))
    assert machine.bring("--once") != first


def test_a_source_that_went_on_is_added(machine: Machine) -> None:
    path = machine.bring("--once")
    before = path.read_bytes()
    machine.says([*TALK, *MORE])
    again, codes = machine.codes("--once")
    assert (again, codes, machine.files) == (path, ["appended"], [path])
    assert path.read_bytes().startswith(before)
    assert said(path) == ["hello", "hi", "and now?", "done"]
    *_, part, name = entries(path)
    assert (part["customType"], name["type"]) == ("import.part", "session_info")
    assert part["data"]["importedUpToEntryId"] == entries(path)[-3]["id"]
    assert part["data"]["sourceFiles"][0]["bytes"] == machine.source.stat().st_size
    assert path.stat().st_mode & 0o777 == 0o600
    assert machine.codes("--once")[1] == ["unchanged"]


def test_it_can_go_on_again_and_again(machine: Machine) -> None:
    rows = list(TALK)
    path = machine.bring("--once")
    for number in range(3):
        rows += [user(f"u{number}", rows[-1]["uuid"], f"step {number}", 10 + number)]
        machine.says(rows)
        assert machine.codes("--once") == (path, ["appended"])
    assert said(path) == ["hello", "hi", "step 0", "step 1", "step 2"]


def test_what_the_source_cost_is_counted_once_in_the_record(machine: Machine) -> None:
    path = machine.bring("--once")
    machine.says([*TALK, *MORE])
    machine.bring("--once")
    parts = [row["data"] for row in entries(path) if row.get("customType") == "import.part"]
    assert [len(part["usage"]) for part in parts] == [1, 1]
    assert [part["usageTotals"]["all"]["tokens"]["input"] for part in parts] == [10, 20]


ASIDES: list[dict[str, Any]] = [
    {"kind": "thinking_level_change", "thinkingLevel": "high"},
    {"kind": "model_change", "provider": "anthropic", "modelId": "claude-opus-4-5"},
    {"kind": "label", "targetId": "x", "label": "here"},
    {"kind": "custom", "customType": "other", "data": {"parentId": "x"}},
    {"kind": "session_info", "name": "mine"},
]


@pytest.mark.parametrize("aside", ASIDES, ids=lambda aside: aside["kind"])
def test_what_was_put_beside_the_conversation_stays_and_the_new_follows_it(
    machine: Machine, aside: dict[str, Any]
) -> None:
    path = machine.bring("--once")
    beside(path=path, **aside)
    before = entries(path)
    machine.says([*TALK, *MORE])
    assert machine.codes("--once") == (path, ["appended"])
    rows = entries(path)
    assert rows[: len(before)] == before
    assert rows[len(before)]["parentId"] == before[-1]["id"]
    assert said(path) == ["hello", "hi", "and now?", "done"]
    own = "Imported from Claude Code: hello (from /home/dev/app)"
    assert rows[-1]["name"] == aside.get("name", own), "the name that a person gave stays"


def test_a_last_line_without_its_end_gets_one(machine: Machine) -> None:
    path = machine.bring("--once")
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    machine.says([*TALK, *MORE])
    assert machine.codes("--once") == (path, ["appended"])
    assert said(path)[-1] == "done"


def test_a_new_title_is_added(machine: Machine) -> None:
    path = machine.bring("--once")
    machine.says([*TALK, {"type": "custom-title", "customTitle": "greetings", "sessionId": TALK[0]["sessionId"]}])
    assert machine.codes("--once") == (path, ["appended"])
    assert entries(path)[-1]["name"].startswith("Imported from Claude Code: greetings")


def test_rows_that_say_nothing_change_nothing(machine: Machine) -> None:
    path = machine.bring("--once")
    before = path.read_bytes()
    machine.says([*TALK, {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}}])
    assert machine.codes("--once") == (path, ["unchanged"])
    assert path.read_bytes() == before


def continued(machine: Machine, path: Path) -> None:
    message = {"role": "user", "content": [{"type": "text", "text": "in Pi"}], "timestamp": 1772442009000}
    beside("message", path, message=message)
    machine.says([*TALK, *MORE])


def summarised(machine: Machine, path: Path) -> None:
    beside("branch_summary", path, fromId="root", summary="left")
    machine.says([*TALK, *MORE])


def rewound(machine: Machine, path: Path) -> None:
    machine.says([*TALK, user("v", None, "hello again", 3), assistant("b", "v", "hi", 4)])


def rewritten(machine: Machine, path: Path) -> None:
    machine.says([user("u", None, "hallo", 1), *TALK[1:], *MORE])


def shortened(machine: Machine, path: Path) -> None:
    machine.says(TALK[:1])


def damaged(machine: Machine, path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:3], lines[3][:40], *lines[4:]]))
    machine.says([*TALK, *MORE])


REASONS: list[tuple[Callable[[Machine, Path], None], str]] = [
    (continued, "the import was continued in Pi"),
    (summarised, "the import was continued in Pi"),
    (rewound, "what was imported before reads differently now"),
    (rewritten, "the source was rewritten, not only added to"),
    (shortened, "the source was rewritten, not only added to"),
    (damaged, "the earlier import is damaged"),
]


@pytest.mark.parametrize(("change", "reason"), REASONS, ids=[change.__name__ for change, _ in REASONS])
def test_what_cannot_be_added_becomes_another_session_and_the_reason_is_said(
    machine: Machine, change: Callable[[Machine, Path], None], reason: str
) -> None:
    path = machine.bring("--once")
    change(machine, path)
    before = path.read_bytes()
    result = machine.run(machine.source, "--once")
    assert result.exit_code == 0, result.stderr
    assert f"it was imported once more: {reason}\n" in result.stderr
    assert len(machine.files) == 2
    assert path.read_bytes() == before
    assert machine.bring("--once") == Path(result.stdout[:-1]), "the newer one serves from now on"


def test_a_continued_import_serves_while_its_source_is_the_same(machine: Machine) -> None:
    path = machine.bring("--once")
    continued(machine, path)
    machine.says(TALK)
    assert machine.codes("--once") == (path, ["unchanged"])


@pytest.mark.parametrize("end", [1, 2, 3, 4])
def test_live_leaves_out_what_may_go_on_so_that_it_can_be_added(machine: Machine, end: int) -> None:
    machine.says(CALLING[:end])
    path = machine.bring("--live", "--once")
    assert said(path) == [["list the files"], ["list the files"], ["list the files", "toolCall", "a.txt"]][
        min(end, 3) - 1
    ] + (["one file"] if end == 4 else [])
    machine.says(CALLING)
    assert machine.bring("--once") == path
    assert said(path) == ["list the files", "toolCall", "a.txt", "one file"]


def test_without_live_an_open_call_makes_the_next_import_another_session(machine: Machine) -> None:
    machine.says(CALLING[:2])
    path = machine.bring("--once")
    assert said(path)[-1] == "No result was recorded for this call."
    machine.says(CALLING)
    assert machine.codes("--once")[1] == ["imported_again"]


def test_a_torn_last_line_is_added_when_it_is_whole(machine: Machine) -> None:
    machine.says([*TALK, MORE[0]])
    whole = machine.source.read_bytes()
    machine.source.write_bytes(whole[:-30])
    path = machine.bring("--once")
    machine.source.write_bytes(whole)
    assert "appended" in machine.codes("--once")[1]
    assert said(path) == ["hello", "hi", "and now?"]


def _side(name: str, *more: Any) -> list[dict[str, Any]]:
    rows = [user("s", None, f"count {name}", isSidechain=True, agentId=name), assistant("t", "s", "2", 1), *more]
    return [{**row, "isSidechain": True, "agentId": name} for row in rows]


def test_each_sub_agent_grows_or_is_added_by_itself(machine: Machine) -> None:
    below = machine.source.with_suffix("") / "subagents"
    write_rows(below / "agent-k.jsonl", _side("k"))
    path = machine.bring("--once")
    (child,) = set(machine.files) - {path}
    write_rows(below / "agent-k.jsonl", _side("k", user("w", "t", "and now?", 5)))
    write_rows(below / "agent-l.jsonl", _side("l"))
    assert machine.bring("--once") == path
    assert said(child) == ["count k", "2", "and now?"]
    (other,) = set(machine.files) - {path, child}
    assert entries(other)[0]["parentSession"] == str(path)
    before = machine.files
    assert machine.bring("--once") == path
    assert machine.files == before


def test_a_session_that_had_to_be_imported_again_has_sub_agents_of_its_own(machine: Machine) -> None:
    write_rows(machine.source.with_suffix("") / "subagents/agent-k.jsonl", _side("k"))
    continued(machine, machine.bring("--once"))
    again = machine.bring("--once")
    parents = [entries(path)[0].get("parentSession") for path in machine.files]
    assert len(machine.files) == 4
    assert str(again) in parents


def test_records_that_are_carried_along_are_carried_anew(machine: Machine) -> None:
    path = machine.bring("--once", "--embed")
    machine.says([*TALK, *MORE])
    assert machine.codes("--once", "--embed") == (path, ["appended"])
    embedded = [row["data"]["embed"]["path"] for row in entries(path) if "embed" in row.get("data", {})]
    assert embedded == [str(machine.source)] * 2


GROWING = [path for path in SESSIONS if "pi" not in path.parts and path.suffix == ".jsonl"]


@pytest.mark.parametrize("path", GROWING, ids=name_of)
def test_every_session_grows_to_what_it_would_be_at_once(path: Path, tmp_path: Path) -> None:
    """Whatever its beginning was: the import is sound, and says what an import of the whole says."""
    lines = path.read_bytes().splitlines(keepends=True)
    source = tmp_path / path.name
    cuts = sorted({1, len(lines) // 3, len(lines) // 2, len(lines) - 1, len(lines)} - {0})

    def bring(home: str, wishes: Wishes) -> Path:
        importer = Importer("pi", Context.at(tmp_path / home), str(tmp_path), Report(), wishes)
        return next(importer.place(open_source(str(source)))).path

    steps = 0
    for cut in cuts:
        source.write_bytes(b"".join(lines[:cut]))
        try:
            grown = bring("grown", Wishes(redact=False, once=True, subagents=False, live=cut < len(lines)))
        except CannotConvert:
            # Nothing was said yet.
            continue
        steps += 1
    if not steps:
        with pytest.raises(CannotConvert):
            bring("whole", Wishes(redact=False, subagents=False))
        return
    whole = bring("whole", Wishes(redact=False, subagents=False))
    assert _heard(grown) == _heard(whole)
    assert [problem for problem in validate(str(grown)).problems if problem.severity == "error"] == []


def _heard(path: Path) -> list[object]:
    """What a session says; it may have had other names before."""
    return [item for item in normal_form(read_events(str(path))) if not isinstance(item, Title)]
