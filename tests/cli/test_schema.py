"""`panscript schema`: what the records of an agent look like."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest
from click.testing import CliRunner, Result

from panscript.cli.main import main
from panscript.schemas.agents import AGENTS

READ = [agent.id for agent in AGENTS if agent.reader is not None]


def run(*args: str) -> Result:
    """Run the program."""
    return CliRunner().invoke(main, ["schema", *args])


@pytest.mark.parametrize("agent", READ)
def test_every_agent_that_is_read_has_a_schema(agent: str) -> None:
    done = run(agent)
    assert (done.exit_code, done.stderr) == (0, "")
    schema = json.loads(done.stdout)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$defs"]
    family = next(known.family for known in AGENTS if known.id == agent)
    # One that shares another's modules may have records of its own.
    own = find_spec(f"panscript.schemas.{agent}") is not None
    module = import_module(f"panscript.schemas.{agent if own else family}")
    assert schema == json.loads(json.dumps(module.json_schema()))


def test_every_reference_in_a_schema_leads_somewhere() -> None:
    for agent in READ:
        schema = json.loads(run(agent).stdout)
        for name in _references(schema):
            assert name.removeprefix("#/$defs/") in schema["$defs"], (agent, name)


def _references(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return [*own, *(name for each in value.values() for name in _references(each))]
    return [name for each in value for name in _references(each)] if isinstance(value, list) else []


def test_an_agent_without_a_schema_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "panscript.schemas.dsh", None)
    done = run("dsh")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "panscript: records of DeepSeek Harness have no schema yet\n"


def test_an_agent_that_nobody_knows_is_wrong_usage() -> None:
    done = run("clippy")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "'clippy' is not one of" in done.stderr
