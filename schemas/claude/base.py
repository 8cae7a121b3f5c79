"""The common base of all structs that mirror what Claude Code writes.

Fields the agent adds in a new version are ignored when decoding (`drift` finds them), a field that may be null or
absent is `T | None = None`, and nothing that equals its default is encoded. Values such as subtypes of errors or
permission modes are plain strings: new ones must not make a row invalid.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

__all__ = ["UNKNOWN_TAG", "ApiNative", "Native", "Number"]

UNKNOWN_TAG = "?"
"""Tag of the structs that keep a block, attachment or payload of an unknown type whole."""

Number: TypeAlias = int | float
"""A number that some versions write with a fraction, such as a duration in milliseconds."""


class Native(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=False, rename="camel"
):
    """Base of every struct; Claude Code's own names are camelCase on disk."""


class ApiNative(Native, frozen=True, rename=None):
    """Base of what comes from the Messages API or an old tool, where names are snake_case on disk."""
