"""What happens where an agent cannot be installed: never a silent pass."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.real_agents.npm import Installed, UnavailableError, cache_folder, install
from tests.real_agents.process import TookTooLongError, private_environment, run

Provide = Callable[[Path], Installed]


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An agent's folder on a machine without npm and node, with an empty cache."""
    empty = tmp_path / "bin"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    monkeypatch.setenv("PANSCRIPT_REAL_AGENTS", str(tmp_path / "cache"))
    folder = tmp_path / "someone"
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps({"engines": {"node": ">=22.19"}}), encoding="utf-8")
    return folder


def test_without_npm_the_reason_is_said(agent: Path, tmp_path: Path) -> None:
    cache = cache_folder(tmp_path)
    with pytest.raises(UnavailableError, match="npm is not installed"):
        install(agent, cache)
    assert [path.name for path in cache.iterdir()] == [".gitignore"]


def test_a_failed_install_leaves_nothing_in_the_cache(agent: Path, tmp_path: Path) -> None:
    npm = tmp_path / "bin" / "npm"
    npm.write_text("#!/bin/sh\necho 'no such version' >&2\nexit 1\n", encoding="utf-8")
    npm.chmod(0o755)
    cache = cache_folder(tmp_path)
    with pytest.raises(UnavailableError, match="no such version"):
        install(agent, cache)
    assert [path.name for path in cache.iterdir()] == [".gitignore"]


def test_a_developers_machine_skips(agent: Path, npm_agent: Provide, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="someone cannot be installed: npm is not installed"):
        npm_agent(agent)


def test_a_build_server_fails(agent: Path, npm_agent: Provide, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="someone cannot be installed: npm is not installed"):
        npm_agent(agent)


def test_a_program_that_hangs_is_stopped_with_its_children(tmp_path: Path) -> None:
    # The child keeps the pipe open: unless it is stopped too, the call would wait for it.
    wait = "import sys; sys.stdin = None; import threading; threading.Event().wait()"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {wait!r}])"
    with pytest.raises(TookTooLongError):
        run([sys.executable, "-c", parent], cwd=tmp_path, env=private_environment(tmp_path), timeout=0.5)
