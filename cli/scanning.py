"""Looking for secrets without writing anything."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from panscript.cli.copying import clean, clean_names, cleaned_document, is_document
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport, Report
from panscript.stages.redaction import Redactor

__all__ = ["check_file", "found"]


def check_file(source: Source, report: Report, redactor: Redactor) -> FileReport:
    """Count the secrets in the session's own files; gives its account."""
    account = report.open(source.path, source.agent, source.id)
    records = read(source, report=account, options=ReadOptions(usage=False))
    for number, group in groupby(records, key=lambda record: record.origin.file):
        own: Iterable[Record] = group
        if source.files[number].role == "base":
            continue
        if is_document(source.files[number].path):
            own = cleaned_document(own, redactor, account)
        for record in own:
            if record.raw:
                clean(record, redactor, account)
    clean_names(account, redactor)
    return account


def found(account: FileReport) -> str:
    """What was found, in words."""
    unread = account.lost.get("unverifiable_line", 0)
    rest = f", {unread} unreadable {'line' if unread == 1 else 'lines'}" if unread else ""
    if not account.redacted:
        return f"no secrets{' in what can be read' if unread else ''}{rest}"
    kinds = ", ".join(f"{rule} x {times}" for rule, times in sorted(account.redacted.items()))
    total = sum(account.redacted.values())
    return f"{total} {'secret' if total == 1 else 'secrets'} ({kinds}){rest}"
