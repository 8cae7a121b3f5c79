"""What a cursor covers: whole lines of a session's own files."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

from panscript.readers.cursors import check, cover, load, parser_of, save
from panscript.readers.lines import lines, reading_up_to
from panscript.schemas.errors import SourceNotFound, SourceUnreadable
from panscript.schemas.progress import Cursor, Progress, State
from panscript.schemas.records import SessionFile, Source


def source(*paths: Path, agent: str = "claude") -> Source:
    """A session of these files."""
    return Source(agent=agent, id="s", files=tuple(SessionFile(str(path)) for path in paths))


def cursor(content: bytes, **more: object) -> Cursor:
    """A cursor that covers this content."""
    state = State(session="s", options="x", kinds={"usage": Progress(1, [(1, "0" * 16)])})
    made = Cursor(
        parser=parser_of(source(Path("a"))),
        offset=len(content),
        prefix_hash=hashlib.sha256(content).hexdigest(),
        state=state,
    )
    return msgspec.structs.replace(made, **more)


@pytest.mark.parametrize(
    ("content", "covered"),
    [
        (b"", 0),
        (b"a", 0),
        (b"a\n", 2),
        (b"a\nb", 2),
        (b"a\n\n", 3),
        (b"x" * (3 << 20), 0),
        (b"x" * (3 << 20) + b"\ny", (3 << 20) + 1),
    ],
    ids=["nothing", "torn", "whole", "torn tail", "blank", "long and torn", "long"],
)
def test_only_whole_lines_are_covered(tmp_path: Path, content: bytes, covered: int) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)
    found = cover(source(path), None)
    assert (found.offset, found.partial_line, found.fits) == (covered, covered < len(content), False)
    assert found.prefix_hash == hashlib.sha256(content[:covered]).hexdigest()
    with reading_up_to(found.ends):
        assert b"".join(line.raw for line in lines(str(path))) == content[:covered]
    assert b"".join(line.raw for line in lines(str(path))) == content


def test_growth_alone_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    for content, fits in ((b"a\nb\n", True), (b"a\n", True), (b"b\na\nc\n", False), (b"a", False), (b"", False)):
        path.write_bytes(content)
        assert cover(source(path), cursor(b"a\n")).fits is fits
        assert cover(source(path), cursor(b"")).fits is True


def test_the_files_of_a_session_are_covered_one_after_the_other(tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    first.write_bytes(b"a\nb")
    one = cover(source(first), None)
    assert one.offset == 2
    second.write_bytes(b"c\nd")
    both = cover(source(first, second), cursor(b"a\n"))
    assert (both.offset, both.fits, both.ends) == (5, True, {str(second): 2})


def test_a_compressed_file_is_covered_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfdrest")
    found = cover(source(path), None)
    assert (found.offset, found.partial_line, found.ends) == (8, False, {})


def test_a_file_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        cover(source(tmp_path / "gone.jsonl"), None)


def test_why_a_cursor_is_not_of_this_read() -> None:
    here = source(Path("a"))
    assert check(here, None, "x") is None
    assert check(here, cursor(b""), "x") is None
    assert "options" in (check(here, cursor(b""), "y") or "")
    assert "another agent" in (check(here, cursor(b"", parser="pi@1.1"), "x") or "")
    assert "version" in (check(here, cursor(b"", parser="claude@0"), "x") or "")
    other = State(session="other", options="x", kinds={})
    assert "another session" in (check(here, cursor(b"", state=other), "x") or "")


def test_cursors_come_back_from_their_file(tmp_path: Path) -> None:
    path = tmp_path / "c"
    assert load(str(path)) == ({}, None)
    one = cursor(b"a\n")
    path.write_bytes(save({"claude s": one}))
    assert load(str(path)) == ({"": one}, None)
    path.write_bytes(save({"claude s": one, "claude t": one}))
    assert load(str(path)) == ({"claude s": one, "claude t": one}, None)
    path.write_bytes(b'{"sessions": {"a": 1}}')
    assert load(str(path)) == ({}, "the cursor file is damaged")
    with pytest.raises(SourceUnreadable):
        load(str(tmp_path))
