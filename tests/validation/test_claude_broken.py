"""Transcripts of Claude Code, each broken in one place: the right line, the right code, nothing else."""

from pathlib import Path

import pytest

from tests.validation.files import (
    CLAUDE_COMPACTED,
    CLAUDE_TOOLS,
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

NOBODY = "00000000-0000-4000-8000-00000000dead"

BROKEN: list[tuple[str, str, Edit, Places]] = [
    ("a chain row without a time", CLAUDE_TOOLS, drop(36, "timestamp"), [(36, "schema.missing_field")]),
    ("a time that is none", CLAUDE_TOOLS, put(36, "timestamp", "yesterday"), [(36, "time.unreadable")]),
    ("a row without a message", CLAUDE_TOOLS, drop(36, "message"), [(36, "schema.missing_field")]),
    ("a message that is a text", CLAUDE_TOOLS, put(36, "message", "hi"), [(36, "schema.wrong_type")]),
    ("a role that is none", CLAUDE_TOOLS, put(36, "message.role", "model"), [(36, "schema.wrong_value")]),
    ("a block that is a text", CLAUDE_TOOLS, put(36, "message.content.0", "hi"), [(36, "schema.wrong_type")]),
    (
        "arguments that are a text",
        CLAUDE_TOOLS,
        put(37, "message.content.0.input", "{}"),
        [(37, "schema.wrong_type")],
    ),
    (
        "a token count that is a text",
        CLAUDE_TOOLS,
        put(36, "message.usage.output_tokens", "9"),
        [(36, "schema.wrong_type")],
    ),
    (
        "a token count below zero",
        CLAUDE_TOOLS,
        put(36, "message.usage.output_tokens", -1),
        [(36, "usage.negative")],
    ),
    ("a parent that is not there", CLAUDE_TOOLS, put(36, "parentUuid", NOBODY), [(36, "parent.missing")]),
    (
        "a row that is its own parent",
        CLAUDE_TOOLS,
        put(36, "parentUuid", field(lines_of(CLAUDE_TOOLS), 36, "uuid")),
        [(36, "parent.cycle")],
    ),
    (
        "a circle of parents",
        CLAUDE_TOOLS,
        put(3, "parentUuid", field(lines_of(CLAUDE_TOOLS), 84, "uuid")),
        [(84, "parent.cycle")],
    ),
    ("a row that comes again", CLAUDE_TOOLS, again(84, 85), [(85, "id.repeated")]),
    (
        "a uuid that comes again",
        CLAUDE_TOOLS,
        again(84, 85, timestamp="2026-11-30T23:00:00.000Z"),
        [(85, "id.duplicate")],
    ),
    (
        "a second result",
        CLAUDE_TOOLS,
        again(70, 71, uuid=NOBODY),
        [(71, "result.duplicate")],
    ),
    ("a call id that comes again", CLAUDE_TOOLS, again(69, 70, uuid=NOBODY), [(70, "call.duplicate")]),
    (
        "a result for no call",
        CLAUDE_TOOLS,
        put(70, "message.content.0.tool_use_id", "toolu_nobody"),
        [(69, "call.unanswered"), (70, "result.orphan")],
    ),
    (
        "a result that is gone",
        CLAUDE_TOOLS,
        remove(70),
        [(69, "call.unanswered"), (70, "parent.missing")],
    ),
    (
        "a boundary that follows no row",
        CLAUDE_COMPACTED,
        put(29, "logicalParentUuid", NOBODY),
        [(29, "compaction.pointer")],
    ),
    (
        "thinking without a signature",
        CLAUDE_TOOLS,
        drop(21, "message.content.0.signature"),
        [(21, "thinking.unsigned")],
    ),
]


@pytest.mark.parametrize(("what", "name", "edit", "expected"), BROKEN, ids=[each[0] for each in BROKEN])
def test_the_one_broken_place_is_named(what: str, name: str, edit: Edit, expected: Places, tmp_path: Path) -> None:
    sound = check(tmp_path, "claude", lines_of(name))
    broken = check(tmp_path, "claude", edit(lines_of(name)))
    assert places(sound) == []
    assert places(broken) == expected


def test_what_keeps_the_agent_from_loading_is_an_error_and_what_it_repairs_a_warning(tmp_path: Path) -> None:
    lines = lines_of(CLAUDE_TOOLS)
    refused = check(tmp_path, "claude", drop(36, "timestamp")(lines))
    repaired = check(tmp_path, "claude", put(36, "parentUuid", NOBODY)(lines))
    assert (refused.errors, refused.warnings) == (1, 0)
    assert (repaired.errors, repaired.warnings) == (0, 1)


def test_a_wrong_value_where_the_agent_does_not_look_is_a_warning(tmp_path: Path) -> None:
    lines = lines_of(CLAUDE_TOOLS)
    state = check(tmp_path, "claude", put(87, "totalCostUSD", "much")(lines))
    envelope = check(tmp_path, "claude", put(36, "slug", 5)(lines))
    assert [problem.severity for problem in state.problems + envelope.problems] == ["warning", "warning"]


def test_every_wrong_value_of_a_record_is_named_with_its_path(tmp_path: Path) -> None:
    lines = lines_of(CLAUDE_TOOLS)
    for path, value in (("message.content.0.id", 7), ("message.usage.input_tokens", "1"), ("parentUuid", 5)):
        lines = put(37, path, value)(lines)
    found = check(tmp_path, "claude", drop(37, "timestamp")(lines))
    assert {problem.path for problem in found.problems if problem.line == 37} == {
        "$.message.content[0].id",
        "$.message.usage.input_tokens",
        "$.parentUuid",
        "$.timestamp",
    }


def test_unknown_fields_and_types_are_named_only_when_strict(tmp_path: Path) -> None:
    lines = put(36, "hologram", 1)(lines_of(CLAUDE_TOOLS))
    lines = put(74, "message.content.0.type", "hologram")(lines)
    lines = put(87, "type", "hologram")(lines)
    assert places(check(tmp_path, "claude", lines)) == []
    strict = check(tmp_path, "claude", lines, strict=True)
    assert [(problem.line, problem.code, problem.path) for problem in strict.problems] == [
        (36, "schema.unknown_field", "$.hologram"),
        (74, "schema.unknown_type", "$.message.content[0].type"),
        (87, "schema.unknown_type", "$.type"),
    ]
    assert strict.ok


def test_a_session_of_another_agent_is_not_understood(tmp_path: Path) -> None:
    lines = [b'{"type":"session","version":3,"id":"a","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}']
    assert places(check(tmp_path, "claude", lines)) == [(1, "file.not_understood")]
