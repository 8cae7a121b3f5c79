"""The first pass over an event log: what only its end tells."""

from __future__ import annotations

from collections.abc import Callable

from panscript.readers.clock import Clock
from panscript.readers.copilot.files import SAID_TYPES, is_record
from panscript.readers.jsonl import rows
from panscript.schemas import timestamps
from panscript.schemas.copilot.lean import STATE_TYPES, Data, Row, UsageRow, row_decoder
from panscript.schemas.records import Source

__all__ = ["Survey", "injected_as", "is_known", "missing", "survey"]

_SKILL = "<skill-context"
_SAYING = frozenset({"assistant.reasoning", "tool.execution_start", "session.compaction_complete"})
"""Lines of the conversation that are no messages."""


def is_known(row: Row) -> bool:
    """Whether the line is one of Copilot's."""
    return row.type in SAID_TYPES or row.type in STATE_TYPES


def missing(row: Row | UsageRow) -> str | None:
    """The code for a line of the conversation that holds nothing of it; None for any other."""
    if row.data is not None:
        return None
    if row.type in SAID_TYPES:
        return "message_invalid_message"
    return "invalid_payload" if row.type in _SAYING else None


def injected_as(data: Data) -> str | None:
    """What put a prompt before the model; None when a person typed it."""
    if data.source and data.source != "user":
        return data.source.split("-", 1)[0] or "agent"
    return "skill" if (data.content or "").startswith(_SKILL) else None


class Survey:
    """Feed it every record in file order, then `end` it."""

    def __init__(self) -> None:
        self.records = 0
        self.damaged = 0
        self.seen = self.understood = False
        self.clock = Clock()
        self.session: str | None = None
        self.created: int | None = None
        self.cwd: str | None = None
        self.branch: str | None = None
        self.version: str | None = None
        self.model: str | None = None
        self.provider: str | None = None
        self.parent: str | None = None
        self.first_prompt: str | None = None
        self.unanswered: set[str] = set()
        self.has_start = False

    def row(self, number: int, row: Row) -> None:
        """The next record."""
        self.understood = self.understood or is_known(row)
        time = timestamps.parse(row.timestamp)
        if time is not None:
            self.clock.add(number, time)
        data = row.data
        if data is None:
            self.damaged += missing(row) is not None
            return
        kind = row.type
        if kind == "session.start" and not self.has_start:
            self.has_start = True
            self.session = data.session_id
            self.created = timestamps.parse(data.start_time)
            self.version = data.copilot_version
            self.parent = data.detached_from_spawning_parent_session_id
        if kind in ("session.start", "session.resume"):
            where = data.context
            if where is not None:
                self.cwd, self.branch = self.cwd or where.cwd, where.branch or self.branch
            self.model = self.model or data.selected_model
        elif kind == "session.usage_record" and data.usage is not None:
            self.provider = data.usage.model_provider or self.provider
        elif kind == "assistant.message":
            if row.agent_id is None and data.model:
                self.model = data.model
            self.unanswered.update(each.tool_call_id for each in data.tool_requests or () if each.tool_call_id)
        elif kind == "tool.execution_start" and data.tool_call_id:
            self.unanswered.add(data.tool_call_id)
        elif kind == "tool.execution_complete":
            self.unanswered.discard(data.tool_call_id or "")
        elif kind == "user.message" and self.first_prompt is None and row.agent_id is None:
            text = data.content or ""
            self.first_prompt = text[:4000] if text.strip() and injected_as(data) is None else None


def survey(source: Source, enough: Callable[[Survey], bool] | None = None) -> Survey:
    """Read the log once, or until there is `enough`. Lines that cannot be read are only counted; the second pass
    reports them."""
    found = Survey()
    for number, parsed in enumerate(rows([source.files[0].path], row_decoder, is_record)):
        found.records += 1
        trouble = parsed.trouble
        if trouble is not None and trouble.skip is not None:
            found.damaged += 1
        found.seen = found.seen or trouble is None or not trouble.blank
        if parsed.row is not None:
            found.row(number, parsed.row)
            if enough is not None and enough(found):
                break
    found.clock.end()
    return found
