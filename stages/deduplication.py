"""Copies in other files: forks, resumes and replays say again what another session said.

`each_once` does the right thing for a list of session files, for all kinds and in whatever order the files come. The
other functions are single stages for those who put their own pipes together.

What a reader knows to be a copy it has marked itself (`inherited_from`), and projections leave that out. Here are the
copies that only show when several files are looked at together:

- The same session in two files (two homes, an archive, forks of a parent that is gone, told under its id): equal
  projections count once; what is twice in one file stays twice.
- A fork whose parent is not read tells for it, but not what the parent itself had copied from a session that is read.
- Agents whose ids are unique in the world (`response_ids` in the table of agents): a response or a record that stands
  under several sessions belongs to the session that began first; where a response stands in a session's own
  conversation, those of sub-agents only replay it, and what they hold before it, too.
- Agents whose forks are copies of files (`copies_files`): equal records belong to the session that began first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec.structs import astuple, replace

from panscript.schemas.agents import agent
from panscript.schemas.events import Event, Message, Meta, Session, Usage
from panscript.schemas.packed import PackedMap
from panscript.schemas.projections import MessageLine, Projection, ToolCallLine, UsageLine
from panscript.schemas.records import Record, Source
from panscript.stages.copies import Answer, Group, Own, ToldFile, answer, billed, holds_copies
from panscript.stages.holding import Holder

__all__ = [
    "ToldFile",
    "copied_sessions",
    "dedupe_tool_calls",
    "each_once",
    "reattributed",
    "repeated_across_files",
]


def each_once(files: Iterable[ToldFile]) -> Iterator[Iterator[Projection]]:
    """For each file in order what it says that no other file says in its stead.

    The inner iterators must be used in turn; they raise what reading the file raises. A file that others cannot change
    is streamed; of others nothing is given before all of it is read, and a file that fails gives nothing.
    """
    listed = list(files)
    groups: dict[tuple[str, str], Group] = {}
    keys = [_group(file.source) for file in listed]
    alone: dict[str, int] = {}
    own: dict[str, Own] = {}
    for file, key in zip(listed, keys, strict=True):
        alone[file.source.agent] = alone.get(file.source.agent, 0) + 1
        if key not in groups:
            groups[key] = Group(_own(file.source.agent, own))
            if file.source.agent in own:
                own[file.source.agent].groups.append(groups[key])
        groups[key].files.append(file)
    repeats: dict[str, _Repeats] = {}
    for file, key in zip(listed, keys, strict=True):
        if alone[file.source.agent] == 1:
            yield (told.line for told in file.read(_ignore))
            continue
        seen = repeats.setdefault(file.source.agent, _Repeats())
        group = groups[key]
        if holds_copies(file.source):
            yield group.told(file)
        elif len(group.files) > 1 or file.source.agent in own:
            yield seen.new(group.told(file))
        else:
            yield seen.new(_held(file))


def _group(source: Source) -> tuple[str, str]:
    """Files that must be looked at together before one of them is told."""
    if holds_copies(source):
        return source.agent, ""
    return source.agent, f"{source.id}\0{source.parent if source.agent_id is not None else ''}"


def _own(name: str, known: dict[str, Own]) -> Own | None:
    """One for each agent whose forks tell for sessions that are not there."""
    return known.setdefault(name, Own()) if agent(name).relabels else None


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
        return hash(("usage", billed(line)))
    return hash(("session_meta", astuple(line)[:-1]))


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
        answers: dict[int, Answer] = {}
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
                    answer(line, answers.get(name))
            yield line
    finally:
        held.close()


def _call(line: ToolCallLine) -> int:
    return hash((line.source, line.tool_call_id))
