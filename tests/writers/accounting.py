"""What a writer has to account for: every item of a session that it was given is kept or lost, each under its code.

`due` says it from the events alone, item by item, so the counts of a writer can be compared with it exactly.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from panscript.schemas.diagnostics import CODES
from panscript.schemas.errors import CannotConvert
from panscript.schemas.events import (
    AGENT_NOTICE,
    COMPACTION_SUMMARY,
    SHELL,
    TASK,
    Block,
    Compaction,
    End,
    Event,
    File,
    Image,
    Message,
    Opaque,
    Session,
    Shell,
    Summary,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.report import FileReport
from panscript.stages.prepare import prepare
from panscript.writers.media import picture
from panscript.writers.options import WriteOptions
from panscript.writers.targets import write, writer
from tests.strategies import PNG, sessions
from tests.writers.round_trip import Target

__all__ = ["check", "odd_sessions"]

_LARGEST_OPAQUE = 250_000


class _Due:
    """The counts that are due."""

    def __init__(self, target: Target) -> None:
        self.kept: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        self._target = target
        self._losses = writer(target.agent).LOSSES
        self._session: Session | None = None

    def event(self, event: Event) -> None:
        """One event of the prepared stream."""
        said = isinstance(event, Message | ToolResult | Shell | Compaction | Summary)
        if isinstance(event, Session):
            self._session = event
        elif said and not event.live and "branch" in self._losses:
            self.lost["branch"] += 1
        elif isinstance(event, Message):
            self._message(event)
        elif isinstance(event, ToolResult):
            for block in event.content:
                self._block(block)
            self.kept["tool_result"] += not event.invented
            self.lost["tool_details"] += bool(bytes(event.details)) and "tool_details" in self._losses
        elif isinstance(event, Shell):
            self.kept["shell"] += 1
        elif isinstance(event, Compaction):
            self.kept["compaction"] += 1
        elif isinstance(event, Summary):
            # Without a place of its own it stands in the import record.
            self.kept["summary"] += self._target.summaries_wait and event.leaf is not None
        elif isinstance(event, Opaque):
            fits = len(bytes(event.data)) <= _LARGEST_OPAQUE
            (self.kept if fits else self.lost)["opaque"] += 1
        elif isinstance(event, Usage):
            self.lost["usage_record"] += not event.told

    def _message(self, event: Message) -> None:
        if event.role == "assistant":
            self._answer(event)
        elif event.role == "user" or event.injected in (TASK, "orphan_result"):
            before = self.kept.total() + self.lost.total() - self.lost["empty_block"]
            signatures = self.lost["signature_dropped"] + self.lost["redacted_thinking"]
            for block in event.content:
                self._block(block)
            signatures -= self.lost["signature_dropped"] + self.lost["redacted_thinking"]
            written = self.kept.total() + self.lost.total() - self.lost["empty_block"] + signatures > before
            if event.injected == "orphan_result":
                self.kept["tool_result"] += 1
            else:
                (self.kept if written else self.lost)["user_message" if written else "empty_message"] += 1
        elif event.injected not in (COMPACTION_SUMMARY, SHELL):
            self.kept["context"] += 1
            self.lost["image_missing"] += sum(isinstance(block, Image) for block in event.content)
            self.lost["file_missing"] += sum(isinstance(block, File) for block in event.content)

    def _answer(self, event: Message) -> None:
        if event.injected == AGENT_NOTICE and not any(isinstance(block, ToolCall) for block in event.content):
            self.lost["agent_notice"] += 1
            return
        signs = event.signer is not None and event.signer == self._target.signer
        for block in event.content:
            self._block(block, answer=True, signs=signs)
        thought = [block for block in event.content if isinstance(block, Thinking)]
        alone = [block for block in thought if block.text.strip() or (signs and block.signature is not None)]
        whole = signs and any(block.signature is not None for block in thought)
        shown = [b for b in event.content if not isinstance(b, Thinking) and not _is_empty(b)]
        if shown or whole or (alone and self._target.thinks_alone):
            self.kept["assistant_message"] += 1
        elif not alone:
            self.lost["failed_response" if event.fault else "empty_message"] += 1

    def _block(self, block: Block, *, answer: bool = False, signs: bool = False) -> None:
        if isinstance(block, Text):
            (self.lost if _is_empty(block) else self.kept)["empty_block" if _is_empty(block) else "text"] += 1
        elif isinstance(block, ToolCall):
            self.kept["tool_call"] += 1
        elif isinstance(block, Image):
            lost = picture(block).lost or ("image_missing" if answer else None)
            (self.lost if lost else self.kept)[lost or "image"] += 1
        elif isinstance(block, File):
            text = block.media_type.startswith("text/")
            held = block.data is not None and (text or (block.media_type in self._target.documents and not answer))
            (self.kept if held else self.lost)["file" if held else "file_missing"] += 1
        elif signs and block.signature is not None:
            self.kept["thinking"] += 1
        else:
            self.lost["redacted_thinking"] += block.redacted
            self.lost["signature_dropped"] += block.signature is not None and not block.redacted
            self.kept["thinking"] += bool(block.text.strip())
            self.lost["empty_block"] += not block.text.strip() and block.signature is None


def _is_empty(block: Block) -> bool:
    return isinstance(block, Text) and not block.text.strip()


def check(events: Iterable[Event], target: Target, *, all_branches: bool = False) -> None:
    """Every item is kept or lost, nothing is counted twice, and no code comes up that the target does not tell of."""
    stream = list(prepare(events, all_branches=all_branches))
    report = FileReport(path="")
    options = WriteOptions(imported_at=0, importer="panscript test", all_branches=all_branches)
    try:
        write(target.agent, stream, io.BytesIO(), options=options, report=report)
    except CannotConvert:
        # What was said is all of a kind that is left out.
        assert "user_message" not in report.kept
    due = _Due(target)
    for event in stream:
        due.event(event)
    assert report.kept == +due.kept
    assert report.lost == +due.lost
    assert report.lost.keys() <= writer(target.agent).LOSSES.keys()
    assert {CODES[code].counter for code in report.lost} <= {"lost"}
    assert {CODES[code].counter for code in report.changed} <= {"changed"}


_BLOCKS: list[Block] = [
    Text(text=" \n"),
    Text(text="more"),
    Thinking(text="hm"),
    Thinking(),
    Thinking(text="deep", signature="c2ln"),
    Thinking(signature="c2ln"),
    Thinking(signature="ENC", redacted=True),
    Image(data=PNG, media_type="image/png"),
    Image(path="/tmp/a.png"),
    Image(url="https://x/y.png"),
    Image(data="A" * (5 * 2**20 + 4), media_type="image/png"),
    Image(data="!", media_type="image/png"),
    File(media_type="text/plain", name="a.txt", data="plain"),
    File(media_type="text/markdown", data="# x"),
    File(media_type="application/pdf", data="JVBERg=="),
    File(media_type="audio/wav", data="QQ=="),
    File(url="https://x"),
]
_EVENTS: list[Event] = [
    Message(id="n", role="assistant", content=(Text(text="API Error"),), injected=AGENT_NOTICE),
    Message(id="f", role="assistant", fault="error"),
    Message(id="e", role="assistant", content=(Text(text=""),)),
    Message(id="b", role="user", content=(Text(text=" "),)),
    Message(id="t", role="system", content=(Text(text="count"),), injected=TASK),
    Message(id="s", role="system", content=(Text(text="so far"),), injected=COMPACTION_SUMMARY),
    Opaque(id="o", name="big", data=b'"' + b"x" * 300_000 + b'"'),  # type: ignore[arg-type]
    Usage(id="x", tokens=Tokens(output=1, total=1), response="nobody's"),
    Usage(id="y", tokens=Tokens(output=1, total=1), told=True),
]


@st.composite
def odd_sessions(draw: st.DrawFn) -> list[Event]:
    """Sessions that hold, beside the usual, whatever targets cannot."""
    first, *rest = draw(sessions(turns=5))
    out: list[Event] = [replace(first, imported_from=draw(st.sampled_from([None, None, "claude", "codex"])))]
    for number, event in enumerate(rest):
        if isinstance(event, Message | ToolResult) and draw(st.booleans()):
            more = draw(st.lists(st.sampled_from(_BLOCKS), max_size=3))
            event = _with(event, [*event.content, *more])
        if isinstance(event, Message) and event.role == "assistant":
            event = replace(event, provider=draw(st.sampled_from([None, "anthropic", "openai"])))
        out.append(event)
        if not isinstance(event, End) and draw(st.integers(0, 3)) == 0:
            stray = draw(st.sampled_from(_EVENTS))
            parent = event.id if isinstance(stray, Message) else None
            out.append(replace(stray, id=f"stray {stray.id}{number}", parent=parent, live=event.live))
    return out


def _with(event: Message | ToolResult, blocks: list[Any]) -> Message | ToolResult:
    return replace(event, content=tuple(blocks))
