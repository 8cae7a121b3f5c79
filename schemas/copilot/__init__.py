"""Files of GitHub Copilot CLI as typed structs.

A conversation is an event log, `session-state/<id>/events.jsonl`, one event a line (`events` has one struct a type, and
`details` what they hold); what requests cost is exported to telemetry files where that was turned on (`otel`). `lean`
and `otel_lean` have what reading needs of both. CLI 1.0.102.
"""

from __future__ import annotations

from typing import Any

__all__ = ["json_schema"]


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of one line of an event log, or of a telemetry file."""
    from panscript.schemas.copilot.events import EVENTS
    from panscript.schemas.copilot.otel import RECORDS
    from panscript.schemas.open_schema import open_schema

    return open_schema("One line of a Copilot event log or telemetry file", EVENTS, RECORDS)
