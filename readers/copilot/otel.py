"""Telemetry files of Copilot: what each request cost, and which conversation it belongs to.

One request stands in several records: the span of the request, a log record of it, one of the agent's turn, and the
span of the whole agent, which repeats the sum. Of those that share a trace or a response only the most exact counts,
and of copies in several files (a backup, another home) the first.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import astuple

from panscript.readers.jsonl import Parsed, rows
from panscript.readers.rawjson import clean_raw
from panscript.schemas import timestamps
from panscript.schemas.copilot.otel_lean import Attributes, OtelRow, otel_decoder
from panscript.schemas.counts import count
from panscript.schemas.events import NO_RAW, Tokens, Usage
from panscript.schemas.naming import model_name
from panscript.schemas.report import FileReport

__all__ = [
    "MARKER",
    "Counted",
    "Telemetry",
    "is_otel_record",
    "is_otel_row",
    "merged",
    "parsed_rows",
    "skip",
    "telemetry",
    "usage_of",
]

MARKER = b'"attributes"'
"""A line without these bytes is no span and no log record."""
_INFERENCE = "gen_ai.client.inference.operation.details"
_TURN = "copilot_chat.agent.turn"
_CHAT, _LOG, _AGENT_TURN, _AGENT = 1, 2, 3, 4


class Counted(msgspec.Struct):
    """A record that says what something cost."""

    line: int
    turn: int
    """Its number on the line, from 0."""
    rank: int
    """1 is the most exact."""
    trace: str
    span: str
    response: str
    session: str
    time: int | None
    tokens: Tokens
    model: str | None
    provider: str | None


class Telemetry(msgspec.Struct):
    """What one file says."""

    counted: list[Counted] = []
    """The records that count, in the order of the file."""
    repeats: int = 0
    empty: list[str] = []
    """Sessions of the records that name no tokens, one a record."""
    timeless: list[str] = []
    """Those of the records that have tokens but no time."""
    seen: bool = False
    understood: bool = False
    damaged: int = 0
    bad_lines: dict[str, int] = {}
    """Reason -> how many lines were given up."""


def is_otel_record(value: dict[str, Any]) -> bool:
    """Whether an object found on a damaged line carries the envelope of a record."""
    return isinstance(value.get("attributes"), dict) or "dataPoints" in value


def is_otel_row(row: OtelRow) -> bool:
    """Whether the line is OpenTelemetry's."""
    return row.attributes is not None or bool(bytes(row.data_points)) or row.type in ("span", "metric", "log")


def parsed_rows(path: str) -> Iterator[Parsed]:
    """Every line of the file, decoded."""
    return rows([path], otel_decoder, is_otel_record)


def telemetry(path: str) -> Telemetry:
    """What a file says; nothing but the records that count is kept of it. Not to be changed. Raises `SourceError`s."""
    try:
        state = os.stat(path)  # noqa: PTH116 - once a file and session
    except OSError:
        return _telemetry.__wrapped__(path, 0, 0)
    return _telemetry(path, state.st_size, state.st_mtime_ns)


# A file of a whole day is asked for by every session of that day.
@lru_cache(maxsize=4)
def _telemetry(path: str, _size: int, _changed: int) -> Telemetry:
    found = Telemetry()
    candidates: list[Counted] = []
    for parsed in parsed_rows(path):
        _see(parsed, found)
        if parsed.row is None:
            continue
        candidate = _candidate(parsed.row, parsed.line, parsed.turn, path)
        if candidate is None:
            continue
        if not (candidate.tokens.total or candidate.tokens.reasoning):
            found.empty.append(candidate.session)
        elif candidate.time is None:
            found.timeless.append(candidate.session)
        else:
            candidates.append(candidate)
    found.counted = _each_once(candidates)
    found.repeats = len(candidates) - len(found.counted)
    return found


def _see(parsed: Parsed, found: Telemetry) -> None:
    trouble = parsed.trouble
    found.seen = found.seen or trouble is None or not trouble.blank
    found.understood = found.understood or (parsed.row is not None and is_otel_row(parsed.row))
    if trouble is not None and trouble.skip is not None:
        found.damaged += 1
        code = trouble.skip
        if code == "json_parse_error" and MARKER not in parsed.raw:
            code = "other_json_parse_error"
        found.bad_lines[code] = found.bad_lines.get(code, 0) + 1


def merged(files: Sequence[Telemetry]) -> list[list[Counted]]:
    """What of each file counts where all of them are looked at together."""
    exact = {id(each) for each in _most_exact([each for file in files for each in file.counted])}
    known = set[object]()
    found: list[list[Counted]] = []
    for file in files:
        alike = Counter[object]()
        kept: list[Counted] = []
        here = set[object]()
        for each in (each for each in file.counted if id(each) in exact):
            names = _names(each, alike)
            here.update(names)
            if known.isdisjoint(names):
                kept.append(each)
        known |= here
        found.append(kept)
    return found


def _names(counted: Counted, alike: Counter[object]) -> list[object]:
    """What a copy of the record in another file is known by. Without an id it is what it says, and how many in its file
    said the same before."""
    names: list[object] = []
    if counted.span:
        names.append(("span", counted.trace or counted.session, counted.span))
    if counted.response:
        names.append(("response", counted.response))
    if not names:
        said = (counted.rank, counted.trace, counted.session, counted.time, counted.model, astuple(counted.tokens))
        alike[said] += 1
        names.append((said, alike[said]))
    return names


