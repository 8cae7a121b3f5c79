"""What each thing of a session becomes in Codex, one fact a test."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from panscript.readers.validation import validate
from panscript.schemas.codex.texts import FAILURE
from panscript.schemas.diagnostics import CODES
from panscript.schemas.errors import CannotConvert
from panscript.schemas.events import (
    TASK,
    Block,
    Compaction,
    Event,
    File,
    Image,
    Message,
    Session,
    Shell,
    Summary,
    Text,
    Thinking,
    Tokens,
    ToolCall,
)
from panscript.schemas.report import FileReport
from panscript.stages.prepare import prepare
from panscript.writers.codex import LOSSES, beside, file_name, session_id, write
from panscript.writers.options import WriteOptions
from tests.builders import SESSION, START, answer, asked, at, result, session, spoken

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 30).decode()
URL = f"data:image/png;base64,{PNG}"
OPTIONS = WriteOptions(imported_at=START + 86_400_000, importer="panscript 1.2.3")


class Written:
    """A written session, read back as plain JSON."""

    def __init__(self, events: Iterable[Event], *, first: Session | None = None, **options: Any) -> None:
        self.report = FileReport(path="")
        wanted = msgspec.structs.replace(OPTIONS, **options)
        stream: Iterable[Event] = [first or session(), *events]
        stream = prepare(stream, all_branches=wanted.all_branches, report=self.report)
        sink = io.BytesIO()
        self.last = write(stream, sink, options=wanted, report=self.report)
        self.bytes = sink.getvalue()
        self.lines: list[dict[str, Any]] = [msgspec.json.decode(line) for line in self.bytes.splitlines()]
        self.meta, self.head = (line["payload"] for line in self.lines[:2])
        self.parts = [line["payload"] for line in self.lines if line["type"] == "panscript_import_part"]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The payloads of the lines of a kind."""
        return [line["payload"] for line in self.lines if line["type"] == kind]

    @property
    def items(self) -> list[dict[str, Any]]:
        """What the model is sent."""
        return self.of("response_item")

    def shown(self, kind: str) -> list[dict[str, Any]]:
        """Events of a type, without it."""
        events = [payload for payload in self.of("event_msg") if payload["type"] == kind]
        return [{key: value for key, value in event.items() if key != "type"} for event in events]

    def gathered(self, field: str) -> dict[str, Any]:
        """A field of the record over all of its parts."""
        return {key: value for part in self.parts for key, value in part.get(field, {}).items()}


def _user(*blocks: dict[str, Any], kinds: list[str]) -> dict[str, Any]:
    marks = {"content_item_kinds": kinds}
    return {
        "type": "message",
        "role": "user",
        "content": [*blocks],
        "internal_chat_message_metadata_passthrough": marks,
    }


def _text(text: str) -> dict[str, Any]:
    return {"type": "input_text", "text": text}


def test_the_header_and_the_head_say_where_it_came_from() -> None:
    out = Written([spoken("u")], first=session(version="2.1", git_branch="main"), source_path="/x.jsonl")
    assert [line["type"] for line in out.lines[:2]] == ["session_meta", "panscript_import"]
    name = session_id(session(), OPTIONS)
    assert out.meta == {
        "id": name,
        "session_id": name,
        "timestamp": at(0),
        "cwd": "/home/dev/app",
        "originator": "panscript",
        "cli_version": "1.2.3",
        "source": "cli",
        "git": {"branch": "main"},
    }
    assert (out.head["source"], out.head["sourceSessionId"], out.head["sourcePath"]) == ("claude", SESSION, "/x.jsonl")


def test_an_id_begins_with_the_time_of_the_thread_and_is_another_for_another_import() -> None:
    one, two = session_id(session(), OPTIONS), session_id(session(), msgspec.structs.replace(OPTIONS, number=1))
    assert one[:8] + one[9:13] == f"{START:012x}"
    assert one[14] == "7"
    assert one != two
    assert session_id(session(created=None), OPTIONS).startswith("00000000-0000-7")


