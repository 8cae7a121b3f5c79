"""How Codex' tokens are counted.

Since 0.153 every answer has a `token_usage_record`; it counts once per response id, and `token_count` is ignored from
the first record on. Before, `token_count` events carry running totals that repeat, are reset, and go on from those of
a parent, so what counts is the difference between two of them. What was copied from another thread counts nothing.
"""

from __future__ import annotations

import msgspec

from panscript.schemas import timestamps
from panscript.schemas.codex.lean import Line, TokenUsage, UsageLine, UsagePayload
from panscript.schemas.counts import count
from panscript.schemas.events import NO_RAW, Tokens, Usage
from panscript.schemas.naming import billing_provider, model_name
from panscript.schemas.report import FileReport

__all__ = ["PROVIDER", "Copied", "Counter", "Spent", "UsageCounter", "billed_model", "has_marker", "is_marker"]

_UNKNOWN_MODEL = "legacy-codex-unknown"
PROVIDER = "openai"
"""Who bills when no record says so."""
_RECENT_TURNS = 64
_GAP = 100
"""Milliseconds between two records that one fork wrote in one go."""

_TYPES = frozenset({"session_meta", "turn_context", "token_usage_record"})
_EVENTS = frozenset({"token_count", "task_started", "turn_started", "thread_settings_applied"})


def has_marker(raw: bytes) -> bool:
    """Whether a line could be one that counting needs: a cheap test on its bytes."""
    return (
        b'"token_' in raw
        or b'"turn_context"' in raw
        or b'"session_meta"' in raw
        or b'_started"' in raw
        or b'"thread_settings_applied"' in raw
    )


def is_marker(row: Line | UsageLine) -> bool:
    """Whether counting needs this record."""
    if row.type in _TYPES:
        return isinstance(row.payload, UsagePayload)
    return row.type == "event_msg" and isinstance(row.payload, UsagePayload) and row.payload.type in _EVENTS


class Copied:
    """Which records at the start of a thread's first file were copied from another thread.

    Feed it every record that `is_marker`, in order; `end` counts those of them that were copied. A copied turn is
    older than the thread: both ids begin with their time. Where turns have no ids, what was written in one go with
    the parent's header was copied. Some sub-agents say the ordinal at which their own part starts.
    """

    def __init__(self, thread: str) -> None:
        self.end = 0
        self.active = True
        """More may still turn out to be copied."""
        self.suspected = False
        self.turns = False
        """The copied part has turn ids, so everything up to the first own turn was copied."""
        self.start_ordinal: int | None = None
        self.parent: str | None = None
        self.last_time: int | None = None
        self._thread = thread
        self._seen = 0

    def feed(self, row: Line | UsageLine, time: int | None) -> bool:
        """Take the next record that counting needs. False when nothing more can turn out to be copied."""
        self._seen += 1
        payload = row.payload
        if not self.active or not isinstance(payload, UsagePayload):
            return self.active
        if self._seen == 1:
            self._header(row, payload)
        elif self._seen == 2 and not self.suspected and not self._foreign(row, payload):
            self.active = False
        elif self.start_ordinal is not None:
            self._judge(row.ordinal is not None and row.ordinal < self.start_ordinal, row, payload, time)
        else:
            self._judge(self._is_copy(row, payload, time), row, payload, time)
        return self.active

    def _header(self, row: Line | UsageLine, payload: UsagePayload) -> None:
        if row.type != "session_meta":
            self.active = False
            return
        if payload.id:
            self._thread = payload.id
        self.start_ordinal = payload.subagent_history_start_ordinal
        self.suspected = self.start_ordinal is not None or (
            payload.forked_from_id is not None and payload.history_base is None
        )
        self.parent = payload.forked_from_id

    def _foreign(self, row: Line | UsageLine, payload: UsagePayload) -> bool:
        return row.type == "session_meta" and payload.id is not None and payload.id != self._thread

    def _judge(self, copied: bool, row: Line | UsageLine, payload: UsagePayload, time: int | None) -> None:
        if copied:
            self.suspected = True
            self.end = self._seen
            self.last_time = time if time is not None else self.last_time
            if self._foreign(row, payload):
                self.parent = self.parent or payload.id
        else:
            self.active = False
            if self.turns:
                self.end = self._seen - 1

    def _is_copy(self, row: Line | UsageLine, payload: UsagePayload, time: int | None) -> bool:
        if row.type == "session_meta":
            return self._foreign(row, payload)
        if row.type == "token_usage_record" or payload.type == "thread_settings_applied":
            if payload.thread_id is not None:
                if payload.thread_id == self._thread:
                    # The thread speaks of itself: whatever stands before was copied.
                    self.turns = True
                return payload.thread_id != self._thread
        elif payload.turn_id is not None:
            older = _older(payload.turn_id, self._thread)
            if older is not None:
                self.turns = True
                return older
        return self.turns or self.in_run(time)

    def in_run(self, time: int | None) -> bool:
        """Whether a record of this time was written in one go with the last copied one."""
        return time is None or self.last_time is None or time - self.last_time <= _GAP


