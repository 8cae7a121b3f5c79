"""What a Pi session was billed. Copies that forks took from a session that is not there are known by their content."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.billing import of_event
from panscript.readers.lines import head
from panscript.readers.pi.files import began_at
from panscript.readers.pi.usage import usage_of_entries
from panscript.schemas.billing import Billed
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["began", "billed", "ended"]


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, in file order. Two responses of one file that are alike count both. Raises `SourceError`s."""
    seen: dict[int, int] = {}
    for event, entry in usage_of_entries(source, report=report):
        if event.inherited_from is not None:
            continue
        row = of_event(event, report.session_id or source.id)
        content = (row.payer, row.time, row.input, row.output, row.reasoning, row.cache_read, row.cache_write, row.cost)
        key = hash((content, row.total))
        # The second of two that are alike has a key of its own, so that it is no copy of the first.
        times = seen[key] = seen.get(key, 0) + 1
        row.key = (key if times == 1 else hash((key, times))) or 1
        # A fork that tells for a parent that is not there holds what that one had copied from sessions before, too.
        row.response = hash((entry, content[1:], row.payer[1:3], row.total)) or 1
        row.replayed = event.session_id is not None
        yield row


def began(source: Source) -> int | None:
    """When the session began, in milliseconds since 1970 UTC: a fork after those whose entries it holds."""
    return began_at(source.path, head(source.path))


def ended(_: Source) -> int | None:
    """Sessions that began at once hold nothing of each other."""
    return None
