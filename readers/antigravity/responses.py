"""Rows of `gen_metadata`: one request to a model each, as Protocol Buffers."""

from __future__ import annotations

from typing import NamedTuple

from panscript.readers.antigravity.moments import moment
from panscript.readers.antigravity.wire import WireError, fields
from panscript.schemas.counts import count
from panscript.schemas.events import Tokens
from panscript.schemas.naming import model_name

__all__ = ["Response", "of_counts", "response_of"]


class Response(NamedTuple):
    """What a row tells of a request."""

    problem: str | None = None
    """Code of what keeps it from being counted."""
    tokens: Tokens = Tokens()
    model: str | None = None
    name: str | None = None
    """The vendor's id of the response."""
    time: int | None = None
    """When it began, milliseconds since 1970 UTC."""
    steps: tuple[int, ...] = ()
    """Numbers of the steps that it made."""


def response_of(data: bytes) -> Response:
    """What a row says. Never raises: a row that cannot be read is one with a problem."""
    try:
        return _response(data)
    except WireError:
        return Response("invalid_payload")


def _response(data: bytes) -> Response:
    row = fields(data)
    chat = row.message(1)
    if chat is None:
        return Response("invalid_payload")
    steps = tuple(row.numbers(2))
    usage, start = chat.message(4), chat.message(9)
    stamp = start.message(4) if start is not None else None
    model, time = model_name(chat.text(19)), moment(stamp)
    if usage is None:
        return Response("no_token_usage", model=model, time=time, steps=steps)
    # The first field is the number of the model; the fourth, what was written to a cache, is no longer filled.
    tokens = of_counts(usage.number(2), usage.number(3), usage.number(9), usage.number(10), usage.number(5))
    problem = None if tokens.total else "no_token_usage"
    return Response(problem, tokens, model, usage.text(11) or None, time, steps)


def of_counts(fresh: object, output: object, visible: object, thinking: object, read: object) -> Tokens:
    """The counts of a request; `output` holds the thinking, and where it is missing both parts are said."""
    given, thought, cached = count(fresh), count(thinking), count(read)
    made = count(output) or count(visible) + thought
    return Tokens(input=given, output=made, reasoning=thought, cache_read=cached, total=given + made + cached)
