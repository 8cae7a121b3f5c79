"""Every agent's sessions copied for the same agent: the same bytes, or where there are none a refusal that says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from panscript.readers.opening import reader
from panscript.schemas.records import Source
from tests.cli.program import panscript
from tests.found import FOUND, name_of

_SQLITE = b"SQLite format 3\0"


def _is_database(source: Source) -> bool:
    with Path(source.transcripts[-1].path).open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


@pytest.mark.parametrize("source", FOUND, ids=name_of)
def test_a_copy_is_the_same_bytes(source: Source, tmp_path: Path) -> None:
    path = source.transcripts[-1].path
    options = ("--from", source.agent, "--to", source.agent, "--no-redact", "--quiet", "-o", f"{tmp_path}/out/")
    done = panscript("convert", path, *options, cwd=tmp_path)
    if _is_database(source):
        assert done.code == 1
        assert "database" in done.err
        assert not (tmp_path / "out").exists()
        return
    assert done.code == 0, done.err
    own = [file.path for file in source.files if file.role != "base"]
    for name in own:
        assert (tmp_path / "out" / reader(source.agent).layout(name)).read_bytes() == Path(name).read_bytes()
