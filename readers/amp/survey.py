"""The first look at an Amp thread: the document in pieces, and what the whole of it says."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from panscript.readers.amp.files import beside, is_thread
from panscript.readers.document import load
from panscript.readers.elements import Document, Piece, cut, decoded, pieces
from panscript.schemas import timestamps
from panscript.schemas.amp.lean import Environment, LedgerEvent, Message, Relationship
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["LEDGER", "MESSAGES", "Survey", "survey"]

MESSAGES = "messages"
LEDGER = "usageLedger.events"
_ARRAYS = {MESSAGES: frozenset({"role"}), LEDGER: frozenset({"operationType", "tokens"})}
_message = msgspec.json.Decoder(Message)
_event = msgspec.json.Decoder(LedgerEvent)
_environment = msgspec.json.Decoder(Environment)
_relationship = msgspec.json.Decoder(Relationship)


class Survey:
    """A thread; messages and ledger events are counted from 0 among the elements of the document."""

    def __init__(self, source: Source, data: bytes, report: FileReport | None) -> None:
        self.document: Document = cut(data, _ARRAYS)
        self.document.account(report)
        self.pieces: list[Piece] = list(pieces(data, self.document))
        self.messages: dict[int, Message] = {}
        self.ledger: dict[int, LedgerEvent] = {}
        self.order: dict[int, int] = {}
        """Element -> its number among the messages."""
        self._facts = self.document.facts
        self._source = source
        self._decode(report)
        self.unanswered: set[str] = set()
        self.model: str | None = None
        self.first_prompt: str | None = None
        self.first: int | None = None
        self.last: int | None = None
        self._times: list[int] = []
        self.counted_there: dict[str, str] = {}
        """Sub-agent thread whose file is there, and counts itself -> its path."""
        stated = self._text("id")
        self.session_id = stated or source.id
        self.is_named = stated is not None or is_thread(Path(source.path).name)
        """Whether it is known which thread this is: the document says it, or the name of its file does."""
        self.created = timestamps.parse(self._value("created"))
        self.title = self._text("title")
        self.main = self._text("mainThreadID") or source.parent
        self._relations()
        self._surroundings()
        self._look()

    @property
    def understood(self) -> bool:
        """Whether there is anything in it that makes it a thread."""
        return bool(self.messages or self.ledger) or self._text("id") is not None

    @property
    def is_silent(self) -> bool:
        """Whether what should be its messages are none."""
        return self.document.is_no_array(MESSAGES)

    @property
    def whole(self) -> bool:
        """Whether every element could be read."""
        return not self.is_silent and len(self.messages) + len(self.ledger) == len(self.document.elements)

    def _decode(self, report: FileReport | None) -> None:
        count = 0
        for piece in self.pieces:
            if piece.element is None:
                continue
            if piece.array == LEDGER:
                event = decoded(piece.view, _event, report, piece.line)
                if event is not None:
                    self.ledger[piece.element] = event
                continue
            self.order[piece.element] = count
            count += 1
            message = decoded(piece.view, _message, report, piece.line)
            if message is not None:
                self.messages[piece.element] = message

    def _value(self, name: str) -> object:
        try:
            return msgspec.json.decode(self._facts.get(name, b"null"))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def _text(self, name: str) -> str | None:
        value = self._value(name)
        return value.strip() or None if isinstance(value, str) else None

    def _relations(self) -> None:
        origin = self._text("originThreadID")
        point = self._value("forkPointIndex")
        other: str | None = None
        for member in self._list("relationships"):
            link = decoded(bytes(member), _relationship, None, 0)
            # The role is what this thread is to the other one.
            if link is None or link.role != "child" or not link.thread_id:
                continue
            other = other or link.thread_id
            if link.type == "fork":
                origin = origin or link.thread_id
                point = link.message_index if point is None else point
        self.forked_from = origin
        self.copied_to = point if origin is not None and type(point) is int else -1
        """Number of the last message that was copied from the thread this one was forked from."""
        self.parent = other or origin or self.main

    def _list(self, name: str) -> list[msgspec.Raw]:
        try:
            return msgspec.json.decode(self._facts.get(name, b"[]"), type=list[msgspec.Raw])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return []

    def _surroundings(self) -> None:
        raw = self._facts.get("env")
        found = decoded(raw, _environment, None, 0) if raw is not None else None
        initial = found.initial if found is not None else None
        tree = initial.trees[0] if initial is not None and initial.trees else None
        self.version = initial.platform.client_version if initial is not None and initial.platform else None
        ref = tree.repository.ref if tree is not None and tree.repository is not None else None
        self.branch = ref.removeprefix("refs/heads/") or None if ref else None
        self.cwd = (_path(tree.uri) if tree is not None and tree.uri else None) or (
            initial.cwd if initial is not None else None
        )

    def _look(self) -> None:
        for message in self.messages.values():
            spent = message.usage
            self._time(message.meta.sent_at if message.meta is not None else None)
            self._time(spent.timestamp if spent is not None else None)
            if message.role == "assistant":
                self.model = (spent.model if spent is not None else None) or message.model or self.model
            self._blocks(message)
        for event in self.ledger.values():
            self._time(event.timestamp)
            thread = event.subagent_thread_id
            if event.operation_type == "subagent" and thread and thread not in self.counted_there:
                found = beside(self._source.path, thread)
                if found is not None:
                    self.counted_there[thread] = str(found)
        times = ([self.created] if self.created is not None else []) + self._times
        self.first, self.last = (min(times), max(times)) if times else (None, None)

    def _time(self, value: object) -> None:
        time = timestamps.parse(value)
        if time is not None:
            self._times.append(time)

    def _blocks(self, message: Message) -> None:
        blocks = message.content
        if isinstance(blocks, str):
            texts = [blocks]
        else:
            texts = []
            for block in blocks or ():
                if block.type in ("tool_use", "server_tool_use") and block.id:
                    self.unanswered.add(block.id)
                elif block.type == "tool_result":
                    self.unanswered.discard(block.tool_use_id or "")
                elif block.type == "text" and block.text and not block.hidden:
                    texts.append(block.text)
        if message.role == "user" and self.first_prompt is None and self.main is None:
            self.first_prompt = next((text for text in texts if text.strip()), None)


def _path(uri: str) -> str | None:
    """The folder that a `file://` URI names; a plain path is one itself."""
    if not uri.startswith("file:"):
        return uri
    try:
        path = unquote(urlsplit(uri).path)
    except ValueError:
        return None
    # `file:///c:/x` names a drive.
    return path[1:] if len(path) > 2 and path[2] == ":" else path or None


def survey(source: Source, report: FileReport | None = None) -> Survey:
    """Read a thread. Raises `SourceError`s; what in it cannot be read is counted in the report."""
    return Survey(source, load(source.transcripts[-1].path), report)
