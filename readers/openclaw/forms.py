"""The two forms of an OpenClaw session: lines of a file, rows of a database. Each gives the same lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import msgspec

from panscript.readers.databases import is_database
from panscript.readers.jsonl import Parsed, rows
from panscript.readers.openclaw.index import facts_beside
from panscript.readers.openclaw.rows import Adapter, UsageAdapter
from panscript.readers.openclaw.store import Facts, Held, Store
from panscript.readers.options import ReadOptions
from panscript.readers.pi.files import is_record
from panscript.readers.sqlite import database
from panscript.readers.tolerant import Recovered, recover
from panscript.schemas.errors import SourceNotFound
from panscript.schemas.openclaw.lean import entry_decoder, usage_decoder
from panscript.schemas.records import Source

__all__ = ["Form", "opened"]


class Form(Protocol):
    """A session in one of its forms."""

    facts: Facts
    """What stands beside its lines."""
    in_database: bool
    place: str | None
    """The row of the line at hand, in a database."""

    def lines(self) -> Iterator[Parsed]:
        """All of it in order; rows are what a line of Pi would be."""

    def holds(self, session: str) -> bool:
        """Whether another session stands in the same database."""


@contextmanager
def opened(source: Source, options: ReadOptions = ReadOptions(), *, only_usage: bool = False) -> Iterator[Form]:
    """The session in the form it has; `only_usage`: of its lines what counting needs. Raises `SourceError`s."""
    path = source.transcripts[-1].path
    if not is_database(path):
        yield _File(source, path, only_usage=only_usage)
        return
    with database(path, options) as found:
        store = Store(found, path)
        if not store.holds(source.id):
            raise SourceNotFound("the database holds no session of this id", path=path, hint=source.id)
        yield _Rows(source, store, only_usage=only_usage)


class _File:
    in_database = False
    place: str | None = None

    def __init__(self, source: Source, path: str, *, only_usage: bool) -> None:
        self._only_usage = only_usage
        self._path = path
        self.facts = facts_beside(path, source.id)

    def lines(self) -> Iterator[Parsed]:
        decoder, adapter = _decoding(only_usage=self._only_usage)
        for parsed in rows([self._path], decoder, is_record):
            if parsed.row is not None:
                adapter.row(parsed.row)
            yield parsed

    def holds(self, session: str) -> bool:  # noqa: ARG002 - a file holds one
        return False


class _Rows:
    in_database = True

    def __init__(self, source: Source, store: Store, *, only_usage: bool) -> None:
        self._only_usage = only_usage
        self._store = store
        self._id = source.id
        self.facts = store.facts(source.id)
        self.place: str | None = None

    def lines(self) -> Iterator[Parsed]:
        decoder, adapter = _decoding(only_usage=self._only_usage)
        for number, held in enumerate(self._store.lines(self._id), 1):
            self.place = held.place
            for parsed in _parsed(held, number, decoder):
                if parsed.row is not None:
                    adapter.row(parsed.row)
                yield parsed

    def holds(self, session: str) -> bool:
        return session != self._id and self._store.holds(session)


def _decoding(*, only_usage: bool) -> tuple[msgspec.json.Decoder[Any], UsageAdapter]:
    return (usage_decoder, UsageAdapter()) if only_usage else (entry_decoder, Adapter())


def _parsed(held: Held, number: int, decoder: msgspec.json.Decoder[Any]) -> Iterator[Parsed]:
    text = held.text
    if held.damaged:
        yield Parsed(0, text, 0, number, None, Recovered(skip="undecodable_jsonl_frame"))
        return
    try:
        yield Parsed(0, text, 0, number, decoder.decode(text), None)
        return
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = recover(text, decoder, is_record)
    if not found.rows:
        yield Parsed(0, text, 0, number, None, found)
    for index, row in enumerate(found.rows):
        more = Recovered(raws=[found.raws[index]]) if index else found
        yield Parsed(0, b"" if index else text, 0, number, row, more, index)
