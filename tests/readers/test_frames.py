"""Compressed sessions that are whole, in several frames, cut, and damaged."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
import zstandard

from panscript.readers import open_source, read
from panscript.readers.frames import Frames
from panscript.readers.lines import lines, open_bytes
from panscript.schemas.report import FileReport
from tests.sessions import FIXTURES

PLAIN = next((FIXTURES / "codex/home-0.171.0").glob("**/*a2cb-7010*.jsonl")).read_bytes()


def _packed(*parts: bytes) -> bytes:
    return b"".join(zstandard.ZstdCompressor().compress(part) for part in parts)


def test_frames_one_after_the_other_are_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    path.write_bytes(_packed(PLAIN[:5000], PLAIN[5000:]))

    with open_bytes(str(path)) as file:
        assert file.read() == PLAIN


@pytest.mark.parametrize("cut", [1, 50, 300])
def test_a_frame_that_is_cut_gives_what_stands_before_it_and_is_counted(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(_packed(PLAIN[:30_000]) + _packed(PLAIN[30_000:])[:-cut])
    report = FileReport(path=str(path))

    raws = b"".join(record.raw for record in read(open_source(str(path)), report=report))

    assert PLAIN.startswith(raws[: raws.rfind(b"\n")])
    assert len(raws) >= 30_000
    assert not report.complete
    assert report.skipped["undecodable_jsonl_frame"] == 1


def test_damage_in_the_middle_ends_the_reading_there(tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl.zst"
    damaged = bytearray(_packed(PLAIN[30_000:]))
    damaged[20:120] = b"\xff" * 100
    path.write_bytes(_packed(PLAIN[:30_000]) + bytes(damaged))

    raws = [line.raw for line in lines(str(path))]

    assert raws[-1] == b""
    assert b"".join(raws) == PLAIN[:30_000]


def test_a_damaged_frame_that_claims_what_follows_costs_only_itself(tmp_path: Path) -> None:
    frames = []
    for turn in range(60):
        packing = zstandard.ZstdCompressor().compressobj()
        line = random.Random(turn).randbytes(700).hex().encode() + b"\n"
        frames.append(packing.compress(line) + packing.flush())
    # The length of its block stands behind the magic number and two bytes on the window.
    frames[5] = frames[5][:6] + (20_000 << 3 | 5).to_bytes(3, "little") + frames[5][9:]
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(b"".join(frames))

    assert sum(len(line.raw) == 1401 for line in lines(str(path))) == 59


@pytest.mark.parametrize("behind", [1, 2, 8])
def test_a_torn_frame_at_the_end_costs_only_itself(tmp_path: Path, behind: int) -> None:
    """An agent was killed while it appended, and wrote a little afterwards: the torn frame claims that."""
    drawn = random.Random(behind)
    said = [drawn.randbytes(drawn.randrange(20, 90)).hex().encode() + b"\n" for _ in range(behind + 1)]
    packer = zstandard.ZstdCompressor(write_checksum=True)
    torn, *others = (packer.compress(line) for line in said)
    path = tmp_path / "a.jsonl.zst"
    for cut in range(1, len(torn)):
        data = packer.compress(b"first\n") + torn[:cut] + b"".join(others)
        path.write_bytes(data)
        with open_bytes(str(path)) as file:
            unpacked = file.read()
        assert unpacked.startswith(b"first\n")
        assert unpacked.endswith(b"".join(said[1:])), cut
        assert [line.raw for line in lines(str(path))][-1] == b""


def test_a_frame_in_which_nothing_else_begins_gives_its_blocks_up_to_the_damage(tmp_path: Path) -> None:
    packing = zstandard.ZstdCompressor().compressobj()
    said = [random.Random(turn).randbytes(3000).hex().encode() + b"\n" for turn in range(9)]
    blocks = [packing.compress(line) + packing.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK) for line in said]
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(b"".join(blocks[:7]) + b"\xff" * 100)
    with open_bytes(str(path)) as file:
        assert file.read().startswith(b"".join(said[:6]))


def test_what_a_few_bytes_unpack_to_is_not_held_at_once() -> None:
    size = 50_000_000
    file = Frames(io.BytesIO(_packed(bytes(size), b"end")))
    held = 0
    while part := file.read(1 << 16):
        held, size = max(held, len(file._ready)), size - len(part)
    assert size == -len(b"end")
    assert held <= 1 << 20


def test_frames_without_content_are_passed_over(tmp_path: Path) -> None:
    nothing = b"\x50\x2a\x4d\x18" + (100_000).to_bytes(4, "little") + bytes(100_000)
    path = tmp_path / "a.zst"
    path.write_bytes(_packed(b"one\n") + nothing + _packed(b"two\n"))
    assert [line.raw for line in lines(str(path))] == [b"one\n", b"two\n"]


def test_a_whole_frame_has_no_empty_line(tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    path.write_bytes(_packed(PLAIN))

    assert all(line.raw for line in lines(str(path)))
