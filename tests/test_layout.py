"""The five folders, the links to them and the lists in pyproject.toml name the same packages."""

import ast
import tomllib
from typing import Any

import pytest

from tests.repository import PACKAGES, ROOT

LINKS = ROOT / ".src" / "panscript"


@pytest.fixture(scope="module")
def settings() -> dict[str, Any]:
    """The tables of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.skipif(not LINKS.exists(), reason="a source distribution holds no links")
def test_each_link_leads_to_the_folder_of_its_name() -> None:
    assert {link.name: link.resolve() for link in LINKS.iterdir()} == {name: ROOT / name for name in PACKAGES}


@pytest.mark.skipif(not LINKS.exists(), reason="a source distribution holds no links")
def test_links_are_relative_so_that_a_clone_may_lie_anywhere() -> None:
    assert {link.name: link.readlink().as_posix() for link in LINKS.iterdir()} == {
        name: f"../../{name}" for name in PACKAGES
    }


def test_wheel_holds_every_package_and_nothing_else(settings: dict[str, Any]) -> None:
    wheel = settings["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert sorted(wheel["only-include"]) == sorted(PACKAGES)
    assert wheel["sources"] == {"": "panscript"}


def test_source_distribution_holds_what_it_names(settings: dict[str, Any]) -> None:
    listed = settings["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    assert {*PACKAGES, "tests", "fixtures"} <= set(listed)
    assert [name for name in listed if not (ROOT / name).exists()] == []


def test_importing_a_package_without_its_prefix_is_banned(settings: dict[str, Any]) -> None:
    assert sorted(settings["tool"]["ruff"]["lint"]["flake8-tidy-imports"]["banned-api"]) == sorted(PACKAGES)


def test_each_package_is_marked_as_typed_and_says_only_what_it_holds() -> None:
    for name in PACKAGES:
        assert (ROOT / name / "py.typed").read_bytes() == b""
        text = (ROOT / name / "__init__.py").read_text(encoding="utf-8")
        assert text.startswith('"""'), name
        body = ast.parse(text).body[1:]
        names = [node for node in body if not isinstance(node, ast.ImportFrom | ast.Assign)]
        assert names == [], f"{name}/__init__.py does more than name what is public"


def test_panscript_itself_is_a_namespace() -> None:
    assert not (ROOT / "__init__.py").exists()
    assert not (LINKS / "__init__.py").exists()
