"""How Antigravity's tokens are counted: once a request, known by the vendor's id of its response."""

from __future__ import annotations

from panscript.readers.antigravity.forms import Piece
from panscript.readers.antigravity.survey import Survey
from panscript.readers.rawjson import clean_raw
from panscript.schemas.events import NO_RAW, Usage
from panscript.schemas.report import FileReport

__all__ = ["Counter"]


class Counter:
    """Feed it every request in order."""

    def __init__(self, survey: Survey, began: int | None, report: FileReport, *, raw: bool = False) -> None:
        """`began`: when the conversation did, in milliseconds since 1970 UTC; for requests that state no time."""
        self._survey = survey
        self._began = began
        self._report = report
        self._raw = raw
        self._number = 0

    def add(self, piece: Piece) -> Usage | None:
        """What this row says was billed; None where it does not, or says again what was counted."""
        response = self._survey.responses[self._number]
        self._number += 1
        if self._number in self._survey.repeated:
            return None
        time = response.time if response.time is not None else self._began
        problem = response.problem or ("invalid_timestamp" if time is None else None)
        if problem is not None:
            self._report.skip(problem)
            return None
        return Usage(
            id=f"usage:{self._number}",
            time=time,
            tokens=response.tokens,
            model=response.model,
            message_id=response.name,
            single_request=True,
            told=self._number in self._survey.told,
            raw=clean_raw(piece.raw) if self._raw else NO_RAW,
        )
