"""Size and digest of the files a session was read from; of a database only what is the session's."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from panscript.readers.databases import is_database
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import SourceUnreadable
from panscript.schemas.events import Session, SourceFile
from panscript.schemas.naming import encodable
from panscript.schemas.records import Source

__all__ = ["Digest", "digest_of_records", "source_files"]


def source_files(source: Source) -> tuple[SourceFile, ...]:
    """Path, bytes and sha256 of every transcript of the session, as they are on disk.

    Of a session in a database they are those of its records, one after the other: the file holds others, too.
    Raises `SourceError`s.
    """
    if is_database(source.transcripts[-1].path):
        session = next(read(source, options=ReadOptions(usage=False, digest=True))).events[0]
        assert isinstance(session, Session)
        return session.files
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
    """Bytes and sha256 of the records of a session in a database, one after the other. Raises `SourceError`s."""
    (file,) = source_files(source)
    return file.bytes, file.sha256


class Digest:
    """What `source_files` says, for a reader of databases: it adds every record when it first goes through them."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        """Files are read here. Raises `SourceError`s."""
        self._source = source
        self.of_records = options.digest and is_database(source.transcripts[-1].path)
        """Records are to be added; else it knows all that is asked for."""
        self._files = source_files(source) if options.digest and not self.of_records else ()
        self._hash, self._size = hashlib.sha256(), 0

    def add(self, raw: bytes) -> None:
        """The next record."""
        self._hash.update(raw)
        self._size += len(raw)

    def files(self) -> tuple[SourceFile, ...]:
        """What the session was read from; nothing where that was not asked for."""
        if not self.of_records:
            return self._files
        last, digest = self._source.transcripts[-1], self._hash.hexdigest()
        name = encodable(self._source.shown_as or last.path)
        return (SourceFile(path=name, bytes=self._size, sha256=digest, role=last.role),)
