"""Steps of a message of the agent: what one request to a model gave."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from panscript.readers.opencode.forms import Item
from panscript.schemas.opencode.lean import Part

__all__ = ["Step", "steps_of"]


class Step(msgspec.Struct):
    """One request."""

    items: list[Item] = []
    finish: Part | None = None
    """The part that says what it used; None where it did not end, or is older than that."""
    name: str = ""
    """Id of that part."""
    time: int | None = None
    """When that part was written, in milliseconds since 1970 UTC."""


def steps_of(items: Sequence[Item]) -> list[Step]:
    """The steps that these parts are, in order; at least one."""
    found = [Step()]
    for item in items:
        kind = item.part.type if item.part is not None else None
        if found[-1].finish is not None and kind in ("step-start", "step-finish"):
            found.append(Step())
        step = found[-1]
        step.items.append(item)
        if kind == "step-finish":
            step.finish, step.name, step.time = item.part, item.name, item.time
    return found
