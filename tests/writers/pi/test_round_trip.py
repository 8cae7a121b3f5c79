"""What is written for Pi and read back says the same, but for what Pi cannot hold."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from msgspec.structs import replace

from panscript.readers.opening import open_source, read
from panscript.schemas.errors import CannotConvert
from panscript.schemas.events import (
    AGENT_NOTICE,
    Block,
    Compaction,
    Event,
    File,
    Image,
    Message,
    Session,
    Shell,
    Summary,
    Text,
    Thinking,
    ToolResult,
    Usage,
)
from panscript.schemas.report import FileReport
from panscript.stages.branch import active_branch, main_thread
from panscript.stages.merge import merge
from panscript.stages.normal_form import Item, Said, Title, normal_form
from panscript.stages.pairing import pair
from panscript.stages.pipe import events_of
from panscript.stages.prepare import prepare
from panscript.writers.media import picture
from panscript.writers.options import WriteOptions
from panscript.writers.targets import write
from tests.sessions import SESSIONS, name_of
from tests.strategies import sessions


def as_pi_holds_it(events: Iterable[Event]) -> list[Event]:
    """The session with everything changed that Pi cannot hold. This list is the whole of it:

    * signatures, and thinking that the vendor withheld, are gone;
    * a status that nobody recorded is `ok`;
    * a result with nothing in it says so; a message with nothing in it, and one that the agent made up, are gone;
    * pictures and documents in answers, and pictures that are not in the session, are placeholders;
    * pictures in injected text are gone, and its blocks are one text;
    * a response of nothing but thinking stands at the front of the next answer, else in the import record;
    * a summary stands before what the person says next;
    * a missing model is the last one known;
    * what was made up to answer a call, and what orders a command's lines, is as the stages make it.
    """
    out: list[Event] = []
    waiting: list[Summary] = []
    thoughts: list[tuple[Block, int | None]] = []
    for event in pair(merge(active_branch(main_thread(events)))):
        if isinstance(event, Message):
            held = _message(event)
            if held is None:
                continue
            event = held
            if event.role == "assistant":
                if all(isinstance(block, Thinking) for block in event.content):
                    thoughts.extend((block, event.time) for block in event.content)
                    continue
                event = replace(event, content=(*(block for block, _ in thoughts), *event.content))
                thoughts = []
            elif event.role == "user":
                out.extend(_alone(thoughts))
                out.extend(waiting)
                thoughts, waiting = [], []
        elif isinstance(event, ToolResult):
            blocks: tuple[Block, ...] = _blocks(event.content) or (Text(text="(no output)"),)
            event = replace(event, status="error" if event.status == "error" else "ok", content=blocks)
        elif isinstance(event, Summary) and event.leaf is not None:
            waiting.append(event)
            continue
        elif isinstance(event, Compaction):
            out.extend(_alone(thoughts))
            thoughts = []
        elif isinstance(event, Shell):
            event = replace(event, command=event.command or "", output=event.output or "")
        out.append(event)
    return [*out, *_alone(thoughts), *waiting]


def _alone(thoughts: list[tuple[Block, int | None]]) -> list[Event]:
    """Thinking as it comes back from the import record, without model and tokens."""
    return [Message(id=f"thought:{time}", role="assistant", content=(block,), time=time) for block, time in thoughts]


def _message(event: Message) -> Message | None:
    if event.injected == AGENT_NOTICE:
        return None
    if event.role == "system" and event.injected not in ("task", "orphan_result"):
        text = "\n\n".join(block.text for block in event.content if isinstance(block, Text))
        return replace(event, content=(Text(text=text),)) if text.strip() else None
    blocks = _blocks(event.content, answer=event.role == "assistant")
    return replace(event, content=blocks) if blocks else None


def _blocks(blocks: Iterable[Block], *, answer: bool = False) -> tuple[Block, ...]:
    out: list[Block] = []
    for block in blocks:
        if isinstance(block, Text):
            out.extend([block] if block.text.strip() else [])
        elif isinstance(block, Thinking):
            thought = Thinking(text=block.text) if answer else Text(text=block.text)
            out.extend([thought] if block.text.strip() else [])
        elif isinstance(block, Image):
            found = picture(block)
            if found.lost is not None:
                out.append(Text(text=found.placeholder))
            elif answer:
                out.append(Text(text="[Image left out: an answer cannot hold one]"))
            else:
                out.append(Image(media_type=found.media_type, data=found.data))
        elif isinstance(block, File):
            name = block.name or block.media_type or "document"
            kept = block.data is not None and block.media_type.startswith("text/")
            out.append(Text(text=f"[File: {name}]\n{block.data}" if kept else f"[File left out: {name}]"))
        else:
            out.append(block)
    return tuple(out)


def written(events: Iterable[Event], *, all_branches: bool = False) -> bytes:
    """The session as a Pi file."""
    options = WriteOptions(imported_at=0, importer="panscript test", all_branches=all_branches)
    sink = io.BytesIO()
    write("pi", prepare(events, all_branches=all_branches), sink, options=options)
    return sink.getvalue()


def read_back(data: bytes) -> tuple[list[Event], FileReport]:
    """The events of a Pi file, and the account of reading it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "imported.jsonl"
        path.write_bytes(data)
        report = FileReport(path=str(path))
        return list(events_of(read(open_source(str(path)), report=report))), report