def test_the_file_lies_where_codex_looks_for_it() -> None:
    assert (
        file_name(session(), OPTIONS)
        == f"2026/03/02/rollout-2026-03-02T09-00-00-{session_id(session(), OPTIONS)}.jsonl"
    )


def test_the_same_events_give_the_same_bytes() -> None:
    events: list[Event] = [spoken("u"), answer("a", asked("c")), result("r", "c")]
    assert Written(events).bytes == Written(events).bytes


def test_a_prompt_with_a_picture_is_sent_and_shown() -> None:
    blocks: tuple[Block, ...] = (Text(text="see"), Image(data=PNG, media_type="image/png"))
    out = Written([Message(id="u", role="user", content=blocks, time=START)])
    picture = {"type": "input_image", "image_url": URL}
    assert out.items == [_user(_text("see"), picture, kinds=["user.text", "user.image"])]
    assert out.shown("user_message") == [{"message": "see", "images": [URL]}]


def test_an_answer_keeps_the_order_of_what_is_in_it() -> None:
    blocks = (Thinking(text="hm", signature="s"), "one", "two", asked("c", arguments=b'{"x":1}'), "three")
    out = Written([spoken("u"), answer("a", *blocks), result("r", "c")])
    assert out.items[1:-1] == [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "one"}, {"type": "output_text", "text": "two"}],
        },
        {"type": "function_call", "name": "Bash", "arguments": '{"x":1}', "call_id": "c"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "three"}]},
    ]
    assert out.shown("agent_message") == [{"message": "one\n\ntwo"}, {"message": "three"}]
    assert out.shown("agent_reasoning") == [{"text": "hm"}]
    assert out.report.lost == {"signature_dropped": 1}


def test_reasoning_stays_encrypted_on_the_way_home_alone() -> None:
    thought = Thinking(text="hm", signature="s")
    home = Written([spoken("u"), answer("a", thought, signer="openai")])
    assert home.items[1]["encrypted_content"] == "s"
    sealed = Thinking(signature="s", redacted=True)
    assert Written([spoken("u"), answer("a", sealed, signer="openai")]).items[1] == {
        "type": "compaction",
        "encrypted_content": "s",
    }
    for signer in (None, "anthropic"):
        out = Written([spoken("u"), answer("a", thought, "text", provider="openai", signer=signer)])
        assert "encrypted_content" not in out.items[1]


def test_nothing_that_counts_tokens_is_written() -> None:
    tokens = Tokens(input=7, output=3, total=10)
    out = Written([spoken("u"), answer("a", "x", tokens=tokens)])
    assert out.gathered("usage") == {"5": {"tokens": {"input": 7, "output": 3, "total": 10}}}
    assert b"token_count" not in out.bytes
    assert b"token_usage_record" not in out.bytes
    assert not out.of("turn_context")


def test_a_model_is_recorded_where_it_changes() -> None:
    said = [answer("a", "x", model="m1"), spoken("v"), answer("b", "y", model="m1"), answer("c", "z", model="m2")]
    out = Written([spoken("u"), *said])
    assert list(out.gathered("models").values()) == ["m1", "m2"]


def test_answers_in_a_row_stay_apart() -> None:
    out = Written([spoken("u"), answer("a", "one"), answer("b", "two")])
    kinds = [line["type"] for line in out.lines]
    first, second = (n for n, line in enumerate(out.lines) if line["payload"].get("role") == "assistant")
    assert "panscript_import_part" in kinds[first:second]


@pytest.mark.parametrize(
    ("block", "item"),
    [
        (ToolCall(id="c", name="t", text="not {"), {"type": "function_call", "arguments": '{"_text":"not {"}'}),
        (
            ToolCall(id="c", name="t", arguments=msgspec.Raw(b"[1]")),
            {"type": "function_call", "arguments": '{"_text":"[1]"}'},
        ),
        (
            ToolCall(id="c", name="t", text="*** patch", custom=True),
            {"type": "custom_tool_call", "input": "*** patch", "status": "completed"},
        ),
    ],
)
def test_arguments_are_an_object_and_custom_ones_text(block: ToolCall, item: dict[str, str]) -> None:
    out = Written([spoken("u"), answer("a", block), result("r", "c")])
    assert out.items[1] == item | {"name": "t", "call_id": "c"}
    assert out.items[2] == {"type": f"{item['type']}_output", "call_id": "c", "output": "done"}


