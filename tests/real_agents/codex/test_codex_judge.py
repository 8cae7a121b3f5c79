"""The judge itself: the real Codex goes on with its own sessions as our reader says, and planted faults are seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from panscript.readers import read_events
from panscript.schemas.events import Event, Message, Session, Text
from panscript.stages import prepare
from tests.real_agents.codex.agent import Codex, Verdict
from tests.real_agents.codex.comparison import differences, sent, told_otherwise
from tests.real_agents.codex.request import turns_of
from tests.real_agents.codex.rules import refused
from tests.real_agents.conversions import squeezed
from tests.real_agents.meant import Call, Result, Said, Thought, Turn, meant
from tests.real_agents.model import REPLY, stand_in_model
from tests.repository import ROOT

PROMPT = "What did we talk about?"
HOMES = sorted((ROOT / "fixtures" / "codex").glob("home-*"))
FILES = [file for home in HOMES for file in sorted(home.glob("*sessions/**/rollout-*"))]
# Threads whose files have two segments: the second one is read with the first.
FIRST_SEGMENTS = {"01a22b0a-b639-77c3-9bd2-c4be5665c0b5.jsonl"}
OWN = [f for f in FILES if f.parent.name != "archived_sessions" and f.name[28:] not in FIRST_SEGMENTS]
# Bare lines without an envelope: this Codex takes such a file for an empty one.
BARE = {"home-0.8.0", "home-0.20.0"}
# Copied into a sub-agent for the person to see, and not for the model: our reader reads what the model is told.
ONLY_SHOWN = {"01a22b0c-8fd8-7502-8050-be6ac54cff4a", "01a22b0a-f05b-7c53-b251-1feb1d493193"}
TOOLS = next(file for file in FILES if "01a22b0a-a2cb-7010-9815-b4252868bfef" in file.name)
Line = dict[str, Any]


def name(file: Path) -> str:
    """A short name for test ids."""
    return f"{file.relative_to(ROOT / 'fixtures' / 'codex').parts[0]}/{file.name[28:]}"


def events_of(file: Path) -> list[Event]:
    """The session as our program reads it."""
    return sent(prepare(read_events(str(file))))


@pytest.fixture(scope="module")
def judged(codex: Codex) -> dict[Path, Verdict]:
    """All sessions that Codex wrote, home by home."""
    found: dict[Path, Verdict] = {}
    for home in HOMES:
        index = home / "session_index.jsonl"
        names = index.read_bytes() if index.exists() else None
        with stand_in_model() as model:
            files = [file for file in FILES if file.is_relative_to(home)]
            for verdict in codex.check(files, session_index=names, prompt=PROMPT, model=model):
                found[verdict.file] = verdict
    return found


@pytest.fixture(params=[file for file in OWN if name(file).split("/")[0] not in BARE], ids=name)
def own(request: pytest.FixtureRequest, judged: dict[Path, Verdict]) -> Verdict:
    """A session that Codex can go on with."""
    return judged[request.param]


def test_the_model_is_told_what_our_reader_says(own: Verdict) -> None:
    assert own.refusals == {}
    assert told_otherwise(events_of(own.file), own.told, home=True) == []


def test_codex_lists_the_session(own: Verdict) -> None:
    session = next(event for event in events_of(own.file) if isinstance(event, Session))
    assert own.listed is not None
    assert own.listed.cwd == session.cwd
    # Sub-agents and headless runs are only listed where they are asked for.
    assert own.listed.plainly is (own.listed.source in ("cli", "vscode"))
    if own.file.parts.count("home-0.171.0") and own.thread.startswith("01a22b0a-cffb"):
        assert own.listed.name == session.title == "Greeting and sums"


def test_what_is_shown_was_said(own: Verdict) -> None:
    said = [b.text for e in events_of(own.file) if isinstance(e, Message) for b in e.content if isinstance(b, Text)]
    shown = own.texts("userMessage") + own.texts("agentMessage")
    assert shown
    unsaid = [text for text in shown if squeezed([text]) not in squeezed(said)]
    assert unsaid == (["Earlier answer."] if own.thread in ONLY_SHOWN else [])


def test_codex_only_appends_the_new_turn(own: Verdict) -> None:
    assert own.left is not None
    left = own.left.read_bytes()
    if own.file.suffix != ".zst":
        assert left.startswith(own.file.read_bytes())
    last = meant(events_of(own.left))[-2:]
    assert [(turn.role, turn.parts[-1]) for turn in last] == [("user", Said(PROMPT)), ("assistant", Said(REPLY))]


def test_the_command_line_goes_on(codex: Codex, tmp_path: Path) -> None:
    file = next(file for file in FILES if "01a22b0a-cffb-74b3-a3ac-aa4b1012a4bf" in file.name)
    line, rest = file.read_bytes().split(b"\n", 1)
    first = json.loads(line)
    # Unlike the app server the command takes the provider from its settings alone.
    del first["payload"]["model_provider"]
    copy = tmp_path / file.name
    copy.write_bytes(json.dumps(first).encode() + b"\n" + rest)
    with stand_in_model() as model:
        finished, left = codex.prompt(copy, PROMPT, cwd=tmp_path, model=model)
        asked = turns_of(model.requests[-1].body["input"])
    assert (finished.code, finished.stdout.strip()) == (0, REPLY), finished.stderr
    assert left.read_bytes().startswith(copy.read_bytes())
    assert asked[-1].parts[-1] == Said(PROMPT)
    assert Said("What is 2+2?") in [part for turn in asked for part in turn.parts]


@pytest.mark.parametrize("file", [f for f in OWN if name(f).split("/")[0] in BARE], ids=name)
def test_a_file_that_codex_cannot_read_is_refused(judged: dict[Path, Verdict], file: Path) -> None:
    assert "is empty" in judged[file].refusals["thread/resume"]
    assert judged[file].listed is None


@pytest.mark.parametrize("file", [f for f in FILES if f.parent.name == "archived_sessions"], ids=name)
def test_an_archived_session_is_listed_but_not_resumed(judged: dict[Path, Verdict], file: Path) -> None:
    assert "is archived" in judged[file].refusals["thread/resume"]
    assert judged[file].listed is not None


def output_as_an_object(lines: list[Line]) -> None:
    payload = next(p for p in payloads(lines) if p["type"] == "function_call_output")
    payload["output"] = {"content": payload["output"], "success": True}


def no_timestamp(lines: list[Line]) -> None:
    del next(line for line in lines if line["payload"].get("role") == "assistant")["timestamp"]


def call_without_output(lines: list[Line]) -> None:
    lines.remove(next(line for line in lines if line["payload"].get("type") == "function_call_output"))


def wrong_block(lines: list[Line]) -> None:
    next(p for p in payloads(lines) if p.get("role") == "assistant")["content"][0]["type"] = "text"


def argument_changed(lines: list[Line]) -> None:
    payload = next(p for p in payloads(lines) if p["type"] == "function_call")
    payload["arguments"] = payload["arguments"].replace("hello", "goodbye")


def answers_swapped(lines: list[Line]) -> None:
    first, second = [p for p in payloads(lines) if p["type"] == "function_call_output"][:2]
    first["output"], second["output"] = second["output"], first["output"]


def picture_left_out(lines: list[Line]) -> None:
    payload = next(p for p in payloads(lines) if p.get("role") == "user" and len(p["content"]) > 1 and is_picture(p))
    payload["content"] = [block for block in payload["content"] if block["type"] != "input_image"]


def is_picture(payload: Line) -> bool:
    return any(block["type"] == "input_image" for block in payload["content"])


def payloads(lines: list[Line]) -> Iterator[Line]:
    return (line["payload"] for line in lines if line["type"] == "response_item")


def planted(fault: Callable[[list[Line]], None], folder: Path) -> Path:
    lines = [json.loads(line) for line in TOOLS.read_bytes().splitlines()]
    fault(lines)
    file = folder / TOOLS.name
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "fault",
    [
        output_as_an_object,
        no_timestamp,
        call_without_output,
        wrong_block,
        argument_changed,
        answers_swapped,
        picture_left_out,
    ],
)
def test_the_judge_sees_what_codex_passes_over(
    codex: Codex, tmp_path: Path, fault: Callable[[list[Line]], None]
) -> None:
    with stand_in_model() as model:
        (verdict,) = codex.check([planted(fault, tmp_path)], prompt=PROMPT, model=model)
    assert verdict.refusals == {}
    assert told_otherwise(events_of(TOOLS), verdict.told, home=True) != []


def test_the_judge_says_that_codex_refuses(codex: Codex, tmp_path: Path) -> None:
    def no_folder(lines: list[Line]) -> None:
        del lines[0]["payload"]["cwd"]

    with stand_in_model() as model:
        (verdict,) = codex.check([planted(no_folder, tmp_path)], prompt=PROMPT, model=model)
        assert model.requests == []
    assert verdict.refusals.keys() == {"thread/resume"}


def test_what_only_the_model_is_told_is_not_shown(codex: Codex, tmp_path: Path) -> None:
    def not_shown(lines: list[Line]) -> None:
        lines[:] = [line for line in lines if line["type"] != "event_msg"]

    with stand_in_model() as model:
        (verdict,) = codex.check([planted(not_shown, tmp_path)], prompt=PROMPT, model=model)
    assert verdict.refusals == {}
    assert verdict.listed is None
    assert verdict.shown == []
    assert told_otherwise(events_of(TOOLS), verdict.told, home=True) == []


ASKED = Turn("user", (Said("Look"),))
CALLED = Turn("assistant", (Thought("Hm.", None), Call("call:1", "read", {"path": "a"}), Call("b", "read", "text")))
ANSWERED = Turn("user", (Result("call:1", ("1",), error=True), Result("b", ("2",), error=False)))


@pytest.mark.parametrize(
    ("called", "answered"),
    [
        (CALLED, replace(ANSWERED, parts=(Result("call:1", ("Failed. 1",), error=False), ANSWERED.parts[1]))),
        (
            replace(CALLED, parts=(*CALLED.parts[:1], Call("call_1", "read", {"path": "a"}), *CALLED.parts[2:])),
            replace(ANSWERED, parts=(Result("call_1", ("1",), error=False), ANSWERED.parts[1])),
        ),
    ],
)
def test_what_may_be_told_otherwise(called: Turn, answered: Turn) -> None:
    assert differences([ASKED, CALLED, ANSWERED], [ASKED, called, answered], home=False) == []


@pytest.mark.parametrize(
    ("called", "answered"),
    [
        (replace(CALLED, parts=CALLED.parts[1:]), ANSWERED),
        (replace(CALLED, parts=(*CALLED.parts[:2], Call("c", "read", "text"))), ANSWERED),
        (replace(CALLED, parts=(*CALLED.parts[:2], Call("b", "write", "text"))), ANSWERED),
        (replace(CALLED, parts=(*CALLED.parts[:2], Call("b", "read", {"path": "a"}))), ANSWERED),
        (CALLED, replace(ANSWERED, parts=ANSWERED.parts[:1])),
        (CALLED, replace(ANSWERED, parts=ANSWERED.parts[::-1])),
        (CALLED, replace(ANSWERED, parts=(ANSWERED.parts[0], Result("b", ("Failed. 2",), error=False)))),
    ],
)
def test_what_must_not_be_told_otherwise(called: Turn, answered: Turn) -> None:
    assert differences([ASKED, CALLED, ANSWERED], [ASKED, called, answered], home=False) != []


def test_why_the_api_would_refuse() -> None:
    def call(name: str, call_id: str, arguments: str = "{}") -> Line:
        return {"type": "function_call", "name": name, "call_id": call_id, "arguments": arguments}

    def output(call_id: str) -> Line:
        return {"type": "function_call_output", "call_id": call_id, "output": "done"}

    assert refused([call("read", "a"), call("read", "b"), output("b"), output("a")]) == []
    wrong = [[call("read it", "a")], [call("read", "a:1")], [call("read", "a", "path")], [call("read", "a")] * 2]
    assert all(refused([*calls, *(output(c["call_id"]) for c in calls)]) for calls in wrong)
    assert refused([call("read", "a")])
    assert refused([output("a")])
    assert refused([{"type": "message", "role": "user", "content": []}])
    assert refused([{"type": "message", "role": "assistant", "content": [{"type": "input_text", "text": "Hi"}]}])
