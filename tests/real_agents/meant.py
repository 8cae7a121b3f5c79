"""What the model is meant to be shown of a session, whatever agent goes on with it: turns, from the event stream.

A test lets the real agent build its request and takes that apart into the same turns, so that both can be compared
part by part. What a certain agent is known to change is said in that agent's folder, not here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from panscript.schemas.events import (
    AGENT_NOTICE,
    COMPACTION_SUMMARY,
    SHELL,
    TASK,
    Block,
    Compaction,
    Event,
    File,
    Image,
    Message,
    Shell,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from panscript.stages.pairing import ORPHAN

__all__ = ["Call", "Media", "Part", "Ran", "Result", "Said", "Thought", "Turn", "digest", "joined", "meant"]

# System messages that stand in the conversation under the person's name: a sub-agent's task opens it, and a result
# without a call can only be told as text.
_IN_THE_CONVERSATION = frozenset({TASK, ORPHAN})
# System messages whose text a `Compaction` or a `Shell` tells once more.
_TOLD_TWICE = frozenset({COMPACTION_SUMMARY, SHELL})


@dataclass(frozen=True)
class Said:
    """Text."""

    text: str


@dataclass(frozen=True)
class Media:
    """A picture or a document, by the hash of its data."""

    digest: str


@dataclass(frozen=True)
class Call:
    """A tool call; the arguments as parsed JSON, or as text where they are free text."""

    id: str
    name: str
    arguments: Any


@dataclass(frozen=True)
class Result:
    """The answer to a call."""

    call: str
    texts: tuple[str, ...]
    error: bool
    media: tuple[str, ...] = ()


@dataclass(frozen=True)
class Thought:
    """Reasoning."""

    text: str
    signature: str | None


@dataclass(frozen=True)
class Ran:
    """A command that the person ran from inside the agent, or its output."""

    command: str | None
    output: str | None


Part = Said | Media | Call | Result | Thought | Ran


@dataclass(frozen=True)
class Turn:
    """Everything of one role up to the next of the other."""

    role: str
    parts: tuple[Part, ...]


def meant(events: Iterable[Event], *, injected: bool = False) -> list[Turn]:
    """The conversation in the events of one prepared session (see `panscript.stages.prepare`).

    :param injected: with what an agent put before the model by itself. Another agent does that in its own way, so that
        is left out unless the session stays at its agent.
    """
    told: list[tuple[frozenset[str], str, list[Part]]] = []
    summary: Part | None = None
    for event in events:
        if isinstance(event, Compaction):
            names = [names for names, _, _ in told]
            first = next((n for n, ids in enumerate(names) if event.first_kept in ids), len(told))
            told, summary = told[first:], Said(event.summary)
            continue
        for role, parts in _told(event, injected=injected):
            told.append((_names(event), role, parts))
    whole = [("user", [summary])] if summary is not None else []
    return joined((*whole, *((role, parts) for _, role, parts in told)))


def joined(messages: Iterable[tuple[str, Iterable[Part]]]) -> list[Turn]:
    """Messages as turns: neighbours of one role are one, and none is empty."""
    turns: list[Turn] = []
    for role, parts in messages:
        more = tuple(parts)
        if turns and turns[-1].role == role:
            turns[-1] = Turn(role, turns[-1].parts + more)
        elif more:
            turns.append(Turn(role, more))
    return turns


def digest(data: str) -> str:
    """What stands for the data of a picture or document."""
    return hashlib.sha256("".join(data.split()).encode()).hexdigest()[:12]


def _names(event: Event) -> frozenset[str]:
    return frozenset({event.id, *(event.parts if isinstance(event, Message) else ())})


def _told(event: Event, *, injected: bool) -> Iterator[tuple[str, list[Part]]]:
    if isinstance(event, ToolResult):
        texts = tuple(block.text for block in event.content if isinstance(block, Text))
        media = tuple(part.digest for part in _parts(event.content) if isinstance(part, Media))
        yield "user", [Result(event.call_id, texts, event.status == "error", media)]
    elif isinstance(event, Shell):
        if not event.excluded:
            yield "user", [Ran(event.command, event.output)]
    elif isinstance(event, Message):
        if event.role == "assistant":
            by_a_model = event.injected != AGENT_NOTICE or any(isinstance(b, ToolCall) for b in event.content)
            if by_a_model or injected:
                yield "assistant", list(_parts(event.content))
        elif (
            event.role == "user"
            or event.injected in _IN_THE_CONVERSATION
            or (injected and event.injected not in _TOLD_TWICE)
        ):
            yield "user", list(_parts(event.content))


def _parts(blocks: Iterable[Block]) -> Iterator[Part]:
    for block in blocks:
        if isinstance(block, Text):
            yield Said(block.text)
        elif isinstance(block, Thinking):
            yield Thought(block.text, block.signature)
        elif isinstance(block, ToolCall):
            yield Call(block.id, block.name, _arguments(block))
        elif isinstance(block, Image | File) and block.data is not None:
            yield Media(digest(block.data))
        elif isinstance(block, Image | File):
            yield Said("")


def _arguments(call: ToolCall) -> Any:
    if call.text is not None:
        return call.text
    raw = bytes(call.arguments)
    return json.loads(raw) if raw else {}
