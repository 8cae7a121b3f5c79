"""Session files that may hold copies of each other: what in each of them is its own."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import astuple

from panscript.schemas.agents import agent
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import Session
from panscript.schemas.packed import PackedMap
from panscript.schemas.projections import MessageLine, Projection, SessionMetaLine, Told, ToolCallLine, UsageLine
from panscript.schemas.records import Source
from panscript.stages.holding import Holder, Room

__all__ = ["Answer", "Group", "Own", "ToldFile", "answer", "billed", "holds_copies"]

Answer: TypeAlias = tuple[str, str | msgspec.UnsetType, int | msgspec.UnsetType]
"""How a call ended: status, time, duration."""
_NEVER = 1 << 62
_CALL, _SPOKEN = 1, 2
"""What a line is, where it matters: a call; something that has its place in the conversation."""
_COPY, _SIDE = 1, 2
"""The line is a copy; it stands beside its session's own conversation."""


class ToldFile(NamedTuple):
    """A session file that can be read once."""

    source: Source
    read: Callable[[Callable[[Session], None]], Iterator[Told]]
    """Its projections; the function handed in is told of the session. Raises `SourceError`s."""
    forked_from: str | None = None
    """Agent id of the sub-agent of the same session that this one was forked from."""


class Own:
    """What the files of an agent say of their own sessions, for those of its forks that tell for one that is not there:
    such a fork holds what its parent had copied from a session before it, too."""

    def __init__(self) -> None:
        self.groups: list[Group] = []
        """All files of the agent."""
        self._said = PackedMap()

    def add(self, key: int) -> None:
        """A file says this of its own session."""
        self._said.put(key, 1)

    def has(self, key: int) -> bool:
        """Whether any file says this of its own session. All of them are read first."""
        for group in self.groups:
            group.prepare()
        return self._said.get(key) is not None


class _Member:
    """A file of a group: what it says, and for each line what tells copies (31 bytes a line)."""

    def __init__(self, file: ToldFile, room: Room, own: Own | None = None) -> None:
        self._file = file
        self._own = own
        self.relabelled: dict[int, int] = {}
        """Lines told for a session that is not there -> what `Own` knows them by."""
        self.lines = Holder(room)
        self.strong = array("q")
        self.weak = array("q")
        self.responses = array("q")
        self.places = array("I")
        self.flags = bytearray()
        self.kinds = bytearray()
        self.session: Session | None = None
        self.side = file.source.agent_id is not None
        self._copies_files = agent(file.source.agent).copies_files
        self.name = (file.source.parent, file.source.agent_id)
        self.forked_from = (file.source.parent, file.forked_from) if file.forked_from is not None else None
        self.failure: PanscriptError | None = None

    def hold(self) -> None:
        """Read the file and keep what it says."""
        try:
            for line in self.stream():
                self.lines.append(line)
        except PanscriptError as error:
            self.failure = error
            self.close()

    def stream(self) -> Iterator[Projection]:
        """Read the file and keep only what tells copies."""
        for told in self._file.read(self._begins):
            self._add(told)
            yield told.line

    def _begins(self, session: Session) -> None:
        self.session = session

    def _add(self, told: Told) -> None:
        line = told.line
        kind = 0 if isinstance(line, UsageLine | SessionMetaLine) else _SPOKEN
        if isinstance(line, ToolCallLine):
            kind |= _CALL
        response = 0
        if not isinstance(line, SessionMetaLine) and line.message_id:
            response = _signed(hash(line.message_id))
        if self._own is not None:
            self._place(told, self._own)
        same = _copied(told, self.name[1]) if self._copies_files else _identity(told)
        self.strong.append(_signed(hash(same)))
        weak = 0
        if isinstance(line, MessageLine):
            weak = _signed(hash((line.timestamp, line.role, told.said)))
        elif self.side and response and isinstance(line, UsageLine) and not self._copies_files:
            weak = _signed(hash((self.name[0], response, line.timestamp)))
        self.weak.append(weak)
        self.responses.append(response)
        self.places.append(min(told.place, 0xFFFFFFFF))
        self.kinds.append(kind)
        # Rows of sub-agents inside their parent's file are a conversation beside it, too; the reader counted for both.
        inside = kind != 0 and self.session is not None and self.session.session_id != line.session_id
        self.flags.append(_SIDE if self.side or inside else 0)

    def _place(self, told: Told, own: Own) -> None:
        """Note whose line this is; agents that relabel have a file for each session."""
        key = _signed(hash(_shared(told)))
        if self.session is None or told.line.session_id in (self.session.session_id, self.session.billed_to):
            own.add(key)
        else:
            self.relabelled[len(self.strong)] = key

    def close(self) -> None:
        self.lines.close()
        self.strong, self.weak, self.responses, self.places = array("q"), array("q"), array("q"), array("I")
        self.flags, self.kinds = bytearray(), bytearray()


