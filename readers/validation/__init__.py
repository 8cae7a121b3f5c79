"""Checking a session file: against the typed schema of its agent, and against the rules of its sessions.

`validate` is the one entrance. An agent may have a module of its name here that offers `check(path, found)`; what it
reports, and how grave that is, follows from what the agent does with such a file. Files of others are read.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from panscript.readers.databases import owner
from panscript.readers.lines import DATABASE, head
from panscript.readers.opening import detect
from panscript.readers.validation import by_reading
from panscript.readers.validation.problems import CODES, FileProblems, Findings, Problem
from panscript.schemas.agents import agent as known
from panscript.schemas.errors import NotATranscript, SourceNotFound, SourceUnreadable, UndecidedAgent, UnknownAgent

__all__ = ["CODES", "VALIDATED", "FileProblems", "Problem", "recognise", "validate"]

VALIDATED = ("pi", "codex", "claude")
"""Agents whose files are checked by rules of their own; those of others are read."""


class _Checks(Protocol):
    def check(self, path: str, found: Findings) -> None: ...


def recognise(path: str) -> tuple[str, ...]:
    """The agents that most probably wrote the file, by its first bytes: none, one, or several that are equally likely.

    Raises `SourceError`s when the file cannot be read.
    """
    start = head(path)
    if start.startswith(DATABASE):
        try:
            return (owner(path),)
        except (NotATranscript, UndecidedAgent):
            return ()
    scores = detect(start)
    best = max(scores.values(), default=0)
    return tuple(name for name, score in scores.items() if score == best)


def validate(path: str, agent: str | None = None, *, strict: bool = False) -> FileProblems:
    """Check one file. `agent` names who wrote it, instead of the content; `strict` also reports what no schema knows.

    A file in which no agent is recognised has one error and no records. Raises `SourceError`s when the file cannot be
    read and `UnknownAgent` when there is no check for the agent.
    """
    if not Path(path).exists():
        raise SourceNotFound("there is no such file", path=path)
    if Path(path).is_dir():
        raise SourceUnreadable("this is a folder, not a session file", path=path)
    if agent is None:
        agents = recognise(path)
        if len(agents) != 1:
            return _not_recognised(path, agents)
        agent = agents[0]
    found = Findings(path, agent, strict=strict)
    if agent in VALIDATED:
        cast(_Checks, import_module(f"{__name__}.{agent}")).check(path, found)
    elif known(agent).reader is not None:
        by_reading.check(path, agent, found)
    else:
        raise UnknownAgent(f"sessions of {known(agent).name} cannot be validated yet")
    return found.file_problems()


def _not_recognised(path: str, agents: tuple[str, ...]) -> FileProblems:
    found = Findings(path, None)
    if agents:
        message = f"several agents could have written it; `--from` names one: {', '.join(agents)}"
    elif not head(path).strip(b"\0 \t\r\n\xef\xbb\xbf"):
        message = "there is nothing in it"
    else:
        message = "no agent's session was recognised in it; `--from AGENT` names the agent"
    found.add(1, "file.not_recognised", message)
    return found.file_problems()
