"""The second pass over a session of Goose: messages become events.

A conversation is one line of messages. Parts of a response are messages of their own, one a call, so those that follow
each other without a word of the user are taken for one. A compaction leaves the messages it replaces for the person
and hides them from the agent; the summary behind them is hidden from the person.
"""

from __future__ import annotations

from panscript.readers.goose.content import (
    STATE_TYPES,
    result_blocks,
    result_details,
    result_status,
    said,
)
from panscript.readers.goose.facts import Facts
from panscript.readers.goose.forms import Piece
from panscript.readers.goose.survey import ROLES, Survey, is_shown
from panscript.readers.rawjson import clean_raw
from panscript.readers.speaking import Speaker
from panscript.schemas import timestamps
from panscript.schemas.events import (
    COMPACTION_SUMMARY,
    TASK,
    Block,
    Compaction,
    Event,
    Text,
    ToolResult,
)
from panscript.schemas.goose.lean import Content, Line
from panscript.schemas.packed import PackedMap
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Translator", "speaks"]

AGENT_ONLY = "agent_only"
"""`Message.injected` of what Goose puts before the model without showing it."""
_CONTENT = ("content",)
_INNER = ("toolResult", "value", "content"), ("toolResult", "value")
_RESERVED = frozenset({"session", "end", "usage", "meta"})


def speaks(piece: Piece | None) -> bool:
    """Whether the record is a part of a response of the model."""
    return piece is not None and piece.row is not None and piece.row.role == "assistant" and is_shown(piece.row)


class Translator(Speaker):
    """Turns one message after the other into its class and its events."""

    def __init__(self, survey: Survey, facts: Facts, report: FileReport) -> None:
        super().__init__(report)
        self._survey = survey
        self._stored = facts
        self._names = PackedMap()
        self._response: str | None = None
        self._kept: str | None = None
        """The first event that the model still sees, of those behind the last one that it does not."""
        self._hidden = self._mixed = False
        """Messages were hidden from the model since the last summary; and some before those were not."""

    def row(self, number: int, piece: Piece, following: Piece | None) -> tuple[RecordClass, list[Event]]:
        """The class of this message and what it says. `number` is that of the record, from 0."""
        row = piece.row
        assert row is not None
        self._open(number, piece)
        events: list[Event] = []
        if row.role not in ROLES:
            name = row.role or "(no role)"
            self._unknown(name, clean_raw(piece.text), events)
            return "opaque", events
        items = [Content(type="text", text=row.content)] if isinstance(row.content, str) else row.content or []
        shown = is_shown(row)
        if not shown and not any(item.tool_call or item.tool_result for item in items):
            self._injected(piece, items, events)
        elif row.role == "assistant":
            self._assistant(piece, items, events, closes=not speaks(following))
        else:
            self._user(piece, items, events)
        self._see(row, shown=shown, events=events)
        return "used" if events else "state", events

    def _open(self, number: int, piece: Piece) -> None:
        row = piece.row
        assert row is not None
        base = piece.name or f"line:{piece.line}"
        if self._names.get(base) is not None or base in _RESERVED or ":" in piece.name or "#" in piece.name:
            base = f"{base}#{piece.line}"
        self._names.put(base, 0)
        self._begin(base, time=timestamps.parse(row.created), late=number in self._survey.clock.late)

    def _see(self, row: Line, *, shown: bool, events: list[Event]) -> None:
        """Keep in mind what the model sees of what the person does."""
        if row.role != "assistant" or not shown:
            self._response = None
        if not shown or not events:
            return
        if row.metadata is not None and row.metadata.agent_visible is False:
            self._mixed = self._mixed or self._kept is not None
            self._hidden, self._kept = True, None
        elif self._kept is None:
            self._kept = events[0].id

    def _injected(self, piece: Piece, items: list[Content], events: list[Event]) -> None:
        """What Goose itself put before the model: the summary of a compaction, or something that keeps it going."""
        blocks: list[Block] = []
        for index, item in enumerate(items):
            block = said(item, set())
            if block is not None:
                blocks.append(block)
            else:
                self._other(item, index, piece, events)
        text = "\n\n".join(block.text for block in blocks if isinstance(block, Text) and block.text)
        if text and self._hidden and not self._mixed:
            name, parent = self._next()
            events.append(Compaction(id=name, parent=parent, summary=text, first_kept=self._kept, **self._common))
            self._say("system", tuple(blocks), events, injected=COMPACTION_SUMMARY)
            self._hidden = False
        elif blocks:
            self._say("system", tuple(blocks), events, injected=AGENT_ONLY, hidden=True)
        if text:
            self._mixed, self._kept = False, self._kept if self._hidden else None

    def _assistant(self, piece: Piece, items: list[Content], events: list[Event], *, closes: bool) -> None:
        blocks: list[Block] = []
        results: list[tuple[int, Content]] = []
        for index, item in enumerate(items):
            block = said(item, self._survey.unanswered)
            if block is not None:
                blocks.append(block)
            elif item.type == "toolResponse":
                results.append((index, item))
            else:
                self._other(item, index, piece, events)
        if blocks:
            response = self._response or self._base
            self._response = None if closes else response
            self._say(
                "assistant",
                tuple(blocks),
                events,
                response=response,
                closes=closes,
                message_id=piece.name or None,
                model=self._stored.model,
                provider=self._stored.provider,
            )
        for index, item in results:
            self._result(item, index, piece, events)

    def _user(self, piece: Piece, items: list[Content], events: list[Event]) -> None:
        blocks: list[Block] = []
        for index, item in enumerate(items):
            if item.type == "toolResponse":
                self._result(item, index, piece, events)
            elif (block := said(item, self._survey.unanswered)) is not None:
                blocks.append(block)
            else:
                self._other(item, index, piece, events)
        if not blocks:
            return
        if self._stored.is_child:
            self._say("system", tuple(blocks), events, injected=TASK)
        else:
            self._say("user", tuple(blocks), events)

    def _result(self, item: Content, index: int, piece: Piece, events: list[Event]) -> None:
        outcome = item.tool_result
        if outcome is None:
            return
        content, unknown = result_blocks(outcome)
        for place, kind in unknown:
            self._unknown(kind, self._inner.deep(piece.text, (index, place), (_CONTENT,), *_INNER), events)
        name, parent = self._next()
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                call_id=item.id or "",
                content=content,
                status=result_status(outcome),
                details=result_details(outcome),
                **self._common,
            )
        )

    def _other(self, item: Content, index: int, piece: Piece, events: list[Event]) -> None:
        """An item that nobody says."""
        if item.type in STATE_TYPES:
            return
        name = item.type or "(no type)"
        self._unknown(name, self._inner.clean(piece.text, index, _CONTENT), events)
