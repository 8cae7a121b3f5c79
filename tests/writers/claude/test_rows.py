"""What each thing of a session becomes in a Claude Code transcript, one fact a test: the rows and who said what."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given

from panscript.schemas.errors import CannotConvert
from panscript.schemas.events import Event, Image, Meta, Opaque, Shell, Summary, Text, Tokens, ToolCall
from panscript.schemas.events import File as Document
from panscript.schemas.timestamps import parse
from panscript.writers.claude import file_name, session_id
from tests.builders import SESSION, START, answer, asked, at, result, session, spoken
from tests.strategies import sessions
from tests.writers.claude.written import OPTIONS, PDF, PNG, Written

TALK: list[Event] = [
    spoken("u", "list", seconds=1),
    answer("a", "I look.", asked("c"), asked("d"), seconds=2, response="m"),
    result("r", "c", seconds=3),
    result("s", "d", seconds=4),
    answer("b", "Two files.", seconds=5, response="n"),
]


def test_the_head_says_where_it_came_from() -> None:
    first = session(version="2.1", model="m", parent_session_id="p", title="T")
    out = Written([spoken("u")], first=first, source_path="/x.jsonl")
    assert out.head == {
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


def test_every_row_has_the_envelope_of_the_agent() -> None:
    out = Written(TALK, first=session(agent="codex", git_branch="main"))
    name = session_id(session(agent="codex"), OPTIONS)
    assert {line["sessionId"] for line in out.lines} == {name}
    for row in out.rows:
        assert row["cwd"] == "/home/dev/app"
        assert row["gitBranch"] == "main"
        assert (row["isSidechain"], row["userType"], row["entrypoint"]) == (False, "external", "cli")
        assert re.fullmatch(r"\d+\.\d+\.\d+", row["version"])
        assert row["importedFrom"] == "codex"
        assert "agentId" not in row


def test_the_session_is_called_what_its_file_is_called() -> None:
    name = session_id(session(), OPTIONS)
    assert file_name(session(), OPTIONS) == f"-home-dev-app/{name}.jsonl"
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", name)


def test_rows_hang_on_the_one_before_and_the_first_on_nothing() -> None:
    out = Written(TALK)
    ids = [row["uuid"] for row in out.rows]
    assert [row["parentUuid"] for row in out.rows] == [None, *ids[:-1]]
    assert len(set(ids)) == len(ids)
    uuid = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
    assert all(uuid.fullmatch(name) for name in ids)


def test_state_rows_are_no_part_of_the_tree() -> None:
    out = Written(TALK)
    for line in out.lines:
        if line not in out.rows:
            assert not {"uuid", "parentUuid", "message"} & line.keys()


def test_rows_say_when_in_the_agents_form_and_moved_times_are_recorded() -> None:
    out = Written(
        [spoken("u", seconds=5), answer("a", "x", seconds=5), answer("b", "y", seconds=None), spoken("v", seconds=9)]
    )
    assert [row["timestamp"] for row in out.rows] == [at(5), at(5.001), at(5.002), at(9)]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", row["timestamp"]) for row in out.rows)
    ids = [row["uuid"] for row in out.rows]
    assert out.gathered("timestamps") == {ids[1]: at(5), ids[2]: None}
    assert out.last == START + 9000


def test_without_any_time_it_is_as_old_as_the_import() -> None:
    out = Written([spoken("u", seconds=None), answer("a", "x", seconds=None)], first=session(created=None, time=None))
    assert [parse(row["timestamp"]) for row in out.rows] == [OPTIONS.imported_at + 1, OPTIONS.imported_at + 2]


def test_every_line_ends_and_no_other_program_sees_an_end_inside_of_one() -> None:
    out = Written([spoken("u", "a\u2028b\u2029c\x85d\r\ne")])
    assert out.bytes.endswith(b"}\n")
    assert out.bytes.count(b"\n") == len(out.bytes.decode().splitlines())
    assert out.said == ["a\u2028b\u2029c\x85d\r\ne"]


def test_the_same_events_give_the_same_bytes_and_another_number_another_session() -> None:
    one, two, other = Written(TALK), Written(TALK), Written(TALK, number=1)
    assert one.bytes == two.bytes
    assert not {row["uuid"] for row in one.rows} & {row["uuid"] for row in other.rows}
    assert one.rows[0]["sessionId"] != other.rows[0]["sessionId"]


def test_ids_come_from_the_source_never_from_the_position() -> None:
    long = Written([spoken("u"), spoken("v"), spoken("w")])
    short = Written([spoken("v"), spoken("w")])
    assert [row["uuid"] for row in long.rows][1:] == [row["uuid"] for row in short.rows]


def test_a_prompt_of_one_text_is_that_text() -> None:
    assert Written([spoken("u", "  see \n")]).said == ["  see \n"]


def test_a_prompt_of_several_things_is_a_list_of_blocks() -> None:
    blocks = (
        Text(text="see"),
        Image(data=PNG, media_type="image/png"),
        Document(media_type="application/pdf", name="a.pdf", data=PDF),
        Document(media_type="text/plain", data="plain"),
    )
    out = Written([spoken("u", content=blocks)])
    assert out.said == [
        [
            {"type": "text", "text": "see"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": PDF},
                "title": "a.pdf",
            },
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "plain"}},
        ]
    ]
    assert out.report.lost == {}


@pytest.mark.parametrize(
    ("file", "text", "lost"),
    [
        (Document(name="a.md", media_type="text/markdown", data="hi"), "[File: a.md]\nhi", {}),
        (Document(media_type="audio/wav", data="QQ=="), "[File left out: audio/wav]", {"file_missing": 1}),
        (Document(url="https://x"), "[File left out: document]", {"file_missing": 1}),
    ],
)
def test_documents_that_the_vendor_does_not_take_are_text(file: Document, text: str, lost: dict[str, int]) -> None:
    out = Written([spoken("u", content=(file,))])
    assert out.said == [text]
    assert out.report.lost == lost


def test_each_block_of_an_answer_is_a_row_and_all_have_the_id_of_the_response() -> None:
    out = Written(TALK)
    assert out.kinds == ["user", "text", "tool_use", "tool_use", "user", "user", "text"]
    one, other = ([row["message"] for row in out.rows[at]] for at in (slice(1, 4), slice(6, 7)))
    assert len({message["id"] for message in one}) == 1
    assert one[0]["id"] != other[0]["id"]
    for message in (*one, *other):
        assert message["id"].startswith("msg_")
        assert (message["type"], message["role"], message["model"]) == ("message", "assistant", "claude-sonnet-4-5")
        assert len(message["content"]) == 1
    assert [message["stop_reason"] for message in (*one, *other)] == ["tool_use"] * 3 + ["end_turn"]


@pytest.mark.parametrize("stop", ["max_tokens", "refusal", "error", "aborted"])
def test_reasons_that_would_make_the_agent_act_are_replaced(stop: str) -> None:
    out = Written([spoken("u"), answer("a", "x", stop_reason=stop)])
    assert out.rows[-1]["message"]["stop_reason"] == "end_turn"
    assert out.report.changed["stop_reason_mapped"] == 1


def test_what_was_used_up_stands_in_the_record_and_the_rows_carry_zeros() -> None:
    tokens = Tokens(input=7, output=3, cache_read=1, total=11, cost=0.25)
    out = Written([spoken("u"), answer("a", "x", asked("c"), tokens=tokens), result("r", "c")])
    for row in out.of("assistant"):
        assert row["message"]["usage"] == {
            "input_tokens": 0,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 0,
        }
    found = {"tokens": {"input": 7, "output": 3, "cacheRead": 1, "total": 11}, "cost": 0.25}
    assert out.gathered("usage") == {out.of("assistant")[0]["uuid"]: found}
    assert out.parts[-1]["usageTotals"] == {"all": found, "perModel": {"claude-sonnet-4-5": found}}


@pytest.mark.parametrize(("known", "model"), [("of-session", "of-session"), (None, "unknown")])
def test_an_answer_without_a_model_takes_the_last_one_known(known: str | None, model: str) -> None:
    out = Written([spoken("u"), answer("a", "x", model=None)], first=session(model=known))
    assert out.rows[-1]["message"]["model"] == model
    assert out.listed("fallbacks") == [{"field": "model", "value": model}]
    assert out.report.changed["model_replaced"] == 1


def test_a_conversation_that_begins_with_an_answer_is_begun_by_somebody() -> None:
    out = Written([answer("a", "hello"), spoken("u")])
    assert out.kinds == ["user", "text", "user"]
    assert out.rows[0]["isMeta"]
    assert out.gathered("kinds") == {out.rows[0]["uuid"]: "supplied"}


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
def test_messages_that_say_nothing_are_left_out_and_counted(event: Event, code: str) -> None:
    out = Written([spoken("u"), event, spoken("v")])
    assert out.kinds == ["user", "user"]
    assert out.report.lost[code] == 1
    assert not out.report.lost_content()


def test_blocks_that_say_nothing_are_left_out_and_counted() -> None:
    out = Written([spoken("u", content=(Text(text=" "), Text(text="x"))), answer("a", "", "y")])
    assert out.said == ["x", [{"type": "text", "text": "y"}]]
    assert out.report.lost == {"empty_block": 2}


def test_injected_text_stands_only_in_the_record() -> None:
    out = Written(
        [
            spoken("h", "be kind", role="system", injected="reminder", hidden=True),
            spoken("u"),
            spoken("i", "x", role="system", injected="interruption"),
            answer("a", "y"),
        ]
    )
    assert out.said == ["hello", [{"type": "text", "text": "y"}]]
    assert out.context == [("reminder", "be kind"), ("interruption", "x")]
    assert [text.get("after") for text in out.listed("context")] == [None, out.rows[0]["uuid"]]
    assert out.report.changed["context_recorded"] == 2


def test_a_call_in_a_prompt_is_text() -> None:
    out = Written([spoken("u", content=(asked("c", "Read", b'{"a":1}'),))])
    assert out.said == ['[Call of Read] {"a":1}']
    assert out.report.changed["call_as_text"] == 1


def test_a_task_is_a_prompt_that_the_record_knows_nobody_typed() -> None:
    out = Written([spoken("t", "count", role="system", injected="task"), answer("a", "2")])
    assert out.said[0] == "count"
    assert out.listed("tasks") == [out.rows[0]["uuid"]]


def test_a_command_of_the_person_is_two_rows_in_the_agents_own_form() -> None:
    out = Written([Shell(id="s", command="ls", output="a\n", exit_code=3, cancelled=True, time=START)])
    assert out.said == ["<bash-input>ls</bash-input>", "<bash-stdout>a\n</bash-stdout><bash-stderr></bash-stderr>"]
    one, two = (row["uuid"] for row in out.rows)
    assert out.gathered("commands") == {one: {"output": False}, two: {"exitCode": 3, "cancelled": True}}


def test_a_command_that_the_model_did_not_see_is_shown_and_not_sent() -> None:
    out = Written([spoken("u"), Shell(id="s", command="pwd", output="/", excluded=True, time=START), spoken("v")])
    assert out.kinds == ["user", "informational", "informational", "user"]
    assert [row["content"] for row in out.of("informational")] == [
        "<bash-input>pwd</bash-input>",
        "<bash-stdout>/</bash-stdout><bash-stderr></bash-stderr>",
    ]
    assert not any("message" in row for row in out.of("informational"))
    assert out.path() == out.rows


def test_summaries_and_records_of_no_known_type_stand_in_the_record() -> None:
    small, large = msgspec.Raw(b'{"x":1}'), msgspec.Raw(b'"' + b"x" * 300_000 + b'"')
    out = Written(
        [
            spoken("u"),
            Summary(id="s", text="so far", leaf="u", parent="u", time=START),
            Summary(id="t", text="elsewhere"),
            Opaque(id="o", name="future", data=small),
            Opaque(id="p", name="big", data=large),
        ]
    )
    assert out.kinds == ["user"]
    assert sorted(out.context) == [("summary", "elsewhere"), ("summary", "so far")]
    assert [(record["kind"], record["data"]) for record in out.listed("opaque")] == [("future", {"x": 1})]
    assert out.report.lost == {"opaque": 1}


@pytest.mark.parametrize(
    ("facts", "cwd", "name"),
    [
        ({"title": "A title", "first_prompt": "p"}, None, "Imported from Claude Code: A title"),
        ({"agent": "codex", "first_prompt": "do\n it"}, None, "Imported from Codex: do it"),
        ({"agent": "codex", "title": "Imported from Pi: x", "imported_from": "pi"}, None, "Imported from Codex: x"),
        ({"agent": "codex", "title": "T"}, "/elsewhere", "Imported from Codex: T (from /home/dev/app)"),
        ({"agent": "pi", "title": "Imported from Claude Code: x", "imported_from": "claude"}, None, "x"),
        ({"agent": "pi", "title": "\x1b[31mred\x1b[0m\x07"}, None, "Imported from Pi: red"),
    ],
)
def test_the_title_stands_first_where_it_is_looked_for(facts: dict[str, Any], cwd: str | None, name: str) -> None:
    out = Written([spoken("u")], first=session(**facts), cwd=cwd)
    assert out.lines[0].items() >= {"type": "custom-title", "customTitle": name}.items()
    assert out.rows[0]["cwd"] == (cwd or "/home/dev/app")


def test_nothing_said_is_no_session() -> None:
    for events in ([], [Meta(id="m", cwd="/")], [spoken("i", role="system", injected="x")], [spoken("u", live=False)]):
        with pytest.raises(CannotConvert):
            Written(events)


@given(sessions(turns=10))
def test_whatever_the_session_was_its_rows_are_what_agent_and_vendor_take(events: list[Event]) -> None:
    first, *rest = events
    for every in (False, True):
        out = Written(rest, first=first, all_branches=every)  # type: ignore[arg-type]
        names = [row["uuid"] for row in out.rows]
        assert len(set(names)) == len(names)
        for number, row in enumerate(out.rows):
            assert row["parentUuid"] is None or row["parentUuid"] in names[:number]
            if row["type"] == "assistant":
                assert row["parentUuid"] is not None
        for path in [out.path()] if every else [out.path(), out.rows]:
            _fit_for_the_vendor(path)


def _fit_for_the_vendor(rows: list[dict[str, Any]]) -> None:
    """Calls are answered at once, nothing is empty, names are those that are taken."""
    sent = [row for row in rows if "message" in row]
    due: list[str] = []
    for row, after in pairwise([*sent, {"type": "end"}]):
        content = row["message"]["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        assert blocks
        for block in blocks:
            if block["type"] == "text":
                assert block["text"].strip()
            elif block["type"] == "tool_use":
                assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", block["id"])
                assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", block["name"])
                assert isinstance(block["input"], dict)
                due.append(block["id"])
            elif block["type"] == "tool_result":
                due.remove(block["tool_use_id"])
            elif block["type"] == "thinking":
                assert block["signature"]
        same = after["type"] == "assistant" and after["message"]["id"] == row["message"].get("id")
        if row["type"] == "assistant" and not same and due:
            assert after["message"]["content"][0]["type"] == "tool_result"
        if row["type"] == "user" and due:
            assert blocks[0]["type"] == "tool_result"
    assert due == []


@pytest.mark.parametrize("block", [ToolCall(id="c", name="n"), Text(text="x")])
def test_one_block_alone_is_an_answer(block: ToolCall | Text) -> None:
    assert len(Written([spoken("u"), answer("a", block)]).of("assistant")) == 1
