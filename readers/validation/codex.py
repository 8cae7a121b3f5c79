"""What makes a Codex rollout sound.

The agent reads the first line strictly and skips every later line that does not deserialise without a word, so a wrong
value costs its whole line: an error where the line is part of the conversation or of its count, else a warning.
Calls without outputs and outputs without calls are repaired on resume. A paginated rollout needs its ordinals.
"""

from __future__ import annotations

import re
from typing import Any

from panscript.readers.validation.pairs import Pairs, short
from panscript.readers.validation.problems import Findings, Severity
from panscript.readers.validation.rows import LineRules, Record, check_lines, tag_of
from panscript.schemas import codex

__all__ = ["check"]

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "tool_search_call"})
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
_SPOKEN = frozenset({"session_meta", "response_item", "compacted", "token_usage_record"})
_SPOKEN_EVENTS = frozenset({"user_message", "agent_message", "token_count"})
_ENVELOPE = frozenset({"$", "$.type", "$.timestamp", "$.payload", "$.payload.type"})
_USAGES = ("usage", "turn_token_usage", "thread_token_usage")
_TOTALS = ("total_token_usage", "last_token_usage")


def check(path: str, found: Findings) -> None:
    """Check one rollout, in the envelope or in the bare form of 2025."""
    check_lines(path, _Rules(found), found)