class Group:
    """Files that may hold copies of each other."""

    def __init__(self, own: Own | None = None) -> None:
        """`own`: where the agent's forks tell for sessions that are not there."""
        self.files: list[ToldFile] = []
        self._own = own
        self._members: dict[int, _Member] = {}
        self._answers: dict[int, Answer] = {}
        self._room = Room()
        self._prepared = False

    def told(self, file: ToldFile) -> Iterator[Projection]:
        """What one of them says that is its own. To be asked once for each file."""
        if not self._prepared and self._comes_first(file):
            self._members[id(file)] = member = _Member(file, self._room)
            yield from member.stream()
            return
        self.prepare()
        member = self._members.pop(id(file))
        if member.failure is not None:
            raise member.failure
        try:
            for number, line in enumerate(member.lines):
                if member.flags[number] & _COPY:
                    continue
                if number in member.relabelled and self._own is not None and self._own.has(member.relabelled[number]):
                    continue
                if isinstance(line, ToolCallLine) and line.status == "unknown" and self._answers:
                    answer(line, self._answers.get(member.strong[number]))
                yield line
        finally:
            member.close()

    def _comes_first(self, file: ToldFile) -> bool:
        """Whether nothing that the others say can change what this one does: they are its sub-agents."""
        source = file.source
        is_known = holds_copies(source) and source.agent_id is None
        return is_known and all(other is file or other.source.agent_id is not None for other in self.files)

    def prepare(self) -> None:
        """Read all of them and decide what belongs where; does nothing the second time."""
        if self._prepared:
            return
        self._prepared = True
        members: list[_Member] = []
        for file in self.files:
            member = self._members.get(id(file))
            if member is None:
                member = _Member(file, self._room, self._own)
                member.hold()
            members.append(member)
        self._members = {id(file): member for file, member in zip(self.files, members, strict=True)}
        self._find_answers([member for member in members if not member.side])
        source = self.files[0].source
        if holds_copies(source):
            ranked = _ranked(members)
            _decide(ranked) if agent(source.agent).response_ids else _keep_first(ranked)

    def _find_answers(self, members: list[_Member]) -> None:
        """Calls that have a result in one file and none in another. What a sub-agent replays as the result of the call
        that started it is none."""
        if len(members) < 2:
            return
        copied, once = set[int](), PackedMap()
        for number, member in enumerate(members):
            for key, kind in zip(member.strong, member.kinds, strict=True):
                if kind & _CALL:
                    first = once.get(key)
                    if first is None:
                        once.put(key, number)
                    elif first != number:
                        copied.add(key)
        if not copied:
            return
        for member in members:
            for key, line in zip(member.strong, member.lines, strict=True):
                if key in copied and isinstance(line, ToolCallLine) and line.status != "unknown":
                    self._answers.setdefault(key, (line.status, line.completed_at, line.duration_ms))


def holds_copies(source: Source) -> bool:
    """Whether sessions of other ids may say what this one says."""
    found = agent(source.agent)
    return found.response_ids or found.copies_files


def answer(line: ToolCallLine, known: Answer | None) -> None:
    """Let a call end as it is known to."""
    if known is not None:
        line.status, line.completed_at, line.duration_ms = known  # type: ignore[assignment]


def _ranked(members: list[_Member]) -> list[_Member]:
    """The files in the order of who keeps a copy: sub-agents last and of those their forks, else the session that began
    first. Sessions that began with the same record are told apart by their end, since one that was gone on from
    elsewhere ended; of one session's files the fuller one comes first."""
    ends: dict[str, int] = {}
    for member in members:
        if (session := member.session) is not None:
            ends[session.session_id] = max(ends.get(session.session_id, 0), session.modified or 0)

    origins = {member.name: member.forked_from for member in members if member.side}

    def forks(member: _Member) -> int:
        """How many forks lead to it; files that name each other are as many as there are."""
        depth, origin = 0, member.forked_from
        while origin in origins and depth < len(members):
            depth, origin = depth + 1, origins[origin]
        return depth

    def rank(member: _Member) -> tuple[bool, int, int, int, str, int, int]:
        session, depth = member.session, forks(member)
        if session is None:
            return member.side, depth, _NEVER, _NEVER, "", 0, 0
        began = session.created if session.created is not None else _NEVER
        name = session.session_id
        return member.side, depth, began, ends[name], name, -(session.modified or 0), -len(member.strong)

    return sorted(members, key=rank)


