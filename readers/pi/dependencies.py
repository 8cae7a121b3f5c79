"""The other files that the events of a Pi session depend on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import msgspec

from panscript.readers.lines import lines
from panscript.schemas.errors import PanscriptError
from panscript.schemas.records import Source

__all__ = ["dependencies"]

_HEADER_LINES = 4


class _Header(msgspec.Struct, rename="camel"):
    type: str | None = None
    parent_session: str | None = None
    branched_from: str | None = None


_decode = msgspec.json.Decoder(_Header).decode


def dependencies(source: Source) -> Iterator[str]:
    """The session that this one was forked from: its id is taken from its header, and what was copied is told there."""
    path = source.files[-1].path
    for header in _first(path):
        link = header.parent_session or header.branched_from
        if header.type == "session" and link:
            try:
                parent = Path(path).resolve().parent / link
                if parent.is_file():
                    yield str(parent)
            except (OSError, ValueError):
                return


def _first(path: str) -> Iterator[_Header]:
    try:
        with closing(line.raw for line in lines(path)) as raws:
            for raw in islice(raws, _HEADER_LINES):
                try:
                    yield _decode(raw)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                    continue
    except PanscriptError:
        return
