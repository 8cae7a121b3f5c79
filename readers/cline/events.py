"""The second pass over what the model saw: messages become events."""

from __future__ import annotations

from itertools import pairwise

import msgspec

from panscript.readers.cline.content import (
    answer_in,
    block_of,
    reasoning_of,
    result_of,
    status_of_text,
)
from panscript.readers.cline.survey import Survey
from panscript.readers.cline.usage import tokens_of_message, tokens_of_request
from panscript.readers.cline.wrapping import result_header, spoken, without_words
from panscript.readers.cline.written_calls import calls_in
from panscript.readers.rawjson import clean_raw
from panscript.readers.speaking import Speaker
from panscript.schemas import timestamps
from panscript.schemas.cline.lean import Block, Message
from panscript.schemas.events import (
    COMPACTION_SUMMARY,
    NO_RAW,
    TASK,
    Compaction,
    Event,
    Image,
    Meta,
    Status,
    Text,
    ToolCall,
    ToolResult,
)
from panscript.schemas.events import Block as Content
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Translator"]

_CONTENT = ("content",)


class _Open(msgspec.Struct):
    """A call written as text that waits for its result, or a result that is being put together."""

    id: str
    tool: str
    content: list[Content] = []


class Translator(Speaker):
    """Turns one message after the other into its class and its events."""

    def __init__(self, survey: Survey, report: FileReport, *, apart: bool) -> None:
        """`apart`: the input of a request holds nothing of caches."""
        super().__init__(report)
        self._survey = survey
        self._apart = apart
        elements = list(survey.messages)
        self._after = dict(pairwise(elements))
        """Element -> the next one that could be read."""
        self._told: str | None = None
        """The model that was said last."""
        self._written: list[_Open] = []
        """Calls of the message before that were written as text."""
        self._text = b""

    def time(self, element: int, message: Message) -> int | None:
        """When a message was said: as it states, else as what was shown of it."""
        stated = timestamps.parse(message.ts)
        return stated if stated is not None else self._survey.times.get(element)

    def message(self, element: int, message: Message, text: bytes) -> tuple[RecordClass, list[Event]]:
        """The class of a message and what it says; `text` is its JSON."""
        self._text = text
        self._begin(f"message:{element + 1}", time=self.time(element, message))
        events: list[Event] = []
        if message.is_summary:
            self._summary(message, events)
        elif message.type == "reasoning" and message.content is None:
            self._say("assistant", [reasoning_of(message)], events)
        elif message.role == "assistant":
            self._assistant(element, message, events)
        elif message.role in ("user", "system"):
            self._user(message, events)
        else:
            self._unknown(message.role or message.type or "(no role)", clean_raw(text), events)
            return "opaque", events
        return "used", events

    def _summary(self, message: Message, events: list[Event]) -> None:
        """It stands for all that came before it; what was kept beside it follows in the array."""
        content = message.content
        blocks = [Block(type="text", text=content)] if isinstance(content, str) else content or []
        text = "\n\n".join(block.text for block in blocks if block.type == "text" and block.text)
        name, parent = self._next()
        events.append(Compaction(id=name, parent=parent, summary=text, **self._common))
        if text:
            self._say("system", [Text(text=text)], events, injected=COMPACTION_SUMMARY)

    def _assistant(self, element: int, message: Message, events: list[Event]) -> None:
        content = message.content
        blocks = [Block(type="text", text=content)] if isinstance(content, str) else content or []
        native = any(block.type == "tool_use" for block in blocks)
        self._written = []
        said: list[Content] = []
        if message.reasoning_content and not any(block.type == "thinking" for block in blocks):
            said.append(block_of(Block(type="thinking", thinking=message.reasoning_content), set()) or Text(text=""))
        results = [block for block in blocks if block.type == "tool_result"]
        for index, block in enumerate(blocks):
            if block.type == "tool_result":
                continue
            if block.type == "text" and not native:
                said.extend(self._with_calls(element, block.text or ""))
            elif (item := block_of(block, self._survey.unanswered)) is not None:
                said.append(item)
            else:
                self._unknown(block.type or "(no type)", self._inner.clean(self._text, index, _CONTENT), events)
        said = [part for item in said for part in _answering(item)]
        self._answer(element, message, said, events)
        for block in results:
            self._result(block, events)

    def _answer(self, element: int, message: Message, said: list[Content], events: list[Event]) -> None:
        survey = self._survey
        info = message.model_info
        asked = survey.requests.get(survey.answers.get(element, -1))
        time = self._common["time"]
        model = (info.model_id or info.id if info is not None else None) or (asked.model if asked else None)
        provider = (info.provider_id or info.provider if info is not None else None) or (
            asked.provider if asked else None
        )
        model = model or survey.default_model(time)
        provider = provider or survey.default_provider(time)
        tokens = tokens_of_request(asked, apart=self._apart) if asked is not None else tokens_of_message(message)
        if model and self._told != model:
            self._told = model
            events.append(Meta(id=f"meta:{self._base}", model=model, provider=provider, **self._common))
        self._say(
            "assistant",
            said,
            events,
            message_id=str(message.id) if message.id is not None else None,
            model=model,
            provider=provider,
            tokens=tokens,
        )

    def _with_calls(self, element: int, text: str) -> list[Content]:
        """A text that may hold calls."""
        calls, rest = calls_in(text)
        answered = self._answered(element) if calls else []
        found: list[Content] = []
        for call in calls:
            if call.before:
                found.append(Text(text=call.before))
            name = f"written_{element + 1}_{len(self._written) + 1}"
            self._written.append(_Open(name, call.tool))
            has_result = call.tool in answered
            if has_result:
                answered.remove(call.tool)
            arguments = msgspec.Raw(msgspec.json.encode(call.arguments))
            found.append(ToolCall(id=name, name=call.tool, arguments=arguments, answered=has_result))
        if rest or not calls:
            found.append(Text(text=rest))
        return found

    def _answered(self, element: int) -> list[str]:
        """The tools whose results the next message holds."""
        following = self._survey.messages.get(self._after.get(element, -1))
        if following is None or following.role != "user":
            return []
        content = following.content
        texts = [content] if isinstance(content, str) else [block.text for block in content or ()]
        return [header[0] for text in texts if text and (header := result_header(text)) is not None]

    def _user(self, message: Message, events: list[Event]) -> None:
        """Results first, then what was put before the model, then what the person said."""
        content = message.content
        blocks = [Block(type="text", text=content)] if isinstance(content, str) else content or []
        typed: list[Content] = []
        added: list[Content] = []
        environment: list[Content] = []
        opened: _Open | None = None
        results: list[_Open] = []
        for index, block in enumerate(blocks):
            if block.type == "tool_result":
                opened = None
                if words := self._result(block, events):
                    typed.append(Text(text=words))
                continue
            item = block_of(block, self._survey.unanswered)
            if item is None:
                self._unknown(block.type or "(no type)", self._inner.clean(self._text, index, _CONTENT), events)
                continue
            if not isinstance(item, Text):
                (opened.content if opened is not None and isinstance(item, Image) else typed).append(item)
                continue
            header = result_header(item.text)
            waiting = self._waiting(header[0]) if header is not None else None
            if header is not None and waiting is not None:
                opened, text = waiting, header[1]
                results.append(opened)
            else:
                text = item.text
            if opened is not None:
                text, words = without_words(text)
                typed.extend([Text(text=words)] if words else [])
                said = spoken(text) if "<environment_details>" in text else None
                if said is not None:
                    environment.extend(Text(text=each) for each in said.environment)
                    text = "\n".join([*said.added, said.typed]).strip()
                opened.content.extend([Text(text=text)] if text.strip() else [])
                continue
            found = spoken(text)
            environment.extend(Text(text=each) for each in found.environment)
            added.extend(Text(text=each) for each in found.added)
            typed.extend([Text(text=found.typed)] if found.typed or not (found.added or found.environment) else [])
        for result in results:
            first = next((each.text for each in result.content if isinstance(each, Text)), "")
            self._told_result(result.id, result.tool, result.content, status_of_text(first), NO_RAW, events)
        self._written = []
        if added:
            self._say("system", added, events, injected="context", hidden=True)
        if environment:
            self._say("system", environment, events, injected="environment_details", hidden=True)
        if not typed:
            return
        if message.role == "system" or message.is_truncation_marker:
            self._say("system", typed, events, injected="system")
        elif self._survey.parent is not None:
            self._say("system", typed, events, injected=TASK)
        else:
            self._say("user", typed, events, message_id=str(message.id) if message.id is not None else None)

    def _waiting(self, tool: str) -> _Open | None:
        """The written call of this tool that has no result yet."""
        found = next((call for call in self._written if call.tool == tool), None)
        if found is not None:
            self._written.remove(found)
        return found

    def _result(self, block: Block, events: list[Event]) -> str:
        """A result; gives what a person said in it."""
        content, status, details = result_of(block)
        words = ""
        for place, item in enumerate(content):
            if isinstance(item, Text) and not words:
                text, words = without_words(item.text)
                content[place] = Text(text=text)
        content = [item for item in content if not isinstance(item, Text) or item.text]
        self._told_result(block.tool_use_id or "", block.name, content, status, details, events)
        return words

    def _told_result(
        self,
        call: str,
        tool: str | None,
        content: list[Content],
        status: Status,
        details: msgspec.Raw,
        events: list[Event],
    ) -> None:
        name, parent = self._next()
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                call_id=call,
                name=tool,
                content=tuple(content),
                status=status,
                details=details,
                **self._common,
            )
        )


def _answering(item: Content) -> list[Content]:
    """What is said by a call that ends the task stands before it."""
    answer = answer_in(item) if isinstance(item, ToolCall) else ""
    return [Text(text=answer), item] if answer else [item]
