"""Where output goes: standard output, one file, or a folder with the target's own layout.

A file appears whole or not at all: it is written beside its place under another name, with mode 0600, and renamed.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from panscript.schemas.errors import OutputExists, OutputFailed

__all__ = ["Claims", "Destination", "claiming", "is_folder", "temporary_files", "write_file"]

_HELD = 1 << 20
"""Bytes that standard output holds back, so that what fails early prints nothing."""


class Claims(Protocol):
    """Which names of a run are given away already, so that no session is written over another one of the same run."""

    def take(self, path: str) -> str | None:
        """Take the name; gives the source that has it where somebody does."""

    def release(self, path: str) -> None:
        """The name is free again: nothing was written."""


_claims: ContextVar[Claims | None] = ContextVar("claims", default=None)


@contextmanager
def claiming(claims: Claims) -> Iterator[None]:
    """Inside, every place of a `Destination` is claimed before it is written to."""
    before = _claims.set(claims)
    try:
        yield
    finally:
        _claims.reset(before)


@contextmanager
def _claimed(path: str) -> Iterator[None]:
    claims = _claims.get()
    if claims is None:
        yield
        return
    if (owner := claims.take(path)) is not None:
        raise OutputExists(f"another session of this run has this name, that of {owner}", path=path)
    try:
        yield
    except BaseException:
        claims.release(path)
        raise


def is_folder(output: str, *, several: bool = False) -> bool:
    """Whether `-o` names a folder: one that is there, a name with a slash at its end, or a new name that is no file
    name (it has no suffix, or several sources go there)."""
    if output == "-":
        return False
    path = Path(output)
    if path.is_dir() or output.endswith(("/", os.sep)):
        return True
    return not os.path.lexists(path) and (several or not path.suffix)


class Destination:
    """What `-o` names."""

    def __init__(self, output: str, *, force: bool, several: bool = False) -> None:
        """`several`: more than one source is given."""
        self.output = output
        self.folder = Path(output) if is_folder(output, several=several) else None
        self.force = force

    @property
    def many(self) -> bool:
        """Whether more than one file can go there."""
        return self.folder is not None

    @contextmanager
    def open(self, name: str) -> Iterator[Target]:
        """A place for one session. `name` is the path below the folder, used when the destination is one."""
        if self.output == "-":
            with _stdout() as file:
                yield Target(file, None)
            return
        path = self.folder / name if self.folder is not None else Path(self.output)
        with _claimed(str(path)), write_file(path, force=self.force) as target:
            yield target


class Target:
    """An open file, and what is set on it when it is done."""

    def __init__(self, file: BinaryIO, path: Path | None) -> None:
        self.file = file
        self.path = path
        self.time: int | None = None
        """Modification time to set, in milliseconds since 1970 UTC."""


@contextmanager
def write_file(path: Path, *, force: bool) -> Iterator[Target]:
    """Write a file that appears only when the block ends without an error. Raises `OutputExists`, `OutputFailed`."""
    if path.is_dir():
        raise OutputFailed("there is a folder of that name", path=str(path))
    if path.exists() and not path.is_file():
        # A device or a pipe is written to; a rename would put a file in its place.
        with _opened(path) as file:
            yield Target(file, path)
        return
    if not force and os.path.lexists(path):
        raise OutputExists("there is a file of that name already", path=str(path), hint="--force replaces it")
    made = _make_folders(path.parent)
    name: str | None = None
    try:
        prefix, suffix = _temporary(path)
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=suffix, dir=path.parent)
        with os.fdopen(handle, "wb", buffering=1 << 18) as file:
            target = Target(file, path)
            yield target
            file.flush()
            os.fsync(file.fileno())
        if target.time is not None:
            os.utime(name, ns=(target.time * 1_000_000, target.time * 1_000_000))
        _place(name, path, force=force)
        name = None
        made.clear()
    except OSError as problem:
        raise OutputFailed(f"cannot be written: {problem.strerror}", path=str(path)) from None
    finally:
        if name is not None:
            with contextlib.suppress(OSError):
                os.unlink(name)
        for folder in reversed(made):
            with contextlib.suppress(OSError):
                folder.rmdir()


def _temporary(path: Path) -> tuple[str, str]:
    return f".{path.name[:40]}.", ".part"


def temporary_files(path: Path) -> list[Path]:
    """What a writer of this file that was killed may have left beside it."""
    prefix, suffix = _temporary(path)
    try:
        return [each for each in path.parent.iterdir() if each.name.startswith(prefix) and each.name.endswith(suffix)]
    except OSError:
        return []


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with path.open("wb") as file:
            yield file
    except OSError as problem:
        raise OutputFailed(f"cannot be written: {problem.strerror}", path=str(path)) from None


def _make_folders(folder: Path) -> list[Path]:
    """Make the folder and those above it, private; gives the ones that were not there."""
    made: list[Path] = []
    missing = [parent for parent in (folder, *folder.parents) if not os.path.lexists(parent)]
    for parent in reversed(missing):
        try:
            parent.mkdir(mode=0o700)
            made.append(parent)
        except FileExistsError:
            continue
        except OSError as problem:
            for other in reversed(made):
                other.rmdir()
            raise OutputFailed(f"the folder cannot be made: {problem.strerror}", path=str(parent)) from None
    return made


def _place(name: str, path: Path, *, force: bool) -> None:
    if force:
        os.replace(name, path)
        return
    try:
        # A link fails where a file of that name has appeared meanwhile; a rename would replace it.
        os.link(name, path)
    except FileExistsError:
        raise OutputExists("there is a file of that name already", path=str(path), hint="--force replaces it") from None
    except OSError:
        os.rename(name, path)
        return
    os.unlink(name)


@contextmanager
def _stdout() -> Iterator[BinaryIO]:
    held = _Held(sys.stdout.buffer)
    yield cast(BinaryIO, held)
    held.flush()


class _Held:
    """Standard output that begins only when there is a megabyte of it, or all."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._parts: list[bytes] | None = []
        self._bytes = 0

    def write(self, data: bytes) -> int:
        if self._parts is None:
            return self._file.write(data)
        self._parts.append(data)
        self._bytes += len(data)
        if self._bytes > _HELD:
            self.flush()
        return len(data)

    def flush(self) -> None:
        if self._parts is not None:
            parts, self._parts = self._parts, None
            self._file.write(b"".join(parts))
        self._file.flush()
