"""Finding the files of an agent below its folders: each once, whatever links, loops and damage there are.

Links are followed, a folder that was seen is not entered again, and nothing but a plain file is opened. What is in the
way is named to the caller's `report` and the search goes on.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple, TypeAlias

from panscript.readers.context import Place
from panscript.readers.lines import head
from panscript.schemas.errors import NotATranscript, SourceError, SourceNotFound, SourceUnreadable

__all__ = ["HEAD", "Found", "Problems", "find_files", "readable", "start_of"]

HEAD = 1 << 16
"""Bytes of a file that decide what it is."""
_NOTHING = b"\0 \t\r\n\xef\xbb\xbf"

Problems: TypeAlias = Callable[[SourceError], None]
"""Told of everything that could not be looked at."""


class Found(NamedTuple):
    """A file below a place."""

    real: str
    """Its path without links: what it is, and its place in the order."""
    path: str
    """The path it was found under, without links where it has such a one."""
    size: int
    """Bytes."""


def readable(name: str) -> str:
    """A file name as text: bytes that are no UTF-8 become visible escapes."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def find_files(
    places: Iterable[Place],
    named: Callable[[str], bool],
    report: Problems,
    *,
    leave_out: Collection[str] = (),
    leaves_empty: bool = False,
) -> list[Found]:
    """Every file whose name `named` takes, by code point of its real path; files without a byte are none.

    `leave_out` names folders that are not entered. `leaves_empty`: the agent itself leaves files without a byte behind,
    so that they are nothing to speak of. A missing place is a problem only when it was named explicitly.
    """
    search = _Search(named, report, leave_out)
    for place in places:
        search.place(place)
    search.run()
    found = sorted(search.files.values())
    if not leaves_empty:
        for file in found:
            if not file.size:
                report(NotATranscript("there is nothing in it", path=file.path))
    return [file for file in found if file.size]


class _Search:
    def __init__(self, named: Callable[[str], bool], report: Problems, leave_out: Collection[str]) -> None:
        self.files: dict[tuple[int, int], Found] = {}
        self._named, self._report, self._leave_out = named, report, leave_out
        self._folders: list[str] = []
        self._links: list[str] = []
        self._seen: set[tuple[int, int]] = set()

    def place(self, place: Place) -> None:
        path = str(place.path)
        try:
            found = os.stat(path)  # noqa: PTH116 - paths stay text: there are many
        except (FileNotFoundError, NotADirectoryError):
            if place.explicit:
                self._report(SourceNotFound("there is no such folder", path=path))
        except OSError as problem:
            self._report(SourceUnreadable(f"cannot be looked at: {problem.strerror}", path=path))
        else:
            if stat.S_ISDIR(found.st_mode):
                self._folders.append(path)
            else:
                self._file(path, os.path.realpath(path), found)

    def run(self) -> None:
        """Links wait until everything that is there under its own name was seen, so that the own name is kept."""
        while self._folders or self._links:
            if self._folders:
                self._folder(self._folders.pop())
            else:
                self._link(self._links.pop())

    def _folder(self, path: str) -> None:
        try:
            own = os.stat(path)  # noqa: PTH116
            if (own.st_dev, own.st_ino) in self._seen:
                return
            self._seen.add((own.st_dev, own.st_ino))
            with os.scandir(path) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except FileNotFoundError:
            return  # it went away meanwhile
        except OSError as problem:
            self._report(SourceUnreadable(f"the folder cannot be read: {problem.strerror}", path=path))
            return
        real = os.path.realpath(path)
        for entry in reversed(listed):
            try:
                if entry.is_symlink():
                    self._links.append(entry.path)
                elif entry.is_dir(follow_symlinks=False):
                    self._enter(entry.path, entry.name)
                elif self._named(entry.name):
                    self._file(entry.path, os.path.join(real, entry.name), entry.stat())  # noqa: PTH118
            except FileNotFoundError:
                continue
            except OSError as problem:
                self._report(SourceUnreadable(f"cannot be looked at: {problem.strerror}", path=entry.path))

    def _enter(self, path: str, name: str) -> None:
        if self._named(name):
            self._report(SourceUnreadable("a folder with the name of a session file was left out", path=path))
        elif name not in self._leave_out:
            self._folders.append(path)

    def _link(self, path: str) -> None:
        name = os.path.basename(path)  # noqa: PTH119
        try:
            found = os.stat(path)  # noqa: PTH116
        except FileNotFoundError:
            self._report(SourceUnreadable("this link leads nowhere", path=path))
        except OSError as problem:
            circle = problem.errno == errno.ELOOP
            said = "this link leads round in a circle" if circle else f"cannot be looked at: {problem.strerror}"
            self._report(SourceUnreadable(said, path=path))
        else:
            if stat.S_ISDIR(found.st_mode):
                if (found.st_dev, found.st_ino) not in self._seen:
                    self._enter(path, name)
            elif self._named(name):
                self._file(path, os.path.realpath(path), found)

    def _file(self, path: str, real: str, found: os.stat_result) -> None:
        """Names that lead to one file are one: the first in order, under its own name where that was found."""
        if not stat.S_ISREG(found.st_mode):
            self._report(SourceUnreadable("this is no file but a device, a pipe or a socket", path=path))
            return
        new = Found(real, path, found.st_size)
        key = (found.st_dev, found.st_ino)
        known = self.files.get(key)
        if known is None or (new.real, new.path != new.real) < (known.real, known.path != known.real):
            self.files[key] = new


def start_of(file: Found, detect: Callable[[bytes], int], report: Problems, name: str) -> bytes | None:
    """The first bytes of a file that may be a session; None when it is blank or something else, which is reported.

    `detect` is the agent's own judgement and `name` what to call the agent. A file whose first records are longer than
    what is read here is taken at its name.
    """
    try:
        start = head(file.path, HEAD)
    except SourceError as problem:
        report(problem)
        return None
    if not start.strip(_NOTHING):
        # Blocks of zeros are what a crash leaves of a session.
        where = "it" if len(start) < HEAD else f"its first {HEAD >> 10} KiB"
        report(NotATranscript(f"there is nothing in {where}", path=file.path))
        return None
    if len(start) < HEAD and not detect(start):
        report(NotATranscript(f"no session of {name} was recognised in it", path=file.path))
        return None
    return start
