"""Looking for secrets without writing anything."""

from __future__ import annotations

from panscript.cli.copying import clean
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport, Report
from panscript.stages.redaction import Redactor

__all__ = ["check_file", "found"]


def check_file(source: Source, report: Report, redactor: Redactor) -> FileReport:
    """Count the secrets in the session's own files; gives its account."""
    account = report.open(source.path, source.agent, source.id)
    for record in read(source, report=account, options=ReadOptions(usage=False)):
        if record.raw and source.files[record.origin.file].role != "base":
            clean(record, redactor, account)
    return account


def found(account: FileReport) -> str:
    """What was found, in words."""
    if not account.redacted:
        return "no secrets"
    kinds = ", ".join(f"{rule} x {times}" for rule, times in sorted(account.redacted.items()))
    return f"{sum(account.redacted.values())} secrets ({kinds})"
