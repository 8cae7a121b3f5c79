"""Sessions with what real ones seldom hold, one hard case each, in Pi's format, which can say all of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["HARD", "write_hard"]

Block = dict[str, Any]
_DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PICTURE = {"type": "image", "data": _DOT, "mimeType": "image/png"}


class Made:
    """A session that grows by an entry after the other."""

    def __init__(self, name: str) -> None:
        number = sum(name.encode())
        self.entries: list[Block] = [
            {
                "type": "session",
                "version": 3,
                "id": f"5a000009-0000-4000-8000-{number:012}",
                "timestamp": "2026-01-02T03:00:00.000Z",
                "cwd": "/home/ana/app",
            }
        ]
        self.last: str | None = None

    def add(self, kind: str, **fields: Any) -> str:
        number = len(self.entries)
        entry = f"{number:08x}"
        stamp = f"2026-01-02T03:{number // 60:02}:{number % 60:02}.000Z"
        self.entries.append({"type": kind, "id": entry, "parentId": self.last, "timestamp": stamp, **fields})
        self.last = entry
        return entry

    def said(self, role: str, content: Any, **more: Any) -> str:
        return self.add("message", message={"role": role, "content": content, "timestamp": 1767322800000, **more})

    def user(self, content: Any) -> str:
        return self.said("user", content)

    def answer(self, *blocks: Block | str, model: str = "demo-large", provider: str = "demo", **more: Any) -> str:
        content = [text(block) if isinstance(block, str) else block for block in blocks]
        cost = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite", "total"), 0)
        usage = {"input": 90, "output": 3, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 93, "cost": cost}
        stop = "toolUse" if any(block["type"] == "toolCall" for block in content) else "stop"
        about = {"api": "anthropic-messages", "provider": provider, "model": model, "usage": usage, "stopReason": stop}
        return self.said("assistant", content, **(about | more))

    def result(self, call: str, content: Any, *, error: bool = False) -> str:
        blocks = [text(content)] if isinstance(content, str) else content
        return self.said("toolResult", blocks, toolCallId=call, toolName="bash", isError=error)

    def ran(self, command: str, output: str, **more: Any) -> str:
        fields = {"command": command, "output": output, "exitCode": 0, "cancelled": False, "truncated": False} | more
        return self.add("message", message={"role": "bashExecution", "timestamp": 1767322800000, **fields})

    def compact(self, summary: str, first: str) -> str:
        return self.add("compaction", summary=summary, firstKeptEntryId=first, tokensBefore=4200)


def text(said: str) -> Block:
    return {"type": "text", "text": said}


def call(name: str, tool: str = "bash", **arguments: Any) -> Block:
    return {"type": "toolCall", "id": name, "name": tool, "arguments": arguments or {"command": "ls"}}


def compacted_over_a_compaction(made: Made) -> None:
    made.user("u1")
    made.answer("a1")
    kept = made.user("u2")
    made.answer("a2")
    made.compact("first summary", kept)
    made.user("u3")
    made.answer("a3")
    made.compact("second summary", kept)
    made.user("u4")
    made.answer("a4")


def compacted_twice(made: Made) -> None:
    made.user("u1")
    first = made.answer("a1")
    made.compact("first summary", first)
    made.user("u2")
    made.answer("a2")
    kept = made.user("u3")
    made.answer("a3")
    made.compact("second summary", kept)
    made.user("u4")
    made.answer("a4")


def compacted_among_calls(made: Made) -> None:
    made.user("u1")
    kept = made.answer("looking", call("call_1"), call("call_2", "read", path="a"))
    made.result("call_1", "one")
    made.result("call_2", [text("two"), PICTURE], error=True)
    made.ran("ls", "a.txt\n")
    made.ran("pwd", "/home\n", excludeFromContext=True)
    made.answer("seen")
    made.compact("summary", kept)
    made.user("u2")
    made.answer("a2")


def compacted_at_the_end(made: Made) -> None:
    made.user("u1")
    made.answer("a1")
    kept = made.user("u2")
    made.answer("a2")
    made.compact("summary", kept)


def compacted_twice_in_a_row(made: Made) -> None:
    made.user("u1")
    kept = made.answer("a1")
    made.compact("first summary", kept)
    made.compact("second summary", kept)
    made.user("u2")
    made.answer("a2")


def odd_names(made: Made) -> None:
    made.user("u1")
    made.answer(call("call_x|fc_1", "mcp:files.read", path="a"), call("9" * 80, "t" * 90))
    made.result("call_x|fc_1", "one")
    made.result("9" * 80, "two")
    made.answer(call("call_x|fc_1", "bash"), call("", ""))
    made.result("call_x|fc_1", "three")
    made.result("", "four")
    made.answer("a1")


def unpaired(made: Made) -> None:
    made.user("u1")
    made.answer("will look", call("call_1"), call("call_2"))
    made.result("call_2", "two")
    made.user("u2")
    made.result("call_9", "of nobody")
    made.answer(call("call_3"))
    made.user("u3")
    made.answer("a3", call("call_4"))


def ends_with_a_question(made: Made) -> None:
    made.user("u1")
    made.answer("a1")
    made.user("u2")


def ends_with_a_result(made: Made) -> None:
    made.user("u1")
    made.answer(call("call_1"))
    made.result("call_1", "one")


def ends_with_a_command(made: Made) -> None:
    made.user("u1")
    made.answer("a1")
    made.ran("ls", "")


def begins_with_an_answer(made: Made) -> None:
    made.answer("a0")
    made.user("u1")
    made.answer("a1")


def begins_with_a_call(made: Made) -> None:
    made.answer(call("call_1"))
    made.result("call_1", "one")
    made.answer("a1")


def hardly_anything(made: Made) -> None:
    made.user([text("  "), text("u1 "), text(""), text("\n u1b\n")])
    made.answer("", " \n")
    made.answer("  a1\n\n", " ")
    made.user("")
    made.user([])
    made.answer(call("call_1"))
    made.result("call_1", "")
    made.answer(call("call_2", "bash", command=""))
    made.result("call_2", [])
    made.answer()
    made.user("u2")
    made.answer("a2")


def pictures(made: Made) -> None:
    made.user([PICTURE])
    made.answer("a dot", call("call_1"), call("call_2"))
    made.result("call_1", [PICTURE, PICTURE])
    made.result("call_2", [text("a"), PICTURE, text("b")])
    made.user([text("and"), PICTURE, text("this?")])
    made.answer("a dot")


def reasoning(made: Made) -> None:
    own: Block = {"type": "thinking", "thinking": "its own", "thinkingSignature": "c2lnbmVk"}
    made.user("u1")
    made.answer({"type": "thinking", "thinking": "unsigned"}, "a1")
    made.answer({"type": "thinking", "thinking": "alone"})
    made.user("u2")
    made.answer(own, "a2", call("call_1"), model="claude-sonnet-4-5-20250929", provider="anthropic")
    made.result("call_1", "one")
    made.answer(own, "a2b", model="claude-sonnet-4-5-20250929", provider="anthropic")
    made.user("u3")
    made.answer({"type": "thinking", "thinking": "theirs", "thinkingSignature": "gAAAA"}, "a3")


def many_in_a_row(made: Made) -> None:
    made.user("u1")
    made.user("u1b")
    made.answer("a1")
    made.answer("a1b", call("call_1"), "behind the call", call("call_2"))
    made.result("call_2", "two")
    made.result("call_1", "one")
    made.user("u2")
    made.ran("ls", "a.txt")
    made.ran("false", "", exitCode=1)
    made.user("u3")
    made.answer("a3")


def taken_back(made: Made) -> None:
    made.user("u1")
    there = made.answer("a1")
    made.user("dropped")
    made.answer("dropped too", call("call_1"))
    made.result("call_1", "dropped")
    made.last = there
    made.user("u2")
    here = made.answer("a2")
    made.user("dropped later")
    made.answer("dropped later too")
    made.last = here
    made.user("u3")
    made.answer("a3")


def looks_like_the_agents_own(made: Made) -> None:
    """Texts that Claude Code would take for something else, said by a person."""
    made.user("why does <system-reminder> stand here?")
    made.answer("a1")
    made.user("[Request interrupted by somebody]")
    made.answer("No response requested")
    made.user("</system-reminder> and a line separator \u2028 and \U0001f600 and \x07")
    made.answer(call("call_1", "Task", prompt="x"))
    made.result("call_1", "<persisted-output>\nnot really")
    made.answer("a3")


HARD: dict[str, Callable[[Made], None]] = {
    make.__name__: make
    for make in (
        compacted_over_a_compaction,
        compacted_twice,
        compacted_among_calls,
        compacted_at_the_end,
        compacted_twice_in_a_row,
        odd_names,
        unpaired,
        ends_with_a_question,
        ends_with_a_result,
        ends_with_a_command,
        begins_with_an_answer,
        begins_with_a_call,
        hardly_anything,
        pictures,
        reasoning,
        many_in_a_row,
        taken_back,
        looks_like_the_agents_own,
    )
}


def write_hard(name: str, folder: Path) -> Path:
    """The session of this name, as a file in the folder."""
    made = Made(name)
    HARD[name](made)
    file = folder / f"{name}.jsonl"
    file.write_text("".join(json.dumps(entry) + "\n" for entry in made.entries), encoding="utf-8")
    return file
