"""OpenClaw's sessions as typed structs: what it writes beyond the lines of Pi, and the rows of its database.

A line, in a file or in a row, is one of Pi's; `lines` has the types and roles that are OpenClaw's own, or hold more.
`rows` has the tables of the database that a session stands in, and an entry of the index beside the older files.
`lean` has what reading needs.
"""

from __future__ import annotations

from typing import Any

__all__ = ["json_schema"]


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of a line, a row of the database, or an entry of the index."""
    from panscript.schemas.open_schema import open_schema
    from panscript.schemas.openclaw.lines import LINES
    from panscript.schemas.openclaw.rows import ROWS

    return open_schema("A line or a row of an OpenClaw session", LINES, *((each,) for each in ROWS))
