"""In a database a problem has no line; table and row say where it is, in every form of output."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from panscript.readers.validation import validate
from tests.cli.program import panscript
from tests.readers.antigravity import making as antigravity
from tests.readers.goose import making as goose
from tests.readers.openclaw import making as openclaw
from tests.readers.opencode import making as opencode

Place = tuple[str, str]


def _opencode(folder: Path) -> Path:
    said = [
        opencode.asked(opencode.text("hi")),
        opencode.answered(opencode.tool("c1", output="x"), opencode.tool("c1", output="x")),
        opencode.asked(opencode.text("ho")),
        opencode.answered(opencode.text("ho")),
    ]
    path = opencode.database(folder / "opencode.db", ({}, said))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE message SET data = '{broken' WHERE id = 'm3'")
        db.execute("UPDATE part SET data = '{broken' WHERE id = 'm4p0'")
    db.close()
    return path


def _goose(folder: Path) -> Path:
    messages = [
        goose.said("user", goose.text("hi")),
        {"role": "assistant", "content_json": "{broken"},
        goose.said("assistant", goose.call("c1")),
    ]
    return goose.database(folder / "sessions.db", messages)


def _openclaw(folder: Path) -> Path:
    first = [openclaw.user("a", None, "hi"), openclaw.answer("b", "a", openclaw.call("c1"))]
    second = [openclaw.user("a", None, "hi"), "{broken", openclaw.entry("c", "a", message="text")]
    return openclaw.database(folder / "openclaw-agent.sqlite", {"s1": first, "s2": second})


def _antigravity(folder: Path) -> Path:
    steps = [(14, antigravity.step(14, (19, antigravity.message((2, "hi"))), source=3))]
    steps.append((21, antigravity.step(21, call=antigravity.called("c1"))))
    return antigravity.database(folder, requests=[antigravity.request((2, 5))], steps=steps)


DATABASES: dict[str, tuple[str, Callable[[Path], Path], list[Place]]] = {
    "opencode": (
        "opencode",
        _opencode,
        [
            ("call.duplicate", "message[id=m2]"),
            ("result.duplicate", "message[id=m2]"),
            ("line.not_json", "message[id=m3]"),
            ("line.not_json", "part[id=m4p0]"),
        ],
    ),
    "kilocode": (
        "kilocode",
        _opencode,
        [
            ("call.duplicate", "message[id=m2]"),
            ("result.duplicate", "message[id=m2]"),
            ("line.not_json", "message[id=m3]"),
            ("line.not_json", "part[id=m4p0]"),
        ],
    ),
    "goose": ("goose", _goose, [("line.not_json", "messages[id=2]"), ("call.unanswered", "messages[id=3]")]),
    "openclaw": (
        "openclaw",
        _openclaw,
        [
            ("call.unanswered", "transcript_events[session_id=s1,seq=1]"),
            ("line.not_json", "transcript_events[session_id=s2,seq=1]"),
            ("schema.wrong_type", "transcript_events[session_id=s2,seq=2]"),
        ],
    ),
    "antigravity": ("antigravity", _antigravity, [("result.orphan", "steps[idx=1]")]),
}


@pytest.mark.parametrize(("agent", "write", "places"), DATABASES.values(), ids=DATABASES)
def test_every_problem_names_table_and_row(
    agent: str, write: Callable[[Path], Path], places: list[Place], tmp_path: Path
) -> None:
    found = validate(str(write(tmp_path)), agent)
    assert [(problem.code, problem.path) for problem in found.problems] == places
    assert {problem.line for problem in found.problems} == {None}


def test_every_form_of_output_says_it(tmp_path: Path) -> None:
    path = _goose(tmp_path)

    def printed(form: str) -> str:
        return panscript("validate", path, "--format", form, cwd=tmp_path).out.decode()

    place = "messages[id=2]"
    assert printed("text").splitlines()[0] == f"{path}: error line.not_json: it cannot be read [{place}]"
    assert printed("github").splitlines()[0] == f"::error file={path},title=line.not_json::it cannot be read [{place}]"
    (failure,) = ET.fromstring(printed("junit")).iter("failure")
    assert (failure.text or "").splitlines() == [f"{path}: error line.not_json: it cannot be read [{place}]"]
    first = json.loads(printed("json"))["files"][0]["problems"][0]
    assert (first["line"], first["path"]) == (None, place)
    (where,) = json.loads(printed("sarif"))["runs"][0]["results"][0]["locations"]
    assert where["logicalLocations"] == [{"fullyQualifiedName": place}]
    assert "region" not in where["physicalLocation"]


def test_the_name_of_a_row_is_one_line_with_its_controls_as_escapes(tmp_path: Path) -> None:
    path = _opencode(tmp_path)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE message SET id = 'm\x1b[2J\n::error::3\t\u202e' WHERE id = 'm3'")
    db.close()
    said = "it cannot be read [message[id=m\\x1b[2J\\n::error::3\\t\\u202e]]"
    for form, start in (
        ("text", f"{path}: error line.not_json: "),
        ("github", f"::error file={path},title=line.not_json::"),
    ):
        lines = panscript("validate", path, "--format", form, cwd=tmp_path).out.decode().splitlines()
        assert len(lines) == 4
        assert lines[2] == start + said
    (failure,) = ET.fromstring(panscript("validate", path, "--format", "junit", cwd=tmp_path).out).iter("failure")
    assert said in (failure.text or "")
