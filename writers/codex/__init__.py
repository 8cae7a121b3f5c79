"""Codex threads: one JSON-lines file by date, in the legacy dialect, which lists by name and shows foreign tools.

What the model is sent are response items; what the screen shows are events that say the same once more. Nothing that
counts tokens is ever written: the true numbers stand in the import record, lines of two kinds that Codex passes over.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from panscript.schemas import timestamps
from panscript.schemas.events import Event, Session
from panscript.schemas.report import FileReport
from panscript.writers.chain import session_title, write_chain
from panscript.writers.codex.going_on import continuation
from panscript.writers.codex.lines import IndexLine, encoded
from panscript.writers.codex.session import SessionWriter
from panscript.writers.identity import session_uuid
from panscript.writers.options import Beside, WriteOptions

__all__ = ["INDEX", "LOSSES", "TEXT", "beside", "continuation", "file_name", "session_id", "write"]

TEXT = True
"""A session is one text file, which can go to standard output."""
INDEX = "session_index.jsonl"
"""The file that names threads; it lies beside the sessions folder."""

LOSSES = {
    "signature_dropped": "Another vendor's, which this one refuses.",
    "redacted_thinking": "There is no text to keep.",
    "agent_notice": "Not written by a model; it would be sent as the model's words.",
    "failed_response": "Neither text nor a call.",
    "empty_message": "The vendor refuses an empty message.",
    "empty_block": "It says nothing.",
    "image_missing": "Not in the session.",
    "image_remote": "Nothing is fetched.",
    "image_too_large": "No provider takes it.",
    "image_broken": "Codex puts a text in its place, too.",
    "file_missing": "Codex has no documents.",
    "branch": "A thread is one line.",
    "tool_details": "An output is text and pictures.",
    "opaque": "Too large for the import record.",
    "usage_record": "Belongs to no message.",
}
"""What Codex cannot hold, by loss code, and why."""


def session_id(session: Session, options: WriteOptions) -> str:
    """The id the imported thread gets: always the same for one source session and one number of import.

    Ids of Codex begin with the time at which the thread was begun, and tell so what was copied from an older one.
    """
    more = (str(options.number),) if options.number else ()
    return session_uuid(session.agent, session.session_id, *more, time=session.created or 0)


def beside(session: Session, options: WriteOptions) -> tuple[Beside, ...]:
    """The line of the index that names the thread. Threads of sub-agents are not listed."""
    if options.parent_session is not None:
        return ()
    time = session.modified if session.modified is not None else _created(session, options)
    entry = IndexLine(session_id(session, options), session_title(session, options, "codex"), timestamps.iso(time))
    return (Beside(INDEX, encoded(entry) + b"\n", is_line=True),)


def file_name(session: Session, options: WriteOptions) -> str:
    """Folder of the day and name of the file, below Codex' sessions folder."""
    day, _, clock = timestamps.iso(_created(session, options))[:19].partition("T")
    stamp = f"{day}T{clock.replace(':', '-')}"
    return f"{day.replace('-', '/')}/rollout-{stamp}-{session_id(session, options)}.jsonl"


def _created(session: Session, options: WriteOptions) -> int:
    return session.created if session.created is not None else options.imported_at


def write(events: Iterable[Event], sink: BinaryIO, *, options: WriteOptions, report: FileReport) -> int | None:
    """Write one session; gives the time of its last message in milliseconds since 1970 UTC.

    Takes the events of one session, merged, paired and in order (see `panscript.stages`). Raises `CannotConvert` when
    nothing in them can be said in Codex.
    """
    goes_on = options.continues
    return write_chain(
        events,
        lambda first: SessionWriter(
            first,
            sink,
            options,
            report,
            thread_id=goes_on.session_id if goes_on is not None else session_id(first, options),
        ),
    )
