"""Files of every agent can be checked: by rules of their own, or by what their reader makes of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from panscript.readers.validation import VALIDATED, validate
from tests.cli.program import panscript
from tests.found import READ
from tests.sessions import FIXTURES

OTHERS = [agent for agent in READ if agent not in VALIDATED and (FIXTURES / agent / "home").is_dir()]


@pytest.mark.parametrize("agent", OTHERS)
def test_what_the_agent_wrote_has_no_errors(agent: str, tmp_path: Path) -> None:
    home = FIXTURES / agent / "home"
    done = panscript("validate", "--format", "json", home, "--quiet", cwd=tmp_path)
    found = json.loads(done.out)
    checked = [file for file in found["files"] if file["agent"] == agent]
    assert checked
    assert [problem for file in checked for problem in file["problems"] if problem["severity"] == "error"] == []


def test_a_line_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    source = next((FIXTURES / "qwen" / "home").rglob("chats/*.jsonl"))
    path = tmp_path / source.name
    lines = source.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"{broken\n", *lines[2:]]))
    found = validate(str(path), "qwen")
    assert [(problem.line, problem.code) for problem in found.problems] == [(3, "line.not_json")]
