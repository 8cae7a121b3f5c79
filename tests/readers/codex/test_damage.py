"""Promises that hold for any bytes: nothing but our own errors, no byte lost, and one account of what was billed."""

from __future__ import annotations

import random
import zlib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.codex import detect, read, usage
from panscript.readers.codex.files import resolve
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import Usage
from panscript.schemas.records import Record, SessionFile, Source
from panscript.schemas.report import FileReport
from tests.repository import ROOT

FILES = sorted((ROOT / "fixtures" / "codex").glob("home-*/**/rollout-*.jsonl"))
MUTATIONS = 200
PACKED = b"\x28\xb5\x2f\xfd"
"""The start of a compressed file: its records are those of the text in it."""


def _source(path: Path) -> Source:
    return Source(agent="codex", id="01a22b0a-9fc0-7890-96bb-bb18a9736ab3", files=(SessionFile(str(path)),))


def _records(source: Source) -> list[Record]:
    """Every record; none when the reader refuses the file."""
    try:
        return list(read(source, report=FileReport(path=source.path)))
    except PanscriptError:
        return []


def _mutated(content: bytes, seed: int) -> bytes:
    """One to four lines lost, said twice, or with a byte changed."""
    chance = random.Random(seed)
    lines = content.splitlines(keepends=True)
    for _ in range(chance.randint(1, 4)):
        if not lines:
            break
        place = chance.randrange(len(lines))
        what = chance.randrange(4)
        if what == 0:
            del lines[place]
        elif what == 1:
            lines.insert(chance.randrange(len(lines) + 1), lines[place])
        else:
            line = bytearray(lines[place])
            at = chance.randrange(len(line))
            line[at] = line[at] ^ (1 << chance.randrange(8)) if what == 2 else chance.randrange(256)
            lines[place] = bytes(line)
    return b"".join(lines)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-6]}-{file.stem[-12:]}")
def test_damaged_threads_are_read_and_counted_alike(file: Path, tmp_path: Path) -> None:
    """Of a damaged file no byte is lost, ids stay unique, and both ways to usage count the same."""
    content = file.read_bytes()
    path = tmp_path / file.name
    read_through = 0
    for number in range(MUTATIONS):
        damaged = _mutated(content, zlib.crc32(f"{file.name} {number}".encode()))
        path.write_bytes(damaged)
        source = _source(path)
        records = _records(source)
        if not records:
            continue
        read_through += 1
        assert b"".join(record.raw for record in records) == damaged
        events = [event for record in records for event in record.events]
        assert len({event.id for event in events}) == len(events)
        full = [_counted(event) for event in events if isinstance(event, Usage)]
        fast = [_counted(event) for event in usage(source, report=FileReport(path=str(path)))]
        assert fast == full, f"mutation {number}"
    assert read_through > MUTATIONS // 2


def _counted(event: Usage) -> Usage:
    return msgspec.structs.replace(event, id="", response=None, live=True)


@given(content=st.binary(max_size=2000))
def test_arbitrary_bytes_never_raise_anything_else(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever is in a file: it is read, or refused in words."""
    assert 0 <= detect(content) <= 100
    path = tmp_path_factory.getbasetemp() / "rollout-2026-03-01T09-00-00-5a000001-0000-4000-8000-000000000001.jsonl"
    path.write_bytes(content)
    records = _records(_source(path))
    if not content.startswith(PACKED):
        assert not records or b"".join(record.raw for record in records) == content
    assert resolve(str(path)).files


_scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
_values = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)
_KEYS = (
    "type id role content call_id output name namespace arguments status input summary encrypted_content action result "
    "tools item turn_id message text images info exit_code success duration thread_id thread_name num_turns error "
    "response_id usage timestamp cwd model cli_version model_provider git source forked_from_id parent_thread_id "
    "history_base subagent_history_start_ordinal replacement_history internal_chat_message_metadata_passthrough"
).split()
_TYPES = (
    "session_meta response_item event_msg turn_context compacted token_usage_record world_state "
    "inter_agent_communication orbital_line"
).split()
_PAYLOADS = (
    "message reasoning function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call "
    "web_search_call tool_search_call tool_search_output image_generation_call compaction user_message agent_message "
    "item_completed token_count task_started task_complete turn_aborted thread_rolled_back exec_command_end "
    "thread_settings_applied error orbital_call"
).split()
_payloads = st.dictionaries(st.sampled_from(_KEYS), _values, max_size=6).flatmap(
    lambda fields: st.sampled_from(_PAYLOADS).map(lambda kind: {**fields, "type": kind})
)
_lines = st.fixed_dictionaries(
    {"type": st.sampled_from(_TYPES)},
    optional={"timestamp": _values, "ordinal": st.integers(-2, 9), "payload": _payloads | _values, "id": _values},
)


@given(lines=st.lists(_lines | _payloads, max_size=12))
def test_values_of_any_type_cost_only_themselves(lines: list[object], tmp_path_factory: pytest.TempPathFactory) -> None:
    """A value of a type that nobody expected never ends the read, and both ways to usage still count the same."""
    content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    path = tmp_path_factory.getbasetemp() / "rollout-2026-03-01T09-00-00-5a000001-0000-4000-8000-000000000002.jsonl"
    path.write_bytes(content)
    source = _source(path)
    records = _records(source)
    assert not records or b"".join(record.raw for record in records) == content
    if records:
        full = [_counted(e) for record in records for e in record.events if isinstance(e, Usage)]
        assert [_counted(e) for e in usage(source, report=FileReport(path=str(path)))] == full
