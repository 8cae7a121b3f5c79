"""Content blocks of Claude Code rows, translated."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from panscript.readers.rawjson import clean_raw
from panscript.schemas.claude.lean import Block, ImageSource
from panscript.schemas.events import Block as Content
from panscript.schemas.events import File, Image, Text, Thinking, ToolCall

__all__ = ["CALLS", "Odd", "is_error", "is_result", "result_content", "spoken"]

CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
Odd = list[tuple[tuple[int, ...], str]]
"""Blocks in a result that nobody knows: the way to each, as places in lists, and its type."""
_RESULT = "tool_result"
_IN_RESULTS = frozenset(
    """
    advisor_redacted_result advisor_result bash_code_execution_output bash_code_execution_result
    code_execution_output code_execution_result container_upload encrypted_code_execution_result
    search_result text_editor_code_execution_create_result text_editor_code_execution_str_replace_result
    text_editor_code_execution_view_result tool_search_tool_search_result web_fetch_result web_search_result
    """.split()
)
"""What tools that run at the vendor answer; of some nothing is told."""
_PROBLEM = "_tool_result_error"
_EMPTY = msgspec.Raw(b"{}")


def spoken(block: Block, unanswered: set[str]) -> Content | None:
    """A block that is said or asked for; None for results and for types that are not known."""
    kind = block.type
    if kind == "text":
        return Text(text=block.text or "")
    if kind in CALLS:
        name = block.name or ""
        if block.server_name and kind == "mcp_tool_use":
            name = f"mcp__{block.server_name}__{name}"
        arguments = clean_raw(block.input) if bytes(block.input) else _EMPTY
        answered = bool(block.id) and block.id not in unanswered
        return ToolCall(id=block.id or "", name=name, arguments=arguments, answered=answered)
    if kind == "thinking":
        return Thinking(text=block.thinking or "", signature=block.signature or None)
    if kind == "redacted_thinking":
        return Thinking(signature=block.data, redacted=True)
    if kind == "image":
        return _image(block.source)
    if kind == "document":
        return _document(block)
    return None


def is_result(kind: str | None) -> bool:
    """Whether a block of this type answers a call."""
    return kind is not None and kind.endswith(_RESULT)


def result_content(block: Block, odd: Odd) -> tuple[Content, ...]:
    """What a result block holds, as text and pictures. What nobody knows in it is added to `odd`."""
    content = block.content
    if content is None:
        return ()
    if isinstance(content, str):
        return (Text(text=content),) if content else ()
    if isinstance(content, Block):
        return tuple(_result_item(content, (0,), odd))
    return tuple(item for place, inner in enumerate(content) for item in _result_item(inner, (place,), odd))


def is_error(block: Block) -> bool:
    """Whether the result says that the call failed."""
    if block.is_error:
        return True
    content = block.content
    return isinstance(content, Block) and (content.error_code is not None or "error" in (content.type or ""))


def _result_item(block: Block, way: tuple[int, ...], odd: Odd) -> Iterator[Content]:
    said = spoken(block, set())
    if isinstance(said, ToolCall):
        # Only a model's message asks for tools; here a call is something that is told.
        yield Text(text=f"{said.name} {bytes(said.arguments).decode('utf-8', 'replace')}")
    elif said is not None:
        yield said
    elif block.type == "tool_reference":
        yield Text(text=f"[Tool: {block.tool_name or ''}]")
    else:
        kind = block.type or ""
        if kind not in _IN_RESULTS and not kind.endswith((_RESULT, _PROBLEM)):
            odd.append((way, kind or "(no type)"))
        yield from _server_result(block, way, odd)


def _server_result(block: Block, way: tuple[int, ...], odd: Odd) -> Iterator[Content]:
    """Results of tools that ran at the vendor: search hits, fetched pages, program output, errors."""
    lines = [part for part in (block.title, block.url, block.text, block.stdout, block.stderr) if part]
    if block.error_code:
        lines.append(f"Error: {block.error_code}")
    if lines:
        yield Text(text="\n".join(lines))
    inner = block.content
    if isinstance(inner, str):
        yield Text(text=inner)
    elif isinstance(inner, Block):
        yield from _result_item(inner, (*way, 0), odd)
    else:
        for place, item in enumerate(inner or ()):
            yield from _result_item(item, (*way, place), odd)


def _image(source: ImageSource | None) -> Image:
    if source is None:
        return Image(path="")
    if source.data is not None:
        return Image(media_type=source.media_type or "", data=source.data)
    if source.url is not None:
        return Image(media_type=source.media_type or "", url=source.url)
    return Image(media_type=source.media_type or "", path=source.file_id or "")


def _document(block: Block) -> File:
    source = block.source or ImageSource()
    return File(media_type=source.media_type or "", name=block.title, data=source.data, url=source.url)
