"""`panscript --help` answers at once: what only some commands need is imported when they run."""

import json
import os
import subprocess
import sys

from tests.repository import agent_of

HEAVY = {"pydantic", "pydantic_core", "zstandard", "rich", "prompt_toolkit", "sqlite3", "hypothesis", "pytest"}

# The names of all loaded modules go to stderr, since the help is on stdout.
PROGRAM = """
import json, sys
from panscript.cli.main import main
main(["--help"], prog_name="panscript", standalone_mode=False)
json.dump(sorted(sys.modules), sys.stderr)
"""


def _help() -> tuple[str, list[str]]:
    # The path of this process, since the tests also run in a clone that was not installed.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, check=False, encoding="utf-8", env=environment
    )
    assert done.returncode == 0, done.stderr
    loaded: list[str] = json.loads(done.stderr)
    return done.stdout, loaded


def test_help_names_the_program_and_loads_neither_heavy_libraries_nor_any_agent() -> None:
    text, loaded = _help()
    assert text.startswith("Usage: panscript")
    assert "panscript.cli.main" in loaded
    assert HEAVY & {name.split(".")[0] for name in loaded} == set()
    agents = [
        name for name in loaded if name.startswith(("panscript.readers.", "panscript.writers.")) and agent_of(name)
    ]
    assert agents == []
