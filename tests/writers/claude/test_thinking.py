"""Thinking in a Claude Code transcript: what its vendor signed stands in it, all else in the import record."""

from __future__ import annotations

import pytest

from panscript.schemas.events import Block, Event, Message, Session, Thinking, Tokens
from panscript.schemas.record_names import LONGEST_TEXT
from panscript.stages.normal_form import Said, normal_form
from tests.builders import answer, asked, result, session, spoken
from tests.writers.claude.written import Written, signed
from tests.writers.round_trip import read_back, written

CODEX = session(agent="codex")


def _thought(text: str, **more: str) -> Thinking:
    return Thinking(text=text, **more)  # type: ignore[arg-type]


def _back(*events: Event, first: Session = CODEX) -> list[Said]:
    back, _ = read_back(written([first, *events], "claude"))
    return [item for item in normal_form(back) if isinstance(item, Said)]


def _blocks(*events: Event) -> list[str]:
    """The parts of the last answer as they come back."""
    (said,) = [item for item in _back(*events) if item.role == "assistant"]
    return [getattr(part, "text", None) or type(part).__name__ for part in said.parts]


def test_unsigned_thinking_never_stands_in_a_row() -> None:
    out = Written([spoken("u"), answer("a", _thought("deep"), "x")])
    assert b'"thinking":"deep"' not in out.bytes
    assert out.kinds == ["user", "text"]
    assert out.listed("thinking") == [{"entry": out.rows[1]["uuid"], "index": 0, "text": "deep"}]
    assert out.report.changed["thinking_recorded"] == 1
    assert out.report.kept["thinking"] == 1
    assert out.report.lost == {}


@pytest.mark.parametrize(
    "blocks",
    [
        (_thought("1"), "a"),
        ("a", _thought("1")),
        ("a", _thought("1"), "b"),
        (_thought("1"), _thought("2"), "a", _thought("3"), _thought("4")),
        (_thought("1"), "a", _thought("2"), "b", _thought("3"), "c"),
        ("a", _thought("1"), _thought("2"), asked("c", "Tool")),
    ],
)
def test_it_comes_back_in_its_place(blocks: tuple[Block | str, ...]) -> None:
    ends = [result("r", "c")] if any(not isinstance(b, str | Thinking) for b in blocks) else []
    expected = [b if isinstance(b, str) else getattr(b, "text", None) or "Call" for b in blocks]
    found = _blocks(spoken("u"), answer("a", *blocks), *ends)
    assert len(found) == len(expected)
    assert [one for one, other in zip(found, expected, strict=True) if other != "Call"] == [
        text for text in expected if text != "Call"
    ]


def test_long_thinking_comes_back_whole() -> None:
    long = "".join(chr(97 + n % 26) for n in range(3 * LONGEST_TEXT + 17))
    out = Written([spoken("u"), answer("a", _thought(long), "x", _thought(long[::-1]))])
    assert len(out.listed("thinking")) == 8
    assert _blocks(spoken("u"), answer("a", _thought(long), "x", _thought(long[::-1]))) == [long, "x", long[::-1]]


@pytest.mark.parametrize("length", [LONGEST_TEXT, 2 * LONGEST_TEXT])
def test_thoughts_of_just_the_longest_length_stay_apart(length: int) -> None:
    one, two = "a" * length, "b" * length
    assert _blocks(spoken("u"), answer("a", _thought(one), _thought(two), "x")) == [one, two, "x"]


def test_the_thinking_of_many_answers_takes_several_parts_of_the_record() -> None:
    events = [answer(f"a{n}", _thought(f"{n}" * 40_000), "x", seconds=n) for n in range(30)]
    out = Written([spoken("u"), *events])
    assert len(out.parts) > 1
    assert max(map(len, out.bytes.splitlines())) < 1_000_000
    found = [getattr(item.parts[0], "text", "") for item in _back(spoken("u"), *events) if item.role == "assistant"]
    assert found == [f"{n}" * 40_000 for n in range(30)]


def test_an_answer_of_nothing_else_waits_for_the_next_one() -> None:
    out = Written([spoken("u"), answer("a", _thought("first")), answer("b", _thought("second"), "x")])
    assert out.kinds == ["user", "text"]
    assert [(t["index"], t["text"]) for t in out.listed("thinking")] == [(0, "first"), (1, "second")]


def test_when_somebody_speaks_first_it_stands_among_the_texts_of_the_record() -> None:
    out = Written([spoken("u"), answer("a", _thought("late"), tokens=Tokens(output=4, total=4)), spoken("v")])
    assert out.kinds == ["user", "user"]
    assert out.context == [("thinking", "late")]
    assert out.parts[-1]["usageTotals"]["all"]["tokens"]["output"] == 4


def test_what_the_vendor_signed_is_written_unchanged() -> None:
    event = answer("a", _thought("deep", signature="c2ln"), "x", signer="anthropic")
    out = Written([spoken("u"), event])
    assert out.said[1:] == [[signed()], [{"type": "text", "text": "x"}]]
    assert out.listed("thinking") == []
    assert out.report.lost == {}


@pytest.mark.parametrize("signer", [None, "openai", "Anthropic"])
def test_the_signature_of_anybody_else_is_dropped_and_the_text_recorded(signer: str | None) -> None:
    event = answer("a", _thought("deep", signature="c2ln"), "x", signer=signer, provider="anthropic")
    out = Written([spoken("u"), event])
    assert b"c2ln" not in out.bytes
    assert out.kinds == ["user", "text"]
    assert [t["text"] for t in out.listed("thinking")] == ["deep"]
    assert out.report.lost == {"signature_dropped": 1}


def test_withheld_thinking_is_kept_for_its_vendor_alone() -> None:
    sealed = Thinking(signature="ENC", redacted=True)
    out = Written([spoken("u"), answer("a", sealed, "x", signer="anthropic")])
    assert out.said[1] == [{"type": "redacted_thinking", "data": "ENC"}]
    out = Written([spoken("u"), answer("a", sealed, "x")])
    assert b"ENC" not in out.bytes
    assert out.report.lost == {"redacted_thinking": 1}


def test_an_answer_of_signed_thinking_alone_is_an_answer() -> None:
    out = Written([spoken("u"), answer("a", _thought("deep", signature="c2ln"), signer="anthropic")])
    assert out.said[1] == [signed()]
    assert out.report.kept["assistant_message"] == 1


def test_signed_and_unsigned_thinking_of_one_answer_keep_their_order() -> None:
    event: Message = answer("a", _thought("1"), _thought("2", signature="c2ln"), _thought("3"), "x", signer="anthropic")
    out = Written([spoken("u"), event])
    assert out.kinds == ["user", "thinking", "text"]
    back = [item for item in _back(spoken("u"), event, first=session()) if item.role == "assistant"]
    assert [getattr(part, "text", "") for part in back[0].parts] == ["1", "2", "3", "x"]
