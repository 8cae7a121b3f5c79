"""Amp's thread files: what they look like, and which belong together.

`threads/T-<uuid>.json`, one document a thread. A sub-agent is a thread of its own in the same folder that names the one
which started it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from panscript.readers.lines import head, open_bytes, reading
from panscript.schemas.errors import PanscriptError
from panscript.schemas.records import SessionFile, Source

__all__ = ["SUFFIX", "beside", "detect", "is_thread", "layout", "resolve", "starter_of"]

SUFFIX = ".json"
_THREAD = re.compile(r"T-[A-Za-z0-9-]{1,100}")
_ID = re.compile(rb'"id"\s*:\s*"T-[0-9a-fA-F-]{8,}"')
_OWN = re.compile(rb'"(?:nextMessageId|agentMode|usageLedger|messageId|toolUseID|created)"\s*:')
_MAIN = re.compile(rb'(?<!\\)"mainThreadID"\s*:\s*"(T-[A-Za-z0-9-]{1,100})"')
_HEAD = 1 << 16


def detect(start: bytes) -> int:
    """How surely these first bytes are a thread: 0 not at all, 100 certainly."""
    text = start[:_HEAD].lstrip(b"\0\xef\xbb\xbf \t\r\n")
    if not text.startswith(b"{"):
        return 0
    own = {found.group() for found in _OWN.finditer(text)}
    if _ID.search(text):
        return 95 if own else 40
    # Without its first lines a thread is still known by what only Amp writes.
    return 60 if b"messageId" in text and (b"toolUseID" in text or b"nextMessageId" in text) else 0


def is_thread(name: str) -> bool:
    """Whether a file of this name may be a thread."""
    return name.startswith("T-") and name.endswith(SUFFIX)


def starter_of(path: str) -> str | None:
    """The thread that started this one as a sub-agent.

    It stands behind the messages or before them, so both ends of the file are looked at.
    """
    try:
        with open_bytes(path) as file, reading(path):
            start = file.read(_HEAD)
            found = _MAIN.search(start)
            if found is None and len(start) == _HEAD:
                file.seek(0, 2)
                file.seek(max(_HEAD, file.tell() - _HEAD))
                found = _MAIN.search(file.read(_HEAD))
    except (PanscriptError, OSError):
        return None
    return found[1].decode() if found is not None else None


def beside(path: str, thread: str) -> Path | None:
    """The file of another thread in the folder of this one; None when there is none."""
    if not _THREAD.fullmatch(thread):
        return None
    found = Path(path).parent / f"{thread}{SUFFIX}"
    try:
        return found if found.is_file() else None
    except OSError:
        return None


def _stem(path: Path) -> str:
    return path.name.removesuffix(SUFFIX) or "thread"


def resolve(path: str) -> Source:
    """The thread in a file, with its sub-agents."""
    return _source(Path(path), _stem(Path(path)), set())


def _source(file: Path, name: str, seen: set[str]) -> Source:
    seen.add(name)
    children = [child for child in _children(file, name) if _stem(child) not in seen]
    return Source(
        agent="amp",
        id=name,
        files=(SessionFile(str(file)),),
        parent=starter_of(str(file)),
        children=tuple(_source(child, _stem(child), seen) for child in children if _stem(child) not in seen),
    )


def _children(file: Path, name: str) -> Iterator[Path]:
    try:
        text = head(str(file), 1 << 26)
    except PanscriptError:
        return
    # A sub-agent's thread is named where its call stands.
    for thread in dict.fromkeys(_THREAD.findall(text.decode("latin-1"))):
        found = beside(str(file), thread) if thread != name else None
        if found is not None and starter_of(str(found)) == name:
            yield found


def layout(path: str) -> str:
    """Where the file lies below Amp's `threads` folder."""
    return Path(path).name
