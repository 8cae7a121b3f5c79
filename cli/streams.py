"""Printing a session and its sub-agents, each once."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from typing import BinaryIO

import msgspec

from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.records import Source
from panscript.schemas.report import Report
from panscript.stages.projections import project

__all__ = ["family", "print_events"]


def family(source: Source) -> Iterator[Source]:
    """The session and, below it, its sub-agents."""
    yield source
    for child in source.children:
        yield from family(child)


def print_events(
    source: Source,
    report: Report,
    out: BinaryIO,
    *,
    kinds: Collection[str],
    text: bool,
    raw: bool,
    full: bool,
    printed: set[str],
) -> None:
    """Print the events of a session and of its sub-agents. `printed` names the files that were already."""
    encoder = msgspec.json.Encoder()
    for member in family(source):
        if (path := os.path.realpath(member.transcripts[-1].path)) in printed:
            continue
        printed.add(path)
        account = report.open(member.path, member.agent, member.id)
        records = read(member, report=account, options=ReadOptions(usage="usage" in kinds, raw=raw))
        if full:
            for record in records:
                for event in record.events:
                    out.write(safe_line(encoder.encode(event)))
        else:
            for line in project(records, kinds=kinds, text=text, raw=raw, report=account):
                out.write(safe_line(encoder.encode(line)))


def safe_line(raw: bytes) -> bytes:
    """A line that no program splits anywhere but at its end."""
    if not raw.isascii():
        if b"\xe2\x80" in raw:
            raw = raw.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")
        if b"\xc2\x85" in raw:
            raw = raw.replace(b"\xc2\x85", b"\\u0085")
    return raw + b"\n"
