"""The file for Pi's extensions folder: what is filled in is a literal whatever it holds, and is read back."""

from __future__ import annotations

import json
from importlib.resources import files

from hypothesis import given
from hypothesis import strategies as st

from panscript.schemas.agents import agent
from panscript.writers.extensions import extensible, extension
from panscript.writers.pi import extension as ours

PROGRAM = ["/opt/panscript"]


def line(content: bytes, begin: str) -> str:
    """The one line that begins like this."""
    (found,) = [each for each in content.decode("ascii", "replace").split("\n") if each.startswith(begin)]
    return found


def test_the_extension_is_that_of_pi() -> None:
    assert extensible() == ("pi",)
    assert extension("pi") is ours


@given(st.lists(st.text(), min_size=1))
def test_the_program_is_one_line_of_ascii_and_is_read_back(program: list[str]) -> None:
    content = ours.content("1.2.3", program, {})
    said = line(content, "const PROGRAM = ")
    assert said.isascii()
    assert json.loads(said.removeprefix("const PROGRAM = ").removesuffix(";")) == program
    assert ours.called(content) == program


def test_names_are_filled_in() -> None:
    names = {"claude": agent("claude").name}
    assert line(ours.content("1", PROGRAM, names), "const NAMES = ") == 'const NAMES = {"claude": "Claude Code"};'


@given(st.from_regex(r"[0-9]+(\.[0-9a-z+]+)*", fullmatch=True))
def test_the_version_is_read_back(version: str) -> None:
    assert ours.version(ours.content(version, PROGRAM, {})) == version


def test_all_else_is_the_file_as_it_stands() -> None:
    template = files(ours).joinpath("panscript.js").read_bytes().split(b"\n")
    written = ours.content("1.2.3", PROGRAM, {"codex": "Codex"}).split(b"\n")
    assert len(written) == len(template)
    changed = [number for number, (old, new) in enumerate(zip(template, written, strict=True)) if old != new]
    assert [template[number].split(b" = ")[0] for number in changed] == [
        b"// panscript extension for Pi, version 0",
        b"const PROGRAM",
        b"const NAMES",
    ]


def test_a_file_without_our_first_line_is_not_ours() -> None:
    content = ours.content("1", PROGRAM, {})
    assert ours.version(content.replace(b"\n", b"\r\n")) == "1"
    for other in (b"", b"\n" + content, content[3:], b"// panscript extension for Pi\n", b"\xef\xbb\xbf" + content):
        assert ours.version(other) is None


def test_a_program_that_cannot_be_seen_is_none() -> None:
    for other in (b"", b"const PROGRAM = panscript;\n", b"const PROGRAM = [1];\n", b'const PROGRAM = ["\xff"];\n'):
        assert ours.called(other) == []
