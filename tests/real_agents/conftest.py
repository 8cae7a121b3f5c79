"""What the tests with real agents share: installing an agent, and a model that listens on this machine only."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.real_agents.model import StandInModel, stand_in_model
from tests.real_agents.npm import Installed, UnavailableError, cache_folder, install
from tests.repository import ROOT


@pytest.fixture(scope="session")
def npm_agent() -> Callable[[Path], Installed]:
    """Install the agent whose ``package.json`` lies in the given folder.

    Where that cannot be done the test is skipped with the reason; on a build server (``CI=true``) it fails.
    """

    def provide(folder: Path) -> Installed:
        try:
            return install(folder, cache_folder(ROOT))
        except UnavailableError as reason:
            said = f"the real {folder.name} cannot be installed: {reason}"
            if os.environ.get("CI") == "true":
                pytest.fail(said, pytrace=False)
            pytest.skip(said)

    return provide


@pytest.fixture
def model() -> Iterator[StandInModel]:
    """A stand-in for a model provider, on 127.0.0.1."""
    with stand_in_model() as running:
        yield running
