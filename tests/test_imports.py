"""Imports follow the arrows: schemas, then readers, stages and writers side by side, then cli."""

import ast
from graphlib import CycleError, TopologicalSorter

from tests.repository import AGENTS, ARROWS, FAMILIES, ORIGINS, PACKAGES, Import, agent_of, imports_of, modules


def _ours() -> list[Import]:
    return [each for module in modules() for each in imports_of(module) if each.imported.startswith("panscript.")]


def test_imports_follow_the_arrows() -> None:
    wrong = [each for each in _ours() if each.imported.split(".")[1] not in ARROWS[each.importer.split(".")[1]]]
    assert wrong == []


def test_no_agent_imports_another_agents_module() -> None:
    wrong = []
    for each in _ours():
        importer, imported = agent_of(each.importer), agent_of(each.imported)
        if importer and imported and imported not in (importer, FAMILIES.get(importer), ORIGINS.get(importer)):
            wrong.append(each)
    assert wrong == []


def test_no_relative_imports() -> None:
    wrong = [
        (module.name, node.lineno)
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom) and node.level > 0
    ]
    assert wrong == []


def test_no_import_of_a_package_without_its_prefix() -> None:
    wrong = [
        each
        for module in modules()
        for each in imports_of(module)
        if each.imported.split(".")[0] in (*PACKAGES, "tests")
    ]
    assert wrong == []


def test_no_import_cycle_even_for_type_checking() -> None:
    """With links two names lead to one file, and checkers then see two classes where modules import each other."""
    graph: dict[str, set[str]] = {module.name: set() for module in modules()}
    for each in _ours():
        if each.imported in graph and each.imported != each.importer:
            graph[each.importer].add(each.imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None


def test_no_module_imports_what_opens_connections() -> None:
    network = {
        "socket",
        "ssl",
        "http",
        "urllib.request",
        "ftplib",
        "smtplib",
        "asyncio",
        "requests",
        "httpx",
        "aiohttp",
    }
    wrong = [
        each
        for module in modules()
        for each in imports_of(module)
        if each.imported in network or each.imported.split(".")[0] in network
    ]
    assert wrong == []


def test_shared_modules_have_a_noun_for_a_name() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert [module.name for module in modules() if vague & set(module.name.split("."))] == []


def test_the_agents_of_these_rules_are_those_of_their_families() -> None:
    assert set(FAMILIES) | set(FAMILIES.values()) <= set(AGENTS)
    assert set(ORIGINS) | set(ORIGINS.values()) <= set(AGENTS)


def test_the_owner_of_a_module_is_told_from_its_name() -> None:
    assert agent_of("panscript.readers.codex") == "codex"
    assert agent_of("panscript.schemas.claude.rows") == "claude"
    assert agent_of("panscript.writers.pi_tree") == "pi"
    assert agent_of("panscript.readers.jsonl") is None
    assert agent_of("panscript.cli") is None
    assert agent_of("codex") is None
