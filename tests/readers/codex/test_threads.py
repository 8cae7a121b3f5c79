"""Small threads written by hand: how files belong together, who said what, what an output means, what is billed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from panscript.readers.codex import detect, layout, read, usage
from panscript.readers.codex.files import resolve
from panscript.schemas.codex.texts import failed
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import (
    Compaction,
    Event,
    File,
    Image,
    Message,
    Meta,
    Opaque,
    Session,
    Text,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.report import FileReport

PARENT = "01a00000-0000-7000-8000-000000000001"
CHILD = "01a00001-0000-7000-8000-000000000002"
TOOK = {"secs": 1, "nanos": 500_000_000}
ODD = '{"output":"x","metadata":{"exit_code":0},"more":1}'
DAY = "sessions/2026/05/06"
Row = dict[str, Any]


def line(kind: str, payload: Any, second: float = 0, **more: Any) -> Row:
    """An enveloped line."""
    return {"timestamp": f"2026-05-06T10:00:{second:06.3f}Z", "type": kind, "payload": payload, **more}


def meta(thread: str = PARENT, second: float = 0, *, ordinal: int | None = None, **more: Any) -> Row:
    """The first line of a thread's file."""
    given = {"id": thread, "timestamp": f"2026-05-06T10:00:{second:06.3f}Z", "cwd": "/w", "cli_version": "0.1", **more}
    return line("session_meta", given, second, **({} if ordinal is None else {"ordinal": ordinal}))


def item(kind: str, second: float = 0, *, ordinal: int | None = None, **fields: Any) -> Row:
    """A response item."""
    more = {} if ordinal is None else {"ordinal": ordinal}
    return line("response_item", {"type": kind, **fields}, second, **more)


def said(role: str, text: str, second: float = 0, **more: Any) -> Row:
    """A message of one text block."""
    block = "output_text" if role == "assistant" else "input_text"
    return item("message", second, role=role, content=[{"type": block, "text": text}], **more)


def event(kind: str, second: float = 0, **fields: Any) -> Row:
    """An event message."""
    return line("event_msg", {"type": kind, **fields}, second)


def counts(*numbers: int) -> Row:
    """Input, cached, output."""
    prompt, cached, output = numbers
    return {
        "input_tokens": prompt,
        "cached_input_tokens": cached,
        "output_tokens": output,
        "reasoning_output_tokens": 0,
        "total_tokens": prompt + output,
    }


def token_count(total: Row | None, last: Row | None, second: float = 0) -> Row:
    """Running totals."""
    return event("token_count", second, info={"total_token_usage": total, "last_token_usage": last})


def write(folder: Path, name: str, rows: list[Row], *, tree: str = DAY) -> Path:
    """A rollout in a tree below `folder`."""
    path = folder / tree / f"rollout-2026-05-06T10-00-00-{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows))
    return path


def events_of(path: Path, report: FileReport | None = None) -> list[Event]:
    """Everything that a thread says."""
    account = report if report is not None else FileReport(path=str(path))
    return [e for record in read(resolve(str(path)), report=account) for e in record.events]


def alone(tmp_path: Path, *rows: Row, report: FileReport | None = None) -> list[Event]:
    """The events of a thread of these lines after its header."""
    return events_of(write(tmp_path, PARENT, [meta(), *rows]), report)


def messages(events: list[Event]) -> list[tuple[str, str | None, str]]:
    """Role, what put it there, and text of every message."""
    return [
        (e.role, e.injected, "\n".join(b.text for b in e.content if isinstance(b, Text)))
        for e in events
        if isinstance(e, Message)
    ]


def billed(path: Path) -> list[tuple[int, int, int]]:
    """Fresh input, cached input and output of each usage event, which both ways must give."""
    full = [e for e in events_of(path) if isinstance(e, Usage)]
    fast = list(usage(resolve(str(path)), report=FileReport(path=str(path))))
    found = [(e.tokens.input, e.tokens.cache_read, e.tokens.output) for e in full]
    assert found == [(e.tokens.input, e.tokens.cache_read, e.tokens.output) for e in fast]
    return found


