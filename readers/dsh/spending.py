"""What the responses in a log were billed, from lines of which only the counts were decoded.

The rules are those of `events`. Where they turn on what was said, which is not here, the log is called doubtful.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from panscript.readers.dsh.content import is_rewrite, tokens_of
from panscript.readers.dsh.events import CHECKPOINT, ENDS, route_of
from panscript.readers.dsh.files import Header, is_there, parsed_header
from panscript.readers.dsh.survey import CHUNKS, missing, time_of
from panscript.schemas.dsh.lean import Route, Usage, UsageData, UsageRow
from panscript.schemas.events import Tokens
from panscript.schemas.events import Usage as UsageEvent
from panscript.schemas.naming import billing_provider, model_name
from panscript.schemas.report import FileReport

__all__ = ["Spending"]


class _Spent(NamedTuple):
    record: int
    time: int
    tokens: Tokens
    route: Route
    message: str | None


class Spending:
    """Feed it every record that can be read, in file order, then `end` it."""

    def __init__(self, path: str) -> None:
        self.is_doubtful = False
        """Whether only a full read tells all of it."""
        self.header: Header = parsed_header(path, None)
        self._path = path
        self._boundary = -1
        """Number of the first record that is the session's own; -1 when all are."""
        self._begun = False
        self._number = -1
        self._row = UsageRow()
        """The last record: when it was written is asked for only where it bills something."""
        self._route = Route()
        """Of the last title."""
        self._named = Route()
        """The model that was named last, and who serves it."""
        self._partial: Usage | None = None
        """What a response took that is still being received."""
        self._spent: list[_Spent] = []
        self._skipped: dict[str, int] = {}
        self._given_up: list[tuple[str, int]] = []

    def row(self, number: int, row: UsageRow, line: int) -> None:
        """The next record, and where it stands."""
        self._number, self._row = number, row
        kind, data = row.type or "", row.data
        if not self._begun:
            self._begun = True
            self.header = parsed_header(self._path, row if kind == "session" else None)
            if kind == "session":
                return
        if self.header.seed_length and row.seq is not None and row.seq < self.header.seed_length:
            self._boundary = number + 1
        if kind == "session":
            return
        if (code := missing(row)) is not None:
            self._given_up.append((code, line))
        elif kind in ENDS:
            if self._partial is not None:
                self._close()
        elif kind in CHUNKS:
            if data is not None and data.chunk is not None and data.chunk.type == "usage":
                self._partial = data.chunk.usage or self._partial
        elif data is not None:
            self._say(kind, row, data)

    def _say(self, kind: str, row: UsageRow, data: UsageData) -> None:
        if kind == "assistant/message":
            self._assistant(row, data)
        elif kind == "tool/call":
            # It ends the response, unless a message asked for the call.
            self.is_doubtful = self.is_doubtful or self._partial is not None
        elif kind == "compaction/summary":
            self._bill(data.usage, Route(data.provider, data.model), None)
        elif kind == "request/header":
            self._name(data.header.config if data.header is not None else None)
        elif kind == "session/title-llm-request":
            self._route = data.route or Route(data.provider, data.model)
        elif kind == "session/end-seed" and data.inherited and self.header.is_seeded:
            self._boundary = self._number

    def _assistant(self, row: UsageRow, data: UsageData) -> None:
        message = data.message
        assert message is not None
        if is_rewrite(row) and (message.origin is None or message.origin.kind != CHECKPOINT):
            return
        self._partial = None
        route = route_of(message)
        self._name(route)
        self._bill(data.usage, route, message.id)

    def _name(self, route: Route | None) -> None:
        if route is not None:
            self._named = Route(route.provider or self._named.provider, route.model or self._named.model)

    def _close(self) -> None:
        partial, self._partial = self._partial, None
        self._bill(partial, self._named, None)

    def _bill(self, usage: Usage | None, route: Route, message: str | None) -> None:
        if usage is None:
            return
        tokens, time = tokens_of(usage), time_of(self._row)
        if not (tokens.total or tokens.reasoning):
            self._skip("no_token_usage")
        elif time is None:
            self._skip("invalid_timestamp")
        else:
            named = Route(route.provider or self._route.provider, route.model or self._route.model)
            self._spent.append(_Spent(self._number, time, tokens, named, message))

    def _skip(self, code: str) -> None:
        self._skipped[code] = self._skipped.get(code, 0) + 1

    def end(self) -> None:
        """The log is over, and with it a response that was never finished."""
        self._close()

    def tell(self, report: FileReport) -> None:
        """Count what cannot be told."""
        for code, line in self._given_up:
            report.skip_line(code, line)
        for code, times in self._skipped.items():
            report.skip(code, times)

    def events(self) -> Iterator[UsageEvent]:
        """What was billed, in the order of the log."""
        parent = self.header.parent
        there = self._boundary >= 0 and parent is not None and is_there(self._path, parent)
        for spent in self._spent:
            copied = parent if 0 < spent.record < self._boundary else None
            yield UsageEvent(
                id="usage",
                time=spent.time,
                inherited_from=copied if there else None,
                tokens=spent.tokens,
                model=model_name(spent.route.model),
                provider=billing_provider(spent.route.provider),
                message_id=spent.message,
                cwd=self.header.cwd,
                session_id=copied if not there else None,
            )
