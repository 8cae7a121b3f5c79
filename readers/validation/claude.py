"""What makes a Claude Code transcript sound.

The agent reads rows without a schema: a row needs `uuid`, `timestamp` and `message`, and what else is wrong costs at
most a display. A missing parent is stitched to the row before it, calls without results and results without calls
are repaired or left out, so these are warnings; a row hidden by another with its uuid, a circle of parents and a second
result are errors.
"""

from __future__ import annotations

import re
from typing import Any

from panscript.readers.claude.files import is_record
from panscript.readers.validation.pairs import Pairs, short
from panscript.readers.validation.problems import Findings, Severity
from panscript.readers.validation.rows import LineRules, Record, check_lines, tag_of
from panscript.readers.validation.tree import Tree
from panscript.schemas import claude
from panscript.schemas.claude.decoding import row_struct

__all__ = ["check"]

_CHAIN = frozenset({"user", "assistant", "system", "attachment", "progress"})
_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_NEEDED = re.compile(r"\$\.(type|uuid|timestamp|parentUuid|isSidechain|message)\b")
"""Fields of a chain row that the agent itself looks at when it loads a session."""


def check(path: str, found: Findings) -> None:
    """Check one transcript, of a session or of a sub-agent."""
    check_lines(path, _Rules(found), found)


class _Rules(LineRules):
    def __init__(self, found: Findings) -> None:
        super().__init__(found)
        self._tree = Tree()
        self._pairs = Pairs()
        self._pointers: list[tuple[str, int, str]] = []

    def shape(self, value: dict[str, Any]) -> Any:
        return row_struct(value)

    def decode(self, raw: bytes) -> object:
        return claude.decode_row(raw)

    def unknown(self, raw: bytes) -> list[str]:
        return claude.unknown_fields(raw)

    def is_record(self, value: dict[str, Any]) -> bool:
        return is_record(value)

    def severity(self, value: dict[str, Any], path: str) -> Severity:
        return "error" if tag_of(value) in _CHAIN and _NEEDED.match(path) else "warning"

    def record(self, record: Record) -> None:
        value, line = record.value, record.line
        kind = tag_of(value)
        if kind not in _CHAIN:
            self.time(value.get("timestamp"), line, "$.timestamp", "warning")
            return
        self.time(value.get("timestamp"), line, "$.timestamp", "error" if kind in ("user", "assistant") else "warning")
        new = self._place(record)
        self._pointing(value, line)
        message = value.get("message")
        if kind in ("user", "assistant") and isinstance(message, dict):
            self._message(kind, message, line, new=new)

    def _place(self, record: Record) -> bool:
        """Put the row into the tree. False when an earlier one has its uuid."""
        value, line = record.value, record.line
        uuid, parent = value.get("uuid"), value.get("parentUuid")
        if not isinstance(uuid, str):
            return True
        tree = self._tree
        earlier = tree.add(uuid, parent if isinstance(parent, str) else None, line, raw=record.raw)
        if earlier is None:
            return True
        where = f"line {tree.lines[earlier]}"
        if tree.same(earlier, record.raw):
            self.found.add(line, "id.repeated", f"the same row stands on {where}", "$.uuid")
        else:
            self.found.add(line, "id.duplicate", f"another row with the uuid {short(uuid)} stands on {where}", "$.uuid")
        return False

    def _pointing(self, value: dict[str, Any], line: int) -> None:
        """Remember which rows a compaction boundary names."""
        if value.get("subtype") != "compact_boundary":
            return
        if isinstance(before := value.get("logicalParentUuid"), str):
            self._pointers.append((before, line, "$.logicalParentUuid"))
        metadata = value.get("compactMetadata")
        segment = metadata.get("preservedSegment") if isinstance(metadata, dict) else None
        if isinstance(segment, dict):
            for key in ("headUuid", "anchorUuid", "tailUuid"):
                if isinstance(name := segment.get(key), str):
                    self._pointers.append((name, line, f"$.compactMetadata.preservedSegment.{key}"))

    def _message(self, kind: str, message: dict[str, Any], line: int, *, new: bool) -> None:
        self.counts(message.get("usage"), line, "$.message.usage")
        content = message.get("content")
        for index, block in enumerate(content if isinstance(content, list) else ()):
            if isinstance(block, dict):
                self._block(kind, block, line, f"$.message.content[{index}]", new=new)

    def _block(self, kind: str, block: dict[str, Any], line: int, path: str, *, new: bool) -> None:
        """Pair calls and results. What a row says that is not new was said before and is no second call or result."""
        tag, name, answered = tag_of(block), block.get("id"), block.get("tool_use_id")
        if tag == "tool_use" and not isinstance(block.get("input", {}), dict):
            self.found.add(line, "schema.wrong_type", "the provider takes only an object", f"{path}.input")
        if tag in _CALLS and isinstance(name, str):
            if (earlier := self._pairs.call(name, line, path)) is not None and new:
                message = f"a call with the id {short(name)} stands on line {earlier}"
                self.found.add(line, "call.duplicate", message, f"{path}.id")
        elif tag is not None and tag.endswith("tool_result") and isinstance(answered, str):
            if (earlier := self._pairs.result(answered, line, path)) is not None and new:
                message = f"the call {short(answered)} has a result on line {earlier} already"
                self.found.add(line, "result.duplicate", message, f"{path}.tool_use_id")
        elif tag == "thinking" and kind == "assistant" and not block.get("signature"):
            self.found.add(line, "thinking.unsigned", "the thinking has no signature", path)

    def end(self) -> None:
        found, tree = self.found, self._tree
        for number, parent in tree.missing():
            message = f"there is no row with the uuid {short(parent)}"
            found.add(tree.lines[number], "parent.missing", message, "$.parentUuid", severity="warning")
        for number in tree.cycles():
            found.add(
                tree.lines[number], "parent.cycle", "following the parents leads back to this row", "$.parentUuid"
            )
        for name, line, path in self._pointers:
            if tree.number(name) is None:
                message = f"there is no row with the uuid {short(name)}"
                found.add(line, "compaction.pointer", message, path, severity="warning")
        for name, line, path in self._pairs.unanswered():
            found.add(line, "call.unanswered", f"the call {short(name)} has no result", path)
        for name, line, path in self._pairs.orphans():
            message = f"there is no call with the id {short(name)}"
            found.add(line, "result.orphan", message, f"{path}.tool_use_id", severity="warning")
