"""A session that comes home: the very records it was imported with, and behind them what was said since.

Only where the import carried the records along (`--embed`). They are unpacked into a private folder and copied from
there, as every session of the same agent is; what was said since is converted and stands behind them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from msgspec.structs import replace

from panscript.readers.home import Damaged, imported_until, records
from panscript.readers.opening import open_source, read
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import Compaction, Event, Message, Session, Shell, Summary, ToolResult
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport
from panscript.stages.prepare import prepare
from panscript.stages.redaction import Redactor
from panscript.writers.identity import file_part
from panscript.writers.options import Continuation, WriteOptions
from panscript.writers.targets import writer

__all__ = ["Homecoming", "homecoming"]

_SAID = (Message, ToolResult, Compaction, Shell, Summary)


class Homecoming:
    """A session at the agent that it was imported from, and what was said of it since."""

    def __init__(self, home: Source, now: Source, goes_on: Continuation | None) -> None:
        self.home = home
        """The session as it was before it was imported."""
        self._now = now
        self._goes_on = goes_on

    def rest(
        self, sink: BinaryIO, account: FileReport, end: bytes, *, options: WriteOptions, redactor: Redactor | None
    ) -> int | None:
        """Write what was said since behind the records, the last of which is `end`; gives the time of the last message,
        None when nothing was said."""
        stream = self._since()
        first = next(stream)
        said = next((event for event in stream if isinstance(event, _SAID)), None)
        if said is None:
            return None
        if not end.endswith(b"\n"):
            sink.write(b"\n")
        more = replace(options, continues=self._goes_on, embed=None, all_branches=False)
        events = prepare(chain([first, said], stream), redactor=redactor, report=account)
        return writer(self.home.agent).write(events, sink, options=more, report=account)

    def _since(self) -> Iterator[Event]:
        """The session's first event, and those that its agent wrote after the import, on the branch that goes on."""
        end = imported_until(self._now)
        last = len(self._now.transcripts) - 1
        for record in _records(self._now):
            new = record.origin.file == last and record.origin.offset > end
            for event in record.events:
                if isinstance(event, Session) or (new and event.live):
                    yield event


@contextmanager
def homecoming(now: Source, agent: str) -> Iterator[Homecoming | str | None]:
    """The session that `now` was imported from at this agent, for as long as the block lasts.

    None when its records were not carried along; when they cannot be used, why.
    """
    with tempfile.TemporaryDirectory(prefix="panscript-") as folder:
        try:
            last = _unpack(now, Path(folder))
            yield _opened(last, now, agent) if last is not None else None
        except Damaged as reason:
            yield str(reason)


def _unpack(now: Source, folder: Path) -> Path | None:
    """Put the records into the folder; gives the file that goes on. Raises `Damaged`."""
    last: Path | None = None
    try:
        for path, content in records(now):
            # The whole path stays, since the agent's reader knows from its parts where the file belongs.
            parts = [file_part(part) for part in PurePosixPath(path).parts if part != "/"]
            if not parts:
                raise Damaged("what was carried along has no name")
            last = folder.joinpath(*parts)
            last.parent.mkdir(parents=True, exist_ok=True)
            with last.open("xb") as file, _packed(last, file) as place:
                for block in content:
                    place.write(block)
    except OSError as problem:
        raise Damaged(f"what was carried along cannot be unpacked: {problem.strerror}") from None
    return last


@contextmanager
def _packed(path: Path, file: BinaryIO) -> Iterator[BinaryIO]:
    """A place for what comes compressed into a file of such a name."""
    if path.suffix != ".zst":
        yield file
        return
    import zstandard

    with zstandard.ZstdCompressor().stream_writer(file, closefd=False) as place:
        yield place


def _opened(path: Path, now: Source, agent: str) -> Homecoming:
    try:
        home = open_source(str(path), agent)
        goes_on = writer(agent).continuation(_records(home))
    except PanscriptError as error:
        raise Damaged(f"what was carried along cannot be read: {error.message}") from None
    if _grown(now) and goes_on is None:
        raise Damaged("nothing can be hung on the records that were carried along")
    return Homecoming(replace(home, shown_as=now.path), now, goes_on)


def _grown(now: Source) -> bool:
    """Whether anything was said since the import. Raises `Damaged` where that does not go on from its end."""
    end = imported_until(now)
    if end < 0:
        raise Damaged("where the import ends is not said")
    last = len(now.transcripts) - 1
    live, grown = True, False
    for record in _records(now):
        for event in record.events:
            if not isinstance(event, _SAID) or event.agent_id is not None:
                continue
            if record.origin.file == last and record.origin.offset > end:
                grown = True
            else:
                live = event.live
    if not live:
        raise Damaged("the session went on from an earlier point than the end of the import")
    return grown


def _records(source: Source) -> Iterator[Record]:
    return read(source, options=ReadOptions(told_usage=False, digest=False))
