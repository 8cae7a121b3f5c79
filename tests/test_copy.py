"""The first law: from an agent to the same agent without redaction gives the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from panscript.readers import ReadOptions, open_source, read
from panscript.readers.lines import open_bytes
from panscript.schemas.report import FileReport
from tests.sessions import SESSIONS, name_of


@pytest.mark.parametrize("path", SESSIONS, ids=name_of)
def test_the_raws_joined_are_the_file(path: Path) -> None:
    report = FileReport(path=str(path))
    source = open_source(str(path))
    raws: dict[int, list[bytes]] = {}
    counted = 0
    for record in read(source, report=report, options=ReadOptions(usage=False)):
        raws.setdefault(record.origin.file, []).append(record.raw)
        counted += record.kind != "end"

    for number, file in enumerate(source.transcripts):
        with open_bytes(file.path) as plain:
            assert b"".join(raws.get(number, [])) == plain.read()
    assert report.records == counted == sum(report.classes.values())
