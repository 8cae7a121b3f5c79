"""Parts of Google's GenAI contents as blocks: what was said, what was injected beside it, what a call gave."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from panscript.readers.rawjson import clean_raw
from panscript.schemas.events import COMPACTION_SUMMARY, Block, File, Image, Text, Thinking
from panscript.schemas.genai import Blob, FileData, FunctionResponse, Part, PartList

__all__ = [
    "Piece",
    "command_run",
    "file_of",
    "is_known",
    "parts_of",
    "pieces",
    "responded",
    "said_block",
    "text_of",
    "unknown_in",
]

_INJECTED = {
    "<session_context>": "session_context",
    "<hook_context>": "hook_context",
    "<system-reminder>": "system_reminder",
    "<state_snapshot>": COMPACTION_SUMMARY,
}
_FILES, _FILES_END = "--- Content from referenced files ---", "--- End of content ---"
_MENTION = "file_mention"
_COMMAND = re.compile(
    r"I ran the following shell command:\n```(?:sh)?\n(.*?)\n```\n\n"
    r"This produced the following (?:result|output):\n```\n(.*?)\n?```\s*",
    re.DOTALL,
)


class _Answer(msgspec.Struct):
    output: msgspec.Raw = msgspec.Raw(b"")
    error: msgspec.Raw = msgspec.Raw(b"")


class _Code(msgspec.Struct):
    language: str | None = None
    code: str | None = None
    output: str | None = None


_answer_decoder = msgspec.json.Decoder(_Answer)
_code_decoder = msgspec.json.Decoder(_Code)
_text_decoder = msgspec.json.Decoder(str)


class Piece(NamedTuple):
    """Neighbouring parts of a person's message that have one origin."""

    injected: str | None
    """What put them there; None where the person did."""
    blocks: list[Block]


def parts_of(content: PartList) -> list[Part]:
    """The same content as parts."""
    if content is None:
        return []
    if isinstance(content, str):
        return [Part(text=content)] if content else []
    if isinstance(content, Part):
        return [content]
    return [Part(text=part) if isinstance(part, str) else part for part in content]


def text_of(parts: Iterable[Part]) -> str:
    """The visible text."""
    return "\n\n".join(part.text for part in parts if part.text and not part.thought)


def is_known(part: Part) -> bool:
    """Whether the part is of a kind that can be read."""
    return (
        part.text is not None
        or part.function_call is not None
        or part.function_response is not None
        or part.inline_data is not None
        or part.file_data is not None
        or part.thought_signature is not None
        or bool(bytes(part.executable_code))
        or bool(bytes(part.code_execution_result))
        or bool(bytes(part.video_metadata))
    )


def said_block(part: Part) -> Block | None:
    """What the part says; None for calls and results, and where it says nothing."""
    if part.thought:
        if part.text or part.thought_signature:
            return Thinking(text=part.text or "", signature=part.thought_signature)
        return None
    if part.text is not None:
        return Text(text=part.text) if part.text else None
    if part.inline_data is not None or part.file_data is not None:
        return file_of(part.inline_data, part.file_data)
    for raw in (part.executable_code, part.code_execution_result):
        if bytes(raw):
            return _code(raw)
    return None


def file_of(blob: Blob | None, remote: FileData | None) -> Block:
    """A picture or a document, in the session or elsewhere."""
    media = (blob.mime_type if blob is not None else remote.mime_type if remote is not None else None) or ""
    data = (blob.data or "") if blob is not None else None
    url = (remote.file_uri or "") if blob is None and remote is not None else None
    if media.startswith("image/"):
        return Image(media_type=media, data=data, url=url)
    named = blob if blob is not None else remote
    return File(media_type=media, name=named.display_name if named is not None else None, data=data, url=url)


def _code(raw: msgspec.Raw) -> Block:
    try:
        found = _code_decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Text(text=bytes(clean_raw(raw)).decode("utf-8", "replace"))
    body = found.code if found.code is not None else found.output or ""
    return Text(text=f"```{(found.language or '').lower()}\n{body}\n```")


def pieces(parts: Iterable[Part]) -> list[Piece]:
    """A person's message, parted into what the person said and what the agent put beside it."""
    found: list[Piece] = []
    within = False
    for part in parts:
        block = said_block(part)
        if block is None:
            continue
        injected = None
        if isinstance(block, Text):
            start = block.text.lstrip()
            injected = next((kind for tag, kind in _INJECTED.items() if start.startswith(tag)), None)
            within = within or start.startswith(_FILES)
        if within:
            injected = _MENTION
            within = not (isinstance(block, Text) and block.text.strip().endswith(_FILES_END))
        if found and found[-1].injected == injected:
            found[-1].blocks.append(block)
        else:
            found.append(Piece(injected, [block]))
    return found


def command_run(piece: Piece) -> tuple[str, str] | None:
    """Command and output, where the text tells the model of a command that the person ran."""
    if len(piece.blocks) != 1 or not isinstance(piece.blocks[0], Text):
        return None
    match = _COMMAND.fullmatch(piece.blocks[0].text.strip())
    return (match[1], match[2]) if match is not None else None


def responded(response: FunctionResponse) -> tuple[list[Block], bool]:
    """What a call gave, and whether it says that the call failed."""
    raw, failed = response.response, False
    blocks: list[Block] = []
    if bytes(raw) and bytes(raw) != b"null":
        try:
            answer = _answer_decoder.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            answer = _Answer()
        failed = bool(bytes(answer.error)) and bytes(answer.error) != b"null"
        inner = answer.error if failed else answer.output
        text = _plain(inner if bytes(inner) else raw)
        if text:
            blocks.append(Text(text=text))
    for part in response.parts or ():
        block = said_block(part)
        if block is not None:
            blocks.append(block)
    return blocks, failed


def unknown_in(response: FunctionResponse) -> list[int]:
    """The places of parts beside an answer that are of a kind that is not known."""
    return [place for place, part in enumerate(response.parts or ()) if not is_known(part)]


def _plain(raw: msgspec.Raw) -> str:
    """A JSON string as the text it is, anything else as JSON."""
    clean = clean_raw(raw)
    try:
        return _text_decoder.decode(clean)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return bytes(clean).decode("utf-8", "replace")
