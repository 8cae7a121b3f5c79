"""Kimi CLI (Python, until 2026) and Kimi Code (TypeScript, its successor): two programs, two forms, one name.

Kimi CLI keeps `~/.kimi/sessions/<hash of the cwd>/<session id>/` with what the model is sent (`context.jsonl`) and what
happened (`wire.jsonl`); neither names the model. Kimi Code keeps `~/.kimi-code/sessions/<project>/<session id>/` with a
log of edits of its messages for every agent. Odd about them: each says everything twice, and counts must be taken once.
"""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.kimi.cli import read_cli
from panscript.readers.kimi.code import read_code
from panscript.readers.kimi.files import detect, form_of, layout, resolve
from panscript.readers.options import ReadOptions
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport

__all__ = ["detect", "layout", "read", "resolve"]


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    Raises `SourceError`s; nothing is opened before the first `next()`.
    """
    form = form_of(source.transcripts[-1].path)
    yield from (read_code if form == "code" else read_cli)(source, report=report, options=options)