def _keep_first(ranked: list[_Member]) -> None:
    """Mark what equals what a file before it holds (`_COPY`)."""
    owners = PackedMap()
    for number, member in enumerate(ranked):
        for line, key in enumerate(member.strong):
            owner = owners.get(key)
            if owner is None:
                owners.put(key, number)
            elif owner != number:
                member.flags[line] |= _COPY


def _decide(ranked: list[_Member]) -> None:
    """Mark what is a copy of what a file before it holds (`_COPY`); files of sub-agents repeat responses, too."""
    main = PackedMap()
    for member in ranked:
        for response, flags in zip(member.responses, member.flags, strict=True):
            if response and not flags & _SIDE:
                main.put(response, 1)
    owners, said, billed_at = PackedMap(), PackedMap(), PackedMap()
    places = {member.name: number for number, member in reversed(list(enumerate(ranked))) if member.side}
    for number, member in enumerate(ranked):
        last = 0
        origin = places.get(member.forked_from, number) if member.forked_from is not None else number
        forked = set(ranked[origin].responses) if origin < number else set[int]()
        for line, key in enumerate(member.strong):
            side, response = member.flags[line] & _SIDE, member.responses[line]
            owner = owners.get(key)
            if owner is None:
                owners.put(key, number)
            copied = side and response and (main.get(response) is not None or response in forked)
            if not member.kinds[line] & _SPOKEN and (weak := member.weak[line]):
                # What a sub-agent copied from another one may have a request id of its own, but not a time.
                biller = billed_at.get(weak)
                if biller is None:
                    billed_at.put(weak, number)
                copied = copied or (biller is not None and biller != number)
            if copied or (owner is not None and owner != number):
                member.flags[line] |= _COPY
                if member.kinds[line] & _SPOKEN:
                    last = max(last, member.places[line])
        _drop_before(member, last, said, number)


def _drop_before(member: _Member, last: int, said: PackedMap, number: int) -> None:
    """What stands before a copied record was copied with it: in a sub-agent's file all of it, elsewhere what a session
    before it says, too."""
    for line, weak in enumerate(member.weak):
        if not member.kinds[line] & _SPOKEN:
            continue
        if member.places[line] <= last and not member.flags[line] & _COPY:
            owner = said.get(weak) if weak else None
            if member.side or (owner is not None and owner != number):
                member.flags[line] |= _COPY
        if weak and said.get(weak) is None:
            said.put(weak, number)


def _copied(told: Told, agent_id: str | None) -> tuple[object, ...]:
    """What is the same in a copy of the file; what the model is called may stand outside of it."""
    line = told.line
    if isinstance(line, UsageLine):
        return "usage", agent_id, line.timestamp, line.message_id, line.request_id, *billed(line)[5:]
    return agent_id, told.event, *_identity(told)


def _identity(told: Told) -> tuple[object, ...]:
    """What a copy of this line under another session has, too; for facts of a session that session is part of it."""
    line = told.line
    if isinstance(line, UsageLine):
        if line.message_id:
            return "usage", line.message_id, line.request_id or ""
        return "usage", billed(line)
    if isinstance(line, MessageLine):
        # Records may get new ids in a copy, responses do not.
        name = line.message_id or told.event
        return "message", name, line.timestamp, line.role, told.said
    if isinstance(line, ToolCallLine):
        return "tool_call", line.tool_call_id, line.name, line.timestamp
    return "session_meta", astuple(line)[:-1]


def _shared(told: Told) -> tuple[object, ...]:
    """What a line says, whichever session it is told for."""
    line = told.line
    if isinstance(line, UsageLine):
        return "usage", told.event, billed(line)[1:]
    if isinstance(line, SessionMetaLine):
        return "session_meta", told.event, astuple(line)[2:-1]
    return *_identity(told), told.event


def _signed(key: int) -> int:
    """A hash that is not 0, which means none."""
    return key or 1


def billed(line: UsageLine) -> tuple[object, ...]:
    """What was billed to whom and when. The folder is left out: a fork in another project names its own."""
    return (
        line.session_id,
        line.timestamp,
        line.message_id,
        line.request_id,
        line.model,
        line.input_tokens,
        line.output_tokens,
        line.reasoning_tokens,
        line.cache_read_tokens,
        line.cache_write_tokens,
        line.total_tokens,
        line.cost_usd,
    )
