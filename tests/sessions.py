"""Every session of the fixtures, for the tests that run over all of them."""

from __future__ import annotations

from pathlib import Path

from tests.repository import ROOT

__all__ = ["FIXTURES", "SESSIONS", "name_of"]

FIXTURES = ROOT / "fixtures"


def _sessions() -> list[Path]:
    claude = (FIXTURES / "claude").glob("*/projects/**/*.jsonl")
    codex = [*(FIXTURES / "codex").glob("home-*/**/rollout-*.jsonl"), *(FIXTURES / "codex").glob("home-*/**/*.zst")]
    pi = (FIXTURES / "pi").glob("*.jsonl")
    return sorted([*claude, *codex, *pi])


SESSIONS: list[Path] = _sessions()
"""Main transcripts, sub-agents, segments, archived and compressed ones."""


def name_of(path: Path) -> str:
    """A short name that no other session has: agent, version, and the end of the file name."""
    parts = path.relative_to(FIXTURES).parts
    return "-".join([*parts[:2], path.name.split(".")[0][-30:]] if len(parts) > 2 else [parts[0], path.stem])
