"""One pass over the lines of a session that looks for nothing but what was billed.

It is fast because the decoder is given a struct with the few fields that counting needs and steps over all else. What
it steps over is checked all the same, so that a damaged line is mended and told as in a full read; no search for marks
comes first, which could pass by a count that is written in another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from panscript.readers.billing import of_event
from panscript.readers.jsonl import Parsed, account
from panscript.schemas.billing import Billed
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import Usage
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["Scan"]


class Scan:
    """Hands on records that can be read, and counts the others into the report (`scan` usage)."""

    def __init__(self, source: Source, report: FileReport, marker: bytes) -> None:
        """`marker`: a damaged line without these bytes held no usage."""
        report.agent, report.scan = source.agent, "usage"
        self._source, self._report, self._marker = source, report, marker
        self.number = -1
        """Of the record at hand, from 0; those that cannot be read count."""
        self.understood = False
        """To be set when a record is the agent's."""
        self._seen = False

    def readable(self, records: Iterable[Parsed]) -> Iterator[Parsed]:
        """Those records that have a row."""
        for self.number, parsed in enumerate(records):
            trouble = parsed.trouble
            if trouble is not None:
                billed = self._marker in parsed.raw
                account(parsed, self._report, "json_parse_error" if billed else "other_json_parse_error")
            self._seen = self._seen or trouble is None or not trouble.blank
            if parsed.row is not None:
                yield parsed

    def judge(self, complaint: str) -> None:
        """After the last record: raises `NotATranscript` with this complaint when none was the agent's."""
        if self._seen and not self.understood:
            raise NotATranscript(complaint, path=self._source.path)

    def billed(self, events: Iterable[Usage | None], session: str) -> Iterator[Billed]:
        """The rows of these events, but of those that another session tells itself."""
        for event in events:
            if event is not None and event.inherited_from is None:
                self._report.count("used")
                yield of_event(event, session)
