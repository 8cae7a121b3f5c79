"""The session files of Kimi CLI and Kimi Code as typed structs.

Kimi CLI: `context` has the lines of `context.jsonl`, `wire` those of `wire.jsonl`. Kimi Code: `records` has the records
of `agents/<agent id>/wire.jsonl`. `state` has the documents beside them. `lean` has what reading needs of all of them.
"""

from __future__ import annotations

from typing import Any

__all__ = ["json_schema"]


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of one line of any of the files."""
    from panscript.schemas.kimi.context import LINES
    from panscript.schemas.kimi.records import RECORDS
    from panscript.schemas.kimi.state import STATES
    from panscript.schemas.kimi.wire import WireLine
    from panscript.schemas.open_schema import open_schema

    states = ((state,) for state in STATES)
    return open_schema("One line of a session file of Kimi CLI or Kimi Code", LINES, (WireLine,), RECORDS, *states)
