"""Writing a session for a target and reading it back: what the tests of every writer share.

What a target cannot hold is said once, in `held`: a session that went through the target must say that and nothing
else.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from panscript.readers.opening import open_source, read
from panscript.schemas.events import (
    AGENT_NOTICE,
    TASK,
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
from panscript.writers.targets import write, writer

__all__ = ["TARGETS", "Target", "compare", "held", "plain", "read_back", "written"]

_Waiting = list[tuple[Block, int | None]]


@dataclass(frozen=True)
class Target:
    """What a target holds, where targets differ."""

    agent: str
    signer: str | None = None
    """The vendor whose signatures are kept."""
    thinks_alone: bool = False
    """An answer of nothing but thinking is an answer."""
    summaries_wait: bool = False
    """A summary stands before what the person says next."""
    documents: frozenset[str] = frozenset()
    """Media types of documents that are held."""


_ALONE = "thought:"
TARGETS = {
    target.agent: target
    for target in (
        Target("pi", summaries_wait=True),
        Target("codex", signer="openai", thinks_alone=True),
        Target(
            "claude",
            signer="anthropic",
            documents=frozenset({"application/pdf", "text/plain"}),
        ),
    )
}
"""Every target with a writer of its own."""


def held(events: Iterable[Event], target: Target) -> list[Event]:
    """The session with everything changed that the target cannot hold. This is the whole of it:

    * signatures that are not the target's own, and thinking that another vendor withheld, are gone;
    * a status that nobody recorded is `ok`;
    * a result with nothing in it says so; a message with nothing in it, and one that the agent made up, are gone;
    * pictures and documents in answers, and pictures that are not in the session, are placeholders;
    * pictures in injected text are gone, and its blocks are one text;
    * a response of nothing but thinking stands at the front of the next answer, else in the import record, and what a
      compaction keeps begins behind it;
    * a summary stands before what the person says next (Pi);
    * a missing model is the last one known;
    * what was made up to answer a call, and what orders a command's lines, is as the stages make it.
    """
    return list(_Held(target).all(events))


class _Held:
    def __init__(self, target: Target) -> None:
        self._target = target
        self._session: Session | None = None
        self._waiting: list[Summary] = []
        self._thoughts: _Waiting = []
        self._moved: list[str] = []
        """Answers that are no events of their own any more and have none after them yet."""
        self._next: dict[str, str] = {}
        """Such an answer -> the event after it."""

    def all(self, events: Iterable[Event]) -> Iterator[Event]:
        """The whole session."""
        for event in pair(merge(active_branch(main_thread(events)))):
            if isinstance(event, Session):
                self._session = event
            for found in self._event(event):
                if _is_own(found):
                    self._next.update(dict.fromkeys(self._moved, found.id))
                    self._moved.clear()
                yield found
        yield from _alone(self._thoughts)
        yield from self._waiting

    def _event(self, event: Event) -> Iterator[Event]:
        target = self._target
        if isinstance(event, Message):
            found = self._message(event)
            if found is None:
                return
            event = found
            if event.role == "assistant" and not target.thinks_alone:
                unsigned = [b for b in event.content if isinstance(b, Thinking) and b.signature is None]
                if len(unsigned) == len(event.content):
                    self._thoughts.extend((block, event.time) for block in unsigned)
                    self._moved.append(event.id)
                    return
                event = replace(event, content=(*(block for block, _ in self._thoughts), *event.content))
                self._thoughts = []
            elif event.role == "user" or event.injected == TASK:
                yield from self._flushed()
        elif isinstance(event, ToolResult):
            blocks: tuple[Block, ...] = self._blocks(event.content) or (Text(text="(no output)"),)
            event = replace(event, status="error" if event.status == "error" else "ok", content=blocks)
        elif isinstance(event, Summary):
            if event.leaf is not None and target.summaries_wait:
                self._waiting.append(event)
                return
            # In the record it stands beside the conversation.
            event = replace(event, leaf=None)
        elif isinstance(event, Compaction):
            yield from _alone(self._thoughts)
            self._thoughts = []
            event = replace(event, first_kept=self._next.get(event.first_kept or "", event.first_kept))
        elif isinstance(event, Shell):
            event = replace(event, command=event.command or "", output=event.output or "")
        yield event

    def _flushed(self) -> Iterator[Event]:
        yield from _alone(self._thoughts)
        yield from self._waiting
        self._thoughts, self._waiting = [], []

    def _message(self, event: Message) -> Message | None:
        if event.injected == AGENT_NOTICE:
            return None
        if event.role == "system" and event.injected not in (TASK, "orphan_result"):
            text = "\n\n".join(block.text for block in event.content if isinstance(block, Text))
            return replace(event, content=(Text(text=text),)) if text.strip() else None
        blocks = self._blocks(event.content, answer=event if event.role == "assistant" else None)
        return replace(event, content=blocks) if blocks else None

    def _blocks(self, blocks: Iterable[Block], *, answer: Message | None = None) -> tuple[Block, ...]:
        out: list[Block] = []
        for block in blocks:
            if isinstance(block, Text):
                out.extend([block] if block.text.strip() else [])
            elif isinstance(block, Thinking):
                out.extend(self._thinking(block, answer))
            elif isinstance(block, Image):
                out.append(self._picture(block, answer))
            elif isinstance(block, File):
                out.append(self._file(block, answer))
            else:
                out.append(block)
        return tuple(out)

    def _thinking(self, block: Thinking, answer: Message | None) -> list[Block]:
        if answer is None:
            return [Text(text=block.text)] if block.text.strip() else []
        if block.signature is not None and answer.signer is not None and answer.signer == self._target.signer:
            return [block]
        return [Thinking(text=block.text)] if block.text.strip() else []

    def _picture(self, block: Image, answer: Message | None) -> Block:
        found = picture(block)
        if found.lost is not None:
            return Text(text=found.placeholder)
        if answer is not None:
            return Text(text="[Image missing: an answer cannot hold one]")
        return Image(media_type=found.media_type, data=found.data)

    def _file(self, block: File, answer: Message | None) -> Block:
        if answer is None and block.data is not None and block.media_type in self._target.documents:
            return block
        name = block.name or block.media_type or "document"
        kept = block.data is not None and block.media_type.startswith("text/")
        return Text(text=f"[File: {name}]\n{block.data}" if kept else f"[File left out: {name}]")


def _is_own(event: Event) -> bool:
    """Whether an event has a place in the conversation, and not in the import record."""
    if isinstance(event, Message) and event.role == "system":
        return event.injected in (TASK, "orphan_result")
    return isinstance(event, Message | ToolResult | Shell) and not event.id.startswith(_ALONE)


def _alone(thoughts: _Waiting) -> list[Event]:
    """Thinking as it comes back from the import record, without model and tokens."""
    return [Message(id=f"{_ALONE}{time}", role="assistant", content=(block,), time=time) for block, time in thoughts]


def written(events: Iterable[Event], agent: str, *, all_branches: bool = False) -> tuple[bytes, str]:
    """The session as a file of the target, and the name of that file."""
    options = WriteOptions(imported_at=0, importer="panscript test", all_branches=all_branches)
    sink = io.BytesIO()
    prepared = list(prepare(events, all_branches=all_branches))
    write(agent, prepared, sink, options=options)
    session = next(event for event in prepared if isinstance(event, Session))
    return sink.getvalue(), writer(agent).file_name(session, options).rpartition("/")[2]


def read_back(file: tuple[bytes, str]) -> tuple[list[Event], FileReport]:
    """The events of a written file, and the account of reading it."""
    data, name = file
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        report = FileReport(path=str(path))
        return list(events_of(read(open_source(str(path)), report=report))), report


def plain(events: Iterable[Event]) -> list[Item]:
    """The normal form without the title: its new name says where the session came from."""
    return [item for item in normal_form(events) if not isinstance(item, Title)]


def compare(events: list[Event], target: Target) -> None:
    """The session comes back from the target as it went."""
    back, report = read_back(written(events, target.agent))
    assert report.skipped_lines == 0
    assert report.warnings == []
    assert report.unknown == {}
    expected, found = plain(held(events, target)), plain(back)
    for place, (ours, theirs) in enumerate(zip(expected, found, strict=False)):
        if isinstance(ours, Said) and isinstance(theirs, Said) and ours.role == "assistant":
            expected[place] = replace(ours, model=ours.model or theirs.model)
    assert found == expected