def test_a_missing_base_is_said(tmp_path: Path) -> None:
    """A fork without the thread it builds on is read, named as incomplete, and inherits nothing."""
    base = {"thread_id": PARENT, "end_ordinal_exclusive": 5, "end_byte_offset": 10}
    path = write(tmp_path, CHILD, [meta(CHILD, forked_from_id=PARENT, history_base=base), said("user", "hi")])
    report = FileReport(path=str(path))
    events = events_of(path, report)
    assert resolve(str(path)).missing == (PARENT,)
    assert [warning.code for warning in report.warnings] == ["base_missing"]
    assert not report.complete
    assert not next(e for e in events if isinstance(e, Session)).complete
    assert messages(events) == [("user", None, "hi")]


def test_a_fork_of_a_fork_reaches_back_to_the_first(tmp_path: Path) -> None:
    """Bases are followed as far as they go, each only up to its ordinal, archived and compressed ones too."""
    third = "01a00002-0000-7000-8000-000000000003"
    write(
        tmp_path,
        PARENT,
        [meta(ordinal=0), said("user", "one", ordinal=1), said("assistant", "never", ordinal=2)],
        tree="archived_sessions",
    )
    middle = {"thread_id": PARENT, "end_ordinal_exclusive": 2}
    write(tmp_path, CHILD, [meta(CHILD, 1, history_base=middle, ordinal=2), said("assistant", "two", ordinal=3)])
    last = {"thread_id": CHILD, "end_ordinal_exclusive": 4}
    path = write(tmp_path, third, [meta(third, 2, history_base=last, ordinal=4), said("user", "three", ordinal=5)])
    source = resolve(str(path))
    assert [file.role for file in source.files] == ["base", "base", "main"]
    found = [(e.inherited_from, b.text) for e in events_of(path) if isinstance(e, Message) for b in e.content]  # type: ignore[union-attr]
    assert found == [(PARENT, "one"), (CHILD, "two"), (None, "three")]


def test_a_second_revert_may_go_back_before_the_first(tmp_path: Path) -> None:
    """Every segment goes on from the ordinal that it names, in whichever earlier file that stands."""
    write(tmp_path, PARENT, [meta(ordinal=0), *(said("user", f"a{n}", ordinal=n) for n in range(1, 5))])
    cut = {"thread_id": PARENT, "end_ordinal_exclusive": 4}
    rows = [meta(history_base=cut, ordinal=4), said("user", "b5", ordinal=5), said("user", "b6", ordinal=6)]
    write(tmp_path, f"{PARENT}_01a00001-0000-7000-8000-000000000001", rows)
    again = {"thread_id": PARENT, "end_ordinal_exclusive": 2}
    rows = [meta(history_base=again, ordinal=2), said("user", "c3", ordinal=3)]
    path = write(tmp_path, f"{PARENT}_01a00001-0000-7000-8000-000000000002", rows)
    live = [messages([e])[0][2] for e in events_of(path) if isinstance(e, Message) and e.live]
    assert live == ["a1", "c3"]


def test_sub_agents_are_found_by_what_they_say(tmp_path: Path) -> None:
    """Children, and theirs, hang below the thread that started them; only the tree of the file is looked through."""
    path = write(tmp_path, PARENT, [meta(), said("user", "hi")])
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}
    write(tmp_path, CHILD, [meta(CHILD, source=spawn), said("user", "do it"), said("user", "and that")])
    grandchild = "01a00002-0000-7000-8000-000000000003"
    write(tmp_path, grandchild, [meta(grandchild, parent_thread_id=CHILD)])
    stranger = "01a00003-0000-7000-8000-000000000004"
    write(tmp_path, stranger, [meta(stranger)])
    source = resolve(str(path))
    assert [(child.id, child.parent) for child in source.children] == [(CHILD, PARENT)]
    assert [child.id for child in source.children[0].children] == [grandchild]
    child = events_of(Path(source.children[0].path))
    assert messages(child) == [("system", "task", "do it"), ("system", "task", "and that")]
    assert next(e for e in child if isinstance(e, Session)).parent_session_id == PARENT


