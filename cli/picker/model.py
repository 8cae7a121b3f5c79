"""The rows of the picker: which are in view, in what order, and which one is meant. Knows no terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from panscript.readers.discovery import full_id
from panscript.readers.peek import Facts
from panscript.schemas.agents import agent
from panscript.schemas.records import Source
from panscript.schemas.terminal import one_line

__all__ = ["Model", "Row"]


class Row(msgspec.Struct, eq=False):
    """A session; what it says comes later than that it is there."""

    source: Source
    changed: int
    """When it was last changed, as far as is known: milliseconds since 1970 UTC."""
    facts: Facts | None = None
    here: bool = False
    """It ran in the project. False until its facts are known."""
    searched: str = ""
    """What the filter looks at, casefolded."""
    messages: int | None = None
    counted: bool = False
    """Its messages were counted, or are too many to count."""
    tentative: bool = False
    """Only its newest file is known: the source is good for reading its facts, not for more."""
    gone: bool = False
    """It could not be read after all."""

    def learn(self, facts: Facts, *, here: bool) -> None:
        """Take in what the session says. The facts come last: who sees them sees the rest, too."""
        said = (facts.first_prompt, facts.title, facts.session_id, facts.cwd, self.source.agent, self._agent_name)
        self.searched = one_line("\n".join(text for text in said if text)).casefold()
        self.changed = facts.modified if facts.modified is not None else self.changed
        self.here = here
        self.facts = facts

    @property
    def _agent_name(self) -> str:
        return agent(self.source.agent).name

    @property
    def session_id(self) -> str:
        """Its id, safe to show."""
        return one_line(self.facts.session_id if self.facts is not None else full_id(self.source))

    @property
    def title(self) -> str:
        """Its title or summary, safe to show; empty where it has none."""
        return one_line((self.facts and self.facts.title) or "")

    @property
    def prompt(self) -> str:
        """What a person typed first, safe to show; empty where nobody did."""
        return one_line((self.facts and self.facts.first_prompt) or "")

    @property
    def cwd(self) -> str:
        """The folder it ran in, safe to show; empty where that is not known."""
        return one_line((self.facts and self.facts.cwd) or "")


class Model:
    """What is in view and what is meant.

    Rows come in and change at any time; what is in view changes only in `refresh` and by what the person does, so that
    what is chosen is what was seen.
    """

    def __init__(self, rows: Sequence[Row], *, query: str = "", everywhere: bool = False) -> None:
        """`rows` may grow meanwhile."""
        self._rows = rows
        self._query = query
        self._everywhere = everywhere
        self._moved = False
        self._selected: Row | None = None
        self._top = 0
        self.view: list[Row] = []
        """The rows that the filter left, the last changed first."""
        self.here = self.total = 0
        """Rows of the project and of all projects, filtered."""
        self.refresh()

    @property
    def query(self) -> str:
        """What was typed."""
        return self._query

    @property
    def everywhere(self) -> bool:
        """Whether all projects are in view, not only this one."""
        return self._everywhere

    @property
    def selected(self) -> Row | None:
        """The row that is meant; None when none is in view."""
        return self._selected

    @property
    def index(self) -> int:
        """Its place in the view; 0 when there is none."""
        return self.view.index(self._selected) if self._selected is not None else 0

    @property
    def words(self) -> list[str]:
        """What a row must hold, each of them anywhere in it."""
        return self._query.casefold().split()

    def refresh(self) -> None:
        """Take in what has become known. The row that was moved to stays the one that is meant."""
        place = self.index
        wanted = self._wanted()
        found = [row for row in list(self._rows) if not row.gone and wanted(row)]
        here = [row for row in found if row.here]
        self.total, self.here = len(found), len(here)
        self.view = sorted(found if self._everywhere else here, key=lambda row: row.changed, reverse=True)
        if not self.view:
            self._selected = None
        elif not self._moved:
            self._selected = self.view[0]
        elif self._selected not in self.view:
            self._selected = self.view[min(place, len(self.view) - 1)]

    def type(self, query: str) -> None:
        """The filter is this now; the first row it leaves is meant."""
        if query != self._query:
            self._query = query
            self._begin()

    def toggle(self) -> None:
        """From this project to all of them, and back."""
        self._everywhere = not self._everywhere
        self._begin()

    def move(self, by: int) -> None:
        """To a row below or, negative, above; not beyond the ends."""
        self.go(self.index + by)

    def go(self, place: int) -> None:
        """To the row at this place, or to the nearest one."""
        if self.view:
            self._moved = True
            self._selected = self.view[max(0, min(place, len(self.view) - 1))]

    def window(self, height: int) -> list[Row]:
        """The rows that fit, with the one that is meant among them."""
        height = max(height, 1)
        place = self.index
        self._top = max(min(self._top, place), place - height + 1, 0)
        # A list that became shorter leaves no empty lines below while there are rows above.
        self._top = max(min(self._top, len(self.view) - height), 0)
        return self.view[self._top : self._top + height]

    def _begin(self) -> None:
        self._moved = False
        self._top = 0
        self.refresh()

    def _wanted(self) -> Callable[[Row], bool]:
        words = self.words
        if not words:
            return lambda _: True
        return lambda row: all(word in row.searched for word in words)
