"""Compressed sessions that are whole, in several frames, cut, and damaged."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import zstandard

from panscript.readers import open_source, read
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


def test_a_whole_frame_has_no_empty_line(tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    path.write_bytes(_packed(PLAIN))

    assert all(line.raw for line in lines(str(path)))
