"""Same agent to same agent: the bytes as they are, or with nothing but the secrets replaced."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO

import msgspec
from msgspec.structs import replace

from panscript.cli.output import Destination
from panscript.cli.streams import family
from panscript.readers.databases import is_database
from panscript.readers.lines import is_packed
from panscript.readers.opening import read, reader
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import CannotConvert, StrictLoss
from panscript.schemas.events import Event, Meta, Session, Usage
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport, Report
from panscript.schemas.separators import escaped
from panscript.writers.identity import file_part

if TYPE_CHECKING:
    from panscript.stages.redaction import Redactor

__all__ = ["Rest", "clean", "clean_names", "cleaned_document", "copy", "is_document"]

_EMBED = b'"embed"'
_EMBEDDED = re.compile(rb'("embed"\s*:\s*\{"encoding":"[^"]*","data":")[A-Za-z0-9+/=]+(")')

Rest = Callable[[BinaryIO, FileReport, bytes], int | None]
"""Writes what stands behind a session, whose last record is given; gives the time of its last message."""


def copy(
    source: Source,
    destination: Destination,
    report: Report,
    *,
    redactor: Redactor | None,
    subagents: bool,
    strict: bool,
    cwd: str | None = None,
    live_only: bool = False,
    line_safe: bool = False,
    rest: Rest | None = None,
) -> Iterator[str | None]:
    """Write every file of the session again; gives the path of each (None on standard output).

    Only the session's own files, and only the one that was named where one file is asked for; what the session builds
    on stays where it is. `cwd` writes another folder where rows name that of the session, `live_only` leaves out what
    was not on the branch that was live at the end, `line_safe` escapes characters that other programs take for line
    ends. `rest` writes what is to stand behind the session. Raises `CannotConvert` for a session in a database.
    """
    if is_database(source.transcripts[-1].path):
        what = "a session in a database cannot be written again as it is"
        raise CannotConvert(what, path=source.path, hint="`--to` another agent writes it there")
    members = list(family(source))
    account = report.open(source.path, source.agent, source.id)
    if len(members) > 1 and (not subagents or not destination.many):
        account.lose("subagent_left_out" if subagents else "subagent", len(members) - 1)
        members = members[:1]
    for number, member in enumerate(members):
        if number:
            account = report.open(member.path, member.agent, member.id)
        change = _Change(redactor, account, cwd=cwd, live_only=live_only, line_safe=line_safe)
        try:
            yield from _copy(member, destination, account, change, strict=strict, rest=rest if not number else None)
        finally:
            if redactor is not None:
                clean_names(account, redactor)


class _Change:
    """What is done to records on the way: nothing, unless it was asked for."""

    def __init__(
        self,
        redactor: Redactor | None,
        account: FileReport,
        *,
        cwd: str | None,
        live_only: bool,
        line_safe: bool,
    ) -> None:
        self.redactor = redactor
        self._account = account
        self._cwd = cwd
        self._live_only = live_only
        self._line_safe = line_safe
        self._folder: re.Pattern[bytes] | None = None

    def raw(self, record: Record) -> bytes:
        """The record's bytes as they shall be written."""
        if self._cwd is not None and record.events and isinstance(first := record.events[0], Session) and first.cwd:
            self._folder = re.compile(rb'("cwd"\s*:\s*)' + re.escape(msgspec.json.encode(first.cwd)))
        if self._live_only and not all(event.live for event in record.events) and not any(map(_stays, record.events)):
            self._account.lose("branch")
            return b""
        raw = record.raw if self.redactor is None else clean(record, self.redactor, self._account)
        if self._line_safe and (safe := escaped(raw)) is not raw:
            self._account.change("separators_escaped")
            raw = safe
        if self._folder is not None and self._cwd is not None and b'"cwd"' in raw:
            folder = msgspec.json.encode(self._cwd)
            raw = self._folder.sub(lambda found: found[1] + folder, raw)
        return raw


def _stays(event: Event) -> bool:
    """Whether the event keeps its record where only the live branch is wanted: facts of the session do not speak."""
    return event.live and not isinstance(event, Meta | Usage)


