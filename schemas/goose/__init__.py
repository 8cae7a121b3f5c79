"""Goose's sessions as typed structs: the rows of its database, what a message holds, exports and the older files.

`rows` has the tables `sessions`, `messages` and `usage_ledger` of every schema version up to 17, `content` what stands
in `content_json`, `documents` an exported session and the lines of the files that were written before the database.
`lean` has what reading needs of all of them.
"""

from __future__ import annotations

from typing import Any

__all__ = ["json_schema"]


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of a row, with its JSON columns taken apart, of a line, or of an export."""
    from panscript.schemas.goose.documents import Export, FirstLine, Message
    from panscript.schemas.goose.rows import LedgerRow, MessageRow, SessionRow
    from panscript.schemas.open_schema import open_schema

    structs = (SessionRow, MessageRow, LedgerRow, Export, FirstLine, Message)
    return open_schema(
        "A session of Goose: a row, an export, or a line of an older file", *((each,) for each in structs)
    )
