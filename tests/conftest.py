"""What every test may use: the fixtures folder, `--accept`, and the Hypothesis profiles."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No profile has a deadline: a time limit on one example fails on a busy machine and finds nothing.
settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile("fast", max_examples=10, deadline=None)
settings.register_profile("ci", max_examples=100, deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "long", max_examples=20_000, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--accept`."""
    parser.addoption(
        "--accept",
        action="store_true",
        help="rewrite the golden files with what the code gives now, then read the diff",
    )


@pytest.fixture(scope="session")
def accept(pytestconfig: pytest.Config) -> bool:
    """Whether golden files are to be rewritten instead of compared."""
    return bool(pytestconfig.getoption("--accept"))


@pytest.fixture(scope="session")
def fixtures_dir() -> Path:
    """The folder of transcripts, to be read and never written."""
    return Path(__file__).parent.parent / "fixtures"
