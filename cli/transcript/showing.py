"""One session on standard output: through a pager and coloured on a terminal, plain everywhere else."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

from panscript.cli.pager import page, pager_command
from panscript.cli.settings import redactor
from panscript.cli.transcript.conversation import conversation
from panscript.cli.transcript.facts import Spending, facts, spent
from panscript.cli.transcript.pieces import Look, Piece
from panscript.cli.transcript.plain import plain
from panscript.cli.transcript.wording import token_counts
from panscript.readers.opening import read
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import Event, Session
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport, Report
from panscript.stages.branch import active_branch, main_thread
from panscript.stages.merge import merge
from panscript.stages.pairing import pair
from panscript.stages.pipe import events_of
from panscript.stages.redact import redact

__all__ = ["pieces", "show"]


def show(source: Source, look: Look, report: Report, *, all_branches: bool, redacted: bool, paged: bool) -> None:
    """Show the session. Raises `SourceError`s, after what could be read was shown."""
    account = report.open(source.path, source.agent, source.id)
    shown = pieces(source, look, account, all_branches=all_branches, redacted=redacted)
    if not sys.stdout.isatty():
        page(plain(shown), [])
        return
    from panscript.cli.transcript.coloured import coloured, screen

    console = screen(shutil.get_terminal_size().columns, colours=not os.environ.get("NO_COLOR"))
    page(coloured(shown, console), pager_command(os.environ) if paged else [])


def pieces(
    source: Source, look: Look, account: FileReport, *, all_branches: bool = False, redacted: bool = False
) -> Iterator[Piece]:
    """The session from its head to its last answer. Holds one response and what lies between it and its results."""
    spending = Spending()
    stream: Iterator[Event] = spending.seeing(events_of(read(source, report=account)))
    stream = main_thread(stream, account)
    if not all_branches:
        stream = active_branch(stream, account)
    stream = pair(merge(stream, account), account)
    if redacted:
        stream = redact(stream, redactor(), account)
    first = next(stream, None)
    if not isinstance(first, Session):
        raise NotATranscript("there is no session in it", path=source.path)
    account.session_id = first.session_id
    tokens = spent(source)
    yield from facts(first, source, tokens)
    told = False
    for piece in conversation(stream, look):
        told = True
        yield piece
    if not told:
        yield Piece("note", "nothing was said in this session")
    if inside := account.lost.get("subagent"):
        yield Piece("note", f"{inside} records of sub-agents stand in this file and are not shown")
    if tokens is None and spending.tokens is not None:
        yield Piece("foot", f"all together: {token_counts(spending.tokens)}")
