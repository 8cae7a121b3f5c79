"""A session written for Claude Code, taken apart again as plain JSON."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from typing import Any

import msgspec

from panscript.schemas.events import Event, Session
from panscript.schemas.report import FileReport
from panscript.stages.prepare import prepare
from panscript.writers.claude import write
from panscript.writers.options import WriteOptions
from tests.builders import START, session

__all__ = ["OPTIONS", "PDF", "PNG", "Written", "signed"]

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 30).decode()
PDF = base64.b64encode(b"%PDF-1.7").decode()
OPTIONS = WriteOptions(imported_at=START + 86_400_000, importer="panscript test")
_CHAIN = frozenset({"user", "assistant", "system"})


class Written:
    """A written session."""

    def __init__(self, events: Iterable[Event], *, first: Session | None = None, **options: Any) -> None:
        self.report = FileReport(path="")
        wanted = msgspec.structs.replace(OPTIONS, **options)
        stream = prepare([first or session(), *events], all_branches=wanted.all_branches, report=self.report)
        sink = io.BytesIO()
        self.last = write(stream, sink, options=wanted, report=self.report)
        self.bytes = sink.getvalue()
        self.lines: list[dict[str, Any]] = [msgspec.json.decode(line) for line in self.bytes.splitlines()]
        self.rows = [line for line in self.lines if line["type"] in _CHAIN]
        self.head: dict[str, Any] = next(line["data"] for line in self.lines if line["type"] == "panscript-import")
        self.parts: list[dict[str, Any]] = [
            line["data"] for line in self.lines if line["type"] == "panscript-import-part"
        ]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The rows of a type or subtype."""
        return [row for row in self.lines if kind in (row["type"], row.get("subtype"))]

    @property
    def said(self) -> list[Any]:
        """What the messages of all rows hold, in order."""
        return [row["message"]["content"] for row in self.rows if "message" in row]

    @property
    def results(self) -> list[dict[str, Any]]:
        """The result blocks."""
        blocks = [block for content in self.said if isinstance(content, list) for block in content]
        return [block for block in blocks if block["type"] == "tool_result"]

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The blocks that ask for tools."""
        blocks = [block for content in self.said if isinstance(content, list) for block in content]
        return [block for block in blocks if block["type"] == "tool_use"]

    @property
    def kinds(self) -> list[str]:
        """The type of each row, for those of an answer that of its block."""
        return [
            row["message"]["content"][0]["type"] if row["type"] == "assistant" else row.get("subtype", row["type"])
            for row in self.rows
        ]

    def path(self) -> list[dict[str, Any]]:
        """The rows that the agent goes on from: from the last one up to one without a parent."""
        by_name = {row["uuid"]: row for row in self.rows}
        here, found = self.rows[-1], [self.rows[-1]]
        while here["parentUuid"] is not None:
            here = by_name[here["parentUuid"]]
            found.append(here)
        return found[::-1]

    def gathered(self, field: str) -> dict[str, Any]:
        """A field of the record over all of its parts."""
        return {key: value for part in self.parts for key, value in part.get(field, {}).items()}

    def listed(self, field: str) -> list[Any]:
        """A list of the record over all of its parts."""
        return [value for part in self.parts for value in part.get(field, [])]

    @property
    def context(self) -> list[tuple[str, str]]:
        """Texts that stand only in the record, with what put them there."""
        return [(text.get("kind", ""), text["text"]) for text in self.listed("context")]


def signed(text: str = "deep", signature: str = "c2ln") -> dict[str, str]:
    """A block of thinking as the vendor takes it back."""
    return {"type": "thinking", "thinking": text, "signature": signature}
