"""Gemini CLI: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, since August 2025.

Until April 2026 the same name ended with `.json` and was one document; resumed, it goes on in a `.jsonl` beside it.
Sub-agents have sessions of their own in a folder named like the id of theirs. A saved chat (`checkpoint-<tag>.json`) is
read where it is named, and not looked for: it repeats what a session says.
"""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers import recordings
from panscript.readers.gemini.files import detect, layout, project_folder, resolve
from panscript.readers.options import ReadOptions
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport

__all__ = ["KIND", "detect", "layout", "read", "resolve"]

KIND = recordings.Kind(name="Gemini CLI", provider="google")


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    Raises `SourceError`s; nothing is opened before the first `next()`.
    """
    yield from recordings.read(source, KIND, project_folder(source), report=report, options=options)
