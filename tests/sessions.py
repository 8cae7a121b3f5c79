"""Every session of the fixtures, for the tests that run over all of them.

`PANSCRIPT_CORPUS` names a folder of further sessions, of any of the agents, that they run over as well.
"""

from __future__ import annotations

import os
from pathlib import Path

from panscript.readers.opening import open_source
from panscript.schemas.errors import PanscriptError
from tests.repository import ROOT

__all__ = ["FIXTURES", "SESSIONS", "agent_of", "name_of"]

FIXTURES = ROOT / "fixtures"
_CORPUS = Path(os.environ["PANSCRIPT_CORPUS"]).resolve() if os.environ.get("PANSCRIPT_CORPUS") else None


def _sessions() -> list[Path]:
    claude = (FIXTURES / "claude").glob("*/projects/**/*.jsonl")
    codex = [*(FIXTURES / "codex").glob("home-*/**/rollout-*.jsonl"), *(FIXTURES / "codex").glob("home-*/**/*.zst")]
    pi = (FIXTURES / "pi").glob("*.jsonl")
    return [*sorted([*claude, *codex, *pi]), *_corpus()]


def _corpus() -> list[Path]:
    """Transcripts below the corpus folder that a reader takes for its agent's."""
    if _CORPUS is None:
        return []
    files = sorted(path for path in _CORPUS.rglob("*.jsonl*") if path.suffix in (".jsonl", ".zst") and path.is_file())
    return [path for path in files if path.stat().st_size and agent_of(path) is not None]


def agent_of(path: Path) -> str | None:
    """The agent whose session this is; None where no reader is sure."""
    if path.is_relative_to(FIXTURES):
        return path.relative_to(FIXTURES).parts[0]
    try:
        return open_source(str(path)).agent
    except PanscriptError:
        return None


SESSIONS: list[Path] = _sessions()
"""Main transcripts, sub-agents, segments, archived and compressed ones."""


def name_of(path: Path) -> str:
    """A short name that no other session has: agent, version, and the end of the file name."""
    if not path.is_relative_to(FIXTURES):
        assert _CORPUS is not None
        return "/".join(path.relative_to(_CORPUS).parts)
    parts = path.relative_to(FIXTURES).parts
    return "-".join([*parts[:2], path.name.split(".")[0][-30:]] if len(parts) > 2 else [parts[0], path.stem])
