"""The structs of Goose's records hold all that Goose writes."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from panscript.readers.opening import open_source, read
from panscript.schemas.goose import json_schema
from panscript.schemas.goose.documents import Export, FirstLine, Message
from panscript.schemas.goose.rows import LedgerRow, MessageRow, SessionRow
from tests.repository import ROOT

FIXTURES = ROOT / "fixtures/goose"
JSON_COLUMNS = ("extension_data", "model_config_json", "content_json", "metadata_json")


def rows() -> list[dict[str, Any]]:
    """The rows of the real database, their JSON taken apart."""
    source = open_source(str(FIXTURES / "home/.local/share/goose/sessions/sessions.db"))
    found = [json.loads(record.raw) for record in read(source) if record.raw]
    for row in found:
        for name in JSON_COLUMNS:
            if isinstance(row.get(name), str):
                row[name] = json.loads(row[name])
    return found


def kept(value: dict[str, Any], struct: type[msgspec.Struct]) -> Any:
    return msgspec.to_builtins(msgspec.convert(value, struct))


def test_no_column_and_no_field_of_the_real_rows_is_unknown() -> None:
    session, *messages = rows()
    assert kept(session, SessionRow) == session
    for message in messages:
        assert kept(message, MessageRow) == message


def test_no_field_of_the_real_export_is_unknown() -> None:
    value = json.loads((FIXTURES / "exported/export-20261130_1.json").read_bytes())
    assert kept(value, Export) == value


@pytest.mark.parametrize(
    ("struct", "value"),
    [
        (LedgerRow, {"id": 1, "session_id": "s", "model": "m", "cost": 0.1, "cost_source": "estimated"}),
        (FirstLine, {"working_dir": "/w", "description": "d", "message_count": 3, "total_tokens": None}),
        (Message, {"role": "user", "created": 1, "content": [{"type": "text", "text": "x"}]}),
    ],
)
def test_the_other_records(struct: type[msgspec.Struct], value: dict[str, Any]) -> None:
    assert kept(value, struct) == value


def test_the_schema_names_every_record() -> None:
    schema = json_schema()
    assert {"SessionRow", "MessageRow", "LedgerRow", "Export", "FirstLine", "Message"} <= schema["$defs"].keys()
    assert "toolRequest" in json.dumps(schema)
