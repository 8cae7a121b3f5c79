"""The repository as the tests over the whole of it see it: its packages, arrows, agents, and modules."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Which packages a package may import from.
ARROWS = {
    "schemas": {"schemas"},
    "readers": {"readers", "schemas"},
    "stages": {"stages", "schemas"},
    "writers": {"writers", "schemas"},
    "cli": {"cli", "writers", "stages", "readers", "schemas"},
}
PACKAGES = tuple(ARROWS)

AGENTS = (
    "pi codex gemini droid opencode openclaw claude copilot goose amp qwen kimi cline roocode kilocode antigravity dsh"
).split()

# The family whose modules an agent shares.
FAMILIES = {"roocode": "cline", "kilocode": "cline", "openclaw": "pi"}

# The agent that a later version of one was copied from, whose modules it shares, too.
ORIGINS = {"kilocode": "opencode"}


@dataclass(frozen=True)
class Import:
    """One module named by an import statement of another, wherever in that file the statement stands."""

    importer: str
    imported: str
    line: int


@dataclass(frozen=True)
class Module:
    """A source file of one of our packages under its dotted name, `panscript.readers.codex`."""

    name: str
    path: Path
    text: str

    @property
    def package(self) -> str:
        """The top-level folder."""
        return self.name.split(".")[1]

    @property
    def tree(self) -> ast.Module:
        """The parsed source."""
        return ast.parse(self.text, str(self.path))


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the five packages."""
    return tuple(_module(path) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))


def _module(path: Path) -> Module:
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[-1] == "__init__":
        parts = parts[:-1]
    return Module(".".join(("panscript", *parts)), path, path.read_text(encoding="utf-8"))


def imports_of(module: Module) -> Iterator[Import]:
    """The modules a module names in absolute imports; `from a import b` counts as `a.b` where that is a module."""
    names = {each.name for each in modules()}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module.name, alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield Import(module.name, inner if inner in names else node.module, node.lineno)


def agent_of(module_name: str) -> str | None:
    """The agent a module belongs to (`panscript.readers.codex.items`, `panscript.writers.codex_ids`: codex)."""
    parts = module_name.split(".")
    if len(parts) < 3 or parts[0] != "panscript":
        return None
    return next((agent for agent in AGENTS if parts[2] == agent or parts[2].startswith(f"{agent}_")), None)
