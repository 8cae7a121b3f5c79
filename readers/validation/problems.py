"""What validation finds: problems with their place, and the table of their codes.

A code says what is wrong, in words that fit every agent; how grave it is depends on what the agent itself does with
such a file, so a check may name another severity than the table's.
"""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["CODES", "MOST_PROBLEMS", "Code", "FileProblems", "Findings", "Problem", "Severity"]

Severity = Literal["error", "warning"]

MOST_PROBLEMS = 1000
"""Problems listed for one file; further ones are only counted."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong in a file."""

    line: int | None
    """Physical line from 1; None where the store has no lines, `path` then names table and row."""
    severity: Severity
    """`error`: the agent or a reader loses something by it; `warning`: odd, but nothing is lost."""
    code: str
    """One of `CODES`."""
    message: str
    path: str = "$"
    """JSON path inside the record, such as `$.message.content[2].input`; in a database the row, `message[id=msg_1]`."""


class FileProblems(msgspec.Struct, kw_only=True):
    """What validation says about one file."""

    path: str
    agent: str | None
    """Agent id; None when no agent was recognised."""
    records: int
    """Records that were checked; lines from which none could be had are not among them."""
    problems: list[Problem]
    """In the order of lines."""
    errors: int = 0
    """How many problems are errors, also those beyond `MOST_PROBLEMS`."""
    warnings: int = 0

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return self.errors == 0


class Code(msgspec.Struct, frozen=True):
    """How grave a problem is unless a check says otherwise, and what it means."""

    severity: Severity
    sentence: str


_ERRORS = {
    "file.not_recognised": "No agent's session was recognised in the file, or several agents could have written it.",
    "file.not_understood": "Not one record in the file is of a type that the agent writes.",
    "line.not_json": "The line is not JSON.",
    "line.torn": "The last record was cut off while it was written.",
    "line.glued": "A torn record, and a complete one that was written behind it on the same line.",
    "line.not_an_object": "The line is JSON, but no object.",
    "schema.missing_field": "A field that the record must have is missing.",
    "schema.wrong_type": "A value is of another type than the format has.",
    "schema.wrong_value": "A value is of the right type, but none that the format allows.",
    "header.missing": "The record that opens the file is missing or does not come first.",
    "header.id": "The session id in the opening record is none that the agent accepts.",
    "id.missing": "A record of the tree has no id.",
    "id.duplicate": "Two different records have the same id, so that one hides the other.",
    "parent.missing": "A record names a parent that is not in the file.",
    "parent.cycle": "Records name each other as parents in a circle.",
    "call.duplicate": "Two calls on one path have the same id.",
    "result.orphan": "A result answers a call that is not in the file.",
    "result.duplicate": "A call has a second result.",
    "time.unreadable": "A time cannot be read.",
    "usage.negative": "A token count or cost is below zero.",
    "compaction.pointer": "A compaction keeps records from one on that is not there.",
    "ordinal.missing": "A line of a paginated rollout has no ordinal.",
    "ordinal.order": "The ordinals of a paginated rollout do not go up one by one.",
    "ordinal.start": "The first ordinal is not where the history that the file builds on ends.",
    "signature.not_json": "A signature that the agent parses on every request is not JSON.",
}

_WARNINGS = {
    "file.empty": "There is nothing in the file.",
    "file.more": "The file has more problems than are listed.",
    "line.bom": "The line begins with a byte order mark.",
    "line.padding": "NUL bytes stand around the record.",
    "line.not_utf8": "Bytes on the line are not UTF-8; they are read as replacement characters.",
    "line.surrogate": "A text on the line holds half a surrogate pair; it is read as a replacement character.",
    "line.number": "A number on the line is none that JSON has, or too large.",
    "line.several_records": "Several complete records stand on one line; all of them are read.",
    "schema.unknown_field": "The format has no such field (only with strict checks).",
    "schema.unknown_type": "The format has no such type of record, message or block (only with strict checks).",
    "header.repeated": "The record that opens a file comes again.",
    "header.slot": "The title before the header has not the length at which it can be rewritten in place.",
    "id.repeated": "A record was written twice, word for word.",
    "reference.missing": "A record is about another one that is not in the file.",
    "call.unanswered": "A call has no result.",
    "call.name": "The name of a tool holds characters that providers refuse.",
    "result.misplaced": "Something was said between a call and its result, or the result stands on another branch.",
    "time.backwards": "Times go backwards in a file that the agent writes in order.",
    "usage.part_exceeds_whole": "A count that is part of another one is larger than it.",
    "thinking.unsigned": "Thinking without a signature, which the provider refuses when it is sent again.",
    "ordinal.unexpected": "A line has an ordinal, although the rollout is not paginated.",
}

CODES: dict[str, Code] = {
    **{code: Code("error", sentence) for code, sentence in _ERRORS.items()},
    **{code: Code("warning", sentence) for code, sentence in _WARNINGS.items()},
}


class Findings:
    """Collects the problems of one file."""

    def __init__(self, path: str, agent: str | None, *, strict: bool = False) -> None:
        """`strict`: what the schemas do not know is looked for as well."""
        self.path = path
        self.strict = strict
        self.records = 0
        self._agent = agent
        self._problems: list[Problem] = []
        self._counts: dict[Severity, int] = {"error": 0, "warning": 0}

    def add(
        self, line: int | None, code: str, message: str, path: str = "$", *, severity: Severity | None = None
    ) -> None:
        """Note a problem; without a severity it is the table's."""
        if severity is None:
            severity = CODES[code].severity
        self._counts[severity] += 1
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(Problem(line=line, severity=severity, code=code, message=message, path=path))

    def file_problems(self) -> FileProblems:
        """Everything found, in the order of lines."""
        problems = sorted(self._problems, key=lambda problem: problem.line or 0)
        errors, warnings = self._counts["error"], self._counts["warning"]
        if unlisted := errors + warnings - len(problems):
            warnings += 1
            message = f"{unlisted} more problems are not listed"
            problems.append(Problem(line=None, severity="warning", code="file.more", message=message))
        return FileProblems(
            path=self.path,
            agent=self._agent,
            records=self.records,
            problems=problems,
            errors=errors,
            warnings=warnings,
        )
