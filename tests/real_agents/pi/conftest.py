"""The real Pi, installed once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.real_agents.npm import Installed
from tests.real_agents.pi.agent import Pi


@pytest.fixture(scope="session")
def pi(npm_agent: Callable[[Path], Installed], tmp_path_factory: pytest.TempPathFactory) -> Pi:
    """The real Pi with a home folder of its own."""
    return Pi(npm_agent(Path(__file__).parent), tmp_path_factory.mktemp("pi"))
