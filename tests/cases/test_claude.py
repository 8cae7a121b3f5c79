"""Faults that people met in transcripts of Claude Code, one file each: what must hold of reading and converting it."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from panscript.schemas import timestamps
from tests.cli.program import panscript, snapshot
from tests.repository import ROOT

CASES = ROOT / "fixtures" / "cases"
WHEN = ("--imported-at", "2026-05-01T00:00:00Z")


def _files(name: str) -> list[Path]:
    return sorted((CASES / name / "home").rglob("*.jsonl"))


class Case:
    """What the program says of the main transcript of a case."""

    def __init__(self, name: str, tmp_path: Path, *, redact: bool = True) -> None:
        self.path = min(_files(name), key=lambda path: len(path.parts))
        before = snapshot(CASES / name)
        done = panscript("events", self.path, "--text", "--report", "events.json", cwd=tmp_path)
        assert done.code == 0, done.err
        done.out.decode()
        self.said = done.err
        self.lines: list[dict[str, Any]] = [json.loads(line) for line in done.out.splitlines()]
        self.read = json.loads((tmp_path / "events.json").read_bytes())["totals"]
        more = () if redact else ("--no-redact",)
        (tmp_path / "out" / "of" / "pi").mkdir(parents=True)
        self.converted = panscript(
            "convert",
            self.path,
            "--to",
            "pi",
            *WHEN,
            *more,
            "-o",
            "out/of/pi/",
            "--report",
            "convert.json",
            cwd=tmp_path,
        )
        self.report = json.loads((tmp_path / "convert.json").read_bytes())
        self.written = [path for path in sorted((tmp_path / "out").rglob("*")) if path.is_file()]
        assert snapshot(CASES / name) == before, "inputs stay as they are"

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The lines of one kind."""
        return [line for line in self.lines if line["kind"] == kind]

    @property
    def messages(self) -> Counter[str]:
        """Messages by role."""
        return Counter(line["role"] for line in self.of("message"))

    @property
    def calls(self) -> Counter[str]:
        """Calls by status."""
        return Counter(line["status"] for line in self.of("tool_call"))

    @property
    def usage(self) -> tuple[int, int, int, int, int]:
        """Events, and their fresh input, output, read and written cache."""
        keys = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
        sums = [sum(line[key] for line in self.of("usage")) for key in keys]
        return (len(self.of("usage")), sums[0], sums[1], sums[2], sums[3])

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The lines of the one Pi session that was written."""
        (path,) = self.written
        return [json.loads(line) for line in path.read_bytes().splitlines()]

    @property
    def spoken(self) -> list[dict[str, Any]]:
        """Its messages."""
        return [entry["message"] for entry in self.entries if entry["type"] == "message"]

    def blocks(self, role: str, kind: str = "text") -> list[dict[str, Any]]:
        """The blocks of a kind in the messages of a role."""
        return [
            b for message in self.spoken if message["role"] == role for b in message["content"] if b["type"] == kind
        ]


@pytest.fixture
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    """The case that the test names."""
    return Case(request.param, tmp_path)


def _named(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [name], indirect=True)


@_named("torn-record-then-appended")
def test_a_torn_record_costs_its_line_and_the_one_glued_to_it_is_recovered(case: Case) -> None:
    assert (case.messages["user"], case.messages["assistant"], case.messages["system"]) == (2, 2, 0)
    assert case.usage == (2, 21, 59, 1920, 153)
    assert case.read["skipped_lines"] == 1
    assert "line 3" in case.said
    assert not any("First query updated" in line.get("text", "") for line in case.lines)


@_named("two-records-welded-on-one-line")
def test_two_whole_records_on_one_line_are_both_read(case: Case) -> None:
    assert case.messages == {"user": 2, "assistant": 1}
    assert case.calls == {"ok": 1}
    assert case.usage[0] == 2
    assert case.read["skipped_lines"] == 0
    assert "several records" in case.said


@_named("lone-surrogate-in-tool-result")
def test_half_a_character_costs_that_half(case: Case, tmp_path: Path) -> None:
    assert case.messages == {"user": 1, "assistant": 1}
    assert case.calls == {"error": 1}
    assert case.usage == (2, 13, 45, 308, 344)
    assert case.read["skipped_lines"] == 0
    full = panscript("events", case.path, "--full", cwd=tmp_path).out.decode()
    for text in ("wind NW 4", "\U0001f31e", "[cut]", "\ufffd"):
        assert text in full
    assert not re.search(r"\\u[dD][89a-fA-F]", full)


@_named("one-response-on-several-rows")
def test_one_response_on_four_rows_counts_once_and_keeps_its_blocks(case: Case) -> None:
    assert case.messages == {"user": 1, "assistant": 2}
    assert case.calls == {"ok": 2}
    assert case.usage == (2, 8, 393, 55504, 11562)
    assert [len(m["content"]) for m in case.spoken if m["role"] == "assistant"] == [4, 1]


@_named("call-without-result-and-result-without-call")
def test_a_killed_call_and_a_stray_result(case: Case) -> None:
    assert case.messages == {"user": 2, "assistant": 2}
    assert case.calls == {"ok": 1, "unknown": 1}
    assert case.read["skipped"] == {"tool_call_orphan_result": 1}
    results = [m for m in case.spoken if m["role"] == "toolResult"]
    assert [(m["toolCallId"], m["isError"]) for m in results] == [("toolu_s11a", True), ("toolu_s11b", False)]
    assert results[0]["content"][0]["text"] == "No result was recorded for this call."
    assert "high 14:02" in json.dumps(case.spoken)
    (stray,) = [e for e in case.entries if e["type"] == "custom_message"]
    assert "toolu_s11zzz" in stray["content"][0]["text"]


@_named("empty-blocks-and-same-role-runs")
def test_empty_texts_and_empty_answers_are_left_out(case: Case) -> None:
    assert [m["role"] for m in case.spoken] == ["user", "user", "assistant", "toolResult", "user", "assistant"]
    assert [b["text"] for b in case.blocks("user")] == ["Sharpen the plan.", "And keep it to one page.", "Go on."]
    assert [b["text"] for b in case.blocks("assistant")] == ["One page, as asked."]
    assert [b["text"] for b in case.blocks("toolResult")] == ["(no output)"]
    assert len(case.blocks("assistant", "toolCall")) == 1
    assert case.report["totals"]["lost"] == {"empty_block": 3, "empty_message": 4, "signature_dropped": 1}


@_named("times-missing-equal-and-backwards")
def test_times_never_decrease_and_the_order_is_that_of_the_file(case: Case) -> None:
    assert case.messages == {"user": 4, "assistant": 4}
    assert all(line["timestamp"].startswith("2026-") for line in case.lines)
    assert [line["title"] for line in case.lines if "title" in line] == ["Lighthouse log"]
    stamps = [timestamps.parse(e["timestamp"]) or 0 for e in case.entries]
    assert stamps == sorted(stamps)
    texts = [b["text"].split(",")[0] for m in case.spoken for b in m["content"]]
    names = ("first", "one", "second", "two", "third", "three", "fourth", "four")
    assert [name in text for name, text in zip(names, texts, strict=True)] == [True] * 8
    (part,) = [e["data"] for e in case.entries if e.get("customType") == "import.part"]
    moved = part["timestamps"]
    assert moved
    assert set(moved) <= {e["id"] for e in case.entries}


@_named("subagent-files-beside-the-session")
def test_a_sub_agent_is_a_session_below_its_parent(case: Case) -> None:
    main = "5a000010-0000-4000-8000-000000000010"
    by_session = Counter((line["session_id"], line["role"]) for line in case.of("message"))
    assert (by_session[main, "user"], by_session[main, "assistant"]) == (1, 1)
    assert by_session[f"{main}/a16beef", "user"] == 0
    assert by_session[f"{main}/a16beef", "system"] == 1
    assert case.usage == (4, 184, 79, 1730, 1670)
    assert {line["session_id"] for line in case.of("usage")} == {main}
    assert {line["cwd"] for line in case.lines if "cwd" in line} == {"/home/dev/site.example"}
    assert len(case.written) == 2
    heads = [json.loads(path.read_bytes().splitlines()[1])["data"] for path in case.written]
    assert sorted(head.get("parentSourceSessionId", "") for head in heads) == ["", main]


@_named("session-id-used-as-a-path")
def test_a_hostile_id_and_folder_stay_inside_the_output(case: Case, tmp_path: Path) -> None:
    (path,) = case.written
    assert path.is_relative_to(tmp_path / "out/of/pi")
    for part in path.relative_to(tmp_path / "out/of/pi").parts:
        assert re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}", part)
    assert {p.name for p in tmp_path.iterdir()} == {"out", "events.json", "convert.json"}
    assert [m["role"] for m in case.spoken] == ["user", "assistant"]


@_named("escape-sequences-in-titles-and-text")
def test_escape_sequences_stay_in_data_and_out_of_what_people_see(case: Case) -> None:
    assert case.messages["user"] == 1
    (title,) = [line["title"] for line in case.lines if "title" in line]
    assert "\x1b" in title
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", case.said + case.converted.err)
    name = case.entries[-1]["name"]
    assert "Siren" in name
    assert "repair" in name
    assert not re.search(r"[\x00-\x1f]|\[31m|\]2;|\[1A", name)


@_named("session-of-another-provider")
def test_a_session_of_another_vendor(case: Case) -> None:
    text = json.dumps(case.entries)
    for wanted in ("glm-4.6", "k2 p2", "It is a rib stitch."):
        assert wanted in text
    assert not re.search(r'"[A-Za-z_]*[sS]ignature"', text)
    calls = [b["id"] for b in case.blocks("assistant", "toolCall")]
    assert calls == [m["toolCallId"] for m in case.spoken if m["role"] == "toolResult"]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name) for name in calls)
    assert "call_function_x:1" in text
    assert [b["thinking"] for b in case.blocks("assistant", "thinking")] == [
        "chart has 12 rows",
        "no signature key at all",
    ]


def test_every_claude_case_has_its_test() -> None:
    named = set(re.findall(r'@_named\("([a-z0-9-]+)"\)', Path(__file__).read_text(encoding="utf-8")))
    assert named == {folder.name for folder in CASES.iterdir() if (folder / "home" / ".claude").is_dir()}


@pytest.mark.parametrize("path", sorted(CASES.glob("*/home/.claude/**/*.jsonl")), ids=lambda path: path.stem[-12:])
def test_a_second_conversion_writes_the_same_and_overwrites_nothing(path: Path, tmp_path: Path) -> None:
    for folder in ("a/", "b/", "a/"):
        done = panscript("convert", path, "--to", "pi", *WHEN, "-o", folder, cwd=tmp_path)
        assert done.code == (1 if folder == "a/" and (tmp_path / "b").exists() else 0)
    assert snapshot(tmp_path / "a") == snapshot(tmp_path / "b")
