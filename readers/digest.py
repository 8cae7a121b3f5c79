"""Size and digest of the files a session was read from."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from panscript.schemas.errors import SourceUnreadable
from panscript.schemas.events import SourceFile
from panscript.schemas.naming import encodable
from panscript.schemas.records import Source

__all__ = ["source_files"]


def source_files(source: Source) -> tuple[SourceFile, ...]:
    """Path, bytes and sha256 of every transcript of the session, as they are on disk."""
    return tuple(_digest(file.path, file.role, source.shown_as or file.path) for file in source.transcripts)


def _digest(path: str, role: str, name: str) -> SourceFile:
    try:
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = os.fstat(file.fileno()).st_size
    except OSError as problem:
        raise SourceUnreadable(f"cannot be read: {problem.strerror}", path=name) from None
    return SourceFile(path=encodable(name), bytes=size, sha256=digest, role=role)  # type: ignore[arg-type]
