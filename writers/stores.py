"""Where a target keeps its sessions: what the module `store` of a target offers, so that sessions can be put there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, Protocol, cast

import msgspec

from panscript.schemas.agents import AGENTS, agent
from panscript.schemas.errors import PanscriptError, UnknownTarget
from panscript.schemas.events import Session, SourceFile
from panscript.writers.options import Beside, WriteOptions

__all__ = ["CannotAppend", "Earlier", "Extension", "Store", "Surroundings", "does_not_grow", "store", "stores"]


class Surroundings(Protocol):
    """Where things are on this machine."""

    @property
    def home(self) -> Path:
        """The home folder."""

    @property
    def variables(self) -> Mapping[str, str]:
        """The environment."""

    @property
    def roots(self) -> Mapping[str, tuple[Path, ...]]:
        """Agent id -> folders to use instead of that agent's own."""


class Earlier(msgspec.Struct, frozen=True, kw_only=True):
    """A session of the target that was imported before, as its import record has it."""

    path: str
    session_id: str
    """Its id at the target."""
    number: int
    """Which import of its source it is; see `WriteOptions.number`."""
    imported_at: int
    """Milliseconds since 1970 UTC."""
    parent_file: str | None = None


class CannotAppend(PanscriptError):
    """The earlier import cannot be brought up to date; the message says why."""


def does_not_grow(target: str) -> CannotAppend:
    """Why an earlier import does not serve at an agent whose sessions are not added to."""
    return CannotAppend(f"the source has grown, and an import into {agent(target).name} does not grow with it")


class Extension(Protocol):
    """A place to write the whole session again: what the earlier import holds must come first and be the same, and
    only what is new goes on."""

    def write(self, data: bytes, /) -> int:
        """Take what the target's writer writes. Raises `CannotAppend`."""

    def close(self) -> None:
        """Close the earlier import, whatever happened."""

    @property
    def added(self) -> int:
        """How many new entries went on."""

    @property
    def began(self) -> bool:
        """Whether there was anything new."""


class Store(Protocol):
    """What the module `store` of every target that sessions can be imported into offers. Only names of files and the
    beginnings of files are read, and nothing is written."""

    def project_folder(self, surroundings: Surroundings, cwd: str) -> Path:
        """Where the sessions of the project in folder `cwd` (absolute, without links) lie; it may not exist yet."""

    def taken_ids(self, surroundings: Surroundings, folder: Path) -> Collection[str]:
        """Ids that sessions of the target have already."""

    def session_id(self, session: Session, options: WriteOptions) -> str:
        """The id that the imported session gets."""

    def name(self, session: Session, options: WriteOptions) -> str:
        """Name of the session's file in the project's folder."""

    def beside(self, surroundings: Surroundings, folder: Path, file: Beside) -> Path:
        """Where a file goes that the writer puts beside a session of the project."""

    def find_imports(self, folder: Path, cwd: str, agent_id: str, session_id: str) -> list[Earlier]:
        """The imports of a source session into this project, the newest first."""

    def covered(self, earlier: Earlier) -> Sequence[SourceFile]:
        """The source files as they were when the import was made or last appended to."""

    def extension(self, earlier: Earlier, files: Sequence[SourceFile], begin: Callable[[], BinaryIO]) -> Extension:
        """What the session is to be written to again. `files` are the source files as they are now; `begin` gives the
        file that new lines go to, which stands behind the present end of the import."""

    PROGRAM: str
    """What the agent's program is called."""

    def command(self, path: str, session_id: str, *, own_store: bool) -> list[str]:
        """The program and the arguments that go on with the session. `own_store`: it lies where the agent looks."""


def stores() -> tuple[str, ...]:
    """The agents that sessions can be imported into."""
    return tuple(known.id for known in AGENTS if known.writer is not None and _has_store(known.writer))


def store(target: str) -> Store:
    """The store of a target. Raises `UnknownTarget`."""
    found = agent(target).writer
    if found is None or not _has_store(found):
        raise UnknownTarget(f"sessions cannot be imported into {agent(target).name} yet", hint=", ".join(stores()))
    return cast(Store, import_module(f"{found}.store"))


def _has_store(writer: str) -> bool:
    try:
        return find_spec(f"{writer}.store") is not None
    except ModuleNotFoundError:
        # The writer is one module.
        return False