class _Rules(LineRules):
    bom: Severity = "error"

    def __init__(self, found: Findings) -> None:
        super().__init__(found)
        self._pairs = Pairs()
        self._began = False
        self._paginated = False
        self._next: int | None = None
        self._latest: int | None = None
        self._told_backwards = False

    def shape(self, value: dict[str, Any]) -> Any:
        enveloped = "payload" in value or "timestamp" in value
        tag = tag_of(value)
        if value.get("type") is None:
            if "record_type" in value:
                return codex.BareState
            if "payload" not in value:
                return codex.BareHeader if "id" in value and "timestamp" in value else None
            return codex.EnvelopeLine
        if tag in codex.LINES:
            return codex.EnvelopeLine
        if tag is None:
            return codex.EnvelopeLine if enveloped else codex.Item
        return codex.Item if not enveloped and tag in codex.ITEMS else None

    def decode(self, raw: bytes) -> object:
        return codex.decode_line(raw)

    def unknown(self, raw: bytes) -> list[str]:
        return codex.unknown_fields(raw)

    def is_record(self, value: dict[str, Any]) -> bool:
        tag = tag_of(value)
        return tag is not None and ("payload" in value or tag in codex.ITEMS)

    def severity(self, value: dict[str, Any], path: str) -> Severity:
        tag = tag_of(value)
        if tag in _SPOKEN or tag not in codex.LINES or path in _ENVELOPE:
            return "error"
        payload = value.get("payload")
        event = tag_of(payload) if isinstance(payload, dict) else None
        return "error" if tag == "event_msg" and event in _SPOKEN_EVENTS else "warning"

    def record(self, record: Record) -> None:
        value, line = record.value, record.line
        payload = value.get("payload")
        if not self._began:
            self._began = True
            self._header(value, line)
        else:
            self._ordinal(value, line)
        self._order(value, line)
        tag = tag_of(value)
        if not isinstance(payload, dict):
            if tag in codex.ITEMS:
                self._item(value, line, "$")
        elif tag == "response_item":
            self._item(payload, line, "$.payload")
        elif tag == "token_usage_record":
            for key in _USAGES:
                self._usage(payload.get(key), line, f"$.payload.{key}")
        elif tag == "event_msg" and payload.get("type") == "token_count" and isinstance(payload.get("info"), dict):
            for key in _TOTALS:
                self._usage(payload["info"].get(key), line, f"$.payload.info.{key}")

    def _header(self, value: dict[str, Any], line: int) -> None:
        payload = value.get("payload")
        if value.get("type") is None and "payload" not in value and "record_type" not in value:
            self._id(value.get("id"), line, "$.id")
        elif value.get("type") == "session_meta" and isinstance(payload, dict):
            self._id(payload.get("id"), line, "$.payload.id")
            self._paginated = payload.get("history_mode") == "paginated"
            base = payload.get("history_base")
            if isinstance(base, dict) and isinstance(base.get("end_ordinal_exclusive"), int):
                self._next = base["end_ordinal_exclusive"]
            else:
                self._next = 0
            self._ordinal(value, line, first=True)
        elif value.get("type") != "session_meta":
            self.found.add(1, "header.missing", "the first record is no session_meta; the agent refuses such a file")

    def _id(self, name: Any, line: int, path: str) -> None:
        if isinstance(name, str) and not _UUID.fullmatch(name):
            self.found.add(line, "header.id", "the id of a thread must be a UUID", path)

    def _ordinal(self, value: dict[str, Any], line: int, *, first: bool = False) -> None:
        ordinal = value.get("ordinal")
        if not self._paginated:
            if ordinal is not None:
                message = "only a paginated rollout has ordinals"
                self.found.add(line, "ordinal.unexpected", message, "$.ordinal")
        elif ordinal is None:
            self.found.add(line, "ordinal.missing", "a line of a paginated rollout needs its ordinal", "$.ordinal")
            self._next = None
        elif isinstance(ordinal, int):
            if self._next is not None and ordinal != self._next:
                code = "ordinal.start" if first else "ordinal.order"
                self.found.add(line, code, f"the ordinal is {ordinal}, not {self._next}", "$.ordinal")
            self._next = ordinal + 1

    def _order(self, value: dict[str, Any], line: int) -> None:
        time = self.time(value.get("timestamp"), line, "$.timestamp", "warning")
        if time is None or "payload" not in value:
            return
        if self._latest is not None and time < self._latest and not self._told_backwards:
            # Once a file: after a clock was set back every line is earlier than those before.
            self._told_backwards = True
            self.found.add(line, "time.backwards", "earlier than a line before it", "$.timestamp")
        self._latest = time if self._latest is None else max(time, self._latest)

    def _item(self, item: dict[str, Any], line: int, path: str) -> None:
        tag = tag_of(item)
        name = item.get("call_id") or (item.get("id") if tag == "local_shell_call" else None)
        if not isinstance(name, str):
            return
        if tag in _CALLS:
            if (earlier := self._pairs.call(name, line, path)) is not None:
                message = f"a call with the id {short(name)} stands on line {earlier}"
                self.found.add(line, "call.duplicate", message, f"{path}.call_id", severity="warning")
        elif tag in _RESULTS and (earlier := self._pairs.result(name, line, path)) is not None:
            message = f"the call {short(name)} has an output on line {earlier} already"
            self.found.add(line, "result.duplicate", message, f"{path}.call_id")

    def _usage(self, usage: Any, line: int, path: str) -> None:
        self.counts(usage, line, path)
        if not isinstance(usage, dict):
            return
        for part, whole in (("cached_input_tokens", "input_tokens"), ("reasoning_output_tokens", "output_tokens")):
            some, every = usage.get(part), usage.get(whole)
            if isinstance(some, int) and isinstance(every, int) and some > every >= 0:
                message = f"{some} of {every} {whole} are said to be {part}"
                self.found.add(line, "usage.part_exceeds_whole", message, f"{path}.{part}")

    def end(self) -> None:
        if not self._began:
            self.found.add(1, "header.missing", "there is no session_meta; the agent refuses such a file")
        for name, line, path in self._pairs.unanswered():
            self.found.add(line, "call.unanswered", f"the call {short(name)} has no output", path)
        for name, line, path in self._pairs.orphans():
            message = f"there is no call with the id {short(name)}"
            self.found.add(line, "result.orphan", message, f"{path}.call_id", severity="warning")
