"""The rows of a synthetic Claude Code session, as version 2.1.328 writes them.

One row a content block with the response's id and usage on each; a result hangs below its own call and carries the
structured twin; attachments stand in the parent chain, state rows outside of it.
"""
# The fields of a row stand several a line, in the order in which they are on disk.
# fmt: off

from collections.abc import Iterator
from typing import Any

from texts import Texts

__all__ = ["ClaudeSession"]

Row = dict[str, Any]
CWD = "/home/dev/app"


class ClaudeSession:
    """Gives the rows turn by turn; a turn ends with all its calls answered."""

    def __init__(self, texts: Texts) -> None:
        self._t = texts
        self._id = texts.uuid()
        self._parent: str | None = None
        self._turns = 0
        self.file_name = f"{self._id}.jsonl"

    def turn(self, longest: int) -> Iterator[Row]:
        """Yield the rows of the next turn; one tool result makes a row of `longest` bytes if that is not 0."""
        t, self._turns = self._t, self._turns + 1
        if self._turns == 1:
            yield {"type": "mode", "mode": "normal", "sessionId": self._id}
            yield {"type": "tools-used", "tools": ["Read", "Bash", "Edit", "Grep"], "sessionId": self._id}
        prompt_id, prompt = t.uuid(), t.text(t.size(150))
        yield {"type": "queue-operation", "operation": "enqueue", "timestamp": t.time(), "sessionId": self._id,
               "content": prompt}
        yield self._row(
            {"promptId": prompt_id, "type": "user", "message": {"role": "user", "content": prompt}},
            {"permissionMode": "default", "promptSource": "typed", "turnOrigin": "human",
             "turnPosition": {"promptIndex": 0, "turnIndex": self._turns}})
        yield {"type": "file-history-snapshot", "messageId": self._parent, "isSnapshotUpdate": False,
               "snapshot": {"messageId": self._parent, "trackedFileBackups": {}, "timestamp": t.time()}}
        if self._turns == 1:
            yield self._row({"attachment": {"type": "prompt_snapshot", "systemPrompt": [t.text(40_000)]},
                             "type": "attachment"}, {})
        for last in [False] * t.rng.randrange(1, 14) + [True]:
            left = f"<total_tokens>{t.rng.randrange(10**7)} tokens left</total_tokens>"
            yield self._row(
                {"attachment": {"type": "total_tokens_reminder", "text": left}, "type": "attachment"},
                {"rendered": [{"content": f"<system-reminder>\n{left}\n</system-reminder>"}], "renderedRole": "system"})
            yield from self._response(prompt_id, last, longest)
            longest = 0
        yield {"type": "last-prompt", "lastPrompt": prompt, "leafUuid": self._parent, "sessionId": self._id}

    def _response(self, prompt_id: str, last: bool, longest: int) -> Iterator[Row]:
        t = self._t
        blocks: list[Row] = []
        if t.chance(0.4):
            shown = t.text(t.size(500)) if t.chance(0.5) else ""
            blocks.append({"type": "thinking", "thinking": shown, "signature": t.hex(400)})
        if last or t.chance(0.5):
            blocks.append({"type": "text", "text": t.text(t.size(400))})
        for _ in range(0 if last else t.rng.choices((1, 2, 3, 4), weights=(75, 15, 7, 3))[0]):
            name = t.rng.choice(("Bash", "Bash", "Read", "Edit"))
            blocks.append({"type": "tool_use", "id": f"toolu_01{t.hex(22)}", "name": name, "input": self._input(name)})
        message = {"id": f"msg_01{t.hex(22)}", "type": "message", "role": "assistant",
                   "model": "claude-sonnet-4-5-20250929"}
        rest = {"stop_reason": "end_turn" if last else "tool_use", "stop_sequence": None, "usage": {
            "input_tokens": t.rng.randrange(1, 90), "cache_creation_input_tokens": t.rng.randrange(200, 9_000),
            "cache_read_input_tokens": t.rng.randrange(10_000, 150_000), "output_tokens": t.rng.randrange(20, 3_000),
            "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0}, "service_tier": "standard",
            "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 200}}}
        request = {"requestId": f"req_01{t.hex(22)}", "requestRef": t.uuid(), "type": "assistant"}
        early = t.chance(0.1)  # tools may start while the response still streams: results between its blocks
        waiting: list[tuple[Row, str | None]] = []
        for index, block in enumerate(blocks):
            yield self._row({"message": {**message, "content": [block], **rest}, "apiBlockIndex": index, **request}, {})
            if block["type"] == "tool_use":
                waiting.append((block, self._parent))
            if waiting and (early or index == len(blocks) - 1):
                for call, call_uuid in waiting:
                    yield self._result(call, call_uuid, prompt_id, longest)
                    longest = 0
                waiting.clear()

    def _input(self, name: str) -> Row:
        t, path = self._t, f"{CWD}/src/module_{self._t.rng.randrange(200)}.py"
        if name == "Bash":
            return {"command": t.text(t.size(120, 1.0)), "description": "Run the tests"}
        if name == "Edit":
            return {"file_path": path, "old_string": t.text(t.size(300)), "new_string": t.text(t.size(300))}
        return {"file_path": path}

    def _result(self, call: Row, call_uuid: str | None, prompt_id: str, longest: int) -> Row:
        t, given, twin = self._t, call["input"], Row()
        text = shown = t.text(longest // 2 or t.size(1_700, 1.75))
        if call["name"] == "Bash":
            twin = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
        elif call["name"] == "Edit":
            shown = text if longest else f"The file {given['file_path']} has been updated."
            twin = {"filePath": given["file_path"], "oldString": given["old_string"], "newString": given["new_string"],
                    "originalFile": text, "structuredPatch": [], "userModified": False, "replaceAll": False}
        else:
            lines = text.split("\n")
            shown = "\n".join(f"{n}\t{line}" for n, line in enumerate(lines, 1))
            twin = {"type": "text", "file": {"filePath": given["file_path"], "content": text, "numLines": len(lines),
                                             "startLine": 1, "totalLines": len(lines)}}
        failed = t.chance(0.04)
        result = {"tool_use_id": call["id"], "type": "tool_result", "content": shown, "is_error": failed}
        self._parent = call_uuid
        return self._row({"promptId": prompt_id, "type": "user", "message": {"role": "user", "content": [result]}},
                         {"toolUseResult": f"Error: Exit code 1\n{text}" if failed else twin,
                          "sourceToolAssistantUUID": call_uuid})

    def _row(self, before: Row, after: Row) -> Row:
        parent, self._parent = self._parent, self._t.uuid()
        return {"parentUuid": parent, "isSidechain": False, **before, "uuid": self._parent, "timestamp": self._t.time(),
                **after, "userType": "external", "entrypoint": "cli", "cwd": CWD, "sessionId": self._id,
                "version": "2.1.328", "gitBranch": "main"}
