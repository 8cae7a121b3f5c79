"""Which of a session's branches go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from panscript.schemas.events import Compaction, Event, Message, Shell, Summary, ToolResult
from panscript.schemas.report import FileReport

__all__ = ["active_branch", "main_thread"]

_SAID = (Message, ToolResult, Compaction, Shell, Summary)


def active_branch(events: Iterable[Event], report: FileReport | None = None) -> Iterator[Event]:
    """Only the branch that was live at the end. What is left out counts as lost code `branch`."""
    for event in events:
        if event.live:
            yield event
        elif report is not None and isinstance(event, _SAID):
            report.lose("branch")


def main_thread(events: Iterable[Event], report: FileReport | None = None) -> Iterator[Event]:
    """Without the sub-agents whose records stand in their parent's file. They count as lost code `subagent`."""
    for event in events:
        if event.agent_id is None:
            yield event
        elif report is not None and isinstance(event, _SAID):
            report.lose("subagent")
