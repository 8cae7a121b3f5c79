"""Logs of the DeepSeek Harness as typed structs.

A log is one JSON object a line: the header, then events, which count up from 0 (`events` has one struct a type,
`blocks` what messages hold). Format versions 0 to 4; compressed logs are zstd frames of whole lines. `lean` has what
reading needs.
"""

from __future__ import annotations

from typing import Any

__all__ = ["json_schema"]


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of one line of a log."""
    from panscript.schemas.dsh.events import EVENTS
    from panscript.schemas.open_schema import open_schema

    return open_schema("One line of a DeepSeek Harness log", EVENTS)
