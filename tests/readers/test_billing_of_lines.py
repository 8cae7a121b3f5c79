"""The short way to what was billed, on histories that agents can write and no fixture holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.billing import billed
from panscript.readers.droid import resolve
from panscript.readers.opening import open_source
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from tests.billing import same
from tests.builders import write_rows
from tests.readers.copilot import logs as copilot
from tests.readers.droid.test_usage import SPENT, START
from tests.readers.dsh import logs
from tests.readers.gemini import sessions as gemini
from tests.readers.kimi import sessions as kimi
from tests.readers.qwen import sessions as qwen

Row = dict[str, Any]
Fresh = Callable[[], Path]
_n = st.integers(0, 5)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Fresh:
    return lambda: tmp_path_factory.mktemp("any")


def _scan(source: Source) -> str:
    report = FileReport(path="")
    list(billed(source, report=report))
    return report.scan


# Gemini CLI

_LOG = "tmp/app/chats/session-2026-10-01T10-00-11111111.jsonl"
_messages = st.builds(
    lambda kind, name, second, tokens, model: (
        gemini.user(name, [{"text": f"said {second}"}], second)
        if kind == "user"
        else gemini.answer(name, "x", second, type=kind, model=model, tokens=tokens)
    ),
    st.sampled_from(["user", "gemini", "gemini", "info"]),
    st.sampled_from("abcd"),
    st.integers(0, 59),
    st.sampled_from([None, {}, {"input": 1}, {"input": 9, "output": 2, "cached": 4, "total": 11}]),
    st.sampled_from(["one", "two", None]),
)
_gemini = st.lists(
    st.one_of(
        _messages,
        _messages,
        st.builds(lambda name: {"$rewindTo": name}, st.sampled_from("abcdx")),
        st.builds(lambda said: {"$set": {"messages": said}}, st.lists(_messages, max_size=4)),
        st.builds(lambda said: {**gemini.META, "kind": "subagent", "messages": said}, st.lists(_messages, max_size=2)),
        st.builds(lambda n: {"$set": {"sessionId": f"s{n}", "directories": [f"/d{n}"]}}, _n),
        st.builds(lambda n: {"role": "model", "parts": [{"text": "x"}], "tokens": {"input": n}}, _n),
    ),
    max_size=14,
)


def _of_gemini(folder: Path, rows: list[Row]) -> Source:
    return open_source(str(gemini.write(folder / _LOG, rows)), "gemini")


@given(rows=_gemini)
def test_what_a_log_of_gemini_takes_back_replaces_and_repeats_is_billed_alike(rows: list[Row], fresh: Fresh) -> None:
    same(_of_gemini(fresh(), rows))


def test_an_answer_with_the_id_of_a_summary_is_looked_at_closely(tmp_path: Path) -> None:
    said = [gemini.user("a", "hello"), gemini.answer("b", "x")]
    summary = gemini.user("c", "<state_snapshot>x</state_snapshot>")
    rows = [*said, {"$set": {"messages": [summary]}}, gemini.answer("c", "y")]
    source = _of_gemini(tmp_path, rows)
    assert same(source) == 1
    assert _scan(source) == "full"
    assert _scan(_of_gemini(tmp_path, rows[:-1])) == "usage"


# Qwen Code

_qwen = st.lists(
    st.builds(
        lambda kind, n, more: qwen.user(f"u{n}", None, "x") if kind else qwen.answer(f"a{n}", None, "x", **more),
        st.booleans(),
        _n,
        st.fixed_dictionaries(
            {},
            optional={
                "forkedFrom": st.sampled_from([{"sessionId": "there"}, {"sessionId": "gone"}, {}]),
                "isSidechain": st.booleans(),
                "agentId": st.sampled_from(["one", "two"]),
                "sessionId": st.sampled_from(["s1", None]),
                "timestamp": st.sampled_from([None, "2026-10-01T10:00:09.000Z"]),
                "usageMetadata": st.sampled_from([None, {}, {"promptTokenCount": 3, "totalTokenCount": 4}]),
                "message": st.sampled_from([None, {"role": "model", "parts": []}]),
            },
        ),
    ),
    max_size=12,
)


@given(rows=_qwen)
def test_rows_of_qwen_that_were_copied_or_are_of_sub_agents_are_billed_alike(rows: list[Row], fresh: Fresh) -> None:
    chats = fresh() / "projects/-home-ana-app/chats"
    qwen.write(chats / "there.jsonl", [qwen.user("u", None, "x")])
    same(open_source(str(qwen.write(chats / f"{qwen.ID}.jsonl", [qwen.user("u", None, "x"), *rows])), "qwen"))


# Kimi CLI and Kimi Code


def _within(agent: str, row: Row) -> Row:
    return kimi.wire("SubagentEvent", 2, agent_id=agent, event=row["message"])


_status = st.builds(kimi.status, st.sampled_from(["m1", "m2", None]), _n, _n, st.integers(0, 9))
_kimi_cli = st.lists(
    st.one_of(
        _status, _status, st.builds(_within, st.sampled_from(["one", "two"]), _status), st.just({"role": "user"})
    ),
    max_size=12,
)


@given(rows=_kimi_cli, own_files=st.booleans())
def test_counts_of_kimi_cli_that_repeat_or_are_of_sub_agents_are_billed_alike(
    rows: list[Row], own_files: bool, fresh: Fresh
) -> None:
    path = kimi.cli(fresh(), rows)
    if own_files:
        write_rows(path.parent / "subagents/one/wire.jsonl", [kimi.status("m1", 1)])
    same(open_source(str(path), "kimi"))


_kimi_code = st.lists(
    st.one_of(
        st.builds(
            lambda n, model, scope, kind: {
                **kimi.codes("usage.record", usage={"inputOther": n}, model=model, usageScope=scope),
                "kind": kind,
            },
            _n,
            st.sampled_from(["kimi-code/k2", "k3", None]),
            st.sampled_from(["turn", "turn", "session"]),
            st.sampled_from([None, None, "event"]),
        ),
        st.just(kimi.codes("forked")),
        st.just({"type": "usage.record", "usageScope": "turn", "usage": {"output": 1}}),
        st.just(kimi.codes("usage.record", usageScope="turn")),
    ),
    max_size=12,
)


@given(rows=_kimi_code, state=st.sampled_from([{}, {"forkedFrom": "session_0"}, {"custom": {"kind": "fork"}}]))
def test_forks_of_kimi_code_are_billed_alike(rows: list[Row], state: Row, fresh: Fresh) -> None:
    path = kimi.code(fresh(), *rows)
    (path.parents[2] / "state.json").write_text(json.dumps(state))
    same(open_source(str(path), "kimi"))


# DeepSeek Harness

_USED = {"inputTokens": 5, "outputTokens": 1}
_events: list[Callable[[int], Row]] = [
    lambda n: logs.answer(n, logs.text("x"), usage={**_USED, "inputTokens": n % 3}),
    lambda n: logs.answer(n, logs.call(f"c{n % 4}"), usage=_USED),
    lambda n: logs.answer(n, logs.text("x"), usage=_USED, surfaceOp={"op": "replace", "startSeq": 1, "endSeq": 2}),
    lambda n: logs.event("assistant/chunk", n, {"chunk": {"type": "usage", "usage": {**_USED, "outputTokens": n}}}),
    lambda n: logs.event("assistant/chunk", n, {"chunk": {"type": "text-delta", "index": 0, "text": "x"}}),
    lambda n: logs.event("step/end", n, {}),
    lambda n: logs.event("tool/call", n, {"callId": f"c{n % 4}", "name": "bash", "arguments": "{}"}),
    lambda n: logs.result(n, f"c{n % 4}", "x"),
    lambda n: logs.event("request/header", n, {"header": {"config": {"provider": f"p{n}", "model": f"m{n}"}}}),
    lambda n: logs.event("session/title-llm-request", n, {"route": {"provider": "titles", "model": f"t{n}"}}),
    lambda n: logs.event("compaction/summary", n, {"usage": _USED, "summary": "x", "model": "m" if n % 2 else None}),
    lambda n: logs.event("session/end-seed", n, {"inherited": True}),
    lambda n: logs.event("assistant/message", n, {"usage": _USED}),
]
_dsh = st.lists(st.builds(lambda make, n: make(n), st.sampled_from(_events), st.integers(1, 30)), max_size=16)
_heads = st.sampled_from([{}, {"parentSession": "p", "isSeeded": True}, {"parentSession": "p", "seedLength": 9}])


@given(rows=_dsh, head=_heads, there=st.booleans())
def test_events_of_the_deepseek_harness_in_any_order_are_billed_alike(
    rows: list[Row], head: Row, there: bool, fresh: Fresh
) -> None:
    folder = fresh()
    if there:
        logs.write(folder, [logs.header(id="p")], "p")
    same(open_source(str(logs.write(folder, [logs.header(**head), *rows])), "dsh"))


@pytest.mark.parametrize(("named", "scan"), [(True, "usage"), (False, "full")])
def test_a_call_amid_a_response_that_took_tokens_is_looked_at_closely(tmp_path: Path, named: bool, scan: str) -> None:
    answered = [logs.answer(1, logs.call("c1"), usage=_USED)] if named else []
    took = logs.event("assistant/chunk", 2, {"chunk": {"type": "usage", "usage": _USED}})
    rows = [*answered, *([] if named else [took]), logs.event("tool/call", 3, {"callId": "c1", "name": "bash"})]
    source = open_source(str(logs.write(tmp_path, [logs.header(), *rows])), "dsh")
    assert same(source) == 1
    assert _scan(source) == scan


# Copilot

_counts = st.sampled_from([{"inputTokens": 5, "outputTokens": 1}, {"inputTokens": 0}, {"cacheReadTokens": 4}, None])
_booked = st.builds(
    lambda counts, n: {**(counts or {}), "model": f"m{n}", "apiCallId": f"r{n}", "accounting": {"usageId": f"u{n}"}},
    _counts,
    _n,
)
_copilot = st.lists(
    st.one_of(
        st.builds(lambda n, counts: copilot.event("session.usage_record", n, {"usage": counts}), _n, _counts),
        st.builds(lambda n, counts: copilot.event("session.usage_record", n, {"usage": counts}), _n, _booked),
        st.builds(
            lambda n, name, counts: copilot.event("session.shutdown", n, {"modelMetrics": {name: {"usage": counts}}}),
            _n,
            st.sampled_from(["a", "b"]),
            _counts,
        ),
        st.builds(lambda n: copilot.answer(n, "x", apiCallId=f"r{n}"), _n),
        st.just({"type": "session.usage_record", "data": {"usage": {"inputTokens": 3}}}),
        st.just({"type": "session.usage_record"}),
    ),
    max_size=12,
)


@given(rows=_copilot, beside=st.booleans())
def test_requests_and_totals_in_a_log_of_copilot_are_billed_alike(rows: list[Row], beside: bool, fresh: Fresh) -> None:
    home = fresh()
    if beside:
        copilot.export(home, [copilot.span("s1", 1), copilot.span("s2", 2, "another")])
    same(open_source(str(copilot.write(home, [copilot.start(), *rows])), "copilot"))


# Droid


def _said(name: str, second: int | None, role: str) -> Row:
    time = f"2026-10-01T10:00:0{second}.000Z" if second is not None else None
    message = {"role": role, "content": "Model: named\n", "modelId": "answering"}
    return {"type": "message", "id": name, "timestamp": time, "message": message}


_droid = st.lists(
    st.one_of(
        st.builds(_said, st.sampled_from("abc"), st.none() | _n, st.sampled_from(["user", "assistant"])),
        st.builds(lambda more: {**START, **more}, st.sampled_from([{}, {"parent": "p", "forkedAtMessageId": "b"}])),
        st.just({"type": "session_end"}),
    ),
    max_size=8,
)
_settings = st.fixed_dictionaries(
    {},
    optional={
        "model": st.sampled_from(["m", ""]),
        "providerLockTimestamp": st.sampled_from(["2026-10-01T09:00:00.000Z", "never"]),
        "tokenUsage": st.sampled_from([SPENT, SPENT, {}]),
    },
)


@given(rows=_droid, settings=_settings)
def test_a_droid_session_is_billed_alike_however_much_of_it_is_read(
    rows: list[Row], settings: Row, fresh: Fresh
) -> None:
    folder = fresh()
    (folder / "s1.settings.json").write_text(json.dumps(settings))
    same(resolve(str(write_rows(folder / "s1.jsonl", rows))))
