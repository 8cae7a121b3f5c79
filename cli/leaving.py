"""Which sessions of a folder an import leaves where they are: the target's own, and imports nobody went on with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from panscript.readers.discovery import family
from panscript.readers.home import imported_until
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.readers.peek import Peeker
from panscript.schemas.agents import agent
from panscript.schemas.errors import SourceError
from panscript.schemas.events import Compaction, Message, Shell, Summary, ToolResult
from panscript.schemas.records import Source

__all__ = ["Leaving", "left_behind", "said_since"]

_SAID = (Message, ToolResult, Compaction, Shell, Summary)


class Leaving:
    """Says why a session that was found in a folder is not imported; None where it is.

    An import is a copy of what lies elsewhere. Were it taken as a source, each round over the stores of a machine would
    leave another copy of every session in each of them.
    """

    def __init__(self, target: str) -> None:
        self._target = target
        self._peek = Peeker()

    def __call__(self, source: Source) -> Literal["own", "import"] | None:
        """Reads the two ends of the session, and of an import all that came after it."""
        if source.agent == self._target:
            return "own"
        try:
            untouched = all(self._is_import(member) and not said_since(member) for member in family(source))
        except SourceError:
            return None  # Importing it says what is wrong.
        return "import" if untouched else None

    def _is_import(self, source: Source) -> bool:
        return self._peek(source).imported_from is not None


def said_since(source: Source) -> bool:
    """Whether anything was said in an imported session after the import. Raises `SourceError`s."""
    try:
        end = imported_until(source)
    except ModuleNotFoundError:
        # Imported by the agent itself, which leaves no record of ours.
        return True
    last = len(source.transcripts) - 1
    for record in read(source, options=ReadOptions(usage=False, digest=False)):
        if record.origin.file == last and record.origin.offset > end:
            for event in record.events:
                if isinstance(event, _SAID) and not (isinstance(event, Message) and event.injected):
                    return True
    return False


def left_behind(left: Mapping[str, int], target: str, *, alone: bool) -> list[str]:
    """How much was left for which reason, in words; `alone`: there was nothing else."""
    return list(_left_behind(left, target, alone=alone and len(left) == 1))


def _left_behind(left: Mapping[str, int], target: str, *, alone: bool) -> Iterator[str]:
    name = agent(target).name
    if own := left.get("own"):
        many = f"{own:,} sessions" if own > 1 else "1 session"
        where = f"all {many} found" if alone and own > 1 else f"the only {many[2:]} found" if alone else many
        yield f"{where} {'are' if own > 1 else 'is'} {name}{_ending(name)} already"
    if imports := left.get("import"):
        yield f"{imports:,} {'imports' if imports > 1 else 'import'} passed over"


def _ending(name: str) -> str:
    return "'" if name.endswith(("s", "x")) else "'s"
