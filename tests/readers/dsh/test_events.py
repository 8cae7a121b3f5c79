"""What the lines of a DeepSeek Harness log mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from panscript.readers.dsh import resolve
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import (
    COMPACTION_SUMMARY,
    TASK,
    Compaction,
    Message,
    Meta,
    Opaque,
    Session,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.report import FileReport
from tests.readers.dsh.logs import START, answer, call, event, events, header, packed, plain, result, text, user, write

USAGE = {"inputTokens": 120, "outputTokens": 45, "cacheReadTokens": 640, "cacheWriteTokens": 7, "reasoningTokens": 20}


def _messages(found: list[Any]) -> list[Message]:
    return [each for each in found if isinstance(each, Message)]


def _usage(found: list[Any]) -> list[Usage]:
    return [each for each in found if isinstance(each, Usage)]


def test_only_what_a_person_typed_is_the_persons(tmp_path: Path) -> None:
    prompt = {"turn": 1, "message": {"role": "system", "source": {"kind": "system-prompt"}, "content": [text("rules")]}}
    rows = [header(), event("system/message", 0, prompt), user(1, "hi"), user(2, "cwd", "runtime-context")]

    said = [(each.role, each.injected) for each in _messages(events(write(tmp_path, rows)))]

    assert said == [("system", "system_prompt"), ("user", None), ("system", "runtime-context")]


def test_the_queue_of_prompts_says_nothing(tmp_path: Path) -> None:
    queued = {"inserted": [{"content": [text("hi")], "source": {"kind": "user"}, "role": "user", "id": "u1"}]}

    found = events(write(tmp_path, [header(), event("agent/inbox/spliced", 0, queued), user(1, "hi")]))

    assert len(_messages(found)) == 1


def test_a_call_stands_in_its_message_and_is_told_once(tmp_path: Path) -> None:
    again = {"callId": "c1", "name": "bash", "arguments": '{"command":"ls"}'}
    rows = [
        header(),
        user(0, "hi"),
        answer(1, text("ok"), call("c1")),
        event("tool/call", 2, again),
        result(3, "c1", "x"),
    ]

    found = events(write(tmp_path, rows))

    calls = [block for each in _messages(found) for block in each.content if isinstance(block, ToolCall)]
    assert [(each.id, each.name, bytes(each.arguments), each.answered) for each in calls] == [
        ("c1", "bash", b'{"command":"ls"}', True)
    ]


def test_a_call_whose_message_is_lost_is_told_by_its_own_line(tmp_path: Path) -> None:
    rows = [header(), event("tool/call", 0, {"callId": "c1", "name": "bash", "arguments": "no JSON"})]

    (message,) = _messages(events(write(tmp_path, rows)))

    (block,) = message.content
    assert isinstance(block, ToolCall)
    assert (block.text, block.answered) == ("no JSON", False)


def test_results_of_version_0_stand_in_a_block(tmp_path: Path) -> None:
    block = {"type": "tool-result", "toolCallId": "c1", "content": [text("no")], "isError": True}
    message = {"role": "user", "source": {"kind": "tool", "callId": "c1"}, "content": [block]}
    rows = [header(version=0), answer(0, call("c1")), event("tool/result", 1, {"message": message})]

    (found,) = [each for each in events(write(tmp_path, rows)) if isinstance(each, ToolResult)]

    assert (found.call_id, found.status, found.content) == ("c1", "error", (Text(text="no"),))


@pytest.mark.parametrize(
    ("failed", "error", "status"), [(False, None, "ok"), (True, None, "error"), (False, {}, "error")]
)
def test_a_result_fails_when_it_says_so_or_names_an_error(
    tmp_path: Path, failed: bool, error: Any, status: str
) -> None:
    row = result(1, "c1", "text\n[exit code: 3]", failed=failed)
    if error is not None:
        row["data"]["error"] = {"name": "FsError"}

    found = events(write(tmp_path, [header(), answer(0, call("c1")), row]))

    assert [each.status for each in found if isinstance(each, ToolResult)] == [status]


def test_a_result_that_was_cut_for_the_model_is_told_as_it_was_first(tmp_path: Path) -> None:
    cut = {"op": "replace", "startSeq": 1, "endSeq": 1}
    rows = [header(), answer(0, call("c1")), result(1, "c1", "long"), result(2, "c1", "lo", surfaceOp=cut)]

    found = [each for each in events(write(tmp_path, rows)) if isinstance(each, ToolResult)]

    assert [each.content for each in found] == [(Text(text="long"),)]


def test_reasoning_is_thinking(tmp_path: Path) -> None:
    found = events(write(tmp_path, [header(), answer(0, {"type": "reasoning", "text": "hm"}, text("ok"))]))

    assert _messages(found)[0].content == (Thinking(text="hm"), Text(text="ok"))


def test_a_response_is_billed_once_in_disjoint_buckets(tmp_path: Path) -> None:
    (found,) = _usage(events(write(tmp_path, [header(), answer(0, text("ok"), usage=USAGE)])))

    tokens = found.tokens
    assert (tokens.input, tokens.output, tokens.cache_read, tokens.cache_write) == (120, 45, 640, 7)
    assert (tokens.reasoning, tokens.total) == (20, 812)
    assert (found.model, found.provider, found.cwd) == ("deepseek-flash", "deepseek", "/home/dev/app")


def test_usage_needs_tokens_and_a_time_that_is_a_number(tmp_path: Path) -> None:
    zero = answer(0, text("ok"), usage={"inputTokens": 0, "outputTokens": 0})
    timeless = answer(1, text("ok"), usage=USAGE) | {"time": "2026-05-15T08:00:00Z"}
    report = FileReport(path="")

    assert _usage(events(write(tmp_path, [header(), zero, timeless]), report)) == []
    assert report.skipped == {"no_token_usage": 1, "invalid_timestamp": 1}


def test_a_model_that_is_not_named_is_that_of_the_last_title(tmp_path: Path) -> None:
    row = answer(1, text("ok"), usage=USAGE)
    row["data"]["message"]["source"] = {"kind": "model"}
    asked = event("session/title-llm-request", 0, {"route": {"provider": "openai-x", "model": "Titles"}})

    (found,) = _usage(events(write(tmp_path, [header(), asked, row])))

    assert (found.model, found.provider, found.raw_provider) == ("titles", "openai", "openai-x")


def test_the_last_title_is_the_sessions(tmp_path: Path) -> None:
    rows = [
        header(),
        user(0, "hi"),
        event("session/title", 1, {"title": "hi"}),
        event("session/title", 2, {"title": "Hi"}),
    ]

    found = events(write(tmp_path, rows))

    assert isinstance(found[0], Session)
    assert (found[0].title, found[0].first_prompt, found[0].created) == ("Hi", "hi", START)
    assert [each.title for each in found if isinstance(each, Meta) and each.title] == ["hi", "Hi"]


def test_a_compaction_names_what_stays_and_is_billed(tmp_path: Path) -> None:
    summary = {
        "summary": [text("so far")],
        "shadowedSeqs": [0, 1],
        "shadowedTokenCount": 99,
        "provider": "deepseek",
        "model": "m",
        "usage": USAGE,
    }
    placed = user(5, "so far", "compact-checkpoint", surfaceOp={"op": "replace", "startSeq": 0, "endSeq": 1})
    rows = [
        header(),
        user(0, "hi"),
        answer(1, text("ok")),
        answer(2, call("c1")),
        result(3, "c1", "x"),
        event("compaction/summary", 4, summary),
        placed,
        event("compaction/end", 6, {}),
    ]

    found = events(write(tmp_path, rows))

    (compaction,) = [each for each in found if isinstance(each, Compaction)]
    assert (compaction.summary, compaction.first_kept, compaction.tokens_before) == ("so far", "seq:2", 99)
    assert _messages(found)[-1].injected == COMPACTION_SUMMARY
    assert [each.model for each in _usage(found)] == ["m"]


def test_a_result_that_was_cut_stays_under_its_first_name(tmp_path: Path) -> None:
    cut = {"op": "replace", "startSeq": 2, "endSeq": 2}
    rows = [
        header(),
        user(0, "hi"),
        answer(1, call("c1")),
        result(2, "c1", "long"),
        result(3, "c1", "lo", surfaceOp=cut),
        event("compaction/summary", 4, {"summary": "so far", "shadowedSeqs": [0, 1]}),
    ]

    (compaction,) = [each for each in events(write(tmp_path, rows)) if isinstance(each, Compaction)]

    assert compaction.first_kept == "seq:2"


def test_a_response_that_was_never_finished_is_put_together(tmp_path: Path) -> None:
    def chunk(seq: int, **what: Any) -> dict[str, Any]:
        return event("assistant/chunk", seq, {"turn": 1, "step": 1, "chunk": what})

    rows = [
        header(version=0),
        user(0, "hi"),
        {"type": "reasoning-chunks", "seq0": 1, "time0": START, "data": {"index": 0, "dt": [0], "texts": ["h", "m"]}},
        chunk(3, type="text-delta", index=1, text="half"),
        chunk(4, type="tool-call-delta", index=2, id="c1", name="bash", argumentsDelta='{"a":'),
        chunk(5, type="usage", usage=USAGE),
        event("turn/end", 6, {"reason": {"kind": "aborted"}}),
    ]

    found = events(write(tmp_path, rows))

    message = _messages(found)[-1]
    assert message.content == (
        Thinking(text="hm"),
        Text(text="half"),
        ToolCall(id="c1", name="bash", text='{"a":', answered=False),
    )
    assert message.fault == "aborted"
    assert len(_usage(found)) == 1


def test_chunks_say_what_their_message_says_again(tmp_path: Path) -> None:
    chunk = {"turn": 1, "step": 1, "chunk": {"type": "text-delta", "index": 0, "text": "ok"}}

    found = events(write(tmp_path, [header(), event("assistant/chunk", 0, chunk), answer(1, text("ok"))]))

    assert len(_messages(found)) == 1


def test_nobody_typed_the_task_of_a_sub_agent(tmp_path: Path) -> None:
    child = header(id="child", parentSession="parent", origin="subagent", delegationDepth=1)
    path = write(tmp_path, [child, user(0, "count files")], "child")

    found = events(path)

    assert isinstance(found[0], Session)
    assert (found[0].parent_session_id, found[0].forked_from) == ("parent", None)
    assert [(each.role, each.injected) for each in _messages(found)] == [("system", TASK)]


@pytest.mark.parametrize("version", [0, 4])
def test_what_a_fork_copied_is_its_parents(tmp_path: Path, version: int) -> None:
    copied = [user(0, "hi"), answer(1, text("ok"), usage=USAGE)]
    seeded = {"seedLength": 2, "version": 0} if version == 0 else {"isSeeded": True}
    rows = [header(id="fork", parentSession="parent", **seeded), *copied]
    rows += [event("session/end-seed", 2, {"inherited": True}), user(3, "more"), answer(4, text("yes"), usage=USAGE)]
    path = write(tmp_path, rows, "fork")

    alone = events(path)
    write(tmp_path, [header(id="parent"), *copied], "parent")
    beside = events(path)

    assert [each.session_id for each in _messages(alone)] == ["parent", "parent", None, None]
    assert [each.session_id for each in _usage(alone)] == ["parent", None]
    assert [each.inherited_from for each in _messages(beside)] == ["parent", "parent", None, None]
    assert [each.inherited_from for each in _usage(beside)] == ["parent", None]


def test_a_mark_of_a_resume_makes_nothing_inherited(tmp_path: Path) -> None:
    rows = [header(isSeeded=False), user(0, "hi"), event("session/end-seed", 1, {}), user(2, "more")]

    found = events(write(tmp_path, rows))

    assert [(each.inherited_from, each.session_id) for each in _messages(found)] == [(None, None)] * 2


def test_types_that_are_not_known_are_kept(tmp_path: Path) -> None:
    report = FileReport(path="")

    found = events(write(tmp_path, [header(), user(0, "hi"), event("future/thing", 1, {"a": 1})]), report)

    assert [each.name for each in found if isinstance(each, Opaque)] == ["future/thing"]
    assert report.unknown == {"future/thing": 1}


def test_a_torn_last_frame_costs_no_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "session.v4.jsonl.zstd"
    path.write_bytes(packed(plain([header()]), plain([user(0, "hi")])) + packed(plain([user(1, "more")]))[:-9])
    report = FileReport(path="")

    assert [each.message_id for each in _messages(events(path, report))] == ["u0"]
    assert report.skipped["undecodable_jsonl_frame"] == 1


def test_a_damaged_frame_costs_no_later_one(tmp_path: Path) -> None:
    path = tmp_path / "session.v4.jsonl.zstd"
    damaged = bytearray(packed(plain([user(1, "x" * 300)])))
    damaged[9:20] = b"\xff" * 11
    path.write_bytes(
        packed(plain([header()]), plain([user(0, "hi")])) + bytes(damaged) + packed(plain([user(2, "on")]))
    )

    assert [each.message_id for each in _messages(events(path))] == ["u0", "u2"]


def test_a_file_in_which_nothing_is_understood_is_none(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b'{"some":"thing"}\nnonsense\n')

    with pytest.raises(NotATranscript):
        events(path)


def test_without_a_header_the_folder_names_the_session(tmp_path: Path) -> None:
    report = FileReport(path="")
    path = write(tmp_path, [user(0, "hi")])

    found = events(path, report)

    assert isinstance(found[0], Session)
    assert found[0].session_id == path.parent.name == resolve(str(path)).id
    assert [each.code for each in report.warnings] == ["header_missing"]
