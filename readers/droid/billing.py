"""What a Droid session was billed: the settings file says it, and of the rows as few are read as say whose and when."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from panscript.readers.billing import of_event
from panscript.readers.droid.files import SETTINGS, read_settings
from panscript.readers.droid.survey import Survey, survey
from panscript.readers.droid.usage import usage_of
from panscript.schemas import timestamps
from panscript.schemas.billing import Billed
from panscript.schemas.droid.lean import Settings
from panscript.schemas.errors import NotATranscript
from panscript.schemas.naming import encodable
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["billed"]


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """One row, or none. Damaged lines are not told: none could hold usage. Raises `SourceError`s."""
    report.agent, report.scan = source.agent, "usage"
    data, settings = read_settings(source)
    found: Survey | None = None
    session = source.id
    if not source.transcripts[-1].path.endswith(SETTINGS):
        found = survey(source, _enough(settings))
        session = found.session_id
        if found.seen and not found.understood:
            raise NotATranscript("no line of it is a Droid row", path=source.path)
    elif data.strip() and settings is None:
        raise NotATranscript("these are no settings of Droid", path=source.path)
    report.session_id = encodable(session)
    event = usage_of(data, settings, found, report)
    if event is not None:
        report.count("used")
        yield of_event(event, report.session_id)


def _enough(settings: Settings | None) -> Callable[[Survey], bool]:
    """Whether no row that follows changes what is billed: not without a header, which tells of a fork."""
    billed = settings is not None and settings.token_usage is not None
    named = settings is not None and bool(settings.model)
    locked = settings is not None and timestamps.parse(settings.provider_lock_timestamp) is not None

    def enough(found: Survey) -> bool:
        header = found.header
        if header is None or not billed:
            return header is not None
        if not named:
            return False
        if header.parent and header.forked_at_message_id:
            return found.copied_to >= 0 and found.own_time is not None
        return locked or found.own_time is not None

    return enough
