"""The table of agents is complete, consistent, and tells where to look without looking."""

import pickle
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from panscript.schemas.agents import AGENTS, KINDS, Agent, Location, agent, agent_ids
from panscript.schemas.errors import UnknownAgent
from tests import repository

HOME = Path("/home/ana")
EVERY_AGENT = pytest.mark.parametrize("entry", AGENTS, ids=lambda entry: entry.id)


def places(agent_id: str, **variables: str) -> set[str]:
    return {str(place) for each in agent(agent_id).locations for place in each.places(HOME, variables)}


def test_the_order_of_the_table_is_the_order_of_reports() -> None:
    assert list(agent_ids()) == repository.AGENTS
    assert [entry.id for entry in AGENTS] == repository.AGENTS


def test_an_agent_is_found_by_its_id() -> None:
    assert agent("claude").name == "Claude Code"
    assert agent("codex").name == "Codex"
    assert [agent(each) for each in agent_ids()] == list(AGENTS)


@pytest.mark.parametrize("name", ["", "Claude", "claude-code", "claude "])
def test_an_unknown_id_is_an_error_that_names_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownAgent) as failure:
        agent(name)
    assert repr(name) in failure.value.message
    assert failure.value.hint is not None
    assert all(each in failure.value.hint for each in agent_ids())
    assert failure.value.__cause__ is None


def test_display_names_are_distinct_and_vendors_are_provider_ids() -> None:
    assert len({entry.name for entry in AGENTS}) == len(AGENTS)
    assert [entry.vendor for entry in AGENTS if entry.vendor != entry.vendor.lower().strip() or not entry.vendor] == []
    known = {entry.id: entry.vendor for entry in AGENTS if entry.id in {"claude", "codex", "gemini", "kimi"}}
    assert known == {"claude": "anthropic", "codex": "openai", "gemini": "google", "kimi": "moonshot"}


@EVERY_AGENT
def test_an_entry_has_a_store_and_a_place(entry: Agent) -> None:
    assert entry.storage
    assert len(set(entry.storage)) == len(entry.storage)
    assert entry.locations
    assert len(set(entry.locations)) == len(entry.locations)
    assert entry.parser_version >= 1


@EVERY_AGENT
def test_every_place_is_below_the_home_folder_or_named_by_a_variable(entry: Agent) -> None:
    for location in entry.locations:
        assert location.default is not None or location.variable
        for part in (location.base or "", location.path):
            assert not part.startswith(("/", "~", "$"))
            assert ".." not in part.split("/")
    assert any(location.default for location in entry.locations)


@EVERY_AGENT
def test_kinds_can_be_read_exactly_where_there_is_a_reader(entry: Agent) -> None:
    assert bool(entry.kinds) == (entry.reader is not None)
    assert set(entry.kinds) <= set(KINDS)


@EVERY_AGENT
def test_modules_bear_the_name_of_the_agent_or_of_its_family(entry: Agent) -> None:
    assert entry.reader in {None, *(f"panscript.readers.{name}" for name in (entry.id, entry.family))}
    assert entry.writer in {None, *(f"panscript.writers.{name}" for name in (entry.id, entry.family))}


@EVERY_AGENT
def test_every_module_the_table_names_is_there(entry: Agent) -> None:
    assert [name for name in (entry.reader, entry.writer) if name and find_spec(name) is None] == []


def test_a_module_that_is_there_is_named_in_the_table() -> None:
    found = {module.name for module in repository.modules()}
    named = {name for entry in AGENTS for name in (entry.reader, entry.writer)}
    for entry in AGENTS:
        assert {f"panscript.readers.{entry.id}", f"panscript.writers.{entry.id}"} & found <= named


def test_families_are_those_whose_modules_may_be_shared() -> None:
    assert {entry.id: entry.family for entry in AGENTS if entry.family != entry.id} == repository.FAMILIES
    assert all(agent(entry.family).family == entry.family for entry in AGENTS)


def test_entries_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        AGENTS[0].name = "Other"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        AGENTS[0].locations[0].base = "/"  # type: ignore[misc]


def test_the_table_can_be_written_as_json_and_copied() -> None:
    assert msgspec.json.decode(msgspec.json.encode(AGENTS), type=tuple[Agent, ...]) == AGENTS
    assert pickle.loads(pickle.dumps(AGENTS)) == AGENTS


def test_default_places_lie_below_the_home_folder_given() -> None:
    assert places("codex") == {"/home/ana/.codex/sessions", "/home/ana/.codex/archived_sessions"}
    assert "/home/ana/.pi/agent/sessions" in places("pi")
    assert "/home/ana/.omp/agent/sessions" in places("pi")
    assert places("gemini") == {"/home/ana/.gemini/tmp"}
    assert "/home/ana/.local/share/amp/threads" in places("amp")
    assert "/home/ana/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks" in places("cline")
    assert "/home/ana/.local/share/kilo" in places("kilocode")


def test_a_variable_replaces_the_place_it_is_for() -> None:
    assert places("codex", CODEX_HOME="/c") == {"/c/sessions", "/c/archived_sessions"}
    assert "/x/opencode" in places("opencode", XDG_DATA_HOME="/x")
    assert places("gemini", GEMINI_CLI_HOME="/g") == {"/g/.gemini/tmp", "/g/tmp"}


def test_a_variable_without_a_default_adds_a_place_only_when_set() -> None:
    added = places("copilot", COPILOT_OTEL_FILE_EXPORTER_PATH="/o/file.log") - places("copilot")
    assert added == {"/o/file.log"}


def test_a_blank_variable_counts_as_not_set() -> None:
    assert places("dsh", DSH_HOME="  ") == places("dsh") == {"/home/ana/.dsh/sessions"}


def test_a_tilde_in_a_variable_is_the_home_folder_given() -> None:
    assert places("dsh", DSH_HOME="~/d") == {"/home/ana/d/sessions"}
    assert places("dsh", DSH_HOME="~") == {"/home/ana/sessions"}


def test_the_list_of_claude_folders_is_split_at_commas_and_replaces_all_defaults() -> None:
    assert places("claude", CLAUDE_CONFIG_DIR="/a, /b,") == {
        "/a/projects",
        "/a/transcripts",
        "/b/projects",
        "/b/transcripts",
    }


def test_a_comma_in_a_variable_that_is_no_list_belongs_to_the_path() -> None:
    assert Location(variable="V", path="x").places(HOME, {"V": "/a,b"}) == (Path("/a,b/x"),)
