"""Our own program as a user runs it, on sessions in ``fixtures/``: what it writes, and what it says stands in them.

An agent's tests convert the same sources, let the real agent read the result, and compare it with :func:`said`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.real_agents.process import Finished, TookTooLongError, private_environment, run
from tests.repository import ROOT

__all__ = [
    "PI_SOURCES",
    "SOURCES",
    "Conversion",
    "Said",
    "Source",
    "convert",
    "convert_all",
    "panscript",
    "said",
    "squeezed",
]

_SECONDS = 60.0
# A thread's second file, written after turns were taken back; it is read together with the first.
_LATER_SEGMENT = "01a22b0a-b7c0-7882-ad65-e74c3eafc803"


@dataclass(frozen=True)
class Source:
    """A session file of ``fixtures/``; ``home`` is the agent's folder that it lies in."""

    path: Path
    home: Path

    @property
    def agent(self) -> str:
        """The agent that wrote it."""
        return self.path.relative_to(ROOT / "fixtures").parts[0]

    @property
    def session_id(self) -> str:
        """The id in the file's name."""
        return re.sub(r"^rollout-[\dT-]{19}-|\.jsonl(\.zst)?$", "", self.path.name)

    def __str__(self) -> str:
        """A short name for test ids."""
        return f"{self.agent}/{self.home.name}/{self.session_id}"


@dataclass(frozen=True)
class Conversion:
    """One run of ``panscript convert`` into an empty folder."""

    finished: Finished
    folder: Path

    @cached_property
    def files(self) -> list[Path]:
        """The session files written, sorted by name."""
        return sorted(self.folder.rglob("*.jsonl"))


@dataclass
class Said:
    """What one session holds according to ``panscript events``, in order; texts as they stand there."""

    users: list[str] = field(default_factory=list)
    assistants: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    parent: str | None = None

    @property
    def anything(self) -> bool:
        """Whether the person, the model or a call is in it."""
        return bool(self.users or self.assistants or self.calls)


def _sources() -> list[Source]:
    fixtures = ROOT / "fixtures"
    claude = [p for p in fixtures.glob("claude/*/projects/*/*.jsonl") if not p.name.startswith("agent-")]
    codex = [p for p in fixtures.glob("codex/home-*/*sessions/**/rollout-*") if _LATER_SEGMENT not in p.name]
    return [Source(p, fixtures.joinpath(*p.relative_to(fixtures).parts[:2])) for p in sorted(claude + codex)]


SOURCES = _sources()
# Sessions that Pi wrote, for the agents that they are converted to.
PI_SOURCES = [Source(path, path.parent) for path in sorted((ROOT / "fixtures" / "pi").glob("*.jsonl"))]


def squeezed(texts: Iterable[str]) -> str:
    """All texts in a row without white space: equal where the same was said, however it was cut into pieces."""
    return "".join("".join(texts).split())


def panscript(*arguments: str | Path, home: Path) -> Finished:
    """Run the program of this working tree with ``home`` as the user's home folder."""
    env = private_environment(home, PYTHONPATH=str(ROOT / ".src"))
    try:
        return run([sys.executable, "-m", "panscript.cli", *arguments], cwd=home, env=env, timeout=_SECONDS)
    except TookTooLongError as reason:
        # One session that never ends shall not hide the verdicts on the others.
        return Finished(-1, "", str(reason))


def convert(source: Source, target: str, folder: Path, *options: str | Path) -> Conversion:
    """Convert one session for ``target`` into ``folder/out``; nothing is redacted, so that texts can be compared."""
    out = folder / "out"
    folder.mkdir(parents=True)
    finished = panscript("convert", source.path, "--to", target, "-o", out, "--no-redact", *options, home=folder)
    return Conversion(finished, out)


def convert_all(sources: Iterable[Source], target: str, folder: Path, *options: str | Path) -> dict[Source, Conversion]:
    """Convert every source, each into a folder of its own."""
    wanted = list(sources)
    with ThreadPoolExecutor(2) as workers:
        places = [folder / f"{number:03}" for number in range(len(wanted))]
        done = workers.map(lambda pair: convert(pair[0], target, pair[1], *options), zip(wanted, places, strict=True))
        return dict(zip(wanted, done, strict=True))


def said(sources: Iterable[Source], home: Path) -> dict[tuple[Path, str], Said]:
    """What ``panscript events`` prints of the sources, by agent folder and session id (sub-agents have their own)."""
    by_home: dict[Path, list[Path]] = {}
    for source in sources:
        by_home.setdefault(source.home, []).append(source.path)
    found: dict[tuple[Path, str], Said] = {}
    kinds = "message,tool_call,session_meta"
    for folder, paths in by_home.items():
        finished = panscript("events", *paths, "--kinds", kinds, "--text", home=home)
        if finished.code:
            raise AssertionError(f"panscript events of {folder.name} ended with {finished.code}: {finished.stderr}")
        for line in finished.stdout.split("\n"):
            if line:
                event = json.loads(line)
                _take(found.setdefault((folder, event["session_id"]), Said()), event)
    return found


def _take(session: Said, event: dict[str, Any]) -> None:
    if event["kind"] == "tool_call":
        session.calls.append(event["name"])
    elif event["kind"] == "session_meta":
        session.parent = event.get("parent_session_id") or session.parent
    else:
        texts = {"user": session.users, "assistant": session.assistants, "system": session.notes}
        texts[event["role"]].append(event.get("text", ""))