def test_of_a_file_and_its_compressed_twin_the_plain_one_is_read(tmp_path: Path) -> None:
    """Codex uses the plain file when both are there."""
    import zstandard

    path = write(tmp_path, PARENT, [meta(), said("user", "plain")])
    packed = path.with_suffix(".jsonl.zst")
    packed.write_bytes(zstandard.ZstdCompressor().compress(path.read_bytes()))
    assert [file.path for file in resolve(str(path)).files] == [str(path)]
    path.unlink()
    assert messages(events_of(packed)) == [("user", None, "plain")]


def test_the_name_in_the_index_is_the_title(tmp_path: Path) -> None:
    """The last line of the index for a thread wins over names inside its file."""
    rows = [
        {"id": PARENT, "thread_name": "old"},
        {"id": CHILD, "thread_name": "other"},
        {"id": PARENT, "thread_name": "new"},
    ]
    (tmp_path / "session_index.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    path = write(tmp_path, PARENT, [meta(), said("user", "hi"), event("thread_name_updated", thread_name="inside")])
    assert next(e for e in events_of(path) if isinstance(e, Session)).title == "new"
    (tmp_path / "session_index.jsonl").unlink()
    events = events_of(path)
    assert next(e for e in events if isinstance(e, Session)).title == "inside"
    assert [e.title for e in events if isinstance(e, Meta) and e.title] == ["inside"]


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (
            "/h/.codex/sessions/2026/05/06/rollout-2026-05-06T10-00-00-x.jsonl",
            "2026/05/06/rollout-2026-05-06T10-00-00-x.jsonl",
        ),
        ("/h/.codex/archived_sessions/rollout-x.jsonl.zst", "archived_sessions/rollout-x.jsonl.zst"),
        ("/d/rollout-2026-05-06T10-00-00-x.jsonl", "2026/05/06/rollout-2026-05-06T10-00-00-x.jsonl"),
        ("/d/thread.jsonl", "thread.jsonl"),
    ],
)
def test_layout(path: str, place: str) -> None:
    """From the tree that a file lies in, else from the date of its name, else its name alone."""
    assert layout(path) == place


@pytest.mark.parametrize(
    ("start", "least", "most"),
    [
        (json.dumps(meta()).encode() + b"\n", 100, 100),
        (b"\xef\xbb\xbf\0\n" + json.dumps(said("user", "x")).encode(), 100, 100),
        (json.dumps(meta(base_instructions={"text": "x" * 70_000})).encode()[: 1 << 16], 100, 100),
        (b'{"id":"5a","timestamp":"2025-05-20T10:00:00.000Z","instructions":null}\n', 80, 100),
        (b'{"record_type":"state"}\n', 80, 100),
        (b'{"session":{"id":"x","timestamp":"t"},"items":[]}', 50, 100),
        (b'{"type":"session","version":3,"id":"a","timestamp":"t","cwd":"/"}\n', 0, 0),
        (b'{"type":"user","sessionId":"a","uuid":"b","message":{"role":"user","content":"x"}}\n', 0, 0),
        (b'{"id":"a","thread_name":"b","updated_at":"c"}\n', 0, 0),
        (b'{"session_id":"a","ts":1,"text":"b"}\n', 0, 0),
        (b"", 0, 0),
        (b"42\n[]\nnull\n", 0, 0),
    ],
)
def test_detection_goes_by_content(start: bytes, least: int, most: int) -> None:
    """Both forms of a thread are known by their lines; what others write is not."""
    assert least <= detect(start) <= most


