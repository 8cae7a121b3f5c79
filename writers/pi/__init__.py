"""Pi sessions: one JSON-lines file, header version 3, a tree of entries.

Imported messages carry no tokens and no cost, only the running estimate of the context, so that Pi's totals stay
true and its gauge is right; the true numbers stand in the import record (`custom` entries, which Pi neither shows
nor sends).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from panscript.schemas import timestamps
from panscript.schemas.events import Event, Session
from panscript.schemas.report import FileReport
from panscript.writers.chain import write_chain
from panscript.writers.identity import file_part, session_uuid
from panscript.writers.options import Beside, WriteOptions
from panscript.writers.pi.going_on import continuation
from panscript.writers.pi.session import SessionWriter

__all__ = ["LOSSES", "TEXT", "beside", "continuation", "file_name", "session_id", "write"]

TEXT = True
"""A session is one text file, which can go to standard output."""

LOSSES = {
    "signature_dropped": "Pi would replay a foreign signature, which its vendor refuses.",
    "redacted_thinking": "There is no text to keep.",
    "agent_notice": "Not written by a model; Pi would send it as the model's words.",
    "failed_response": "Neither text nor a call.",
    "empty_message": "Pi would send an empty message.",
    "empty_block": "Providers refuse empty text.",
    "image_missing": "Not in the session.",
    "image_remote": "Nothing is fetched.",
    "image_too_large": "No provider takes it.",
    "image_broken": "Providers refuse the whole request.",
    "file_missing": "Pi has no documents.",
    "opaque": "Too large for the import record.",
    "usage_record": "Belongs to no message.",
}
"""What Pi cannot hold, by loss code, and why."""


def session_id(session: Session, options: WriteOptions) -> str:
    """The id the imported session gets: always the same for one source session and one number of import."""
    more = (str(options.number),) if options.number else ()
    return session_uuid(session.agent, session.session_id, *more)


def beside(session: Session, options: WriteOptions) -> tuple[Beside, ...]:  # noqa: ARG001 - as every writer's
    """Nothing goes with a Pi session."""
    return ()


def file_name(session: Session, options: WriteOptions) -> str:
    """Folder of the project and name of the file, below Pi's sessions folder."""
    cwd = options.cwd or session.cwd or "/"
    folder = cwd.rstrip("/") or "/"
    folder = folder[1:] if folder[0] in "/\\" else folder
    for character in "/\\:":
        folder = folder.replace(character, "-")
    stamp = timestamps.iso(_created(session, options)).replace(":", "-").replace(".", "-")
    return f"{file_part(f'--{folder}--')}/{file_part(f'{stamp}_{session_id(session, options)}.jsonl')}"


def _created(session: Session, options: WriteOptions) -> int:
    return session.created if session.created is not None else options.imported_at


def write(events: Iterable[Event], sink: BinaryIO, *, options: WriteOptions, report: FileReport) -> int | None:
    """Write one session; gives the time of its last message in milliseconds since 1970 UTC.

    Takes the events of one session, merged, paired and in order (see `panscript.stages`). Raises `CannotConvert` when
    nothing in them can be said in Pi.
    """
    return write_chain(
        events, lambda first: SessionWriter(first, sink, options, report, session_id=session_id(first, options))
    )
