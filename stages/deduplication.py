"""Copies in other files: forks, resumes and replays say again what another session said.

`each_once` does the right thing for a list of session files, for all kinds and in whatever order the files come. The
other functions are single stages for those who put their own pipes together.

What a reader knows to be a copy it has marked itself (`inherited_from`), and projections leave that out. Here are the
copies that only show when several files are looked at together:

- The same session in two files (two homes, an archive, forks of a parent that is gone, told under its id): equal
  projections count once; what is twice in one file stays twice.
- Agents whose ids are unique in the world (`response_ids` in the table of agents): a response or a record that stands
  under several sessions belongs to the session that began first; where a response stands in a session's own
  conversation, those of sub-agents only replay it, and what they hold before it, too.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import astuple, replace

from panscript.schemas.agents import agent
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import Event, Message, Meta, Session, Usage
from panscript.schemas.packed import PackedMap
from panscript.schemas.projections import MessageLine, Projection, SessionMetaLine, Told, ToolCallLine, UsageLine
from panscript.schemas.records import Record, Source
from panscript.stages.holding import Holder

__all__ = [
    "ToldFile",
    "copied_sessions",
    "dedupe_tool_calls",
    "each_once",
    "reattributed",
    "repeated_across_files",
]

_Answer: TypeAlias = tuple[str, str | msgspec.UnsetType, int | msgspec.UnsetType]
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


def each_once(files: Iterable[ToldFile]) -> Iterator[Iterator[Projection]]:
    """For each file in order what it says that no other file says in its stead.

    The inner iterators must be used in turn; they raise what reading the file raises. A file that nothing can stand in
    relation to is streamed; of others nothing is given before all of it is read, and a file that fails gives nothing.
    """
    listed = list(files)
    groups: dict[tuple[str, str], _Group] = {}
    keys = [_group(file.source) for file in listed]
    alone: dict[str, int] = {}
    for file, key in zip(listed, keys, strict=True):
        alone[file.source.agent] = alone.get(file.source.agent, 0) + 1
        groups.setdefault(key, _Group()).files.append(file)
    repeats: dict[str, _Repeats] = {}
    for file, key in zip(listed, keys, strict=True):
        if alone[file.source.agent] == 1:
            yield (told.line for told in file.read(_ignore))
            continue
        seen = repeats.setdefault(file.source.agent, _Repeats())
        group = groups[key]
        if agent(file.source.agent).response_ids:
            yield _of_group(group, file)
        elif len(group.files) > 1:
            yield seen.new(_of_group(group, file))
        else:
            yield seen.new(_held(file))


def _group(source: Source) -> tuple[str, str]:
    """Files that must be looked at together before one of them is told."""
    if agent(source.agent).response_ids:
        return source.agent, ""
    return source.agent, f"{source.id}\0{source.parent if source.agent_id is not None else ''}"


def _ignore(_: Session) -> None:
    pass


def _held(file: ToldFile) -> Iterator[Projection]:
    held = Holder()
    try:
        for told in file.read(_ignore):
            held.append(told.line)
        yield from held
    finally:
        held.close()


def _of_group(group: _Group, file: ToldFile) -> Iterator[Projection]:
    group.prepare()
    yield from group.told(file)


class _Member:
    """A file of a group: what it says, and for each line what tells copies (29 bytes a line)."""

    def __init__(self, file: ToldFile) -> None:
        self.lines = Holder()
        self.strong = array("q")
        self.weak = array("q")
        self.responses = array("q")
        self.places = array("I")
        self.flags = bytearray()
        self.kinds = bytearray()
        self.session: Session | None = None
        self.side = file.source.agent_id is not None
        self.failure: PanscriptError | None = None
        try:
            for told in file.read(self._begins):
                self._add(told)
        except PanscriptError as error:
            self.failure = error
            self.close()

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
        self.lines.append(line)
        self.strong.append(_signed(hash(_identity(told))))
        self.weak.append(_signed(hash((line.timestamp, line.role, told.said))) if isinstance(line, MessageLine) else 0)
        self.responses.append(response)
        self.places.append(min(told.place, 0xFFFFFFFF))
        self.kinds.append(kind)
        # Rows of sub-agents inside their parent's file are a conversation beside it, too; the reader counted for both.
        inside = kind != 0 and self.session is not None and self.session.session_id != line.session_id
        self.flags.append(_SIDE if self.side or inside else 0)

    def close(self) -> None:
        self.lines.close()
        self.strong, self.weak, self.responses, self.places = array("q"), array("q"), array("q"), array("I")
        self.flags, self.kinds = bytearray(), bytearray()


class _Group:
    """Files that may hold copies of each other."""

    def __init__(self) -> None:
        self.files: list[ToldFile] = []
        self._members: dict[int, _Member] = {}
        self._answers: dict[int, _Answer] = {}
        self._prepared = False

    def prepare(self) -> None:
        """Read all of them and decide what belongs where; does nothing the second time."""
        if self._prepared:
            return
        self._prepared = True
        members = [_Member(file) for file in self.files]
        self._members = {id(file): member for file, member in zip(self.files, members, strict=True)}
        ranked = _ranked(members)
        self._find_answers(ranked)
        if agent(self.files[0].source.agent).response_ids:
            _decide(ranked)

    def told(self, file: ToldFile) -> Iterator[Projection]:
        """What one of them says that is its own. To be asked once for each file."""
        member = self._members.pop(id(file))
        if member.failure is not None:
            raise member.failure
        try:
            for number, line in enumerate(member.lines):
                if member.flags[number] & _COPY:
                    continue
                if isinstance(line, ToolCallLine) and line.status == "unknown" and self._answers:
                    _answer(line, self._answers.get(member.strong[number]))
                yield line
        finally:
            member.close()

    def _find_answers(self, members: list[_Member]) -> None:
        """Calls that have a result in one file and none in another."""
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


def _answer(line: ToolCallLine, answer: _Answer | None) -> None:
    if answer is not None:
        line.status, line.completed_at, line.duration_ms = answer  # type: ignore[assignment]


def _ranked(members: list[_Member]) -> list[_Member]:
    """The files in the order of who keeps a copy: the session that began first. Sessions that began with the same
    record are told apart by their end, since one that was gone on from elsewhere ended; of one session's files the
    fuller one comes first."""
    ends: dict[str, int] = {}
    for member in members:
        if (session := member.session) is not None:
            ends[session.session_id] = max(ends.get(session.session_id, 0), session.modified or 0)

    def rank(member: _Member) -> tuple[int, bool, int, str, int, int]:
        session = member.session
        if session is None:
            return _NEVER, member.side, _NEVER, "", 0, 0
        began = session.created if session.created is not None else _NEVER
        name = session.session_id
        return began, member.side, ends[name], name, -(session.modified or 0), -len(member.lines)

    return sorted(members, key=rank)


def _decide(ranked: list[_Member]) -> None:
    """Mark what is a copy of what a file before it holds (`_COPY`)."""
    main = PackedMap()
    for member in ranked:
        for response, flags in zip(member.responses, member.flags, strict=True):
            if response and not flags & _SIDE:
                main.put(response, 1)
    owners, said = PackedMap(), PackedMap()
    for number, member in enumerate(ranked):
        last = 0
        for line, key in enumerate(member.strong):
            side, response = member.flags[line] & _SIDE, member.responses[line]
            owner = owners.get(key)
            if owner is None:
                owners.put(key, number)
            if (side and response and main.get(response) is not None) or (owner is not None and owner != number):
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


def _identity(told: Told) -> tuple[object, ...]:
    """What a copy of this line under another session has, too; for facts of a session that session is part of it."""
    line = told.line
    if isinstance(line, UsageLine):
        if line.message_id:
            return "usage", line.message_id, line.request_id or ""
        return "usage", _billed(line)
    if isinstance(line, MessageLine):
        # Records may get new ids in a copy, responses do not.
        name = line.message_id or told.event
        return "message", name, line.timestamp, line.role, told.said
    if isinstance(line, ToolCallLine):
        return "tool_call", line.tool_call_id, line.name, line.timestamp
    return "session_meta", astuple(line)[:-1]


def _signed(key: int) -> int:
    """A hash that is not 0, which means none."""
    return key or 1


class _Repeats:
    """Counts how often each line was told for its session, file by file."""

    def __init__(self) -> None:
        self._seen = PackedMap()

    def new(self, lines: Iterable[Projection]) -> Iterator[Projection]:
        """Of one file the lines that no earlier file told as often."""
        here = PackedMap()
        return (line for line in lines if self.is_new(line, here))

    def is_new(self, line: Projection, here: PackedMap) -> bool:
        """Whether no earlier file told this line as often. `here` counts the lines of its own file."""
        key = _equal(line)
        times = (here.get(key) or 0) + 1
        here.put(key, times)
        if times <= (self._seen.get(key) or 0):
            return False
        self._seen.put(key, times)
        return True


def _equal(line: Projection) -> int:
    """Equal for lines that say the same of the same session. How a call ended may be known to one file only."""
    if isinstance(line, MessageLine):
        said = line.text if line.text is not msgspec.UNSET else line.text_length
        return hash(("message", line.session_id, line.timestamp, line.role, line.message_id, line.model, said))
    if isinstance(line, ToolCallLine):
        return hash(("tool_call", line.session_id, line.timestamp, line.name, line.tool_call_id))
    if isinstance(line, UsageLine):
        return hash(("usage", _billed(line)))
    return hash(("session_meta", astuple(line)[:-1]))


def _billed(line: UsageLine) -> tuple[object, ...]:
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


def reattributed(records: Iterable[Record], is_read: Callable[[str], bool]) -> Iterator[Record]:
    """What was copied from sessions that are not read becomes theirs to tell: it is told here, under their id."""
    for record in records:
        events = record.events
        if any(event.inherited_from is not None and not is_read(event.inherited_from) for event in events):
            yield replace(record, events=tuple(_reattributed(event, is_read) for event in events))
        else:
            yield record


def _reattributed(event: Event, is_read: Callable[[str], bool]) -> Event:
    origin = event.inherited_from
    if origin is None or is_read(origin):
        return event
    if isinstance(event, Message | Usage | Meta):
        return replace(event, inherited_from=None, session_id=origin)
    return replace(event, inherited_from=None)


def repeated_across_files(files: Iterable[Iterable[Projection]]) -> Iterator[Projection]:
    """Usage that an earlier file gave as often is left out; what is twice in one file stays twice. Takes one batch a
    file, in the order of files. Other kinds pass unchanged."""
    repeats = _Repeats()
    for lines in files:
        here = PackedMap()
        for line in lines:
            if not isinstance(line, UsageLine) or repeats.is_new(line, here):
                yield line


def copied_sessions(lines: Iterable[Projection]) -> Iterator[Projection]:
    """Usage of one response stays with the session whose first event is earliest. Other kinds pass unchanged, in order.

    All of the input is read before anything is given, since every session's first event decides.
    """
    held = Holder()
    try:
        first: dict[tuple[str, str], str] = {}
        for line in lines:
            key, time = (line.source, line.session_id), line.timestamp or "~"
            first[key] = min(first.get(key, "~"), time)
            held.append(line)
        owners: dict[int, tuple[str, str]] = {}
        for line in held:
            if isinstance(line, UsageLine) and line.message_id:
                name, session = _response(line), (first[line.source, line.session_id], line.session_id)
                owners[name] = min(owners.get(name, session), session)
        given: set[int] = set()
        for line in held:
            if isinstance(line, UsageLine) and line.message_id:
                name = _response(line)
                if owners[name][1] != line.session_id or name in given:
                    continue
                given.add(name)
            yield line
    finally:
        held.close()


def _response(line: UsageLine) -> int:
    return hash((line.source, line.message_id, line.request_id))


def dedupe_tool_calls(lines: Iterable[Projection]) -> Iterator[Projection]:
    """One call for each agent and call id: the first, with how the first copy ended that has a result. Calls without an
    id all stay. All of the input is read before anything is given."""
    held = Holder()
    try:
        answers: dict[int, _Answer] = {}
        for line in lines:
            held.append(line)
            if isinstance(line, ToolCallLine) and line.tool_call_id and line.status != "unknown":
                answers.setdefault(_call(line), (line.status, line.completed_at, line.duration_ms))
        given: set[int] = set()
        for line in held:
            if isinstance(line, ToolCallLine) and line.tool_call_id:
                name = _call(line)
                if name in given:
                    continue
                given.add(name)
                if line.status == "unknown":
                    _answer(line, answers.get(name))
            yield line
    finally:
        held.close()


def _call(line: ToolCallLine) -> int:
    return hash((line.source, line.tool_call_id))
