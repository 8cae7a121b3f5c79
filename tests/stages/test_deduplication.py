"""The single stages that leave copies out, and files that cannot be read among those that are looked at together."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from panscript.schemas.errors import SourceUnreadable
from panscript.schemas.events import Session
from panscript.schemas.projections import MessageLine, Projection, Told, ToolCallLine, UsageLine
from panscript.schemas.records import SessionFile, Source
from panscript.stages.deduplication import (
    ToldFile,
    copied_sessions,
    dedupe_tool_calls,
    each_once,
    repeated_across_files,
)


def usage(
    session: str, message: str | None = None, second: int = 0, output: int = 1, source: str = "claude"
) -> UsageLine:
    """Tokens of one response."""
    line = UsageLine(
        source=source,
        session_id=session,
        timestamp=f"2026-01-01T10:00:{second:02d}.000Z",
        input_tokens=1,
        output_tokens=output,
        reasoning_tokens=0,
        cache_read_tokens=0,
        cache_write_tokens=0,
        total_tokens=1 + output,
        cost_mode="estimated",
    )
    if message is not None:
        line.message_id, line.request_id = message, f"req-{message}"
    return line


def said(session: str, second: int = 0, source: str = "claude") -> MessageLine:
    """Something said."""
    time = f"2026-01-01T10:00:{second:02d}.000Z"
    return MessageLine(source=source, session_id=session, timestamp=time, role="user", text_length=3)


def call(name: str | None, status: str = "ok", session: str = "s", source: str = "claude") -> ToolCallLine:
    """A call."""
    line = ToolCallLine(source=source, session_id=session, timestamp=None, name="Bash", status=status)  # type: ignore[arg-type]
    if name is not None:
        line.tool_call_id = name
    if status != "unknown":
        line.completed_at = "2026-01-01T10:00:09.000Z"
    return line


def test_repeats_across_files_are_counted_and_within_a_file_they_stay() -> None:
    one, two = usage("s", second=1), usage("s", second=2)
    files: list[list[Projection]] = [[one, one, said("s")], [one, two, said("s")], [one, one, one]]
    assert list(repeated_across_files(files)) == [one, one, said("s"), two, said("s"), one]


def test_a_response_stays_with_the_session_whose_first_event_is_earliest() -> None:
    early, late = said("early", 1), said("late", 2)
    lines: list[Projection] = [
        late,
        usage("late", "m", 5),
        said("late", 6),
        early,
        usage("early", "m", 5),
        usage("late", "n", 7),
    ]
    assert list(copied_sessions(lines)) == [late, said("late", 6), early, usage("early", "m", 5), usage("late", "n", 7)]


def test_agents_and_responses_without_an_id_are_not_mixed() -> None:
    lines: list[Projection] = [usage("a", "m"), usage("b", "m", source="pi"), usage("a"), usage("b")]
    assert list(copied_sessions(lines)) == lines


def test_one_call_an_id_takes_the_first_result_and_calls_without_an_id_stay() -> None:
    lines = [call("c", "unknown"), call(None), call("c", "error"), call("c", "ok"), call(None), call("c", source="pi")]
    found = list(dedupe_tool_calls(lines))
    assert found == [call("c", "error"), call(None), call(None), call("c", source="pi")]


def _file(agent: str, name: str, lines: list[Projection], fails: bool = False) -> ToldFile:
    def read(on_session: Callable[[Session], None]) -> Iterator[Told]:
        on_session(Session(id="session", agent=agent, session_id=name, created=0, modified=1))
        for number, line in enumerate(lines):
            yield Told(line, f"e{number}", number)
        if fails:
            raise SourceUnreadable("it went away", path=name)

    return ToldFile(Source(agent=agent, id=name, files=(SessionFile(name),)), read)


@pytest.mark.parametrize("agent", ["pi", "claude"])
def test_a_file_that_fails_gives_nothing_and_the_others_go_on(agent: str) -> None:
    broken: list[Projection] = [said("a", source=agent)]
    whole: list[Projection] = [said("b", source=agent), usage("b", "m", source=agent)]
    first, second = each_once([_file(agent, "a", broken, fails=True), _file(agent, "b", whole)])
    with pytest.raises(SourceUnreadable):
        next(first)
    assert list(second) == whole


def test_a_file_without_others_of_its_agent_is_streamed() -> None:
    lines: list[Projection] = [said("a")]
    first, _ = each_once([_file("claude", "a", lines, fails=True), _file("pi", "b", [])])
    assert next(first) == lines[0]


def test_nothing_is_read_before_it_is_asked_for() -> None:
    def read(_: Callable[[Session], None]) -> Iterator[Told]:
        pytest.fail("it was read")

    files = [ToldFile(Source(agent=agent, id=name, files=()), read) for agent in ("pi", "claude") for name in "aab"]
    assert len(list(each_once(files))) == 6
