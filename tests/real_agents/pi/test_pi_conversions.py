"""Sessions of other agents, converted by our program and opened, shown, sent and continued by the real Pi."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.real_agents.conversions import SOURCES, Conversion, Said, Source, convert, convert_all, said, squeezed
from tests.real_agents.model import INPUT_TOKENS, OUTPUT_TOKENS, REPLY, Turn, chat_turns, stand_in_model
from tests.real_agents.pi.agent import Message, Pi, Totals, Verdict

PROMPT = "What did we talk about?"
NEW_ONLY = Totals(input=INPUT_TOKENS, output=OUTPUT_TOKENS, cost=(INPUT_TOKENS + OUTPUT_TOKENS) / 1e6)

# Forks, and sub-agents that were given their parent's context: a converted one opens with what was copied, while
# `events` has only what is its own.
WITH_COPIED = {
    "10000000-0000-4000-8000-000000000003",
    "01a22b0c-8d30-7170-b56f-c737d2af9a8b",
    "01a22b0c-8fd8-7502-8050-be6ac54cff4a",
    "01a22b0a-c079-7c41-874e-b803ed069e9c",
    "01a22b0a-ce29-71e1-a964-c4e3f42e928a",
    "01a22b0a-f05b-7c53-b251-1feb1d493193",
    "01a22b0a-fe82-7533-a857-8355b5673ef0",
}
# Sessions in which turns were taken back: `events` has them still, the live branch has not.
WITH_TAKEN_BACK = {
    "01a22b0a-b639-77c3-9bd2-c4be5665c0b5",
    "01a22b0c-829a-7643-9d2c-a0c77b9d9a00",
}


@dataclass(frozen=True)
class Tried:
    """One source with everything known of it: the run of our program, and for each file what Pi says and was asked."""

    conversion: Conversion
    verdicts: list[Verdict]
    asked: list[list[Turn]]


@pytest.fixture(scope="module")
def tried(pi: Pi, tmp_path_factory: pytest.TempPathFactory) -> dict[Source, Tried]:
    """All sources converted, and all files judged in one run of node."""
    done = convert_all(SOURCES, "pi", tmp_path_factory.mktemp("converted"))
    files = [file for conversion in done.values() for file in conversion.files]
    if not files:
        pytest.fail(f"nothing was converted: {next(iter(done.values())).finished}", pytrace=False)
    with stand_in_model() as model:
        verdicts = pi.check(files, prompt=PROMPT, model=model)
        asked = [[chat_turns(r.body) for r in model.asked_below(f"/{number}/")] for number in range(len(files))]
    by_file = dict(zip(files, zip(verdicts, asked, strict=True), strict=True))
    return {
        source: Tried(
            conversion,
            [by_file[file][0] for file in conversion.files],
            [by_file[file][1][-1] if by_file[file][1] else [] for file in conversion.files],
        )
        for source, conversion in done.items()
    }


@pytest.fixture(scope="module")
def meant(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[Path, str], Said]:
    """What `panscript events` says of every session, sub-agents included."""
    return said(SOURCES, tmp_path_factory.mktemp("home"))


@pytest.fixture(params=SOURCES, ids=str)
def source(request: pytest.FixtureRequest) -> Source:
    chosen = request.param
    assert isinstance(chosen, Source)
    return chosen


@pytest.fixture
def one(source: Source, tried: dict[Source, Tried]) -> Tried:
    """The source's conversion, which must have been a success."""
    result = tried[source]
    assert result.conversion.finished.code == 0, result.conversion.finished.stderr
    assert result.verdicts
    return result


def origin(verdict: Verdict) -> str:
    """The id of the session that the file was made from, as its import record has it."""
    assert verdict.import_head is not None
    return str(verdict.import_head["sourceSessionId"])


def kept(verdict: Verdict) -> list[Message]:
    """What stands after the last compaction: beside the summary the model gets at least this."""
    roles = [message.role for message in verdict.conversation]
    return (
        verdict.conversation[len(roles) - roles[::-1].index("compaction") :]
        if "compaction" in roles
        else verdict.conversation
    )


def cleaned(names: Iterable[str]) -> list[str]:
    """Tool names as every provider takes them, up to what a writer may choose in place of a refused character."""
    return [re.sub(r"[^A-Za-z0-9]+", "_", name)[:40] for name in names]


def in_order(parts: Iterable[str | None], whole: Iterable[str | None]) -> bool:
    """Whether all parts (of a text: its characters) are found in the whole, in their order."""
    rest = iter(whole)
    return all(part in rest for part in parts)


def test_pi_opens_and_lists_every_file_as_an_import(one: Tried) -> None:
    for verdict in one.verdicts:
        assert verdict.errors == {}
        assert verdict.loaded
        assert verdict.unparsable == []
        assert verdict.listed is not None
        assert (verdict.listed.name or "").startswith("Imported from ")
        assert verdict.listed.message_count == verdict.messages


def test_a_session_and_its_sub_agents_are_one_file_each(
    source: Source, one: Tried, meant: dict[tuple[Path, str], Said]
) -> None:
    family = {source.session_id}
    known = {session: heard for (home, session), heard in meant.items() if home == source.home}
    while more := {session for session, heard in known.items() if heard.parent in family} - family:
        family |= more
    assert sorted(origin(verdict) for verdict in one.verdicts) == sorted(family)


def test_the_tree_is_sound_and_every_call_has_its_result(one: Tried) -> None:
    for verdict in one.verdicts:
        assert verdict.duplicate_ids == 0
        assert verdict.dangling_parents == []
        assert verdict.pairs is not None
        assert verdict.pairs.misfits == []


