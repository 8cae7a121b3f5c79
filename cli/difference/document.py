"""A comparison as one JSON document."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.cli.difference.sides import Side
from panscript.schemas.separators import escaped
from panscript.stages.difference import Comparison, Step
from panscript.stages.field_changes import plain

__all__ = ["document"]


def document(a: Side, b: Side, compared: Comparison) -> bytes:
    """The document that `panscript diff --json` describes, one line with its line feed."""
    said = {
        "same": compared.same,
        "a": _side(a),
        "b": _side(b),
        "counts": compared.counts,
        "differences": [_difference(compared, step) for step in compared.differences],
    }
    return escaped(msgspec.json.encode(said)) + b"\n"


def _side(side: Side) -> dict[str, Any]:
    return {
        "agent": side.head.agent,
        "session_id": side.head.session_id,
        "title": side.head.title,
        "path": side.path,
        "items": len(side.items),
    }


def _difference(compared: Comparison, step: Step) -> dict[str, Any]:
    said: dict[str, Any] = {
        "kind": step.kind,
        "a": None if step.a is None else step.a + 1,
        "b": None if step.b is None else step.b + 1,
    }
    before = plain(compared.a[step.a]) if step.a is not None else None
    after = plain(compared.b[step.b]) if step.b is not None else None
    if before is None or after is None:
        said["item"] = before or after
    elif step.changes:
        said |= {"before": before, "after": after, "fields": step.changes}
    else:
        said["item"] = before
    return said
