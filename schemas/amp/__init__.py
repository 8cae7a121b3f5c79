"""Amp's thread files as typed structs: one JSON document a thread, rewritten in place.

`thread` has the document, `messages` what was said in it; `lean` has what reading needs of both.
"""

from __future__ import annotations

from typing import Any

__all__ = ["json_schema"]


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of a thread."""
    from panscript.schemas.amp.thread import Thread
    from panscript.schemas.open_schema import open_schema

    return open_schema("One thread of Amp", (Thread,))
