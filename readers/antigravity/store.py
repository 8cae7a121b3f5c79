"""The database of a conversation: what it says of itself, its steps, its requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from panscript.readers.antigravity.moments import moment
from panscript.readers.antigravity.wire import Fields, fields
from panscript.readers.sqlite import Database
from panscript.schemas.errors import NotATranscript
from panscript.schemas.naming import encodable

__all__ = ["OTHER_TABLES", "TABLES", "About", "Store", "folder_of"]

TABLES = frozenset({"gen_metadata"})
OTHER_TABLES = (frozenset({"trajectory_meta"}), frozenset({"trajectory_metadata_blob"}))
"""What tells a database of a conversation in which no model was asked."""
_ANY = ("gen_metadata", "steps", "trajectory_meta", "trajectory_metadata_blob")
_STEP = ("idx", "step_type", "status", "step_payload", "error_details")


class About(NamedTuple):
    """What a conversation says of itself."""

    cwd: str | None = None
    git_branch: str | None = None
    created: int | None = None
    """Milliseconds since 1970 UTC."""
    parent: str | None = None
    """The conversation that started this one as a sub-agent."""
    row: Mapping[str, Any] = MappingProxyType({})
    """The row that says so."""


class Store:
    """Antigravity's tables in a database."""

    def __init__(self, database: Database, path: str) -> None:
        """Raises `NotATranscript` when it is of something else."""
        self._database = database
        if not any(table in database.tables for table in _ANY):
            raise NotATranscript("this is no database of Antigravity", path=path)
        there = database.columns("steps")
        self._steps = tuple(column for column in _STEP if column in there)

    def about(self) -> About:
        """What it says of itself; nothing where it does not, or not so that it can be read."""
        if "trajectory_metadata_blob" not in self._database.tables:
            return About()
        found = "SELECT id, data FROM trajectory_metadata_blob ORDER BY id = 'main' DESC, rowid LIMIT 1"
        name, data = next(self._database.rows(found), (None, None))
        if not isinstance(data, bytes):
            return About()
        said = fields(data, whole=False)
        place = said.message(1, whole=False) or Fields()
        root = folder_of(place.text(1)) or folder_of(said.text(7))
        return About(
            cwd=root,
            git_branch=place.text(4).strip() or None,
            created=moment(said.message(2, whole=False)),
            parent=encodable(said.text(5)).strip() or None,
            row={"id": name, "data": data},
        )

    def conversation(self) -> str:
        """The id it gives itself; "" where it does not."""
        if "cascade_id" not in self._database.columns("trajectory_meta"):
            return ""
        (name,) = next(self._database.rows("SELECT cascade_id FROM trajectory_meta LIMIT 1"), ("",))
        return encodable(name).strip() if isinstance(name, str) else ""

    def steps(self) -> Iterator[dict[str, Any]]:
        """The steps in order, column by column."""
        if "idx" not in self._steps:
            return
        found = f"SELECT {', '.join(self._steps)} FROM steps ORDER BY idx"  # noqa: S608
        for row in self._database.rows(found):
            yield dict(zip(self._steps, row, strict=True))

    def requests(self) -> int:
        """How many requests there are."""
        if not {"idx", "data"} <= self._database.columns("gen_metadata"):
            return 0
        (number,) = next(self._database.rows("SELECT count(*) FROM gen_metadata"))
        return int(number)

    def responses(self) -> Iterator[dict[str, Any]]:
        """The requests in order."""
        if not {"idx", "data"} <= self._database.columns("gen_metadata"):
            return
        for idx, data in self._database.rows("SELECT idx, data FROM gen_metadata ORDER BY idx"):
            yield {"idx": idx, "data": data}


def folder_of(uri: str) -> str | None:
    """The path of a folder named by a `file:` address, or by itself; None where it is neither."""
    from urllib.parse import unquote

    uri = uri.strip()
    if uri.startswith("file://"):
        path = unquote(uri.removeprefix("file://"))
        # A drive of Windows stands behind a slash.
        return (path[1:] if path[2:3] == ":" else path) or None
    return uri if uri.startswith("/") else None
