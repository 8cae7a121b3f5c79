"""A stand-in for a model provider on this machine: it answers every request with the same words and keeps the request.

Below any prefix it speaks the streamed chat completions and the streamed responses of the OpenAI API, and the streamed
messages of the Anthropic API. Another API is one more function in ``_SPOKEN``.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["INPUT_TOKENS", "OUTPUT_TOKENS", "REPLY", "Request", "StandInModel", "Turn", "chat_turns", "stand_in_model"]

REPLY = "Noted by the stand-in model."
INPUT_TOKENS = 100
OUTPUT_TOKENS = 3


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it arrived: the path with its prefix, and the decoded body."""

    path: str
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a request. ``calls``: (id, name, arguments as text); ``answers``: the id a tool result is for."""

    role: str
    text: str
    calls: tuple[tuple[str, str, str], ...] = ()
    answers: str | None = None


@dataclass(slots=True)
class StandInModel:
    """A running stand-in: where it listens and what it was asked."""

    url: str
    requests: list[Request] = field(default_factory=list)

    def asked_below(self, prefix: str) -> list[Request]:
        """The requests whose path begins with ``prefix``, in the order of their arrival."""
        return [request for request in self.requests if request.path.startswith(prefix)]


def chat_turns(body: dict[str, Any]) -> list[Turn]:
    """The messages of a chat completions request as turns."""
    return [
        Turn(
            message["role"],
            _text(message.get("content")),
            tuple((c["id"], c["function"]["name"], c["function"]["arguments"]) for c in message.get("tool_calls", ())),
            message.get("tool_call_id"),
        )
        for message in body["messages"]
    ]


def _text(content: str | list[dict[str, Any]] | None) -> str:
    if isinstance(content, list):
        return "\n\n".join(part["text"] for part in content if part.get("type") == "text")
    return content or ""


def _chat_completion() -> Iterator[bytes]:
    base = {"id": "reply", "object": "chat.completion.chunk", "created": 1, "model": "stand-in"}
    usage = {
        "prompt_tokens": INPUT_TOKENS,
        "completion_tokens": OUTPUT_TOKENS,
        "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
    }
    said = {"index": 0, "delta": {"role": "assistant", "content": REPLY}, "finish_reason": None}
    for more in (
        {"choices": [said]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": usage},
    ):
        yield b"data: " + json.dumps(base | more).encode() + b"\n\n"
    yield b"data: [DONE]\n\n"


def _response() -> Iterator[bytes]:
    content = [{"type": "output_text", "text": REPLY, "annotations": []}]
    said = {"type": "message", "id": "msg_reply", "role": "assistant", "status": "completed", "content": content}
    usage = {
        "input_tokens": INPUT_TOKENS,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": OUTPUT_TOKENS,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
    }
    for kind, more in (
        ("response.created", {"response": {"id": "resp_reply"}}),
        ("response.output_item.done", {"output_index": 0, "item": said}),
        ("response.completed", {"response": {"id": "resp_reply", "usage": usage}}),
    ):
        yield f"event: {kind}\ndata: {json.dumps({'type': kind} | more)}\n\n".encode()


def _message() -> Iterator[bytes]:
    # An agent may take two answers with one id for two parts of one answer, so every answer has its own.
    usage = {"input_tokens": INPUT_TOKENS, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    begun: dict[str, Any] = {"id": f"msg_{uuid.uuid4().hex}", "type": "message", "role": "assistant"}
    begun |= {"model": "stand-in", "content": [], "stop_reason": None, "stop_sequence": None}
    begun |= {"usage": usage | {"output_tokens": 1}}
    ended = {"delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": OUTPUT_TOKENS}}
    for kind, more in (
        ("message_start", {"message": begun}),
        ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
        ("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": REPLY}}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", ended),
        ("message_stop", {}),
    ):
        yield f"event: {kind}\ndata: {json.dumps({'type': kind} | more)}\n\n".encode()


_SPOKEN = {"/chat/completions": _chat_completion, "/responses": _response, "/v1/messages": _message}


@contextmanager
def stand_in_model() -> Iterator[StandInModel]:
    """Listen on a free port of 127.0.0.1 until the block is left."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            model.requests.append(Request(self.path, json.loads(body)))
            speak = next((speak for end, speak in _SPOKEN.items() if self.path.partition("?")[0].endswith(end)), None)
            self.send_response(404 if speak is None else 200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            for piece in speak() if speak else ():
                self.wfile.write(piece)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
            """Say nothing: the requests are kept."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    model = StandInModel(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
