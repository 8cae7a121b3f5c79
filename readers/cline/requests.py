"""Which request brought which response: the one is told in what the person was shown, the other in what the model saw.

Cline says how long the other array was when a message was shown. Roo and older ones do not; there the times tell, or
that both arrays have as many.
"""

from __future__ import annotations

import msgspec

from panscript.schemas import timestamps
from panscript.schemas.cline.lean import Message, Request, Shown

__all__ = ["COUNTED", "Spent", "match", "request_of"]

COUNTED = frozenset({"api_req_started", "subagent_usage", "deleted_api_reqs"})
"""Messages whose text says what was used: by a request, by sub-agents, by requests that were deleted since."""
_request = msgspec.json.Decoder(Request)


class Spent(msgspec.Struct):
    """What was used, as shown."""

    say: str
    time: int | None
    request: Request | None
    """None when the text is no JSON."""
    model: str | None = None
    provider: str | None = None
    index: int | None = None
    """Length of the other array by then, less one."""

    @property
    def finished(self) -> bool:
        """Whether its response is complete."""
        return self.request is not None and self.request.tokens_in is not None


def request_of(row: Shown) -> Spent | None:
    """What a message says was used; None when it is none of those that do."""
    if row.say not in COUNTED:
        return None
    info = row.model_info
    try:
        found = _request.decode(row.text or "")
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        found = None
    return Spent(
        say=row.say or "",
        time=timestamps.parse(row.ts),
        request=found,
        model=(info.model_id or info.id) if info is not None else None,
        provider=(info.provider_id or info.provider) if info is not None else None,
        index=row.conversation_history_index,
    )


def match(
    messages: dict[int, Message], shown: dict[int, Shown], requests: dict[int, Spent]
) -> tuple[dict[int, int], dict[int, int]]:
    """Response -> its request, and the times of messages that state none."""
    said = [element for element, message in messages.items() if _is_response(message)]
    asked = [element for element, spent in requests.items() if spent.say == "api_req_started" and spent.finished]
    answers = _matched(messages, said, requests, asked)
    return answers, _times(messages, shown, requests, answers)


def _is_response(message: Message) -> bool:
    return message.role == "assistant" and message.type != "reasoning" and not message.is_summary


def _matched(
    messages: dict[int, Message], said: list[int], requests: dict[int, Spent], asked: list[int]
) -> dict[int, int]:
    indices = [requests[element].index for element in asked]
    if asked and all(index is not None for index in indices):
        found = {}
        for element, index in zip(asked, indices, strict=True):
            response = next((each for each in said if each > (index if index is not None else -1)), None)
            if response is not None:
                # A request that was made again replaces the one before.
                found[response] = element
        return found
    if len(said) == len(asked):
        return dict(zip(said, asked, strict=True))
    found = {}
    for place, element in enumerate(asked):
        start = requests[element].time
        end = requests[asked[place + 1]].time if place + 1 < len(asked) else None
        for response in said:
            time = timestamps.parse(messages[response].ts)
            inside = time is not None and start is not None and start <= time and (end is None or time < end)
            if inside and response not in found:
                found[response] = element
                break
    return found


def _times(
    messages: dict[int, Message], shown: dict[int, Shown], requests: dict[int, Spent], answers: dict[int, int]
) -> dict[int, int]:
    """A prompt is as old as the request that carries it, a response as what was shown of it first."""
    times: dict[int, int] = {}
    after: dict[int, int] = {}
    waiting: list[int] = []
    for element, row in shown.items():
        time = timestamps.parse(row.ts)
        if element in requests:
            waiting = [element]
        elif time is not None and waiting:
            after.update(dict.fromkeys(waiting, time))
            waiting = []
    before: int | None = None
    for element in messages:
        asked = answers.get(element)
        if asked is not None:
            started = requests[asked].time
            if before is not None and started is not None:
                times[before] = started
            if (found := after.get(asked, started)) is not None:
                times[element] = found
        before = element
    first = next((time for row in shown.values() if (time := timestamps.parse(row.ts)) is not None), None)
    start = next(iter(messages), None)
    if start is not None and first is not None:
        times[start] = first
    return times
