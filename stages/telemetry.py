"""Projections as attributes of OpenTelemetry's conventions for generative AI: plain dicts, never a text or a title.

Experimental, as the conventions are. Names and meanings are those of one commit of
open-telemetry/semantic-conventions-genai.
"""

from __future__ import annotations

from msgspec import UNSET

from panscript.schemas.projections import SessionMetaLine, ToolCallLine, UsageLine

__all__ = ["CONVENTIONS", "Attributes", "session_attributes", "tool_call_attributes", "usage_attributes"]

CONVENTIONS = "e8fc5751506258db1459d1bde47994e01dee922e"
"""The commit that the names are taken from."""

Attributes = dict[str, str | int | float | bool]

_PROVIDERS = {
    "google": "gcp.gen_ai",
    "google-vertex": "gcp.vertex_ai",
    "amazon-bedrock": "aws.bedrock",
    "bedrock": "aws.bedrock",
    "azure": "azure.ai.openai",
    "azure-openai": "azure.ai.openai",
    "xai": "x_ai",
    "mistral": "mistral_ai",
}
"""Names of ours for which the conventions have one of their own."""


def usage_attributes(line: UsageLine, *, include_paths: bool = False) -> Attributes:
    """A response: who answered, and its tokens. What went into and came out of a cache counts as input there."""
    found = _common(line.source, line.session_id)
    found["gen_ai.operation.name"] = "chat"
    _put(found, "gen_ai.agent.id", line.agent_id)
    _put(found, "gen_ai.response.model", line.model)
    _put(found, "gen_ai.response.id", line.message_id)
    if line.provider is not UNSET:
        found["gen_ai.provider.name"] = _PROVIDERS.get(line.provider, line.provider)
    cached = line.cache_read_tokens + line.cache_write_tokens
    found["gen_ai.usage.input_tokens"] = line.input_tokens + cached
    found["gen_ai.usage.output_tokens"] = line.output_tokens
    for name, count in (
        ("cache_read.input_tokens", line.cache_read_tokens),
        ("cache_creation.input_tokens", line.cache_write_tokens),
        ("reasoning.output_tokens", line.reasoning_tokens),
    ):
        if count:
            found[f"gen_ai.usage.{name}"] = count
    if include_paths:
        _put(found, "process.working_directory", line.repo_root)
    return found


def tool_call_attributes(line: ToolCallLine) -> Attributes:
    """A call of a tool. One that failed has an `error.type`; one that nobody saw end has none."""
    found = _common(line.source, line.session_id)
    found["gen_ai.operation.name"] = "execute_tool"
    found["gen_ai.tool.name"] = line.name
    found["gen_ai.tool.type"] = "function"
    _put(found, "gen_ai.tool.call.id", line.tool_call_id)
    if line.status == "error":
        found["error.type"] = "_OTHER"
    return found


def session_attributes(line: SessionMetaLine, *, include_paths: bool = False) -> Attributes:
    """Facts of a session. Its folder and its branch only with `include_paths`."""
    found = _common(line.source, line.session_id)
    _put(found, "gen_ai.agent.version", line.agent_version)
    _put(found, "gen_ai.request.model", line.model)
    if include_paths:
        _put(found, "process.working_directory", line.cwd)
        _put(found, "vcs.ref.head.name", line.git_branch)
    return found


def _common(source: str, session: str) -> Attributes:
    return {"gen_ai.agent.name": source, "gen_ai.conversation.id": session}


def _put(found: Attributes, name: str, value: object) -> None:
    if isinstance(value, str):
        found[name] = value
