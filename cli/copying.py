"""Same agent to same agent: the bytes as they are, or with nothing but the secrets replaced."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.cli.output import Destination
from panscript.cli.streams import family
from panscript.readers.opening import read, reader
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import StrictLoss
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport, Report

__all__ = ["copy"]


def copy(
    source: Source, destination: Destination, report: Report, *, redact: bool, subagents: bool, strict: bool
) -> Iterator[str | None]:
    """Write every file of the session again; gives the path of each (None on standard output)."""
    members = list(family(source))
    account = report.open(source.path, source.agent, source.id)
    if len(members) > 1 and (not subagents or not destination.many):
        account.lose("subagent", len(members) - 1)
        members = members[:1]
    for number, member in enumerate(members):
        if number:
            account = report.open(member.path, member.agent, member.id)
        yield from _copy(member, destination, account, redact=redact, strict=strict)


def _copy(
    source: Source, destination: Destination, account: FileReport, *, redact: bool, strict: bool
) -> Iterator[str | None]:
    redactor = None
    if redact:
        from panscript.stages.redaction import Redactor

        redactor = Redactor()
    own = [file for file in source.files if file.role != "base"]
    records = read(source, report=account, options=ReadOptions(usage=False))
    # The copy route touches only the session's own bytes; what it builds on stays where it is.
    skipped = len(source.files) - len(own)
    layout = reader(source.agent).layout  # type: ignore[attr-defined]
    current = next(records, None)
    for index, file in enumerate(own, skipped):
        while current is not None and current.origin.file < index:
            current = next(records, None)
        with destination.open(layout(file.path)) as place:
            while current is not None and current.origin.file == index:
                raw = current.raw
                if redactor is not None and raw:
                    raw = _clean(raw, current.kind, redactor, account)
                place.file.write(raw)
                current = next(records, None)
            if strict and (lost := account.lost_content()):
                raise StrictLoss(f"content would be lost ({', '.join(lost)})", path=source.path)
            path = str(place.path) if place.path is not None else None
        if redactor is not None:
            account.redacted = dict(redactor.counts)
        if path is not None:
            account.written.append(path)
        yield path
        if not destination.many:
            break


def _clean(raw: bytes, kind: str, redactor: object, account: FileReport) -> bytes:
    """The record without secrets; nothing when it cannot be called clean."""
    if kind == "blank":
        return raw
    if kind == "skipped":
        account.lose("unverifiable_line")
        return b""
    try:
        return redactor.json(raw)  # type: ignore[attr-defined,no-any-return]
    except ValueError:
        account.lose("unverifiable_line")
        return b""
