"""Size and digest of the files a session was read from; of a database only what is the session's."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from panscript.readers.databases import is_database
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import SourceUnreadable
from panscript.schemas.events import SourceFile
from panscript.schemas.naming import encodable
from panscript.schemas.records import Source

__all__ = ["digest_of_records", "source_files"]


def source_files(source: Source) -> tuple[SourceFile, ...]:
    """Path, bytes and sha256 of every transcript of the session, as they are on disk.

    Of a session in a database they are those of its records, one after the other: the file holds others, too.
    """
    if is_database(source.transcripts[-1].path):
        size, digest = digest_of_records(source)
        last = source.transcripts[-1]
        name = encodable(source.shown_as or last.path)
        return (SourceFile(path=name, bytes=size, sha256=digest, role=last.role),)
    return tuple(_digest(file.path, file.role, source.shown_as or file.path) for file in source.transcripts)


def _digest(path: str, role: str, name: str) -> SourceFile:
    try:
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = os.fstat(file.fileno()).st_size
    except OSError as problem:
        raise SourceUnreadable(f"cannot be read: {problem.strerror}", path=name) from None
    return SourceFile(path=encodable(name), bytes=size, sha256=digest, role=role)  # type: ignore[arg-type]


def digest_of_records(source: Source) -> tuple[int, str]:
    """Bytes and sha256 of the records of a session, one after the other. Raises `SourceError`s."""
    digest, size = hashlib.sha256(), 0
    for record in read(source, options=ReadOptions(usage=False)):
        digest.update(record.raw)
        size += len(record.raw)
    return size, digest.hexdigest()
