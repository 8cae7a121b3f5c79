"""Lines of a Copilot event log that say nothing of the conversation, or say it again."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from panscript.schemas.copilot.details import Line

__all__ = ["TRACES"]


class _Plain(Line):
    """A line whose data says nothing of the conversation."""

    data: Any = UNSET


class Truncation(_Plain, tag="session.truncation"):
    """Old messages were left out of the context."""


class Abort(_Plain, tag="abort"):
    """The person stopped the agent."""


class TraceTurnStarted(_Plain, tag="model.turn_started"):
    """Trace of a compaction's request."""


class TraceCallStarted(_Plain, tag="model.model_call_started"):
    """Trace of a compaction's request."""


class TraceCallSuccess(_Plain, tag="model.model_call_success"):
    """Trace of a compaction's request."""


class TraceMessage(_Plain, tag="model.message"):
    """Trace of a compaction's request: the answer once more."""


class TraceResponse(_Plain, tag="model.response"):
    """Trace of a compaction's request."""


class TraceTurnEnded(_Plain, tag="model.turn_ended"):
    """Trace of a compaction's request."""


class TraceSnapshot(_Plain, tag="model.messages_snapshot"):
    """Trace of a compaction's request: all messages once more."""


TRACES = (
    TraceTurnStarted,
    TraceCallStarted,
    TraceCallSuccess,
    TraceMessage,
    TraceResponse,
    TraceTurnEnded,
    TraceSnapshot,
    Truncation,
    Abort,
)
