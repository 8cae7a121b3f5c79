"""Droid's session files as typed structs.

A session is two files: `<id>.jsonl`, one row a line (`rows` has one struct a type), and `<id>.settings.json` beside it
(`settings`), which is rewritten in place and holds the token counts. `lean` has what reading needs of both.
"""

from __future__ import annotations

from typing import Any

__all__ = ["json_schema"]


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of one row, or of the settings beside the rows."""
    from panscript.schemas.droid.rows import ROWS
    from panscript.schemas.droid.settings import Settings
    from panscript.schemas.open_schema import open_schema

    return open_schema("One row of a Droid session file, or its settings file", ROWS, (Settings,))
