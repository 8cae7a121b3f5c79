"""What the fixtures lose on their way from each agent to each other one: the table in the README."""

from __future__ import annotations

import io
from collections import Counter
from functools import cache

from panscript.readers.opening import open_source, read
from panscript.schemas.agents import AGENTS
from panscript.schemas.errors import CannotConvert
from panscript.schemas.report import FileReport
from panscript.stages.pipe import events_of
from panscript.stages.prepare import prepare
from panscript.writers.options import WriteOptions
from panscript.writers.targets import write, writer
from tests.sessions import FIXTURES, SESSIONS, agent_of

__all__ = ["losses_rows", "matrix_rows", "written_agents"]


def written_agents() -> list[str]:
    """The agents with a reader and a writer."""
    return [known.id for known in AGENTS if known.reader is not None and known.writer is not None]


@cache
def _lost(source: str, target: str) -> tuple[int, Counter[str], Counter[str]]:
    """Over the fixtures of an agent: sessions written, content items kept, and items lost by code."""
    sessions, kept, lost = 0, Counter[str](), Counter[str]()
    for path in SESSIONS:
        if agent_of(path) != source or not path.is_relative_to(FIXTURES):
            continue
        report = FileReport(path="")
        events = prepare(events_of(read(open_source(str(path)), report=report)), report=report)
        options = WriteOptions(imported_at=0, importer="panscript")
        try:
            write(target, events, io.BytesIO(), options=options, report=report)
        except CannotConvert:
            continue
        sessions += 1
        kept.update(report.kept)
        lost.update(report.lost)
    return sessions, kept, lost


def matrix_rows() -> list[tuple[str, ...]]:
    """A row for each source, a cell for each target."""
    agents = written_agents()
    return [(f"`{source}`", *(_cell(source, target) for target in agents)) for source in agents]


def _cell(source: str, target: str) -> str:
    if source == target:
        return "the same bytes"
    sessions, kept, lost = _lost(source, target)
    codes = ", ".join(f"{times} × `{code}`" for code, times in sorted(lost.items()))
    return f"{sessions} sessions, {sum(kept.values())} items kept; lost: {codes or 'nothing'}"


def losses_rows() -> list[tuple[str, ...]]:
    """A row for each loss code, and why each target cannot hold it."""
    agents = written_agents()
    tables = {agent: writer(agent).LOSSES for agent in agents}
    codes = dict.fromkeys(code for table in tables.values() for code in table)
    return [(f"`{code}`", *(tables[agent].get(code, "held") for agent in agents)) for code in codes]
