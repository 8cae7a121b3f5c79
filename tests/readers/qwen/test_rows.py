"""What the lines of a Qwen Code session mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from panscript.readers.qwen.usage import tokens_of
from panscript.schemas.events import (
    Compaction,
    Image,
    Message,
    Meta,
    Opaque,
    Shell,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from panscript.schemas.qwen.lean import UsageMetadata
from panscript.schemas.report import FileReport
from panscript.stages.merge import merge
from tests.readers.qwen.sessions import answer, call, events, result, said, session, state, usage, user


def test_answers_calls_and_results(tmp_path: Path) -> None:
    parts: list[dict[str, Any]] = [{"text": "Look.", "thought": True}, {"text": "See."}, call("c"), call("d")]
    found = events(
        tmp_path,
        user("u", None, "hi"),
        answer("a", "u", parts),
        result("r", "a", "c", {"output": "text"}),
        result("s", "r", "d", {"error": "no such file"}, status="error", error={}),
    )
    (message,) = [event for event in found if isinstance(event, Message) and event.role == "assistant"]
    assert message.content[:2] == (Thinking(text="Look."), Text(text="See."))
    assert [block.id for block in message.content if isinstance(block, ToolCall)] == ["c", "d"]
    assert all(block.answered for block in message.content if isinstance(block, ToolCall))
    results = [event for event in found if isinstance(event, ToolResult)]
    assert [(event.call_id, event.status, event.content) for event in results] == [
        ("c", "ok", (Text(text="text"),)),
        ("d", "error", (Text(text="no such file"),)),
    ]


def test_a_call_without_a_result_is_not_answered(tmp_path: Path) -> None:
    found = events(tmp_path, user("u", None, "hi"), answer("a", "u", [call("c")]))
    (message,) = [event for event in found if isinstance(event, Message) and event.role == "assistant"]
    assert isinstance(message.content[0], ToolCall)
    assert not message.content[0].answered


def test_state_rows_are_links_of_the_chain(tmp_path: Path) -> None:
    found = events(
        tmp_path,
        user("u", None, "hi"),
        state("t", "u", "ui_telemetry", {"uiEvent": {"event.name": "qwen-code.api_response"}}),
        answer("a", "t", "ho"),
        user("v", "a", "on"),
    )
    by_id = {event.id: event for event in found}
    assert (by_id["a"].parent, by_id["v"].parent) == ("u", "a")


def test_telemetry_tells_how_long_a_call_took_and_is_no_usage(tmp_path: Path) -> None:
    event = {"event.name": "qwen-code.tool_call", "call_id": "c", "duration_ms": 94.5}
    report = FileReport(path="")
    found = events(
        tmp_path,
        user("u", None, "hi"),
        answer("a", "u", [call("c")]),
        state("t", "a", "ui_telemetry", {"uiEvent": event}),
        result("r", "t", "c", {"output": "x"}),
        report=report,
    )
    assert [event.duration_ms for event in found if isinstance(event, ToolResult)] == [94]
    assert len(usage(found)) == 1
    assert report.classes == {"used": 3, "twin": 1}


@pytest.mark.parametrize(("thoughts", "total", "output"), [(20, 1060, 60), (20, 1080, 80), (0, 1060, 60), (20, 0, 60)])
def test_the_total_tells_whether_thoughts_are_a_part_of_the_candidates(thoughts: int, total: int, output: int) -> None:
    counts = UsageMetadata(
        prompt_token_count=1000,
        candidates_token_count=60,
        thoughts_token_count=thoughts,
        cached_content_token_count=900,
        total_token_count=total,
    )
    tokens = tokens_of(counts, "qwen3-coder")
    assert (tokens.input, tokens.cache_read, tokens.output, tokens.reasoning) == (100, 900, output, thoughts)
    assert tokens.total == (total or 1060)
    assert tokens_of(counts, "gemini-2.5-pro").output == (output if total else 60 + thoughts)


def test_usage_names_no_provider_and_no_folder(tmp_path: Path) -> None:
    (billed,) = usage(events(tmp_path, user("u", None, "hi"), answer("a", "u", "ho")))
    assert (billed.provider, billed.cwd, billed.model, billed.single_request) == (None, None, "qwen3-coder", False)


def test_rows_that_share_a_uuid_are_one_response_and_billed_each(tmp_path: Path) -> None:
    found = events(
        tmp_path, user("u", None, "hi"), answer("a", "u", "one"), answer("a", "u", "two"), user("v", "a", "on")
    )
    assert len({event.id for event in found}) == len(found)
    assert len(usage(found)) == 2
    whole = [event for event in merge(found) if isinstance(event, Message) and event.role == "assistant"]
    assert [event.content for event in whole] == [(Text(text="one"), Text(text="two"))]


def test_a_rewind_leaves_a_turn(tmp_path: Path) -> None:
    rows = [user("u", None, "hi"), answer("a", "u", "ho"), user("v", "a", "no", 3), answer("b", "v", "oh", 4)]
    back = state("w", "a", "rewind", {"truncatedCount": 2}, 5)
    found = events(tmp_path, *rows, back, user("x", "w", "yes", 6), answer("c", "x", "right", 7))
    assert [text for _, text in said(found)] == ["hi", "ho", "yes", "right"]
    assert [text for _, text in said(found, live=False)] == ["no", "oh"]
    assert len(usage(found)) == 3
    found = events(tmp_path, *rows, back)
    assert [text for _, text in said(found)] == ["hi", "ho"], "nothing has to follow"


def test_a_parent_that_is_missing_is_told(tmp_path: Path) -> None:
    report = FileReport(path="")
    found = events(tmp_path, user("u", None, "hi"), answer("a", "gone", "ho"), report=report)
    assert [text for _, text in said(found)] == ["hi", "ho"]
    assert [warning.code for warning in report.warnings] == ["parent_missing"]


def test_compressed_history_is_a_compaction_and_what_was_kept_is_found(tmp_path: Path) -> None:
    history = [
        {"role": "user", "parts": [{"text": "They said hi."}]},
        {"role": "model", "parts": [{"text": "Got it. Thanks for the additional context!"}]},
        {"role": "user", "parts": [{"text": "more"}]},
        {"role": "model", "parts": [{"text": "yes"}]},
    ]
    payload = {"info": {"originalTokenCount": 5000, "newTokenCount": 500}, "compressedHistory": history}
    rows = [user("u", None, "hi"), answer("a", "u", "ho"), user("v", "a", "more"), answer("b", "v", "yes")]
    found = events(tmp_path, *rows, state("c", "b", "chat_compression", payload), user("w", "c", "on"))
    (compaction,) = [event for event in found if isinstance(event, Compaction)]
    assert (compaction.summary, compaction.first_kept, compaction.tokens_before) == ("They said hi.", "v", 5000)
    assert {event.id: event.parent for event in found}["w"] == "c"
    found = events(tmp_path, *rows[:2], state("c", "a", "chat_compression", payload), user("w", "c", "on"))
    (compaction,) = [event for event in found if isinstance(event, Compaction)]
    assert compaction.first_kept is None
    assert "more" in compaction.summary, "what cannot be found again is told whole"


def test_only_what_a_person_typed_is_the_persons(tmp_path: Path) -> None:
    found = events(
        tmp_path,
        user("n", None, "task done", subtype="notification", provenance="system"),
        user("u", "n", "hi", provenance="real_user"),
        user("m", "u", "wait", subtype="mid_turn_user_message"),
        user("c", "m", "every morning", subtype="cron"),
        user("h", "c", [{"text": "go"}, {"text": "<hook_context>be kind</hook_context>"}]),
    )
    assert [kind for kind, _ in said(found)] == ["notification", "user", "user", "cron", "user", "hook_context"]
    assert session(found).first_prompt == "hi"


def test_a_command_that_the_person_ran_is_one(tmp_path: Path) -> None:
    text = "I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\na\n```"
    (shell,) = [event for event in events(tmp_path, user("u", None, text)) if isinstance(event, Shell)]
    assert (shell.command, shell.output) == ("ls", "a")


def test_facts_of_the_session(tmp_path: Path) -> None:
    found = events(
        tmp_path,
        user("u", None, "hi", gitBranch="main"),
        state("p", "u", "parent_session", {"parentSessionId": "above"}),
        state("t", "p", "custom_title", {"customTitle": "One", "titleSource": "auto"}),
        answer("a", "t", "ho", gitBranch="other"),
        state("s", "a", "custom_title", {"customTitle": "Two"}),
    )
    facts = session(found)
    assert (facts.title, facts.git_branch, facts.version, facts.cwd) == ("Two", "other", "0.24.4", "/home/ana/app")
    assert (facts.model, facts.parent_session_id) == ("qwen3-coder", "above")
    metas = [event for event in found if isinstance(event, Meta)]
    assert [event.title for event in metas if event.title] == ["One", "Two"]
    assert [event.git_branch for event in metas if event.git_branch] == ["main", "other"]


def test_pictures_and_diffs_stay(tmp_path: Path) -> None:
    picture = {"inlineData": {"mimeType": "image/png", "data": "aGk="}}
    row = result("r", "a", "c", {"output": "x"}, resultDisplay={"fileDiff": "+a"})
    row["message"]["parts"].append(picture)
    found = events(tmp_path, user("u", None, [picture, {"text": "see"}]), answer("a", "u", [call("c")]), row)
    (asked,) = [event for event in found if isinstance(event, Message) and event.role == "user"]
    assert asked.content == (Image(media_type="image/png", data="aGk="), Text(text="see"))
    (told,) = [event for event in found if isinstance(event, ToolResult)]
    assert told.content == (Text(text="x"), Image(media_type="image/png", data="aGk="))
    assert bytes(told.details) == b'{"fileDiff": "+a"}'


def test_what_is_not_known_is_kept_and_counted(tmp_path: Path) -> None:
    report = FileReport(path="")
    found = events(
        tmp_path,
        user("u", None, "hi"),
        state("x", "u", "oracle"),
        {"uuid": "y", "type": "dream", "sessionId": "s"},
        answer("a", "x", [{"text": "ho"}, {"hologram": 1}]),
        report=report,
    )
    assert {event.name for event in found if isinstance(event, Opaque)} == {"oracle", "dream", "part"}
    assert report.unknown == {"oracle": 1, "dream": 1, "part": 1}
    assert [text for _, text in said(found)] == ["hi", "ho"]
