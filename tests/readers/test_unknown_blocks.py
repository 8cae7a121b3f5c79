"""Blocks of types that nobody knows: each is kept as it stood, in its place, however many a message has."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from panscript.readers import rawjson
from panscript.readers.opening import open_source, read
from panscript.readers.options import ReadOptions
from panscript.schemas.events import Event, File, Opaque, Text, ToolResult, Usage
from panscript.schemas.report import FileReport
from tests import builders as claude
from tests.readers.cline.tasks import START
from tests.readers.copilot import logs as copilot
from tests.readers.dsh import logs as dsh
from tests.readers.gemini import sessions as gemini
from tests.readers.kimi import sessions as kimi
from tests.readers.openclaw import making as openclaw
from tests.readers.pi import sessions as pi
from tests.readers.qwen import sessions as qwen

HERE = "the blocks stand here"
SAID = [{"type": "text", "text": "hi"}]
Write = Callable[[Path], Path]


def _put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def _claude(role: str) -> Write:
    def write(folder: Path) -> Path:
        make = claude.user if role == "user" else claude.assistant
        rows = [claude.user("a", None, "hi"), make("b", "a", HERE, 1)]
        rows[1]["message"]["content"] = HERE
        return claude.write_rows(folder / f"{claude.SESSION}.jsonl", rows)

    return write


def _codex(role: str, *, bare: bool) -> Write:
    def write(folder: Path) -> Path:
        name = "0197bbbb-0000-7000-8000-00000000beef"
        item = {"type": "message", "role": role, "content": HERE}
        head = {"id": name, "timestamp": claude.at(0), "cwd": "/p", "instructions": None}
        meta = head if bare else {"timestamp": claude.at(0), "type": "session_meta", "payload": head}
        row = item if bare else {"timestamp": claude.at(1), "type": "response_item", "payload": item}
        return claude.write_rows(folder / f"rollout-2026-05-02T09-00-00-{name}.jsonl", [meta, row])

    return write


def _pi(folder: Path) -> Path:
    answer = pi.answer("b", "a", [])
    answer["message"]["content"] = HERE
    return pi.write_file(folder, [pi.HEADER, pi.prompt("a", None, "hi"), answer])


def _pi_extension(folder: Path) -> Path:
    told = pi.entry("custom_message", "b", "a", customType="x", display=True, content=HERE)
    return pi.write_file(folder, [pi.HEADER, pi.prompt("a", None, "hi"), told])


def _openclaw(folder: Path) -> Path:
    answer = openclaw.answer("b", "a", content=HERE)
    return openclaw.write(
        folder / ".openclaw/agents/main/sessions/s1.jsonl", [openclaw.HEADER, openclaw.user("a", None, "hi"), answer]
    )


def _amp(role: str) -> Write:
    def write(folder: Path) -> Path:
        name = "T-5b000060-0000-4000-8000-000000000060"
        said = [{"role": "user", "messageId": 0, "content": SAID}, {"role": role, "messageId": 1, "content": HERE}]
        return _put(folder / f"{name}.json", {"v": 1, "id": name, "created": START, "messages": said})

    return write


def _cline(role: str) -> Write:
    def write(folder: Path) -> Path:
        said = [{"role": "user", "content": SAID, "ts": START}, {"role": role, "content": HERE, "ts": START}]
        return _put(folder / f"tasks/{START}/api_conversation_history.json", said)

    return write


def _droid(role: str) -> Write:
    def write(folder: Path) -> Path:
        def row(name: str, who: str, content: Any) -> dict[str, Any]:
            message = {"role": who, "content": content}
            return {"type": "message", "id": name, "timestamp": claude.at(1), "message": message}

        start = {"type": "session_start", "id": "s1", "title": "x", "version": 2, "cwd": "/p"}
        return claude.write_rows(folder / "s1.jsonl", [start, row("a", "user", "hi"), row("b", role, HERE)])

    return write


def _dsh(folder: Path) -> Path:
    answer = dsh.answer(2)
    answer["data"]["message"]["content"] = HERE
    return dsh.write(folder, [dsh.header(), dsh.user(1, "hi"), answer])


def _dsh_prompt(folder: Path) -> Path:
    prompt = dsh.user(1, "hi")
    prompt["data"]["content"] = HERE
    return dsh.write(folder, [dsh.header(), prompt])


def _goose(role: str) -> Write:
    def write(folder: Path) -> Path:
        head = {"id": "20260601_1", "working_dir": "/w", "name": "x", "extension_data": {}}
        time = START // 1000
        said = [
            {"id": "m1", "role": "user", "created": time, "content": SAID},
            {"id": "m2", "role": role, "created": time, "content": HERE},
        ]
        return _put(folder / "export.json", {**head, "conversation": said})

    return write


def _opencode(folder: Path) -> Path:
    time = {"created": START}
    part = {"id": "p1", "messageID": "m1", "sessionID": "ses_1", "type": "text", "text": "hi"}
    said = [
        {"info": {"id": "m1", "sessionID": "ses_1", "role": "user", "time": time}, "parts": [part]},
        {"info": {"id": "m2", "sessionID": "ses_1", "role": "assistant", "time": time}, "parts": HERE},
    ]
    about = {"id": "ses_1", "title": "x", "directory": "/w", "time": time}
    return _put(folder / "export.json", {"info": about, "messages": said})


def _kimi_code(folder: Path) -> Path:
    return kimi.code(folder, kimi.codes("context.append_message", message={"role": "user", "content": HERE}))


def _kimi_tool(folder: Path) -> Path:
    said = {"role": "tool", "toolCallId": "c1", "content": HERE}
    return kimi.code(folder, kimi.codes("context.append_message", message=said))


def _kimi_result(folder: Path) -> Path:
    event = {"type": "tool.result", "toolCallId": "c1", "result": {"output": HERE}}
    return kimi.code(folder, kimi.codes("context.append_loop_event", event=event))


def _kimi_cli(folder: Path) -> Path:
    return kimi.cli(folder, contexts=[{"role": "user", "content": HERE}])


def _kimi_wire(folder: Path) -> Path:
    return kimi.cli(folder, wires=[kimi.wire("TurnBegin", user_input=HERE)])


def _kimi_inside(folder: Path) -> Path:
    begin = {"type": "TurnBegin", "payload": {"user_input": HERE}}
    middle = {"type": "SubagentEvent", "payload": {"agent_id": "a2", "event": begin}}
    turn = kimi.wire("TurnBegin", user_input="hi")
    return kimi.cli(folder, wires=[turn, kimi.wire("SubagentEvent", 1, agent_id="a1", event=middle)])


def _gemini(folder: Path, *rows: Any) -> Path:
    return gemini.write(folder / "tmp/app/chats/session-2026-10-01T10-00-11111111.jsonl", rows)


def _gemini_log(folder: Path) -> Path:
    return _gemini(folder, gemini.user("u", "hi"), gemini.answer("g", HERE))


def _gemini_set(folder: Path) -> Path:
    return _gemini(folder, {"$set": {"messages": [gemini.user("u", "hi"), gemini.answer("g", HERE)]}})


def _gemini_document(folder: Path) -> Path:
    said = {**gemini.META, "messages": [gemini.user("u", HERE)]}
    return _put(folder / "tmp/app/chats/session-2026-10-01T10-00-11111111.json", said)


def _saved_chat(folder: Path) -> Path:
    return _put(folder / "checkpoint-a.json", {"history": [{"role": "user", "parts": HERE}]})


def _qwen(role: str) -> Write:
    def write(folder: Path) -> Path:
        last = qwen.user("b", "a", []) if role == "user" else qwen.answer("b", "a", [])
        last["message"]["parts"] = HERE
        return qwen.write(folder / f"projects/-home-ana-app/chats/{qwen.ID}.jsonl", [qwen.user("a", None, "hi"), last])

    return write


def _claude_result(content: Any, role: str = "user", kind: str = "tool_result") -> Write:
    def write(folder: Path) -> Path:
        make = claude.user if role == "user" else claude.assistant
        rows = [claude.user("a", None, "hi"), make("b", "a", [], 1)]
        rows[1]["message"]["content"] = [*SAID, {"type": kind, "tool_use_id": "c1", "content": content}]
        return claude.write_rows(folder / f"{claude.SESSION}.jsonl", rows)

    return write


def _codex_result(output: Any, *, bare: bool = False) -> Write:
    def write(folder: Path) -> Path:
        path = _codex("user", bare=bare)(folder)
        said = {"type": "message", "role": "user", "content": HERE}
        given = {"type": "function_call_output", "call_id": "c1", "output": output}
        text = path.read_text()
        assert json.dumps(said) in text
        path.write_text(text.replace(json.dumps(said), json.dumps(given)))
        return path

    return write


def _pi_result(folder: Path) -> Path:
    answer = pi.answer("b", "a", [])
    answer["message"] = {"role": "toolResult", "toolCallId": "c1", "toolName": "bash", "content": HERE}
    return pi.write_file(folder, [pi.HEADER, pi.prompt("a", None, "hi"), answer])


def _droid_result(role: str) -> Write:
    def write(folder: Path) -> Path:
        path = _droid(role)(folder)
        content = [*SAID, {"type": "tool_result", "tool_use_id": "c1", "content": HERE}]
        path.write_text(path.read_text().replace(json.dumps(HERE), json.dumps(content)))
        return path

    return write


def _dsh_result(content: Any) -> Write:
    def write(folder: Path) -> Path:
        result = dsh.result(2, "c1", "")
        result["data"]["message"]["content"] = content
        return dsh.write(folder, [dsh.header(), dsh.user(1, "hi"), result])

    return write


def _goose_result(role: str, value: Any) -> Write:
    def write(folder: Path) -> Path:
        path = _goose(role)(folder)
        answer = {"type": "toolResponse", "id": "c1", "toolResult": {"status": "success", "value": value}}
        path.write_text(path.read_text().replace(json.dumps(HERE), json.dumps([*SAID, answer])))
        return path

    return write


def _kimi_cli_result(folder: Path) -> Path:
    value = {"is_error": False, "output": HERE}
    turn = kimi.wire("TurnBegin", user_input="hi")
    return kimi.cli(folder, wires=[turn, kimi.wire("ToolResult", tool_call_id="c1", return_value=value)])


def _kimi_inner_result(folder: Path) -> Path:
    given = {"type": "ToolResult", "payload": {"tool_call_id": "c1", "return_value": {"output": HERE}}}
    turn = kimi.wire("TurnBegin", user_input="hi")
    return kimi.cli(folder, wires=[turn, kimi.wire("SubagentEvent", 1, agent_id="a1", event=given)])


def _kimi_context_result(folder: Path) -> Path:
    return kimi.cli(folder, contexts=[{"role": "tool", "tool_call_id": "c1", "content": HERE}])


def _copilot_result(folder: Path) -> Path:
    done = copilot.done(2, "c1", result={"content": "hi", "contents": HERE})
    return copilot.write(folder, [copilot.start(), copilot.user(1, "hi"), done])


RESPONSE = {"functionResponse": {"id": "c1", "name": "ls", "response": {"output": "a"}, "parts": HERE}}


def _gemini_result(result: Any) -> Write:
    def write(folder: Path) -> Path:
        call = {**gemini.call("c1"), "result": result}
        return _gemini(folder, gemini.user("u", "hi"), gemini.answer("g", "", toolCalls=[call]))

    return write


def _gemini_result_set(folder: Path) -> Path:
    answer = gemini.answer("g", "", toolCalls=[gemini.call("c1", result=[RESPONSE])])
    return _gemini(folder, {"$set": {"messages": [gemini.user("u", "hi"), answer]}})


def _gemini_response(role: str) -> Write:
    def write(folder: Path) -> Path:
        parts = [{"text": "hi"}, RESPONSE]
        return _gemini(folder, gemini.user("u", parts) if role == "user" else gemini.answer("g", parts))

    return write


def _qwen_result(folder: Path) -> Path:
    result = qwen.result("b", "a", "c1", {"output": "a"})
    result["message"]["parts"] = [{"text": "hi"}, RESPONSE]
    return qwen.write(folder / f"projects/-home-ana-app/chats/{qwen.ID}.jsonl", [qwen.user("a", None, "hi"), result])


CASES: dict[str, tuple[str, Write]] = {
    "amp": ("amp", _amp("assistant")),
    "amp-user": ("amp", _amp("user")),
    "claude": ("claude", _claude("assistant")),
    "claude-user": ("claude", _claude("user")),
    "cline": ("cline", _cline("assistant")),
    "cline-user": ("cline", _cline("user")),
    "codex": ("codex", _codex("assistant", bare=False)),
    "codex-user": ("codex", _codex("user", bare=False)),
    "codex-developer": ("codex", _codex("developer", bare=False)),
    "codex-bare": ("codex", _codex("assistant", bare=True)),
    "droid": ("droid", _droid("assistant")),
    "droid-user": ("droid", _droid("user")),
    "dsh": ("dsh", _dsh),
    "dsh-user": ("dsh", _dsh_prompt),
    "gemini": ("gemini", _gemini_log),
    "gemini-set": ("gemini", _gemini_set),
    "gemini-document": ("gemini", _gemini_document),
    "gemini-saved": ("gemini", _saved_chat),
    "goose": ("goose", _goose("assistant")),
    "goose-user": ("goose", _goose("user")),
    "kimi-code": ("kimi", _kimi_code),
    "kimi-tool": ("kimi", _kimi_tool),
    "kimi-result": ("kimi", _kimi_result),
    "kimi-cli": ("kimi", _kimi_cli),
    "kimi-wire": ("kimi", _kimi_wire),
    "kimi-inside": ("kimi", _kimi_inside),
    "openclaw": ("openclaw", _openclaw),
    "opencode": ("opencode", _opencode),
    "pi": ("pi", _pi),
    "pi-extension": ("pi", _pi_extension),
    "qwen": ("qwen", _qwen("assistant")),
    "qwen-user": ("qwen", _qwen("user")),
}
SEARCH = [{"type": "search_result", "title": "x", "source": "y"}, {"type": "search_result", "content": HERE}]
RESULTS: dict[str, tuple[int, Write]] = {
    "claude-result": (2, _claude_result(HERE)),
    "claude-result-search": (3, _claude_result(SEARCH)),
    "claude-result-vendor": (2, _claude_result(HERE, "assistant", "web_search_tool_result")),
    "claude-result-object": (3, _claude_result({"type": "code_execution_result", "content": HERE}, "assistant")),
    "codex-result": (1, _codex_result(HERE)),
    "codex-result-bare": (1, _codex_result(HERE, bare=True)),
    "codex-result-object": (1, _codex_result({"content": HERE, "success": True})),
    "copilot-result": (1, _copilot_result),
    "droid-result": (2, _droid_result("user")),
    "droid-result-assistant": (2, _droid_result("assistant")),
    "dsh-result": (1, _dsh_result(HERE)),
    "dsh-result-block": (2, _dsh_result([*SAID, {"type": "tool-result", "toolCallId": "c1", "content": HERE}])),
    "gemini-result": (2, _gemini_result(HERE)),
    "gemini-result-parts": (3, _gemini_result([RESPONSE])),
    "gemini-result-set": (4, _gemini_result_set),
    "gemini-response": (2, _gemini_response("assistant")),
    "gemini-response-user": (2, _gemini_response("user")),
    "goose-result": (2, _goose_result("user", HERE)),
    "goose-result-object": (2, _goose_result("assistant", {"content": HERE, "isError": False})),
    "kimi-result-cli": (1, _kimi_cli_result),
    "kimi-result-inside": (1, _kimi_inner_result),
    "kimi-result-context": (1, _kimi_context_result),
    "pi-result": (1, _pi_result),
    "qwen-result": (2, _qwen_result),
}
"""What stands in the result of a call: how many lists are gone into for it."""
CASES |= {name: (name.partition("-")[0], write) for name, (_, write) in RESULTS.items()}
each_case = pytest.mark.parametrize("case", CASES)


def _events(case: str, folder: Path, blocks: bytes, report: FileReport | None = None) -> list[Event]:
    agent, write = CASES[case]
    path = write(folder)
    path.write_bytes(path.read_bytes().replace(json.dumps(HERE).encode(), blocks))
    source = open_source(str(path), agent)
    return [event for record in read(source, report=report or FileReport(path="")) for event in record.events]


def _kept(events: list[Event]) -> list[tuple[str, bytes]]:
    return [(event.name, bytes(event.data)) for event in events if isinstance(event, Opaque)]


def _names(case: str, *names: str) -> list[str]:
    """Parts of Google's contents have no types."""
    return ["part"] * len(names) if case.startswith(("gemini", "qwen")) else list(names)


