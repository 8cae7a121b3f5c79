"""What the person was shown. Beside what the model saw it says nothing new but tokens; alone it is the conversation."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.readers.cline.content import picture
from panscript.readers.cline.survey import Survey
from panscript.readers.rawjson import clean_raw
from panscript.readers.speaking import Speaker
from panscript.schemas import timestamps
from panscript.schemas.cline.lean import Shown
from panscript.schemas.events import TASK, Event, Text, Thinking, ToolCall, ToolResult
from panscript.schemas.events import Block as Content
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Shower"]

_PERSON = frozenset({"task", "user_feedback"})
_MODEL = frozenset({"text", "completion_result", "plan_completion_result", "reasoning"})
_QUESTIONS = frozenset({"followup", "plan_mode_respond", "act_mode_respond"})
_CALLS = {
    "tool": "tool",
    "command": "execute_command",
    "use_mcp_server": "use_mcp_server",
    "browser_action_launch": "browser_action",
    "browser_action": "browser_action",
    "use_subagents": "use_subagents",
    "new_task": "new_task",
}
_RESULTS = frozenset(
    {"command_output", "mcp_server_response", "browser_action_result", "codebase_search_result", "subtask_result"}
)
_STATE = frozenset(
    (
        "api_req_started api_req_finished api_req_retried api_req_failed api_req_retry_delayed"
        " api_req_rate_limit_wait api_req_deleted deleted_api_reqs subagent subagent_usage resume_task"
        " resume_completed_task mistake_limit_reached auto_approval_max_req_reached checkpoint_created checkpoint_saved"
        " task_progress hook_status hook_output_stream conditional_rules_applied compaction shell_integration_warning"
        " shell_integration_warning_with_suggestion info load_mcp_documentation mcp_server_request_started"
        " mcp_notification error diff_error clineignore_error rooignore_error command_permission_denied"
        " condense_context condense_context_error sliding_window_truncation too_many_tools_warning user_edit_todos"
        " user_feedback_diff image generate_explanation condense summarize_task report_bug"
    ).split()
)


class Shower(Speaker):
    """Turns one message after the other into its class and, where they are the conversation, its events."""

    def __init__(self, survey: Survey, report: FileReport, *, alone: bool) -> None:
        """`alone`: what the model saw is not there."""
        super().__init__(report)
        self._survey, self._alone = survey, alone
        self._with_result = _with_result(survey.shown) if alone else set()
        self._begun = False
        self._call: str | None = None

    def row(self, element: int, row: Shown, text: bytes) -> tuple[RecordClass, list[Event]]:
        """The class of a message and what it says; `text` is its JSON."""
        kind = row.say or row.ask or ""
        self._begin(f"shown:{element + 1}", time=timestamps.parse(row.ts))
        events: list[Event] = []
        said = kind in _PERSON or kind in _MODEL or kind in _QUESTIONS
        if said or kind in _CALLS or kind in _RESULTS:
            if not self._alone:
                return "twin", events
            self._tell(kind, row, events)
            return ("used" if events else "state"), events
        if kind in _STATE:
            return "state", events
        self._unknown(kind or "(no type)", clean_raw(text), events)
        return "opaque", events

    def _tell(self, kind: str, row: Shown, events: list[Event]) -> None:
        text = row.text or ""
        pictures: list[Content] = [picture(url) for url in row.images or ()]
        first, self._begun = not self._begun, True
        if kind in _PERSON or (first and kind == "text"):
            blocks = [*([Text(text=text)] if text else []), *pictures]
            if blocks and self._survey.parent is not None:
                self._say("system", blocks, events, injected=TASK)
            elif blocks:
                self._say("user", blocks, events)
        elif kind in _CALLS:
            self._asked(kind, text, events)
        elif kind in _RESULTS:
            self._answered(text, pictures, events)
        elif text or pictures or row.reasoning:
            thought = text if kind == "reasoning" else row.reasoning
            shown = "" if kind == "reasoning" else _question(text) if kind in _QUESTIONS else text
            blocks = [*([Thinking(text=thought)] if thought else []), *([Text(text=shown)] if shown else []), *pictures]
            time = self._common["time"]
            fault = "aborted" if row.partial else None
            self._say("assistant", blocks, events, model=self._survey.default_model(time), fault=fault)

    def _asked(self, kind: str, text: str, events: list[Event]) -> None:
        self._call = f"shown_{self._base.partition(':')[2]}"
        value = _object(text)
        tool = value.get("tool") if value is not None else None
        name = tool if isinstance(tool, str) and tool else _CALLS[kind]
        given = clean_raw(text.encode()) if value is not None else msgspec.Raw(msgspec.json.encode({"text": text}))
        call = ToolCall(id=self._call, name=name, arguments=given, answered=self._base in self._with_result)
        self._say("assistant", [call], events, model=self._survey.default_model(self._common["time"]))

    def _answered(self, text: str, pictures: list[Content], events: list[Event]) -> None:
        """Output, which may be shown in several parts: the first is the result, the others belong to it."""
        blocks = [*([Text(text=text)] if text else []), *pictures]
        if self._call is None or not blocks:
            return
        name, parent = self._next()
        events.append(ToolResult(id=name, parent=parent, call_id=self._call, content=tuple(blocks), **self._common))


def _with_result(shown: dict[int, Shown]) -> set[str]:
    """The calls behind which output was shown before the next call."""
    found: set[str] = set()
    asked: str | None = None
    for element, row in shown.items():
        kind = row.say or row.ask or ""
        if kind in _CALLS:
            asked = f"shown:{element + 1}"
        elif kind in _RESULTS and asked is not None and (row.text or row.images):
            found.add(asked)
    return found


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _question(text: str) -> str:
    """What is asked: bare, or beside the answers to choose from."""
    value = _object(text) or {}
    found = value.get("question") or value.get("response")
    return found if isinstance(found, str) else text
