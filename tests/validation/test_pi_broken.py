"""Session files of Pi, each broken in one place: the right line, the right code, nothing else."""

from pathlib import Path

import pytest

from tests.validation.files import (
    PI_COMPACTED,
    PI_RUN,
    PI_TREE,
    PI_V1,
    Edit,
    Places,
    again,
    check,
    drop,
    field,
    lines_of,
    places,
    put,
    remove,
)

BROKEN: list[tuple[str, str, Edit, Places]] = [
    ("no header", PI_RUN, remove(1), [(1, "header.missing")]),
    ("a header without an id", PI_RUN, drop(1, "id"), [(1, "schema.missing_field")]),
    ("a header that comes again", PI_RUN, again(1, 9), [(9, "header.repeated")]),
    ("an entry without an id", PI_RUN, drop(15, "id"), [(15, "id.missing")]),
    ("an entry that names no parent", PI_RUN, drop(15, "parentId"), [(15, "schema.missing_field")]),
    ("a parent that is not there", PI_RUN, put(15, "parentId", "0badf00d"), [(15, "parent.missing")]),
    (
        "a circle of parents",
        PI_RUN,
        put(2, "parentId", field(lines_of(PI_RUN), 13, "id")),
        [(13, "parent.cycle")],
    ),
    ("an id that comes again", PI_RUN, again(15, 16, name="other"), [(16, "id.duplicate")]),
    ("an entry that comes again", PI_RUN, again(15, 16), [(16, "id.repeated")]),
    ("a message without usage", PI_RUN, drop(14, "message.usage"), [(14, "schema.missing_field")]),
    ("usage without a price", PI_RUN, drop(14, "message.usage.cost"), [(14, "schema.missing_field")]),
    ("a count below zero", PI_RUN, put(14, "message.usage.input", -3), [(14, "usage.negative")]),
    ("a price below zero", PI_RUN, put(14, "message.usage.cost.total", -0.5), [(14, "usage.negative")]),
    ("an answer that is a text", PI_RUN, put(14, "message.content", "hi"), [(14, "schema.wrong_type")]),
    ("content that is null", PI_RUN, put(13, "message.content", None), [(13, "schema.wrong_type")]),
    (
        "arguments that are a text",
        PI_RUN,
        put(9, "message.content.1.arguments", "{}"),
        [(9, "schema.wrong_type")],
    ),
    (
        "a name that providers refuse",
        PI_RUN,
        put(9, "message.content.1.name", "mcp__x__do.it"),
        [(9, "call.name")],
    ),
    (
        "a result for no call",
        PI_RUN,
        put(10, "message.toolCallId", "nobody"),
        [(9, "call.unanswered"), (10, "result.orphan")],
    ),
    (
        "a second result",
        PI_COMPACTED,
        again(6, 8, id="0badf00d", parentId=field(lines_of(PI_COMPACTED), 7, "id")),
        [(8, "result.duplicate")],
    ),
    (
        "something said before the result",
        PI_COMPACTED,
        put(6, "parentId", field(lines_of(PI_COMPACTED), 4, "id")),
        [(6, "result.misplaced")],
    ),
    ("a time that is none", PI_RUN, put(15, "timestamp", "yesterday"), [(15, "time.unreadable")]),
    ("a time before the others", PI_RUN, put(15, "timestamp", "2026-01-01T00:00:00.000Z"), [(15, "time.backwards")]),
    (
        "a compaction that keeps nobody",
        PI_COMPACTED,
        put(10, "firstKeptEntryId", "0badf00d"),
        [(10, "compaction.pointer")],
    ),
    (
        "a compaction that keeps what comes later",
        PI_V1,
        put(7, "firstKeptEntryIndex", 99),
        [(7, "compaction.pointer")],
    ),
    ("a label of nobody", PI_TREE, put(6, "targetId", "0badf00d"), [(6, "reference.missing")]),
    (
        "a signature that is no JSON",
        PI_COMPACTED,
        lambda lines: put(5, "message.api", "openai-responses")(
            put(5, "message.content.0.thinkingSignature", "opaque")(lines)
        ),
        [(5, "signature.not_json")],
    ),
]


@pytest.mark.parametrize(("what", "name", "edit", "expected"), BROKEN, ids=[each[0] for each in BROKEN])
def test_the_one_broken_place_is_named(what: str, name: str, edit: Edit, expected: Places, tmp_path: Path) -> None:
    sound = check(tmp_path, "pi", lines_of(name))
    broken = check(tmp_path, "pi", edit(lines_of(name)))
    assert places(sound) == []
    assert places(broken) == expected


def test_a_result_with_an_answer_between_it_and_its_call_is_misplaced(tmp_path: Path) -> None:
    lines = lines_of(PI_RUN)
    lines = put(10, "parentId", field(lines, 11, "id"))(lines)
    lines = put(11, "parentId", field(lines, 9, "id"))(lines)
    lines[9], lines[10] = lines[10], lines[9]
    lines = put(12, "parentId", field(lines, 11, "id"))(lines)
    found = [place for place in places(check(tmp_path, "pi", lines)) if place[1] != "time.backwards"]
    assert found == [(11, "result.misplaced")]


def test_a_file_of_version_1_needs_no_ids_and_its_calls_are_paired_in_file_order(tmp_path: Path) -> None:
    lines = lines_of(PI_V1)
    assert places(check(tmp_path, "pi", lines)) == []
    assert places(check(tmp_path, "pi", remove(3)(lines))) == [(3, "result.orphan")]


def test_a_missing_parent_is_an_error_since_everything_before_it_is_lost(tmp_path: Path) -> None:
    assert not check(tmp_path, "pi", put(15, "parentId", "0badf00d")(lines_of(PI_RUN))).ok


def test_a_title_before_the_header_is_allowed_and_must_fill_its_slot(tmp_path: Path) -> None:
    start = b'{"type":"title","v":1,"title":"Lighthouse","updatedAt":"2026-01-01T00:00:00.000Z","pad":"'
    full = start + b" " * (255 - len(start) - 2) + b'"}'
    assert places(check(tmp_path, "pi", [full, *lines_of(PI_RUN)])) == []
    assert places(check(tmp_path, "pi", [start + b'"}', *lines_of(PI_RUN)])) == [(1, "header.slot")]


def test_unknown_fields_and_types_are_named_only_when_strict(tmp_path: Path) -> None:
    lines = put(14, "message.hologram", 1)(lines_of(PI_RUN))
    lines = put(13, "message.content.0.type", "hologram")(lines)
    lines = put(15, "type", "hologram")(lines)
    assert places(check(tmp_path, "pi", lines)) == []
    strict = check(tmp_path, "pi", lines, strict=True)
    assert places(strict) == [(13, "schema.unknown_type"), (14, "schema.unknown_field"), (15, "schema.unknown_type")]
    assert strict.ok
