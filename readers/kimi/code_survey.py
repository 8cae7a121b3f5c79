"""The first pass over an agent of Kimi Code: what only the end of the file tells.

A wire is a log of edits of one list of messages: some are put at its end, an undo takes the last turns away, a clear
takes all, and a compaction puts a summary in the place of the first ones.
"""

from __future__ import annotations

from array import array

from panscript.readers.branches import Branches
from panscript.readers.clock import Clock
from panscript.readers.jsonl import rows
from panscript.readers.kimi.content import text_of, without_wrapping
from panscript.readers.kimi.files import is_record
from panscript.schemas import timestamps
from panscript.schemas.kimi.lean import CodeMessage, CodeRow, LoopEvent, Origin, UsageCodeRow, code_decoder
from panscript.schemas.records import Source

__all__ = ["ALIAS", "CodeSurvey", "alias_of", "is_hollow", "is_known", "is_typed", "summary_of", "survey_code"]

_SPACES = frozenset(
    """
    agent context cron forked goal hook interaction llm mcp metadata notification permission plan_mode plugin profile
    prompt runtime session skill subagent task token_counting tool turn usage
    """.split()
)
"""What the names of record types begin with."""
_CONTEXT = frozenset(
    "append_message append_loop_event apply_compaction undo clear append_system_reminder splice".split()
)
ALIAS = "kimi-code/"
"""What the vendor's own models are named with."""
_SAID = 4000
_MOST_UNDONE = 1 << 20


def is_known(name: str | None) -> bool:
    """Whether records of this type are Kimi Code's."""
    space, _, rest = (name or "").partition(".")
    return rest in _CONTEXT if space == "context" else space in _SPACES


def is_hollow(row: CodeRow | UsageCodeRow) -> bool:
    """Whether the record should hold a message or a piece of one, but does not."""
    if row.kind == "event":
        return False
    if row.type == "context.append_message":
        return row.message is None
    return row.type == "context.append_loop_event" and row.event is None


def is_typed(message: CodeMessage) -> bool:
    """Whether a person said this: then an undo leads back to before it."""
    if message.role != "user":
        return False
    origin = message.origin or Origin()
    if origin.kind in ("skill_activation", "plugin_command"):
        return origin.trigger == "user-slash"
    return origin.kind in (None, "user")


def alias_of(row: CodeRow) -> str | None:
    """The model that an agent is bound to, by the name the person has for it."""
    return (row.model_alias or "").removeprefix(ALIAS) or None


def summary_of(row: CodeRow) -> str:
    """What a compaction put in the place of the messages."""
    if isinstance(row.summary, CodeMessage):
        return text_of(row.summary.content)
    return row.summary or row.context_summary or ""


