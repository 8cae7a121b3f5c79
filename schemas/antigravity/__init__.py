"""Antigravity's conversations as typed structs: lines of the log, of the history, and rows of the database.

What the rows hold as Protocol Buffers is described as the fields that are known, under the names they have elsewhere.
`lean` has what reading needs.
"""

from __future__ import annotations

from typing import Any

__all__ = ["json_schema"]


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of a line of the log or the history, or of a row with its bytes taken apart."""
    from panscript.schemas.antigravity.records import RECORDS
    from panscript.schemas.open_schema import open_schema

    return open_schema("A line or a row of an Antigravity conversation", *((each,) for each in RECORDS))