def test_a_call_of_a_foreign_tool_is_shown() -> None:
    out = Written([spoken("u"), answer("a", asked("c", arguments=b'{"x":1}')), result("r", "c", duration_ms=1500)])
    assert out.shown("mcp_tool_call_end") == [
        {
            "call_id": "c",
            "invocation": {"server": "claude", "tool": "Bash", "arguments": {"x": 1}},
            "duration": {"secs": 1, "nanos": 500_000_000},
            "result": {"Ok": {"content": [{"type": "text", "text": "done"}], "isError": False}},
        }
    ]


def test_the_screen_gets_the_beginning_of_a_long_result() -> None:
    call = asked("c", arguments=b'{"x":"' + b"y" * 5000 + b'"}')
    out = Written([spoken("u"), answer("a", call), result("r", "c", "z" * 5000)])
    (shown,) = out.shown("mcp_tool_call_end")
    assert shown["result"]["Ok"]["content"][0]["text"] == "z" * 2000 + "…"
    assert len(shown["invocation"]["arguments"]) == 2001
    assert out.items[2]["output"] == "z" * 5000


@pytest.mark.parametrize(
    ("text", "status", "output", "outcome"),
    [
        ("boom", "error", f"{FAILURE}boom", {"error": True, "added": len(FAILURE)}),
        ("Exit code: 2\nboom", "error", "Exit code: 2\nboom", None),
        ("Exit code: 2\nboom", "ok", "Exit code: 2\nboom", {"error": False}),
        ("fine", "unknown", "fine", None),
        ("", "ok", "(no output)", None),
    ],
)
def test_the_model_learns_of_a_failure(text: str, status: Any, output: str, outcome: dict[str, Any] | None) -> None:
    out = Written([spoken("u"), answer("a", asked("c")), result("r", "c", text, status=status)])
    assert out.items[2]["output"] == output
    assert list(out.gathered("outcomes").values()) == ([outcome] if outcome is not None else [])
    (shown,) = out.shown("mcp_tool_call_end")
    assert shown["result"]["Ok"]["isError"] is (status == "error")
    assert shown["result"]["Ok"]["content"][0]["text"] == (text or output)


def test_a_result_with_a_picture_is_a_list() -> None:
    got = result("r", "c", "see")
    got = msgspec.structs.replace(got, content=(*got.content, Image(data=PNG, media_type="image/png")))
    out = Written([spoken("u"), answer("a", asked("c")), got])
    assert out.items[2]["output"] == [_text("see"), {"type": "input_image", "image_url": URL}]
    assert out.bytes.count(PNG.encode()) == 1


def test_an_agents_own_copy_of_a_result_is_a_loss_by_design() -> None:
    out = Written([spoken("u"), answer("a", asked("c")), result("r", "c", details=msgspec.Raw(b"{}"))])
    assert out.report.lost == {"tool_details": 1}


def test_a_result_without_a_call_is_a_note_of_the_developer() -> None:
    picture = Image(data=PNG, media_type="image/png")
    got = result("r", "x", "lost")
    out = Written([spoken("u"), got])
    assert out.items[1] == {
        "type": "message",
        "role": "developer",
        "content": [_text("A result of call x:"), _text("lost")],
    }
    assert list(out.gathered("kinds").values()) == ["orphan_result"]
    pictured = Written([spoken("u"), msgspec.structs.replace(got, content=(*got.content, picture))])
    assert pictured.items[1]["role"] == "user"
    assert len(pictured.shown("user_message")) == 1


