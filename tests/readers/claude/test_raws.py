"""JSON that is passed on as it stands: nothing in it may be more than a reader after us could take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from panscript.readers import read_events
from panscript.schemas.events import Message, Opaque, Text, ToolCall

ROW = (
    b'{"type":"assistant","uuid":"a1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:01.000Z",'
    b'"message":{"id":"m1","role":"assistant","model":"claude-x","content":[%s]}}\n'
)


@pytest.mark.parametrize("inside", [rb'"x \ud83d y"', b'"x \xff y"', rb'"\udc00"'])
def test_arguments_hold_no_half_characters_and_no_foreign_bytes(tmp_path: Path, inside: bytes) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(ROW % (b'{"type":"tool_use","id":"t1","name":"Bash","input":{"command":%s}}' % inside))

    calls = [b for e in read_events(str(path)) if isinstance(e, Message) for b in e.content if isinstance(b, ToolCall)]

    command = json.loads(bytes(calls[0].arguments).decode())["command"]
    command.encode()
    assert "�" in command


def test_a_block_nobody_knows_is_kept_as_clean_json(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(ROW % rb'{"type":"hologram","value":"x \ud83d y"}')

    opaque = [event for event in read_events(str(path)) if isinstance(event, Opaque)]

    assert json.loads(bytes(opaque[0].data).decode()) == {"type": "hologram", "value": "x � y"}


def test_bare_text_in_a_list_of_blocks_is_text(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(ROW % b'"one", 5, {"type":"text","text":"two"}, "three"')

    said = [b.text for e in read_events(str(path)) if isinstance(e, Message) for b in e.content if isinstance(b, Text)]

    assert said == ["one", "two", "three"]
