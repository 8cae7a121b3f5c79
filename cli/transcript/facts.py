"""What stands above a transcript: the session, its sub-agents, and what it cost."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from panscript.cli.transcript.pieces import Piece
from panscript.cli.transcript.wording import cut, day, size, span, token_counts
from panscript.readers.databases import is_database
from panscript.readers.discovery import full_id
from panscript.readers.finding import readable
from panscript.readers.opening import read
from panscript.readers.peek import Peeker, size_of
from panscript.schemas.agents import agent
from panscript.schemas.errors import SourceError
from panscript.schemas.events import Event, Session, Tokens, Usage
from panscript.schemas.records import Source
from panscript.schemas.terminal import one_line
from panscript.stages.pipe import events_of

__all__ = ["COUNTED", "Spending", "facts", "spent"]

COUNTED = 32 << 20
"""Bytes of a session whose tokens are counted before it is shown; of larger ones they are told at the end."""
_MOST_CHILDREN = 10
_LONGEST_TITLE, _LONGEST_TASK = 200, 80


def facts(session: Session, source: Source, tokens: Tokens | None) -> Iterator[Piece]:
    """The head of a transcript."""
    name = agent(session.agent).name
    title = cut(one_line(session.title or session.first_prompt or session.session_id), _LONGEST_TITLE)
    yield Piece("title", name, title)
    for label, said in (
        ("session", _session(session)),
        ("folder", _folder(session)),
        ("time", _time(session)),
        ("model", _model(session)),
        ("tokens", token_counts(tokens) if tokens is not None else ""),
        ("copied", f"from session {session.forked_from}" if session.forked_from else ""),
        ("imported", f"from {session.imported_from}" if session.imported_from else ""),
        ("missing", ", ".join(source.missing)),
    ):
        if said:
            yield Piece("fact", label, one_line(said))
    yield from _children(source)


def _session(session: Session) -> str:
    below = f" (sub-agent of {session.parent_session_id})" if session.parent_session_id else ""
    return session.session_id + below


def _folder(session: Session) -> str:
    branch = f"branch {session.git_branch}" if session.git_branch else ""
    return f"{session.cwd} ({branch})" if session.cwd and branch else session.cwd or branch


def _time(session: Session) -> str:
    if session.created is None:
        return ""
    began = day(session.created)
    if session.modified is None or session.modified == session.created:
        return f"{began} UTC"
    ended, lasted = day(session.modified), span(session.modified - session.created)
    if ended == began:
        return f"{began} UTC ({lasted})"
    same_day = ended[:11] == began[:11]
    return f"{began} to {ended[11:] if same_day else ended} UTC ({lasted})"


def _model(session: Session) -> str:
    model = session.model or ""
    if session.provider and session.provider not in model:
        model += f" ({session.provider})" if model else session.provider
    version = f"{agent(session.agent).name} {session.version}" if session.version else ""
    return ", ".join(part for part in (model, version) if part)


def _children(source: Source) -> Iterator[Piece]:
    """Each sub-agent with what it was told to do, its size, and the command that shows it."""
    peek = Peeker()
    for child in source.children[:_MOST_CHILDREN]:
        try:
            task = peek(child).first_prompt or ""
        except SourceError:
            task = ""
        task = cut(one_line(task), _LONGEST_TASK) or one_line(child.agent_id or child.id)
        yield Piece("fact", "agent", f"{task} ({size(size_of(child))})")
        yield Piece("fact", "", f"panscript show {_named(source, child)}")
    if (more := len(source.children) - _MOST_CHILDREN) > 0:
        yield Piece("fact", "", f"and {more} more: panscript list --query {shlex.quote(one_line(source.id))}")


def _named(source: Source, child: Source) -> str:
    """As the session itself was named: by its path, or else by its id."""
    by_path = source.named is not None and not is_database(child.path)
    return one_line(shlex.quote(readable(child.path) if by_path else full_id(child)))


def spent(source: Source) -> Tokens | None:
    """The tokens of a session that is not too large to read it twice; None when they are not known."""
    if size_of(source) > COUNTED:
        return None
    spending = Spending()
    for _ in spending.seeing(events_of(read(source))):
        pass
    return spending.tokens


class Spending:
    """Adds up what a session's own responses cost."""

    def __init__(self) -> None:
        self.tokens: Tokens | None = None

    def seeing(self, events: Iterable[Event]) -> Iterator[Event]:
        """The same events, their usage added up as they pass."""
        for event in events:
            if isinstance(event, Usage) and event.inherited_from is None:
                self._add(event)
            yield event

    def _add(self, event: Usage) -> None:
        one, sum_ = event.tokens, self.tokens or Tokens()
        costs = [cost for cost in (one.cost, sum_.cost) if cost is not None]
        self.tokens = Tokens(
            input=one.input + sum_.input,
            output=one.output + sum_.output,
            reasoning=one.reasoning + sum_.reasoning,
            cache_read=one.cache_read + sum_.cache_read,
            cache_write=one.cache_write + sum_.cache_write,
            total=one.total + sum_.total,
            cost=sum(costs) if costs else None,
        )
