"""The account of one run: what was read, unknown, skipped, changed, lost and redacted.

A reader, a stage or a writer is handed the `FileReport` of its session and counts into it; nothing is printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from panscript.schemas.diagnostics import is_content
from panscript.schemas.naming import encodable

__all__ = ["FileReport", "Report", "Warn"]

_MOST_NAMES = 1000
_MOST_LINES = 100
_COUNTERS = ("classes", "skipped", "unknown", "kept", "changed", "lost", "redacted")


class Warn(msgspec.Struct, frozen=True):
    """Something a person should know."""

    code: str
    message: str


class SkippedAt(msgspec.Struct, frozen=True):
    """A line that was given up."""

    line: int
    code: str


class FileReport(msgspec.Struct, kw_only=True):
    """Counts of one session."""

    path: str
    agent: str | None = None
    session_id: str | None = None
    complete: bool = True
    scan: Literal["full", "usage"] = "full"
    records: int = 0
    classes: dict[str, int] = {}
    skipped_lines: int = 0
    skipped: dict[str, int] = {}
    skipped_at: list[SkippedAt] = []
    unknown: dict[str, int] = {}
    kept: dict[str, int] = {}
    changed: dict[str, int] = {}
    lost: dict[str, int] = {}
    redacted: dict[str, int] = {}
    warnings: list[Warn] = []
    written: list[str] = []
    restarted: bool | msgspec.UnsetType = msgspec.UNSET
    """Only for a read with a cursor: what was told before is to be replaced by what is told now."""
    replaced: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    """Only for a read with a cursor: of each kind, how many of the last projections told before are told again."""

    def count(self, kind: str) -> None:
        """One record of this class was read."""
        self.records += 1
        self.classes[kind] = self.classes.get(kind, 0) + 1

    def skip_line(self, code: str, line: int) -> None:
        """A physical line was given up."""
        self.complete = False
        self.skipped_lines += 1
        if len(self.skipped_at) < _MOST_LINES:
            self.skipped_at.append(SkippedAt(line, code))
        self.skip(code)

    def skip(self, code: str, times: int = 1) -> None:
        """Something inside a readable line was left out."""
        self.skipped[code] = self.skipped.get(code, 0) + times

    def take_redacted(self, counts: Counter[str]) -> None:
        """Add how often each rule found a secret; `counts` is empty after that."""
        for rule, times in counts.items():
            self.redacted[rule] = self.redacted.get(rule, 0) + times
        counts.clear()

    def rename_unknown(self, clean: Callable[[str], str]) -> None:
        """Type names are the agent's own and may hold a secret; `clean` gives what may be told of one."""
        names, self.unknown = self.unknown, {}
        for name, times in names.items():
            told = clean(name)
            self.unknown[told] = self.unknown.get(told, 0) + times

    def see_unknown(self, name: str) -> None:
        """A type that is not known, under the agent's own name for it."""
        if name not in self.unknown and len(self.unknown) >= _MOST_NAMES:
            name = "(others)"
        self.unknown[name] = self.unknown.get(name, 0) + 1

    def keep(self, kind: str, times: int = 1) -> None:
        """A content item reached the output."""
        self.kept[kind] = self.kept.get(kind, 0) + times

    def change(self, code: str, times: int = 1) -> None:
        """A content item reached the output in another shape."""
        self.changed[code] = self.changed.get(code, 0) + times

    def lose(self, code: str, times: int = 1) -> None:
        """A content item did not reach the output."""
        self.lost[code] = self.lost.get(code, 0) + times

    def warn(self, code: str, message: str) -> None:
        """Said once per message."""
        warning = Warn(code, encodable(message))
        if warning not in self.warnings and len(self.warnings) < _MOST_LINES:
            self.warnings.append(warning)

    def lost_content(self) -> dict[str, int]:
        """The losses that `--strict` refuses."""
        return {code: n for code, n in self.lost.items() if is_content(code)}


class Report(msgspec.Struct, kw_only=True):
    """The whole account, in the order the sessions were met."""

    files: list[FileReport] = []

    def open(self, path: str, agent: str | None = None, session_id: str | None = None) -> FileReport:
        """A fresh account for one session."""
        known = encodable(session_id) if session_id is not None else None
        found = FileReport(path=encodable(path), agent=agent, session_id=known)
        self.files.append(found)
        return found

    def totals(self) -> dict[str, Any]:
        """The counters summed over the files."""
        sums: dict[str, Any] = {
            "records": sum(f.records for f in self.files),
            "skipped_lines": sum(f.skipped_lines for f in self.files),
        }
        for name in _COUNTERS:
            total: dict[str, int] = {}
            for file in self.files:
                for key, times in getattr(file, name).items():
                    total[key] = total.get(key, 0) + times
            sums[name] = dict(sorted(total.items()))
        return sums

    def to_json(self) -> bytes:
        """One JSON document with `files` and `totals`."""
        for file in self.files:
            file.written = [encodable(path) for path in file.written]
        return msgspec.json.encode({"files": self.files, "totals": self.totals()})
