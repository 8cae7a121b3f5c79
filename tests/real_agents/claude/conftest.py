"""The real Claude Code, installed once for all tests of this folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.real_agents.claude.agent import Claude
from tests.real_agents.npm import Installed, UnavailableError


@pytest.fixture(scope="session")
def claude(npm_agent: Callable[[Path], Installed], tmp_path_factory: pytest.TempPathFactory) -> Claude:
    """The real Claude Code, which works in folders of its own."""
    here = Path(__file__).parent
    installed, listing = npm_agent(here), npm_agent(here / "listing")
    try:
        return Claude(installed, listing, tmp_path_factory.mktemp("claude"))
    except UnavailableError as reason:
        if os.environ.get("CI") == "true":
            pytest.fail(str(reason), pytrace=False)
        pytest.skip(str(reason))