def test_what_was_used_elsewhere_is_not_counted_here(one: Tried) -> None:
    for verdict in one.verdicts:
        assert verdict.totals == Totals()


def test_the_context_gauge_is_filled_where_anything_was_said(one: Tried) -> None:
    for verdict in one.verdicts:
        assert verdict.context is not None
        spoken = any(message.text or message.calls for message in verdict.conversation)
        if "assistant" not in {message.role for message in kept(verdict)} and kept(verdict) != verdict.conversation:
            # Pi knows no size between a compaction and the next answer, and shows a question mark.
            assert verdict.context.tokens is None
        else:
            assert ((verdict.context.tokens or 0) > 0) is spoken


def test_the_live_branch_says_what_the_source_says(
    source: Source, one: Tried, meant: dict[tuple[Path, str], Said]
) -> None:
    for verdict in one.verdicts:
        heard = meant.get((source.home, origin(verdict)), Said())
        ours, theirs = _heard(heard), _spoken(verdict, heard)
        if origin(verdict) in WITH_COPIED:
            assert [in_order(less, more) for less, more in zip(ours, theirs, strict=True)] == [True] * 3
        elif origin(verdict) in WITH_TAKEN_BACK:
            assert [in_order(less, more) for less, more in zip(theirs, ours, strict=True)] == [True] * 3
            assert ours != theirs
        else:
            assert theirs == ours


def _heard(session: Said) -> tuple[list[str], str, list[str]]:
    """What the person said, what the model said, and which tools were called, according to our program."""
    users = [squeezed([text]) for text in session.users if text.strip()]
    return users, squeezed(session.assistants), cleaned(session.calls)


def _spoken(verdict: Verdict, session: Said) -> tuple[list[str], str, list[str]]:
    """The same according to Pi. A sub-agent's task opens its file, but no person typed it."""
    users = [squeezed([text]) for text in verdict.texts("user") if text.strip()]
    if session.parent and users and users[0] in [squeezed([text]) for text in session.notes]:
        users = users[1:]
    calls = cleaned(call.name for message in verdict.conversation for call in message.calls)
    return users, squeezed(verdict.texts("assistant")), calls


def test_every_provider_takes_the_session(one: Tried) -> None:
    for verdict in one.verdicts:
        assert verdict.requests is not None
        assert len(verdict.requests) >= 4
        assert {key: request.refused for key, request in verdict.requests.items() if request.refused} == {}


def test_nobody_elses_reasoning_is_replayed(one: Tried) -> None:
    for verdict in one.verdicts:
        assert verdict.requests is not None
        assert {key for key, request in verdict.requests.items() if request.reasoning} == set()


def test_pi_exports_the_session(one: Tried) -> None:
    for verdict in one.verdicts:
        assert (verdict.html or 0) > 1000
        assert (verdict.jsonl or 0) > len(verdict.conversation)


def test_the_session_goes_on_and_only_the_new_answer_counts(one: Tried) -> None:
    for verdict in one.verdicts:
        assert verdict.continued is not None
        assert (verdict.continued.error, verdict.continued.reply) == (None, REPLY)
        assert verdict.continued.added[-2:] == ["user", "assistant"]
        assert verdict.continued.compactions == []
        assert verdict.continued.totals.input == NEW_ONLY.input
        assert verdict.continued.totals.output == NEW_ONLY.output
        assert verdict.continued.totals.cost == pytest.approx(NEW_ONLY.cost)


def test_the_model_is_told_the_whole_conversation(one: Tried) -> None:
    for verdict, turns in zip(one.verdicts, one.asked, strict=True):
        assert turns[-1] == Turn("user", PROMPT)
        told = [turn for turn in turns[:-1] if turn.role in {"user", "assistant", "tool"}]
        heard = kept(verdict)
        assert in_order(
            [m.text for m in heard if m.role == "user" and m.text.strip()], [t.text for t in told if t.role == "user"]
        )
        assert in_order(
            [squeezed([m.text]) for m in heard if m.role == "assistant" and m.text.strip()],
            [squeezed([t.text]) for t in told if t.role == "assistant"],
        )
        assert in_order([m.answers for m in heard if m.answers], [t.answers for t in told if t.answers])
        assert in_order([c.id for m in heard for c in m.calls], [call[0] for t in told for call in t.calls])


@pytest.mark.parametrize(
    "name",
    ["claude/v2.1.328/10000000-0000-4000-8000-000000000002", "codex/home-0.171.0/01a22b0a-a2cb-7010-9815-b4252868bfef"],
)
def test_the_command_line_goes_on_in_the_chosen_project(pi: Pi, tmp_path: Path, name: str) -> None:
    source = next(source for source in SOURCES if str(source) == name)
    project = tmp_path / "project"
    project.mkdir()
    conversion = convert(source, "pi", tmp_path / "converted", "--cwd", project, "--no-subagents")
    assert conversion.finished.code == 0, conversion.finished.stderr
    (file,) = conversion.files
    before = file.read_bytes()
    with stand_in_model() as model:
        finished = pi.prompt(file, PROMPT, cwd=project, model=model)
        asked = [chat_turns(request.body)[-1] for request in model.asked_below("/cli/")]
    assert (finished.code, finished.stdout.strip()) == (0, REPLY), finished.stderr
    assert asked == [Turn("user", PROMPT)]
    assert file.read_bytes().startswith(before)
    (verdict,) = pi.check([file])
    assert verdict.listed is not None
    assert verdict.listed.cwd == str(project)
    assert [message.text for message in verdict.conversation[-2:]] == [PROMPT, REPLY]
    assert verdict.totals is not None
    assert (verdict.totals.input, verdict.totals.output) == (INPUT_TOKENS, OUTPUT_TOKENS)
