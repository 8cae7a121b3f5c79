"""The targets that a session can be written for, and the one way to write for any of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import BinaryIO, Protocol, cast

from panscript.schemas.agents import AGENTS, agent
from panscript.schemas.errors import UnknownTarget
from panscript.schemas.events import Event, Session
from panscript.schemas.records import Record
from panscript.schemas.report import FileReport
from panscript.writers.options import Beside, Continuation, WriteOptions

__all__ = ["Writer", "targets", "write", "writer"]


class Writer(Protocol):
    """What the module of every target offers."""

    LOSSES: Mapping[str, str]
    """What the target cannot hold, by loss code, and why."""

    def session_id(self, session: Session, options: WriteOptions) -> str:
        """The id that the session gets at the target."""

    def beside(self, session: Session, options: WriteOptions) -> Sequence[Beside]:
        """What goes with the session's file."""

    def continuation(self, records: Iterable[Record]) -> Continuation | None:
        """How a session of the target's own, given by its records, goes on; None where it cannot."""

    def file_name(self, session: Session, options: WriteOptions) -> str:
        """Path of the session's file below the target's own sessions folder."""

    def write(
        self, events: Iterable[Event], sink: BinaryIO, *, options: WriteOptions, report: FileReport
    ) -> int | None:
        """Write one session; gives the time of its last message."""


def targets() -> tuple[str, ...]:
    """The agents that can be written for."""
    return tuple(known.id for known in AGENTS if known.writer is not None)


def writer(target: str) -> Writer:
    """The writer for a target. Raises `UnknownTarget`."""
    found = agent(target).writer
    if found is None:
        raise UnknownTarget(f"sessions cannot be written for {agent(target).name} yet", hint=", ".join(targets()))
    return cast(Writer, import_module(found))


def write(
    target: str,
    events: Iterable[Event],
    sink: BinaryIO,
    *,
    options: WriteOptions,
    report: FileReport | None = None,
) -> int | None:
    """Write prepared events (see `panscript.stages.prepare`) to an open binary file in the target's format.

    Gives the time of the last message in milliseconds since 1970 UTC. Raises `CannotConvert`, `UnknownTarget`.
    """
    account = report if report is not None else FileReport(path="")
    return writer(target).write(events, sink, options=options, report=account)
