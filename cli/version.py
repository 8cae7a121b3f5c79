"""The version of the program."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

__all__ = ["program_version"]


def program_version() -> str:
    """The installed version; `0` when run from a checkout that was not installed."""
    try:
        return version("panscript")
    except PackageNotFoundError:
        return "0"
