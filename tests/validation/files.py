"""Fixtures as lists of lines, and the small edits that break them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from panscript.readers.validation import FileProblems, validate
from tests.repository import ROOT

FIXTURES = ROOT / "fixtures"

CLAUDE_TOOLS = "claude/v2.1.328/projects/-home-dev-app/10000000-0000-4000-8000-000000000002.jsonl"
CLAUDE_COMPACTED = "claude/v2.1.328/projects/-home-dev-app/10000000-0000-4000-8000-000000000007.jsonl"
_CODEX = "sessions/2026/11/30/rollout-2026-11-30T"
CODEX_OLD = f"codex/home-0.44.0/{_CODEX}05-59-04-01a22b09-1408-7eb1-b6ed-f473045d6e73.jsonl"
CODEX_PAGINATED = f"codex/home-0.171.0/{_CODEX}06-00-46-01a22b0a-9fc0-7890-96bb-bb18a9736ab3.jsonl"
CODEX_REVERTED = (
    f"codex/home-0.171.0/{_CODEX}06-00-52-01a22b0a-b639-77c3-9bd2-c4be5665c0b5"
    "_01a22b0a-b7c0-7882-ad65-e74c3eafc803.jsonl"
)
PI_RUN, PI_TREE, PI_COMPACTED, PI_V1 = (f"pi/{name}.jsonl" for name in ("agent-run", "tree", "compacted", "entry-v1"))

Lines = list[bytes]
Edit = Callable[[Lines], Lines]
Places = list[tuple[int | None, str]]


def sessions() -> list[tuple[str, str]]:
    """Agent and path of every session file among the fixtures that a real agent wrote, or that is made like one."""
    return [
        (agent, path.relative_to(FIXTURES).as_posix())
        for agent in ("claude", "codex", "pi")
        for path in sorted((FIXTURES / agent).rglob("*.jsonl*"))
        if path.name not in ("history.jsonl", "session_index.jsonl")
    ]


def lines_of(name: str) -> Lines:
    """The lines of a fixture without their ends."""
    return (FIXTURES / name).read_bytes().splitlines()


def check(folder: Path, agent: str, lines: Lines, *, end: bytes = b"\n", strict: bool = False) -> FileProblems:
    """Validate these lines as a file of the agent."""
    path = folder / "session.jsonl"
    path.write_bytes(b"\n".join(lines) + end)
    return validate(str(path), agent, strict=strict)


def places(found: FileProblems) -> Places:
    """Line and code of every problem."""
    return [(problem.line, problem.code) for problem in found.problems]


def change(number: int, edit: Callable[[dict[str, Any]], object]) -> Edit:
    """Edit the record on one line in place."""

    def apply(lines: Lines) -> Lines:
        record = json.loads(lines[number - 1])
        edit(record)
        return [*lines[: number - 1], _encoded(record), *lines[number:]]

    return apply


def put(number: int, path: str, value: Any) -> Edit:
    """Set the value at a path such as `message.content.0.id` on one line."""

    def edit(record: dict[str, Any]) -> None:
        *above, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
        target: Any = record
        for step in above:
            target = target[step]
        target[last] = value

    return change(number, edit)


def drop(number: int, path: str) -> Edit:
    """Take the field at a path away."""

    def edit(record: dict[str, Any]) -> None:
        *above, last = path.split(".")
        target: Any = record
        for step in above:
            target = target[int(step) if step.isdecimal() else step]
        del target[last]

    return change(number, edit)


def line(number: int, edit: Callable[[bytes], bytes]) -> Edit:
    """Edit the bytes of one line."""
    return lambda lines: [*lines[: number - 1], edit(lines[number - 1]), *lines[number:]]


def remove(number: int) -> Edit:
    """Take a line away."""
    return lambda lines: [*lines[: number - 1], *lines[number:]]


def again(number: int, at: int, **fields: Any) -> Edit:
    """Write the record of one line again so that it becomes line `at`, with other fields."""

    def apply(lines: Lines) -> Lines:
        record = json.loads(lines[number - 1]) | fields
        return [*lines[: at - 1], _encoded(record), *lines[at - 1 :]]

    return apply


def field(lines: Lines, number: int, path: str) -> Any:
    """The value at a path of the record on one line."""
    value: Any = json.loads(lines[number - 1])
    for step in path.split("."):
        value = value[int(step) if step.isdecimal() else step]
    return value


def _encoded(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
