"""A machine with a project and an empty store of Pi, and the program that imports into it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from panscript.cli.main import main
from tests.builders import SESSION, assistant, call, result_row, user, write_rows

__all__ = ["CALLING", "MORE", "TALK", "Machine", "entries", "machine", "snapshot"]

TALK = [user("u", None, "hello", 1), assistant("a", "u", "hi", 2)]
MORE = [user("v", "a", "and now?", 3), assistant("b", "v", "done", 4)]
CALLING = [
    user("u", None, "list the files", 1),
    assistant("a", "u", [call("toolu_1", command="ls")], 2, stop="tool_use"),
    result_row("r", "a", "toolu_1", "a.txt", 3),
    assistant("b", "r", "one file", 4),
]


class Machine:
    """`home` with Pi's store, `project` as the current folder, and one session of Claude Code."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.home = top / "home"
        self.project = self.home / "code/app"
        self.project.mkdir(parents=True)
        self.source = top / "claude" / f"{SESSION}.jsonl"

    @property
    def sessions(self) -> Path:
        """Pi's folder for the sessions of all projects."""
        return self.home / ".pi/agent/sessions"

    @property
    def folder(self) -> Path:
        """Pi's folder for the sessions of the project."""
        return self.sessions / ("--" + str(self.project)[1:].replace("/", "-") + "--")

    @property
    def files(self) -> list[Path]:
        """What lies there, hidden files too."""
        return sorted(self.folder.iterdir()) if self.folder.exists() else []

    def says(self, rows: Iterable[Any]) -> Path:
        """The session of Claude Code holds these rows now."""
        return write_rows(self.source, rows)

    def run(self, *args: object) -> Result:
        """Run `panscript import`."""
        return CliRunner().invoke(main, ["import", *map(str, args)])

    def bring(self, *args: object) -> Path:
        """Import the session; gives the one path on stdout."""
        result = self.run(self.source, *args)
        assert result.exit_code == 0, result.stderr
        assert result.stdout.count("\n") == 1
        return Path(result.stdout[:-1])

    def codes(self, *args: object) -> tuple[Path, list[str]]:
        """Import the session with a report: the path, and what the report warns of."""
        report = self.top / "report.json"
        path = self.bring(*args, "--report", report)
        return path, [w["code"] for file in json.loads(report.read_text())["files"] for w in file["warnings"]]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A fresh machine, with this process in its project."""
    made = Machine(tmp_path.resolve())
    for name in ("PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(made.home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(made.home / ".config"))
    monkeypatch.chdir(made.project)
    made.says(TALK)
    return made


def entries(path: Path) -> list[dict[str, Any]]:
    """The lines of a session file."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def snapshot(folder: Path) -> dict[str, tuple[bytes | None, int]]:
    """Everything below a folder: what is in it, and when it was last changed."""
    return {
        str(path.relative_to(folder)): (path.read_bytes() if path.is_file() else None, path.lstat().st_mtime_ns)
        for path in sorted([folder, *folder.rglob("*")])
    }
