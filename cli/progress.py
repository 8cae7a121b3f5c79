"""A progress bar for long work, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from panscript.schemas.records import Record, Source

__all__ = ["watched"]

_LONG = 20 << 20
"""Bytes from which on reading takes long enough to show."""
_STEP = 1 << 20


def watched(records: Iterable[Record], source: Source, *, quiet: bool) -> Iterator[Record]:
    """The same records; how far the reading is shows on stderr while a person watches."""
    total = sum(_size(file.path) for file in source.transcripts)
    if quiet or total < _LONG or not sys.stderr.isatty():
        yield from records
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(Path(source.path).name[:40], total=total)
        passed = 0
        for record in records:
            yield record
            passed += len(record.raw)
            if passed >= _STEP:
                progress.advance(task, passed)
                passed = 0


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
