"""Tables in documents say what the code says. `--accept` writes them anew."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from panscript.schemas.agents import AGENTS, KINDS, Agent
from panscript.schemas.diagnostics import CODES, Code
from tests import library
from tests.matrix import losses_rows, matrix_rows, written_agents
from tests.repository import ROOT

_ORDER = ("skipped", "changed", "lost", "warning")


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [headings, ("---",) * len(headings), *rows]
    cells = ([cell.replace("|", r"\|") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def agents_table() -> str:
    """What is read and written of each agent, and where its sessions are."""
    rows = [
        (f"`{agent.id}`", agent.name, _read(agent), _written(agent), ", ".join(agent.storage), _place(agent))
        for agent in AGENTS
    ]
    return _table(("agent", "name", "read", "written", "storage", "default place"), rows)


def _read(agent: Agent) -> str:
    if agent.reader is None:
        return "not yet"
    return "all kinds" if set(agent.kinds) == set(KINDS) else ", ".join(agent.kinds)


def _written(agent: Agent) -> str:
    if agent.writer is not None:
        return "from every agent"
    return "from itself" if agent.reader is not None else "not yet"


def _place(agent: Agent) -> str:
    first = next(location for location in agent.locations if location.default is not None)
    return f"`~/{first.default}`" + (f" (`{first.variable}`)" if first.variable else "")


def diagnostics_table() -> str:
    """Every code with where it is counted and what it means."""
    codes = sorted(CODES.items(), key=lambda item: (_ORDER.index(item[1].counter), _class(item[1]), item[0]))
    rows = [(f"`{name}`", code.counter, _class(code), code.sentence) for name, code in codes]
    return _table(("code", "counter", "class", "meaning"), rows)


def _class(code: Code) -> str:
    if code.counter != "lost":
        return ""
    return "content" if code.content else "by design"


def matrix_table() -> str:
    """What the fixtures lose from each agent to each other."""
    return _table(("from / to", *(f"`{agent}`" for agent in written_agents())), matrix_rows())


def losses_table() -> str:
    """Why each target cannot hold what it loses."""
    return _table(("lost", *(f"`{agent}`" for agent in written_agents())), losses_rows())


def library_table() -> str:
    """What the functions of the library that this one grew from are here."""
    return _table(("there", "here", ""), library.rows())


BLOCKS = [
    ("README.md", "library", library_table),
    ("README.md", "agents", agents_table),
    ("README.md", "matrix", matrix_table),
    ("DIAGNOSTICS.md", "losses", losses_table),
    ("DIAGNOSTICS.md", "diagnostics", diagnostics_table),
]


def _block(path: Path, name: str) -> tuple[str, str, str]:
    """The text before the block of this name, in it, and after it."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    found = re.fullmatch(rf"(.*{begin})(.*?)({end}.*)", path.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None, f"{path.name} has no block {name}"
    return found[1], found[2], found[3]


@pytest.mark.parametrize(("document", "name", "table"), BLOCKS, ids=[name for _, name, _ in BLOCKS])
def test_the_tables_in_documents_are_those_of_the_code(
    document: str, name: str, table: Callable[[], str], accept: bool
) -> None:
    path = ROOT / document
    before, block, after = _block(path, name)
    if accept:
        path.write_text(before + table() + after, encoding="utf-8")
        before, block, after = _block(path, name)
    assert block == table()


def test_every_diagnostic_has_a_whole_sentence() -> None:
    assert [name for name, code in CODES.items() if not re.fullmatch(r"[A-Z].*\.", code.sentence)] == []
