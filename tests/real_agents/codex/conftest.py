"""The real Codex, installed once for all tests of this folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.real_agents.codex.agent import Codex
from tests.real_agents.npm import Installed, UnavailableError


@pytest.fixture(scope="session")
def codex(npm_agent: Callable[[Path], Installed], tmp_path_factory: pytest.TempPathFactory) -> Codex:
    """The real Codex, which works in homes of its own."""
    installed = npm_agent(Path(__file__).parent)
    try:
        return Codex(installed, tmp_path_factory.mktemp("codex"))
    except UnavailableError as reason:
        if os.environ.get("CI") == "true":
            pytest.fail(str(reason), pytrace=False)
        pytest.skip(str(reason))
