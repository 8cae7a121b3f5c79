"""The other files that the events of a task depend on."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.cline.facts import history_files
from panscript.readers.cline.files import MESSAGES
from panscript.schemas.records import Source

__all__ = ["dependencies"]


def dependencies(source: Source) -> Iterator[str]:
    """The lists of tasks that may say its title and folder."""
    if not any(file.path.endswith(MESSAGES) for file in source.files):
        yield from (str(path) for path in history_files(source) if path.is_file())