def test_the_document_of_early_2025_is_refused_in_words(tmp_path: Path) -> None:
    """A whole thread in one JSON document is named as what it is."""
    path = tmp_path / "rollout-2025-04-20-x.json"
    path.write_text(json.dumps({"session": {"id": "x", "timestamp": "t"}, "items": []}, indent=2))
    with pytest.raises(NotATranscript, match="one JSON document of the first Codex"):
        events_of(path)


def test_who_typed_is_told_by_the_message_itself(tmp_path: Path) -> None:
    """The kinds of a message's blocks win over their text, and a mixed message is taken apart."""
    content = [
        {"type": "input_text", "text": "<environment_context>typed</environment_context>"},
        {"type": "input_text", "text": "plain rules"},
    ]
    kinds = {"content_item_kinds": ["user.text", "agents_md.instructions"]}
    row = item("message", role="user", content=content, internal_chat_message_metadata_passthrough=kinds)
    assert messages(alone(tmp_path, row)) == [
        ("system", "agents_md", "plain rules"),
        ("user", None, "<environment_context>typed</environment_context>"),
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("  # AGENTS.md instructions for /w\n\n<INSTRUCTIONS>x</INSTRUCTIONS>\n", "agents_md"),
        ("<ENVIRONMENT_CONTEXT>x</environment_context>", "environment"),
        ("<external_plan>x</external_plan>", "external"),
        ('<codex_internal_context source="goal">x</codex_internal_context>', "codex_internal_context"),
        ("Another language model started to solve this", "compaction"),
        ("Warning: Your account was flagged for", "warning"),
        ("<environment_context> is what I asked about", None),
        ("Another day", None),
    ],
)
def test_injected_text_is_known_by_both_its_marks(tmp_path: Path, text: str, kind: str | None) -> None:
    """Text counts as injected only when it begins and ends like it; case does not matter."""
    assert messages(alone(tmp_path, said("user", text))) == [("user" if kind is None else "system", kind, text)]


@pytest.mark.parametrize("first", [True, False])
def test_a_message_that_no_event_tells_was_not_typed(tmp_path: Path, first: bool) -> None:
    """Where events say what was typed, the rest of the user messages was injected, whichever comes first."""
    pair = [said("user", "typed"), event("user_message", message="typed")]
    rows = [said("user", "of unknown origin"), *(pair[::-1] if first else pair)]
    found = messages(alone(tmp_path, *rows))
    assert found == [("system", "unknown", "of unknown origin"), ("user", None, "typed")]
    assert messages(alone(tmp_path, rows[0])) == [("user", None, "of unknown origin")]


def test_text_that_only_events_tell_is_kept(tmp_path: Path) -> None:
    """A thread that holds no items at all is read from its events."""
    rows = [
        event("user_message", message="hi", images=["data:image/png;base64,AAAA"]),
        event("agent_reasoning", text="hm"),
        event("agent_message", message="yo"),
    ]
    events = alone(tmp_path, *rows)
    assert messages(events) == [("user", None, "hi"), ("assistant", None, ""), ("assistant", None, "yo")]
    prompt = next(e for e in events if isinstance(e, Message))
    assert prompt.content[1] == Image(media_type="image/png", data="AAAA")
    assert next(e for e in events if isinstance(e, Session)).first_prompt == "hi"


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("Exit code: 3\nWall time: 0 seconds\nOutput:\n", True),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nExit code: 3\n", False),
        ("Chunk ID: 2cf305\nWall time: 0.0 seconds\nProcess exited with code -1\nOutput:\n", True),
        ("Wall time: 0.0 seconds\nProcess exited with code 0\nOutput:\n", False),
        ("Wall time: 0.0 seconds\nProcess running with session ID 4\nOutput:\n", False),
        ("apply_patch verification failed: no such file", True),
        ("unsupported call: frobnicate", True),
        ("Wall time: 1.8 seconds\naborted by user", True),
        ("aborted by user after 1.2s", True),
        ("the words aborted by user", False),
        ("", False),
    ],
)
def test_outcomes_are_read_out_of_words(text: str, bad: bool) -> None:
    """Exit status and refusals in the shapes of all versions; the same words further down mean nothing."""
    assert failed(text) is bad


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize(
    "end",
    [
        event("exec_command_end", call_id="c", exit_code=2, duration=TOOK),
        event("mcp_tool_call_end", call_id="c", result={"Ok": {"content": [], "isError": True}}, duration=TOOK),
        event("mcp_tool_call_end", call_id="c", result={"Err": "gone"}, duration=TOOK),
        event("patch_apply_end", call_id="c", success=False, duration=TOOK),
        event("item_completed", item={"type": "FileChange", "id": "c", "status": "declined", "duration": TOOK}),
    ],
)  # fmt: skip
def test_an_event_tells_the_outcome_of_a_call(tmp_path: Path, end: Row, before: bool) -> None:
    """It may come before or long after the output that the model was given."""
    out = item("function_call_output", call_id="c", output="words")
    rows = [item("function_call", call_id="c", name="t", arguments="{}"), *([end, out] if before else [out, end])]
    (result,) = [e for e in alone(tmp_path, *rows) if isinstance(e, ToolResult)]
    assert (result.status, result.duration_ms) == ("error", 1500)


