"""What a list says of a session: the same as the session says of itself, from the two ends of its file."""

import json
import os
from pathlib import Path

import pytest

from panscript.readers.context import Context
from panscript.readers.discovery import discover, family
from panscript.readers.ends import first_lines, last_lines
from panscript.readers.peek import Peeker
from panscript.schemas import timestamps
from panscript.schemas.errors import NotATranscript
from panscript.schemas.records import SessionFile, Source
from tests.readers.trees import TIME, claude_row, claude_session, codex_thread, pi_session, write
from tests.sessions import FIXTURES

HOMES = {
    "claude": sorted((FIXTURES / "claude").glob("v*")),
    "codex": sorted((FIXTURES / "codex").glob("home-*")),
    "pi": [FIXTURES / "pi"],
}
# At which the first line of a file is a whole session by itself.
ENDS_ONLY = Peeker(whole=-1)
LONG = "x" * 3000


def _sources(agent: str, home: Path) -> list[Source]:
    context = Context.at(Path("/nowhere"), {agent: (home,)})
    return [member for source in discover(context, [agent]) for member in family(source)]


@pytest.mark.parametrize(("agent", "home"), [(agent, home) for agent, homes in HOMES.items() for home in homes])
def test_the_ends_of_every_fixture_tell_what_a_read_tells(agent: str, home: Path) -> None:
    found = {source.path: ENDS_ONLY(source) for source in _sources(agent, home)}
    exact = {source.path: Peeker(whole=1 << 40)(source) for source in _sources(agent, home)}
    assert found == exact


@pytest.mark.parametrize("agent", HOMES)
def test_a_file_in_which_nothing_is_understood_is_an_error(agent: str, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"a":1}\n[2]\n' * 20_000)
    source = Source(agent=agent, id="x", files=(SessionFile(str(tmp_path / "x.jsonl")),))
    with pytest.raises(NotATranscript):
        Peeker()(source)


def _only(agent: str, root: Path) -> Source:
    sources = _sources(agent, root)
    assert len(sources) == 1
    return sources[0]


def test_a_large_claude_session_has_its_title_from_the_end_and_its_prompt_from_the_start(tmp_path: Path) -> None:
    middle = [
        claude_row("s1", LONG, uuid=f"u{n}", timestamp=f"2026-03-01T10:{n // 60:02d}:{n % 60:02d}.000Z")
        for n in range(120)
    ]
    caveat = claude_row("s1", "<local-command-stdout>x</local-command-stdout>", uuid="u-0")
    meta = claude_row("s1", "a rule", uuid="u-1", isMeta=True)
    titles = [{"type": "custom-title", "customTitle": title, "sessionId": "s1"} for title in ("old", "new")]
    late = {"type": "ai-title", "aiTitle": "by the model", "sessionId": "s1"}
    write(
        tmp_path / "s1.jsonl", caveat, meta, claude_row("s1", "  first\nprompt "), titles[0], *middle, titles[1], late
    )
    facts = Peeker()(_only("claude", tmp_path))
    assert facts.title == "new"
    assert facts.first_prompt == "first prompt"
    assert facts.cwd == "/home/dev/app"
    assert facts.created == timestamps.parse(TIME)
    assert facts.modified == timestamps.parse("2026-03-01T10:01:59.000Z")


def test_a_large_codex_thread_has_its_name_from_the_index(tmp_path: Path) -> None:
    path = codex_thread(tmp_path / "sessions/2026/03/01", 1, "typed", git={"branch": "main"})
    lines = path.read_text().splitlines(keepends=True)
    rule = {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": "# AGENTS.md instructions\n</INSTRUCTIONS>"}],
    }
    injected = json.dumps({"timestamp": TIME, "type": "response_item", "payload": rule}) + "\n"
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": LONG}]}
    answer = json.dumps({"timestamp": "2026-03-01T11:00:00.000Z", "type": "response_item", "payload": said}) + "\n"
    path.write_text("".join([lines[0], injected, *lines[1:], *[answer] * 40]))
    source = _only("codex", tmp_path)
    write(tmp_path / "session_index.jsonl", {"id": source.id, "thread_name": "named", "updated_at": TIME})
    facts = Peeker()(source)
    assert (facts.title, facts.first_prompt, facts.cwd, facts.git_branch) == ("named", "typed", "/home/dev/app", "main")
    assert (facts.created, facts.modified) == (
        timestamps.parse(TIME),
        timestamps.parse("2026-03-01T11:00:00.000Z"),
    )


def test_a_large_pi_session_has_its_last_name_and_the_agent_it_was_imported_from(tmp_path: Path) -> None:
    path = pi_session(tmp_path / "x.jsonl", "p1", "typed")
    header, prompt = path.read_text().splitlines(keepends=True)
    head = {"source": "claude", "importer": "panscript 1", "importedAt": TIME}
    entries = [
        {"type": "custom", "id": "h", "parentId": None, "timestamp": TIME, "customType": "import", "data": head},
        *({"type": "label", "id": f"l{n}", "parentId": "h", "timestamp": TIME, "label": LONG} for n in range(40)),
        {"type": "session_info", "id": "n1", "parentId": "h", "timestamp": TIME, "name": "old"},
        {"type": "session_info", "id": "n2", "parentId": "h", "timestamp": TIME, "name": " new "},
    ]
    written = [json.dumps(entry) + "\n" for entry in entries]
    path.write_text("".join([header, written[0], prompt, *written[1:]]))
    facts = Peeker()(_only("pi", tmp_path))
    assert (facts.title, facts.first_prompt, facts.imported_from) == ("new", "typed", "claude")


def test_without_any_time_the_file_says_when_it_was_changed(tmp_path: Path) -> None:
    path = claude_session(tmp_path, "s1", timestamp=None)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    facts = Peeker()(_only("claude", tmp_path))
    assert facts.created is None
    assert facts.modified == 1_000_000_000_000


def test_a_first_line_longer_than_what_is_read_gives_no_line(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a" * 100 + b"\nb\n")
    assert list(first_lines(str(path), 50)) == []
    assert list(first_lines(str(path), 102)) == [b"a" * 100 + b"\n"]
    assert list(first_lines(str(path))) == [b"a" * 100 + b"\n", b"b\n"]


@pytest.mark.parametrize("length", [0, 1, 10, 70_000, 200_000])
def test_the_last_lines_come_backwards_whatever_the_blocks_cut(tmp_path: Path, length: int) -> None:
    lines = [b"first", b"x" * length, b"middle", b"y" * length, b"last", b""]
    path = tmp_path / "x"
    path.write_bytes(b"\n".join(lines))
    assert list(last_lines(str(path))) == lines[::-1]
