"""Calls, their results and pictures in a Claude Code transcript, one fact a test."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from panscript.schemas.events import (
    Event,
    File,
    Image,
    Message,
    Opaque,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.writers.claude import LOSSES
from panscript.writers.identity import clean_name
from tests.builders import answer, asked, result, session, spoken
from tests.writers.claude.written import PDF, PNG, Written

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}


def test_results_stand_right_after_their_calls_each_in_a_row_that_names_its_caller() -> None:
    out = Written(
        [
            spoken("u"),
            answer("a", asked("c"), "and", asked("d")),
            spoken("v", "meanwhile"),
            result("s", "d", "two"),
            result("r", "c", "one"),
            answer("b", "done"),
        ]
    )
    assert out.kinds == ["user", "tool_use", "text", "tool_use", "user", "user", "user", "text"]
    callers = {row["message"]["content"][0].get("id"): row["uuid"] for row in out.of("assistant")}
    found = [(row["sourceToolAssistantUUID"], row["message"]["content"]) for row in out.rows[4:6]]
    assert found == [
        (callers["d"], [{"type": "tool_result", "tool_use_id": "d", "content": "two"}]),
        (callers["c"], [{"type": "tool_result", "tool_use_id": "c", "content": "one"}]),
    ]
    assert out.said[6] == "meanwhile"
    assert not any("sourceToolAssistantUUID" in row for row in out.rows if row not in out.rows[4:6])


@pytest.mark.parametrize(("status", "error"), [("ok", None), ("error", True), ("unknown", None)])
def test_a_failed_call_says_so(status: Any, error: bool | None) -> None:
    out = Written([answer("a", asked("c")), result("r", "c", "no", status=status)])
    assert out.results[0].get("is_error") is error


def test_a_result_holds_pictures_and_documents() -> None:
    content = (
        Text(text="see"),
        Image(data=PNG, media_type="image/png"),
        File(media_type="application/pdf", name="a.pdf", data=PDF),
        File(media_type="text/plain", data="plain"),
    )
    out = Written([answer("a", asked("c")), ToolResult(id="r", call_id="c", content=content)])
    assert out.results[0]["content"] == [
        {"type": "text", "text": "see"},
        IMAGE,
        {
            "type": "document",
            "source": {"type": "base64", "media_type": "application/pdf", "data": PDF},
            "title": "a.pdf",
        },
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "plain"}},
    ]
    assert out.report.lost == {}


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_result_is_never_empty(text: str) -> None:
    out = Written([answer("a", asked("c")), result("r", "c", content=(Text(text=text),))])
    assert out.results[0]["content"] == "(no output)"
    assert out.report.changed["empty_text_replaced"] == 1


def test_a_missing_result_is_an_error_that_says_so() -> None:
    out = Written([answer("a", asked("c", answered=False)), spoken("u")])
    assert out.results == [
        {
            "type": "tool_result",
            "tool_use_id": "c",
            "content": "No result was recorded for this call.",
            "is_error": True,
        }
    ]
    assert out.report.kept.get("tool_result") is None
    assert out.report.changed["result_supplied"] == 1


def test_a_result_without_a_call_is_sent_as_text_and_not_shown() -> None:
    out = Written([spoken("u"), result("r", "zz", "high 14:02")])
    assert out.said[1] == [
        {"type": "text", "text": "A result of call zz:"},
        {"type": "text", "text": "high 14:02"},
    ]
    assert out.rows[1]["isMeta"]
    assert out.gathered("kinds") == {out.rows[1]["uuid"]: "orphan_result"}
    assert out.report.kept["tool_result"] == 1


@pytest.mark.parametrize("name", ["call.1|fc:2", "x" * 65, "x" * 200, "é", "a b", "~"])
def test_odd_call_ids_are_cleaned_alike_for_call_and_result_and_recorded(name: str) -> None:
    out = Written([answer("a", asked(name)), result("r", name)])
    call = out.calls[0]["id"]
    assert call == out.results[0]["tool_use_id"]
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", call)
    assert out.gathered("ids") == {call: name}


def test_ids_that_the_vendor_takes_are_left_alone() -> None:
    out = Written([answer("a", asked("x" * 64), asked("toolu_01-b")), result("r", "x" * 64), result("s", "toolu_01-b")])
    assert [call["id"] for call in out.calls] == ["x" * 64, "toolu_01-b"]
    assert out.gathered("ids") == {}


def test_ids_that_look_alike_when_cleaned_stay_apart() -> None:
    names = ["a.b", "a:b", "a_b", "x" * 150 + "1", "x" * 150 + "2"]
    out = Written([answer("a", *map(asked, names)), *(result(f"r{n}", name) for n, name in enumerate(names))])
    assert len({call["id"] for call in out.calls}) == len(names)
    assert len({clean_name(name, 64) for name in names}) == len(names)


def test_calls_of_one_id_are_told_apart_and_so_are_their_results() -> None:
    out = Written(
        [
            answer("a", asked("c"), asked("c")),
            result("r", "c", "one"),
            result("s", "c", "two"),
            spoken("u"),
            answer("b", asked("c")),
            result("t", "c", "three"),
        ]
    )
    ids = [call["id"] for call in out.calls]
    assert len(set(ids)) == 3
    assert [(found["tool_use_id"], found["content"]) for found in out.results] == [
        (ids[0], "one"),
        (ids[1], "two"),
        (ids[2], "three"),
    ]


def test_a_call_without_an_id_gets_one() -> None:
    out = Written([answer("a", asked("")), result("r", "")])
    assert out.calls[0]["id"] == out.results[0]["tool_use_id"] != ""


@pytest.mark.parametrize(
    ("name", "pattern"), [("mcp__x__do.it", "mcp__x__do_it_.*"), ("9lives", "_9lives_.*"), ("n" * 70, "n{55}_.*")]
)
def test_odd_tool_names_are_cleaned_and_recorded(name: str, pattern: str) -> None:
    out = Written([answer("a", asked("c", name)), result("r", "c")])
    written = out.calls[0]["name"]
    assert re.fullmatch(pattern, written)
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", written)
    assert out.gathered("ids") == {written: name}


def test_a_call_without_a_name_is_given_one_and_the_record_knows() -> None:
    out = Written([answer("a", asked("toolu_123", "")), result("r", "toolu_123")])
    assert out.calls[0]["name"] == "unknown_toolu_12"
    assert out.gathered("ids") == {"unknown_toolu_12": None}


@pytest.mark.parametrize(
    ("block", "arguments"),
    [
        (asked("c", arguments=b'{"a": [1, 2]}'), {"a": [1, 2]}),
        (asked("c", arguments=b"[1]"), {"_text": "[1]"}),
        (asked("c", arguments=b'"x"'), {"_text": '"x"'}),
        (asked("c", arguments=b"null"), {"_text": "null"}),
        (ToolCall(id="c", name="n", text='{"torn'), {"_text": '{"torn'}),
        (ToolCall(id="c", name="n", text="*** Begin", custom=True), {"input": "*** Begin"}),
        (ToolCall(id="c", name="n"), {"_text": ""}),
    ],
)
def test_arguments_are_always_an_object_and_the_record_names_those_that_were_none(
    block: ToolCall, arguments: dict[str, Any]
) -> None:
    out = Written([answer("a", block), result("r", "c")])
    assert out.calls[0]["input"] == arguments
    assert out.listed("texts") == ([] if block.arguments == msgspec.Raw(b'{"a": [1, 2]}') else ["c"])


@pytest.mark.parametrize(
    ("image", "text", "code"),
    [
        (Image(path="/tmp/a.png"), "[Image missing: /tmp/a.png]", "image_missing"),
        (Image(path=""), "[Image missing: no data]", "image_missing"),
        (Image(url="https://x/y.png"), "[Image missing: https://x/y.png]", "image_remote"),
        (
            Image(data="A" * (5 * 2**20 + 4), media_type="image/png"),
            "[Image missing: 5242884 bytes of base64 are too many]",
            "image_too_large",
        ),
        (Image(data="not base64!", media_type="image/png"), "[Image missing: its data is damaged]", "image_broken"),
        (
            Image(data="QUJDRA==", media_type="image/tiff"),
            "[Image missing: image/tiff is not taken]",
            "image_broken",
        ),
        (Image(data="", media_type="image/png"), "[Image missing: its data is damaged]", "image_broken"),
    ],
)
def test_pictures_that_cannot_be_kept_leave_a_placeholder(image: Image, text: str, code: str) -> None:
    out = Written(
        [spoken("u", content=(image,)), answer("a", asked("c")), ToolResult(id="r", call_id="c", content=(image,))]
    )
    assert (out.said[0], out.results[0]["content"]) == (text, text)
    assert out.report.lost == {code: 2}


def test_what_the_bytes_are_decides_the_kind_of_a_picture() -> None:
    broken = "\n".join(PNG[n : n + 10] for n in range(0, len(PNG), 10))
    for image in (Image(data=PNG, media_type="image/jpeg"), Image(data=broken, media_type="")):
        assert Written([spoken("u", content=(image,))]).said == [[IMAGE]]


def test_a_picture_in_an_answer_is_text_and_a_loss() -> None:
    event: Message = answer("a", Image(data=PNG, media_type="image/png"))
    out = Written([spoken("u"), event])
    assert out.said[1] == [{"type": "text", "text": "[Image missing: an answer cannot hold one]"}]
    assert out.report.lost == {"image_missing": 1}


def test_every_loss_in_the_table_can_come_up() -> None:
    strange: list[Event] = [
        spoken("u", content=(Image(url="x"), Image(data="A" * 6_000_000), Image(data="!"), File(), Image(path="x"))),
        answer("a", Thinking(text="x", signature="s"), Thinking(redacted=True, signature="s"), "", "y"),
        answer("b", "n", injected="agent_notice"),
        answer("c", fault="error"),
        answer("d"),
        Opaque(id="o", name="x", data=msgspec.Raw(b'"' + b"x" * 300_000 + b'"')),
        Usage(id="x", tokens=Tokens(output=1)),
    ]
    assert Written(strange, first=session(agent="codex")).report.lost.keys() == LOSSES.keys()
