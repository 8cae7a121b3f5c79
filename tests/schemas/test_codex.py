"""The structs of Codex know every line of the fixtures, and stay open where Codex is open."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import inspect

from panscript.schemas import codex
from panscript.schemas.codex import blocks, events, items, lines, tools, turn_items
from panscript.schemas.codex.base import UNKNOWN
from panscript.schemas.codex.decode import decode_line, encode_line, json_schema, unknown_fields, unknown_values
from panscript.schemas.codex.side_files import HistoryEntry, RolloutDocument, SessionIndexEntry

FIXTURES = Path(__file__).parents[2] / "fixtures" / "codex"
ROLLOUTS = sorted(path for path in FIXTURES.rglob("rollout-*") if path.is_file())
TIME = "2026-02-03T04:05:06.789Z"


def read_lines(path: Path) -> list[bytes]:
    raw = path.read_bytes()
    if path.suffix == ".zst":
        raw = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(raw)).read()
    return [line for line in raw.splitlines() if line.strip()]


def envelope(kind: str, payload: Any, **keys: Any) -> bytes:
    return msgspec.json.encode({"timestamp": TIME, "type": kind, "payload": payload, **keys})


def without_nulls(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: without_nulls(value) for key, value in node.items() if value is not None}
    if isinstance(node, list):
        return [without_nulls(value) for value in node]
    return node


def test_fixtures_hold_rollouts_of_every_era() -> None:
    versions = {path.relative_to(FIXTURES).parts[0] for path in ROLLOUTS}
    assert {"home-0.8.0", "home-0.44.0", "home-0.130.0", "home-0.171.0", "home-0.171.0-zst"} <= versions


@pytest.mark.parametrize("path", ROLLOUTS, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_every_line_of_a_fixture_is_typed_and_every_field_and_word_is_known(path: Path) -> None:
    raws = read_lines(path)
    assert raws
    for raw in raws:
        line = decode_line(raw)
        assert not isinstance(line, codex.Unknown)
        assert unknown_fields(raw) == []
        assert unknown_values(raw) == []


@pytest.mark.parametrize("path", ROLLOUTS, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_a_fixture_line_is_written_back_up_to_nulls(path: Path) -> None:
    for raw in read_lines(path):
        assert without_nulls(json.loads(encode_line(decode_line(raw)))) == without_nulls(json.loads(raw))


def test_side_files_decode() -> None:
    index = FIXTURES / "home-0.171.0" / "session_index.jsonl"
    entries = [msgspec.json.decode(raw, type=SessionIndexEntry) for raw in read_lines(index)]
    assert all(entry.id and entry.thread_name and entry.updated_at for entry in entries)
    prompt = msgspec.json.decode(b'{"session_id":"s","ts":1770000000,"text":"hi"}', type=HistoryEntry)
    assert prompt.ts == 1770000000
    document = msgspec.json.decode(
        b'{"session":{"id":"s","timestamp":"","instructions":""},"items":[{"type":"message","role":"user",'
        b'"content":[{"type":"input_text","text":"hi"}]}]}',
        type=RolloutDocument,
    )
    assert isinstance(document.items[0], items.MessageItem)


def test_tables_name_each_struct_and_the_aliases() -> None:
    assert codex.LINES["session_meta"] is lines.SessionMetaLine
    assert codex.ITEMS["function_call"] is items.FunctionCallItem
    assert codex.EVENTS["turn_started"] is codex.EVENTS["task_started"] is events.TaskStartedEvent
    assert codex.EVENTS["turn_complete"] is codex.EVENTS["task_complete"] is events.TaskCompleteEvent
    assert codex.TURN_ITEMS["CommandExecution"] is turn_items.CommandExecutionTurnItem
    assert codex.BLOCKS["input_image"] is blocks.InputImageBlock
    tables = (codex.LINES, codex.ITEMS, codex.EVENTS, codex.TURN_ITEMS, codex.BLOCKS)
    assert all(UNKNOWN not in table for table in tables)


def test_an_alias_decodes_to_the_struct_of_the_name_it_stands_for() -> None:
    raw = envelope("event_msg", {"type": "turn_complete", "turn_id": "t", "last_agent_message": None})
    line = decode_line(raw)
    assert isinstance(line, lines.EventMsgLine)
    assert line.payload == events.TaskCompleteEvent(turn_id="t")
    assert unknown_fields(raw) == []


def test_an_unknown_line_kind_is_kept_whole() -> None:
    raw = envelope("telepathy", {"a": 1}, ordinal=7)
    line = decode_line(raw)
    assert isinstance(line, codex.UnknownLine)
    assert line.name == "telepathy"
    assert line.raw == json.loads(raw)
    assert unknown_fields(raw) == ["$.type=telepathy"]
    assert json.loads(encode_line(line)) == json.loads(raw)


@pytest.mark.parametrize(
    ("raw", "unknown", "path"),
    [
        (envelope("response_item", {"type": "dream", "x": [1]}), codex.UnknownItem, "$.payload.type=dream"),
        (envelope("event_msg", {"type": "dream", "x": [1]}), codex.UnknownEvent, "$.payload.type=dream"),
        (
            envelope(
                "event_msg",
                {
                    "type": "item_completed",
                    "thread_id": "a",
                    "turn_id": "b",
                    "item": {"type": "Dream", "id": "c", "x": [1]},
                },
            ),
            codex.UnknownTurnItem,
            "$.payload.item.type=Dream",
        ),
        (
            envelope(
                "response_item",
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": ""}, {"type": "smell"}]},
            ),
            codex.UnknownBlock,
            "$.payload.content[1].type=smell",
        ),
        (
            envelope(
                "compacted",
                {"message": "", "replacement_history": [{"type": "web_search_call", "action": {"type": "guess"}}]},
            ),
            codex.UnknownVariant,
            "$.payload.replacement_history[0].action.type=guess",
        ),
        (b'{"type":"dream","x":[1]}', codex.UnknownItem, "$.type=dream"),
    ],
)
def test_an_unknown_name_below_a_known_line_is_kept_told_and_written_back(
    raw: bytes, unknown: type[codex.Unknown], path: str
) -> None:
    line = decode_line(raw)
    assert [type(found) for found in unknowns(line)] == [unknown]
    assert unknown_fields(raw) == [path]
    assert json.loads(encode_line(line)) == json.loads(raw)


def unknowns(node: Any) -> list[codex.Unknown]:
    """Find the unknown objects of a decoded line."""
    if isinstance(node, codex.Unknown):
        return [node]
    if isinstance(node, msgspec.Struct):
        return [found for field in node.__struct_fields__ for found in unknowns(getattr(node, field))]
    return [found for value in node for found in unknowns(value)] if isinstance(node, list) else []


def test_the_marker_of_unknown_names_is_itself_an_unknown_name() -> None:
    raw = envelope("response_item", {"type": UNKNOWN, "raw": {}})
    line = decode_line(raw)
    assert isinstance(line, lines.ResponseItemLine)
    assert isinstance(line.payload, codex.UnknownItem)
    assert json.loads(encode_line(line)) == json.loads(raw)


def test_unknown_fields_are_found_at_every_depth_but_not_in_open_maps() -> None:
    raw = envelope(
        "event_msg",
        {
            "type": "item_completed",
            "thread_id": "a",
            "turn_id": "b",
            "new one": 1,
            "item": {
                "type": "FileChange",
                "id": "c",
                "changes": {"/home/dev/a.txt": {"type": "add", "content": "", "mode": 420}},
                "extra": {"deep": 1},
            },
        },
        level=1,
    )
    assert unknown_fields(raw) == [
        '$.payload["new one"]',
        '$.payload.item.changes["/home/dev/a.txt"].mode',
        "$.payload.item.extra",
        "$.level",
    ]
    assert isinstance(decode_line(raw), lines.EventMsgLine)
    assert unknown_fields(envelope("world_state", {"full": True, "state": {"anything": {"at": "all"}}})) == []
    call = {"type": "tool_search_call", "execution": "client", "arguments": {"any": {"key": 1}}}
    assert unknown_fields(envelope("response_item", call)) == []


def test_words_outside_a_word_list_are_told_and_no_error() -> None:
    raw = envelope("event_msg", {"type": "turn_aborted", "reason": "bored"})
    assert isinstance(decode_line(raw), lines.EventMsgLine)
    assert unknown_fields(raw) == []
    assert unknown_values(raw) == ["$.payload.reason=bored"]


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (b'{"type":"response_item","payload":{"type":"other"}}', "timestamp"),
        (b'{"timestamp":"","type":"response_item"}', "payload"),
        (envelope("session_meta", {"id": "a"}), r"\$\.payload"),
        (envelope("event_msg", {"message": "no type"}), r"\$\.payload"),
        (envelope("event_msg", {"type": 5}), r"\$\.payload\.type"),
        (envelope("event_msg", {"type": "agent_message"}), "message"),
        (envelope("response_item", {"type": "function_call_output", "call_id": "c", "output": {}}), "output"),
        (envelope("response_item", {"type": "message", "role": "user", "content": "text"}), "content"),
        (b'{"type":"message","role":"user"}', "content"),
        (b'{"id":"a"}', "timestamp"),
        (b"[]", "object"),
        (b"null", "object"),
    ],
)
def test_a_known_type_with_a_wrong_shape_is_an_error_that_names_the_place(raw: bytes, place: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=place):
        decode_line(raw)


def test_a_wrong_shape_beside_an_unknown_name_is_still_an_error() -> None:
    content = [{"type": "smell"}, {"type": "input_text", "text": 5}]
    with pytest.raises(msgspec.ValidationError, match=r"content\[1\]\.text"):
        decode_line(envelope("response_item", {"type": "message", "role": "user", "content": content}))


@pytest.mark.parametrize("raw", [b"", b"{", b'{"type":"event_msg",', b"\xff"])
def test_what_is_not_json_is_a_decode_error(raw: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_line(raw)
    with pytest.raises(msgspec.DecodeError):
        unknown_fields(raw)


def test_the_bare_form_has_a_header_states_and_items() -> None:
    header = decode_line(b'{"id":"a","timestamp":"t","instructions":null,"git":{"branch":"main"}}')
    assert header == lines.BareHeader(id="a", timestamp="t", git=lines.GitInfo(branch="main"))
    assert decode_line(b'{"record_type":"state","previous_response_id":"r"}') == lines.BareState(
        record_type="state", previous_response_id="r"
    )
    call = decode_line(b'{"type":"function_call","id":"f","name":"shell","arguments":"{}","call_id":"c"}')
    assert call == items.FunctionCallItem(id="f", name="shell", arguments="{}", call_id="c")
    assert unknown_fields(b'{"id":"a","timestamp":"t","model":"m"}') == ["$.model"]


def test_line_times_may_be_epoch_numbers() -> None:
    line = decode_line(
        b'{"timestamp":1770000000.5,"type":"inter_agent_communication_metadata","payload":{"trigger_turn":true}}'
    )
    assert isinstance(line, lines.InterAgentCommunicationMetadataLine)
    assert line.timestamp == 1770000000.5


def test_settings_decode_in_their_shapes_of_all_versions() -> None:
    basis = {"cwd": "/a", "model": "m", "approval_policy": "never"}
    for keys in (
        {"sandbox_policy": {"mode": "read-only"}},
        {"sandbox_policy": {"type": "workspace-write", "network_access": False}},
        {"permission_profile": {"network": {"enabled": False}, "file_system": {"entries": []}}},
        {"permission_profile": {"type": "managed", "network": "restricted", "file_system": {"type": "unrestricted"}}},
        {"collaboration_mode": {"mode": "plan", "model": "m", "developer_instructions": None}},
        {"approval_policy": {"granular": {"sandbox_approval": True, "rules": True, "mcp_elicitations": False}}},
    ):
        raw = envelope("turn_context", basis | keys)
        assert isinstance(decode_line(raw), lines.TurnContextLine)
        assert unknown_fields(raw) == []


def test_a_tool_result_is_ok_or_err() -> None:
    event = {
        "type": "mcp_tool_call_end",
        "call_id": "c",
        "invocation": {"server": "s", "tool": "t"},
        "duration": {"secs": 0, "nanos": 1},
        "result": {"Ok": {"content": [], "isError": True, "_meta": {}}},
    }
    line = decode_line(envelope("event_msg", event))
    assert isinstance(line, lines.EventMsgLine)
    assert isinstance(line.payload, events.McpToolCallEndEvent)
    assert line.payload.result == tools.McpResult(ok=tools.CallToolResult(content=[], is_error=True, meta={}))


def test_structs_are_immutable_keyword_only_and_tolerant() -> None:
    usage = codex.decode_line(envelope("event_msg", {"type": "agent_reasoning", "text": "x"}))
    with pytest.raises(AttributeError):
        usage.timestamp = "later"  # type: ignore[misc, union-attr]
    for table in (codex.LINES, codex.ITEMS, codex.EVENTS, codex.TURN_ITEMS, codex.BLOCKS):
        for struct in table.values():
            config = struct.__struct_config__
            assert issubclass(struct, codex.Wire)
            assert config.omit_defaults
            assert not config.forbid_unknown_fields
            if struct.__struct_fields__:
                with pytest.raises(TypeError):
                    struct("positional")


def test_the_json_schema_names_everything_and_leaves_unions_open() -> None:
    schema = json_schema()
    definitions = schema["$defs"]
    for table in (codex.LINES, codex.ITEMS, codex.EVENTS, codex.TURN_ITEMS, codex.BLOCKS):
        for name, struct in table.items():
            definition = definitions[struct.__name__]
            assert name in definition["properties"]["type"]["enum"]
            assert definition["description"]
    text = json.dumps(schema)
    assert UNKNOWN not in text
    references = {part.partition('"')[0] for part in text.split("#/$defs/")[1:]}
    assert references == set(definitions)
    payload = definitions["ResponseItemLine"]["properties"]["payload"]["anyOf"]
    other = next(member for member in payload if "$ref" not in member)
    assert set(other["properties"]["type"]["not"]["enum"]) == set(codex.ITEMS)


def test_the_package_gives_its_public_names_and_no_others() -> None:
    assert all(getattr(codex, name) is not None for name in codex.__all__)
    with pytest.raises(AttributeError, match="no attribute"):
        codex.nothing  # noqa: B018


JSON_VALUES = st.recursive(
    st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)
SCALARS: dict[type[inspect.Type], st.SearchStrategy[Any]] = {
    inspect.AnyType: JSON_VALUES,
    inspect.BoolType: st.booleans(),
    inspect.FloatType: st.floats(allow_nan=False, allow_infinity=False),
    inspect.IntType: st.integers(-(2**53), 2**53),
    inspect.StrType: st.text(max_size=8),
}


@cache
def structs_of(kind: str) -> inspect.Type:
    return inspect.type_info(codex.LINES[kind])


@st.composite
def objects(draw: st.DrawFn, info: inspect.Type, depth: int = 0) -> Any:
    """Draw plain JSON of a type: required keys always, optional keys sometimes and never with their default."""
    match info:
        case inspect.Metadata():
            words = (info.extra_json_schema or {}).get("examples")
            return draw(st.sampled_from(words) if words else objects(info.type, depth))
        case inspect.UnionType():
            members = [
                member
                for member in info.types
                if not isinstance(member, inspect.NoneType) and getattr(member, "tag", None) != UNKNOWN
            ]
            return draw(objects(draw(st.sampled_from(members)), depth))
        case inspect.ListType():
            count = draw(st.integers(0, 2 if depth < 4 else 0))
            return [draw(objects(info.item_type, depth + 1)) for _ in range(count)]
        case inspect.DictType():
            keys = draw(st.lists(st.text(max_size=5), max_size=2 if depth < 4 else 0, unique=True))
            return {key: draw(objects(info.value_type, depth + 1)) for key in keys}
        case inspect.StructType():
            result = {} if info.tag_field is None else {info.tag_field: info.tag}
            for field in info.fields:
                if field.required or (depth < 4 and draw(st.integers(0, 3)) == 0):
                    value = draw(objects(field.type, depth + 1))
                    if field.required or value != field.default:
                        result[field.encode_name] = value
            return result
    return draw(SCALARS[type(info)])


@pytest.mark.parametrize(
    "kind", ["session_meta", "turn_context", "response_item", "event_msg", "compacted", "realtime_item"]
)
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_generated_line_is_known_and_written_back_as_it_was(kind: str, data: st.DataObject) -> None:
    line = data.draw(objects(structs_of(kind)))
    raw = msgspec.json.encode(line)
    decoded = decode_line(raw)
    assert isinstance(decoded, codex.LINES[kind])
    assert unknown_fields(raw) == unknown_values(raw) == []
    assert json.loads(encode_line(decoded)) == json.loads(raw)