@pytest.mark.parametrize(
    ("arguments", "raw", "text"),
    [
        ('{"a": 1}', b'{"a": 1}', None),
        ('{\n  "a": "x\\ny"\r\n}', b'{"a":"x\\ny"}', None),
        ('["a"]', b'["a"]', None),
        ({"a": 1}, b'{"a": 1}', None),
        (None, b"{}", None),
        ("", b"", ""),
        ('{"a":1}{}', b"", '{"a":1}{}'),
        ('{"a": NaN}', b"", '{"a": NaN}'),
        ('{"a":"\\ud83d"}', '{"a":"\ufffd"}'.encode(), None),
        ('{"a":"\\ud83d\\ude00"}', b'{"a":"\\ud83d\\ude00"}', None),
    ],
)
def test_arguments_are_json_where_they_parse(tmp_path: Path, arguments: Any, raw: bytes, text: str | None) -> None:
    """One line of valid JSON, whatever its kind, or else the text as it was logged."""
    rows = [item("function_call", call_id="c", name="t", namespace="mcp__s", arguments=arguments)]
    (call,) = [b for e in alone(tmp_path, *rows) if isinstance(e, Message) for b in e.content]
    assert isinstance(call, ToolCall)
    assert (call.name, bytes(call.arguments), call.text, call.answered) == ("mcp__s__t", raw, text, False)


@pytest.mark.parametrize(
    ("output", "content", "status"),
    [
        ("plain", (Text(text="plain"),), "ok"),
        ("", (), "ok"),
        (None, (), "ok"),
        (17, (Text(text="17"),), "ok"),
        ({"content": "bad plan", "success": False}, (Text(text="bad plan"),), "error"),
        ({"type": "input_text", "text": "one block"}, (Text(text="one block"),), "ok"),
        ({"odd": [1]}, (Text(text='{"odd": [1]}'),), "ok"),
        (
            [
                {"type": "input_text", "text": "Exit code: 1\nOutput:"},
                {"type": "input_image", "image_url": "https://h/a.png"},
                {"type": "input_image", "file_id": "file_1"},
                {"type": "input_audio", "audio_url": "data:audio/wav;base64,AA=="},
            ],
            (
                Text(text="Exit code: 1\nOutput:"),
                Image(url="https://h/a.png"),
                Image(path="file_1"),
                File(media_type="audio/wav", data="AA=="),
            ),
            "error",
        ),
        (ODD, (Text(text=ODD),), "ok"),
    ],
)  # fmt: skip
def test_outputs_of_any_shape_become_text_and_pictures(
    tmp_path: Path, output: Any, content: tuple[Any, ...], status: str
) -> None:
    """Strings, lists of blocks, objects and numbers; only the known wrapper is taken off."""
    rows = [
        item("function_call", call_id="c", name="t", arguments="{}"),
        item("function_call_output", call_id="c", output=output),
    ]
    (result,) = [e for e in alone(tmp_path, *rows) if isinstance(e, ToolResult)]
    assert (result.content, result.status) == (content, status)


