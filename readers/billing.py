"""What was billed, as one short row a response: enough to add up, to tell copies and to group, and nothing else.

Agents whose files are large have a module `billing` that looks at as few bytes as it can; of all others the usage
events are taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import cast

from msgspec.structs import astuple

from panscript.readers.discovery import part_of_reader
from panscript.readers.opening import reader
from panscript.schemas.agents import agent
from panscript.schemas.billing import Billed, Payer
from panscript.schemas.errors import SourceError
from panscript.schemas.events import Session, Usage
from panscript.schemas.packed import PackedMap
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["billed", "forget", "in_order", "of_event", "of_full_read"]

_NEVER = 1 << 62


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What the session was billed, each response once; copies in other sessions are not looked for.

    Nothing is opened before the first `next()`. Raises `SourceError`s.
    """
    own = _of_agent(source.agent, "billed")
    read = of_full_read if own is None else cast(Callable[..., Iterator[Billed]], own)
    copies_files, times = agent(source.agent).copies_files, PackedMap()
    for row in read(source, report=report):
        if not row.key:
            # A response that was billed alike is the same one; twice in one file are two. The folder is left out, and
            # where forks are copies of files the session; what the model is called may stand outside of them.
            whose = (source.agent, source.agent_id) if copies_files else (source.agent, *row.payer[:2])
            alike = hash((whose, *astuple(row)[1:]))
            number = times.get(alike) or 0
            times.put(alike, number + 1)
            row.key = hash((alike, number)) or 1
        yield row


def of_full_read(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """The same from the events of a full read. What was counted into the report before is forgotten."""
    forget(report)
    session = source.id
    for record in reader(source.agent).read(source, report=report):
        for event in record.events:
            if isinstance(event, Session):
                session = event.billed_to or event.session_id
            elif isinstance(event, Usage) and event.inherited_from is None:
                yield of_event(event, session)


def forget(report: FileReport) -> None:
    """What was counted of the lines will be counted again, by a full read."""
    report.skipped.clear()
    report.skipped_at.clear()
    report.changed.clear()
    report.skipped_lines, report.complete, report.scan = 0, True, "full"


def in_order(sources: Iterable[Source]) -> list[Source]:
    """Sessions of one agent so that of two copies of a response the one that counts is read first.

    What cannot be read comes last; that it cannot is said when it is.
    """
    found = list(sources)
    if len(found) < 2 or _of_agent(found[0].agent, "began") is None:
        return found
    starts = {id(source): _time(source, "began") for source in found}
    times = Counter(starts.values())

    # The end is looked for only where it decides.
    ends = {id(source): _time(source, "ended") if times[starts[id(source)]] > 1 else 0 for source in found}
    last: dict[str, int] = {}
    for source in found:
        last[source.id] = max(last.get(source.id, 0), ends[id(source)])

    def rank(source: Source) -> tuple[int, int, str, int]:
        # Of one session's copies the fuller one comes first.
        return starts[id(source)], last[source.id], source.id, -ends[id(source)]

    return sorted(found, key=rank)


def _time(source: Source, name: str) -> int:
    try:
        found = cast(Callable[[Source], int | None], _of_agent(source.agent, name))(source)
    except SourceError:
        return _NEVER
    return _NEVER if found is None else found


def of_event(event: Usage, session: str, key: int = 0) -> Billed:
    """The row for a usage event of a session."""
    tokens = event.tokens
    return Billed(
        Payer(event.session_id or session, event.model, event.provider, event.cwd),
        event.time or 0,
        tokens.input,
        tokens.output,
        tokens.reasoning,
        tokens.cache_read,
        tokens.cache_write,
        tokens.total,
        tokens.cost,
        key,
        hash(event.message_id) if event.message_id else 0,
    )


def _of_agent(agent_id: str, name: str) -> object:
    module: ModuleType = part_of_reader(agent_id, "billing")
    return getattr(module, name, None)
