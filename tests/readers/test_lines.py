"""Files as lines of bytes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import zstandard

from panscript.readers.lines import head, lines, open_bytes
from panscript.schemas.errors import SourceError, SourceNotFound, SourceUnreadable


def _lines(tmp_path: Path, data: bytes) -> list[tuple[bytes, int, int]]:
    path = tmp_path / "x"
    path.write_bytes(data)
    return [(raw, offset, number) for raw, offset, number in lines(str(path))]


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    odd = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\rh".encode()
    assert _lines(tmp_path, odd + b"\r\n\nlast") == [
        (odd + b"\r\n", 0, 1),
        (b"\n", len(odd) + 2, 2),
        (b"last", len(odd) + 3, 3),
    ]
    assert _lines(tmp_path, b"") == []


def test_compressed_files_are_unpacked_over_all_their_frames(tmp_path: Path) -> None:
    packed = zstandard.compress(b"one\ntw") + zstandard.compress(b"o\nthree")
    assert [raw for raw, _, _ in _lines(tmp_path, packed)] == [b"one\n", b"two\n", b"three"]
    assert head(str(tmp_path / "x"), 5) == b"one\nt"


def test_a_damaged_frame_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    packed = bytearray(zstandard.compress(os.urandom(5000)))
    packed[100:200] = b"\0" * 100
    packed[4] ^= 0xFF
    with pytest.raises(SourceUnreadable, match="x"):
        _lines(tmp_path, bytes(packed))


@pytest.mark.parametrize("read", [lambda path: list(lines(path)), head, open_bytes])
def test_what_cannot_be_opened_is_an_error_of_ours(tmp_path: Path, read: object) -> None:
    assert callable(read)
    with pytest.raises(SourceNotFound):
        read(str(tmp_path / "none"))
    with pytest.raises(SourceUnreadable):
        read(str(tmp_path))
    with pytest.raises(SourceError):
        read(str(tmp_path / ("x" * 5000)))
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(SourceError):
        read(str(tmp_path / "loop"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_an_error_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"x")
    path.chmod(0)
    with pytest.raises(SourceUnreadable, match="Permission denied"):
        head(str(path))


def test_a_long_line_is_one_line(tmp_path: Path) -> None:
    data = b"x" * 3_000_000 + b"\n"
    assert _lines(tmp_path, data + b"y") == [(data, 0, 1), (b"y", len(data), 2)]
