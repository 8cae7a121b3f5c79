"""What makes a Pi session file sound.

The agent refuses a file whose first record is no header, and else loads entries without a schema: wrong shapes fail
later, in a request. A parent that is not there silently cuts off everything before it, and a circle never ends.
Results must stand directly behind their calls on the path of the tree; version 1 has no tree, its order is the file's.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from panscript.readers.validation.pairs import Pairs, short
from panscript.readers.validation.problems import Findings, Severity
from panscript.readers.validation.rows import LineRules, Record, check_lines, tag_of
from panscript.readers.validation.tree import Tree
from panscript.schemas import pi

__all__ = ["check"]

_OTHER, _SAID, _RESULT = 0, 1, 2
"""Kinds of entries: of no matter between a call and its result; something said; a result."""
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NEEDED = re.compile(r"\$\.(type|id|parentId|timestamp|message|summary|firstKept\w*|content|display|usage)\b")
"""Fields that the tree and the requests are built from."""
_ENTRIES = frozenset({"message", "compaction", "branch_summary", "custom_message", "usage"})
"""Entries that reach the model or the totals; the others only the display."""
_FAILED = frozenset({"error", "aborted"})
_RESPONSES = frozenset({"openai-responses", "azure-openai-responses", "openai-codex-responses"})
_SLOT = 256


def check(path: str, found: Findings) -> None:
    """Check one session file of Pi or omp, of any version."""
    check_lines(path, _Rules(found), found)


class _Rules(LineRules):
    bom: Severity = "error"
    untagged = True

    def __init__(self, found: Findings) -> None:
        super().__init__(found)
        self._tree = Tree()
        self._pairs = Pairs()
        self._began = False
        self._version = 3
        self._calls: dict[str, set[int]] = {}
        self._results: dict[str, set[int]] = {}
        self._waiting: list[tuple[str, int]] = []
        self._targets: list[tuple[str, int, str, str]] = []
        self._latest: int | None = None
        self._told_backwards = False

    def shape(self, value: dict[str, Any]) -> Any:
        tag = tag_of(value)
        return pi.ENTRIES.get(tag) if tag is not None else None

    def decode(self, raw: bytes) -> object:
        return pi.decode_entry(raw)

    def unknown(self, raw: bytes) -> list[str]:
        return [*pi.unknown_fields(raw), *pi.unknown_tags(raw)]

    def is_record(self, value: dict[str, Any]) -> bool:
        return tag_of(value) is not None and "timestamp" in value

    def severity(self, value: dict[str, Any], path: str) -> Severity:
        tag = tag_of(value)
        if tag == "session":
            return "error" if path == "$.id" else "warning"
        if path in ("$.id", "$.parentId", "$.timestamp"):
            return "error"
        return "error" if tag in _ENTRIES and _NEEDED.match(path) else "warning"

    def record(self, record: Record) -> None:
        value, line = record.value, record.line
        tag = tag_of(value)
        if tag == "title":
            if not self._began and len(record.raw) + 1 != _SLOT:
                self.found.add(line, "header.slot", f"the title takes {len(record.raw) + 1} bytes, not {_SLOT}")
            return
        if tag == "session":
            self._header(value, line)
            return
        if not self._began:
            self._began = True
            self.found.add(1, "header.missing", "the first record is no session header; the agent refuses such a file")
            self._version = 3 if "id" in value else 1
        self._order(value, line)
        number = self._place(record)
        if number is None:
            return
        if tag == "message" and isinstance(message := value.get("message"), dict):
            self._message(message, number, line)
        self.counts(value.get("usage"), line, "$.usage")
        self._pointing(value, number, line)

    def _header(self, value: dict[str, Any], line: int) -> None:
        self.time(value.get("timestamp"), line, "$.timestamp", "warning")
        if self._began:
            self.found.add(line, "header.repeated", "there is a header already")
            return
        self._began = True
        version = value.get("version", 1)
        self._version = int(version) if isinstance(version, int | float) else 3

    def _order(self, value: dict[str, Any], line: int) -> None:
        time = self.time(value.get("timestamp"), line, "$.timestamp", "warning")
        if time is None or value.get("type") == "label":  # a fork writes the labels it keeps at its end
            return
        if self._latest is not None and time < self._latest and not self._told_backwards:
            self._told_backwards = True
            self.found.add(line, "time.backwards", "earlier than an entry before it", "$.timestamp")
        self._latest = time if self._latest is None else max(time, self._latest)

    def _place(self, record: Record) -> int | None:
        """Put the entry into the tree; gives its number, or None when it only repeats an earlier one."""
        value, line, tree = record.value, record.line, self._tree
        name, parent = value.get("id"), value.get("parentId")
        if self._version < 2:
            # The order of the file is the conversation.
            tree.add(str(len(tree)), str(len(tree) - 1) if len(tree) else None, line, kind=_kind(value))
            return len(tree) - 1
        if not isinstance(name, str):
            self.found.add(line, "id.missing", "the entry has no id", "$.id")
            name = None
        if "parentId" not in value:
            message = "the entry names no parent; a first entry has null"
            self.found.add(line, "schema.missing_field", message, "$.parentId")
        earlier = tree.add(name, parent if isinstance(parent, str) else None, line, kind=_kind(value), raw=record.raw)
        if earlier is not None:
            where = f"line {tree.lines[earlier]}"
            if tree.same(earlier, record.raw):
                self.found.add(line, "id.repeated", f"the same entry stands on {where}", "$.id")
                return None
            self.found.add(
                line, "id.duplicate", f"another entry with the id {short(str(name))} stands on {where}", "$.id"
            )
        return len(tree) - 1

    def _message(self, message: dict[str, Any], number: int, line: int) -> None:
        self.time(message.get("timestamp"), line, "$.message.timestamp", "warning")
        self.counts(message.get("usage"), line, "$.message.usage")
        if message.get("role") == "toolResult":
            name = message.get("toolCallId")
            if isinstance(name, str):
                self._pairs.result(name, line, "$.message.toolCallId")
                self._result(name, number, line)
                self._results.setdefault(name, set()).add(number)
            return
        content = message.get("content")
        for index, block in enumerate(content if isinstance(content, list) else ()):
            if isinstance(block, dict):
                self._block(message, block, number, line, f"$.message.content[{index}]")

    def _block(self, message: dict[str, Any], block: dict[str, Any], number: int, line: int, path: str) -> None:
        if block.get("type") == "toolCall":
            name, tool = block.get("id"), block.get("name")
            if isinstance(name, str):
                if number in self._calls.setdefault(name, set()):
                    text = f"the message has another call with the id {short(name)}"
                    self.found.add(line, "call.duplicate", text, f"{path}.id")
                self._calls[name].add(number)
                if tag_of(message, "stopReason") not in _FAILED:
                    self._pairs.call(name, line, path)
            if isinstance(tool, str) and not _NAME.fullmatch(tool):
                self.found.add(line, "call.name", "providers refuse this name of a tool", f"{path}.name")
        elif block.get("type") == "thinking" and tag_of(message, "api") in _RESPONSES and not block.get("redacted"):
            signature = block.get("thinkingSignature")
            if isinstance(signature, str) and signature and not _is_json(signature):
                text = "the agent parses it as JSON on every request"
                self.found.add(line, "signature.not_json", text, f"{path}.thinkingSignature")

    def _result(self, name: str, number: int, line: int) -> None:
        """Look up the path for the call that a result answers."""
        calls, results = self._calls.get(name), self._results.get(name, ())
        if calls is None:
            self._waiting.append((name, line))
            return
        said = False
        for above in self._tree.ancestors(number):
            if above in results:
                text = f"the call {short(name)} has a result on line {self._tree.lines[above]} already"
                self.found.add(line, "result.duplicate", text, "$.message.toolCallId")
                return
            if above in calls:
                if said:
                    text = f"something was said between the call {short(name)} and this result"
                    self.found.add(line, "result.misplaced", text, "$.message.toolCallId")
                return
            said = said or self._tree.kinds[above] == _SAID
        text = f"the call {short(name)} is not on the path to this result"
        self.found.add(line, "result.misplaced", text, "$.message.toolCallId")

    def _pointing(self, value: dict[str, Any], number: int, line: int) -> None:
        """Remember which entries this one is about."""
        tag = tag_of(value)
        if tag in ("label", "context_edit", "archive") and isinstance(target := value.get("targetId"), str):
            self._targets.append((target, line, "$.targetId", "reference.missing"))
        if tag != "compaction":
            return
        if isinstance(kept := value.get("firstKeptEntryId"), str):
            self._targets.append((kept, line, "$.firstKeptEntryId", "compaction.pointer"))
        index = value.get("firstKeptEntryIndex")
        if self._version < 2 and isinstance(index, int | float) and not 0 <= index <= number + 1:
            text = f"there is no entry number {index} before the compaction"
            self.found.add(line, "compaction.pointer", text, "$.firstKeptEntryIndex")
        elif isinstance(kept, str) and not self._on_path(kept, number):
            text = f"the entry {short(kept)} is not on the path to the compaction"
            self.found.add(line, "compaction.pointer", text, "$.firstKeptEntryId", severity="warning")

    def _on_path(self, name: str, number: int) -> bool:
        """Whether the entry is this one or above it; true also for one that is not there yet."""
        first = self._tree.number(name)
        return first is None or first == number or first in self._tree.ancestors(number)

    def end(self) -> None:
        found, tree = self.found, self._tree
        for number, parent in tree.missing():
            text = f"there is no entry with the id {short(parent)}; everything before is lost"
            found.add(tree.lines[number], "parent.missing", text, "$.parentId")
        for number in tree.cycles():
            found.add(
                tree.lines[number], "parent.cycle", "following the parents leads back to this entry", "$.parentId"
            )
        for name, line, path, code in self._targets:
            if tree.number(name) is None:
                found.add(line, code, f"there is no entry with the id {short(name)}", path)
        for name, line in self._waiting:
            code = "result.misplaced" if name in self._calls else "result.orphan"
            text = "the call comes later in the file" if name in self._calls else f"there is no call {short(name)}"
            found.add(line, code, text, "$.message.toolCallId")
        for name, line, path in self._pairs.unanswered():
            found.add(line, "call.unanswered", f"the call {short(name)} has no result", path)


def _kind(value: dict[str, Any]) -> int:
    tag = tag_of(value)
    if tag == "custom_message":
        return _SAID
    message = value.get("message")
    if tag != "message" or not isinstance(message, dict):
        return _OTHER
    role = message.get("role")
    if role == "toolResult":
        return _RESULT
    return _SAID if role in ("user", "assistant", "bashExecution", "custom", "hookMessage") else _OTHER


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return False
    return True
