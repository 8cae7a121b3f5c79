"""`sessions.json`, the index beside the files of the older form: what a session is called, and who started it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from panscript.readers.document import load
from panscript.readers.openclaw.store import Facts, is_child_key, title_of
from panscript.schemas.errors import SourceError
from panscript.schemas.openclaw.lean import StoreEntry, store_decoder

__all__ = ["INDEX", "Index", "facts_beside", "index_of"]

INDEX = "sessions.json"
_entries = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Index:
    """The entries by their keys."""

    def __init__(self, entries: dict[str, StoreEntry]) -> None:
        self._entries = entries
        self._keys = {entry.session_id: key for key, entry in entries.items() if entry.session_id}

    def facts(self, session: str) -> Facts:
        """What it says of a session."""
        key = self._keys.get(session)
        entry = self._entries[key] if key is not None else StoreEntry()
        is_child = entry.spawned_by is not None or is_child_key(key)
        above = self._entries.get(entry.spawned_by or entry.parent_session_key or "") if is_child else None
        parent = above.session_id if above is not None else None
        return Facts(title=title_of(entry), parent=parent if parent != session else None, is_child=is_child)


def index_of(folder: Path) -> Index:
    """The index in this folder; without an entry where there is none, or none that can be read."""
    path = folder / INDEX
    entries: dict[str, StoreEntry] = {}
    try:
        found = _entries.decode(load(str(path))) if path.is_file() else {}
    except (SourceError, OSError, ValueError, RecursionError):
        found = {}
    for key, raw in found.items():
        try:
            entries[key] = store_decoder.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
    return Index(entries)


def facts_beside(path: str, session: str) -> Facts:
    """What the index beside a file says of its session."""
    return index_of(Path(path).parent).facts(session)
