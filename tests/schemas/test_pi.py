"""The full schema of Pi session files: every line that Pi wrote decodes, and nothing in it is unknown."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, inspect

from panscript.schemas.import_record import (
    ImportedTokens,
    ImportedUsage,
    ImportHead,
    ImportPart,
    SourceFile,
    UsageTotals,
)
from panscript.schemas.pi.base import UnknownBlock, UnknownMessage
from panscript.schemas.pi.blocks import BLOCKS, TextBlock, ToolCallBlock
from panscript.schemas.pi.decoding import decode_entry, encode_entry, json_schema, unknown_fields, unknown_tags
from panscript.schemas.pi.entries import (
    ENTRIES,
    Compaction,
    Custom,
    Entry,
    MessageEntry,
    ModelChange,
    SessionHeader,
    TitleSlot,
    UnknownEntry,
)
from panscript.schemas.pi.messages import MESSAGES, AssistantMessage, HookMessage, UserMessage
from panscript.schemas.pi.record_names import HEAD_TYPE, PART_TYPE
from panscript.schemas.pi.recording import decode_import

FIXTURES = Path(__file__).parent.parent.parent / "fixtures" / "pi"
LINES = [
    pytest.param(line, id=f"{path.stem}:{number}")
    for path in sorted(FIXTURES.glob("*.jsonl"))
    if not path.name.endswith(".events.jsonl")
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), 1)
]
COST = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
USAGE = {"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "totalTokens": 10, "cost": COST}
AT: dict[str, Any] = {"id": "a0000001", "parentId": None, "timestamp": "2026-01-01T10:00:00.000Z"}
ASSISTANT: dict[str, Any] = {
    "role": "assistant",
    "content": [{"type": "text", "text": "hello"}],
    "api": "anthropic-messages",
    "provider": "anthropic",
    "model": "m",
    "usage": USAGE,
    "stopReason": "stop",
    "timestamp": 1,
}


def line(kind: str, **fields: Any) -> bytes:
    return msgspec.json.encode({"type": kind, **AT, **fields})


def message(**fields: Any) -> bytes:
    return line("message", message=fields)


def decoded_message(raw: bytes) -> Any:
    entry = decode_entry(raw)
    assert isinstance(entry, MessageEntry)
    return entry.message


def test_fixtures_hold_every_version_and_most_types() -> None:
    entries = [decode_entry(parameter.values[0]) for parameter in LINES]  # type: ignore[arg-type]
    versions = {entry.version for entry in entries if isinstance(entry, SessionHeader)}
    assert versions == {UNSET, 2, 3}
    assert len({type(entry) for entry in entries}) >= 12


@pytest.mark.parametrize("raw", LINES)
def test_every_line_decodes_to_its_struct_without_a_field_left_over(raw: bytes) -> None:
    assert not isinstance(decode_entry(raw), UnknownEntry)
    assert unknown_fields(raw) == []
    assert unknown_tags(raw) == []


@pytest.mark.parametrize("raw", LINES)
def test_every_line_encodes_to_the_same_json(raw: bytes) -> None:
    assert json.loads(encode_entry(decode_entry(raw))) == json.loads(raw)


def test_a_line_of_version_1_has_no_ids() -> None:
    entry = decode_entry(
        b'{"type":"compaction","timestamp":"t","summary":"s","firstKeptEntryIndex":5,"tokensBefore":40}'
    )
    assert isinstance(entry, Compaction)
    assert (entry.id, entry.parent_id, entry.first_kept_entry_index) == (UNSET, UNSET, 5)


def test_the_root_of_a_tree_keeps_its_null_parent() -> None:
    raw = line("label", targetId="x")
    assert json.loads(encode_entry(decode_entry(raw)))["parentId"] is None


def test_a_hook_message_of_version_2_has_a_struct_of_its_own() -> None:
    raw = message(role="hookMessage", customType="demo", content="x", display=True, timestamp=1)
    assert isinstance(decoded_message(raw), HookMessage)


OMP_LINES = [
    b'{"type":"title","v":1,"title":"Fix","source":"user","updatedAt":"2026-01-01T10:00:00.000Z","pad":"   "}\n',
    (
        b'{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/w","title":"Fix","titleSource":"auto",'
        b'"additionalDirectories":["/x"],"previousSessionFiles":[],"providerPromptCacheKey":"k"}'
    ),
    line("model_change", model="anthropic/m", role="smol", resolvedModelIsFallback=True),
    line("thinking_level_change", thinkingLevel=None, configured="auto"),
    line(
        "compaction",
        summary="s",
        shortSummary="s",
        firstKeptEntryId="a",
        tokensBefore=9,
        tokensAfter=3,
        method="local",
        providerReplayThroughEntryId="b",
        preserveData={"any": 1},
        warning="w",
        fromExtension=True,
    ),
    line("branch_summary", fromId="root", summary="s", fromExtension=False),
    line("custom_message", customType="c", content="x", display=False, attribution="agent"),
    line("model_usage", purpose="title", role="tiny", api="a", provider="p", model="m", usage=USAGE, stopReason="stop"),
    line("service_tier_change", serviceTier=None),
    line("title_change", title="new", previousTitle="old", source="user", trigger="rename"),
    line("ttsr_injection", injectedRules=["no-tabs"]),
    line("credential_pin", provider="anthropic", hash="00"),
    line("session_init", systemPrompt="be brief", task="look", tools=["read"], spawns="", readOnly=True),
    line("mode_change", mode="plan", data={"file": "plan.md"}),
    line("reset_boundary"),
    line("archive", targetId="a", archived=True),
    message(role="developer", content="be brief", attribution="agent", timestamp=1),
    message(role="pythonExecution", code="1", output="1", exitCode=0, cancelled=False, truncated=False, timestamp=1),
    message(role="fileMention", files=[{"path": "a.txt", "content": "x", "lineCount": 1}], timestamp=1),
    message(**{**ASSISTANT, "content": [{"type": "redactedThinking", "data": "AA=="}], "ttft": 5, "duration": 9}),
]


@pytest.mark.parametrize("raw", OMP_LINES)
def test_what_omp_adds_is_known(raw: bytes) -> None:
    entry = decode_entry(raw)
    assert not isinstance(entry, UnknownEntry)
    assert unknown_fields(raw) + unknown_tags(raw) == []
    assert json.loads(encode_entry(entry)) == json.loads(raw)


def test_the_title_slot_of_omp_is_no_header() -> None:
    assert isinstance(decode_entry(OMP_LINES[0]), TitleSlot)


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b'{"type":"from_the_future","id":"x","odd":[1]}\r\n', "from_the_future"),
        (b'{"id":"no type"}', None),
        (b'{"type":7}', None),
        (b"null", None),
        (b"[1,2]", None),
        (b'"text"', None),
    ],
)
def test_a_line_of_unknown_type_is_no_error_and_is_kept_byte_for_byte(raw: bytes, kind: str | None) -> None:
    entry = decode_entry(raw)
    assert entry == UnknownEntry(type=kind, raw=raw)
    assert encode_entry(entry) == raw
    assert unknown_fields(raw) == []


def test_a_message_of_unknown_role_is_kept_whole() -> None:
    raw = message(role="narrator", voice={"type": "(unknown)"}, timestamp=1)
    assert decoded_message(raw) == UnknownMessage(name="narrator", value=json.loads(raw)["message"])
    assert json.loads(encode_entry(decode_entry(raw))) == json.loads(raw)
    assert unknown_tags(raw) == ["$.message.role=narrator"]


@pytest.mark.parametrize(
    "block", [{"type": "hologram", "z": 1}, {"text": "no type"}, {"type": 1}, {"type": "(unknown)"}]
)
def test_a_block_of_unknown_type_is_kept_whole(block: dict[str, Any]) -> None:
    raw = message(role="user", content=[{"type": "text", "text": "a"}, block], timestamp=1)
    found = decoded_message(raw).content[1]
    assert isinstance(found, UnknownBlock)
    assert found.value == block
    assert json.loads(encode_entry(decode_entry(raw))) == json.loads(raw)
    assert unknown_fields(raw) == []
    assert len(unknown_tags(raw)) == 1


def test_blocks_in_replaced_content_and_in_extension_messages_are_open_too() -> None:
    block = {"type": "hologram"}
    for raw in (
        line("context_edit", targetId="a", replacement={"content": [block]}),
        line("custom_message", customType="c", content=[block], display=True),
    ):
        assert json.loads(encode_entry(decode_entry(raw))) == json.loads(raw)
        assert unknown_tags(raw)[0].endswith(".content[0].type=hologram")


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        (message(**{**ASSISTANT, "content": "text"}), "$.message.content"),
        (message(**{**ASSISTANT, "usage": {**USAGE, "cost": None}}), "$.message.usage.cost"),
        (message(**{key: value for key, value in ASSISTANT.items() if key != "usage"}), "`usage` - at `$.message`"),
        (message(**{**ASSISTANT, "content": [{"type": "text"}]}), "$.message.content[0]"),
        (
            message(**{**ASSISTANT, "content": [{"type": "toolCall", "id": "c", "name": "n", "arguments": "{}"}]}),
            "$.message.content[0].arguments",
        ),
        (message(role="user", content=[{"type": "toolCall"}], timestamp=1), "$.message.content[0].type"),
        (message(role="user", content=["text"], timestamp=1), "$.message.content[0]"),
        (message(role="user", content="x", timestamp="2026"), "$.message.timestamp"),
        (line("message", message=None), "$.message"),
        (line("compaction", summary="s", tokensBefore=1), "firstKeptEntryId"),
        (line("model_change", provider="p"), "modelId"),
        (b'{"type":"session","timestamp":"t"}', "`id`"),
        (b'{"type":"session","id":7,"timestamp":"t"}', "$.id"),
    ],
)
def test_a_known_type_of_wrong_shape_fails_at_its_path(raw: bytes, where: str) -> None:
    with pytest.raises(msgspec.ValidationError) as failure:
        decode_entry(raw)
    assert where in str(failure.value)


@pytest.mark.parametrize("raw", [b"", b"{", b"\xef\xbb\xbf{}", b'{"type":"\xff"}', b"[" * 100_000])
def test_a_line_that_is_no_json_is_a_decode_error(raw: bytes) -> None:
    for function in (decode_entry, unknown_fields, unknown_tags):
        with pytest.raises(msgspec.DecodeError):
            function(raw)


def test_a_field_no_struct_has_is_told_by_its_path() -> None:
    raw = message(
        **{
            **ASSISTANT,
            "mood": "good",
            "usage": {**USAGE, "cost": {**COST, "tax": 1}},
            "content": [{"type": "text", "text": "a", "color": "red"}],
        }
    )
    assert unknown_fields(raw) == ["$.message.content[0].color", "$.message.usage.cost.tax", "$.message.mood"]


def test_open_data_is_not_searched() -> None:
    call = {"type": "toolCall", "id": "c", "name": "n", "arguments": {"anything": {"type": "hologram"}}}
    result = {"role": "toolResult", "toolCallId": "c", "toolName": "n", "content": [], "isError": False, "timestamp": 1}
    for raw in (
        line("custom", customType="c", data={"anything": 1}),
        message(**{**ASSISTANT, "content": [call]}),
        message(**result, details={"anything": {"role": "narrator"}}),
        line("compaction", summary="s", firstKeptEntryId="a", tokensBefore=1, details={"anything": 1}),
    ):
        assert unknown_fields(raw) + unknown_tags(raw) == []
        assert json.loads(encode_entry(decode_entry(raw))) == json.loads(raw)


def test_the_tables_name_each_struct_by_its_tag() -> None:
    for table in (ENTRIES, MESSAGES, BLOCKS):
        for tag, struct in table.items():
            assert struct.__struct_config__.tag == tag


def test_importing_the_package_loads_no_struct() -> None:
    program = (
        "import panscript.schemas.pi, sys; print([n for n in sys.modules if n.startswith('panscript.schemas.pi.')])"
    )
    path = str(FIXTURES.parent.parent / ".src")
    answer = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {path!r}); {program}"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert answer.stdout.strip() == "[]"


def test_every_public_name_of_the_package_loads_when_asked_for() -> None:
    import panscript.schemas.pi as package

    assert [name for name in package.__all__ if getattr(package, name, None) is None] == []
    assert not hasattr(package, "no_such_name")


def test_the_import_record_is_read_back_from_its_entries() -> None:
    head = ImportHead(
        source="claude",
        source_path="/a/b.jsonl",
        source_files=[SourceFile(path="/a/b.jsonl", bytes=3, sha256="00")],
        imported_at="2026-01-01T10:00:00.000Z",
        importer="panscript 0.1.0",
    )
    spent = ImportedUsage(tokens=ImportedTokens(input=5, cache_write_1h=1, total=5), cost=0.5)
    part = ImportPart(
        from_="a",
        to="b",
        usage={"a": spent},
        timestamps={"a": None},
        ids={"unknown_1": None},
        usage_totals=UsageTotals(all=spent, per_model={"m": spent}),
        imported_up_to_entry_id="b",
        report={"read": 1},
    )
    for kind, data in ((HEAD_TYPE, head), (PART_TYPE, part)):
        entry = decode_entry(line("custom", customType=kind, data=msgspec.to_builtins(data)))
        assert isinstance(entry, Custom)
        assert decode_import(entry) == data
    wire = msgspec.to_builtins(part)
    assert list(wire) == ["from", "to", "usage", "timestamps", "ids", "usageTotals", "importedUpToEntryId", "report"]
    assert wire["usage"]["a"]["tokens"]["cacheWrite1h"] == 1
    assert part.is_last
    assert not ImportPart().is_last


def test_the_import_entry_of_another_program_is_not_ours() -> None:
    for data in ({"source": "example"}, "text", None):
        assert decode_import(Custom(timestamp="t", custom_type=HEAD_TYPE, data=data)) is None
    assert decode_import(Custom(timestamp="t", custom_type="note", data={})) is None


def test_an_import_head_of_ours_with_a_wrong_shape_is_an_error() -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_import(Custom(timestamp="t", custom_type=HEAD_TYPE, data={"importer": "panscript 0.1.0"}))


def references(schema: Any) -> set[str]:
    if isinstance(schema, dict):
        own = {schema["$ref"].removeprefix("#/$defs/")} if "$ref" in schema else set()
        return own.union(*(references(item) for item in schema.values()))
    return set().union(*(references(item) for item in schema)) if isinstance(schema, list) else set()


def test_the_json_schema_describes_every_struct_and_stays_open() -> None:
    schema = json_schema()
    defined = set(schema["$defs"])
    structs = {struct.__name__ for table in (ENTRIES, MESSAGES, BLOCKS) for struct in table.values()}
    assert structs <= defined
    assert references(schema) <= defined
    assert "(unknown)" not in json.dumps(schema)
    assert "discriminator" not in json.dumps(schema)
    assert all("additionalProperties" not in schema["$defs"][name] for name in structs)
    assert schema["$defs"]["UnknownBlock"]["not"]["properties"]["type"]["enum"] == list(BLOCKS)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
UNKNOWN_BLOCKS = st.builds(
    lambda tag, rest: UnknownBlock(name=tag, value={**rest, "type": tag}),
    st.text().filter(lambda tag: tag not in BLOCKS),
    st.dictionaries(st.text(), JSON, max_size=2),
)
UNKNOWN_MESSAGES = st.builds(
    lambda tag, rest: UnknownMessage(name=tag, value={**rest, "role": tag}),
    st.text().filter(lambda tag: tag not in MESSAGES),
    st.dictionaries(st.text(), JSON, max_size=2),
)


def values(info: inspect.Type) -> st.SearchStrategy[Any]:
    """Values of one type of the schema."""
    match info:
        case inspect.StructType(cls=cls) if cls is UnknownBlock:
            return UNKNOWN_BLOCKS
        case inspect.StructType(cls=cls) if cls is UnknownMessage:
            return UNKNOWN_MESSAGES
        case inspect.StructType():
            return structs_of(info)
        case inspect.UnionType():
            return st.one_of([values(member) for member in info.types])
        case inspect.ListType():
            return st.lists(values(info.item_type), max_size=2)
        case inspect.DictType():
            return st.dictionaries(st.text(), values(info.value_type), max_size=2)
        case inspect.StrType():
            return st.text()
        case inspect.IntType():
            return st.integers(-(2**63), 2**63 - 1)
        case inspect.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.AnyType():
            return JSON
    raise AssertionError(f"no values for {info}")


def structs_of(info: inspect.StructType) -> st.SearchStrategy[Any]:
    needed = {field.name: values(field.type) for field in info.fields if field.required}
    free = {field.name: values(field.type) for field in info.fields if not field.required}
    if info.cls is ModelChange:
        needed["model"] = free.pop("model")
    if info.cls is Compaction:
        needed["first_kept_entry_id"] = free.pop("first_kept_entry_id")
    return st.fixed_dictionaries(needed, optional=free).map(lambda fields: info.cls(**fields))


ANY_ENTRY: st.SearchStrategy[Entry] = st.sampled_from(sorted(ENTRIES)).flatmap(
    lambda tag: values(inspect.type_info(ENTRIES[tag]))
)


@given(ANY_ENTRY)
def test_what_is_encoded_decodes_to_the_same_entry(entry: Entry) -> None:
    raw = encode_entry(entry)
    assert decode_entry(raw) == entry
    assert unknown_fields(raw) == []


@given(ANY_ENTRY)
def test_an_added_field_is_found_and_changes_nothing_else(entry: Entry) -> None:
    wider = {**json.loads(encode_entry(entry)), "fieldOfTheFuture": {"a": 1}}
    raw = msgspec.json.encode(wider)
    assert decode_entry(raw) == entry
    assert unknown_fields(raw) == ["$.fieldOfTheFuture"]


@given(st.binary() | JSON.map(msgspec.json.encode) | st.builds(lambda data: line("message", message=data), JSON))
def test_any_bytes_decode_or_raise_an_error_of_msgspec(raw: bytes) -> None:
    for function in (decode_entry, unknown_fields, unknown_tags):
        try:
            function(raw)
        except msgspec.MsgspecError:
            continue


def test_signatures_and_arguments_are_kept_as_they_are() -> None:
    blocks = [
        {"type": "text", "text": "a", "textSignature": '{"v":1,"id":"x"}'},
        {"type": "toolCall", "id": "c", "name": "n", "arguments": {"b": 1, "a": [1.0, None]}, "partialJson": "{"},
    ]
    found = decoded_message(message(**{**ASSISTANT, "content": blocks}))
    assert isinstance(found, AssistantMessage)
    assert found.content == [
        TextBlock(text="a", text_signature='{"v":1,"id":"x"}'),
        ToolCallBlock(id="c", name="n", arguments={"b": 1, "a": [1.0, None]}, partial_json="{"),
    ]
    assert isinstance(decoded_message(message(role="user", content="x", timestamp=1)), UserMessage)
