"""What an import record holds that stands in no entry of the file, as the events that it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from panscript.readers.imported import Imported
from panscript.schemas import timestamps
from panscript.schemas.events import Event, Message, Opaque, Summary, Text, Thinking
from panscript.schemas.import_lean import ContextText

__all__ = ["Restorer"]

Chained = Callable[[str], tuple[str, str | None]]
"""Hangs an event of this id on what was said last; gives its id and its parent."""


class Restorer:
    """Gives back what stood after an entry. `hang` puts an event into the conversation."""

    def __init__(self, imported: Imported, hang: Chained) -> None:
        self._imported = imported
        self._hang = hang
        self._count = 0

    def after(self, entry: str | None, common: dict[str, Any], late: Iterable[ContextText] = ()) -> Iterator[Event]:
        """The events after an entry, `late` ones first. `common`: what they share with what the entry says."""
        for item in [*late, *self._imported.context(entry)]:
            name, parent = self._hang(self._next())
            yield _said(item, name, parent, common | {"time": timestamps.parse(item.timestamp)})
        for kind, data in self._imported.opaque(entry):
            yield Opaque(id=self._next(), name=kind, data=data, **(common | {"time": None}))

    def _next(self) -> str:
        self._count += 1
        return f"imported:{self._count}"


def _said(item: ContextText, name: str, parent: str | None, common: dict[str, Any]) -> Event:
    if item.role == "assistant":
        return Message(id=name, parent=parent, role="assistant", content=(Thinking(text=item.text),), **common)
    if item.role is None:
        return Summary(id=name, parent=parent, text=item.text, **common)
    content = (Text(text=item.text),) if item.text else ()
    return Message(id=name, parent=parent, role="system", content=content, injected=item.kind, hidden=True, **common)
