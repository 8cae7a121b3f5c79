"""Stages: functions from events to events. Each can be used alone; `pipe` joins them, `prepare` is the usual row."""

from panscript.stages.branch import active_branch, main_thread
from panscript.stages.merge import merge
from panscript.stages.order import order
from panscript.stages.pairing import pair
from panscript.stages.pipe import Stage, events_of, pipe
from panscript.stages.prepare import prepare
from panscript.stages.redact import redact
from panscript.stages.redaction import Redactor
from panscript.stages.windows import by_session, kinds, since, until

__all__ = [
    "Redactor",
    "Stage",
    "active_branch",
    "by_session",
    "events_of",
    "kinds",
    "main_thread",
    "merge",
    "order",
    "pair",
    "pipe",
    "prepare",
    "redact",
    "since",
    "until",
]
