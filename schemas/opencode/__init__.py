"""OpenCode's sessions as typed structs: messages, their parts, exports, and the rows of its database.

`parts` has what a message is made of, `messages` messages, sessions and exports (the older tree has the same, a file
each), `rows` the tables. `lean` has what reading needs of all of them. Kilo Code 7 writes the same.
"""

from __future__ import annotations

from typing import Any

__all__ = ["json_schema"]


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of a row, with its JSON columns taken apart, of an export, or of a file."""
    from panscript.schemas.open_schema import open_schema
    from panscript.schemas.opencode.messages import MESSAGES, Export, Session
    from panscript.schemas.opencode.parts import PARTS
    from panscript.schemas.opencode.rows import MessageRow, SessionRow

    return open_schema(
        "A session of OpenCode: a row of its database, an export, or a file of the older tree",
        (SessionRow,),
        (MessageRow,),
        (Export,),
        (Session,),
        MESSAGES,
        PARTS,
    )
