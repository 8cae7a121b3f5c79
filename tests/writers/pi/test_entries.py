"""What each thing of a session becomes in Pi, one fact a test."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from panscript.schemas.diagnostics import CODES
from panscript.schemas.errors import CannotConvert
from panscript.schemas.events import (
    Block,
    Compaction,
    Event,
    File,
    Image,
    Message,
    Meta,
    Opaque,
    Session,
    Shell,
    Summary,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.report import FileReport
from panscript.stages.prepare import prepare
from panscript.writers.identity import clean_name
from panscript.writers.options import WriteOptions
from panscript.writers.pi import LOSSES, file_name, write
from tests.builders import SESSION, START, answer, asked, at, result, session, spoken

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 30).decode()
OPTIONS = WriteOptions(imported_at=START + 86_400_000, importer="panscript test")


class Written:
    """A written session, read back as plain JSON."""

    def __init__(
        self, events: Iterable[Event], *, stages: bool = True, first: Session | None = None, **options: Any
    ) -> None:
        self.report = FileReport(path="")
        wanted = msgspec.structs.replace(OPTIONS, **options)
        stream: Iterable[Event] = [first or session(), *events]
        if stages:
            stream = prepare(stream, all_branches=wanted.all_branches, report=self.report)
        sink = io.BytesIO()
        self.last = write(stream, sink, options=wanted, report=self.report)
        self.bytes = sink.getvalue()
        self.lines: list[dict[str, Any]] = [msgspec.json.decode(line) for line in self.bytes.splitlines()]
        self.header, self.head, *self.entries = self.lines
        self.parts: list[dict[str, Any]] = [e["data"] for e in self.entries if e.get("customType") == "import.part"]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Everything that is said."""
        return [entry["message"] for entry in self.entries if entry["type"] == "message"]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The entries of a type, custom messages by their own type."""
        return [entry for entry in self.entries if kind in (entry["type"], entry.get("customType"))]

    @property
    def kinds(self) -> list[str]:
        """What stands in the file between the head and the closing entries."""
        return [
            e["message"]["role"] if e["type"] == "message" else e.get("customType", e["type"])
            for e in self.entries[:-2]
        ]

    def gathered(self, field: str) -> dict[str, Any]:
        """A field of the record over all of its parts."""
        return {key: value for part in self.parts for key, value in part.get(field, {}).items()}

    @property
    def context(self) -> list[tuple[str, str]]:
        """Texts that stand only in the record, with what put them there."""
        return [(text["kind"], text["text"]) for part in self.parts for text in part.get("context", [])]


def _content(*blocks: Block, role: str = "assistant") -> list[dict[str, Any]]:
    event = Message(id="a", role=role, content=blocks, time=START)  # type: ignore[arg-type]
    content: list[dict[str, Any]] = Written([spoken("u"), event], stages=False).messages[-1]["content"]
    return content


def test_the_header_and_the_head_say_where_it_came_from() -> None:
    first = session(version="2.1", model="m", parent_session_id="p", title="T")
    out = Written([spoken("u")], first=first, source_path="/x.jsonl")
    assert out.header == {
        "type": "session",
        "version": 3,
        "id": out.header["id"],
        "timestamp": at(0),
        "cwd": "/home/dev/app",
    }
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", out.header["id"])
    assert out.head["customType"] == "import"
    assert out.head["parentId"] is None
    assert out.head["data"] == {
        "source": "claude",
        "importedAt": at(86_400),
        "importer": "panscript test",
        "sourcePath": "/x.jsonl",
        "sourceSessionId": SESSION,
        "sourceVersion": "2.1",
        "parentSourceSessionId": "p",
        "originalCwd": "/home/dev/app",
        "originalModel": "m",
    }


def test_the_same_events_give_the_same_bytes_and_another_number_another_session() -> None:
    events: list[Event] = [spoken("u"), answer("a", asked("c")), result("r", "c")]
    one, two, other = Written(events), Written(events), Written(events, number=1)
    assert one.bytes == two.bytes
    assert one.header["id"] != other.header["id"]
    assert not {e["id"] for e in one.entries} & {e["id"] for e in other.entries}


def test_ids_come_from_the_source_never_from_the_position() -> None:
    long = Written([spoken("u"), spoken("v"), spoken("w")])
    short = Written([spoken("v"), spoken("w")])
    assert [e["id"] for e in long.of("message")][1:] == [e["id"] for e in short.of("message")]


def test_every_entry_hangs_on_the_one_before_and_the_name_closes_the_file() -> None:
    out = Written([spoken("u"), answer("a", "x"), spoken("v")])
    ids = [line["id"] for line in out.lines[1:]]
    assert [line["parentId"] for line in out.lines[1:]] == [None, *ids[:-1]]
    assert len(set(ids)) == len(ids)
    assert [e["type"] for e in out.entries[-2:]] == ["custom", "session_info"]
    assert out.parts[-1]["importedUpToEntryId"] == ids[-3]
    assert out.bytes.endswith(b"}\n")


def test_a_prompt_with_a_picture() -> None:
    assert _content(Text(text="see"), Image(data=PNG, media_type="image/png"), role="user") == [
        {"type": "text", "text": "see"},
        {"type": "image", "data": PNG, "mimeType": "image/png"},
    ]


def test_an_answer_is_one_message_with_its_calls_and_zero_usage() -> None:
    parts = [
        answer("a1", Thinking(text="hm", signature="s"), response="m", closes=False),
        answer("a2", "text", response="m", closes=False),
        answer("a3", asked("c", arguments=b'{"x":1}'), response="m", tokens=Tokens(input=7, output=3, total=10)),
    ]
    out = Written([spoken("u"), *parts, result("r", "c")])
    message = out.messages[1]
    assert message["content"] == [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "text"},
        {"type": "toolCall", "id": "c", "name": "Bash", "arguments": {"x": 1}},
    ]
    assert (message["api"], message["provider"], message["model"]) == (
        "imported-claude",
        "anthropic",
        "claude-sonnet-4-5",
    )
    assert message["stopReason"] == "toolUse"
    usage = message["usage"]
    assert {usage[k] for k in ("input", "output", "cacheRead", "cacheWrite")} == {0}
    assert set(usage["cost"].values()) == {0}
    entry = out.of("message")[1]["id"]
    assert out.gathered("usage")[entry]["tokens"] == {"input": 7, "output": 3, "total": 10}
    assert out.parts[-1]["usageTotals"]["perModel"]["claude-sonnet-4-5"]["tokens"]["total"] == 10


def test_the_estimate_runs_on() -> None:
    out = Written([spoken("u", "x" * 40), answer("a", "y" * 8), spoken("v", "\U0001f600"), answer("b", "z")])
    assert [m["usage"]["totalTokens"] for m in out.messages if m["role"] == "assistant"] == [12, 14]


@pytest.mark.parametrize(
    ("event", "model", "provider", "fallbacks"),
    [
        (answer("a", "x", model="gpt-5"), "gpt-5", "openai", [("provider", "openai")]),
        (answer("a", "x", model="gpt-5", provider="azure"), "gpt-5", "azure", []),
        (answer("a", "x", model="glm-4.6"), "glm-4.6", "anthropic", [("provider", "anthropic")]),
        (answer("a", "x", model=None), "of-session", "anthropic", [("model", "of-session"), ("provider", "anthropic")]),
    ],
)
def test_model_and_provider(event: Message, model: str, provider: str, fallbacks: list[tuple[str, str]]) -> None:
    out = Written([event], first=session(model="of-session"))
    assert (out.messages[0]["model"], out.messages[0]["provider"]) == (model, provider)
    assert [(f["field"], f["value"]) for f in out.parts[-1].get("fallbacks", [])] == fallbacks


def test_without_any_model_it_is_unknown() -> None:
    assert Written([answer("a", "x", model=None)]).messages[0]["model"] == "unknown"


@pytest.mark.parametrize("stop", ["max_tokens", "refusal", "error"])
def test_reasons_that_would_make_pi_act_are_replaced(stop: str) -> None:
    out = Written([answer("a", "x", stop_reason=stop)])
    assert out.messages[0]["stopReason"] == "stop"
    assert out.report.changed["stop_reason_mapped"] == 1


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
def test_arguments_are_always_an_object(block: ToolCall, arguments: dict[str, Any]) -> None:
    assert _content(block)[0]["arguments"] == arguments


@pytest.mark.parametrize("name", ["call.1|fc:2", "x" * 41, "é", "a b", "~"])
def test_odd_call_ids_are_cleaned_alike_for_call_and_result_and_recorded(name: str) -> None:
    out = Written([answer("a", asked(name)), result("r", name)])
    call, found = out.messages[0]["content"][0]["id"], out.messages[1]["toolCallId"]
    assert call == found
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,40}", call)
    assert out.gathered("ids")[call] == name


def test_ids_that_look_alike_when_cleaned_stay_apart() -> None:
    names = ["a.b", "a:b", "a_b", "x" * 50 + "1", "x" * 50 + "2"]
    assert len({clean_name(name, 40) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("name", "pattern"), [("mcp__x__do.it", "mcp__x__do_it_.*"), ("9lives", "_9lives_.*"), ("n" * 70, "n{55}_.*")]
)
def test_odd_tool_names_are_cleaned_and_recorded(name: str, pattern: str) -> None:
    out = Written([answer("a", asked("c", name)), result("r", "c")])
    written = out.messages[0]["content"][0]["name"]
    assert re.fullmatch(pattern, written)
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", written)
    assert out.messages[1]["toolName"] == written
    assert out.gathered("ids")[written] == name


def test_a_call_without_a_name_is_given_one() -> None:
    out = Written([answer("a", asked("toolu_123", "")), result("r", "toolu_123")])
    assert out.messages[0]["content"][0]["name"] == out.messages[1]["toolName"] == "unknown_toolu_12"


def test_a_result_keeps_text_error_time_taken_and_wrapper() -> None:
    wrapper = msgspec.Raw(b'{"exit":3}')
    out = Written([answer("a", asked("c")), result("r", "c", "no", status="error", duration_ms=7, details=wrapper)])
    found = out.messages[1]
    assert (found["isError"], found["durationMs"], found["details"]) == (True, 7, {"exit": 3})
    assert found["content"] == [{"type": "text", "text": "no"}]


def test_a_result_is_never_empty() -> None:
    out = Written([answer("a", asked("c")), result("r", "c", "")])
    assert out.messages[1]["content"] == [{"type": "text", "text": "(no output)"}]
    assert out.report.changed["empty_text_replaced"] == 1


def test_a_missing_result_is_an_error_that_says_so() -> None:
    out = Written([answer("a", asked("c", answered=False)), spoken("u")])
    assert out.kinds == ["assistant", "toolResult", "user"]
    assert (out.messages[1]["isError"], out.messages[1]["content"][0]["text"]) == (
        True,
        "No result was recorded for this call.",
    )


def test_a_result_without_a_call_is_readable_text() -> None:
    out = Written([spoken("u"), result("r", "zz", "high 14:02")])
    (note,) = out.of("custom_message")
    assert note["display"]
    assert [block["text"] for block in note["content"]] == ["A result of call zz:", "high 14:02"]
    assert "toolResult" not in out.kinds


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
    assert out.messages[0]["content"] == out.messages[2]["content"] == [{"type": "text", "text": text}]
    assert out.report.lost == {code: 2}


def test_what_the_bytes_are_decides_the_kind_of_a_picture() -> None:
    assert _content(Image(data=PNG, media_type="image/jpeg"), role="user")[0]["mimeType"] == "image/png"
    broken = "\n".join(PNG[n : n + 10] for n in range(0, len(PNG), 10))
    assert _content(Image(data=broken, media_type=""), role="user")[0]["data"] == PNG


def test_a_picture_in_an_answer_is_text_and_a_loss() -> None:
    out = Written([answer("a", Image(data=PNG, media_type="image/png"))])
    assert out.messages[0]["content"][0]["type"] == "text"
    assert out.report.lost == {"image_missing": 1}
    assert "image" not in out.report.kept


@pytest.mark.parametrize(
    ("file", "text", "lost"),
    [
        (File(name="a.txt", media_type="text/plain", data="hi"), "[File: a.txt]\nhi", {}),
        (File(name="a.pdf", media_type="application/pdf", data="QQ=="), "[File left out: a.pdf]", {"file_missing": 1}),
        (File(url="https://x"), "[File left out: document]", {"file_missing": 1}),
    ],
)
def test_documents(file: File, text: str, lost: dict[str, int]) -> None:
    out = Written([spoken("u", content=(file,))])
    assert out.messages[0]["content"] == [{"type": "text", "text": text}]
    assert out.report.lost == lost


def test_thinking_has_no_signature_and_comes_with_the_next_answer_or_into_the_record() -> None:
    out = Written(
        [
            answer("a", Thinking(text="deep", signature="sig")),
            answer("b", "x"),
            answer("c", Thinking(text="late")),
            spoken("u"),
        ]
    )
    assert out.messages[0]["content"] == [{"type": "thinking", "thinking": "deep"}, {"type": "text", "text": "x"}]
    assert ("thinking", "late") in out.context
    assert out.report.lost == {"signature_dropped": 1}
    assert out.report.kept["thinking"] == 2
    assert b'sig"' not in out.bytes


def test_thinking_that_nobody_can_read_is_a_loss_by_design() -> None:
    out = Written([answer("a", Thinking(redacted=True, signature="x"), "y"), answer("b", Thinking(signature="z"), "w")])
    assert out.report.lost == {"redacted_thinking": 1, "signature_dropped": 1}


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (answer("a", ""), "empty_message"),
        (answer("a", "  \n"), "empty_message"),
        (answer("a"), "empty_message"),
        (answer("a", fault="aborted"), "failed_response"),
        (answer("a", "API Error", injected="agent_notice"), "agent_notice"),
        (spoken("a", " "), "empty_message"),
    ],
)
def test_messages_that_say_nothing_are_left_out_and_counted(event: Message, code: str) -> None:
    out = Written([spoken("u"), event, spoken("v")])
    assert out.kinds == ["user", "user"]
    assert out.report.lost[code] == 1
    assert not out.report.lost_content()


def test_a_failed_answer_with_text_is_kept_and_never_failed() -> None:
    out = Written([answer("a", "half an ans", fault="error")])
    assert out.messages[0]["stopReason"] == "stop"


def test_tokens_of_a_message_that_is_left_out_are_in_the_sums() -> None:
    out = Written(
        [
            spoken("u"),
            answer("a", "", tokens=Tokens(output=5, total=5)),
            answer("b", "x", tokens=Tokens(output=1, total=1)),
        ]
    )
    assert out.parts[-1]["usageTotals"]["all"]["tokens"]["output"] == 6


def test_injected_text_goes_into_the_record_and_not_into_the_chat() -> None:
    events: list[Event] = [
        spoken("h", "be kind", role="system", injected="reminder", hidden=True),
        spoken("u"),
        spoken("i", "x", role="system", injected="interruption"),
    ]
    out = Written(events)
    assert out.kinds == ["user"]
    assert out.context == [("reminder", "be kind"), ("interruption", "x")]
    assert out.report.changed["context_recorded"] == 2


def test_what_a_sub_agent_was_told_opens_its_conversation() -> None:
    out = Written([spoken("t", "count", role="system", injected="task"), answer("a", "2")])
    assert out.kinds == ["user", "assistant"]


def test_a_shell_line_of_the_person() -> None:
    out = Written(
        [
            Shell(id="s", command="ls", time=START),
            Shell(id="t", output="x", time=START),
            Shell(id="e", command="pwd", output="/", excluded=True, time=START),
        ]
    )
    one, two = out.messages
    assert one == {
        "role": "bashExecution",
        "command": "ls",
        "output": "x",
        "cancelled": False,
        "truncated": False,
        "timestamp": START,
    }
    assert two["excludeFromContext"]


def test_a_call_in_a_prompt_is_text() -> None:
    out = Written([spoken("u", content=(asked("c", "Read", b'{"a":1}'),))])
    assert out.messages[0]["content"] == [{"type": "text", "text": '[Call of Read] {"a":1}'}]
    assert out.report.changed["call_as_text"] == 1


def _compacted(**more: Any) -> Written:
    events: list[Event] = [spoken("u", "x" * 40), answer("a", "y" * 40), spoken("v", "z" * 40), answer("b", "w" * 40)]
    return Written([*events, Compaction(id="c", summary="s" * 20, time=START, **more), answer("d", "q" * 4)])


def test_a_compaction_that_keeps_nothing_begins_with_itself() -> None:
    out = _compacted(tokens_before=999)
    (entry,) = out.of("compaction")
    assert entry["firstKeptEntryId"] == entry["id"]
    assert (entry["summary"], entry["tokensBefore"]) == ("s" * 20, 999)
    assert out.messages[-1]["usage"]["totalTokens"] == 5 + 1


def test_a_compaction_keeps_what_it_kept() -> None:
    out = _compacted(first_kept="v")
    (entry,) = out.of("compaction")
    assert entry["firstKeptEntryId"] == out.of("message")[2]["id"]
    assert entry["tokensBefore"] == 40
    assert out.messages[-1]["usage"]["totalTokens"] == 5 + 20 + 1


def test_a_compaction_that_kept_something_unknown_says_so() -> None:
    out = _compacted(first_kept="gone")
    (entry,) = out.of("compaction")
    assert entry["firstKeptEntryId"] == entry["id"]
    assert out.report.changed["compaction_kept_nothing"] == 1


def test_a_compaction_may_keep_from_a_later_part_of_a_response_or_from_injected_text() -> None:
    parts = [answer("a1", "x", response="m", closes=False), answer("a2", "y", response="m")]
    note = spoken("i", "note", role="system", injected="reminder")
    last = Compaction(id="c", summary="s", time=START, first_kept="a2")
    out = Written([spoken("u"), *parts, last])
    assert out.of("compaction")[0]["firstKeptEntryId"] == out.of("message")[1]["id"]
    out = Written([spoken("u"), note, spoken("v"), msgspec.structs.replace(last, first_kept="i")])
    assert out.of("compaction")[0]["firstKeptEntryId"] == out.of("message")[1]["id"]
    out = Written([spoken("u"), note, msgspec.structs.replace(last, first_kept="i")])
    (entry,) = out.of("compaction")
    assert entry["firstKeptEntryId"] == entry["id"]
    assert "compaction_kept_nothing" not in out.report.changed


def test_a_summary_stands_before_the_next_prompt_never_between_a_call_and_its_result() -> None:
    events: list[Event] = [
        spoken("u"),
        answer("a", asked("c")),
        Summary(id="s", text="so far", leaf="a", parent="a", time=START),
        result("r", "c"),
        answer("b", "x"),
        spoken("v"),
    ]
    out = Written(events)
    assert out.kinds == ["user", "assistant", "toolResult", "assistant", "imported-summary", "user"]
    (entry,) = out.of("imported-summary")
    assert (entry["content"], entry["display"]) == ("Imported summary: so far", True)


def test_a_summary_at_the_end_closes_the_conversation() -> None:
    out = Written([spoken("u"), Summary(id="s", text="x", leaf="u", parent="u")])
    assert out.kinds == ["user", "imported-summary"]


def test_a_summary_of_another_file_goes_into_the_record() -> None:
    out = Written([spoken("u"), Summary(id="s", text="elsewhere")])
    assert ("summary", "elsewhere") in out.context
    assert out.report.changed["summary_recorded"] == 1


@pytest.mark.parametrize(
    ("facts", "cwd", "name"),
    [
        ({"title": "A title", "first_prompt": "p"}, None, "Imported from Claude Code: A title"),
        ({"first_prompt": "do\n it"}, None, "Imported from Claude Code: do it"),
        ({}, None, f"Imported from Claude Code: {SESSION}"),
        ({"title": "\x1b[31mred\x1b[0m\x07"}, None, "Imported from Claude Code: red"),
        ({"title": "T"}, "/elsewhere", "Imported from Claude Code: T (from /home/dev/app)"),
        ({"title": "T"}, "/home/dev/app/", "Imported from Claude Code: T"),
    ],
)
def test_the_name_is_one_clean_line(facts: dict[str, str], cwd: str | None, name: str) -> None:
    out = Written([spoken("u")], first=session(**facts), cwd=cwd)
    assert out.entries[-1]["name"] == name
    assert out.header["cwd"] == (cwd or "/home/dev/app")


def test_times_are_those_of_the_source_and_moved_ones_are_recorded() -> None:
    out = Written(
        [spoken("u", seconds=5), answer("a", "x", seconds=5), answer("b", "y", seconds=None), spoken("v", seconds=9)]
    )
    assert [e["timestamp"] for e in out.of("message")] == [at(5), at(5.001), at(5.002), at(9)]
    assert [m["timestamp"] for m in out.messages] == [START + 5000, START + 5001, START + 5002, START + 9000]
    ids = [e["id"] for e in out.of("message")]
    assert out.gathered("timestamps") == {ids[1]: at(5), ids[2]: None}
    assert out.last == START + 9000
    stamps = [line["timestamp"] for line in out.lines]
    assert stamps == sorted(stamps)


def test_a_session_without_times_takes_the_time_of_the_import() -> None:
    out = Written([spoken("u", seconds=None), answer("a", "x", seconds=None)], first=session(created=None, time=None))
    assert [m["timestamp"] for m in out.messages] == [OPTIONS.imported_at + 1, OPTIONS.imported_at + 2]


def test_counts_that_are_logged_apart_belong_to_the_answer_before() -> None:
    usage = Usage(id="x", tokens=Tokens(output=4, total=4), response="m", model="gpt-5")
    out = Written([answer("a", "x", response="m"), usage, msgspec.structs.replace(usage, id="y", response="other")])
    assert list(out.gathered("usage")) == [out.of("message")[0]["id"]]
    assert out.report.lost == {"usage_record": 1}


def test_records_of_no_known_type_are_kept_in_the_record() -> None:
    small, large = msgspec.Raw(b'{"x":1}'), msgspec.Raw(b'"' + b"x" * 300_000 + b'"')
    out = Written([spoken("u"), Opaque(id="o", name="future", data=small), Opaque(id="p", name="big", data=large)])
    kept = [(o["kind"], o["data"]) for part in out.parts for o in part.get("opaque", [])]
    assert kept == [("future", {"x": 1})]
    assert out.report.lost == {"opaque": 1}


def _size(entry: dict[str, Any]) -> int:
    return len(msgspec.json.encode(entry))


@pytest.mark.parametrize(
    "events",
    [
        [Opaque(id=f"o{n}", name="x", data=msgspec.Raw(b'"' + b"x" * 240_000 + b'"')) for n in range(20)],
        [spoken(f"i{n}", "\x01" * 90_000, role="system", injected="x") for n in range(10)],
        [spoken("i", "y" * 5_000_000, role="system", injected="x")],
        [answer(f"a{n}", asked(f"{n}" + "é" * 20_000)) for n in range(50)],
        [answer(f"a{n}", "x", tokens=Tokens(input=n), seconds=-n) for n in range(8000)],
        [Summary(id=f"s{n}", text="z" * 100_000) for n in range(30)],
    ],
    ids=["opaque", "controls", "one long text", "long ids", "many answers", "summaries"],
)
def test_no_part_of_the_record_grows_beyond_a_megabyte(events: list[Event]) -> None:
    out = Written([spoken("u"), *events, spoken("v")])
    sizes = [_size(entry) for entry in out.of("import.part")]
    assert len(sizes) > 1
    assert max(sizes) < 1_000_000
    ids = [line["id"] for line in out.lines[1:]]
    assert len(set(ids)) == len(ids)
    assert [line["parentId"] for line in out.lines[1:]] == [None, *ids[:-1]]


def test_a_long_text_is_whole_over_its_pieces() -> None:
    text = "".join(chr(97 + n % 26) for n in range(1_000_003))
    out = Written([spoken("u"), spoken("i", text, role="system", injected="x")])
    assert "".join(piece for _, piece in out.context) == text


def test_parts_may_stand_between_a_call_and_its_result_since_nobody_sees_them() -> None:
    big = [spoken(f"i{n}", "y" * 50_000, role="system", injected="x") for n in range(20)]
    out = Written([answer("a", asked("c")), *big, result("r", "c")])
    assert [kind for kind in out.kinds if kind != "import.part"] == ["assistant", "toolResult"]


def test_all_branches_hang_where_they_were_left_and_the_live_leaf_is_last() -> None:
    events: list[Event] = [
        spoken("u", parent=None),
        answer("a", "1", parent="u"),
        spoken("v", parent="a"),
        answer("b", asked("c"), parent="v"),
        result("r", "c", parent="b"),
        spoken("w", "other", parent="a", live=False),
        answer("d", "3", parent="w", live=False),
        spoken("x", "anew", parent=None, live=False),
    ]
    out = Written(events, all_branches=True)
    entries = {e["id"]: e for e in out.entries}
    u, a, v, b, r, w, d, x = out.of("message")
    assert a["parentId"] == u["id"]
    assert w["parentId"] == v["parentId"] == a["id"]
    assert r["parentId"] == b["id"]
    assert d["parentId"] == w["id"]
    assert x["parentId"] == u["parentId"] == out.head["id"]
    path, here = [], out.entries[-1]["parentId"]
    while here in entries:
        path.append(entries[here])
        here = entries[here]["parentId"]
    assert [e for e in path if e["type"] == "message"] == [r, b, v, a, u]
    assert out.report.lost == {}


def test_the_active_branch_alone_counts_what_it_leaves_out() -> None:
    out = Written([spoken("u"), spoken("w", "other", live=False), spoken("v")])
    assert out.kinds == ["user", "user"]
    assert out.report.lost == {"branch": 1}


def test_in_a_tree_a_summary_is_on_the_way_from_its_leaf_to_the_next_prompt() -> None:
    events: list[Event] = [spoken("u"), Summary(id="s", text="x", leaf="u", parent="u"), spoken("v", parent="u")]
    out = Written(events, all_branches=True)
    (summary,) = out.of("imported-summary")
    assert out.of("message")[1]["parentId"] == summary["id"]


def test_nothing_said_is_no_session() -> None:
    for events in ([], [Meta(id="m", cwd="/")], [spoken("i", role="system", injected="x")], [spoken("u", live=False)]):
        with pytest.raises(CannotConvert):
            Written(events)


def test_line_separators_are_escaped() -> None:
    out = Written([spoken("u", "a\u2028b\u2029c\x85d")])
    assert out.bytes.count(b"\n") == len(out.bytes.decode().splitlines())
    assert out.messages[0]["content"][0]["text"] == "a\u2028b\u2029c\x85d"


@pytest.mark.parametrize(
    ("facts", "cwd"),
    [
        ({"session_id": "../../etc/passwd"}, None),
        ({"cwd": "/../../x"}, None),
        ({"cwd": ".."}, None),
        ({"cwd": "/" + "x" * 5000}, None),
        ({"cwd": "C:\\Users\\x"}, None),
        ({"cwd": "/home/ä/\x00\n\x1b[2J"}, None),
        ({"cwd": ""}, None),
        ({"cwd": None}, None),
        ({}, "/../.."),
        ({"created": -(10**14)}, None),
        ({"created": 10**15}, None),
    ],
)
def test_hostile_names_stay_inside_the_folder(facts: dict[str, Any], cwd: str | None) -> None:
    options = msgspec.structs.replace(OPTIONS, cwd=cwd)
    folder, name = file_name(session(**facts), options).split("/")
    for part in (folder, name):
        assert re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}", part)
        assert part not in (".", "..")
    assert name.endswith(".jsonl")


def test_the_file_is_named_as_pi_names_it() -> None:
    name = file_name(session(cwd="/home/ana/my.proj_x/"), OPTIONS)
    assert re.fullmatch(r"--home-ana-my\.proj_x--/2026-03-02T09-00-00-000Z_[0-9a-f-]{36}\.jsonl", name)
    assert file_name(session(cwd="/"), OPTIONS).startswith("----/")


def test_every_loss_of_the_writer_is_in_its_table_and_has_a_sentence() -> None:
    everything: list[Event] = [
        answer("a", Thinking(text="x", signature="s"), Thinking(redacted=True), Image(path="x"), "", File(), "y"),
        answer("b", "n", injected="agent_notice"),
        answer("c", fault="error"),
        answer("d"),
        spoken("u", content=(Image(url="x"), Image(data="A" * 6_000_000), Image(data="!"))),
        Opaque(id="o", name="x", data=msgspec.Raw(b'"' + b"x" * 300_000 + b'"')),
        Usage(id="x", tokens=Tokens(output=1)),
    ]
    out = Written(everything)
    assert set(out.report.lost) == set(LOSSES)
    for code in (*LOSSES, *out.report.changed):
        assert CODES[code].sentence
    assert all(CODES[code].counter == "lost" for code in LOSSES)
    never = {"text", "thinking", "tool_call", "arguments", "tool_result", "error"}
    assert not never & set(LOSSES)


def test_what_comes_in_is_kept_or_lost() -> None:
    blocks: list[Block] = [
        Text(text="t"),
        Text(text=" "),
        Thinking(text="t"),
        Thinking(text="t", signature="s"),
        Thinking(signature="s"),
        Thinking(redacted=True, signature="s"),
        Thinking(),
        Image(data=PNG),
        Image(path="x"),
        File(),
        asked("c"),
        File(media_type="text/plain", data="x"),
    ]
    items = sum(2 if isinstance(b, Thinking) and b.text and b.signature else 1 for b in blocks)
    for event in (answer("a", *blocks), spoken("u", content=tuple(blocks))):
        report = Written([event], stages=False).report
        kept = sum(n for kind, n in report.kept.items() if not kind.endswith("_message"))
        assert kept + sum(report.lost.values()) == items
