"""Agents that come as npm packages: install the pinned version once, outside the tracked files, and keep it.

An agent's folder here holds a ``package.json`` with exact versions and, under ``engines.node``, the oldest node that
runs it. Where this machine's node is older, a newer one is taken from npm too and used for installing and running.
``omit`` may list kinds of dependencies that are not wanted (``optional``, ``peer``).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.real_agents.process import Finished, TookTooLongError, run

__all__ = ["Installed", "UnavailableError", "cache_folder", "install"]

_NODE_PACKAGE = "node@24"
_INSTALL_SECONDS = 300.0


class UnavailableError(Exception):
    """The agent cannot be had on this machine; the text says why."""


@dataclass(frozen=True, slots=True)
class Installed:
    """An installed package set: ``folder`` holds ``node_modules``, ``node`` is a binary new enough to run it."""

    folder: Path
    node: Path

    def program(self, package: str, name: str) -> Path:
        """The script behind the command ``name`` of ``package``, to be run with :attr:`node`."""
        home = self.folder / "node_modules" / package
        return home / str(json.loads((home / "package.json").read_bytes())["bin"][name])


def cache_folder(project: Path) -> Path:
    """Where installed agents are kept: ``$PANSCRIPT_REAL_AGENTS``, else ``.cache/real-agents`` below the project."""
    chosen = os.environ.get("PANSCRIPT_REAL_AGENTS")
    folder = Path(chosen) if chosen else project / ".cache" / "real-agents"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    return folder.resolve()


def install(agent: Path, cache: Path) -> Installed:
    """Install what ``agent/package.json`` pins, unless it is in ``cache`` already.

    :raises UnavailableError: there is no npm, or it failed, or it took too long.
    """
    manifest = (agent / "package.json").read_bytes()
    node = _node(_version(json.loads(manifest)["engines"]["node"]), cache)
    return Installed(_fill(cache, agent.name, manifest, node, scripts=False), node)


def _version(text: str) -> tuple[int, int]:
    found = re.search(r"(\d+)\.(\d+)", text)
    if found is None:
        raise UnavailableError(f"no version in {text!r}")
    return int(found[1]), int(found[2])


def _node(oldest: tuple[int, int], cache: Path) -> Path:
    """A node binary of at least this version: the machine's own, else the npm package of that name."""
    own = shutil.which("node")
    if own and _version(_checked(["node", "--version"], cache, Path(own), 30.0).stdout) >= oldest:
        return Path(own)
    manifest: dict[str, Any] = {"private": True, "dependencies": {"node": _NODE_PACKAGE.partition("@")[2]}}
    # Its install script is what fetches the binary of this platform.
    folder = _fill(cache, "node", json.dumps(manifest).encode(), None, scripts=True)
    node = folder / "node_modules" / "node" / "bin" / ("node.exe" if os.name == "nt" else "node")
    if not node.is_file():
        raise UnavailableError(f"npm installed {_NODE_PACKAGE} without its binary")
    if _version(_checked([node, "--version"], cache, node, 30.0).stdout) < oldest:
        raise UnavailableError(f"{_NODE_PACKAGE} is older than {oldest[0]}.{oldest[1]}")
    return node


def _fill(cache: Path, name: str, manifest: bytes, node: Path | None, *, scripts: bool) -> Path:
    """The folder in ``cache`` with this manifest installed. It appears in one step: a broken attempt leaves nothing."""
    folder = cache / f"{name}-{hashlib.sha256(manifest).hexdigest()[:12]}"
    if folder.is_dir():
        return folder
    npm = shutil.which("npm")
    if npm is None:
        raise UnavailableError("npm is not installed")
    attempt = Path(tempfile.mkdtemp(prefix=".attempt-", dir=cache))
    try:
        (attempt / "package.json").write_bytes(manifest)
        command: list[str | Path] = [
            npm,
            "install",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--no-update-notifier",
        ]
        command += [f"--omit={kind}" for kind in json.loads(manifest).get("omit", ())]
        _checked([*command, *([] if scripts else ["--ignore-scripts"])], attempt, node, _INSTALL_SECONDS)
        try:
            attempt.rename(folder)
        except OSError:
            # Another run may have been faster; anything else is an error.
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(attempt, ignore_errors=True)
    return folder


def _checked(command: list[str | Path], cwd: Path, node: Path | None, timeout: float) -> Finished:
    """Run npm or node with this user's npm settings (registry, proxy) and, if given, this node first in the path."""
    env = dict(os.environ)
    if node is not None:
        env["PATH"] = os.pathsep.join([str(node.parent), env.get("PATH", "")])
    try:
        finished = run(command, cwd=cwd, env=env, timeout=timeout)
    except (OSError, TookTooLongError) as reason:
        raise UnavailableError(str(reason)) from reason
    if finished.code:
        said = (finished.stderr or finished.stdout).strip().splitlines()
        raise UnavailableError(f"{Path(command[0]).name} failed ({finished.code}): {' / '.join(said[-5:])}")
    return finished
