"""The structs of OpenCode's records hold all that OpenCode writes."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from panscript.readers.opening import open_source, read
from panscript.schemas.opencode import json_schema
from panscript.schemas.opencode.messages import Export
from panscript.schemas.opencode.parts import PARTS, Part
from panscript.schemas.opencode.rows import MessageRow, SessionRow
from tests.repository import ROOT

FIXTURES = ROOT / "fixtures/opencode"


def kept(value: dict[str, Any], struct: Any) -> Any:
    return msgspec.to_builtins(msgspec.convert(value, struct))


def test_no_column_and_no_field_of_the_real_rows_is_unknown() -> None:
    source = open_source(str(FIXTURES / "home/.local/share/opencode/opencode.db"))
    session, *messages = (json.loads(record.raw) for record in read(source) if record.raw)
    assert kept(session, SessionRow) == session
    assert len(messages) == 3
    for message in messages:
        assert kept(message, MessageRow) == message


def test_no_field_of_the_real_export_is_unknown() -> None:
    (path,) = (FIXTURES / "exported").iterdir()
    value = json.loads(path.read_bytes())
    assert kept(value, Export) == value


@pytest.mark.parametrize(
    "value",
    [
        {"type": "compaction", "auto": True, "tail_start_id": "msg_1"},
        {"type": "subtask", "prompt": "p", "description": "d", "agent": "general"},
        {"type": "tool", "callID": "c", "tool": "bash", "state": {"status": "pending", "input": {}, "raw": ""}},
        {"type": "file", "mime": "image/png", "url": "data:,", "source": {"type": "resource", "clientName": "x"}},
        {
            "type": "retry",
            "attempt": 1,
            "error": {"name": "APIError", "data": {"message": "m"}},
            "time": {"created": 1},
        },
    ],
)
def test_the_other_parts(value: dict[str, Any]) -> None:
    assert kept(value, Part) == value


def test_the_schema_names_every_record() -> None:
    schema = json_schema()
    assert {"SessionRow", "MessageRow", "Export", *(part.__name__ for part in PARTS)} <= schema["$defs"].keys()
