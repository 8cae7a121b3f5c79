"""Claude Code transcripts: one JSON-lines file below `~/.claude/projects/<project>/`, rows that name their parents.

Imported rows say where they were used up and carry no tokens, so the agent and the tools that count leave them out;
the true numbers stand in the import record, two kinds of rows that the agent passes over. Nothing goes into thinking
blocks but what the vendor signed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import msgspec

from panscript.schemas.events import Event, Session
from panscript.schemas.report import FileReport
from panscript.schemas.terminal import one_line
from panscript.writers.chain import write_chain
from panscript.writers.claude.going_on import continuation
from panscript.writers.claude.place import project
from panscript.writers.claude.session import SessionWriter
from panscript.writers.identity import digest, session_uuid
from panscript.writers.options import Beside, WriteOptions

__all__ = ["LOSSES", "TEXT", "agent_name", "beside", "continuation", "file_name", "session_id", "write"]

TEXT = True
"""A session is one text file, which can go to standard output."""

LOSSES = {
    "signature_dropped": "Another vendor's, which this one refuses.",
    "redacted_thinking": "There is no text to keep.",
    "agent_notice": "Not written by a model; it would be sent as the model's words.",
    "failed_response": "Neither text nor a call.",
    "empty_message": "The vendor refuses an empty message.",
    "empty_block": "The vendor refuses empty text.",
    "image_missing": "Not in the session.",
    "image_remote": "Nothing is fetched.",
    "image_too_large": "The vendor refuses the whole request.",
    "image_broken": "The vendor refuses the whole request.",
    "file_missing": "The vendor takes no documents but PDF and text.",
    "opaque": "Too large for the import record.",
    "usage_record": "Belongs to no message.",
}
"""What Claude Code cannot hold, by loss code, and why."""


def session_id(session: Session, options: WriteOptions) -> str:
    """The id the imported session gets: always the same for one source session and one number of import.

    That of a sub-agent is the name of its file; it lies in the folder of the session that a person talks to.
    """
    if options.root_session is not None:
        return f"agent-{agent_name(session.agent, session.session_id, options.number)}"
    more = (str(options.number),) if options.number else ()
    return session_uuid(session.agent, session.session_id, *more)


def _written_id(session: Session, options: WriteOptions) -> str:
    """The id that rows name: that of the session that a person talks to."""
    if options.continues is not None:
        return options.continues.session_id
    return options.root_session or session_id(session, options)


def _agent_id(session: Session, options: WriteOptions) -> str | None:
    """The id of a sub-agent in its session."""
    if options.continues is not None:
        return options.continues.agent_id
    if options.root_session is None:
        return None
    return agent_name(session.agent, session.session_id, options.number)


def agent_name(source: str, session: str, number: int = 0) -> str:
    """The id of a sub-agent in its session, from the agent and the session it was read from and which import it is."""
    return f"a{digest(source, session, *([str(number)] if number else []))}"


def file_name(session: Session, options: WriteOptions) -> str:
    """Folder of the project and name of the file, below the agent's projects folder."""
    cwd = options.cwd or session.cwd or "/"
    folder = project(cwd.rstrip("/") or "/")
    agent_id = _agent_id(session, options)
    if agent_id is None:
        return f"{folder}/{session_id(session, options)}.jsonl"
    return f"{folder}/{options.root_session}/subagents/agent-{agent_id}.jsonl"


class _Meta(msgspec.Struct, rename="camel"):
    agent_type: str
    description: str


def beside(session: Session, options: WriteOptions) -> tuple[Beside, ...]:
    """The facts of a sub-agent."""
    if _agent_id(session, options) is None:
        return ()
    title = one_line(session.title or session.first_prompt or session.session_id)[:200]
    facts = msgspec.json.encode(_Meta("imported", title)) + b"\n"
    return (Beside(f"{file_name(session, options).removesuffix('.jsonl')}.meta.json", facts),)


def write(events: Iterable[Event], sink: BinaryIO, *, options: WriteOptions, report: FileReport) -> int | None:
    """Write one session; gives the time of its last message in milliseconds since 1970 UTC.

    Takes the events of one session, merged, paired and in order (see `panscript.stages`). Raises `CannotConvert` when
    nothing in them can be said in Claude Code.
    """
    return write_chain(
        events,
        lambda first: SessionWriter(
            first,
            sink,
            options,
            report,
            session_id=_written_id(first, options),
            agent_id=_agent_id(first, options),
        ),
    )