def test_a_compaction_keeps_what_it_kept() -> None:
    said = [spoken("u", "first"), answer("a", "one"), spoken("v", "second"), answer("b", "two")]
    out = Written([*said, Compaction(id="c", time=START + 9, summary="sum", first_kept="v"), spoken("w")])
    (payload,) = out.of("compacted")
    assert payload == {
        "message": "sum",
        "replacement_history": [_user(_text("sum"), kinds=["compaction.summary"]), *out.items[2:4]],
    }
    line = next(n for n, row in enumerate(out.lines, 1) if row["payload"].get("content") == [_text("second")])
    assert list(out.gathered("kept").values()) == [str(line)]
    assert out.shown("context_compacted") == [{}]


def test_a_compaction_that_kept_nothing_leaves_its_summary() -> None:
    out = Written([spoken("u"), answer("a", "one"), Compaction(id="c", time=START + 9, summary="sum")])
    assert out.of("compacted")[0]["replacement_history"] == [_user(_text("sum"), kinds=["compaction.summary"])]
    assert out.gathered("kept") == {}


def test_what_is_too_large_to_be_written_twice_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("panscript.writers.codex.recent._MOST", 400)
    said = [spoken("u", "x" * 300), answer("a", "one"), spoken("v", "second")]
    out = Written([*said, Compaction(id="c", time=START + 9, summary="sum", first_kept="u")])
    assert out.of("compacted")[0]["replacement_history"][1:] == out.items[1:]
    assert out.report.changed["compaction_kept_less"] == 1


def test_a_command_of_the_person_is_sent_and_not_shown() -> None:
    out = Written([spoken("u"), Shell(id="s", command="ls", output="a\n", exit_code=0, time=START + 1)])
    status = "Exit code: 0\nDuration: 0.0000 seconds\nOutput:\n"
    inside = f"<command>\nls\n</command>\n<result>\n{status}a\n\n</result>"
    text = f"<user_shell_command>\n{inside}\n</user_shell_command>"
    assert out.items[1] == _user(_text(text), kinds=["shell.user_command"])
    assert len(out.shown("user_message")) == 1
    assert out.gathered("commands") == {}


def test_a_command_that_is_kept_away_from_the_model_is_not_sent() -> None:
    out = Written([spoken("u"), Shell(id="s", command="ls", output="a", excluded=True, cancelled=True, time=START + 1)])
    assert len(out.items) == 1
    assert out.shown("exec_command_end")[0]["command"] == ["bash", "-lc", "ls"]
    assert list(out.gathered("commands").values()) == [{"cancelled": True, "excluded": True}]


def test_injected_text_and_summaries_go_into_the_record() -> None:
    note = Message(id="n", role="system", content=(Text(text="note"),), injected="hook", time=START + 1)
    out = Written([spoken("u"), note, Summary(id="s", text="sum", leaf="u", parent="u", time=START + 2)])
    assert len(out.items) == 1
    texts = [(text.get("kind"), text["text"], text["after"]) for part in out.parts for text in part["context"]]
    assert texts == [("hook", "note", "3"), ("summary", "sum", "3")]


def test_what_was_left_behind_is_a_loss() -> None:
    dead = spoken("x", "no", live=False, parent="u")
    out = Written([spoken("u"), dead, answer("a", "yes", parent="u")], all_branches=True)
    assert [item["role"] for item in out.items] == ["user", "assistant"]
    assert out.report.lost == {"branch": 1}


def test_a_sub_agent_is_a_child_of_its_thread() -> None:
    told = Message(id="u", role="system", content=(Text(text="do"),), injected=TASK, time=START)
    first = session(parent_session_id="p", title="Finder")
    options = {"parent_session": "00000000-0000-7000-8000-000000000001", "root_session": "root"}
    out = Written([told, answer("a", "done")], first=first, **options)
    parent = options["parent_session"]
    spawn = {"parent_thread_id": parent, "depth": 1, "agent_nickname": "Finder"}
    assert out.meta["source"] == {"subagent": {"thread_spawn": spawn}}
    assert (out.meta["parent_thread_id"], out.meta["session_id"]) == (parent, "root")
    assert out.items[0]["role"] == "user"
    assert out.parts[-1]["tasks"] == ["3"]
    assert beside(first, msgspec.structs.replace(OPTIONS, **options)) == ()


