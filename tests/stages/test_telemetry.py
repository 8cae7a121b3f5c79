"""Attributes have the names of the conventions and never say what was said."""

from __future__ import annotations

from panscript.schemas.projections import SessionMetaLine, ToolCallLine, UsageLine
from panscript.stages.telemetry import CONVENTIONS, session_attributes, tool_call_attributes, usage_attributes

TIME = "2026-01-01T10:00:00.000Z"


def test_cached_tokens_are_input_there() -> None:
    line = UsageLine(
        source="claude",
        session_id="s",
        timestamp=TIME,
        provider="google",
        model="m",
        message_id="msg",
        repo_root="/home/ana/app",
        input_tokens=5,
        output_tokens=7,
        reasoning_tokens=2,
        cache_read_tokens=100,
        cache_write_tokens=10,
        total_tokens=122,
        cost_mode="estimated",
    )
    assert usage_attributes(line) == {
        "gen_ai.agent.name": "claude",
        "gen_ai.conversation.id": "s",
        "gen_ai.operation.name": "chat",
        "gen_ai.response.model": "m",
        "gen_ai.response.id": "msg",
        "gen_ai.provider.name": "gcp.gen_ai",
        "gen_ai.usage.input_tokens": 115,
        "gen_ai.usage.output_tokens": 7,
        "gen_ai.usage.cache_read.input_tokens": 100,
        "gen_ai.usage.cache_creation.input_tokens": 10,
        "gen_ai.usage.reasoning.output_tokens": 2,
    }
    assert usage_attributes(line, include_paths=True)["process.working_directory"] == "/home/ana/app"


def test_only_a_call_that_failed_has_an_error() -> None:
    line = ToolCallLine(source="pi", session_id="s", timestamp=TIME, name="bash", status="error", tool_call_id="c")
    found = tool_call_attributes(line)
    assert found["error.type"] == "_OTHER"
    assert (found["gen_ai.tool.name"], found["gen_ai.tool.call.id"]) == ("bash", "c")
    for status in ("ok", "unknown"):
        line.status = status
        assert "error.type" not in tool_call_attributes(line)


def test_titles_are_left_out_and_paths_unless_they_are_asked_for() -> None:
    line = SessionMetaLine(
        source="pi", session_id="s", timestamp=TIME, cwd="/secret", title="Secret", git_branch="b", agent_version="1"
    )
    found = session_attributes(line)
    assert found == {"gen_ai.agent.name": "pi", "gen_ai.conversation.id": "s", "gen_ai.agent.version": "1"}
    found = session_attributes(line, include_paths=True)
    assert (found["process.working_directory"], found["vcs.ref.head.name"]) == ("/secret", "b")
    assert "Secret" not in found.values()


def test_the_names_are_pinned() -> None:
    assert len(CONVENTIONS) == 40