class CodeSurvey:
    """Facts of the whole file, with records counted from 0."""

    def __init__(self) -> None:
        self.branches = Branches(exact=True)
        self.clock = Clock()
        self.closing: set[int] = set()
        """The records that the messages of responses end with."""
        self.answered: set[str] = set()
        """Steps that a message came of."""
        self.unanswered: set[str] = set()
        self.kept: dict[int, int] = {}
        """Record of a compaction -> record of the first message that it kept."""
        self.copied_to = -1
        """The last record that was copied from the session this one was forked from."""
        self.model: str | None = None
        self.provider: str | None = None
        self.cwd: str | None = None
        self.first_prompt: str | None = None
        self.records = self.damaged = 0
        self.seen = self.understood = False
        self._messages = array("I")
        """The list as it is: the record that each message begins with."""
        self._typed: list[tuple[int, int]] = []
        """Where in it an undo may lead back to, and the record before that."""
        self._root = -1
        """The record of the system prompt, which stays when everything is cleared."""
        self._step: str | None = None
        self._last = -1
        self._prompts: list[tuple[int, str]] = []

    def row(self, number: int, row: CodeRow) -> None:
        """One line that is JSON."""
        kind = row.type or ""
        if is_known(kind):
            self.understood = True
        self.damaged += is_hollow(row)
        time = timestamps.parse(row.time)
        if time is not None and row.kind != "event":
            self.clock.add(number, time)
        if row.kind == "event":
            self.branches.skip()
        elif kind == "context.append_message" and row.message is not None:
            self._message(number, row.message)
        elif kind == "context.append_loop_event" and row.event is not None:
            self._event(number, row.event)
        elif kind == "context.apply_compaction":
            self._compaction(number, row)
        elif kind == "context.undo":
            self.branches.skip()
            self._undo(row.count)
        elif kind == "context.clear":
            self.branches.skip()
            self._close()
            self._cut(0, self._root)
        elif kind == "profile.bind" and row.system_prompt:
            if self.branches.placed < 0:
                self._root = number
            self._place()
            self._facts(row)
        else:
            self.branches.skip()
            self._facts(row)

    def _facts(self, row: CodeRow) -> None:
        if row.type == "forked":
            self.copied_to = len(self.branches) - 1
        if row.type == "llm.request":
            self.model, self.provider = row.model or self.model, row.provider or self.provider
        elif row.type == "profile.bind":
            self.model = self.model or alias_of(row)
            if row.environment_disclosure is not None:
                self.cwd = row.environment_disclosure.cwd or self.cwd

    def _place(self, *, typed: bool = False) -> None:
        self.branches.place(None, "", "branch" if typed else "follow")

    def _message(self, number: int, message: CodeMessage) -> None:
        self._close()
        typed = is_typed(message)
        if typed:
            self._typed.append((len(self._messages), self.branches.placed))
            text = text_of(message.content)
            if without_wrapping(text) is None and text.strip():
                self._prompts.append((number, text[:_SAID]))
        self._place(typed=typed)
        self._messages.append(number)
        for call in message.tool_calls or ():
            if call.id:
                self.unanswered.add(call.id)
        if message.role == "tool":
            self.unanswered.discard(message.tool_call_id or "")

    def _event(self, number: int, event: LoopEvent) -> None:
        kind = event.type
        if kind in ("content.part", "tool.call"):
            self._place()
            if self._last < 0 or event.step_uuid != self._step:
                self._close()
                self._messages.append(number)
            self._step, self._last = event.step_uuid, number
            if event.step_uuid:
                self.answered.add(event.step_uuid)
            if kind == "tool.call" and event.tool_call_id:
                self.unanswered.add(event.tool_call_id)
        elif kind == "tool.result":
            self._place()
            self._messages.append(number)
            self.unanswered.discard(event.tool_call_id or "")
        elif kind in ("step.begin", "step.end"):
            self.branches.skip()
            self._close()
        else:
            self._place()

    def _close(self) -> None:
        if self._last >= 0:
            self.closing.add(self._last)
        self._step, self._last = None, -1

    def _compaction(self, number: int, row: CodeRow) -> None:
        self._close()
        self._place()
        count = row.compacted_count if row.compacted_count is not None else row.count
        # Newer versions keep prompts from anywhere, which are no end of the conversation.
        if row.kept_user_message_count is None and count is not None and 0 < count < len(self._messages):
            rest = self._messages[int(count) :]
            self.kept[number] = rest[0]
        else:
            rest = array("I")
        self._messages = array("I", [number]) + rest
        self._typed.clear()

    def _undo(self, count: float | None) -> None:
        times = int(count) if count is not None and 0 < count < _MOST_UNDONE else 0
        if not times or times > len(self._typed):
            return
        self._close()
        place, before = self._typed[-times]
        del self._typed[-times:]
        self._cut(place, before)

    def _cut(self, place: int, before: int) -> None:
        """Only the first messages of the list stay, and of the records those up to `before`."""
        del self._messages[place:]
        while self._typed and self._typed[-1][0] >= place:
            self._typed.pop()
        self.branches.rewind(before)

    def end(self) -> None:
        """The file is over: decide which branch is live, and the first prompt on it."""
        self._close()
        self.clock.end()
        self.branches.choose(whole=False)
        live = (text for number, text in self._prompts if self.branches.live(number))
        self.first_prompt = next(live, None)
        self._prompts.clear()
        self._messages, self._typed = array("I"), []


def survey_code(source: Source) -> CodeSurvey:
    """Read the file once. Lines that cannot be read are only counted; the second pass reports them."""
    found = CodeSurvey()
    for number, parsed in enumerate(rows([source.transcripts[-1].path], code_decoder, is_record)):
        found.records += 1
        if parsed.trouble is not None and parsed.trouble.skip is not None:
            found.damaged += 1
        if parsed.trouble is None or not parsed.trouble.blank:
            found.seen = True
        if parsed.row is None:
            found.branches.skip()
        else:
            found.row(number, parsed.row)
    found.end()
    return found
