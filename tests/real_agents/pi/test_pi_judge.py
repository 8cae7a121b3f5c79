"""The judge itself: the real Pi reads its own sessions with the known numbers, and the judge sees planted faults."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.real_agents.model import INPUT_TOKENS, OUTPUT_TOKENS, REPLY, StandInModel, chat_turns
from tests.real_agents.pi.agent import Pi, Totals, Verdict
from tests.real_agents.process import run

Entries = list[dict[str, Any]]

# (totals, tokens in the context) as Pi 1.6.0 shows them.
KNOWN = {
    "agent-run": (Totals(input=800, output=160, cache_read=4000, cost=0.006), 1240),
    "compacted": (Totals(input=4900, output=175, cost=0.017325), 930),
    "entry-v1": (Totals(input=60, output=12, cost=0.009), 32),
    "entry-v2": (Totals(input=4, output=1, cost=0.003), 5),
    "forked": (Totals(input=2100, output=72, cost=0.00738), 930),
    "import-recommended": (Totals(), 66),
    "tree": (Totals(input=3000, output=102, cost=0.01053), 930),
}
PROMPT = "What did we talk about?"
APIS = ("anthropic-messages", "openai-responses", "openai-completions", "google-generative-ai")


def entries_of(file: Path) -> Entries:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]


def write(entries: Entries, file: Path) -> Path:
    file.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def known(pi: Pi, fixtures_dir: Path) -> dict[str, Verdict]:
    files = [fixtures_dir / "pi" / f"{name}.jsonl" for name in KNOWN]
    return dict(zip(KNOWN, pi.check(files), strict=True))


@pytest.mark.parametrize("name", KNOWN)
def test_pi_shows_the_known_numbers_of_its_own_sessions(known: dict[str, Verdict], name: str) -> None:
    totals, tokens = KNOWN[name]
    verdict = known[name]
    assert verdict.errors == {}
    assert verdict.totals is not None
    assert verdict.totals.cost == pytest.approx(totals.cost)
    assert [verdict.totals.input, verdict.totals.output] == [totals.input, totals.output]
    assert [verdict.totals.cache_read, verdict.totals.cache_write] == [totals.cache_read, totals.cache_write]
    assert verdict.context is not None
    assert verdict.context.tokens == tokens


@pytest.mark.parametrize("name", KNOWN)
def test_providers_take_what_pi_makes_of_its_own_sessions(known: dict[str, Verdict], name: str) -> None:
    requests = known[name].requests
    assert requests is not None
    assert sorted(requests) == sorted([*APIS, *(f"{api} as named" for api in APIS)])
    assert {key: request.refused for key, request in requests.items() if request.refused} == {}


def test_an_import_goes_on_and_only_the_new_answer_is_counted(pi: Pi, fixtures_dir: Path, model: StandInModel) -> None:
    file = fixtures_dir / "pi" / "import-recommended.jsonl"
    before = file.read_bytes()
    (verdict,) = pi.check([file], prompt=PROMPT, model=model)
    assert verdict.continued is not None
    assert verdict.continued.reply == REPLY
    assert verdict.continued.added[-3:] == ["system", "user", "assistant"]
    assert verdict.continued.totals.input == INPUT_TOKENS
    assert verdict.continued.totals.output == OUTPUT_TOKENS
    (request,) = model.asked_below("/0/")
    turns = chat_turns(request.body)
    assert [turn.role for turn in turns[1:]] == [
        "user", "assistant", "tool", "tool", "assistant", "user", "user", "assistant", "user",
    ]  # fmt: skip
    assert turns[-1].text == PROMPT
    assert file.read_bytes() == before


def test_the_command_line_goes_on_in_the_sessions_own_folder(
    pi: Pi, fixtures_dir: Path, model: StandInModel, tmp_path: Path
) -> None:
    header, *entries = entries_of(fixtures_dir / "pi" / "import-recommended.jsonl")
    file = write([header | {"cwd": str(tmp_path)}, *entries], tmp_path / "session.jsonl")
    finished = pi.prompt(file, PROMPT, cwd=tmp_path, model=model)
    assert (finished.code, finished.stdout.strip()) == (0, REPLY), finished.stderr
    assert entries_of(file)[: len(entries) + 1] == [header | {"cwd": str(tmp_path)}, *entries]
    added = [entry["message"]["role"] for entry in entries_of(file)[len(entries) + 1 :] if entry["type"] == "message"]
    assert added == ["system", "user", "assistant"]
    (request,) = model.asked_below("/cli/")
    assert chat_turns(request.body)[-1].text == PROMPT
    (verdict,) = pi.check([file])
    assert verdict.totals is not None
    assert (verdict.totals.input, verdict.totals.output) == (INPUT_TOKENS, OUTPUT_TOKENS)


def _blocks(entries: Entries) -> Entries:
    """The tool call blocks of the session."""
    messages = [e["message"] for e in entries if e["type"] == "message" and e["message"]["role"] == "assistant"]
    return [block for message in messages for block in message["content"] if block["type"] == "toolCall"]


def _results(entries: Entries) -> Entries:
    return [e for e in entries if e["type"] == "message" and e["message"]["role"] == "toolResult"]


def result_without_call(entries: Entries) -> None:
    _results(entries)[0]["message"]["toolCallId"] = "toolu_nobody"


def tool_name_with_a_colon(entries: Entries) -> None:
    for block in _blocks(entries)[:1]:
        block["name"] = "unknown:abcd"


def call_id_twice(entries: Entries) -> None:
    first, second = _blocks(entries)[:2]
    second["id"] = first["id"]
    for result in _results(entries):
        result["message"]["toolCallId"] = first["id"]


def person_between_call_and_result(entries: Entries) -> None:
    result = _results(entries)[0]
    link = {"id": "between", "parentId": result["parentId"], "timestamp": result["timestamp"]}
    said = {"role": "user", "content": [{"type": "text", "text": "wait"}], "timestamp": 1767261602000}
    result["parentId"] = "between"
    entries.insert(entries.index(result), {"type": "message", **link, "message": said})


@pytest.mark.parametrize(
    ("fault", "refused_by"),
    [
        (result_without_call, APIS),
        (tool_name_with_a_colon, ("anthropic-messages", "openai-responses", "openai-completions")),
        (call_id_twice, APIS),
        (person_between_call_and_result, APIS),
    ],
)
def test_the_judge_names_the_providers_that_refuse(
    pi: Pi, fixtures_dir: Path, tmp_path: Path, fault: Callable[[Entries], None], refused_by: tuple[str, ...]
) -> None:
    entries = entries_of(fixtures_dir / "pi" / "import-recommended.jsonl")
    fault(entries)
    (verdict,) = pi.check([write(entries, tmp_path / "faulty.jsonl")])
    assert verdict.requests is not None
    refusing = {api for api in APIS if verdict.requests[api].refused}
    assert refusing >= set(refused_by)


def test_the_judge_sees_damage_that_pi_passes_over(pi: Pi, fixtures_dir: Path, tmp_path: Path) -> None:
    good = fixtures_dir / "pi" / "import-recommended.jsonl"
    lines = good.read_text(encoding="utf-8").split("\n")
    torn = tmp_path / "torn.jsonl"
    torn.write_text("\n".join([*lines[:3], lines[3][:40], *lines[4:]]), encoding="utf-8")
    twice = write([*entries_of(good), entries_of(good)[-1]], tmp_path / "twice.jsonl")
    uncounted = entries_of(good)
    for entry in uncounted:
        entry.get("message", {}).pop("usage", None)
    circle = entries_of(good)
    circle[1]["parentId"] = circle[-1]["id"]
    files = [torn, twice, write(uncounted, tmp_path / "uncounted.jsonl"), write(circle, tmp_path / "circle.jsonl")]
    seen_torn, seen_twice, seen_uncounted, seen_circle = pi.check(files)
    assert seen_torn.unparsable == [4]
    assert seen_torn.dangling_parents != []
    assert seen_twice.duplicate_ids == 1
    assert "numbers" in seen_uncounted.errors
    assert "tree" in seen_circle.errors


def test_a_file_that_is_no_session_is_not_loaded(pi: Pi, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text('{"type":"message"}\n', encoding="utf-8")
    (verdict,) = pi.check([file])
    assert not verdict.loaded
    assert verdict.listed is None
    assert "open" in verdict.errors


def test_an_agent_under_test_reaches_no_other_machine(pi: Pi, tmp_path: Path) -> None:
    script = 'fetch("http://192.0.2.1/").catch((error) => console.log(String(error.cause)))'
    command: list[str | Path] = [pi.installed.node, "--input-type=module", "--eval", script]
    finished = run(command, cwd=tmp_path, env=pi.environment(), timeout=30)
    assert "not this machine" in finished.stdout
