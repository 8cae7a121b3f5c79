"""Records that were carried along are used only where they are whole and what was said since goes on from them;
otherwise the session is converted, which says so."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.opening import open_source, read
from panscript.stages.normal_form import Said, Written, normal_form
from panscript.stages.pipe import events_of
from tests.builders import assistant, user, write_rows
from tests.cli.program import panscript
from tests.laws.native import ANSWER, PROMPT, say_more

TOKEN = "ghp_" + "a1B2" * 9
TALK = [
    user("a", None, "one", 1),
    assistant("b", "a", "first answer", 2),
    user("c", "b", "two", 3),
    assistant("d", "c", f"second answer {TOKEN}", 4),
]
Lines = list[dict[str, Any]]


@pytest.fixture(params=["pi", "codex"])
def away(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A session of Claude Code at another agent, its records carried along."""
    source = write_rows(tmp_path / "-app" / "10000000-0000-4000-8000-000000000001.jsonl", TALK)
    path = tmp_path / "away.jsonl"
    options = ("--embed", "--no-redact", "--quiet", "-o", path)
    assert panscript("convert", source, "--to", request.param, *options, cwd=tmp_path).code == 0
    return path


def _texts(path: Path) -> list[str]:
    items = normal_form(events_of(read(open_source(str(path)))))
    said = [item for item in items if isinstance(item, Said)]
    return ["".join(part.text for part in item.parts if isinstance(part, Written)) for item in said]


def _home(away: Path, tmp_path: Path) -> tuple[list[str], str]:
    home = tmp_path / "home.jsonl"
    done = panscript("convert", away, "--to", "claude", "--no-redact", "-o", home, cwd=tmp_path)
    assert done.code == 0
    return _texts(home), done.err


def _change(path: Path, change: Callable[[Lines], Lines]) -> None:
    lines = change([json.loads(line) for line in path.read_text().splitlines()])
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def _part(line: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = line.get("data") or line.get("payload") or {}
    return found


def _spoilt(text: str) -> Callable[[Lines], Lines]:
    def change(lines: Lines) -> Lines:
        for line in lines:
            if "embed" in _part(line):
                _part(line)["embed"] |= json.loads(text)
        return lines

    return change


def _never_ends(lines: Lines) -> Lines:
    for line in lines:
        _part(line).pop("importedUpToEntryId", None)
    return lines


SPOILT = {
    "cut": '{"data": "KLUv/WQ="}',
    "no base64": '{"data": "!"}',
    "another digest": '{"sha256": "00"}',
    "no name": '{"path": ""}',
    "a name that is too long": json.dumps({"path": "/" + "x/" * 5000 + "y.jsonl"}),
    "not a session": json.dumps({"data": "KLUv/SAAAQAA", "bytes": 0, "sha256": "e3b0c44298fc1c149afbf4c8996fb924"}),
}


@pytest.mark.parametrize("change", SPOILT.values(), ids=SPOILT)
def test_what_is_not_whole_is_not_used(change: str, away: Path, tmp_path: Path) -> None:
    _change(away, _spoilt(change))
    said, told = _home(away, tmp_path)
    assert said == _texts(away)
    assert "the session was converted" in told


def test_without_an_end_of_the_import_nothing_is_said_twice(away: Path, tmp_path: Path) -> None:
    _change(away, _never_ends)
    said, told = _home(away, tmp_path)
    assert said == _texts(away)
    assert "where the import ends is not said" in told


def test_what_goes_on_from_an_earlier_point_is_converted(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "-app" / "10000000-0000-4000-8000-000000000001.jsonl", TALK)
    away = tmp_path / "away.jsonl"
    options = ("--embed", "--no-redact", "--quiet", "-o", away)
    assert panscript("convert", source, "--to", "pi", *options, cwd=tmp_path).code == 0
    say_more(away, "pi")

    def rewind(lines: Lines) -> Lines:
        first = next(line for line in lines if line.get("message", {}).get("role") == "assistant")
        next(line for line in lines if line.get("id") == "feed0001")["parentId"] = first["id"]
        return lines

    _change(away, rewind)
    said, told = _home(away, tmp_path)
    assert said == ["one", "first answer", PROMPT, ANSWER]
    assert "from an earlier point" in told


def test_redaction_leaves_them_out(away: Path, tmp_path: Path) -> None:
    assert panscript("redact", "--check", away, "--quiet", cwd=tmp_path).code == 1
    clean = tmp_path / "clean.jsonl"
    assert panscript("redact", away, "--quiet", "-o", clean, cwd=tmp_path).code == 0
    assert TOKEN not in clean.read_text()
    assert re.search(r'"embed":\{"encoding":"[^"]*","data":""', clean.read_text())
    assert len(clean.read_text().splitlines()) == len(away.read_text().splitlines())
    assert panscript("redact", "--check", clean, "--quiet", cwd=tmp_path).code == 0
