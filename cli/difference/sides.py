"""The two sessions that are compared, read whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from panscript.cli.titles import own_title
from panscript.readers.finding import readable
from panscript.readers.opening import read
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import Event, Session
from panscript.schemas.records import Source
from panscript.schemas.report import Report
from panscript.schemas.terminal import one_line
from panscript.stages.branch import active_branch, main_thread
from panscript.stages.correspondence import Items
from panscript.stages.merge import merge
from panscript.stages.normal_form import Title, normal_form
from panscript.stages.pairing import pair
from panscript.stages.pipe import events_of
from panscript.stages.redact import redact
from panscript.stages.redaction import Redactor

__all__ = ["Side", "as_they_are_called", "side"]

_LONG = 150
"""Characters of a title that may have been cut."""


class Side(NamedTuple):
    """One of the two sessions."""

    head: Session
    path: str
    items: Items


def side(source: Source, report: Report, *, exact: bool, redactor: Redactor | None) -> Side:
    """The session's normal form, or with `exact` all its events. Raises `SourceError`s.

    Secrets are replaced where there is a redactor; one for both sides gives the same secret the same mark.
    """
    account = report.open(source.path, source.agent, source.id)
    heads: list[Session] = []
    stream: Iterator[Event] = events_of(read(source, report=account))
    if not exact:
        # Where `prepare` replaces secrets, too, so that they are met in the same order as in a conversion.
        stream = pair(merge(active_branch(main_thread(stream))))
    if redactor is not None:
        stream = redact(stream, redactor, account)
    # What is said of the session itself is shown, too, and may hold a secret.
    stream = _noting(stream, heads)
    items: Items = list(stream) if exact else normal_form(stream)
    if not heads:
        raise NotATranscript("there is no session in it", path=source.path)
    account.session_id = heads[0].session_id
    return Side(heads[0], readable(source.path), items)


def _noting(events: Iterator[Event], heads: list[Session]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, Session):
            heads.append(event)
        yield event


def as_they_are_called(a: Side, b: Side) -> tuple[Side, Side]:
    """The same without what an import makes of the other side's title, which is no difference."""
    return _without_origin(a, b), _without_origin(b, a)


def _without_origin(one: Side, other: Side) -> Side:
    title = one.items[0] if one.items else None
    origin = one.head.imported_from
    # Where both were imported, either may be an import of the other.
    if origin is None or not isinstance(title, Title):
        return one
    plain = own_title(title.text, origin)
    if plain == title.text:
        return one
    own = other.items[0] if other.items else None
    if isinstance(own, Title):
        same = _is_called(own_title(own.text, other.head.imported_from), plain)
        return one._replace(items=[own, *one.items[1:]]) if same else one
    # A session without a title is called by its first prompt, or by its id.
    named = _is_called(other.head.first_prompt or other.head.session_id, plain)
    return one._replace(items=one.items[1:]) if named else one


def _is_called(title: str, plain: str) -> bool:
    """Whether an import of a session with this title is called so; long titles were cut."""
    title = one_line(title)
    return title == plain or (len(plain) > _LONG and title.startswith(plain))
