"""The first look at a session: its documents in pieces, and what the whole of them says."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from panscript.readers.cline.facts import Facts, facts_of, manifest_of
from panscript.readers.cline.files import API, INTERFACE, MESSAGES
from panscript.readers.cline.requests import Spent, match, request_of
from panscript.readers.cline.wrapping import cwd_in, model_in, spoken
from panscript.readers.document import load
from panscript.readers.elements import Document, Piece, cut, decoded, pieces
from panscript.schemas import timestamps
from panscript.schemas.cline.lean import Message, Shown
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["Form", "Part", "Survey", "survey"]

Form = Literal["api", "interface", "manifest"]
_message = msgspec.json.Decoder(Message)
_shown = msgspec.json.Decoder(Shown)
_ROLES = frozenset({"role"})
_SAYS = frozenset({"say", "ask"})


class Part:
    """One file of a session."""

    def __init__(self, path: str, report: FileReport | None) -> None:
        self.name = name = Path(path).name
        data = load(path)
        start = data[:4096].lstrip(b"\0\xef\xbb\xbf \t\r\n")
        array = ""
        if name in INTERFACE:
            self.form: Form = "interface"
        elif name.endswith(MESSAGES) or (start.startswith(b"{") and b'"messages"' in data):
            self.form, array = "api", "messages"
        elif name == API:
            self.form = "api"
        elif start.startswith(b"{"):
            self.form = "manifest"
        else:
            self.form = "interface" if b'"say"' in data else "api"
        keys = _SAYS if self.form == "interface" else _ROLES
        self.data = data if self.form == "manifest" else b""
        self.document: Document = cut(data, {array: keys} if self.form != "manifest" else {})
        self.document.account(report)
        self.is_silent = self.form != "manifest" and self.document.is_no_array(array)
        """What should be its messages are none."""
        self.pieces: list[Piece] = list(pieces(data, self.document))
        self.messages: dict[int, Message] = {}
        self.shown: dict[int, Shown] = {}
        for piece in self.pieces:
            if piece.element is None:
                continue
            if self.form == "api":
                message = decoded(piece.view, _message, report, piece.line)
                if message is not None:
                    self.messages[piece.element] = message
            else:
                row = decoded(piece.view, _shown, report, piece.line)
                if row is not None:
                    self.shown[piece.element] = row

    @property
    def whole(self) -> bool:
        """Whether all of it could be read."""
        return (
            not self.document.damaged
            and not self.is_silent
            and len(self.messages) + len(self.shown) == len(self.document.elements)
        )

    def text(self, name: str) -> str | None:
        """A member of the document that is a text."""
        try:
            value = msgspec.json.decode(self.document.facts.get(name, b"null"))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        return value or None if isinstance(value, str) else None


class Survey:
    """A session; elements of each array are counted from 0."""

    def __init__(self, source: Source, report: FileReport | None) -> None:
        self.facts: Facts = facts_of(source)
        self.parts = [Part(file.path, report) for file in source.transcripts]
        self.messages = next((part.messages for part in self.parts if part.form == "api" and part.messages), {})
        self.shown = next((part.shown for part in self.parts if part.form == "interface" and part.shown), {})
        self.session_id = next((name for part in self.parts if (name := part.text("sessionId"))), source.id)
        manifest = next((part for part in self.parts if part.form == "manifest"), None)
        self.is_manifest = manifest is not None and manifest_of(manifest.data, self.facts)
        if self.is_manifest and self.facts.manifest is not None:
            self.session_id = self.facts.manifest.session_id or self.session_id
        self.unanswered: set[str] = set()
        self.parent = self.facts.parent or source.parent
        self.environment_model: str | None = None
        """As the last description of the surroundings names it."""
        self.cwd = self.facts.cwd
        self.first_prompt: str | None = None
        self.first: int | None = None
        self.last: int | None = None
        self.requests: dict[int, Spent] = {
            element: spent for element, row in self.shown.items() if (spent := request_of(row)) is not None
        }
        self.answers, self.times = match(self.messages, self.shown, self.requests)
        self._look()

    @property
    def understood(self) -> bool:
        """Whether anything in it is of the family."""
        said = any(message.role or message.type for message in self.messages.values())
        return said or any(row.say or row.ask for row in self.shown.values()) or self.is_manifest

    @property
    def model(self) -> str | None:
        """The model of the last response."""
        for message in reversed(self.messages.values()):
            info = message.model_info
            if message.role == "assistant" and info is not None and (info.model_id or info.id):
                return info.model_id or info.id
        last = next(reversed(self.requests.values()), None)
        return (last.model if last is not None else None) or self.default_model(None)

    def default_model(self, time: int | None) -> str | None:
        """The model of a response that names none."""
        return self.facts.in_use(time)[0] or self.environment_model or self.facts.model

    def default_provider(self, time: int | None) -> str | None:
        """The provider of a response that names none."""
        return self.facts.in_use(time)[1] or self.facts.provider

    def _look(self) -> None:
        times = [time for time in (self.facts.created, self.facts.modified) if time is not None]
        for message in self.messages.values():
            time = timestamps.parse(message.ts)
            times.extend([time] if time is not None else [])
            texts = [message.content] if isinstance(message.content, str) else []
            for block in message.content if isinstance(message.content, list) else ():
                if block.type == "tool_use" and block.id:
                    self.unanswered.add(block.id)
                elif block.type == "tool_result":
                    self.unanswered.discard(block.tool_use_id or "")
                elif block.type == "text" and block.text:
                    texts.append(block.text)
            if message.role == "user":
                self._texts(texts)
        for row in self.shown.values():
            time = timestamps.parse(row.ts)
            times.extend([time] if time is not None else [])
        if not self.messages:
            first = next((row for row in self.shown.values() if row.say in ("task", "text")), None)
            self.first_prompt = first.text if first is not None else self.facts.prompt
        if self.parent is not None:
            self.first_prompt = None
        self.first, self.last = (min(times), max(times)) if times else (None, None)

    def _texts(self, texts: list[str]) -> None:
        for text in texts:
            if "<environment_details>" in text:
                self.environment_model = model_in(text) or self.environment_model
                self.cwd = self.cwd or cwd_in(text)
            if self.first_prompt is None:
                self.first_prompt = spoken(text).typed.strip() or None


def survey(source: Source, report: FileReport | None = None) -> Survey:
    """Read a session. Raises `SourceError`s; what in it cannot be read is counted in the report."""
    return Survey(source, report)
