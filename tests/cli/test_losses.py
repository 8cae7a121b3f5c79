"""What was lost, in words that stand within a sentence."""

from __future__ import annotations

from panscript.cli.losses import by_design, content, thing
from panscript.schemas.diagnostics import CODES
from panscript.schemas.plural import times
from panscript.schemas.report import FileReport


def _accounts() -> list[FileReport]:
    files = [FileReport(path="a"), FileReport(path="b")]
    for file in files:
        file.lose("branch", 2)
        file.lose("damaged_line", 1000)
    files[0].lose("usage_record")
    return files


def test_losses_are_summed_and_told_apart() -> None:
    assert content(_accounts()) == "lost: 2,000 x line of the source that could not be read"
    assert by_design(_accounts()) == "left out by design: 4 x branch, 1 x usage_record (--report says all)"
    assert content([]) is None
    assert by_design([FileReport(path="a")]) is None


def test_what_a_code_counts_stands_within_a_sentence() -> None:
    for code, known in CODES.items():
        said = thing(code)
        assert said[0].islower() or said[:2].isupper(), said
        assert not said.endswith(".")
        assert said.split(" ", 1)[-1] in known.sentence
    assert thing("of another version") == "of another version"


def test_one_thing_is_one() -> None:
    assert [times(number, "entry names", "entries name") for number in (0, 1, 2000)] == [
        "0 entries name",
        "1 entry names",
        "2,000 entries name",
    ]