def _older(turn: str, thread: str) -> bool | None:
    """Whether a turn began before the thread did; None when their ids do not begin with a time."""
    if len(turn) != 36 or len(thread) != 36 or turn[14] != "7" or thread[14] != "7":
        return None
    return turn[:13].lower() < thread[:13].lower()


class Spent(msgspec.Struct, gc=False):
    """What one response cost."""

    time: int
    """Milliseconds since 1970 UTC."""
    counts: tuple[int, ...]
    """Input, of it cached and of it written to the cache, output and of it reasoning, as logged."""
    model: str | None
    """As logged, like the rest."""
    cwd: str | None
    single: bool
    """It is known to be exactly one request."""


class Counter:
    """Feed it every record that `is_marker`, in order; it gives what each of them bills."""

    def __init__(self, thread: str, report: FileReport | None = None) -> None:
        self._thread = thread
        self._report = report
        self._before: tuple[int, ...] | None = None
        self._last: tuple[object, ...] | None = None
        self._counted: set[int] = set()
        self._model: str | None = None
        self._cwd: str | None = None
        self._turns: dict[str, tuple[str | None, str | None]] = {}
        self.records = False
        """There is a `token_usage_record`: running totals are ignored from now on."""
        self.raw_provider: str | None = None
        """As the thread's own header names it."""
        self.context = 0
        """Tokens of the last response, prompt and answer."""

    def count(self, row: Line | UsageLine, *, inherited: bool = False) -> Spent | None:
        """What this record bills; copied records only move the running total. None when it bills nothing."""
        payload = row.payload
        if not isinstance(payload, UsagePayload):
            return None
        if row.type == "token_usage_record":
            return self._record(row, payload, inherited)
        if row.type == "turn_context":
            self._turn(payload)
        elif row.type == "session_meta":
            if not inherited and payload.id in (None, self._thread):
                self.raw_provider = payload.model_provider or self.raw_provider
                self._cwd = self._cwd or payload.cwd
        elif payload.type == "token_count":
            return self._total(row, payload, inherited)
        return None

    def knows(self, turn: str | None) -> bool:
        """Whether the context of this turn was seen."""
        return turn in self._turns

    def _turn(self, payload: UsagePayload) -> None:
        self._model = payload.model or self._model
        self._cwd = payload.cwd or self._cwd
        if payload.turn_id and payload.turn_id not in self._turns:
            # A turn has one model: its context may be logged again, but does not change.
            self._turns[payload.turn_id] = (self._model, self._cwd)
            if len(self._turns) > _RECENT_TURNS:
                del self._turns[next(iter(self._turns))]

    def _record(self, row: Line | UsageLine, payload: UsagePayload, inherited: bool) -> Spent | None:
        self.records = True
        if inherited or (payload.thread_id is not None and payload.thread_id != self._thread):
            return None
        if payload.usage is None:
            self._skip("no_token_usage")
            return None
        if payload.response_id is not None:
            key = hash(payload.response_id)
            if key in self._counted:
                return None
            self._counted.add(key)
        counts = _counts(payload.usage)
        self.context = counts[0] + counts[3]
        if not any(counts):
            self._skip("no_token_usage")
            return None
        return self._spent(row, payload, counts, single=True)

    def _total(self, row: Line | UsageLine, payload: UsagePayload, inherited: bool) -> Spent | None:
        info = payload.info
        if self.records or info is None:
            return None
        total = _counts(info.total_token_usage) if info.total_token_usage is not None else None
        last = _counts(info.last_token_usage) if info.last_token_usage is not None else None
        before = self._before
        repeated = (row.timestamp, last)
        if total is None:
            if last is None or repeated == self._last:
                return None
            spent = last
            self._before = tuple(b + s for b, s in zip(before, spent, strict=True)) if before is not None else None
        else:
            self._before = total
            if before == total:
                return None
            if before is None:
                spent = last if last is not None else total
            elif any(now < then for now, then in zip(total, before, strict=True)):
                spent = last if last is not None and any(last) else total
            else:
                spent = tuple(now - then for now, then in zip(total, before, strict=True))
        self._last = repeated
        if last is not None and any(last):
            self.context = last[0] + last[3]
        if inherited or not any(spent):
            return None
        return self._spent(row, payload, spent, single=spent == last)

    def _spent(
        self, row: Line | UsageLine, payload: UsagePayload, counts: tuple[int, ...], *, single: bool
    ) -> Spent | None:
        time = timestamps.parse(row.timestamp)
        if time is None:
            self._skip("invalid_timestamp")
            return None
        model, cwd = self._turns.get(payload.turn_id or "", (self._model, self._cwd))
        return Spent(time, counts, model, cwd, single)

    def _skip(self, code: str) -> None:
        if self._report is not None:
            self._report.skip(code)


