"""Kilo Code: task folders as Cline's; what differs is where they lie and how their input tokens are counted.

Version 7 is another program, grown from OpenCode, with a database of the same tables (`kilo.db`). Both are read here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from panscript.readers import opencode
from panscript.readers.billing import of_full_read
from panscript.readers.cline import dependencies as of_tasks
from panscript.readers.cline import discovery as tasks
from panscript.readers.cline import files, reading
from panscript.readers.context import Place
from panscript.readers.databases import is_database
from panscript.readers.finding import Problems
from panscript.readers.lines import head
from panscript.readers.opencode import billing
from panscript.readers.opencode import discovery as databases
from panscript.readers.opencode.files import is_export, source_of
from panscript.readers.opencode.peek import size
from panscript.readers.options import ReadOptions
from panscript.schemas.billing import Billed
from panscript.schemas.errors import SourceError
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport

__all__ = ["TABLES", "billed", "dependencies", "detect", "discover", "layout", "read", "resolve", "size"]

TABLES = opencode.TABLES
_MAYBE = 20
"""An export is OpenCode's unless Kilo Code was named."""


def detect(start: bytes) -> int:
    """How surely these first bytes are a file of Kilo Code: 0 not at all, 100 certainly."""
    return files.detect(start, "kilocode") or (_MAYBE if is_export(start) else 0)


def resolve(path: str) -> Source:
    """The task, or the exported session, that a file belongs to."""
    return source_of("kilocode", path) if _is_version_7(path) else files.resolve(path, "kilocode")


def layout(path: str) -> str:
    """Where the file lies below the folder of tasks, or of the program."""
    return opencode.layout(path) if _is_version_7(path) else files.layout(path)


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The tasks in these places, then the sessions of databases."""
    newer = [place for place in places if _is_version_7(str(place.path))]
    others = [place for place in places if place not in newer]
    yield from tasks.discover(agent_id, others, report)
    # What is not there is told once.
    folders = [place for place in others if place.path.is_dir()]
    yield from databases.discover(agent_id, [*newer, *folders], report)


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the task or session with its events. Nothing is opened before the first `next()`."""
    reader = opencode.read if _is_version_7(source.transcripts[-1].path) else reading.read
    yield from reader(source, report=report, options=options)


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, in the order of the messages; tasks are read in full. Raises `SourceError`s."""
    find = billing.billed if is_database(source.transcripts[-1].path) else of_full_read
    yield from find(source, report=report)


def dependencies(source: Source) -> Iterator[str]:
    """The other files that the events of a task depend on; a session of a database depends on none."""
    if not _is_version_7(source.transcripts[-1].path):
        yield from of_tasks.dependencies(source)


def _is_version_7(path: str) -> bool:
    if is_database(path):
        return True
    try:
        return path.endswith(".json") and is_export(head(path))
    except SourceError:
        return False
