"""What the translators of all agents do alike: name the events of a record and hang each on what was said before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from panscript.readers.branches import Branches
from panscript.readers.rawjson import PADDING, InnerItems, clean_raw
from panscript.schemas.events import Block, Event, Message, Meta, Opaque, Role
from panscript.schemas.report import FileReport

__all__ = ["BranchSpeaker", "Speaker"]


class Speaker:
    """Makes events of one record after the other, each hanging on the one before it.

    The first event of a record has the record's own name, those after it the same with a number behind it.
    """

    def __init__(self, report: FileReport) -> None:
        self._report = report
        self._base = ""
        """The name of the record at hand."""
        self._part = 0
        """How many events it has given."""
        self._common: dict[str, Any] = {}
        """What all its events share."""
        self._facts: dict[str, str | None] = {}
        """What was said of the session last."""
        self._last: str | None = None
        self._relabelled: str | None = None
        """The session that the record was copied from, where that one is not there to tell it itself."""
        self._text = b""
        """The JSON of the record at hand."""
        self._inner = InnerItems()

    def _begin(self, base: str, **common: Any) -> None:
        """What follows is said by the record of this name."""
        self._base, self._part, self._common = base, 0, common

    def _chain(self, name: str) -> tuple[str, str | None]:
        """The event of this name comes next; gives what it hangs on, too."""
        parent, self._last = self._last, name
        return name, parent

    def _next(self) -> tuple[str, str | None]:
        """Id and parent of the next event of the record."""
        name = self._base if not self._part else f"{self._base}:{self._part}"
        self._part += 1
        return self._chain(name)

    def _say(self, role: Role, blocks: Iterable[Block], events: list[Event], **more: Any) -> None:
        name, parent = self._next()
        common = {"session_id": self._relabelled, **self._common, **more}
        events.append(Message(id=name, parent=parent, role=role, content=tuple(blocks), **common))

    def _opaque(self, kind: str, data: msgspec.Raw, events: list[Event]) -> None:
        name, parent = self._next()
        events.append(Opaque(id=name, parent=parent, name=kind, data=data, **self._common))

    def _whole(self) -> msgspec.Raw:
        """The record at hand as it stands."""
        return clean_raw(self._text.strip(PADDING))

    def _outside(self, kind: str, data: msgspec.Raw, events: list[Event]) -> None:
        """The record as a whole, on which nothing hangs."""
        events.append(Opaque(id=self._base, name=kind, data=data, **self._common))

    def _unknown(self, kind: str, data: msgspec.Raw, events: list[Event]) -> None:
        self._report.see_unknown(kind)
        self._opaque(kind, data, events)

    def _learn(self, said: Mapping[str, str | None], events: list[Event], **more: Any) -> None:
        """Facts of the session; those that are no news are not said again."""
        new = {name: value for name, value in said.items() if value and value != self._facts.get(name)}
        if new:
            self._facts.update(new)
            number = sum(isinstance(event, Meta) for event in events)
            name = f"meta:{self._base}" if not number else f"meta:{self._base}:{number}"
            shared = {"time": self._common.get("time"), "inherited_from": self._common.get("inherited_from")}
            events.append(Meta(**{"id": name, "session_id": self._relabelled} | shared | more | new))


class BranchSpeaker(Speaker):
    """The same where records have parents of their own: an event hangs on the last one of its branch."""

    def __init__(self, branches: Branches, report: FileReport) -> None:
        super().__init__(report)
        self._branches = branches
        self._number = 0
        """The record at hand, from 0."""

    def _chain(self, name: str) -> tuple[str, str | None]:
        parent = self._branches.parent(self._number)
        self._branches.said(self._number, name)
        return name, parent
