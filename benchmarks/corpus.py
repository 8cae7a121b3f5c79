"""Large synthetic sessions to measure with: one Claude Code session file and one Codex rollout a size.

Rows have the fields and the order of those that the agents write. All values come from one seeded generator, so a
size gives the same bytes everywhere. The live conversation spans the whole file (no compaction, no dead branch):
every byte is work for a conversion.

`python benchmarks/corpus.py --sizes 10M,100M --check` writes the files that are not there yet and says how their
rows are distributed; it exits 1 if one is not as real sessions are.
"""

import argparse
import hashlib
import sys
from pathlib import Path

import msgspec
from corpus_claude import ClaudeSession
from corpus_codex import CodexSession
from texts import SECRET_MARKS, Texts

__all__ = ["CACHE", "Corpus", "load", "write"]

HERE = Path(__file__).resolve().parent
CACHE = HERE / ".cache"
SEED = 20260301
LONGEST = 2_000_000
"""Bytes of the longest row, about: one in the first half of a file, then one every 100 MB. Files below 100 MB get a
shorter one, so that it has the same share of the bytes at every size."""
SESSIONS: dict[str, type[ClaudeSession] | type[CodexSession]] = {"claude": ClaudeSession, "codex": CodexSession}


class Corpus(msgspec.Struct, frozen=True):
    """A generated file and the shape of its rows: lengths in bytes, shares of the rows from 0 to 1."""

    agent: str
    path: str
    generator: str
    bytes: int
    records: int
    longest: int
    median: int
    mean: int
    p90: int
    p99: int
    non_ascii: float
    escape_heavy: float
    rows_per_secret: float

    def problems(self) -> list[str]:
        """Say which figures are not those of real sessions."""
        planted = min(LONGEST, self.bytes // 50)
        bounds = {"median": (700, 1_400), "mean": (3_000, 5_500), "longest": (0.9 * planted, 1.1 * LONGEST),
                  "non_ascii": (0.12, 0.18), "escape_heavy": (0.16, 0.24), "rows_per_secret": (300, 900)}  # fmt: skip
        found = [(name, getattr(self, name), low, high) for name, (low, high) in bounds.items()]
        return [f"{name} {value:.4g} is not in {low:g} to {high:g}" for name, value, low, high in found
                if not low <= value <= high]  # fmt: skip


def megabytes(size: str) -> int:
    """Return the bytes of a size such as `10M` or `2G` (powers of ten)."""
    return int(size[:-1]) * {"M": 10**6, "G": 10**9}[size[-1]]


def _stamp(agent: str, size: str) -> Path:
    return CACHE / size / f"{agent}.json"


def load(agent: str, size: str) -> Corpus:
    """Return what `write` noted about a file."""
    return msgspec.json.decode(_stamp(agent, size).read_bytes(), type=Corpus)


def write(agent: str, size: str) -> Corpus:
    """Write the session of that agent and size unless this very generator has written it already."""
    sources = sorted([*HERE.glob("corpus*.py"), HERE / "texts.py"])
    generator = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    stamp = _stamp(agent, size)
    if stamp.exists() and load(agent, size).generator == generator:
        return load(agent, size)
    session = SESSIONS[agent](Texts(SEED))
    path = stamp.parent / agent / session.file_name
    path.parent.mkdir(parents=True, exist_ok=True)
    (CACHE / ".gitignore").write_text("*\n")
    target, written, next_longest = megabytes(size), 0, min(megabytes(size) // 3, 30 * 10**6)
    longest = min(LONGEST, target // 50)
    with path.open("wb") as file:
        while written < target:
            due = written >= next_longest
            next_longest += 10**8 if due else 0
            for row in session.turn(longest if due else 0):
                written += file.write(msgspec.json.encode(row) + b"\n")
    corpus = measure_rows(agent, path, generator)
    stamp.write_bytes(msgspec.json.encode(corpus))
    return corpus


def measure_rows(agent: str, path: Path, generator: str) -> Corpus:
    """Read the file back, every row as JSON, and return its shape."""
    lengths: list[int] = []
    non_ascii = escape_heavy = secrets = 0
    decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
    with path.open("rb") as file:
        for line in file:
            decode(line)
            lengths.append(len(line))
            non_ascii += not line.isascii()
            escape_heavy += line.count(b"\\") * 50 > len(line)
            secrets += any(mark in line for mark in SECRET_MARKS)
    lengths.sort()
    count, total = len(lengths), sum(lengths)
    return Corpus(
        agent, str(path), generator, total, count, lengths[-1], lengths[count // 2], total // count,
        lengths[count * 9 // 10], lengths[count * 99 // 100],
        non_ascii / count, escape_heavy / count, count / max(secrets, 1),
    )  # fmt: skip


def main() -> int:
    """Write the corpora, print their shape."""
    parser = argparse.ArgumentParser(description="Write the sessions the benchmarks read.")
    parser.add_argument("--sizes", default="10M,100M", help="10M, 100M, 2G ...; separated by commas")
    parser.add_argument("--check", action="store_true", help="exit 1 if a file is not as real sessions are")
    options = parser.parse_args()
    print("size   agent      rows  median   mean     p90     p99  longest  non-ascii  escapes  rows a secret")
    problems = []
    for size in options.sizes.split(","):
        for agent in SESSIONS:
            c = write(agent, size)
            print(f"{size:<6} {agent:<7} {c.records:>7} {c.median:>7} {c.mean:>6} {c.p90:>7} {c.p99:>7} {c.longest:>8}"
                  f" {c.non_ascii:>10.1%} {c.escape_heavy:>8.1%} {c.rows_per_secret:>14.0f}")  # fmt: skip
            problems += [f"{size} {agent}: {problem}" for problem in c.problems()]
    print("\n".join(problems))
    return 1 if options.check and problems else 0


if __name__ == "__main__":
    sys.exit(main())
