"""`panscript extension`: one file in Pi's folder, put there and taken away, and no file of somebody else's touched."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from panscript.cli import extending
from panscript.cli.main import main
from panscript.cli.version import VERSION
from panscript.readers.context import Context
from panscript.schemas.errors import OutputFailed
from panscript.writers.pi import extension
from tests.cli.imports import snapshot

FOREIGN = b"// my own extension\nexport default function () {}\n"


class Home:
    """A home folder with the program in it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def file(self) -> Path:
        """Where the extension belongs."""
        return self.path / ".pi/agent/extensions/panscript.js"

    def run(self, action: str, *args: str) -> Result:
        """Run `panscript extension`."""
        return CliRunner().invoke(main, ["extension", action, *args])

    def done(self, action: str, *args: str) -> str:
        """Run it without an error; gives what it says, when the path is the one of the file."""
        result = self.run(action, *args)
        assert (result.exit_code, result.stdout) == (0, f"{self.file}\n"), result.stderr
        return result.stderr

    def write(self, content: bytes) -> None:
        """Something else is where the extension belongs."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(content)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.delenv("PI_CODING_AGENT_DIR", raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    monkeypatch.chdir(tmp_path)
    return Home(tmp_path)


def test_it_is_installed_as_one_private_file_that_names_its_version(home: Home) -> None:
    assert "/import-session" in home.done("install", "pi")
    assert [path for path in home.path.rglob("*") if path.is_file()] == [home.file]
    assert home.file.read_bytes().startswith(f"// panscript extension for Pi, version {VERSION}\n".encode())
    assert home.file.stat().st_mode & 0o777 == 0o600


def test_pi_is_meant_where_no_agent_is_named(home: Home) -> None:
    home.done("install")
    assert home.file.exists()


def test_installing_again_changes_nothing(home: Home) -> None:
    home.done("install", "pi")
    before = snapshot(home.path)
    assert home.done("install", "pi") == "installed already\n"
    assert snapshot(home.path) == before


@pytest.mark.parametrize("other", [b"// panscript extension for Pi, version 0.0.1\nold\n", None])
def test_an_extension_of_another_version_is_renewed(home: Home, other: bytes | None) -> None:
    home.done("install", "pi")
    new = home.file.read_bytes()
    home.write(other if other is not None else new + b"// more\n")
    assert "renews it" in home.done("status", "pi")
    home.done("install", "pi")
    assert home.file.read_bytes() == new


@pytest.mark.parametrize("content", [FOREIGN, b"", b"\xff\xfe", b"\n// panscript extension for Pi, version 1\n"])
def test_a_file_that_is_not_ours_stays(home: Home, content: bytes) -> None:
    home.write(content)
    before = snapshot(home.path)
    for action in ("install", "remove"):
        result = home.run(action, "pi")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(f"panscript: {home.file}: ")
        assert "--force" in result.stderr
        assert result.stderr.count("\n") == 1
    assert snapshot(home.path) == before


def test_force_replaces_a_file_that_is_not_ours(home: Home) -> None:
    home.write(FOREIGN)
    home.done("install", "pi", "--force")
    assert extension.version(home.file.read_bytes()) == VERSION


def test_force_removes_a_file_that_is_not_ours(home: Home) -> None:
    home.write(FOREIGN)
    home.done("remove", "pi", "--force")
    assert not home.file.exists()


def test_a_link_is_somebodys_own_arrangement(home: Home) -> None:
    home.done("install", "pi")
    kept = home.path / "kept.js"
    home.file.rename(kept)
    home.file.symlink_to(kept)
    content = kept.read_bytes()
    assert home.run("install", "pi").exit_code == 1
    assert home.run("remove", "pi").exit_code == 1
    home.done("install", "pi", "--force")
    assert not home.file.is_symlink()
    assert kept.read_bytes() == content


def test_a_link_that_leads_nowhere_is_not_followed(home: Home) -> None:
    home.file.parent.mkdir(parents=True)
    home.file.symlink_to(home.path / "nowhere.js")
    assert home.run("install", "pi").exit_code == 1
    assert not (home.path / "nowhere.js").exists()


def test_a_folder_of_that_name_stays_even_with_force(home: Home) -> None:
    home.file.mkdir(parents=True)
    for action in ("install", "remove"):
        assert home.run(action, "pi", "--force").exit_code == 1
    assert home.file.is_dir()


def test_removing_takes_the_file_and_nothing_else(home: Home) -> None:
    home.write(b"")
    (home.file.parent / "other.js").write_bytes(FOREIGN)
    home.file.unlink()
    before = [path.name for path in home.path.rglob("*")]
    home.done("install", "pi")
    assert home.done("remove", "pi") == "removed from Pi\n"
    assert [path.name for path in home.path.rglob("*")] == before


def test_removing_what_is_not_there_is_no_error(home: Home) -> None:
    assert home.done("remove", "pi") == "not installed\n"
    assert list(home.path.iterdir()) == []


def test_a_write_that_fails_leaves_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutputFailed):
        extending.install("pi", Context.at(home.path))
    assert list(home.path.iterdir()) == []


def test_status_says_what_is_there_by_its_exit_status_too(home: Home) -> None:
    def status() -> tuple[int, str]:
        result = home.run("status", "pi")
        assert result.stdout == f"{home.file}\n"
        return result.exit_code, result.stderr

    assert status() == (1, "not installed; `panscript extension install pi` does that\n")
    home.done("install", "pi")
    assert status() == (0, f"installed, version {VERSION}\n")
    home.write(FOREIGN)
    assert status() == (1, "there is a file of that name that is not ours\n")


def test_an_extension_whose_program_is_gone_is_outdated(home: Home) -> None:
    names = {"claude": "Claude Code", "codex": "Codex"}
    home.write(extension.content(VERSION, [str(home.path / "gone")], names))
    assert extending.installed("pi", Context.at(home.path)).state == "outdated"


def test_an_extension_that_calls_the_program_by_another_name_is_current_until_it_is_installed_again(
    home: Home,
) -> None:
    home.done("install", "pi")
    program = home.path / "panscript"
    program.touch()
    home.write(home.file.read_bytes().replace(json.dumps(extending.program()).encode(), f'["{program}"]'.encode()))
    assert extending.installed("pi", Context.at(home.path)).state == "current"
    home.done("install", "pi")
    assert extension.called(home.file.read_bytes()) == extending.program()


def test_the_environment_moves_it_unless_home_is_given(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_DIR", "~/elsewhere")
    moved = tmp_path / "elsewhere/extensions/panscript.js"
    assert home.run("install", "pi").stdout == f"{moved}\n"
    (tmp_path / "other").mkdir()
    result = home.run("install", "pi", "--home", str(tmp_path / "other"))
    assert result.stdout == f"{tmp_path}/other/.pi/agent/extensions/panscript.js\n"


def test_a_folder_that_is_named_from_here_is_printed_whole(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_DIR", "agent")
    assert home.run("install", "pi").stdout == f"{home.path}/agent/extensions/panscript.js\n"


@pytest.mark.parametrize("args", [("install", "claude"), ("install", "nobody"), ("upgrade", "pi"), ()])
def test_what_cannot_be_is_wrong_usage(home: Home, args: tuple[str, ...]) -> None:
    assert CliRunner().invoke(main, ["extension", *args]).exit_code == 2


def test_quiet_says_nothing(home: Home) -> None:
    for action in ("install", "status", "remove"):
        assert home.done(action, "pi", "--quiet") == ""


def test_the_program_is_called_as_it_was_called(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    real, link = home.path / "real" / "panscript", home.path / "bin" / "panscript"
    for path in (real, link):
        path.parent.mkdir()
    real.write_text("#!/bin/sh\n", encoding="utf-8")
    real.chmod(0o755)
    link.symlink_to(real)
    monkeypatch.setattr(sys, "argv", [str(link), "extension"])
    assert extending.program() == [str(link)]
    monkeypatch.setenv("PATH", str(link.parent))
    monkeypatch.setattr(sys, "argv", ["panscript", "extension"])
    assert extending.program() == [str(link)]


def test_where_there_is_no_such_program_the_interpreter_is_called(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(home.path / "main.py")])
    monkeypatch.setattr(sys, "executable", str(home.path / "python"))
    assert extending.program() == [str(home.path / "python"), "-m", "panscript.cli"]


def test_agents_tells_whether_it_is_installed(home: Home) -> None:
    def told() -> tuple[dict[str, object], bool]:
        rows = {row["agent"]: row for row in json.loads(CliRunner().invoke(main, ["agents", "--json"]).stdout)}
        assert {name for name, row in rows.items() if row["extension"] is not None} == {"pi"}
        place = f"~{os.sep}{home.file.relative_to(home.path)} (our extension)"
        return rows["pi"]["extension"], place in CliRunner().invoke(main, ["agents"]).stdout

    assert told() == ({"path": str(home.file), "state": "absent", "version": None}, False)
    home.done("install", "pi")
    assert told() == ({"path": str(home.file), "state": "current", "version": VERSION}, True)
