"""Copilot sessions on a machine: event logs with the telemetry that names them, and telemetry of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from panscript.readers.context import Place
from panscript.readers.copilot.files import detect, id_of, is_telemetry, session_files, telemetry_only
from panscript.readers.copilot.otel import telemetry
from panscript.readers.finding import Found, Problems, find_files, start_of
from panscript.schemas.errors import SourceError
from panscript.schemas.records import Source

__all__ = ["discover"]

_NOT_SESSIONS = ("checkpoints", "rewind-file-snapshots")


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The sessions in these places, by real path of their first own file. Telemetry files are read whole."""
    logs: list[Found] = []
    spans: list[Found] = []
    for file in find_files(places, lambda name: name.endswith(".jsonl"), report, leave_out=_NOT_SESSIONS):
        if start_of(file, detect, report, "Copilot CLI") is None:
            continue
        try:
            (spans if is_telemetry(file.path) else logs).append(file)
        except SourceError as problem:
            report(problem)
    named = _conversations(spans, report)
    found: list[tuple[str, Source]] = []
    told: set[str] = set()
    for file in logs:
        session = id_of(file.path)
        told.add(session)
        # Wherever the telemetry lies: a copy of the log would count by itself, and not as the same.
        files = session_files(file.path, (each.path for each in named.get(session, [])))
        found.append((file.real, Source(agent=agent_id, id=session, files=files)))
    for session, files_of in named.items():
        if session not in told:
            found.append((files_of[0].real, telemetry_only(session, (each.path for each in files_of))))
    for _, source in sorted(found, key=lambda each: (each[0], each[1].id)):
        yield source


def _conversations(spans: list[Found], report: Problems) -> dict[str, list[Found]]:
    """Session id -> the telemetry files that say what it cost."""
    named: dict[str, list[Found]] = {}
    for file in spans:
        try:
            sessions = {each.session for each in telemetry(file.path).counted}
        except SourceError as problem:
            report(problem)
            continue
        for session in sorted(sessions):
            named.setdefault(session, []).append(file)
    return named
