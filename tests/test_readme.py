"""What the README says is so."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from panscript.cli.main import main
from tests.repository import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
CLAUDE = ROOT / "fixtures/claude/v2.1.328/projects/-home-dev-app/10000000-0000-4000-8000-000000000002.jsonl"


def test_the_lines_of_the_library_example_run(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert code is not None
    shutil.copy(CLAUDE, tmp_path / "session.jsonl")

    done = subprocess.run(
        [sys.executable, "-c", code[1]],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT / ".src")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stderr == ""
    written = (tmp_path / "session.pi.jsonl").read_text(encoding="utf-8").splitlines()
    assert written[0].startswith('{"type":"session","version":3')
    assert '"name":"Imported from Claude Code: Look at my notes"' in written[-1]


@pytest.mark.parametrize("command", main.list_commands(None))  # type: ignore[arg-type]
def test_every_command_has_help_with_an_example(command: str) -> None:
    found = main.get_command(None, command)  # type: ignore[arg-type]
    assert found is not None
    assert found.help
    assert f"panscript {command}" in found.help


def test_every_file_the_readme_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_dependency_is_explained() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.split(r"[^A-Za-z0-9_-]", line)[0] for line in project["dependencies"]]
    assert [name for name in names if f"| {name} |" not in README] == []
