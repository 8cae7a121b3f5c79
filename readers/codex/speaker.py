"""What only the translator of Codex says: results that come early, commands, and state that copies do not change."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from panscript.readers.codex.content import json_value
from panscript.readers.codex.survey import Survey
from panscript.readers.speaking import BranchSpeaker
from panscript.schemas.events import (
    NO_RAW,
    Event,
    Shell,
    Status,
    ToolResult,
)
from panscript.schemas.events import Block as Content
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Speaker"]


class Speaker(BranchSpeaker):
    """Makes events of one record after the other. Where a record stands is set before anything is said of it."""

    def __init__(self, survey: Survey, report: FileReport) -> None:
        super().__init__(survey.branches, report)
        self._survey = survey
        self._early = set(survey.calls.early)

    @property
    def _inherited(self) -> str | None:
        """The thread that the record at hand was copied from."""
        return cast("str | None", self._common["inherited_from"])

    def _state(self, events: list[Event], **facts: str | None) -> RecordClass:
        """What a record says of the session; a copied one says it of another."""
        if self._inherited is not None:
            return "state"
        before = len(events)
        self._learn(facts, events)
        return "used" if len(events) > before else "state"

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
                **self._common,
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
        events.append(Shell(id=name, parent=parent, **self._common, **facts))

    def _odd(self, kind: str, raw: bytes, events: list[Event], *, known: bool = False) -> None:
        if not known:
            self._report.see_unknown(kind)
        self._opaque(kind, _raw(raw), events)


def _raw(raw: bytes) -> msgspec.Raw:
    """The line as JSON; nothing when it is none."""
    return json_value(raw.strip(b"\0\xef\xbb\xbf \t\r\n")) or NO_RAW
