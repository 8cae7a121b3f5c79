"""The lines of a synthetic Codex rollout, as version 0.171 writes them in paginated mode.

Every visible text stands twice, as `response_item` and as the `item_completed` event; usage is told by
`token_usage_record` and again by `token_count`.
"""
# The fields of a row stand several a line, in the order in which they are on disk.
# fmt: off

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
from texts import Texts

__all__ = ["CodexSession"]

Row = dict[str, Any]
CWD, MODEL = "/home/dev/app", "gpt-5.5"
COUNTERS = ("input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens",
            "reasoning_output_tokens", "total_tokens")


class CodexSession:
    """Gives the lines turn by turn; a turn ends with all its calls answered."""

    def __init__(self, texts: Texts) -> None:
        self._t = texts
        self._id = self._turn_id = texts.uuid7()
        self._ordinal = self._answers = 0
        self._thread_usage = self._turn_usage = self._usage = dict.fromkeys(COUNTERS, 0)
        stamp = datetime.fromtimestamp(texts.now / 1000, UTC).strftime("%Y-%m-%dT%H-%M-%S")
        self.file_name = f"rollout-{stamp}-{self._id}.jsonl"

    def turn(self, longest: int) -> Iterator[Row]:
        """Yield the lines of the next turn; one command's output makes lines of `longest` bytes if that is not 0."""
        t, first = self._t, self._ordinal == 0
        if first:
            yield self._line("session_meta", {
                "session_id": self._id, "id": self._id, "timestamp": t.time(), "cwd": CWD, "originator": "codex_cli",
                "cli_version": "0.171.0", "source": "cli", "model_provider": "openai", "history_mode": "paginated",
                "base_instructions": {"text": t.text(12_000)}, "git": {"commit_hash": t.hex(40), "branch": "main"}})
        t.time()
        self._turn_id, self._turn_usage, started = t.uuid7(), dict.fromkeys(COUNTERS, 0), t.now // 1000
        ids = {"turn_id": self._turn_id, "root_turn_id": self._turn_id}
        yield self._line("event_msg", {"type": "task_started", **ids, "started_at": started,
                                       "model_context_window": 258_400, "collaboration_mode_kind": "default"})
        if first:
            context = f"<environment_context>\n  <cwd>{CWD}</cwd>\n  <shell>bash</shell>\n</environment_context>"
            yield self._message("user", context, "environments.environment_context")
            yield self._line("world_state", {"full": True, "state": {"model": MODEL, "agents_md": t.text(4_000)}})
        yield self._line("turn_context", {**ids, "cwd": CWD, "approval_policy": "never", "model": MODEL,
                                          "effort": "high", "summary": "auto",
                                          "sandbox_policy": {"type": "danger-full-access"}})
        prompt = t.text(t.size(150))
        yield self._message("user", prompt, "user.text")
        yield self._item({"type": "UserMessage", "id": t.uuid7(), "content": [{"type": "text", "text": prompt}]})
        for last in [False] * t.rng.randrange(1, 14) + [True]:
            yield from self._response(last, longest)
            longest = 0
        yield self._line("event_msg", {"type": "task_complete", **ids, "last_agent_message": "Done.",
                                       "started_at": started, "completed_at": t.now // 1000})

    def _response(self, last: bool, longest: int) -> Iterator[Row]:
        t, self._answers = self._t, self._answers + 1
        if t.chance(0.5):
            name, thought = f"rs_{t.hex(24)}", t.text(t.size(250))
            yield self._item({"type": "Reasoning", "id": name, "summary_text": [thought], "raw_content": []})
            yield self._reply({"type": "reasoning", "id": name, "summary": [{"type": "summary_text", "text": thought}],
                               "content": None, "encrypted_content": t.hex(1_400)})
        if last or t.chance(0.4):
            name, text, phase = f"msg_{t.hex(24)}", t.text(t.size(400)), "final_answer" if last else "commentary"
            yield self._item({"type": "AgentMessage", "id": name, "content": [{"type": "Text", "text": text}],
                              "phase": phase})
            yield self._message("assistant", text, "unknown", id=name, phase=phase)
        calls = [] if last else [self._call() for _ in range(t.rng.choices((1, 2, 3), weights=(80, 15, 5))[0])]
        for call in calls:
            yield self._reply(call)
        yield self._usage_record()
        for call in calls:
            if call["name"] == "apply_patch":
                yield from self._patched(call)
            else:
                yield from self._executed(call, longest)
                longest = 0
        yield self._line("event_msg", {
            "type": "token_count", "info": {"total_token_usage": self._thread_usage, "last_token_usage": self._usage,
                                            "model_context_window": 258_400},
            "rate_limits": {"limit_id": "codex", "primary": None, "secondary": None, "plan_type": None}})

    def _call(self) -> Row:
        t, ids = self._t, {"id": f"fc_{self._t.hex(24)}", "call_id": f"call_{self._t.hex(24)}"}
        if self._answers > 1 and t.chance(0.2):
            added = t.text(t.size(800)).replace("\n", "\n+")
            patch = f"*** Begin Patch\n*** Update File: src/main.py\n@@\n+{added}\n*** End Patch"
            return {"type": "custom_tool_call", "name": "apply_patch", "input": patch, **ids}
        arguments = msgspec.json.encode({"cmd": t.text(t.size(120, 1.0)), "workdir": CWD}).decode()
        return {"type": "function_call", "name": "exec_command", "arguments": arguments, **ids}

    def _patched(self, call: Row) -> Iterator[Row]:
        changes = {"src/main.py": {"type": "update", "unified_diff": call["input"], "move_path": None}}
        yield self._item({"type": "FileChange", "id": call["call_id"], "changes": changes, "status": "completed",
                          "stdout": "", "stderr": ""})
        yield self._reply({"type": "custom_tool_call_output", "call_id": call["call_id"],
                           "output": "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated src/main.py\n"})

    def _executed(self, call: Row, longest: int) -> Iterator[Row]:
        t, code = self._t, int(self._t.chance(0.05))
        text = t.text(longest or t.size(2_600, 1.75))
        yield self._item({"type": "CommandExecution", "id": call["call_id"], "process_id": "4711", "parsed_cmd": [],
                          "command": ["/bin/bash", "-lc", "make test"], "cwd": f"file://{CWD}",
                          "source": "unified_exec_startup", "status": "failed" if code else "completed",
                          "aggregated_output": text, "exit_code": code, "duration": {"secs": 0, "nanos": 1_298_126}})
        output = f"Chunk ID: {t.hex(6)}\nWall time: 0.0013 seconds\nProcess exited with code {code}\nOutput:\n{text}"
        yield self._reply({"type": "function_call_output", "call_id": call["call_id"], "output": output})

    def _usage_record(self) -> Row:
        given, answered = self._t.rng.randrange(20_000, 150_000), self._t.rng.randrange(20, 3_000)
        counts = (given, given - given % 8_192, 0, answered, answered // 3, given + answered)
        self._usage = dict(zip(COUNTERS, counts, strict=True))
        self._turn_usage = {name: self._turn_usage[name] + self._usage[name] for name in COUNTERS}
        self._thread_usage = {name: self._thread_usage[name] + self._usage[name] for name in COUNTERS}
        return self._line("token_usage_record", {
            "thread_id": self._id, "turn_id": self._turn_id, "session_id": self._id, "root_turn_id": self._turn_id,
            "response_id": f"resp_{self._answers:08}", "usage": self._usage, "turn_token_usage": self._turn_usage,
            "thread_token_usage": self._thread_usage})

    def _message(self, role: str, text: str, kind: str, **more: str) -> Row:
        block = {"type": "output_text" if role == "assistant" else "input_text", "text": text}
        item = {"type": "message", "id": f"msg_{self._t.uuid7()}", "role": role, "content": [block], **more}
        return self._reply(item, content_item_kinds=[kind])

    def _reply(self, item: Row, **passed: object) -> Row:
        passthrough = {"turn_id": self._turn_id, **passed}
        row = self._line("response_item", {**item, "internal_chat_message_metadata_passthrough": passthrough})
        return {**row, "metadata": {"history_sequence": self._ordinal, "client_authored": False}}

    def _item(self, item: Row) -> Row:
        return self._line("event_msg", {"type": "item_completed", "thread_id": self._id, "turn_id": self._turn_id,
                                        "item": item, "completed_at_ms": self._t.now})

    def _line(self, kind: str, payload: Row) -> Row:
        self._ordinal += 1
        return {"timestamp": self._t.time(), "ordinal": self._ordinal - 1, "type": kind, "payload": payload}
