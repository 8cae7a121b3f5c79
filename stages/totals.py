"""Adding up what was billed, by whatever people ask for; copies of one response in several files count once.

Nothing is kept of a response but its key, and that only where there can be copies.
"""

from __future__ import annotations

import time as clock
from array import array
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo

import msgspec

from panscript.schemas.agents import agent_ids
from panscript.schemas.billing import Billed, Payer

__all__ = ["KEYS", "Group", "Sum", "Totals", "Zone", "merge"]

KEYS = ("agent", "model", "provider", "day", "week", "month", "session", "project")
"""What totals can be asked by."""
_TIMES = frozenset({"day", "week", "month"})
_SLOT = 900_000
"""Milliseconds: offsets of time zones are whole quarters of an hour."""
_FEW = 1 << 16

Zone = tzinfo | None
"""None is the machine's own."""


class Sum(msgspec.Struct):
    """Counts of one group."""

    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    total_tokens: int = 0
    cost_usd: float | None = None
    """None when no agent recorded any."""
    events: int = 0
    sessions: int = 0

    def add(self, row: Billed) -> None:
        """Count a response."""
        self.input_tokens += row.input
        self.output_tokens += row.output
        self.reasoning_tokens += row.reasoning
        self.cache_read_tokens += row.cache_read
        self.cache_write_tokens += row.cache_write
        self.total_tokens += row.total
        self.events += 1
        if row.cost is not None:
            self.cost_usd = (self.cost_usd or 0.0) + row.cost


class Group(msgspec.Struct):
    """One row of the result."""

    keys: tuple[str | None, ...]
    """In the order they were asked for."""
    sum: Sum


class Totals:
    """Feed it the sessions one after another, of copies the one that counts first."""

    def __init__(
        self, by: Sequence[str], *, zone: Zone = None, since: int | None = None, until: int | None = None
    ) -> None:
        """`since` and `until` bound the times that count, in milliseconds since 1970 UTC, the second exclusively."""
        self.by = tuple(by)
        self.copies = 0
        """Responses that were left out because another session has them."""
        self._since, self._until = since, until
        self._seen = _Keys()
        self._responses = _Keys()
        self._members: dict[str, set[int]] = {}
        """Sub-agent of the family -> its responses."""
        self._records: set[int] = set()
        """Responses of the family's sub-agents with their times."""
        self._groups: dict[tuple[str | None, ...], tuple[Sum, set[int]]] = {}
        self._sessions: dict[tuple[str, str], int] = {}
        named = [name for name in self.by if name in _TIMES]
        self._labels = _Labels(named, zone) if named else None

    def session(
        self,
        agent: str,
        rows: Iterable[Billed],
        *,
        family: bool = False,
        member: str | None = None,
        forked_from: str | None = None,
    ) -> None:
        """Count a session. `family` says that it is one of several, those first whose responses others replay; `member`
        is the agent id of a sub-agent among them, `forked_from` that of the one before that it was forked from."""
        since, until, labels = self._since, self._until, self._labels
        known: dict[tuple[Payer, tuple[str, ...]], tuple[Sum, set[int]]] = {}
        mine, records = set[int](), set[int]()
        forked = self._members.get(forked_from or "", frozenset[int]())
        for row in rows:
            if family and row.response:
                if not row.replayed:
                    self._responses.add(row.response)
                else:
                    copied = row.response in self._responses
                    if member is not None:
                        # What was copied may have a request id of its own, but not a time.
                        record = hash((row.response, row.time))
                        copied = copied or row.response in forked or record in self._records
                        mine.add(row.response)
                        records.add(record)
                    if copied:
                        self.copies += 1
                        continue
            if row.key and not self._seen.add(row.key):
                self.copies += 1
                continue
            if (since is not None and row.time < since) or (until is not None and row.time >= until):
                continue
            times = labels.of(row.time) if labels is not None else ()
            group = known.get((row.payer, times))
            if group is None:
                group = known[row.payer, times] = self._group(agent, row.payer, times)
            group[0].add(row)
        if member is not None:
            self._members[member] = mine
            self._records |= records

    def family_ends(self) -> None:
        """What follows replays nothing of the sessions before."""
        self._responses = _Keys()
        self._members.clear()
        self._records.clear()

    def _group(self, agent: str, payer: Payer, times: tuple[str, ...]) -> tuple[Sum, set[int]]:
        """The group of responses like this, with its session counted in."""
        time = iter(times)
        keys = tuple(next(time) if name in _TIMES else _said(name, agent, payer) for name in self.by)
        # Sessions of two agents that have one id are two.
        whose = (*keys, agent) if "session" in self.by else keys
        group = self._groups.setdefault(whose, (Sum(), set()))
        group[1].add(self._sessions.setdefault((agent, payer.session_id), len(self._sessions)))
        return group

    def groups(self) -> list[Group]:
        """The groups: agents as in their table, times rising, everything else by the tokens it took."""
        found = []
        for keys, (total, sessions) in self._groups.items():
            total.sessions = len(sessions)
            found.append(Group(keys[: len(self.by)], total))
        return _sorted(found, self.by)

    def total(self) -> Sum:
        """All groups together."""
        whole = Sum(sessions=len(set().union(*(sessions for _, sessions in self._groups.values()))))
        for part, _ in self._groups.values():
            merge(whole, part)
        return whole


