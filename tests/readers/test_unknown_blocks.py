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
from panscript.schemas.events import Event, Opaque, Usage
from panscript.schemas.report import FileReport
from tests import builders as claude
from tests.readers.cline.tasks import START
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
    assert len(looks) == (2 if case in ("gemini-set", "opencode") else 1)


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
