"""The structs of the DeepSeek Harness describe what it writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Union

import msgspec
import pytest

from panscript.readers.lines import lines
from panscript.schemas.dsh import json_schema
from panscript.schemas.dsh.events import EVENTS
from tests.repository import ROOT
from tests.schemas.unseen import unseen

HOMES = ROOT / "fixtures/dsh/home/.dsh", ROOT / "fixtures/usage-home/.dsh"
LOGS = sorted(path for home in HOMES for path in home.glob("sessions/*/*/session*"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.parent.name[-8:])
def test_every_field_of_a_real_log_is_described(path: Path) -> None:
    decoder = msgspec.json.Decoder(Union[EVENTS])  # noqa: UP007
    for raw, _, _ in lines(str(path)):
        try:
            value = json.loads(raw)
        except ValueError:
            continue  # the torn end of one of them
        decoder.decode(raw)
        assert list(unseen(value, EVENTS)) == []


def test_the_schema_is_open_for_other_types() -> None:
    schema = json_schema()
    assert {"Header", "AssistantMessage", "Usage"} <= schema["$defs"].keys()
    assert json.dumps(schema)