class _Keys:
    """A set of 64-bit numbers that takes about twice their size; up to some ten thousand it is a plain set."""

    def __init__(self) -> None:
        self._few: set[int] | None = set()
        self._table = array("q")
        self._count = 0

    def add(self, key: int) -> bool:
        """Put in a number other than 0; False when it was there already."""
        few = self._few
        if few is not None:
            if key in few:
                return False
            few.add(key)
            if len(few) >= _FEW:
                self._grow(few)
                self._few = None
            return True
        table, mask = self._table, len(self._table) - 1
        place = key & mask
        while found := table[place]:
            if found == key:
                return False
            place = (place + 1) & mask
        table[place] = key
        self._count += 1
        if self._count * 3 > len(table) * 2:
            self._grow(table)
        return True

    def __contains__(self, key: int) -> bool:
        if self._few is not None:
            return key in self._few
        table, mask = self._table, len(self._table) - 1
        place = key & mask
        while found := table[place]:
            if found == key:
                return True
            place = (place + 1) & mask
        return False

    def _grow(self, keys: Iterable[int]) -> None:
        size = max(len(self._table), _FEW) * 2
        table, mask = array("q", bytes(8 * size)), size - 1
        self._count = 0
        for key in keys:
            if key:
                place = key & mask
                while table[place]:
                    place = (place + 1) & mask
                table[place] = key
                self._count += 1
        self._table = table


class _Labels:
    """Names of the days, weeks and months that instants lie in."""

    def __init__(self, names: Sequence[str], zone: Zone) -> None:
        self._names = names
        self._zone = zone
        self._known: dict[int, tuple[str, ...]] = {}

    def of(self, time: int) -> tuple[str, ...]:
        """The labels of an instant, in the order of the names."""
        slot = time // _SLOT
        found = self._known.get(slot)
        if found is None:
            day = self._day(slot * _SLOT // 1000)
            found = self._known[slot] = tuple(_LABELS[name](day) for name in self._names)
        return found

    def _day(self, seconds: int) -> date:
        when = _EPOCH + timedelta(seconds=seconds)
        try:
            if self._zone is not None:
                return when.astimezone(self._zone).date()
            local = clock.localtime(seconds)
            return date(local.tm_year, local.tm_mon, local.tm_mday)
        except (OverflowError, OSError, ValueError):
            # At the ends of the calendar another zone's day may not exist.
            return when.date()


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _week(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year:04d}-W{week:02d}"


_LABELS: dict[str, Callable[[date], str]] = {
    "day": date.isoformat,
    "week": _week,
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
}


def _said(name: str, agent: str, payer: Payer) -> str | None:
    if name == "agent":
        return agent
    if name == "session":
        return payer.session_id
    return {"model": payer.model, "provider": payer.provider, "project": payer.cwd}[name]


def _sorted(groups: list[Group], by: Sequence[str]) -> list[Group]:
    """By each key in turn, so that groups that share the first key stand together."""
    sizes: dict[tuple[str | None, ...], int] = {}
    for group in groups:
        for depth in range(1, len(by) + 1):
            part = group.keys[:depth]
            sizes[part] = sizes.get(part, 0) + group.sum.total_tokens
    agents = {name: number for number, name in enumerate(agent_ids())}

    def rank(group: Group) -> list[tuple[int, str]]:
        found = []
        for depth, (name, key) in enumerate(zip(by, group.keys, strict=True), 1):
            first = agents.get(key or "", 0) if name == "agent" else -sizes[group.keys[:depth]]
            found.append((0 if name in _TIMES else first, key or ""))
        return found

    return sorted(groups, key=rank)


def merge(whole: Sum, part: Sum) -> None:
    """Add the counts of a part, but for its sessions, which other parts may share."""
    for name in ("input_tokens", "output_tokens", "reasoning_tokens", "cache_read_tokens", "cache_write_tokens"):
        setattr(whole, name, getattr(whole, name) + getattr(part, name))
    whole.total_tokens += part.total_tokens
    whole.events += part.events
    if part.cost_usd is not None:
        whole.cost_usd = (whole.cost_usd or 0.0) + part.cost_usd
