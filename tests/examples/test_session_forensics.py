"""The example counts right and says nothing that was said."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.builders import assistant, user, write_rows
from tests.cli.program import environment
from tests.repository import ROOT


def test_prompts_that_came_again_are_told_by_fingerprint(tmp_path: Path) -> None:
    rows = [user("a", None, "deploy it", 1), assistant("b", "a", "Done."), user("c", "b", "deploy it", 3)]
    write_rows(tmp_path / ".claude" / "projects" / "-app" / "one.jsonl", rows)
    found = subprocess.run(
        [sys.executable, ROOT / "examples" / "session_forensics.py", tmp_path],
        env=environment(tmp_path),
        capture_output=True,
        check=True,
        text=True,
    )
    first, everything = map(json.loads, found.stdout.splitlines())
    assert list(first["repeated_prompts"].values()) == [2]
    assert everything == {"sessions": 1, "prompts_in_several_sessions": {}}
    assert "deploy" not in found.stdout
