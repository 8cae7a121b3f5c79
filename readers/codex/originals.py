"""What was imported into Codex, as it was before: ids, names, outcomes and the person's own commands."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from panscript.readers.imported import Imported
from panscript.schemas.codex.lean import Payload
from panscript.schemas.codex.texts import shell_parts, shell_split
from panscript.schemas.events import NO_RAW, Block, Text, ToolCall
from panscript.schemas.import_lean import Command, Outcome

__all__ = ["judged", "kept_away", "original", "ran"]


def original(call: ToolCall, imported: Imported) -> ToolCall:
    """The call under its own id and name, with its own arguments."""
    text, _ = imported.text_of(call.id, call.arguments)
    found = replace(call, id=imported.original(call.id), name=imported.original(call.name))
    return found if text is None else replace(found, text=text, arguments=NO_RAW)


def judged(content: tuple[Block, ...], bad: bool, outcome: Outcome | None) -> tuple[tuple[Block, ...], bool]:
    """A result without the words that were added to say that it failed, and whether it did."""
    if outcome is None:
        return content, bad
    first = content[0] if content else None
    if not outcome.added or not isinstance(first, Text):
        return content, outcome.error
    text = first.text[outcome.added :]
    return ((Text(text=text), *content[1:]) if text else content[1:]), outcome.error


def ran(text: str, known: Command | None = None) -> dict[str, Any]:
    """The facts of a command that the person ran, from what the model was told of it and from the record."""
    command, output, exit_code = shell_parts(text)
    if known is None:
        return {"command": command, "output": output, "exit_code": exit_code}
    split = shell_split(text, known.length) if known.length is not None else None
    command, output = split if split is not None else (command, output)
    return {"command": command, "output": output, **_facts(known)}


def kept_away(payload: Payload, known: Command) -> dict[str, Any]:
    """The same of a command that was kept away from the model."""
    command = payload.command[-1] if payload.command else ""
    return {"command": command, "output": payload.aggregated_output or "", **_facts(known)}


def _facts(known: Command) -> dict[str, Any]:
    return {
        "exit_code": known.exit_code,
        "cancelled": known.cancelled,
        "truncated": known.truncated,
        "excluded": known.excluded,
    }
