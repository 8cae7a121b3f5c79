"""What every struct of the Pi schema is built on: wire names, optional fields, the members that keep unions open."""

from typing import Any

import msgspec

__all__ = ["UNKNOWN_TAG", "Base", "Number", "UnknownBlock", "UnknownMessage"]

# JavaScript has one number type: a count may be written `3` or `3.0`, and keeps the spelling it had.
Number = int | float

# Stands for every tag no struct has. No Pi writes it; a record that holds it nevertheless is treated as unknown, too.
UNKNOWN_TAG = "(unknown)"


class Base(msgspec.Struct, forbid_unknown_fields=False, omit_defaults=True, kw_only=True, rename="camel"):
    """A JSON object of a Pi session file; a field that is absent on disk is `UNSET`, one that is null is `None`."""


class UnknownBlock(Base, kw_only=True, tag_field="type", tag=UNKNOWN_TAG):
    """A content block of a type this schema has no struct for, kept whole."""

    name: str | None  # its `type` on disk; None when there is none or it is no string
    value: dict[str, Any]  # the block as it stands on disk


class UnknownMessage(Base, kw_only=True, tag_field="role", tag=UNKNOWN_TAG):
    """A message with a role this schema has no struct for, kept whole; Pi keeps such a message and never sends it."""

    name: str | None  # its `role` on disk; None when there is none or it is no string
    value: dict[str, Any]  # the message as it stands on disk