def _most_exact(candidates: list[Counted]) -> list[Counted]:
    """Without records that a more exact one stands for."""
    traces, responses = set[str](), set[str]()
    kept: list[Counted] = []
    for rank in (_CHAT, _LOG, _AGENT_TURN, _AGENT):
        mine = [
            each
            for each in candidates
            if each.rank == rank
            and not (each.trace and each.trace in traces)
            and not (each.response and each.response in responses)
        ]
        kept.extend(mine)
        traces.update(each.trace for each in mine if each.trace)
        responses.update(each.response for each in mine if each.response)
    return kept


def _each_once(candidates: list[Counted]) -> list[Counted]:
    """Without records that a more exact one stands for, and without repeats."""
    known: set[tuple[str, str]] = set()
    once: list[Counted] = []
    for each in sorted(_most_exact(candidates), key=lambda each: (each.line, each.turn)):
        key = (each.trace or each.session, each.span or f"{each.line}.{each.turn}")
        if key not in known:
            known.add(key)
            once.append(each)
    return once


def _candidate(row: OtelRow, line: int, turn: int, path: str) -> Counted | None:
    attributes = row.attributes
    if attributes is None:
        return None
    rank = _rank(row, attributes)
    if rank is None:
        return None
    trace = _text(row.trace_id) or _text(row.trace_id_older)
    response = _text(attributes.response)
    names = (
        attributes.conversation,
        attributes.chat_session,
        attributes.chat_session_older,
        attributes.session,
        attributes.interaction,
    )
    session = next((name for value in names if (name := _text(value))), "")
    return Counted(
        line=line,
        turn=turn,
        rank=rank,
        trace=trace,
        span=_text(row.span_id) or _text(row.span_id_older),
        response=response,
        session=session or response or trace or Path(path).stem,
        time=_time(row),
        tokens=_tokens(attributes),
        model=model_name(_text(attributes.response_model) or _text(attributes.request_model)),
        provider=_text(attributes.provider) or None,
    )


def _rank(row: OtelRow, attributes: Attributes) -> int | None:
    operation, name = _text(attributes.operation), _text(row.name)
    event = _text(attributes.event_name) or _text(row.event_name)
    if not event:
        event = _text(row.event.get("name")) if isinstance(row.event, dict) else _text(row.event)
    body = _text(row.body)
    if operation == "chat" or name.startswith("chat "):
        return _CHAT
    if event == _INFERENCE or body.startswith("GenAI inference:"):
        return _LOG
    if event == _TURN or body.startswith(_TURN):
        return _AGENT_TURN
    if operation == "invoke_agent" or name.startswith("invoke_agent "):
        return _AGENT
    return None


def _tokens(attributes: Attributes) -> Tokens:
    """The counts in disjoint buckets: the prompt as logged holds what a cache gave and what went into one."""
    read = _first(attributes.read, attributes.read_older)
    write = _first(attributes.write, attributes.creation, attributes.write_older, attributes.creation_older)
    fresh = max(0, _first(attributes.input_tokens) - read - write)
    output = _first(attributes.output_tokens)
    return Tokens(
        input=fresh,
        output=output,
        reasoning=_first(attributes.reasoning, attributes.reasoning_older),
        cache_read=read,
        cache_write=write,
        total=_first(attributes.total, attributes.total_older) or fresh + output + read + write,
    )


def _first(*values: Any) -> int:
    return count(next((plain for value in values if (plain := _plain(value)) is not None), None))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return next((value[key] for key in ("stringValue", "intValue", "doubleValue", "value") if key in value), None)
    return value


def _text(value: Any) -> str:
    plain = _plain(value)
    return plain.strip() if isinstance(plain, str) else ""


def _time(row: OtelRow) -> int | None:
    times = (row.end_time, row.start_time, row.hr_time, row.hr_time_older, row.time, row.timestamp, row.observed)
    for value in times:
        time = _pair(value) if isinstance(value, list) else timestamps.parse(value)
        if time is not None:
            return time
    nanoseconds = row.nanoseconds
    if isinstance(nanoseconds, str) and nanoseconds.isascii() and nanoseconds.isdecimal() and len(nanoseconds) < 30:
        nanoseconds = int(nanoseconds)
    if isinstance(nanoseconds, int | float) and math.isfinite(nanoseconds):
        return timestamps.parse(int(nanoseconds) // 1_000_000)
    return None


def _pair(value: list[Any]) -> int | None:
    """Seconds and nanoseconds."""
    if len(value) != 2 or not all(isinstance(part, int | float) and math.isfinite(part) for part in value):
        return None
    seconds, nanoseconds = value
    if not 0 <= seconds < 1e11 or not 0 <= nanoseconds < 1e9:
        return None
    return timestamps.parse(int(seconds * 1000) + int(nanoseconds // 1_000_000))


def usage_of(counted: Counted, name: str, *, session: str | None, told: bool = False, raw: bytes = b"") -> Usage:
    """The usage event of a record; `session` where it is not the one that is being read."""
    return Usage(
        id=name,
        time=counted.time,
        tokens=counted.tokens,
        model=counted.model,
        raw_provider=counted.provider,
        message_id=counted.response or None,
        told=told,
        session_id=session,
        raw=clean_raw(raw.strip(b"\0\xef\xbb\xbf \t\r\n")) if raw else NO_RAW,
    )


def skip(found: Telemetry, report: FileReport, session: str | None) -> None:
    """Count what did not count; `session`: only what belongs to this one."""
    for code, sessions in (("no_token_usage", found.empty), ("invalid_timestamp", found.timeless)):
        times = len(sessions) if session is None else sessions.count(session)
        if times:
            report.skip(code, times)
