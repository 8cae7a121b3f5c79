"""The full schema of Claude Code's files: every row the agent wrote decodes, and nothing in it is unknown."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect

from panscript.schemas import import_record
from panscript.schemas.claude.agent_results import AgentCompletedResult
from panscript.schemas.claude.attachments import ATTACHMENTS, UnknownAttachment
from panscript.schemas.claude.base import UNKNOWN_TAG, Native
from panscript.schemas.claude.blocks import BLOCKS, TextBlock, ToolResultBlock, UnknownBlock
from panscript.schemas.claude.decoding import ROWS, Row, UnknownRow, decode_row, encode_row
from panscript.schemas.claude.documentation import field_notes, json_schema
from panscript.schemas.claude.drift import unknown_fields
from panscript.schemas.claude.file_results import BashResult, EditResult, ReadImageResult, ReadTextResult
from panscript.schemas.claude.open_unions import unknown_in
from panscript.schemas.claude.progress import PROGRESS, AgentProgress
from panscript.schemas.claude.rows import AssistantRow, AttachmentRow, ProgressRow, UserRow
from panscript.schemas.claude.side_files import (
    SIDE_FILES,
    AgentMeta,
    CustomTitleFile,
    HistoryLine,
    TaskFile,
    WorkflowLine,
)
from panscript.schemas.claude.state_rows import CustomTitle, LastPrompt, QueueOperation
from panscript.schemas.claude.system_rows import SYSTEM_ROWS, CompactBoundary, PlainSystemRow
from panscript.schemas.claude.tool_results import TOOL_RESULTS, decode_tool_result, shape_of

FIXTURES = Path(__file__).parent.parent.parent / "fixtures" / "claude"
TRANSCRIPTS = sorted(FIXTURES.glob("**/projects/**/*.jsonl"))
ENVELOPE: dict[str, Any] = {
    "uuid": "u1",
    "parentUuid": None,
    "timestamp": "2026-01-01T10:00:00.000Z",
    "sessionId": "s1",
}
USER: dict[str, Any] = {**ENVELOPE, "type": "user", "message": {"role": "user", "content": "hello"}}
ASSISTANT: dict[str, Any] = {
    **ENVELOPE,
    "type": "assistant",
    "message": {
        "role": "assistant",
        "id": "msg_1",
        "model": "m",
        "content": [{"type": "text", "text": "hello"}],
        "usage": {"input_tokens": 1, "cache_creation": {"ephemeral_5m_input_tokens": 2}},
    },
}
TASK = {"id": "1", "subject": "s", "description": "d", "status": "pending", "blocks": [], "blockedBy": []}


def line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def rows(path: Path) -> list[bytes]:
    return [each for each in path.read_bytes().splitlines(keepends=True) if each.strip()]


def structs() -> dict[type[msgspec.Struct], inspect.StructType]:
    """Every struct of the schema, with those their fields may hold; the import record is no part of it."""
    shapes = [shape for each in TOOL_RESULTS.values() for shape in each]
    roots: list[Any] = [*ROWS.values(), *SYSTEM_ROWS.values(), *shapes, *SIDE_FILES.values(), *get_args(WorkflowLine)]
    found: dict[type[msgspec.Struct], inspect.StructType] = {}
    waiting: list[inspect.Type] = [inspect.type_info(each) for each in roots]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, inspect.StructType) and kind.cls.__module__ == import_record.__name__:
            continue
        if isinstance(kind, inspect.StructType) and kind.cls not in found:
            found[kind.cls] = kind
            waiting.extend(each.type for each in kind.fields)
        elif isinstance(kind, inspect.UnionType):
            waiting.extend(kind.types)
        elif isinstance(kind, inspect.ListType):
            waiting.append(kind.item_type)
        elif isinstance(kind, inspect.DictType):
            waiting.append(kind.value_type)
    return found


# What the agent wrote.


def test_there_are_transcripts_of_three_versions() -> None:
    assert {path.relative_to(FIXTURES).parts[0] for path in TRANSCRIPTS} >= {"v2.0.50", "v2.1.30", "v2.1.328"}
    assert sum(len(rows(path)) for path in TRANSCRIPTS) > 500


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_every_row_the_agent_wrote_is_typed_and_has_no_unknown_field(path: Path) -> None:
    for number, raw in enumerate(rows(path), 1):
        row = decode_row(raw)
        assert not isinstance(row, UnknownRow), (number, row.type)
        assert unknown_fields(raw) == [], number


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_a_row_the_agent_wrote_comes_back_with_all_but_its_nulls(path: Path) -> None:
    for raw in rows(path):
        assert not_null(json.loads(encode_row(decode_row(raw)))) == not_null(json.loads(raw))


def not_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: not_null(each) for name, each in value.items() if each is not None}
    return [not_null(each) for each in value] if isinstance(value, list) else value


def test_every_structured_tool_result_the_agent_wrote_has_a_shape() -> None:
    found = set()
    for path in TRANSCRIPTS:
        for raw in rows(path):
            row = decode_row(raw)
            if isinstance(row, UserRow) and isinstance(row.tool_use_result, dict):
                found.add(type(decode_tool_result(row.tool_use_result)))
    assert dict not in found
    assert {BashResult, EditResult, ReadImageResult, ReadTextResult} <= found


@pytest.mark.parametrize(
    ("pattern", "struct"),
    [
        ("**/history.jsonl", HistoryLine),
        ("**/custom-title.json", CustomTitleFile),
        ("**/agent-*.meta.json", AgentMeta),
        ("**/tasks/*/*.json", TaskFile),
    ],
)
def test_every_side_file_the_agent_wrote_decodes_and_has_no_unknown_field(
    pattern: str, struct: type[msgspec.Struct]
) -> None:
    paths = list(FIXTURES.glob(pattern))
    assert paths
    for path in paths:
        documents = path.read_bytes().splitlines() if path.suffix == ".jsonl" else [path.read_bytes()]
        for raw in documents:
            assert isinstance(msgspec.json.decode(raw, type=struct), struct)
            assert list(unknown_in(msgspec.json.decode(raw), struct)) == []


# What the schema does not know.


@pytest.mark.parametrize(
    "value", [{"type": "hologram", "x": 1}, {"type": 7}, {"silly": "this"}, {}, 42, [1], "text", None]
)
def test_a_row_of_unknown_type_is_kept_as_it_is(value: Any) -> None:
    row = decode_row(line(value))
    assert isinstance(row, UnknownRow)
    assert row.type == ("hologram" if isinstance(value, dict) and value.get("type") == "hologram" else None)
    assert encode_row(row) == line(value)
    assert unknown_fields(line(value)) != []


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        ({"type": "hologram", "x": 1}, ["$.type=hologram"]),
        ({"x": 1}, ["$.type="]),
        ([1], ["$"]),
        ({**USER, "mood": 1}, ["$.mood"]),
        ({**USER, "two words": 1}, ['$["two words"]']),
        ({**USER, "message": {"role": "user", "content": "x", "tone": 1}}, ["$.message.tone"]),
        ({**USER, "message": {"role": "user", "content": [{"type": "odor"}]}}, ["$.message.content[0].type=odor"]),
        (
            {**USER, "message": {"role": "user", "content": [{"type": "image", "source": {"type": "url", "dpi": 1}}]}},
            ["$.message.content[0].source.dpi"],
        ),
        (
            {**USER, "toolUseResult": {"stdout": "", "stderr": "", "interrupted": False, "cpu": 1}},
            ["$.toolUseResult.cpu"],
        ),
        ({**USER, "toolUseResult": {"b": 1, "a": 2}}, ["$.toolUseResult={a,b}"]),
        ({**ENVELOPE, "type": "system", "subtype": "eclipse", "sun": 0}, ["$.subtype=eclipse"]),
        ({**ENVELOPE, "type": "system", "subtype": "turn_duration", "moons": 1}, ["$.moons"]),
        ({**ENVELOPE, "type": "attachment", "attachment": {"type": "scent", "a": 1}}, ["$.attachment.type=scent"]),
        ({**ENVELOPE, "type": "attachment", "attachment": {"type": "date", "era": 1}}, ["$.attachment.era"]),
        ({**ENVELOPE, "type": "progress", "data": {"type": "tide"}}, ["$.data.type=tide"]),
        ({"type": "cost-state", "modelUsage": {"m": {"naps": 1}}}, ["$.modelUsage.m.naps"]),
    ],
)
def test_what_no_struct_has_is_found_with_its_path(value: Any, paths: list[str]) -> None:
    assert unknown_fields(line(value)) == paths
    decode_row(line(value))


@pytest.mark.parametrize(
    "extra",
    [
        {
            "message": {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "t", "name": "N", "input": {"any": 1}}],
            }
        },
        {"type": "user", "message": {"role": "user", "content": ""}, "mcpMeta": {"any": {"thing": 1}}},
        {"type": "user", "message": {"role": "user", "content": ""}, "mcpMeta": {}, "toolUseResult": {"any": 1}},
        {"type": "user", "message": {"role": "user", "content": ""}, "toolUseResult": [{"type": "text", "any": 1}]},
    ],
)
def test_open_data_is_not_searched(extra: dict[str, Any]) -> None:
    assert unknown_fields(line({**ASSISTANT, **extra})) == []


def test_members_of_unknown_type_are_kept_whole_and_come_back() -> None:
    odd = {"type": "odor", "strength": 3, "content": [{"type": "text", "text": "x"}]}
    inner = {"type": "tool_result", "tool_use_id": "t", "content": [odd]}
    user = {**USER, "message": {"role": "user", "content": [odd, inner]}}
    row = decode_row(line(user))
    assert isinstance(row, UserRow)
    assert isinstance(row.message.content, list)
    first, second = row.message.content
    assert first == UnknownBlock(kind="odor", body=odd)
    assert isinstance(second, ToolResultBlock)
    assert second.content == [UnknownBlock(kind="odor", body=odd)]
    assert json.loads(encode_row(row)) == {name: each for name, each in user.items() if each is not None}

    attached = decode_row(line({**ENVELOPE, "type": "attachment", "attachment": {"type": "scent", "a": 1}}))
    assert isinstance(attached, AttachmentRow)
    assert attached.attachment == UnknownAttachment(kind="scent", body={"type": "scent", "a": 1})


def test_system_rows_without_a_known_subtype_keep_what_all_of_them_have() -> None:
    old = decode_row(line({**ENVELOPE, "type": "system", "content": "Running hook", "level": "info", "toolUseID": "t"}))
    new = decode_row(line({**ENVELOPE, "type": "system", "subtype": "eclipse", "content": "dark"}))
    assert isinstance(old, PlainSystemRow)
    assert isinstance(new, PlainSystemRow)
    assert (old.subtype, old.content, old.tool_use_id) == (None, "Running hook", "t")
    assert (new.subtype, new.content) == ("eclipse", "dark")


# What is wrong.


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"type": "user", "message": USER["message"], "timestamp": "t"}, "uuid"),
        ({**USER, "message": "error"}, "$.message"),
        ({**USER, "message": {"role": "user"}}, "content"),
        ({**USER, "message": {"role": "assistant", "content": ""}}, "$.message.role"),
        ({**USER, "message": {"role": "user", "content": ["wow"]}}, "$.message.content[0]"),
        ({**USER, "message": {"role": "user", "content": [{"type": "text"}]}}, "text"),
        ({**USER, "message": {"role": "user", "content": [{"type": 3}]}}, "$.message.content[0].type"),
        ({**ASSISTANT, "apiBlockIndex": "0"}, "$.apiBlockIndex"),
        ({**ENVELOPE, "type": "system", "subtype": "compact_boundary", "compactMetadata": 1}, "$.compactMetadata"),
        ({**ENVELOPE, "type": "attachment", "attachment": {"type": "queued_command"}}, "prompt"),
        ({"type": "custom-title", "customTitle": None}, "$.customTitle"),
    ],
)
def test_a_wrong_shape_of_a_known_type_is_an_error_with_its_place(value: Any, place: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        decode_row(line(value))
    assert place in str(caught.value)


@pytest.mark.parametrize("raw", [b"", b"not json", b'{"type":"user"', b'{"type":"summary","summary":"a"}{}'])
def test_what_is_not_json_is_a_decode_error(raw: bytes) -> None:
    for function in (decode_row, unknown_fields):
        with pytest.raises(msgspec.DecodeError):
            function(raw)


def test_leading_nul_bytes_are_tolerated_as_the_agent_does() -> None:
    assert decode_row(b"\0\0" + line(USER)) == decode_row(line(USER))
    assert unknown_fields(b"\0" + line({**USER, "mood": 1})) == ["$.mood"]


# Older forms.


def test_forms_of_older_versions_decode() -> None:
    queued = decode_row(
        line({"type": "queue-operation", "operation": "enqueue", "content": [{"type": "text", "text": "x"}]})
    )
    assert isinstance(queued, QueueOperation)
    assert queued.content == [TextBlock(text="x")]
    early = decode_row(line({**ASSISTANT, "costUSD": 0.03, "durationMs": 12, "requestId": "r"}))
    assert isinstance(early, AssistantRow)
    assert early.cost_usd == 0.03
    copied = {"type": "agent_progress", "message": {**ASSISTANT, "made-up": 1}, "agentId": "a"}
    progress = decode_row(
        line({**ENVELOPE, "type": "progress", "toolUseID": "t", "parentToolUseID": "p", "data": copied})
    )
    assert isinstance(progress, ProgressRow)
    assert isinstance(progress.data, AgentProgress)
    assert (progress.tool_use_id, progress.parent_tool_use_id) == ("t", "p")


def test_names_that_differ_only_in_case_style_are_two_fields() -> None:
    row = decode_row(line({**USER, "sessionId": "a", "session_id": "b"}))
    assert isinstance(row, UserRow)
    assert (row.session_id, row.session_id_again) == ("a", "b")


def test_a_head_reset_to_nothing_differs_from_one_that_is_not_named() -> None:
    reset = decode_row(line({"type": "last-prompt", "leafUuid": None, "explicit": True, "sessionId": "s"}))
    assert reset == LastPrompt(explicit=True, session_id="s")
    assert reset != decode_row(line({"type": "last-prompt", "sessionId": "s"}))


@pytest.mark.parametrize(
    ("tool", "value"),
    [
        ("Bash", {"stdout": "", "stderr": "", "interrupted": False, "gitOperation": {"push": {"branch": "b"}}}),
        ("BashOutput", {"shellId": "a", "status": "running", "stdout": "", "stderr": "", "exitCode": None}),
        ("KillShell", {"message": "m", "shell_id": "a"}),
        ("TaskStop", {"message": "m", "task_id": "a", "task_type": "local_bash"}),
        ("EnterPlanMode", {"message": "m"}),
        ("SendFeedback", {"success": True, "message": "m"}),
        ("Write", {"type": "update", "filePath": "f", "content": "c", "structuredPatch": []}),
        ("Read", {"type": "parts", "file": {"filePath": "f", "originalSize": 1, "count": 2, "outputDir": "d"}}),
        ("MultiEdit", {"filePath": "f", "edits": [{"old_string": "a", "new_string": "b"}], "structuredPatch": []}),
        ("Grep", {"mode": "content", "filenames": [], "numFiles": 0, "content": "", "numLines": 1}),
        ("Glob", {"filenames": [], "numFiles": 0, "durationMs": 1.5, "truncated": False}),
        ("WebSearch", {"query": "q", "results": [{"tool_use_id": "t", "content": []}, "text"], "durationSeconds": 1.5}),
        ("TaskGet", {"task": None}),
        ("TaskGet", {"task": TASK}),
        ("TaskList", {"tasks": [{"id": "1", "subject": "s", "status": "pending", "blockedBy": []}]}),
        ("TaskCreate", {"task": {"id": "1", "subject": "s"}}),
        ("AskUserQuestion", {"questions": [{"question": "q", "options": [{"label": "l"}]}], "answers": {"q": "l"}}),
        (
            "TodoWrite",
            {"oldTodos": [], "newTodos": [{"content": "c", "status": "pending", "id": "1", "priority": "low"}]},
        ),
        ("Agent", {"status": "async_launched", "agentId": "a", "isAsync": True, "description": "", "prompt": ""}),
        ("Workflow", {"status": "async_launched", "taskId": "a", "runId": "r"}),
        ("CronDelete", {"id": "1"}),
        ("ExitPlanMode", {"plan": "p"}),
        ("ShowOnboardingRolePicker", {"dismissed": True}),
    ],
)
def test_the_shape_of_a_tool_result_is_told_by_its_keys(tool: str, value: dict[str, Any]) -> None:
    assert shape_of(value) in TOOL_RESULTS[tool]
    assert isinstance(decode_tool_result(value), TOOL_RESULTS[tool])
    assert unknown_fields(line({**USER, "toolUseResult": value})) == []


def test_a_tool_result_with_a_block_of_unknown_type_keeps_it() -> None:
    result = decode_tool_result({"status": "completed", "content": [{"type": "odor"}]})
    assert isinstance(result, AgentCompletedResult)
    assert result.content == [UnknownBlock(kind="odor", body={"type": "odor"})]


def test_a_tool_result_with_a_wrong_type_is_an_error() -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_tool_result({"stdout": 1, "stderr": "", "interrupted": False})


@pytest.mark.parametrize(
    "value", ["Error: Exit code 3", [{"type": "text", "text": "x"}], {}, {"a": 1}, {"type": {}, "file": {}}, None]
)
def test_a_tool_result_of_no_shape_stays_what_it_is(value: Any) -> None:
    assert shape_of(value) is None
    assert decode_tool_result(value) == value


def test_workflow_journals_decode() -> None:
    raw = b'{"type":"result","key":"k","agentId":"a","result":{"any":1},"toolsUsed":["Read"]}'
    decoded: Any = msgspec.json.decode(raw, type=WorkflowLine)
    assert (decoded.key, decoded.result) == ("k", {"any": 1})


# The schema itself.


def test_every_struct_has_the_one_base_and_ignores_what_is_new() -> None:
    for struct in structs():
        config = struct.__struct_config__
        assert issubclass(struct, Native), struct
        assert not config.forbid_unknown_fields, struct
        assert config.omit_defaults, struct
        assert config.frozen, struct


def test_every_field_has_a_note_of_one_sentence_and_every_struct_a_docstring() -> None:
    for struct, info in structs().items():
        assert struct.__doc__, struct
        notes = field_notes(struct)
        assert [each.name for each in info.fields if not notes.get(each.name, "").endswith((".", "..."))] == [], struct


def test_every_optional_field_may_be_null() -> None:
    for struct, info in structs().items():
        for field in info.fields:
            assert field.required or field.default is None, (struct, field.name)


def test_tables_name_each_struct_by_its_tag() -> None:
    for table in (
        BLOCKS,
        ATTACHMENTS,
        PROGRESS,
        SYSTEM_ROWS,
        {tag: each for tag, each in ROWS.items() if tag != "system"},
    ):
        assert {tag: each.__struct_config__.tag for tag, each in table.items()} == {tag: tag for tag in table}
    assert {each.__struct_config__.tag_field for each in SYSTEM_ROWS.values()} == {"subtype"}


def test_the_json_schema_describes_every_row_and_field() -> None:
    schema = json_schema()
    assert json.loads(json.dumps(schema)) == schema
    assert "discriminator" not in json.dumps(schema)
    named = {each["$ref"].removeprefix("#/$defs/") for each in schema["anyOf"] if "$ref" in each}
    assert named == {each.__name__ for each in (*ROWS.values(), *SYSTEM_ROWS.values())}
    user = schema["$defs"]["UserRow"]
    assert user["required"] == ["type", "uuid", "timestamp", "message"]
    assert user["properties"]["sourceToolAssistantUUID"]["description"].startswith("Assistant row")
    assert {"$ref": "#/$defs/BashResult"} in user["properties"]["toolUseResult"]["anyOf"]
    assert "text" in schema["$defs"]["UnknownBlock"]["properties"]["type"]["not"]["enum"]
    assert "compact_boundary" in schema["$defs"]["PlainSystemRow"]["properties"]["subtype"]["not"]["enum"]
    names = {struct.__name__ for struct in structs() if struct not in get_args(WorkflowLine)}
    assert names <= set(schema["$defs"])


def test_the_package_loads_its_modules_at_first_use() -> None:
    code = (
        "import sys, panscript.schemas.claude as claude;"
        "before = [name for name in sys.modules if name.startswith('panscript.schemas.claude.')];"
        "missing = [name for name in claude.__all__ if not hasattr(claude, name)];"
        "from panscript.schemas.claude import json_schema;"
        "raise SystemExit(1 if before or missing or not callable(json_schema) else 0)"
    )
    path = str(FIXTURES.parent.parent / ".src")
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": path}, check=False).returncode == 0


# Properties.

JSON = st.recursive(
    st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
SCALARS: dict[type[inspect.Type], st.SearchStrategy[Any]] = {
    inspect.StrType: st.text(),
    inspect.BoolType: st.booleans(),
    inspect.IntType: st.integers(-(2**53), 2**53),
    inspect.FloatType: st.floats(allow_nan=False, allow_infinity=False),
    inspect.NoneType: st.none(),
    inspect.AnyType: st.none() | JSON,
}


@cache
def instances(struct: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Instances of a struct, built from its fields; optional fields are mostly left out."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    if info.tag == UNKNOWN_TAG:
        kinds = st.text().filter(lambda kind: kind not in {*BLOCKS, *ATTACHMENTS, *PROGRESS, UNKNOWN_TAG})
        return kinds.flatmap(lambda kind: st.builds(struct, kind=st.just(kind), body=st.just({"type": kind})))
    required = {each.name: values(each.type) for each in info.fields if each.required}
    optional = {each.name: values(each.type) for each in info.fields if not each.required}
    some = st.lists(st.sampled_from(sorted(optional)), max_size=4, unique=True) if optional else st.just([])
    return some.flatmap(lambda names: st.builds(struct, **required, **{name: optional[name] for name in names}))


def values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    if isinstance(kind, inspect.LiteralType):
        return st.sampled_from(kind.values)
    if isinstance(kind, inspect.UnionType):
        return st.sampled_from(kind.types).flatmap(values)
    if isinstance(kind, inspect.ListType):
        return st.lists(st.deferred(lambda: values(kind.item_type)), max_size=2)
    if isinstance(kind, inspect.DictType):
        return st.dictionaries(st.text(), st.deferred(lambda: values(kind.value_type)), max_size=2)
    if isinstance(kind, inspect.StructType):
        return st.deferred(lambda: instances(kind.cls))
    return SCALARS[type(kind)]


ANY_ROW = st.sampled_from([*ROWS.values(), *SYSTEM_ROWS.values()]).flatmap(instances)


@given(ANY_ROW)
def test_any_row_survives_encoding(row: Row) -> None:
    assert decode_row(encode_row(row)) == row


@pytest.mark.parametrize("struct", [UserRow, AssistantRow, AttachmentRow, ProgressRow, CompactBoundary, CustomTitle])
@given(data=st.data())
def test_rows_of_the_tree_survive_encoding(struct: type[msgspec.Struct], data: st.DataObject) -> None:
    row = data.draw(instances(struct))
    assert decode_row(encode_row(row)) == row


@given(ANY_ROW)
def test_only_members_of_unknown_type_and_results_of_no_shape_are_unknown_in_a_row_made_from_the_structs(
    row: Row,
) -> None:
    found = unknown_fields(encode_row(row))
    assert [path for path in found if "=" not in path and not path.startswith("$.toolUseResult")] == []


@given(JSON)
def test_any_json_decodes_or_is_a_validation_error(value: Any) -> None:
    for candidate in (
        value,
        {"type": "user", "message": value},
        {**USER, "message": {"role": "user", "content": value}},
    ):
        try:
            decode_row(line(candidate))
        except msgspec.ValidationError:
            continue
        unknown_fields(line(candidate))
