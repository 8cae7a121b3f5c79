"""The whole of a conversation as one JSON document beside its database, `<id>.trajectory.json`.

Antigravity does not write it: another program does (agy-reader), from what the database holds, so that everything that
is Protocol Buffers there has a name here. Counts are numbers or texts of digits. What a tool gave stands in a member
named for the kind of the step; where no text in it is known, all of it is the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

import msgspec

from panscript.readers.antigravity.responses import Response, of_counts
from panscript.readers.antigravity.steps import PLANNER, USER, Call, Step, call_of, source_of
from panscript.readers.document import load
from panscript.readers.elements import cut, pieces
from panscript.readers.tolerant import Recovered, recover
from panscript.schemas import timestamps
from panscript.schemas.antigravity.lean import (
    Generator,
    TrajectoryCall,
    TrajectoryStep,
    generator_decoder,
    trajectory_decoder,
)
from panscript.schemas.naming import encodable, model_name

__all__ = ["SUFFIX", "Span", "Trajectory", "conversation_in", "is_trajectory"]

SUFFIX = ".trajectory.json"
_STEPS, _REQUESTS = "steps", "generatorMetadata"
_ARRAYS = {_STEPS: frozenset({"type"}), _REQUESTS: frozenset({"chatModel"})}
_KIND, _SOURCE, _STATUS = "CORTEX_STEP_TYPE_", "CORTEX_STEP_SOURCE_", "CORTEX_STEP_STATUS_"
_TEXTS = ("content", "text", "message", "output", "rawOutput", "combinedOutput", "result", "full")
"""Members that hold the text of a step, the first that does counts; they may hold it one deeper."""
_ERRORS = ("userErrorMessage", "shortError", "fullError", "message")
_CONVERSATION = re.compile(rb'"cascadeId"\s*:\s*("(?:[^"\\]|\\.)*")')
_Row = TypeVar("_Row", bound=msgspec.Struct)


def is_trajectory(start: bytes) -> bool:
    """Whether a file that starts like this is one."""
    text = start.lstrip(b"\0\xef\xbb\xbf \t\r\n")
    return text.startswith(b"{") and b'"trajectoryId"' in text and (b'"cascadeId"' in text or _KIND.encode() in text)


def conversation_in(start: bytes) -> str:
    """The conversation that a document says it is of, before its arrays; "" where it does not."""
    ends = [place for name in _ARRAYS if (place := start.find(b'"%s"' % name.encode())) >= 0]
    found = _CONVERSATION.search(start[: min(ends, default=len(start))])
    try:
        return encodable(msgspec.json.decode(found[1], type=str)).strip() if found is not None else ""
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""


class Span(NamedTuple):
    """A stretch of the document: a step, a request, or what stands between them."""

    raw: bytes
    offset: int
    line: int
    step: Step | None = None
    request: Response | None = None
    trouble: Recovered[Any] | None = None


class Trajectory:
    """The document, held while it is read."""

    def __init__(self, path: str) -> None:
        """Raises `SourceError`s."""
        self._data = load(path)
        self._document = cut(self._data, _ARRAYS)
        self.whole = not self._document.damaged
        self.count = sum(name == _STEPS for name, _ in self._document.elements) if self.whole else 0
        """Number of steps; 0 where some are lost, so that their numbers are not known."""

    def spans(self) -> Iterator[Span]:
        """All of it in order."""
        steps, notes = 0, self._document.notes
        for piece in pieces(self._data, self._document):
            place = piece.raw, piece.offset, piece.line
            if piece.element is None:
                skip = "json_parse_error" if piece.broken else None
                yield Span(*place, trouble=Recovered(skip=skip, notes=notes) if skip or notes else None)
                notes = []
            elif piece.array == _STEPS:
                row, trouble = _decoded(piece.raw, trajectory_decoder)
                found = _step(row, steps if self.whole else None, piece.raw) if row is not None else None
                yield Span(*place, found, trouble=trouble)
                steps += 1
            else:
                request, wrong = _decoded(piece.raw, generator_decoder)
                said = _request(request) if request is not None else Response("invalid_payload")
                yield Span(*place, request=said, trouble=wrong)


def _decoded(raw: bytes, decoder: msgspec.json.Decoder[_Row]) -> tuple[_Row | None, Recovered[_Row] | None]:
    try:
        return decoder.decode(raw), None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = recover(raw, decoder, bool)
        return (found.rows[0] if found.rows else None), found


def _step(row: TrajectoryStep, index: int | None, raw: bytes) -> Step:
    kind = (row.type or "").removeprefix(_KIND)
    about = row.metadata
    source = ((about.source if about is not None else None) or "").removeprefix(_SOURCE)
    step = Step(
        kind=kind,
        source=source_of(kind, source),
        status=(row.status or "").removeprefix(_STATUS),
        index=index,
        time=timestamps.parse(about.created_at) if about is not None else None,
    )
    if kind == USER and row.user_input is not None:
        step.text = row.user_input.user_response or row.user_input.query or ""
    elif kind == PLANNER and row.planner_response is not None:
        said = row.planner_response
        step.text, step.thinking, step.signature = said.response or "", said.thinking or "", said.thinking_signature
        step.calls = tuple(_call(call) for call in said.tool_calls or ())
    elif kind not in (USER, PLANNER):
        _told(step, kind, raw)
        call = about.tool_call if about is not None else None
        step.answers = (call.id if call is not None else None) or ""
    return step


def _call(call: TrajectoryCall) -> Call:
    return call_of(call.name or "", call.id or "", (call.arguments_json or "").encode("utf-8", "replace"))


def _told(step: Step, kind: str, raw: bytes) -> None:
    """The text of a step that is neither a prompt nor an answer, and whether it failed."""
    try:
        members = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return
    first, *others = kind.lower().split("_")
    own = members.get(first + "".join(map(str.capitalize, others)))
    step.text = _text(own) or (msgspec.json.encode(own).decode() if own else "")
    step.failed = isinstance(own, dict) and own.get("exitCode") not in (None, 0, "0")
    error = members.get("error")
    problem = error if isinstance(error, str) else _text(error, _ERRORS) if isinstance(error, dict) else ""
    if problem:
        step.text, step.failed = problem, True


def _text(value: object, names: tuple[str, ...] = _TEXTS, *, deeper: int = 2) -> str:
    if isinstance(value, str):
        return value
    if not isinstance(value, dict) or not deeper:
        return ""
    return next((text for name in names if (text := _text(value.get(name), names, deeper=deeper - 1))), "")


def _request(row: Generator) -> Response:
    chat = row.chat_model
    if chat is None:
        return Response("invalid_payload")
    usage, began = chat.usage, chat.chat_start_metadata
    found = Response(
        "no_token_usage",
        model=model_name(chat.response_model or chat.model),
        time=timestamps.parse(began.created_at) if began is not None else None,
        steps=tuple(row.step_indices or ()),
    )
    if usage is None:
        return found
    tokens = of_counts(
        usage.input_tokens,
        usage.output_tokens,
        usage.response_output_tokens,
        usage.thinking_output_tokens,
        usage.cache_read_tokens,
    )
    problem = None if tokens.total else "no_token_usage"
    return found._replace(problem=problem, tokens=tokens, name=usage.response_id or None)
