"""The structs of Copilot's files describe what Copilot writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Union

import msgspec
import pytest

from panscript.schemas.copilot import json_schema
from panscript.schemas.copilot.events import EVENTS
from panscript.schemas.copilot.lean import STATE_TYPES
from panscript.schemas.copilot.otel import RECORDS
from tests.repository import ROOT
from tests.schemas.unseen import unseen

FOLDER = ROOT / "fixtures/copilot"
LOGS = sorted(FOLDER.rglob("events.jsonl"))
SPANS = sorted((FOLDER / "home/.copilot/otel").glob("*.jsonl"))
SAID = {"user.message", "system.message", "assistant.message", "tool.execution_complete"}


@pytest.mark.parametrize("path", [*LOGS, *SPANS], ids=lambda path: f"{path.parent.name[-8:]}-{path.stem}")
def test_every_field_of_a_real_file_is_described(path: Path) -> None:
    structs = RECORDS if path in SPANS else EVENTS
    decoder = msgspec.json.Decoder(Union[structs])  # noqa: UP007
    for line in path.read_bytes().splitlines():
        decoder.decode(line)
        assert list(unseen(json.loads(line), structs)) == []


def test_every_type_that_is_described_is_one_that_the_reader_knows() -> None:
    assert {str(each.__struct_config__.tag) for each in EVENTS} <= STATE_TYPES | SAID


def test_the_schema_is_open_for_other_types() -> None:
    schema = json_schema()
    assert {"SessionStart", "Span", "RequestUsage"} <= schema["$defs"].keys()
    assert json.dumps(schema)
