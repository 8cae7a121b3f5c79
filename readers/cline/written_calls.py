"""Calls that a model wrote as XML into its text, before tools were called natively."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Call", "calls_in"]

_TOOLS = (
    "access_mcp_resource|act_mode_respond|apply_diff|apply_patch|ask_followup_question|attempt_completion"
    "|browser_action|codebase_search|condense|delete_file|edit_file|execute_command|fetch_instructions|focus_chain"
    "|generate_explanation|generate_image|insert_content|list_code_definition_names|list_files|load_mcp_documentation"
    "|new_rule|new_task|plan_mode_respond|read_file|replace_in_file|report_bug|run_slash_command|search_and_replace"
    "|search_files|summarize_task|switch_mode|update_todo_list|use_mcp_tool|use_skill|web_fetch|web_search"
    "|write_to_file"
)
_CALL = re.compile(rf"<(?P<tool>{_TOOLS})>(?P<inside>.*?)</(?P=tool)>", re.DOTALL)
_FIELD = re.compile(r"<(?P<name>[a-zA-Z_]\w*)>(?P<value>.*?)</(?P=name)>", re.DOTALL)
_LONG = ("content", "diff", "arguments", "result", "response", "args")
"""Fields that may hold anything, their own end included."""


class Call(NamedTuple):
    """A call as written."""

    before: str
    """The text between the call before and this one."""
    tool: str
    arguments: dict[str, str]


def calls_in(text: str) -> tuple[list[Call], str]:
    """The calls in a text, and the text behind the last one."""
    found: list[Call] = []
    at = 0
    while (call := _CALL.search(text, at)) is not None:
        tool, inside, end = call["tool"], call["inside"], call.end()
        if tool in ("write_to_file", "replace_in_file", "apply_diff", "insert_content", "attempt_completion"):
            # A file may hold the end of a call; that of this one is the last.
            last = text.rfind(f"</{tool}>")
            following = _CALL.search(text, end)
            if last > call.end("inside") and (following is None or following.start() > last):
                inside, end = text[call.start("inside") : last], last + len(tool) + 3
        found.append(Call(text[at : call.start()].strip(), tool, _fields(inside)))
        at = end
    return found, text[at:].strip() if found else text


def _fields(inside: str) -> dict[str, str]:
    found: dict[str, str] = {}
    at = 0
    while (field := _FIELD.search(inside, at)) is not None:
        name, value, at = field["name"], field["value"], field.end()
        if name in _LONG and (last := inside.rfind(f"</{name}>")) >= 0:
            value, at = inside[field.start("value") : last], last + len(name) + 3
        found.setdefault(name, value.strip("\n"))
    return found
