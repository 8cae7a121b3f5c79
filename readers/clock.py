"""Which times of a session are later than most that follow them: a clock that ran ahead for one record.

Only the records after it can tell, so this is part of a reader's first pass. One record is suspected at a time, and
only when the time line is whole without it: a clock that was set back moves what follows, not what came before.
"""

from __future__ import annotations

__all__ = ["Clock"]

_WATCHED = 16
_AHEAD = 86_400_000
"""Milliseconds: where one or two records are all that follows, only a clock that was a day ahead was wrong."""


class Clock:
    """Feed it every record's time in file order; `late` holds the numbers of the records whose time is wrong."""

    def __init__(self) -> None:
        self.late: set[int] = set()
        self.first: int | None = None
        self.last: int | None = None
        """Earliest and latest time that are not wrong, milliseconds since 1970 UTC."""
        self._peak: tuple[int, int] | None = None  # record and its time
        self._before: int | None = None  # the latest time before the peak
        self._between = self._seen = 0
        self._since: int | None = None  # the latest time after the peak that is earlier than it

    def add(self, number: int, time: int) -> None:
        """The record `number` states this time, in milliseconds since 1970 UTC."""
        if self.first is None or time < self.first:
            self.first = time
        peak = self._peak
        if peak is not None and time < peak[1]:
            self._seen += 1
            if self._before is None or time >= self._before:
                self._between += 1
            if self._since is None or time > self._since:
                self._since = time
            if self._seen < _WATCHED:
                return
        self._judge()
        if self._before is None or time >= self._before:
            self._peak = (number, time)
        else:
            self._peak = (number, self._before)
        self._between = self._seen = 0
        self._since = None

    def end(self) -> None:
        """The file is over: the last suspect is judged by what did follow."""
        self._judge(ends=True)
        self.last = self._before

    def _judge(self, *, ends: bool = False) -> None:
        """The latest time so far is that of the peak, unless it is wrong. `ends`: nothing follows what was seen."""
        if self._peak is None:
            return
        number, latest = self._peak
        # Of many that follow most must agree; at the end of a file they may be few.
        few = (
            ends
            and self._before is not None
            and 0 < self._between == self._seen < 3
            and latest - (self._since or 0) > _AHEAD
        )
        most = self._between > 1 and self._between > self._seen // 2
        if (most or few) and self._since is not None:
            self.late.add(number)
            latest = self._since if self._before is None else max(self._before, self._since)
        self._before = latest
