"""Files beside the rollouts: names of threads, typed prompts, and the one-document rollouts of early 2025."""

from __future__ import annotations

from panscript.schemas.codex.base import Wire
from panscript.schemas.codex.items import Item
from panscript.schemas.codex.vocabulary import ThreadId, Time, UnixSeconds

__all__ = ["HistoryEntry", "RolloutDocument", "RolloutDocumentSession", "SessionIndexEntry"]


class SessionIndexEntry(Wire):
    """A line of `session_index.jsonl`: the name of a thread. The last line of an id counts."""

    id: ThreadId
    thread_name: str
    updated_at: Time


class HistoryEntry(Wire):
    """A line of `history.jsonl`: a prompt typed in the terminal UI."""

    session_id: ThreadId
    ts: UnixSeconds
    text: str


class RolloutDocumentSession(Wire):
    """Head of a one-document rollout."""

    id: str
    timestamp: Time
    instructions: str | None = None


class RolloutDocument(Wire):
    """`rollout-*.json` of the TypeScript program (early 2025): the whole conversation as one object."""

    session: RolloutDocumentSession
    items: list[Item]
