"""What a Codex thread was billed, from as few of its bytes as can be.

Nearly all lines begin alike, and their first bytes say whether counting needs them; only what begins in another way,
or holds the beginning of another line, is looked at closely.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing

import msgspec

from panscript.readers.blocks import blocks
from panscript.readers.codex.files import is_record
from panscript.readers.codex.plan import plan
from panscript.readers.codex.usage import PROVIDER, Copied, Counter, Spent, billed_model, has_marker, is_marker
from panscript.readers.tolerant import recover
from panscript.schemas import timestamps
from panscript.schemas.billing import Billed, Payer
from panscript.schemas.codex.lean import UsageLine, UsagePayload, usage_line_decoder
from panscript.schemas.naming import billing_provider
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["billed"]

_BEGINNING = b'{"timestamp":"'
_TYPE = b'"type":"'
_EVENT = b'event_msg","payload":{"type":"'
_PASS_BY = (
    *(b'response_item"', b'world_state"', b'compacted"', b"inter_agent_communication", b"panscript_import"),
    *(_EVENT + kind for kind in (b'item_completed"', b"agent_", b'user_message"', b'task_complete"', b"turn_complete")),
    *(_EVENT + kind for kind in (b"exec_command_", b"patch_apply_", b"mcp_", b"web_search_", b'turn_aborted"')),
)
"""How types go on that counting never needs."""
_RECORD = b'"token_usage_record"'
_CONTEXTS = (b'"turn_context"', b'"session_meta"')


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What the thread was billed, in file order. Raises `SourceError`s.

    The report counts the lines that had to be decoded (`scan` usage).
    """
    planned = plan(source)
    report.agent, report.session_id, report.scan = source.agent, planned.thread, "usage"
    copied = _copied(source.files[planned.first_own].path, planned.thread)
    counter = Counter(planned.thread, report)
    payers: dict[tuple[str | None, ...], Payer] = {}
    for place, file in enumerate(source.files):
        if not planned.files[place].own:
            continue
        end = copied.end if place == planned.first_own else 0
        markers = _Markers(file.path, counter, report)
        with closing(markers.read()) as found:
            for number, row in enumerate(found):
                spent = counter.count(row, inherited=0 < number < end)
                if number >= end and counter.records:
                    markers.only_records = True
                if spent is not None:
                    said = (spent.model, spent.cwd, counter.raw_provider)
                    payer = payers.get(said)
                    if payer is None:
                        payer = payers[said] = _payer(planned.thread, *said)
                    yield _billed(spent, payer)


def _payer(thread: str, model: str | None, cwd: str | None, provider: str | None) -> Payer:
    return Payer(thread, billed_model(model), billing_provider(provider) or PROVIDER, cwd)


def _billed(spent: Spent, payer: Payer) -> Billed:
    prompt, read, write, output, reasoning = spent.counts
    fresh = max(0, prompt - read - write)
    return Billed(payer, spent.time, fresh, output, min(reasoning, output), read, write, fresh + output + read + write)


def _copied(path: str, thread: str) -> Copied:
    """Which records of a thread's first file were copied. Only a fork is read as far as that takes."""
    copied = Copied(thread)
    with closing(_Markers(path).read()) as markers:
        for row in markers:
            if not copied.feed(row, timestamps.parse(row.timestamp)):
                break
    return copied


class _Markers:
    """The records of one file that counting needs."""

    def __init__(self, path: str, counter: Counter | None = None, report: FileReport | None = None) -> None:
        self._path = path
        self._counter = counter
        self._report = report
        self.only_records = False
        """From here on a `token_usage_record` says all, but for the model of a turn that was not seen before."""
        self._before = self._place = 0
        """Bytes before the current block; in it, up to where it was looked at line by line."""
        self._left_out = False
        """A part of the file was not searched for contexts, since what stands around it is of one turn."""
        self._careful = False

    def read(self) -> Generator[UsageLine, None, None]:
        """The records in file order, and perhaps some that are not needed any more."""
        for buffer, end in blocks(self._path):
            self._place = 0
            for line in self._lines(buffer, end):
                if has_marker(line):
                    yield from self._rows(line)
            if self._place < end:
                yield from self._records(buffer, self._place, end)
            self._before += end

    def _rows(self, line: bytes) -> list[UsageLine]:
        try:
            row = usage_line_decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found = recover(line, usage_line_decoder, is_record)
            if found.skip is not None and self._report is not None:
                self._report.complete = False
                self._report.skipped_lines += 1
                self._report.skip(found.skip)
            return [row for row in found.rows if is_marker(row)]
        return [row] if is_marker(row) else []

    def _lines(self, buffer: bytearray, end: int) -> Iterator[bytes]:
        """The lines of a block that may be needed, for as long as not only records are."""
        find, startswith = buffer.find, buffer.startswith
        start, beginning = 0, -1
        while start < end and not self.only_records:
            if beginning < start:
                beginning = find(_BEGINNING, start, end)
                beginning = beginning if beginning >= 0 else end
            stop = find(b"\n", start, end) + 1 or end
            if beginning == start:
                beginning = find(_BEGINNING, start + 1, end)
                beginning = beginning if beginning >= 0 else end
                # With no second beginning on the line it is one record, whole or torn, of the type it starts with.
                if beginning >= stop:
                    kind = find(_TYPE, start + 30, start + 90)
                    if kind > 0 and startswith(_PASS_BY, kind + len(_TYPE)):
                        start = stop
                        continue
            line = bytes(buffer[start:stop])
            start = stop
            yield line
        self._place = start

    def _records(self, buffer: bytearray, start: int, end: int) -> Iterator[UsageLine]:
        """The records of a block that bill something, with the contexts that they need before them."""
        find, counter = buffer.find, self._counter
        assert counter is not None
        at = find(_RECORD, start, end)
        while at >= 0:
            first = buffer.rfind(b"\n", start, at) + 1 or start
            stop = find(b"\n", at, end) + 1 or end
            rows = self._rows(bytes(buffer[first:stop]))
            at = find(_RECORD, stop, end)
            if not rows:
                continue
            payload = rows[0].payload
            turn = payload.turn_id if isinstance(payload, UsagePayload) and len(rows) == 1 else None
            if not self._careful and counter.knows(turn):
                self._left_out = True
            else:
                yield from self._contexts(buffer, start, first)
                if self._left_out and not self._careful and not counter.knows(turn):
                    # Its context must stand in a part that was left out, if anywhere.
                    self._careful = True
                    yield from self._all_contexts(self._before + first)
            yield from rows
            start = stop
        yield from self._contexts(buffer, start, end)

    def _contexts(self, buffer: bytearray, start: int, end: int) -> Iterator[UsageLine]:
        """The contexts in a part of a block."""
        while found := [place for marker in _CONTEXTS if (place := buffer.find(marker, start, end)) >= 0]:
            first = buffer.rfind(b"\n", start, min(found)) + 1 or start
            start = buffer.find(b"\n", min(found), end) + 1 or end
            yield from self._rows(bytes(buffer[first:start]))

    def _all_contexts(self, end: int) -> Iterator[UsageLine]:
        """The contexts in the first bytes of the file."""
        for buffer, size in blocks(self._path):
            yield from self._contexts(buffer, 0, min(size, end))
            end -= size
            if end <= 0:
                return
