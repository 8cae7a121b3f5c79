"""Text in a user or developer message that no person typed: what put it there.

Since 0.160 a message says so itself, block by block. Before, a block is injected when it begins with the open mark of
a fragment and ends with its close mark.
"""

from __future__ import annotations

import re

from panscript.schemas.codex.lean import Block, Payload
from panscript.schemas.events import SHELL

__all__ = ["COMPACTED", "block_text", "developer_kind", "environment_cwd", "injected_by", "is_wrapper"]

COMPACTED = "compaction"
"""The summary of a compaction where it stands as a user message."""

_KINDS = {
    "agents_md.instructions": "agents_md",
    "environments.environment_context": "environment",
    "shell.user_command": SHELL,
    "generic.turn_aborted": "turn_aborted",
    "generic.developer_instructions": "developer",
    "multi_agent.subagent_notification": "subagent_notification",
    "skills.selected_skill_instructions": "skill",
    "compaction.summary": COMPACTED,
}
_MARKS = {
    "# agents.md instructions": ("</instructions>", "agents_md"),
    "<user_instructions>": ("</user_instructions>", "agents_md"),
    "<environment_context>": ("</environment_context>", "environment"),
    "<skill>": ("</skill>", "skill"),
    "<turn_aborted>": ("</turn_aborted>", "turn_aborted"),
    "<user_shell_command>": ("</user_shell_command>", SHELL),
    "<user_action>": ("</user_action>", "user_action"),
    "<subagent_notification>": ("</subagent_notification>", "subagent_notification"),
    "<codex_internal_context ": ("</codex_internal_context>", "codex_internal_context"),
    "<goal_context>": ("</goal_context>", "goal_context"),
    "<hook_prompt ": ("</hook_prompt>", "hook"),
    "<recommended_plugins>": ("</recommended_plugins>", "recommended_plugins"),
    "<agent_message_board_notification>": ("</agent_message_board_notification>", "agent_message_board_notification"),
    "<current_time_reminder>": ("</current_time_reminder>", "current_time_reminder"),
    "<context_window_reminder>": ("</context_window_reminder>", "context_window_reminder"),
}
_WARNINGS = (
    "Warning: apply_patch was requested via ",
    "Warning: Your account was flagged for",
    "Warning: The maximum number of unified exec processes",
)
_SUMMARY = "Another language model started"
_EXTERNAL = re.compile(r"<(external_[A-Za-z0-9_.-]+)>")
_TAG = re.compile(r"\s*<([a-z][a-z0-9_]*)")
_WRAPPER = re.compile(r"\s*(?:<image(?:\s[^>]*)?>|</image>)\s*")
_CWD = re.compile(r"<cwd>\s*(.*?)\s*</cwd>", re.DOTALL)


def injected_by(message: Payload, index: int, text: str) -> str | None:
    """What put block `index` of a user message there; None when a person typed it."""
    said = message.internal_chat_message_metadata_passthrough
    kinds = said.content_item_kinds if said is not None else None
    if kinds is not None and index < len(kinds):
        kind = kinds[index]
        if kind is not None and kind != "unknown":
            if kind.startswith("user."):
                return None
            return _KINDS.get(kind) or kind.split(".")[0]
    return _by_marks(text)


def _by_marks(text: str) -> str | None:
    start = text[:100].lstrip()
    if not start or start[0] not in "<#WA":
        return None
    if start[0] == "A":
        return COMPACTED if start.startswith(_SUMMARY) else None
    if start[0] == "W":
        return "warning" if start.startswith(_WARNINGS) else None
    lowered = start.lower()
    end = text[-100:].rstrip().lower()
    for opening, (closing, kind) in _MARKS.items():
        if lowered.startswith(opening):
            return kind if end.endswith(closing) else None
    named = _EXTERNAL.match(start)
    if named is not None and end.endswith(f"</{named[1].lower()}>"):
        return "external"
    return None


def developer_kind(message: Payload, index: int, text: str) -> str:
    """What a developer message is about, by its own word or by the tag it begins with."""
    kind = injected_by(message, index, text)
    if kind is not None:
        return kind
    tag = _TAG.match(text[:100])
    return tag[1].removesuffix("_instructions") if tag is not None else "developer"


def block_text(block: Block) -> str | None:
    """The text of a text block; None when it is no text block."""
    if block.type in ("input_text", "output_text", "text", "Text"):
        return block.text or ""
    return None


def is_wrapper(blocks: list[Block], index: int) -> bool:
    """Whether this text block only says where a picture beside it begins or ends."""
    text = blocks[index].text or ""
    if len(text) > 4096 or not _WRAPPER.fullmatch(text):
        return False
    near = index - 1 if text.lstrip().startswith("</") else index + 1
    return 0 <= near < len(blocks) and blocks[near].type == "input_image"


def environment_cwd(text: str) -> str | None:
    """The working directory that an environment context names."""
    found = _CWD.search(text[:10_000])
    return found[1] if found is not None else None