def plain(events: Iterable[Event]) -> list[Item]:
    """The normal form without the title: Pi's session name says where the session came from."""
    return [item for item in normal_form(events) if not isinstance(item, Title)]


def compare(events: list[Event]) -> None:
    """The session comes back from Pi as it went."""
    data = written(events)
    back, report = read_back(data)
    assert report.skipped_lines == 0
    assert report.warnings == []
    assert report.unknown == {}
    expected, found = plain(as_pi_holds_it(events)), plain(back)
    for place, (ours, theirs) in enumerate(zip(expected, found, strict=False)):
        if isinstance(ours, Said) and isinstance(theirs, Said) and ours.role == "assistant":
            expected[place] = replace(ours, model=ours.model or theirs.model)
    assert found == expected


@given(sessions())
def test_a_session_written_for_pi_reads_back_the_same(events: list[Event]) -> None:
    compare(events)


@given(sessions(turns=3))
def test_what_was_read_back_can_be_written_and_read_again(events: list[Event]) -> None:
    once, _ = read_back(written(events))
    again, _ = read_back(written(once))
    assert plain(again) == plain(once)


@given(sessions())
def test_all_branches_are_written_and_the_live_one_reads_back_the_same(events: list[Event]) -> None:
    one, _ = read_back(written(events))
    every, report = read_back(written(events, all_branches=True))
    assert report.warnings == []
    assert plain(every) == plain(one)


@pytest.mark.parametrize("path", SESSIONS, ids=name_of)
def test_every_session_of_the_fixtures_reads_back_the_same(path: Path) -> None:
    source = open_source(str(path))
    try:
        events = list(events_of(read(source)))
        compare(events)
    except CannotConvert:
        assert not any(isinstance(item, Said) for item in normal_form(events))


def test_the_session_says_where_it_was_imported_from() -> None:
    events: list[Event] = [
        Session(id="session", agent="claude", session_id="s", cwd="/home/ana/app", created=1_767_261_600_000),
        Message(id="a", role="user", time=1_767_261_600_000, content=(Text(text="Hello"),)),
    ]
    session = read_back(written(events))[0][0]
    assert isinstance(session, Session)
    assert session.imported_from == "claude"
    assert session.title == "Imported from Claude Code: s"


def test_what_was_imported_is_never_counted_again() -> None:
    path = next(path for path in SESSIONS if "v2.1.328" in str(path))
    back, _ = read_back(written(list(events_of(read(open_source(str(path)))))))
    assert [event for event in back if isinstance(event, Usage)] == []
    assert any(isinstance(event, Message) and event.tokens is not None and event.tokens.total for event in back)
