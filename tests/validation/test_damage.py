"""Damaged lines: each is named once with its number, and costs no other line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.validation import CODES, VALIDATED, validate
from panscript.readers.validation.problems import MOST_PROBLEMS
from tests.validation.files import CLAUDE_TOOLS, CODEX_OLD, PI_RUN, Edit, Places, check, line, lines_of, places

NAMES = {"claude": CLAUDE_TOOLS, "codex": CODEX_OLD, "pi": PI_RUN}

BROKEN: list[tuple[str, Edit, Places]] = [
    ("text", line(5, lambda raw: b"hello"), [(5, "line.not_json")]),
    ("a cut record", line(5, lambda raw: raw[: len(raw) // 2]), [(5, "line.not_json")]),
    ("a list", line(5, lambda raw: b"[1]"), [(5, "line.not_an_object")]),
    ("null", line(5, lambda raw: b"null"), [(5, "line.not_an_object")]),
    ("NUL bytes before", line(5, lambda raw: b"\0\0" + raw), [(5, "line.padding")]),
    ("NUL bytes behind", line(5, lambda raw: raw + b"\0\0"), [(5, "line.padding")]),
    ("a byte that is no UTF-8", line(5, lambda raw: raw[:-1] + b',"x":"\xff"}'), [(5, "line.not_utf8")]),
    ("half a surrogate pair", line(5, lambda raw: raw[:-1] + b',"x":"\\ud800"}'), [(5, "line.surrogate")]),
    ("not a number", line(5, lambda raw: raw[:-1] + b',"x":NaN}'), [(5, "line.number")]),
    ("nesting without end", line(5, lambda raw: b'{"x":' * 100_000), [(5, "line.not_json")]),
]


def _without_consequences(found: Places) -> Places:
    """What follows from a lost record elsewhere in the file is not asked about here."""
    return [place for place in found if place[1] not in ("parent.missing", "call.unanswered", "result.orphan")]


@pytest.mark.parametrize("agent", NAMES)
@pytest.mark.parametrize(("what", "edit", "expected"), BROKEN, ids=[each[0] for each in BROKEN])
def test_a_damaged_line_is_named_once(agent: str, what: str, edit: Edit, expected: Places, tmp_path: Path) -> None:
    found = check(tmp_path, agent, edit(lines_of(NAMES[agent])))
    assert _without_consequences(places(found)) == expected


@pytest.mark.parametrize("agent", NAMES)
def test_a_torn_last_record_is_told_from_other_damage(agent: str, tmp_path: Path) -> None:
    lines = lines_of(NAMES[agent])
    lines[-1] = lines[-1][:-5]
    assert places(check(tmp_path, agent, lines, end=b"")) == [(len(lines), "line.torn")]


@pytest.mark.parametrize("agent", NAMES)
def test_a_complete_record_behind_a_torn_one_is_read(agent: str, tmp_path: Path) -> None:
    lines = lines_of(NAMES[agent])
    glued = [*lines[:-2], lines[-2][:-20] + lines[-1]]
    found = check(tmp_path, agent, glued)
    assert (len(glued), "line.glued") in places(found)
    assert found.records == len(lines) - 1


@pytest.mark.parametrize("agent", NAMES)
def test_two_records_on_one_line_are_both_checked(agent: str, tmp_path: Path) -> None:
    lines = lines_of(NAMES[agent])
    found = check(tmp_path, agent, [*lines[:-2], lines[-2] + lines[-1]])
    assert places(found) == [(len(lines) - 1, "line.several_records")]
    assert found.ok
    assert found.records == len(lines)


@pytest.mark.parametrize("agent", NAMES)
def test_blank_lines_line_ends_of_windows_and_a_missing_last_line_end_are_no_problem(
    agent: str, tmp_path: Path
) -> None:
    lines = lines_of(NAMES[agent])
    assert places(check(tmp_path, agent, [lines[0], b"", b"  ", b"\0\0", *lines[1:]])) == []
    assert places(check(tmp_path, agent, [raw + b"\r" for raw in lines])) == []
    assert places(check(tmp_path, agent, lines, end=b"")) == []


@pytest.mark.parametrize(("agent", "severity"), [("claude", "warning"), ("codex", "error"), ("pi", "error")])
def test_a_byte_order_mark_is_an_error_where_the_agent_refuses_the_file(
    agent: str, severity: str, tmp_path: Path
) -> None:
    lines = lines_of(NAMES[agent])
    (problem,) = check(tmp_path, agent, [b"\xef\xbb\xbf" + lines[0], *lines[1:]]).problems
    assert (problem.line, problem.code, problem.severity) == (1, "line.bom", severity)


@pytest.mark.parametrize("agent", NAMES)
def test_an_empty_file_has_nothing_in_it(agent: str, tmp_path: Path) -> None:
    assert (1, "file.empty") in places(check(tmp_path, agent, [], end=b""))
    assert (1, "file.empty") in places(check(tmp_path, agent, [b"", b" "]))


def test_a_file_without_end_of_problems_lists_some_and_counts_all(tmp_path: Path) -> None:
    found = check(tmp_path, "claude", [b"x"] * (MOST_PROBLEMS + 500))
    assert found.errors == MOST_PROBLEMS + 501  # and nothing was understood
    assert len(found.problems) == MOST_PROBLEMS + 1
    assert found.problems[-1].code == "file.more"


def test_every_code_has_a_sentence() -> None:
    assert all(code.sentence.endswith(".") and len(code.sentence) > 20 for code in CODES.values())


ROWS = st.sampled_from([raw for name in NAMES.values() for raw in lines_of(name)[:40]])


@st.composite
def _damaged(draw: st.DrawFn) -> bytes:
    raw = bytearray(draw(ROWS))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(raw)))
        raw[at : at + draw(st.integers(0, 6))] = draw(st.binary(max_size=4))
    return bytes(raw)


@pytest.mark.parametrize("agent", VALIDATED)
@given(lines=st.lists(st.one_of(st.binary(max_size=60), _damaged()), max_size=8), strict=st.booleans())
def test_no_bytes_make_validation_raise(
    agent: str, lines: list[bytes], strict: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"{agent}.jsonl"
    content = b"\n".join(lines)
    path.write_bytes(content)
    found = validate(str(path), agent, strict=strict)
    most = content.count(b"\n") + 1
    assert all(problem.line is None or 1 <= problem.line <= most for problem in found.problems)
    assert all(problem.code in CODES for problem in found.problems)
    assert found.errors + found.warnings == len(found.problems)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def _swapped(draw: st.DrawFn) -> bytes:
    """A row in which some values are of any type at all."""
    import json

    row = json.loads(draw(ROWS))
    for _ in range(draw(st.integers(1, 3))):
        target = row
        while isinstance(target, dict) and target:
            key = draw(st.sampled_from(sorted(target)))
            inner = target[key]
            if isinstance(inner, list) and inner and isinstance(inner[0], dict):
                inner = inner[0]
            if not isinstance(inner, dict) or not inner or draw(st.booleans()):
                target[key] = draw(JSON)
                break
            target = inner
    return json.dumps(row).encode()


@pytest.mark.parametrize("agent", VALIDATED)
@given(rows=st.lists(_swapped(), min_size=1, max_size=6), strict=st.booleans())
def test_no_values_make_validation_raise(
    agent: str, rows: list[bytes], strict: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"{agent}.jsonl"
    path.write_bytes(b"\n".join(rows))
    found = validate(str(path), agent, strict=strict)
    assert all(problem.line is None or 1 <= problem.line <= len(rows) for problem in found.problems)
    assert found.records <= len(rows)
