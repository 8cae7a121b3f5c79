"""Lines of Kimi CLI's `context.jsonl`: what the model is sent. They have neither ids nor times nor a model."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.kimi.parts import Content, ToolCall

__all__ = ["LINES", "Assistant", "Checkpoint", "Size", "System", "SystemPrompt", "Tool", "User"]


class _Line(msgspec.Struct, kw_only=True, omit_defaults=True, tag_field="role"):
    """A line is told by its role; a role that begins with `_` is no message."""


class SystemPrompt(_Line, kw_only=True, tag="_system_prompt"):
    """The first line since about 1.2x."""

    content: str | UnsetType = UNSET


class Checkpoint(_Line, kw_only=True, tag="_checkpoint"):
    """A place that a revert leads back to: one before each turn, one before each later step."""

    id: int | UnsetType = UNSET  # from 0


class Size(_Line, kw_only=True, tag="_usage"):
    """How large the context is now; never to be added up."""

    token_count: int | UnsetType = UNSET


class _Message(_Line, kw_only=True):
    content: Content | UnsetType | None = UNSET
    name: str | UnsetType = UNSET
    partial: bool | UnsetType = UNSET


class User(_Message, kw_only=True, tag="user"):
    """What a person said; `<system>CHECKPOINT n</system>` was put there by the agent."""


class Assistant(_Message, kw_only=True, tag="assistant"):
    """What the model answered."""

    tool_calls: list[ToolCall] | UnsetType = UNSET


class Tool(_Message, kw_only=True, tag="tool"):
    """What a tool gave back. A failure is told only by its text, `<system>ERROR: ...</system>`."""

    tool_call_id: str | UnsetType = UNSET


class System(_Message, kw_only=True, tag="system"):
    """A message of the program."""


LINES = (SystemPrompt, Checkpoint, Size, User, Assistant, Tool, System)
