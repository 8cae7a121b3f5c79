"""What a Gemini CLI session was billed, without what was said in it."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.gemini import KIND
from panscript.readers.gemini.files import project_folder
from panscript.readers.recordings import billing
from panscript.schemas.billing import Billed
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["billed"]


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, in the order of the messages. Raises `SourceError`s; nothing is opened before `next()`."""
    yield from billing.billed(source, KIND, project_folder(source), report=report)
