"""A conversation as its records: the lines of its log, then the rows of its database; either may be missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec

from panscript.readers.antigravity.files import HISTORY, is_record, root_of
from panscript.readers.antigravity.steps import Step, step_of_line, step_of_row
from panscript.readers.antigravity.store import About, Store, folder_of
from panscript.readers.databases import is_database
from panscript.readers.jsonl import rows
from panscript.readers.options import ReadOptions
from panscript.readers.sqlite import database
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
    request: bytes | None = None
    """What a row says of a request to a model."""
    is_head: bool = False
    """It tells of the conversation as a whole."""
    repeats: bool = False
    """It is a step that the log tells."""
    trouble: Recovered[Any] | None = None

    @property
    def raw(self) -> bytes:
        """Its bytes; those of a row are made whenever they are asked for, since few ask."""
        return self.stored if isinstance(self.stored, bytes) else msgspec.json.encode(self.stored)


class Conversation:
    """The files of a conversation, opened."""

    about: About
    lost: bool
    """The database is there, but no longer is one."""

    def __init__(self, source: Source, log: str | None, store: Store | None, *, lost: bool = False) -> None:
        self.lost = lost
        self._source = source
        self._log = log
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
        if self._store is None:
            return
        file, line = int(self._log is not None), 0
        if self.about.row:
            line += 1
            yield Piece(file, dict(self.about.row), 0, line, is_head=True)
        for row in self._store.steps():
            line += 1
            told = self._log is not None
            yield Piece(file, row, 0, line, None if told else _step(row), repeats=told)
        for row in self._store.responses():
            line += 1
            yield Piece(file, row, 0, line, request=_bytes(row["data"]))

    def known(self) -> dict[int, Step]:
        """What the database knows better than the log of steps with calls or results, by their number."""
        if self._log is None or self._store is None:
            return {}
        steps = (_step(row) for row in self._store.steps())
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
    log = next((path for path in paths if path not in databases), None)
    if not databases:
        yield Conversation(source, log, None, lost=len(paths) > 1)
        return
    with database(databases[-1], options) as found:
        yield Conversation(source, log, Store(found, databases[-1]))


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