@each_case
def test_unknown_blocks_are_kept_as_they_stand_and_in_their_order(case: str, tmp_path: Path) -> None:
    report = FileReport(path="")
    blocks = [
        rb'{"type":"smell", "x":[1, {"y":"\u00e9"}]}',
        rb'{"type":"text","text":"words"}',
        rb'{"type":"hologram","x":"a \ud83d b"}',
        rb'{"x":1e999,"type":"smell"}',
    ]
    found = _kept(_events(case, tmp_path, b"[" + b" , ".join(blocks) + b"]", report))
    assert [name for name, _ in found] == _names(case, "smell", "hologram", "smell")
    assert [json.loads(data) for _, data in found] == [
        {"type": "smell", "x": [1, {"y": "é"}]},
        {"type": "hologram", "x": "a � b"},
        {"x": None, "type": "smell"},
    ]
    assert report.unknown == ({"part": 3} if "part" in report.unknown else {"smell": 2, "hologram": 1})


@each_case
def test_any_number_of_unknown_blocks_takes_one_more_look_at_the_record(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    items = rawjson._items

    def counted(text: bytes, ways: tuple[tuple[str, ...], ...]) -> Any:
        looks.append(len(text))
        return items(text, ways)

    monkeypatch.setattr(rawjson, "_items", counted)
    blocks = [b'{"type":"smell","x":%d}' % number for number in range(10_000)]
    found = _kept(_events(case, tmp_path, b"[" + b",".join(blocks) + b"]"))
    assert [data for _, data in found] == blocks
    # Messages that come in a list of their own are looked for in it first; exports are gone through twice.
    lists = RESULTS[case][0] if case in RESULTS else 1
    assert len(looks) == (2 if case in ("gemini-set", "opencode") else lists)


@each_case
def test_where_all_is_known_nothing_is_looked_at_again(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rawjson, "_items", None)
    assert not _kept(_events(case, tmp_path, json.dumps(SAID).encode()))


def test_a_list_of_messages_is_taken_apart_once_for_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    items = rawjson._items

    def counted(text: bytes, ways: tuple[tuple[str, ...], ...]) -> Any:
        looks.append(len(text))
        return items(text, ways)

    answers = [gemini.answer(f"g{number}", [{"x": number}]) for number in range(50)]
    path = _gemini(tmp_path, {"$set": {"messages": answers}})
    monkeypatch.setattr(rawjson, "_items", counted)
    records = list(read(open_source(str(path), "gemini"), options=ReadOptions(raw=True)))
    events = [event for record in records for event in record.events]
    assert [json.loads(data) for _, data in _kept(events)] == [{"x": number} for number in range(50)]
    assert [json.loads(bytes(event.raw)) for event in events if isinstance(event, Usage)] == answers
    assert sum(looks) < 3 * path.stat().st_size


@pytest.mark.parametrize("case", RESULTS)
def test_unknown_blocks_of_a_result_stand_before_it(case: str, tmp_path: Path) -> None:
    events = _events(case, tmp_path, b'[{"type":"smell"},{"type":"text","text":"words"}]')
    place = next(place for place, event in enumerate(events) if isinstance(event, ToolResult))
    result = events[place]
    assert isinstance(result, ToolResult)
    assert isinstance(events[place - 1], Opaque)
    assert case == "copilot-result" or Text(text="words") in result.content


def test_what_is_known_in_results_and_is_no_text_is_not_unknown(tmp_path: Path) -> None:
    report = FileReport(path="")
    kinds = ("tool_reference", "code_execution_output", "container_upload", "web_search_tool_result_error", "tool_use")
    blocks = json.dumps([{"type": kind} for kind in kinds]).encode()
    assert not _kept(_events("claude-result", tmp_path / "a", blocks, report))
    audience = {"annotations": {"audience": ["user"]}}
    links: list[dict[str, Any]] = [{"type": "resource_link", "uri": "x"}, {"type": "text", "text": "x"} | audience]
    assert not _kept(_events("goose-result", tmp_path / "b", json.dumps(links).encode(), report))
    parts = [{"type": kind} for kind in ("terminal", "audio", "resource", "resource_link")]
    assert not _kept(_events("copilot-result", tmp_path / "c", json.dumps(parts).encode(), report))
    assert not report.unknown


def test_what_stands_beside_a_result_of_opencode_and_is_no_file_is_kept(tmp_path: Path) -> None:
    report = FileReport(path="")
    beside = '[{"type":"smell","x":1},{"type":"file","mime":"text/x","url":"file:///x"},{"type":"smell","x":2}]'
    state = {"status": "completed", "input": {}, "output": "done", "attachments": HERE}
    call = {"id": "p2", "type": "tool", "callID": "c1", "tool": "read", "state": state}
    parts = json.dumps([call]).replace(json.dumps(HERE), beside).encode()
    agent, write = CASES["opencode"]
    path = write(tmp_path)
    path.write_bytes(path.read_bytes().replace(json.dumps(HERE).encode(), parts))
    events = [event for record in read(open_source(str(path), agent), report=report) for event in record.events]
    assert _kept(events) == [("smell", b'{"type":"smell","x":1}'), ("smell", b'{"type":"smell","x":2}')]
    results = [event for event in events if isinstance(event, ToolResult)]
    assert [[type(block) for block in result.content] for result in results] == [[Text, File]]
    assert report.unknown == {"smell": 2}


def test_items_of_items_are_found_in_whatever_order_they_are_asked_for() -> None:
    inner = rawjson.InnerItems()
    text = b'{"a":[{"b":[1,{"b":[2,3]}]},{"c":{"b":4}},5]}'
    ways = (("a",),)
    for places, found in [((0, 0), b"1"), ((0, 1, 1), b"3"), ((1, 0), b"4"), ((0, 1, 0), b"2"), ((2,), b"5")]:
        assert bytes(inner.deep(text, places, ways, ("b",), ("c", "b"))) == found
    for nowhere in [(3, 0), (2, 0), (0, 2), (0, 0, 0)]:
        assert bytes(inner.deep(text, nowhere, ways, ("b",))) == b""


def test_an_item_is_at_the_first_way_that_leads_anywhere() -> None:
    inner = rawjson.InnerItems()
    text = b'{"a":{"b":null},"c":"d","e":[1, 2],"f":5}'
    assert bytes(inner.clean(text, 0, ("a", "b"), ("c", "b"), ("f", "b"), ("e",))) == b"1"
    assert bytes(inner.clean(text, 1, ("e",))) == b"2"
    assert bytes(inner.clean(text, 2, ("e",))) == b""
    assert bytes(inner.clean(text, 0, ("f",))) == b"5"
    assert bytes(inner.clean(text, 1, ("f",))) == b""
    assert bytes(inner.clean(text, 0, ("z",), ("a", "z"))) == b""
    assert bytes(inner.clean(b'{"e":', 0, ("e",))) == b""
    assert bytes(inner.clean(b'{"e":[{"x":"\xff"}]}', 0, ("e",))) == '{"x":"�"}'.encode()
