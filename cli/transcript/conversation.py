"""From a session's events to what a person reads of them, one piece after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from panscript.cli.transcript.calls import all_arguments, result_text, short_arguments
from panscript.cli.transcript.pieces import Look, Piece
from panscript.cli.transcript.wording import block_name, clock, first_lines, lines, span, token_counts
from panscript.schemas.events import (
    AGENT_NOTICE,
    COMPACTION_SUMMARY,
    SHELL,
    TASK,
    Compaction,
    End,
    Event,
    File,
    Image,
    Message,
    Opaque,
    Shell,
    Summary,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.terminal import one_line
from panscript.stages.pairing import ORPHAN

__all__ = ["conversation"]

_RESULT_LINES = {"short": 4, "full": None}
_SUMMARY_LINES = 3
_MOST_NAMES = 12
_SAID = (Message, ToolResult, Compaction, Shell, Summary)
_ELSEWHERE = (COMPACTION_SUMMARY, SHELL)
"""What put a text there that another event says better."""


def conversation(events: Iterable[Event], look: Look) -> Iterator[Piece]:
    """The conversation as pieces. Takes merged and paired events, the session event left out."""
    teller = _Teller(look)
    for event in events:
        yield from teller.tell(event)
    yield from teller.asides.told()


class _Asides:
    """Neighbours that are worth one line together."""

    def __init__(self) -> None:
        self._names: dict[str, dict[str, int]] = {}
        self._length = 0

    def add(self, what: str, name: str, length: int = 0) -> None:
        names = self._names.setdefault(what, {})
        name = one_line(name) or "unnamed"
        if name not in names and len(names) >= _MOST_NAMES:
            name = "others"
        names[name] = names.get(name, 0) + 1
        self._length += length

    def told(self) -> Iterator[Piece]:
        said = []
        for what, names in self._names.items():
            counted = (f"{name} × {times}" if times > 1 else name for name, times in names.items())
            said.append(f"{what}: {', '.join(counted)}")
        if said:
            yield Piece("note", "; ".join(said), f"{self._length:,} characters" if self._length else "")
            self._names, self._length = {}, 0


class _Teller:
    def __init__(self, look: Look) -> None:
        self._look = look
        self.asides = _Asides()
        self._calls: dict[str, ToolCall] = {}
        self._place: tuple[str | None, bool] = (None, True)
        self._model: str | None = None
        self._ended = False

    def tell(self, event: Event) -> Iterator[Piece]:
        if isinstance(event, _SAID):
            yield from self._moved(event)
        if isinstance(event, Message):
            yield from self._message(event)
        elif isinstance(event, ToolResult):
            yield from self._result(event)
        elif isinstance(event, Shell):
            yield from self._shell(event)
        elif isinstance(event, Compaction):
            yield from self._compaction(event)
        elif isinstance(event, Summary):
            yield from self._summary(event)
        elif isinstance(event, Usage):
            # What the end of a file brings belongs to answers long shown.
            if not event.told and not self._ended and event.inherited_from is None:
                yield from self._foot(None, event.tokens, event.model)
        elif isinstance(event, Opaque):
            self.asides.add("unknown", event.name)
        elif isinstance(event, End):
            self._ended = True

    def _moved(self, event: Event) -> Iterator[Piece]:
        """Where a branch or a copied part begins and ends."""
        place = (event.inherited_from, event.live)
        if place == self._place:
            return
        yield from self.asides.told()
        origin, live = place
        said = []
        if origin != self._place[0]:
            said.append(f"copied from session {one_line(origin)}" if origin else "from here on its own")
        if live != self._place[1]:
            said.append("the branch that went on" if live else "a branch that was left")
        self._place = place
        yield Piece("rule", ", ".join(said))

    def _message(self, event: Message) -> Iterator[Piece]:
        if event.role == "user" or event.injected == TASK:
            yield from self._prompt(event)
        elif event.role == "assistant" and not event.hidden:
            yield from self._answer(event)
        elif event.injected == ORPHAN:
            yield from self.asides.told()
            yield from self._output(result_text(event.content))
        elif event.injected not in _ELSEWHERE:
            yield from self._context(event)

    def _prompt(self, event: Message) -> Iterator[Piece]:
        text = lines(result_text(event.content))
        if event.hidden:
            yield from self._context(event)
        elif text:
            yield from self.asides.told()
            who = "Task" if event.injected == TASK else "You"
            yield Piece("heading", who, _clock(event))
            yield Piece("prompt", text)

    def _context(self, event: Message) -> Iterator[Piece]:
        text = result_text(event.content)
        name = (event.injected or event.role).replace("_", " ")
        if self._look.context:
            yield from self.asides.told()
            yield Piece("note", f"context: {one_line(name)}", _clock(event))
            yield Piece("context", lines(text))
        else:
            self.asides.add("context", name, len(text))

    def _answer(self, event: Message) -> Iterator[Piece]:
        calls = [block for block in event.content if isinstance(block, ToolCall)]
        for block in event.content:
            if isinstance(block, ToolCall):
                continue
            piece = self._block(block, notice=event.injected == AGENT_NOTICE)
            if piece is not None:
                yield from self.asides.told()
                yield piece
        if event.fault is not None:
            yield from self.asides.told()
            yield Piece("failed", "the answer was aborted" if event.fault == "aborted" else "the answer failed")
        if event.tokens is not None:
            yield from self._foot(event, event.tokens, event.model)
        for call in calls:
            if self._look.tools == "none":
                self.asides.add("calls", call.name)
            else:
                self._calls[call.id] = call

    def _block(self, block: Text | Thinking | Image | File, *, notice: bool) -> Piece | None:
        if isinstance(block, Text):
            text = lines(block.text)
            return Piece("context" if notice else "answer", text) if text else None
        if isinstance(block, Thinking):
            if not self._look.thinking:
                return None
            text = lines(block.text) or ("(the vendor withheld what was thought)" if block.redacted else "")
            return Piece("thinking", text) if text else None
        return Piece("note", block_name(block))

    def _foot(self, event: Message | None, tokens: Tokens, model: str | None) -> Iterator[Piece]:
        """When, by whom and for what. The model is named when it is another than before."""
        counts = token_counts(tokens)
        said = [_clock(event) if event is not None else "", "", counts]
        if model and model != self._model:
            self._model = model
            said[1] = one_line(model)
        yield from self.asides.told()
        yield Piece("foot", " · ".join(part for part in said if part))

    def _result(self, event: ToolResult) -> Iterator[Piece]:
        if self._look.tools == "none":
            return
        call = self._calls.pop(event.call_id, None)
        name = one_line((call.name if call is not None else event.name) or "") or "unnamed tool"
        state = "no result was recorded" if event.invented else "" if event.status == "ok" else event.status
        lasted = span(event.duration_ms) if event.duration_ms is not None else ""
        arguments = short_arguments(call) if call is not None and self._look.tools == "short" else ""
        tail = "  ".join(part for part in (state, lasted) if part)
        yield from self.asides.told()
        yield Piece("failed" if event.status == "error" else "call", name, arguments, tail)
        if call is not None and self._look.tools == "full" and (whole := all_arguments(call)):
            yield Piece("arguments", whole)
        if not event.invented:
            yield from self._output(result_text(event.content))

    def _output(self, text: str) -> Iterator[Piece]:
        count = _RESULT_LINES.get(self._look.tools)
        if count is None:
            shown, more = lines(text), 0
        else:
            shown, more = first_lines(text, count)
        if shown or more:
            yield Piece("result", shown)
        if more:
            yield Piece("result", "", f"… {more:,} more {'line' if more == 1 else 'lines'}")

    def _shell(self, event: Shell) -> Iterator[Piece]:
        yield from self.asides.told()
        if event.command is not None:
            yield Piece("heading", "You", _clock(event))
            yield Piece("prompt", f"! {lines(event.command)}")
        state = [f"exit status {event.exit_code}" if event.exit_code else "", "cancelled" if event.cancelled else ""]
        if event.output:
            yield from self._output(event.output)
        if any(state):
            yield Piece("note", ", ".join(filter(None, state)))

    def _compaction(self, event: Compaction) -> Iterator[Piece]:
        yield from self.asides.told()
        said = ["compacted"]
        if event.trigger:
            said.append(one_line(event.trigger))
        if event.tokens_before:
            said.append(f"{event.tokens_before:,} tokens before")
        yield Piece("rule", ", ".join(said), _clock(event))
        yield from self._folded(event.summary)

    def _summary(self, event: Summary) -> Iterator[Piece]:
        yield from self.asides.told()
        yield Piece("note", "summary", _clock(event))
        yield from self._folded(event.text)

    def _folded(self, text: str) -> Iterator[Piece]:
        if self._look.context:
            yield Piece("context", lines(text))
            return
        shown, more = first_lines(text, _SUMMARY_LINES)
        if shown:
            yield Piece("context", shown)
        if more:
            yield Piece("context", "", f"… {more:,} more {'line' if more == 1 else 'lines'} (--context shows them)")


def _clock(event: Event) -> str:
    return clock(event.time) if event.time is not None else ""
