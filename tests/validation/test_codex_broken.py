"""Rollouts of Codex, each broken in one place: the right line, the right code, nothing else."""

from pathlib import Path

import pytest

from tests.validation.files import (
    CODEX_OLD,
    CODEX_PAGINATED,
    CODEX_REVERTED,
    Edit,
    Places,
    again,
    check,
    drop,
    lines_of,
    places,
    put,
    remove,
)

REQUIRED = ("id", "timestamp", "cwd", "originator", "cli_version")

BROKEN: list[tuple[str, str, Edit, Places]] = [
    ("no first line", CODEX_OLD, remove(1), [(1, "header.missing")]),
    ("an id that is no UUID", CODEX_OLD, put(1, "payload.id", "main"), [(1, "header.id")]),
    ("a line without a time", CODEX_OLD, drop(10, "timestamp"), [(10, "schema.missing_field")]),
    ("a time that is none", CODEX_OLD, put(10, "timestamp", "yesterday"), [(10, "time.unreadable")]),
    ("a time before the others", CODEX_OLD, put(40, "timestamp", "2026-01-01T00:00:00.000Z"), [(40, "time.backwards")]),
    ("a payload that is a text", CODEX_OLD, put(32, "payload", "hi"), [(32, "schema.wrong_type")]),
    ("a payload that is gone", CODEX_OLD, drop(32, "payload"), [(32, "schema.missing_field")]),
    ("a message without a role", CODEX_OLD, drop(32, "payload.role"), [(32, "schema.missing_field")]),
    (
        "an output that is an object",
        CODEX_OLD,
        put(12, "payload.output", {"content": "x", "success": True}),
        [(12, "schema.wrong_type")],
    ),
    (
        "arguments that are an object",
        CODEX_OLD,
        put(11, "payload.arguments", {"command": []}),
        [(11, "schema.wrong_type")],
    ),
    (
        "an output for no call",
        CODEX_OLD,
        put(12, "payload.call_id", "nobody"),
        [(11, "call.unanswered"), (12, "result.orphan")],
    ),
    ("a call without an output", CODEX_OLD, remove(12), [(11, "call.unanswered")]),
    ("a second output", CODEX_OLD, again(12, 13), [(13, "result.duplicate")]),
    ("a call that comes again", CODEX_OLD, again(11, 12), [(12, "call.duplicate")]),
    (
        "a count below zero",
        CODEX_OLD,
        put(31, "payload.info.last_token_usage.output_tokens", -5),
        [(31, "usage.negative")],
    ),
    (
        "more cached than read",
        CODEX_PAGINATED,
        put(14, "payload.usage.cached_input_tokens", 10**9),
        [(14, "usage.part_exceeds_whole")],
    ),
    ("an ordinal that is gone", CODEX_PAGINATED, drop(9, "ordinal"), [(9, "ordinal.missing")]),
    ("a line that is gone", CODEX_PAGINATED, remove(9), [(9, "ordinal.order")]),
    (
        "an ordinal that is a text",
        CODEX_PAGINATED,
        put(9, "ordinal", "8"),
        [(9, "schema.wrong_type"), (10, "ordinal.order")],
    ),
    (
        "a history that ends elsewhere",
        CODEX_REVERTED,
        put(1, "payload.history_base.end_ordinal_exclusive", 12),
        [(1, "ordinal.start")],
    ),
    ("an ordinal without pages", CODEX_OLD, put(9, "ordinal", 8), [(9, "ordinal.unexpected")]),
]


@pytest.mark.parametrize("key", REQUIRED)
def test_a_first_line_without_one_of_its_keys_is_an_error(key: str, tmp_path: Path) -> None:
    found = check(tmp_path, "codex", drop(1, f"payload.{key}")(lines_of(CODEX_OLD)))
    assert [(problem.line, problem.code, problem.path) for problem in found.problems] == [
        (1, "schema.missing_field", f"$.payload.{key}")
    ]
    assert not found.ok


@pytest.mark.parametrize(("what", "name", "edit", "expected"), BROKEN, ids=[each[0] for each in BROKEN])
def test_the_one_broken_place_is_named(what: str, name: str, edit: Edit, expected: Places, tmp_path: Path) -> None:
    sound = check(tmp_path, "codex", lines_of(name))
    broken = check(tmp_path, "codex", edit(lines_of(name)))
    assert places(sound) == []
    assert places(broken) == expected


def test_a_wrong_value_in_a_line_that_only_the_display_needs_is_a_warning(tmp_path: Path) -> None:
    found = check(tmp_path, "codex", put(2, "payload.started_at", "noon")(lines_of(CODEX_PAGINATED)))
    assert [(problem.code, problem.severity) for problem in found.problems] == [("schema.wrong_type", "warning")]


def test_unknown_fields_and_types_are_named_only_when_strict(tmp_path: Path) -> None:
    lines = put(9, "payload.hologram", 1)(lines_of(CODEX_OLD))
    lines = put(10, "payload.type", "hologram")(lines)
    lines = put(13, "type", "hologram")(lines)
    assert places(check(tmp_path, "codex", lines)) == []
    strict = check(tmp_path, "codex", lines, strict=True)
    assert places(strict) == [(9, "schema.unknown_field"), (10, "schema.unknown_type"), (13, "schema.unknown_type")]
    assert strict.ok


def test_a_line_of_unknown_type_first_is_a_missing_header_but_no_reason_to_stop(tmp_path: Path) -> None:
    lines = put(10, "payload", 5)(lines_of(CODEX_OLD))
    assert places(check(tmp_path, "codex", remove(1)(lines))) == [(1, "header.missing"), (9, "schema.wrong_type")]
