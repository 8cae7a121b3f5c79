"""A conversation as its records: lines of its log, the exported document, rows of its database; any may be missing.

What several of them tell is taken from the first that does, but for what was billed: that is the database's to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec

from panscript.readers.antigravity.files import HISTORY, TRAJECTORY, is_record, root_of
from panscript.readers.antigravity.responses import Response
from panscript.readers.antigravity.steps import Step, step_of_line, step_of_row
from panscript.readers.antigravity.store import About, Store, folder_of
from panscript.readers.antigravity.trajectory import Trajectory
from panscript.readers.databases import is_database
from panscript.readers.jsonl import rows
from panscript.readers.options import ReadOptions
from panscript.readers.sqlite import database, named_row
from panscript.readers.tolerant import Recovered
from panscript.schemas.antigravity.lean import line_decoder, prompt_decoder
from panscript.schemas.errors import SourceError
from panscript.schemas.records import Source

__all__ = ["Conversation", "Piece", "opened"]


class Piece(NamedTuple):
    """A record of a conversation."""

    file: int
    stored: bytes | Mapping[str, Any]
    """Its bytes, or the row whose JSON they are."""
    offset: int
    line: int
    step: Step | None = None
    request: bytes | Response | None = None
    """What a row, or the document, says of a request to a model."""
    is_head: bool = False
    """It tells of the conversation as a whole."""
    repeats: bool = False
    """It says what another file of the conversation tells."""
    between: bool = False
    """It is no element of the document."""
    trouble: Recovered[Any] | None = None
    place: str | None = None
    """The row it is, in the database."""

    @property
    def raw(self) -> bytes:
        """Its bytes; those of a row are made whenever they are asked for, since few ask."""
        return self.stored if isinstance(self.stored, bytes) else msgspec.json.encode(self.stored)


class Conversation:
    """The files of a conversation, opened."""

    about: About
    lost: bool
    """The database is there, but no longer is one."""

    def __init__(
        self, source: Source, log: str | None, document: str | None, store: Store | None, *, lost: bool
    ) -> None:
        self.lost = lost
        self._source = source
        self._log = log
        self._document = Trajectory(document) if document is not None else None
        self._store = store
        self.about = store.about() if store is not None else About()

    @property
    def has_database(self) -> bool:
        """Whether there is one."""
        return self._store is not None

    def pieces(self) -> Iterator[Piece]:
        """All records in order. Raises `SourceError`s."""
        if self._log is not None:
            for parsed in rows([self._log], line_decoder, is_record):
                step = step_of_line(parsed.row) if parsed.row is not None else None
                yield Piece(0, parsed.raw, parsed.offset, parsed.line, step, trouble=parsed.trouble)
        if self._document is not None:
            yield from self._exported(self._document, int(self._log is not None))
        if self._store is None:
            return
        file, line = sum(each is not None for each in (self._log, self._document)), 0
        if self.about.row:
            line += 1
            place = named_row("trajectory_metadata_blob", id=self.about.row.get("id"))
            yield Piece(file, dict(self.about.row), 0, line, is_head=True, place=place)
        exported = self._document.count if self._document is not None else 0
        for number, row in enumerate(self._store.steps()):
            line += 1
            told = self._log is not None or number < exported
            place = named_row("steps", idx=row["idx"])
            yield Piece(file, row, 0, line, None if told else _step(row), repeats=told, place=place)
        for row in self._store.responses():
            line += 1
            place = named_row("gen_metadata", idx=row["idx"])
            yield Piece(file, row, 0, line, request=_bytes(row["data"]), place=place)

    def _exported(self, document: Trajectory, file: int) -> Iterator[Piece]:
        """The document. Of one that is damaged the database, where there is one, knows better what was said."""
        told = self._log is not None or (self._store is not None and not document.whole)
        counted = self._store.requests() if self._store is not None else 0
        number = 0
        for span in document.spans():
            piece = Piece(file, span.raw, span.offset, span.line, trouble=span.trouble)
            if span.request is not None:
                number += 1
                twin = number <= counted
                yield piece._replace(request=None if twin else span.request, repeats=twin)
            elif span.step is not None:
                yield piece._replace(step=None if told else span.step, repeats=told)
            else:
                lost = span.trouble is not None and span.trouble.skip is not None
                yield piece._replace(is_head=not span.offset and not lost, between=not lost)

    def known(self) -> dict[int, Step]:
        """What is known better than by the log of steps with calls or results, by their number."""
        if self._log is None:
            return {}
        rows = self._store.steps() if self._store is not None else ()
        spans = self._document.spans() if self._document is not None else ()
        steps = [step for step in (*(span.step for span in spans), *map(_step, rows)) if step is not None]
        return {
            step.index: Step(kind=step.kind, source="", calls=step.calls, answers=step.answers, failed=step.failed)
            for step in steps
            if step.index is not None and (step.calls or step.answers)
        }

    def cwd(self) -> str | None:
        """The folder it was held in: by the history of prompts, else by what it says of itself."""
        path = str(root_of(self._source.transcripts[-1].path) / HISTORY)
        name = self._source.id.encode("utf-8", "surrogatepass")
        try:
            for parsed in rows([path], prompt_decoder, _is_prompt, lambda raw: name in raw):
                row = parsed.row
                if row is not None and row.conversation_id == self._source.id and row.workspace:
                    return folder_of(row.workspace) or row.workspace
        except SourceError:
            pass
        return self.about.cwd


@contextmanager
def opened(source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Conversation]:
    """A conversation. Raises `SourceError`s."""
    paths = [file.path for file in source.transcripts]
    databases = [path for path in paths if is_database(path)]
    document = next((path for path in paths if path.endswith(TRAJECTORY)), None)
    others = [path for path in paths if path not in databases and path != document]
    # What was a database is none to be read as a log, unless it is all there is.
    log = next((path for path in others if len(paths) == 1 or not path.endswith(".db")), None)
    if not databases:
        yield Conversation(source, log, document, None, lost=len(others) > (log is not None))
        return
    with database(databases[-1], options) as found:
        yield Conversation(source, log, document, Store(found, databases[-1]), lost=False)


def _is_prompt(value: dict[str, Any]) -> bool:
    return "conversationId" in value


def _step(row: Mapping[str, Any]) -> Step:
    index, kind, status = (row.get(name) for name in ("idx", "step_type", "status"))
    return step_of_row(
        index if isinstance(index, int) else None,
        kind if isinstance(kind, int) else 0,
        status if isinstance(status, int) else 0,
        _bytes(row.get("step_payload")),
        _bytes(row.get("error_details")),
    )


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else value.encode() if isinstance(value, str) else b""
