"""The other files that the events of a Gemini CLI session depend on."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.gemini.files import registries
from panscript.schemas.records import Source

__all__ = ["dependencies"]


def dependencies(source: Source) -> Iterator[str]:
    """What names the project's folder."""
    for path in registries(source):
        if path.is_file():
            yield str(path)
