"""Files of Cline, Roo Code and Kilo Code as typed structs.

Three layouts: a task folder with two arrays, what the model saw (`api`) and what the person saw (`interface`), and
facts beside them (`task`); since 2026 Cline has a session folder with one document and a manifest (`sessions`). `lean`
has what reading needs of all of them.
"""

from __future__ import annotations

from typing import Any

__all__ = ["json_schema"]


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of a file, or of one element of a file that is an array."""
    from panscript.schemas.cline.api import ApiMessage
    from panscript.schemas.cline.interface import InterfaceMessage
    from panscript.schemas.cline.sessions import Manifest, SessionDocument
    from panscript.schemas.cline.task import HistoryIndex, HistoryItem, TaskMetadata
    from panscript.schemas.open_schema import open_schema

    groups = (
        (ApiMessage,),
        (InterfaceMessage,),
        (TaskMetadata,),
        (HistoryItem,),
        (HistoryIndex,),
        (SessionDocument,),
        (Manifest,),
    )
    return open_schema("A file of Cline, Roo Code or Kilo Code, or an element of one", *groups)
