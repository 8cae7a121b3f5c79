"""What was meant beside what was told, row by row, up to what Codex is known to change."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from panscript.schemas.events import AGENT_NOTICE, Event, Message, Session
from tests.real_agents.meant import Call, Media, Part, Ran, Result, Said, Thought, Turn, meant

__all__ = ["differences", "sent", "told_otherwise"]

# Codex shows the model the beginning and the end of a longer output, and says between them how much it left out.
_CUT = re.compile(r"…\d+ (?:tokens|chars) truncated…")
_LONGEST_OUTPUT = 40_000
# What is told of a result of nothing.
_NOTHING = "(no output)"
# Codex keeps what the person said before a compaction as messages; our reader has it in the summary.
_COMPACTED = {
    "01a22b0c-84e9-7f30-bd9f-c5a1723f66e1",
    "01a22b0a-b30d-7ef1-add0-93572320988c",
    "01a22b0a-e1cc-7362-8d4e-cd430b989281",
}
# Ids of calls that the API takes.
_TAKEN = re.compile(r"[a-zA-Z0-9_-]{1,64}")
Row = tuple[str, Part]


def sent(events: Iterable[Event]) -> list[Event]:
    """The events of a prepared session without notices of errors, which Codex shows and never sends."""
    return [event for event in events if not (isinstance(event, Message) and event.injected == AGENT_NOTICE)]


def told_otherwise(events: Iterable[Event], told: Sequence[Turn], *, home: bool) -> list[str]:
    """What the model is told otherwise than the events mean it: see `differences`."""
    session, *rest = events
    turns = meant(rest, injected=home)
    if home and isinstance(session, Session) and session.session_id in _COMPACTED:
        # The first turn holds the summary.
        turns, told = turns[1:], told[1:]
    return differences(turns, told, home=home)


def differences(meant: Sequence[Turn], told: Sequence[Turn], *, home: bool) -> list[str]:
    """The rows of a comparison that differ, with a sign before each: - was meant, + was told; none if all is equal.

    :param home: the session is Codex' own: sealed reasoning must come back, and results stand in its own wrappers.
    """
    ours, theirs = _rows(meant, home=home), _rows(told, home=home)
    if not home:
        kept = {part.id for _, part in ours if isinstance(part, Call) and _TAKEN.fullmatch(part.id)}
        ours, theirs = _numbered(ours, kept), _numbered(theirs, kept)
    results = {part.call: part for _, part in ours if isinstance(part, Result)}
    answered = {part.call for _, part in theirs if isinstance(part, Result)}
    # A search has no result here: the vendor ran it, and keeps what it found.
    empty = {name for name, part in results.items() if not part.texts and not part.media and name not in answered}
    ours = [(role, part) for role, part in ours if not (isinstance(part, Result) and part.call in empty)]
    theirs = [(role, _unwrapped(part, results, home=home)) for role, part in theirs]
    ours = [(role, replace(part, error=False) if isinstance(part, Result) else part) for role, part in ours]
    left, right = [[_line(row, squeeze=home) for row in rows] for rows in (ours, theirs)]
    return [line[:400] for line in difflib.ndiff(left, right) if line[0] in "+-"]


def _rows(turns: Sequence[Turn], *, home: bool) -> list[Row]:
    """One part after the other; neighbouring texts of one role are one, whatever messages they came in."""
    rows: list[Row] = []
    for turn in turns:
        for part in turn.parts:
            if isinstance(part, Thought):
                if not home:
                    part = replace(part, signature=None)
                if not part.text and part.signature is None:
                    continue
            if isinstance(part, Said) and not home and not part.text.strip():
                # The API refuses a text of nothing.
                continue
            last = rows[-1] if rows else None
            if isinstance(part, Said) and last and last[0] == turn.role and isinstance(last[1], Said):
                rows[-1] = (turn.role, Said(last[1].text + "\n" + part.text))
            else:
                rows.append((turn.role, part))
    return rows


def _numbered(rows: list[Row], kept: set[str]) -> list[Row]:
    """Calls with ids that the API refuses get others, which are compared by their order alone."""
    numbers: dict[str, str] = {}
    changed: list[Row] = []
    for role, part in rows:
        if isinstance(part, Call) and part.id not in kept:
            part = replace(part, id=numbers.setdefault(part.id, f"number {len(numbers)}"))
        elif isinstance(part, Result) and part.call in numbers:
            part = replace(part, call=numbers[part.call])
        changed.append((role, part))
    return changed


def _unwrapped(part: Part, results: dict[str, Result], *, home: bool) -> Part:
    """A result as it was meant where it holds that: behind a head that says how it failed, or cut.

    Codex' own results have a head whatever came of them.
    """
    meant = results.get(part.call) if isinstance(part, Result) else None
    if meant is None or not isinstance(part, Result) or part.media != meant.media:
        return part
    told, wanted = "".join(part.texts), "".join(meant.texts)
    if home:
        told, wanted = _squeezed(_bare(told)), _squeezed(wanted)
    head = home or meant.error
    if wanted and (told.endswith(wanted) if head else told == wanted):
        return replace(meant, error=False)
    if not wanted and told in ("", _NOTHING):
        return replace(meant, error=False)
    if len(wanted) > _LONGEST_OUTPUT and (cut := _CUT.search(told)):
        begin, end = told[: cut.start()], told[cut.end() :]
        if (begin[-1000:] in wanted if head else wanted.startswith(begin)) and wanted.endswith(end):
            return replace(meant, error=False)
    return part


def _bare(output: str) -> str:
    """What stands in an output that is a JSON object, as older versions of Codex write it; else the output."""
    try:
        value = json.loads(output)
    except ValueError:
        return output
    return str(value["output"]) if isinstance(value, dict) and value.keys() == {"output", "metadata"} else output


def _line(row: Row, *, squeeze: bool) -> str:
    """`squeeze`: without white space, for texts that were taken out of something."""
    role, part = row
    plain = _squeezed if squeeze else repr
    if isinstance(part, Said):
        return f"{role} said {plain(part.text)}"
    if isinstance(part, Call):
        return f"{role} call {part.id} {part.name} {json.dumps(part.arguments, sort_keys=True)}"
    if isinstance(part, Result):
        return f"{role} result {part.call} {part.media} {plain(''.join(part.texts))}"
    if isinstance(part, Thought):
        return f"{role} thought {plain(part.text)} {part.signature}"
    if isinstance(part, Ran):
        return f"{role} ran {part.command} {plain(part.output or '')}"
    assert isinstance(part, Media)
    return f"{role} shows {part.digest}"


def _squeezed(text: str) -> str:
    return "".join(text.split())