def test_calls_without_outputs_of_their_own(tmp_path: Path) -> None:
    """Searches and pictures made by the service are call and result at once; old shell calls are known by their id."""
    rows = [
        item("web_search_call", id="ws", status="completed", action={"type": "search", "query": "q"}),
        item("web_search_call", status="in_progress"),
        item("image_generation_call", id="ig", status="completed", result="AAAA", revised_prompt="cat"),
        item("local_shell_call", id="sh", status="completed", action={"type": "exec", "command": ["ls"]}),
        item("function_call_output", call_id="sh", output="x"),
        item("tool_search_call", call_id=None, id="ts", execution="server", arguments={"query": "q"}),
        item("tool_search_output", call_id=None, status="completed", tools=[{"name": "t"}]),
    ]
    events = alone(tmp_path, *rows)
    calls = [b for e in events if isinstance(e, Message) for b in e.content if isinstance(b, ToolCall)]
    results = [e for e in events if isinstance(e, ToolResult)]
    assert [c.name for c in calls] == ["web_search"] * 2 + ["image_generation", "local_shell", "tool_search"]
    assert [c.id for c in calls] == [r.call_id for r in results]
    assert [r.status for r in results] == ["ok", "unknown", "ok", "ok", "ok"]
    assert all(c.answered for c in calls)
    assert results[2].content == (Image(media_type="image/png", data="AAAA"),)
    assert bytes(calls[3].arguments) == b'{"type": "exec", "command": ["ls"]}'


def test_a_compaction_by_the_service_keeps_what_can_be_read(tmp_path: Path) -> None:
    """Where only the vendor can read the summary, what was kept of the conversation stands in its place."""
    kept = [
        said("user", "kept question")["payload"],
        said("user", "<environment_context>x</environment_context>")["payload"],
        {"type": "compaction", "encrypted_content": "AAAA"},
    ]
    report = FileReport(path="x")
    rows = [said("user", "q"), line("compacted", {"message": "", "replacement_history": kept})]
    (found,) = [e for e in alone(tmp_path, *rows, report=report) if isinstance(e, Compaction)]
    assert "encrypted" in found.summary
    assert found.summary.endswith("kept question")
    assert "environment" not in found.summary
    assert report.changed == {"compaction_folded": 1}


def test_what_is_not_known_is_kept_and_counted(tmp_path: Path) -> None:
    """Unknown lines, items and events are opaque; lines without a payload are given up; neither costs its siblings."""
    report = FileReport(path="x")
    rows = [
        line("orbital_line", {"a": 1}),
        item("orbital_call", x=1),
        event("orbital_event"),
        line("response_item", None),
        line("response_item", "text"),
        said("user", "hi"),
    ]
    events = alone(tmp_path, *rows, report=report)
    assert [e.name for e in events if isinstance(e, Opaque)] == ["orbital_line", "orbital_call", "orbital_event"]
    assert report.unknown == dict.fromkeys(["orbital_line", "orbital_call", "orbital_event"], 1)
    assert report.skipped == {"invalid_payload": 2}
    assert messages(events) == [("user", None, "hi")]


def test_bare_items_take_the_time_of_their_header(tmp_path: Path) -> None:
    """The lines of 2025 have no time of their own, and the folder stands only in the context."""
    rows = [
        {"id": PARENT, "timestamp": "2025-06-01T10:00:00.000Z", "instructions": None, "git": {"branch": "main"}},
        {"record_type": "state"},
        said("user", "<environment_context>\n<cwd>/w</cwd>\n</environment_context>")["payload"],
        {"id": None, **said("user", "hi")["payload"]},
    ]
    events = events_of(write(tmp_path, PARENT, rows))
    session = events[0]
    assert isinstance(session, Session)
    assert (session.session_id, session.cwd, session.git_branch, session.first_prompt) == (PARENT, "/w", "main", "hi")
    assert {e.time for e in events if isinstance(e, Message)} == {1_748_772_000_000}