def test_the_thread_is_named_in_the_index_and_in_the_file() -> None:
    first = session(title="My work", modified=START + 5000)
    (file,) = beside(first, OPTIONS)
    assert (file.path, file.is_line) == ("session_index.jsonl", True)
    entry = {"id": session_id(first, OPTIONS), "thread_name": "Imported from Claude Code: My work", "updated_at": at(5)}
    assert msgspec.json.decode(file.content) == entry
    assert file.content.endswith(b"}\n")
    out = Written([spoken("u")], first=first)
    assert out.shown("thread_name_updated") == [{"thread_id": entry["id"], "thread_name": entry["thread_name"]}]
    assert out.lines[-1]["type"] == "panscript_import_part"


@pytest.mark.parametrize(
    ("image", "code"),
    [
        (Image(path="/x.png"), "image_missing"),
        (Image(url="https://x/y.png"), "image_remote"),
        (Image(data="!!!", media_type="image/png"), "image_broken"),
    ],
)
def test_pictures_that_cannot_be_kept_leave_a_placeholder(image: Image, code: str) -> None:
    out = Written([Message(id="u", role="user", content=(image,), time=START)])
    assert out.items[0]["content"][0]["type"] == "input_text"
    assert out.report.lost == {code: 1}


def test_line_separators_are_escaped() -> None:
    odd = "a\u2028b\u2029c\x85d"
    out = Written([spoken("u", odd), answer("a", odd, asked("c")), result("r", "c", odd)])
    assert len(out.bytes.decode().splitlines()) == len(out.lines)
    assert out.items[0]["content"] == [_text(odd)]


def test_nothing_said_is_no_session() -> None:
    with pytest.raises(CannotConvert):
        Written([])


def test_a_session_without_times_has_the_oldest_id_and_the_time_of_the_import() -> None:
    out = Written([spoken("u", seconds=None)], first=session(created=None, time=None))
    assert out.meta["id"].startswith("00000000-0000-7")
    assert out.meta["timestamp"] == at(86_400)
    assert list(out.gathered("timestamps").values()) == [None]


def test_what_is_written_is_sound(tmp_path: Path) -> None:
    picture = Image(data=PNG, media_type="image/png")
    events: list[Event] = [
        Message(id="u", role="user", content=(Text(text="see"), picture), time=START),
        answer("a", Thinking(text="hm"), "text", asked("c"), ToolCall(id="d", name="p", text="x", custom=True)),
        result("r", "d", "no", status="error"),
        result("s", "x", "stray"),
        Shell(id="sh", command="ls", output="", exit_code=1, time=START),
        Shell(id="si", command="ls", output="", excluded=True, time=START),
        Compaction(id="k", summary="sum", first_kept="a", time=START),
        answer("b", "more", tokens=Tokens(input=1, total=1)),
        answer("e", "and more"),
    ]
    out = Written(events, parent_session="00000000-0000-7000-8000-000000000001", root_session=SESSION)
    path = tmp_path / file_name(session(), OPTIONS).rpartition("/")[2]
    path.write_bytes(out.bytes)
    assert validate(str(path), strict=True).problems == []


def test_every_loss_of_the_writer_is_in_its_table_and_has_a_sentence() -> None:
    forbidden = {"text", "thinking", "tool_call", "tool_result", "image"}
    assert all(CODES[code].counter == "lost" for code in LOSSES)
    assert not forbidden & set(LOSSES)
    blocks: tuple[Block, ...] = (
        Text(text=" "),
        Image(path="/x"),
        File(media_type="application/pdf"),
        Thinking(signature="s", redacted=True),
    )
    notice = Message(id="n", role="assistant", content=(Text(text="x"),), injected="agent_notice", time=START)
    out = Written([spoken("u"), Message(id="v", role="user", content=blocks, time=START), answer("a", *blocks), notice])
    assert out.report.lost
    assert set(out.report.lost) <= set(LOSSES)