def _copy(
    source: Source,
    destination: Destination,
    account: FileReport,
    change: _Change,
    *,
    strict: bool,
    rest: Rest | None,
) -> Iterator[str | None]:
    layout = reader(source.agent).layout
    only = source.named or source.transcripts[-1].path
    records = _Ahead(read(source, report=account, options=ReadOptions(usage=False)))
    for index, file in enumerate(source.files):
        if file.role == "base" or (not destination.many and file.path != only):
            continue
        with destination.open(_name(layout(file.path), change.redactor)) as place:
            if file.role == "side":
                _copy_side(file.path, place.file, change.redactor)
                continue
            goes_on = rest if file == source.transcripts[-1] else None
            with _unpacked(file.path, place.file, again=change.redactor is not None or goes_on is not None) as sink:
                end = b""
                own = records.of(index)
                if change.redactor is not None and is_document(file.path):
                    own = iter(cleaned_document(own, change.redactor, account))
                for record in own:
                    raw = change.raw(record)
                    sink.write(raw)
                    end = raw or end
                if goes_on is not None:
                    place.time = goes_on(sink, account, end)
            if strict and (lost := account.lost_content()):
                raise StrictLoss(f"content would be lost ({', '.join(lost)})", path=source.path)
            path = str(place.path) if place.path is not None else None
        if path is not None:
            account.written.append(path)
        yield path


def _name(name: str, redactor: Redactor | None) -> str:
    """The path below the folder: it may repeat the session's folder, which may hold a secret or control characters."""
    parts = [part if redactor is None else redactor.text(part) for part in PurePosixPath(name).parts]
    whole = zip(PurePosixPath(name).parts, parts, strict=True)
    return "/".join(part if part == before and part.isprintable() else file_part(part) for before, part in whole)


def _copy_side(path: str, file: BinaryIO, redactor: Redactor | None) -> None:
    """A file beside the transcript, such as the full text of a long result."""
    data = Path(path).read_bytes()
    if redactor is not None and redactor.gate(data):
        text = data.decode("utf-8", "surrogateescape")
        data = redactor.text(text).encode("utf-8", "surrogateescape")
    file.write(data)


class _Ahead:
    """Records, file by file."""

    def __init__(self, records: Iterator[Record]) -> None:
        self._records = records
        self._next: Record | None = next(records, None)

    def of(self, file: int) -> Iterator[Record]:
        """The records of this file; those of files before it are passed over."""
        while self._next is not None and self._next.origin.file <= file:
            record, self._next = self._next, next(self._records, None)
            if record.origin.file == file and record.raw:
                yield record


@contextmanager
def _unpacked(path: str, file: BinaryIO, *, again: bool) -> Iterator[BinaryIO]:
    """A place for plain records of a file that may be compressed: it comes out compressed, `again` where it changed."""
    if not is_packed(path):
        yield file
    elif not again:
        yield _Nowhere()  # type: ignore[misc]
        with Path(path).open("rb") as original:
            shutil.copyfileobj(original, file, 1 << 20)
    else:
        import zstandard

        with zstandard.ZstdCompressor().stream_writer(file, closefd=False) as packed:
            yield packed


class _Nowhere:
    def write(self, data: bytes) -> int:
        return len(data)


def _without_embedded(raw: bytes, account: FileReport) -> bytes:
    """The same without records that an import carried along: they are compressed, so nobody can call them clean."""
    if _EMBED not in raw:
        return raw
    bare, times = _EMBEDDED.subn(rb"\1\2", raw)
    if times:
        account.redacted["embedded-records"] = account.redacted.get("embedded-records", 0) + times
    return bare


def is_document(path: str) -> bool:
    """Whether the records of a file are pieces of one JSON document."""
    return path.endswith(".json")


def cleaned_document(records: Iterable[Record], redactor: Redactor, account: FileReport) -> list[Record]:
    """The records of a document without secrets, as one: pieces around its elements are no JSON by themselves.

    Where the document is none, the records as they are.
    """
    pieces = list(records)
    whole = b"".join(record.raw for record in pieces)
    try:
        raw = redactor.json(whole)
    except ValueError:
        return pieces
    account.take_redacted(redactor.counts)
    return [replace(pieces[0], raw=raw, kind="used", events=())] if pieces else []


def clean_names(account: FileReport, redactor: Redactor) -> None:
    """Take secrets out of the names of types that the account tells; what was read of them has been counted."""
    account.rename_unknown(redactor.text)
    redactor.counts.clear()


def _is_object(raw: bytes) -> bool:
    """Whether a line that tells the reader nothing is whole all the same, so that all its strings can be looked at."""
    try:
        return isinstance(msgspec.json.decode(raw), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def clean(record: Record, redactor: Redactor, account: FileReport) -> bytes:
    """The record's bytes without secrets; none where they cannot be called clean."""
    if record.kind == "blank":
        return record.raw
    if record.kind != "skipped" or _is_object(record.raw):
        try:
            raw = redactor.json(_without_embedded(record.raw, account))
        except ValueError:
            pass
        else:
            account.take_redacted(redactor.counts)
            return raw
    account.lose("unverifiable_line")
    return b""