class UsageCounter(Counter):
    """The same, in events."""

    def __init__(self, thread: str, report: FileReport | None = None, *, raw: bool = False) -> None:
        super().__init__(thread, report)
        self._raw = raw

    def feed(self, number: int, row: Line, raw: bytes, *, inherited: bool = False) -> Usage | None:
        """What this record bills; copied records only move the running total. None when it bills nothing."""
        spent = self.count(row, inherited=inherited)
        if spent is None:
            return None
        return Usage(
            id=f"usage:{number}",
            time=spent.time,
            tokens=_tokens(spent.counts),
            model=billed_model(spent.model),
            provider=billing_provider(self.raw_provider) or PROVIDER,
            raw_provider=self.raw_provider,
            message_id=row.payload.response_id if isinstance(row.payload, UsagePayload) else None,
            cwd=spent.cwd,
            single_request=spent.single,
            raw=msgspec.Raw(raw.strip(b"\0\xef\xbb\xbf \t\r\n")) if self._raw else NO_RAW,
        )


def billed_model(logged: str | None) -> str:
    """The model's name, also where no record names one."""
    return model_name(logged) or _UNKNOWN_MODEL


def _counts(usage: TokenUsage) -> tuple[int, ...]:
    """Input, of it cached and of it written to the cache, output and of it reasoning, as logged."""
    counts = (
        usage.input_tokens,
        usage.cached_input_tokens,
        usage.cache_write_input_tokens,
        usage.output_tokens,
        usage.reasoning_output_tokens,
    )
    # Nearly always they are plain numbers.
    return tuple([number if type(number) is int and number >= 0 else count(number) for number in counts])


def _tokens(counts: tuple[int, ...]) -> Tokens:
    """The same in disjoint buckets."""
    prompt, read, write, output, reasoning = counts
    fresh = max(0, prompt - read - write)
    return Tokens(
        input=fresh,
        output=output,
        reasoning=min(reasoning, output),
        cache_read=read,
        cache_write=write,
        total=fresh + output + read + write,
    )
