"""Modules stay short enough to be read in one go."""

from statistics import median

from tests.repository import PACKAGES, ROOT

LONGEST = 800


def test_no_module_is_longer_than_800_lines() -> None:
    lines = {
        path.relative_to(ROOT).as_posix(): path.read_bytes().count(b"\n")
        for folder in (*PACKAGES, "tests")
        for path in (ROOT / folder).rglob("*.py")
    }
    offenders = {path: count for path, count in sorted(lines.items()) if count > LONGEST}
    print(f"{len(lines)} modules, median {median(lines.values()):.0f} lines, longest {max(lines.values())}")
    assert offenders == {}
