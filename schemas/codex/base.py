"""What every struct of Codex' files has in common: one base, and open tagged unions.

A rollout names the shape of an object in its `type` key. New names come with nearly every release, so every union
here ends in an `Unknown...` member: an object with a name nobody knows is kept whole in `raw` instead of failing the
line. On disk such an object looks like anything at all; `UNKNOWN` is only the tag that marks it between the two
passes of `panscript.schemas.codex.decode`, and no encoder of this package writes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform, get_args

import msgspec

if TYPE_CHECKING:
    from msgspec import StructMeta
else:
    StructMeta = type(msgspec.Struct)  # a public name only since msgspec 0.20

__all__ = [
    "UNKNOWN",
    "Unknown",
    "UnknownBlock",
    "UnknownEvent",
    "UnknownItem",
    "UnknownLine",
    "UnknownTurnItem",
    "UnknownVariant",
    "Wire",
    "tags",
]

UNKNOWN = "(unknown)"


class WireMeta(StructMeta):
    """Make the fields of every subclass keyword-only, which msgspec does not inherit."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any) -> WireMeta:
        config.setdefault("kw_only", True)
        return super().__new__(mcls, name, bases, namespace, **config)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field,))
class Wire(msgspec.Struct, metaclass=WireMeta, frozen=True, omit_defaults=True, forbid_unknown_fields=False):
    """Base of everything on disk: keyword-only, immutable, unknown keys allowed, defaults not written."""

    tag_aliases: ClassVar[tuple[str, ...]] = ()
    """Other names under which Codex reads the same shape."""


class Unknown(Wire, tag_field="type", tag=UNKNOWN):
    """An object whose `type` no struct has, kept whole."""

    raw: dict[str, Any]  # the object as decoded from JSON, `type` included

    @property
    def name(self) -> str:
        """The name found in the file."""
        return str(self.raw["type"])


class UnknownLine(Unknown):
    """A rollout line of an unknown kind; `raw` is the whole line."""


class UnknownItem(Unknown):
    """A response item of an unknown type."""


class UnknownEvent(Unknown):
    """An `event_msg` payload of an unknown type."""


class UnknownTurnItem(Unknown):
    """An item of an unknown type inside `item_completed`."""


class UnknownBlock(Unknown):
    """A content block of an unknown type."""


class UnknownVariant(Unknown):
    """A variant of an unknown type in one of the small unions (actions, commands, file changes, ...)."""


def tags(union: Any) -> dict[str, type[Wire]]:
    """Return the names a tagged union knows, aliases included, each with its struct."""
    table: dict[str, type[Wire]] = {}
    for struct in get_args(union):
        if not issubclass(struct, Unknown):
            for name in (struct.__struct_config__.tag, *struct.tag_aliases):
                table[name] = struct
    return table