def test_a_file_without_header_is_named_by_its_name(tmp_path: Path) -> None:
    """The id is taken from the file name, and that is said."""
    report = FileReport(path="x")
    events = events_of(write(tmp_path, PARENT, [said("user", "hi")]), report)
    assert [warning.code for warning in report.warnings] == ["header_missing"]
    assert next(e for e in events if isinstance(e, Session)).session_id == PARENT


def test_totals_that_repeat_or_only_estimate_count_nothing(tmp_path: Path) -> None:
    """Only what the running total grew by counts; when it falls, it was reset."""
    one, two = counts(1000, 400, 100), counts(2500, 1600, 180)
    path = write(
        tmp_path,
        PARENT,
        [
            meta(),
            event("token_count", info=None),
            token_count(one, one, 1),
            token_count(one, one, 2),
            token_count(two, counts(1500, 1200, 80), 3),
            token_count(two, {"total_tokens": 259}, 4),
            token_count(counts(600, 0, 60), counts(600, 0, 60), 5),
        ],
    )
    assert billed(path) == [(600, 400, 100), (300, 1200, 80), (600, 0, 60)]


def test_the_first_total_of_a_fork_is_not_its_own(tmp_path: Path) -> None:
    """A thread that builds on another goes on from its total: of the first count only the last response is new."""
    path = write(tmp_path, CHILD, [meta(CHILD), token_count(counts(9000, 0, 900), counts(1000, 400, 100), 1)])
    assert billed(path) == [(600, 400, 100)]


def test_a_copied_part_without_turn_ids_ends_with_its_burst(tmp_path: Path) -> None:
    """What a fork wrote in one go is its parent's; what came later is its own."""
    path = write(
        tmp_path,
        CHILD,
        [
            meta(CHILD, 10, forked_from_id=PARENT),
            meta(PARENT, 10.001),
            said("user", "old", 10.002),
            token_count(counts(1000, 0, 100), counts(1000, 0, 100), 10.003),
            said("assistant", "old answer", 10.004),
            said("user", "new", 12),
            token_count(counts(2500, 400, 200), counts(1500, 400, 100), 13),
            said("assistant", "new answer", 13.1),
        ],
    )
    assert billed(path) == [(1100, 400, 100)]
    found = [(e.inherited_from, messages([e])[0][2]) for e in events_of(path) if isinstance(e, Message)]
    assert found == [(PARENT, "old"), (PARENT, "old answer"), (None, "new"), (None, "new answer")]


def test_records_of_other_threads_and_repeated_ones_count_nothing(tmp_path: Path) -> None:
    """A record counts once per response id, and only for the thread it names; totals beside it are ignored."""

    def record(name: str, thread: str, second: float) -> Row:
        return line("token_usage_record", {"response_id": name, "thread_id": thread, "usage": counts(10, 4, 1)}, second)

    total = token_count(counts(99, 0, 9), counts(99, 0, 9), 5)
    rows = [record("a", PARENT, 1), record("a", PARENT, 2), record("b", CHILD, 3), record("c", PARENT, 4), total]
    path = write(tmp_path, PARENT, [meta(), line("turn_context", {"model": "GPT-5", "cwd": "/w"}), *rows])
    assert billed(path) == [(6, 4, 1), (6, 4, 1)]
    found = [e for e in events_of(path) if isinstance(e, Usage)]
    assert [(e.message_id, e.model, e.provider, e.cwd, e.single_request) for e in found] == [
        (name, "gpt-5", "openai", "/w", True) for name in ("a", "c")
    ]
    assert msgspec.structs.asdict(found[0].tokens)["total"] == 11
