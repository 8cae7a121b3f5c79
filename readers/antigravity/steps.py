"""Steps of a conversation, alike from both places that hold them: the lines of its log and the rows of its database.

The log has the texts of everything; the rows are Protocol Buffers of which only some are understood, but they know
which call a result answers.
"""

from __future__ import annotations

import msgspec

from panscript.readers.antigravity.moments import moment
from panscript.readers.antigravity.wire import Fields, fields
from panscript.readers.rawjson import clean_raw
from panscript.schemas import timestamps
from panscript.schemas.antigravity.lean import Line
from panscript.schemas.events import NO_RAW, Image

__all__ = ["PLANNER", "USER", "Call", "Step", "call_of", "source_of", "step_of_line", "step_of_row"]

USER, PLANNER = "USER_INPUT", "PLANNER_RESPONSE"
_TYPES = {
    5: "CODE_ACTION",
    7: "GREP_SEARCH",
    8: "VIEW_FILE",
    9: "LIST_DIRECTORY",
    14: USER,
    15: PLANNER,
    17: "ERROR_MESSAGE",
    21: "RUN_COMMAND",
    23: "CHECKPOINT",
    38: "MCP_TOOL",
    90: "EPHEMERAL_MESSAGE",
    98: "CONVERSATION_HISTORY",
    101: "SYSTEM_MESSAGE",
    132: "GENERIC",
}
_SOURCES = {2: "MODEL", 3: "USER_IMPLICIT", 4: "USER_EXPLICIT", 5: "SYSTEM", 6: "SYSTEM_SDK"}
_STATUS = {
    1: "PENDING",
    2: "RUNNING",
    3: "DONE",
    4: "INVALID",
    5: "CLEARED",
    6: "CANCELED",
    7: "ERROR",
    8: "GENERATING",
    9: "WAITING",
    11: "QUEUED",
    12: "INTERRUPTED",
}
_NOT_OF_MODEL = {
    USER: "USER_EXPLICIT",
    "ERROR_MESSAGE": "SYSTEM",
    "CHECKPOINT": "SYSTEM",
    "EPHEMERAL_MESSAGE": "SYSTEM",
    "CONVERSATION_HISTORY": "SYSTEM",
    "SYSTEM_MESSAGE": "SYSTEM",
}
_RESULTS = {
    "VIEW_FILE": (14, (4, 9)),
    "RUN_COMMAND": (28, (21, 4)),
    "GREP_SEARCH": (13, (5, 3)),
    "MCP_TOOL": (47, (3,)),
    "GENERIC": (140, (2,)),
    "LIST_DIRECTORY": (15, ()),
}
"""Field of the result, and the fields of it that hold the text, the first that does counts."""
_INSIDE = {("RUN_COMMAND", 21), ("GENERIC", 2)}
"""These are messages whose first field is the text."""


class Call(msgspec.Struct, gc=False):
    """A call of the model."""

    name: str
    id: str = ""
    """Empty where the log does not say it."""
    arguments: msgspec.Raw = NO_RAW
    text: str | None = None


class Step(msgspec.Struct, gc=False):
    """A step."""

    kind: str
    source: str
    status: str = ""
    index: int | None = None
    time: int | None = None
    """Milliseconds since 1970 UTC."""
    text: str = ""
    thinking: str = ""
    signature: str | None = None
    calls: tuple[Call, ...] = ()
    images: tuple[Image, ...] = ()
    answers: str = ""
    """Id of the call whose result this is, where that is said."""
    failed: bool = False
    """It says by itself that it failed."""


def step_of_line(line: Line) -> Step:
    """A line of the log."""
    return Step(
        kind=line.type or "",
        source=line.source or _NOT_OF_MODEL.get(line.type or "", ""),
        status=line.status or "",
        index=line.step_index,
        time=timestamps.parse(line.created_at),
        text=line.content or "",
        thinking=line.thinking or "",
        calls=tuple(call_of(call.name or "", call.id or "", bytes(call.args)) for call in line.tool_calls or ()),
    )


def source_of(kind: str, stated: str) -> str:
    """Whose a step is: as it says, else by its kind."""
    return stated or _NOT_OF_MODEL.get(kind, "MODEL")


def call_of(name: str, identity: str, arguments: bytes) -> Call:
    """A call with its arguments, which are JSON or should be."""
    if not arguments.strip() or arguments.strip() == b"null":
        return Call(name, identity, msgspec.Raw(b"{}"))
    try:
        msgspec.json.decode(arguments)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Call(name, identity, text=arguments.decode("utf-8", "replace"))
    return Call(name, identity, clean_raw(arguments))


def step_of_row(index: int | None, kind: int, status: int, payload: bytes, error: bytes) -> Step:
    """A row of the database. Never raises: of damaged bytes that is taken which stands before the damage."""
    row = fields(payload, whole=False)
    about = row.message(5, whole=False) or Fields()
    named = row.number(1) or kind
    name = _TYPES.get(named, f"STEP_TYPE_{named}")
    step = Step(
        kind=name,
        source=_SOURCES.get(about.number(3)) or _NOT_OF_MODEL.get(name, "MODEL"),
        status=_STATUS.get(status or row.number(4), ""),
        index=index,
        time=moment(about.message(1, whole=False)),
    )
    call = about.message(4, whole=False)
    if name == USER:
        _user(step, row.message(19, whole=False) or Fields())
    elif name == PLANNER:
        _planner(step, row.message(20, whole=False) or Fields())
    elif name == "ERROR_MESSAGE":
        step.text = (row.message(24, whole=False) or Fields()).text(1)
    elif call is not None or name in _RESULTS:
        step.answers = call.text(1) if call is not None else ""
        _result(step, row, error)
    return step


def _user(step: Step, said: Fields) -> None:
    items = [fields(item, whole=False).text(1) for item in said.each(3)]
    step.text = next((text for text in (said.text(2), *items, said.text(1)) if text.strip()), "")
    step.images = tuple(
        Image(media_type=image.text(2) or "image/png", data=image.text(1))
        for image in (fields(each, whole=False) for each in said.each(5))
        if image.data(1)
    )


def _planner(step: Step, said: Fields) -> None:
    step.text, step.thinking, step.signature = said.text(1), said.text(3), said.text(4) or None
    calls = [fields(each, whole=False) for each in said.each(7)]
    step.calls = tuple(call_of(call.text(2), call.text(1), call.text(3).encode()) for call in calls)


def _result(step: Step, row: Fields, error: bytes) -> None:
    field, texts = _RESULTS.get(step.kind, (0, ()))
    found = row.message(field, whole=False) or Fields()
    for each in texts:
        inside = (step.kind, each) in _INSIDE
        text = (found.message(each, whole=False) or Fields()).text(1) if inside else found.text(each)
        if text:
            step.text = text
            break
    if step.kind == "RUN_COMMAND":
        step.failed = found.number(6) != 0
    elif step.kind == "GREP_SEARCH":
        step.failed = bool(found.text(5).strip())
    elif step.kind == "LIST_DIRECTORY":
        step.text = "\n".join(_entry(fields(each, whole=False)) for each in found.each(3))
    problem = fields(error, whole=False)
    told = next((text for text in (problem.text(9), problem.text(1), problem.text(2)) if text.strip()), "")
    if told:
        step.text, step.failed = told, True


def _entry(entry: Fields) -> str:
    return entry.text(1) + ("/" if entry.number(2) == 1 else "")
