"""Parts of OpenCode's messages, translated."""

from __future__ import annotations

import base64
import binascii
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

import msgspec

from panscript.readers.rawjson import clean_raw
from panscript.schemas import timestamps
from panscript.schemas.events import NO_RAW, Block, File, Image, Status, Text, Thinking, ToolCall
from panscript.schemas.opencode.lean import Part, State, StateMetadata, metadata_decoder

__all__ = [
    "SHELL_NOTE",
    "STATE_TYPES",
    "call_of",
    "details_of",
    "duration_of",
    "file_of",
    "is_answered",
    "metadata_of",
    "result_blocks",
    "result_status",
    "thinking_of",
    "unknown_in",
]

STATE_TYPES = frozenset({"step-start", "step-finish", "snapshot", "patch", "agent", "retry", "compaction"})
"""Parts by which the agent keeps its books; no model reads them."""
SHELL_NOTE = "The following tool was executed by the user"
"""All that a message says of a command that the person ran; the next message has it as a call."""
_ATTACHED = frozenset({None, "file"})
_ANSWERED = frozenset({"completed", "error"})
_SIGNATURES = ("signature", "reasoningEncryptedContent", "encryptedContent", "thoughtSignature")
_EMPTY = msgspec.Raw(b"{}")


def call_of(part: Part) -> ToolCall:
    """What the model asked for."""
    state = part.state or State()
    given = bytes(state.input)
    arguments = clean_raw(state.input) if given and given != b"null" else _EMPTY
    text = state.raw if arguments == _EMPTY and state.raw else None
    return ToolCall(
        id=part.call_id or "",
        name=part.tool or "",
        arguments=NO_RAW if text is not None else arguments,
        text=text,
        answered=is_answered(part),
    )


def is_answered(part: Part) -> bool:
    """Whether the call of this part came to an end."""
    return part.state is not None and part.state.status in _ANSWERED


def result_blocks(state: State) -> tuple[Block, ...]:
    """What the model was given as the result of a call."""
    text = state.error if state.status == "error" else state.output
    blocks: list[Block] = [Text(text=text)] if text else []
    blocks.extend(file_of(each) for each in state.attachments or () if each.type in _ATTACHED or each.url)
    return tuple(blocks)


def unknown_in(part: Part) -> list[tuple[int, str]]:
    """The places and types of what is beside a result and not known."""
    beside = (part.state.attachments if part.state is not None else None) or ()
    return [(place, each.type or "") for place, each in enumerate(beside) if each.type not in _ATTACHED]


def result_status(state: State) -> Status:
    """How a call ended. A command that failed is completed, and tells its exit status apart."""
    if state.status == "error":
        return "error"
    code = metadata_of(state).exit
    return "error" if type(code) is int and code else "ok"


def metadata_of(state: State) -> StateMetadata:
    """What a tool tells programs."""
    try:
        return metadata_decoder.decode(state.metadata)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return StateMetadata()


def details_of(state: State) -> msgspec.Raw:
    """All that a tool tells programs, where it tells any."""
    return NO_RAW if bytes(state.metadata) in (b"", b"null", b"{}") else clean_raw(state.metadata)


def duration_of(state: State) -> int | None:
    """How long a tool worked, in milliseconds."""
    start = timestamps.parse(state.time.start) if state.time is not None else None
    end = timestamps.parse(state.time.end) if state.time is not None else None
    return end - start if start is not None and end is not None and end >= start else None


def thinking_of(part: Part) -> Thinking:
    """Reasoning, with the proof that the vendor gave, which the metadata holds by the name of a provider."""
    proof: str | None = None
    for found in _metadata(part).values():
        if not isinstance(found, dict):
            continue
        withheld = found.get("redactedData")
        if isinstance(withheld, str) and withheld:
            return Thinking(text=part.text or "", signature=withheld, redacted=True)
        proof = proof or next((value for name in _SIGNATURES if isinstance(value := found.get(name), str)), None)
    return Thinking(text=part.text or "", signature=proof or None)


def _metadata(part: Part) -> dict[str, Any]:
    if bytes(part.metadata) in (b"", b"null", b"{}"):
        return {}
    found = msgspec.json.decode(clean_raw(part.metadata))
    return found if isinstance(found, dict) else {}


def file_of(part: Part) -> Block:
    """A picture or another file, given as its data or as where it is."""
    media, url = part.mime or "", part.url or ""
    if url.startswith("data:"):
        kind, data, is_base64 = _data_of(url)
        media = media or kind
        if media.startswith("image/"):
            return Image(media_type=media, data=data if is_base64 else base64.b64encode(data.encode()).decode())
        return File(media_type=media, name=part.filename, data=_plain(data) if _is_text(media, is_base64) else data)
    if media.startswith("image/"):
        if url.startswith("file:"):
            return Image(media_type=media, path=unquote(url.removeprefix("file://")))
        return Image(media_type=media, url=url)
    return File(media_type=media, name=part.filename, url=url)


def _data_of(url: str) -> tuple[str, str, bool]:
    """Media type, content, and whether that is base64, of a data URL."""
    head, _, data = url.removeprefix("data:").partition(",")
    kind, *rest = head.split(";")
    if "base64" in rest:
        return kind, data, True
    return kind, unquote_to_bytes(data).decode("utf-8", "replace"), False


def _is_text(media: str, is_base64: bool) -> bool:
    return is_base64 and media.startswith("text/")


def _plain(data: str) -> str:
    try:
        return base64.b64decode(data, validate=True).decode()
    except (binascii.Error, ValueError):
        return data
