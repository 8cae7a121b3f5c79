"""What the record at hand says, as events: each hangs on the one before it."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.readers.codex.content import json_value
from panscript.readers.codex.survey import Survey
from panscript.schemas.events import (
    NO_RAW,
    Event,
    Message,
    Meta,
    Opaque,
    Shell,
    Status,
    ToolResult,
)
from panscript.schemas.events import Block as Content
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Speaker"]


class Speaker:
    """Makes events of one record after the other. Where a record stands is set before anything is said of it."""

    _number: int
    _base: str
    _part: int
    """How many events the record has given."""
    _time: int | None
    _live: bool
    _late: bool
    _inherited: str | None = None

    def __init__(self, survey: Survey, report: FileReport) -> None:
        self._survey = survey
        self._report = report
        self._facts: dict[str, str | None] = {}
        self._early = set(survey.calls.early)

    def _common(self) -> dict[str, Any]:
        """What everything that the record at hand says shares."""
        return {"live": self._live, "inherited_from": self._inherited, "late": self._late}

    def _next(self) -> tuple[str, str | None]:
        """Id and parent of the next event of this record."""
        name = self._base if not self._part else f"{self._base}:{self._part}"
        self._part += 1
        return self._chain(name)

    def _chain(self, name: str) -> tuple[str, str | None]:
        branches = self._survey.branches
        parent = branches.parent(self._number)
        branches.said(self._number, name)
        return name, parent

    def _say(self, events: list[Event], **facts: str | None) -> RecordClass:
        if self._inherited is not None:
            return "state"
        new = {name: value for name, value in facts.items() if value and value != self._facts.get(name)}
        if not new:
            return "state"
        self._facts.update(new)
        events.append(Meta(id=f"meta:{self._base}", time=self._time, **new))  # type: ignore[arg-type]
        return "used"

    def _message(self, role: str, blocks: list[Content], events: list[Event], **more: object) -> None:
        name, parent = self._next()
        events.append(
            Message(
                id=name,
                parent=parent,
                time=self._time,
                **self._common(),
                role=role,  # type: ignore[arg-type]
                content=tuple(blocks),
                **more,  # type: ignore[arg-type]
            )
        )

    def _result(
        self,
        name: str,
        content: tuple[Content, ...],
        status: Status,
        events: list[Event],
        took: int | None = None,
        details: msgspec.Raw = NO_RAW,
    ) -> None:
        event, parent = self._next()
        early = name in self._early
        self._early.discard(name)
        events.append(
            ToolResult(
                id=event,
                parent=parent,
                time=self._time,
                **self._common(),
                call_id=name,
                content=content,
                status=status,
                duration_ms=took,
                details=details,
                early=early,
            )
        )

    def _ran(self, events: list[Event], **facts: Any) -> None:
        name, parent = self._next()
        events.append(Shell(id=name, parent=parent, time=self._time, **self._common(), **facts))

    def _opaque(self, kind: str, raw: bytes, events: list[Event], *, known: bool = False) -> None:
        if not known:
            self._report.see_unknown(kind)
        name, parent = self._next()
        events.append(
            Opaque(
                id=name,
                parent=parent,
                time=self._time,
                live=self._live,
                inherited_from=self._inherited,
                name=kind,
                data=_raw(raw),
            )
        )


def _raw(raw: bytes) -> msgspec.Raw:
    """The line as JSON; nothing when it is none."""
    return json_value(raw.strip(b"\0\xef\xbb\xbf \t\r\n")) or NO_RAW
