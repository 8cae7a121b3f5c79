"""Single values as projections show them, and versions of what reading gives."""

from __future__ import annotations

import pytest

from panscript.schemas.agents import agent_ids
from panscript.schemas.cleaning import normalize_source_id, normalize_timestamp
from panscript.schemas.errors import UnknownAgent
from panscript.schemas.versions import parser_version, storage_format


@pytest.mark.parametrize(
    "value",
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00", "2026-01-31T13:00+01:00", 1_769_860_800, 1_769_860_800_000],
)
def test_any_time_becomes_utc_with_milliseconds(value: str | float) -> None:
    assert normalize_timestamp(value) == "2026-01-31T12:00:00.000Z"


@pytest.mark.parametrize("value", ["", "soon", "2026-02-30T00:00:00Z", 12, float("nan")])
def test_what_is_no_time_is_refused(value: str | float) -> None:
    with pytest.raises(ValueError, match="is no time"):
        normalize_timestamp(value)


def test_an_id_has_no_controls_and_no_outer_blanks() -> None:
    assert normalize_source_id(" a\x1b[0m\x00b\n ") == "a[0mb"
    assert normalize_source_id(" \x07 ") is normalize_source_id(None) is None


def test_every_agent_has_a_version_and_a_storage() -> None:
    assert all(parser_version(name).count(".") == 1 and storage_format(name) for name in agent_ids())
    with pytest.raises(UnknownAgent):
        parser_version("nobody")
