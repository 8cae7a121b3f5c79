"""The other files that the events of a Kimi session depend on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from panscript.schemas.records import Source

__all__ = ["dependencies"]


def dependencies(source: Source) -> Iterator[str]:
    """Kimi CLI: where the folder that the session ran in and the model are said, beside all sessions."""
    for folder in Path(source.path).absolute().parents:
        if folder.name == "sessions":
            yield from (
                str(path) for path in (folder.parent / "kimi.json", folder.parent / "config.json") if path.is_file()
            )
            return
