"""Sessions as a reader could give them, for properties over stages and writers.

A session is a list of events: prompts, responses in several parts, calls answered in any order, late, twice or not at
all, pictures, commands, compactions, summaries, injected text; times that are missing, equal or run backwards; ids and
names of any characters.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any

import msgspec
from hypothesis import strategies as st

from panscript.schemas.events import (
    Block,
    Compaction,
    End,
    Event,
    Image,
    Message,
    Meta,
    Opaque,
    Session,
    Shell,
    Status,
    Summary,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
)

__all__ = ["PNG", "json_values", "sessions", "texts"]

PNG = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
        "1f15c4890000000d49444154789c6364f8cf500f0003018601"
        "5a347d6b0000000049454e44ae426082"
    )
).decode()
START = 1_767_261_600_000

# Characters that break programs: line separators, the edges of the planes, quotes, escapes, a combining mark.
_ODD = st.sampled_from(
    ["\u2028", "\u2029", "\x85", "\U0001f980", "\uffff", "\ufeff", '"', "\\", "\x00", "\r\n", "e\u0301"]
)
_PLAIN = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


def texts() -> st.SearchStrategy[str]:
    """Text that says something."""
    pieces = st.lists(_PLAIN | _ODD, min_size=1, max_size=4).map("".join)
    return pieces.filter(lambda text: bool(text.strip()))


def json_values() -> st.SearchStrategy[Any]:
    """Values that survive JSON exactly."""
    numbers = st.integers(-(1 << 53), 1 << 53) | st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(
        st.none() | st.booleans() | numbers | _PLAIN | _ODD,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_PLAIN, inner, max_size=3),
        max_leaves=6,
    )


def _tokens() -> st.SearchStrategy[Tokens]:
    number = st.integers(0, 10**9)
    return st.builds(
        Tokens,
        input=number,
        output=number,
        reasoning=number,
        cache_read=number,
        cache_write=number,
        total=number,
        cost=st.none() | st.floats(0, 100),
    )


_NAMES = st.sampled_from(["Read", "Bash", "mcp__x__do.it", "", "naïve tool", "x" * 70, "1st"])


@dataclass
class _Builder:
    """The session while it grows."""

    draw: st.DrawFn
    events: list[Event] = field(default_factory=list)
    last: str | None = None
    time: int = START
    count: int = 0
    calls: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def facts(self, *, live: bool = True) -> dict[str, Any]:
        """What every event of the conversation has."""
        self.count += 1
        mark = self.draw(st.sampled_from(["", "ü/", "a b:", "\u2028"]))
        name = f"{mark}e{self.count}"
        parent, self.last = self.last, name
        step = self.draw(st.sampled_from([1, 1000, 60_000, 0, -5000, None]))
        if step is not None:
            self.time += step
        return {"id": name, "parent": parent, "time": None if step is None else self.time, "live": live}

    def turn(self) -> None:
        """Whatever comes next."""
        kind = self.draw(
            st.sampled_from(
                "prompt answer answer answer injected shell compaction summary aside stray dead thoughts".split()
            )
        )
        getattr(self, f"_{kind}")()

    def _prompt(self) -> None:
        blocks: list[Block] = [Text(text=self.draw(texts()))]
        if self.draw(st.booleans()):
            picture: list[Block] = [Image(media_type="image/png", data=PNG), Text(text=" ")]
            blocks.append(self.draw(st.sampled_from(picture)))
        self._say(Message(**self.facts(), role="user", content=tuple(blocks)))

    def _say(self, event: Event) -> None:
        self.events.append(event)
        self.said.append(event.id)

    def _injected(self) -> None:
        kind = self.draw(st.sampled_from(["reminder", "hook", None]))
        text = Text(text=self.draw(texts()))
        self.events.append(
            Message(**self.facts(), role="system", content=(text,), injected=kind, hidden=self.draw(st.booleans()))
        )

    def _thoughts(self) -> None:
        """A response that holds nothing but thinking."""
        blocks = (Thinking(text=self.draw(texts())),)
        self.events.append(Message(**self.facts(), role="assistant", content=blocks, model="model-a"))

    def _answer(self) -> None:
        parts = self.draw(st.integers(1, 3))
        response = f"r{self.count}" if parts > 1 or self.draw(st.booleans()) else None
        open_calls: list[tuple[str, str]] = []
        tokens = self.draw(st.none() | _tokens())
        for number in range(parts):
            last = number == parts - 1
            blocks = self._blocks(open_calls, first=number == 0)
            event = Message(
                **self.facts(),
                role="assistant",
                content=tuple(blocks),
                response=response,
                closes=last,
                model=self.draw(st.sampled_from(["model-a", "model-b"])),
                provider="vendor",
                signer=self.draw(st.sampled_from([None, "anthropic", "openai"])),
                stop_reason="tool_use" if last and open_calls else "end_turn" if last else None,
                tokens=tokens if last else None,
            )
            self._say(event)
            if not last and open_calls and self.draw(st.booleans()):
                self._results(open_calls, self.draw(st.integers(1, len(open_calls))))
        self._results(open_calls, len(open_calls))

    def _blocks(self, open_calls: list[tuple[str, str]], *, first: bool) -> list[Block]:
        blocks: list[Block] = []
        if first and self.draw(st.booleans()):
            signature = self.draw(st.sampled_from([None, "c2lnbmVk"]))
            blocks.append(Thinking(text=self.draw(texts()), signature=signature))
        if self.draw(st.booleans()):
            blocks.append(Text(text=self.draw(texts())))
        calls = self.draw(st.integers(0 if blocks else 1, 2))
        return [*blocks, *(self._call(open_calls) for _ in range(calls))]

    def _call(self, open_calls: list[tuple[str, str]]) -> ToolCall:
        self.count += 1
        known = bool(self.calls) and self.draw(st.integers(0, 9)) == 0
        odd = self.draw(st.sampled_from(["call_", "call.|", "ü", "x" * 50]))
        name = self.draw(st.sampled_from(self.calls)) if known else f"{odd}{self.count}"
        self.calls.append(name)
        tool = self.draw(_NAMES)
        answered = self.draw(st.integers(0, 4)) > 0
        if answered:
            open_calls.append((name, tool))
        how = self.draw(st.sampled_from(["object", "object", "value", "text", "custom"]))
        if how in ("text", "custom"):
            return ToolCall(id=name, name=tool, text=self.draw(texts()), custom=how == "custom", answered=answered)
        value = self.draw(st.dictionaries(_PLAIN, json_values(), max_size=3) if how == "object" else json_values())
        raw = msgspec.Raw(json.dumps(value, ensure_ascii=self.draw(st.booleans())).encode())
        return ToolCall(id=name, name=tool, arguments=raw, answered=answered)

    def _results(self, open_calls: list[tuple[str, str]], times: int) -> None:
        for _ in range(times):
            call, name = open_calls.pop(self.draw(st.integers(0, len(open_calls) - 1)))
            blocks: list[Block] = [Text(text=self.draw(texts()))] if self.draw(st.integers(0, 5)) else []
            if self.draw(st.integers(0, 4)) == 0:
                blocks.append(Image(media_type="image/png", data=PNG))
            status: Status = self.draw(st.sampled_from(["ok", "ok", "error", "unknown"]))
            self._say(
                ToolResult(
                    **self.facts(),
                    call_id=call,
                    name=self.draw(st.sampled_from([name or None, None])),
                    content=tuple(blocks),
                    status=status,
                    duration_ms=self.draw(st.none() | st.integers(0, 10_000)),
                )
            )

    def _stray(self) -> None:
        """A result that answers nothing."""
        self.events.append(ToolResult(**self.facts(), call_id="nobody", content=(Text(text=self.draw(texts())),)))

    def _shell(self) -> None:
        self._say(
            Shell(
                **self.facts(),
                command=self.draw(texts()),
                output=self.draw(st.sampled_from(["", "out\n"])),
                exit_code=self.draw(st.sampled_from([None, 0, 3])),
                cancelled=self.draw(st.booleans()),
                excluded=self.draw(st.booleans()),
            )
        )

    def _compaction(self) -> None:
        kept = self.draw(st.sampled_from([None, "not there", *self.said[-6:]]))
        self.events.append(Compaction(**self.facts(), summary=self.draw(texts()), first_kept=kept))

    def _summary(self) -> None:
        leaf = self.last if self.draw(st.booleans()) else None
        self.events.append(Summary(**self.facts(), text=self.draw(texts()), leaf=leaf))

    def _aside(self) -> None:
        self.count += 1
        asides: list[Event] = [
            Meta(id=f"m{self.count}", cwd="/home/ana/app", version="1"),
            Opaque(id=f"o{self.count}", name="news", data=msgspec.Raw(b'{"type":"news"}')),
        ]
        self.events.append(self.draw(st.sampled_from(asides)))

    def _dead(self) -> None:
        """Something that was said on a branch that was left."""
        last = self.last
        self.events.append(Message(**self.facts(live=False), role="user", content=(Text(text=self.draw(texts())),)))
        self.last = last


@st.composite
def sessions(draw: st.DrawFn, *, turns: int = 6) -> list[Event]:
    """The events of one session, in which somebody says something on the live branch."""
    builder = _Builder(draw)
    builder._prompt()
    for _ in range(draw(st.integers(0, turns))):
        builder.turn()
    times = [event.time for event in builder.events if event.time is not None]
    head = Session(
        id="session",
        agent=draw(st.sampled_from(["claude", "codex"])),
        session_id=draw(st.sampled_from(["5a000001-0000-4000-8000-000000000001", "../odd id"])),
        cwd=draw(st.sampled_from([None, "/home/ana/app"])),
        title=draw(st.none() | texts()),
        created=min(times, default=None),
        modified=max(times, default=None),
    )
    return [head, *builder.events, End(id="end")]
