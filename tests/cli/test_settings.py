"""Settings files: where they are found, what counts most, what is wrong in them, and what redaction makes of them."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import platformdirs
import pytest
from click.testing import CliRunner, Result

from panscript.cli.main import main
from panscript.cli.patterns import flaw
from panscript.cli.settings import AddedRule, Settings, load, redactor, with_settings
from panscript.schemas.errors import SettingsError
from tests.repository import ROOT

KEY = "".join(["ghp", "_", "a1B2c3D4e5" * 4])
TICKET = "ACME-" + "48151"
ADDED = """
[[redaction.rules]]
name = "acme-ticket"
pattern = 'ACME-[0-9]{5}'
"""


class Place:
    """A machine with a home, a repository in it, and a folder in that, in which the program runs."""

    def __init__(self, top: Path) -> None:
        self.above = top
        self.home = top / "home"
        self.project = self.home / "code/app"
        self.here = self.project / "deep/down"
        self.here.mkdir(parents=True)
        (self.project / ".git").mkdir()

    @property
    def person(self) -> Path:
        """The person's folder for settings."""
        folder = Path(platformdirs.user_config_dir("panscript"))
        folder.mkdir(parents=True, exist_ok=True)
        return folder


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    place = Place(tmp_path)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(place.home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place.home / ".config"))
    monkeypatch.chdir(place.here)
    return place


def _write(folder: Path, text: str) -> Path:
    path = folder / "panscript.toml"
    path.write_text(text, encoding="utf-8")
    return path


def _run(*args: str) -> Result:
    return CliRunner().invoke(main, args)


@click.group()
def program() -> None:
    """A program with one command."""


@click.command("greet")
@click.option("--name", "called", default="nobody")
@click.option("--times", type=click.IntRange(1, 9), default=1)
@click.option("--loud/--soft", default=False)
@click.option("--tone", type=click.Choice(["kind", "curt"]), default="kind")
@click.option("--to", "friends", multiple=True)
@click.option("--json", "as_json", is_flag=True)
@click.option("--rate", type=float, default=1.0)
def greet(**options: Any) -> None:
    """Say how it was called."""
    click.echo(json.dumps(options))


program.add_command(with_settings(greet))


def _greet(*args: str) -> dict[str, Any]:
    done = CliRunner().invoke(program, ["greet", *args], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.output)  # type: ignore[no-any-return]


def _problems(text: str, folder: Path) -> list[str]:
    with pytest.raises(SettingsError) as raised:
        load(program, str(_write(folder, text)))
    return [problem.message for problem in raised.value.problems]


def test_without_a_file_the_commands_have_their_own_defaults(place: Place) -> None:
    assert _greet() == {
        "called": "nobody",
        "times": 1,
        "loud": False,
        "tone": "kind",
        "friends": [],
        "as_json": False,
        "rate": 1.0,
    }


def test_a_key_is_the_long_name_of_an_option_whatever_the_parameter_is_called(place: Place) -> None:
    _write(
        place.here,
        '[greet]\nname = "Ana"\ntimes = 3\nloud = true\ntone = "curt"\nto = ["x", "y"]\njson = true\nrate = 2',
    )

    assert _greet() == {
        "called": "Ana",
        "times": 3,
        "loud": True,
        "tone": "curt",
        "friends": ["x", "y"],
        "as_json": True,
        "rate": 2.0,
    }


def test_the_command_line_wins_over_the_project_and_the_project_over_the_person(place: Place) -> None:
    _write(place.person, '[greet]\nname = "person"\ntimes = 2\nloud = true')
    _write(place.project, '[greet]\nname = "project"\nloud = true')

    said = _greet("--soft")

    assert (said["called"], said["times"], said["loud"]) == ("project", 2, False)


def test_a_file_named_by_hand_counts_alone(place: Place, tmp_path: Path) -> None:
    _write(place.person, "[greet]\ntimes = 2")
    _write(place.here, '[greet]\nname = "project"')
    mine = tmp_path / "mine.toml"
    mine.write_text('[greet]\ntone = "curt"', encoding="utf-8")

    said = _greet("--config", str(mine))

    assert (said["called"], said["times"], said["tone"]) == ("nobody", 1, "curt")


def test_of_the_folders_up_to_the_repository_the_nearest_file_is_the_project_s(place: Place) -> None:
    _write(place.project, "[greet]\ntimes = 2\nloud = true")
    _write(place.here.parent, "[greet]\ntimes = 3")
    assert (_greet()["times"], _greet()["loud"]) == (3, False)


def test_nothing_above_the_repository_counts(place: Place) -> None:
    _write(place.project.parent, "[greet]\ntimes = 2")
    assert _greet()["times"] == 1


def test_without_a_repository_folders_count_up_to_home(place: Place) -> None:
    (place.project / ".git").rmdir()
    _write(place.above, "[greet]\ntimes = 3")
    assert _greet()["times"] == 1
    _write(place.home, "[greet]\ntimes = 2")
    assert _greet()["times"] == 2


def test_outside_of_home_and_repository_only_the_current_folder_counts(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that others may write to, such as the one for temporary files, must not turn redaction off."""
    below = place.above / "shared/mine"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    _write(below.parent, "[greet]\ntimes = 2")
    assert _greet()["times"] == 1
    _write(below, "[greet]\ntimes = 3")
    assert _greet()["times"] == 3


def test_a_file_that_is_both_the_project_s_and_the_person_s_is_read_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.person)
    _write(place.person, "[greet]\nloudly = true")
    with pytest.raises(SettingsError) as raised:
        load(program)
    assert len(raised.value.problems) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("times = 10", "greet.times: 10 is not in the range 1<=x<=9"),
        ('times = "3"', "greet.times: must be a whole number, not text"),
        ("times = true", "greet.times: must be a whole number, not true or false"),
        ("loud = 1", "greet.loud: must be true or false, not a number"),
        ("soft = true", "greet.soft: there is no such key: write `loud = false`"),
        ("name = 5", "greet.name: must be text, not a number"),
        ("rate = []", "greet.rate: must be a number, not a list"),
        ("to = [1]", "greet.to[0]: must be text, not a number"),
        ('tone = "rude"', "greet.tone: 'rude' is not one of 'kind', 'curt'"),
        ("tmes = 1", "greet.tmes: there is no option --tmes of `greet`; perhaps 'times' is meant"),
        ("called = 1", "greet.called: there is no option --called of `greet`"),
        ("help = true", "greet.help: there is no option --help of `greet`"),
        ("config = 'x'", "greet.config: there is no option --config of `greet`"),
    ],
)
def test_a_wrong_value_or_key_is_told_with_its_place(line: str, message: str, tmp_path: Path) -> None:
    assert _problems(f"[greet]\n{line}", tmp_path) == [message]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("times = 1", "times: is neither a command nor `redaction`"),
        ("[gret]", "gret: is neither a command nor `redaction`; perhaps 'greet' is meant"),
        ("greet = 1", "greet: must be a table, not a number"),
        ("redaction = []", "redaction: must be a table, not a list"),
        ("[redaction]\non = []", "redaction.on: there is no such key"),
        ("[redaction]\noff = 'pem'", "redaction.off: must be a list, not text"),
        ("[redaction]\noff = ['jwtt']", "redaction.off[0]: there is no rule 'jwtt'; perhaps 'jwt' is meant"),
        ("[redaction]\nrules = [1]", "redaction.rules[0]: must be a table, not a number"),
        ("[[redaction.rules]]\nname = 'x'", "redaction.rules[0].pattern: is missing"),
        (
            "[[redaction.rules]]\nname = 'jwt'\npattern = 'x'",
            "redaction.rules[0].name: 'jwt' is the name of a built-in rule",
        ),
        (
            "[[redaction.rules]]\nname = 'A b'\npattern = 'x'",
            "redaction.rules[0].name: 'A b' is not made of a-z, 0-9 and hyphens, at most 64",
        ),
        (
            "[[redaction.rules]]\nname = 'x'\npattern = 'x'\nkind = 'pair'",
            "redaction.rules[0].kind: there is no such key",
        ),
    ],
)
def test_a_wrong_section_or_redaction_rule_is_told_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    assert _problems(text, tmp_path) == [message]


def test_two_rules_of_one_file_cannot_have_one_name(tmp_path: Path) -> None:
    assert _problems(ADDED + ADDED, tmp_path) == [
        f"redaction.rules[{number}].name: 'acme-ticket' is the name of 2 rules" for number in (0, 1)
    ]


def test_all_that_is_wrong_in_all_files_is_told_at_once_a_line_each(place: Place) -> None:
    project = _write(
        place.here,
        '[convert]\nbranch = "some"\nredact = "no"\n[evnts]\n[redaction]\noff = ["no-such"]\n'
        '[[redaction.rules]]\nname = "own"\npattern = "(a+)+"\n',
    )
    person = _write(place.person, "[list]\nlimit = -1\nsince = 5\n")

    done = _run("list")

    assert done.exit_code == 1
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert [line.split(": ")[:3] for line in lines] == [
        ["panscript", str(project), "convert.redact"],
        ["panscript", str(project), "convert.branch"],
        ["panscript", str(project), "evnts"],
        ["panscript", str(project), "redaction.off[0]"],
        ["panscript", str(project), "redaction.rules[0].pattern"],
        ["panscript", str(person), "list.since"],
        ["panscript", str(person), "list.limit"],
    ]


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"[greet", "is no TOML"), (b"[greet]\nname = '\xff'", "is not UTF-8"), (None, "cannot be read")],
)
def test_a_file_that_is_no_settings_file_is_one_line_and_status_1(
    content: bytes | None, what: str, place: Place
) -> None:
    path = place.here / "x.toml"
    if content is not None:
        path.write_bytes(content)

    done = _run("--config", str(path), "list")

    assert done.exit_code == 1
    assert done.stderr.startswith(f"panscript: {path}: {what}")
    assert len(done.stderr.splitlines()) == 1


def test_the_file_may_be_named_before_or_after_the_command(place: Place) -> None:
    path = _write(place.above, "[list]\nlimit = 'x'")
    before, after = _run("--config", str(path), "list"), _run("list", "--config", str(path))
    assert before.stderr == after.stderr
    assert "list.limit" in before.stderr


def test_help_is_given_whatever_the_settings_say(place: Place) -> None:
    _write(place.here, "nonsense")
    assert _run("list", "--help").exit_code == 0
    assert _run("list").exit_code == 1


def test_a_required_option_may_stand_in_the_settings(place: Place) -> None:
    _write(place.here, '[convert]\nto = "pi"\nimported_at = 2026-01-31T12:00:00Z\ncwd = "/srv/app"\nquiet = true')
    done = _run("convert", str(_session(place.here, "hello")))
    assert done.exit_code == 0, done.stderr
    header = json.loads(done.stdout.splitlines()[0])
    assert (header["type"], header["cwd"]) == ("session", "/srv/app")


def _session(folder: Path, *prompts: str) -> Path:
    """A Claude Code session in which somebody says this."""
    path = folder / "10000000-0000-4000-8000-00000000abcd.jsonl"
    rows, parent = [], None
    for number, prompt in enumerate(prompts):
        row = {
            "parentUuid": parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": str(folder),
            "sessionId": path.stem,
            "version": "2.1.0",
            "type": "user",
            "message": {"role": "user", "content": prompt},
            "uuid": f"20000000-0000-4000-8000-{number:012d}",
            "timestamp": f"2026-01-31T12:00:{number:02d}.000Z",
        }
        rows.append(json.dumps(row, separators=(",", ":")) + "\n")
        parent = row["uuid"]
    path.write_text("".join(rows), encoding="utf-8")
    return path


def _redact(source: Path, *args: str) -> str:
    done = _run("redact", str(source), *args)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def _convert(source: Path, *args: str) -> str:
    done = _run("convert", str(source), "--to", "pi", *args)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def _copy(source: Path, *args: str) -> str:
    done = _run("convert", str(source), "--to", "claude", *args)
    assert done.exit_code == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("command", [_redact, _convert, _copy])
def test_a_rule_that_is_off_leaves_what_only_it_knows(place: Place, command: Callable[..., str]) -> None:
    source = _session(place.here, f"use {KEY} there")
    assert KEY not in command(source)
    _write(place.here, '[redaction]\noff = ["github-token"]')
    assert f"use {KEY} there" in command(source)


@pytest.mark.parametrize("command", [_redact, _convert, _copy])
def test_a_rule_that_was_added_replaces_what_it_matches(place: Place, command: Callable[..., str]) -> None:
    source = _session(place.here, f"see {TICKET} and {KEY}", f"again {TICKET}")
    assert TICKET in command(source)
    _write(place.here, ADDED)
    written = command(source)
    assert TICKET not in written
    assert KEY not in written
    assert "see [REDACTED:acme-ticket:1] and [REDACTED:github-token:2]" in written
    assert "again [REDACTED:acme-ticket:1]" in written


def test_a_rule_that_was_added_changes_no_other_byte(place: Place) -> None:
    source = _session(place.here, f"see {TICKET}", 'nothing "here" ✓')
    _write(place.here, ADDED)
    assert _redact(source) == source.read_text(encoding="utf-8").replace(TICKET, "[REDACTED:acme-ticket:1]")


def test_of_a_rule_with_a_group_called_secret_only_the_group_goes(place: Place) -> None:
    source = _session(place.here, "badge no. 77123 of Ana")
    _write(place.here, "[[redaction.rules]]\nname = 'badge'\npattern = 'badge no\\. (?P<secret>[0-9]+)'")
    assert "badge no. [REDACTED:badge:1] of Ana" in _redact(source)


def test_check_finds_what_an_added_rule_finds(place: Place) -> None:
    source = _session(place.here, f"see {TICKET}")
    assert _run("redact", "--check", str(source)).exit_code == 0
    _write(place.here, ADDED)
    done = _run("redact", "--check", str(source))
    assert done.exit_code == 1
    assert "acme-ticket" in done.stderr


def test_what_an_added_rule_replaced_is_counted_in_the_report(place: Place, tmp_path: Path) -> None:
    source = _session(place.here, f"see {TICKET}", f"and {TICKET}")
    _write(place.here, ADDED)
    _redact(source, "--report", str(tmp_path / "report.json"))
    assert json.loads((tmp_path / "report.json").read_bytes())["totals"]["redacted"] == {"acme-ticket": 2}


def test_rules_of_both_files_are_searched_and_a_name_means_the_project_s(place: Place) -> None:
    _write(place.person, ADDED + "[[redaction.rules]]\nname = 'badge'\npattern = 'B[0-9]{4}'")
    _write(place.here, "[[redaction.rules]]\nname = 'badge'\npattern = 'C[0-9]{4}'")
    assert "[REDACTED:acme-ticket:1] B1234 [REDACTED:badge:2]" in _redact(_session(place.here, f"{TICKET} B1234 C1234"))


def test_the_project_s_list_of_rules_that_are_off_replaces_the_person_s(place: Place) -> None:
    source = _session(place.here, f"use {KEY} there")
    _write(place.person, '[redaction]\noff = ["github-token"]')
    assert KEY in _redact(source)
    _write(place.here, "[redaction]\noff = []")
    assert KEY not in _redact(source)


def test_a_project_may_switch_off_a_rule_of_the_person(place: Place) -> None:
    _write(place.person, ADDED)
    _write(place.here, '[redaction]\noff = ["acme-ticket"]')
    assert TICKET in _redact(_session(place.here, TICKET))


def test_redaction_as_a_whole_is_an_option_like_any_other(place: Place) -> None:
    source = _session(place.here, KEY)
    _write(place.here, "[convert]\nredact = false")
    assert KEY in _convert(source)
    assert KEY not in _convert(source, "--redact")


def test_settings_can_be_handed_to_another_process() -> None:
    settings = Settings({}, (AddedRule("acme-ticket", "ACME-[0-9]{5}", ""),), frozenset({"github-token"}))
    text = redactor(pickle.loads(pickle.dumps(settings))).text(f"{KEY} {TICKET}")
    assert text == f"{KEY} [REDACTED:acme-ticket:1]"


def test_an_error_of_settings_keeps_all_its_problems_when_handed_to_another_process() -> None:
    error = SettingsError.of([SettingsError("a", path="x"), SettingsError("b", path="x", hint="c")])
    assert [str(each) for each in pickle.loads(pickle.dumps(error)).problems] == ["x: a", "x: b (c)"]


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+",
        "x(?:a*b?)*",
        "(?:[a-z]+-)+x",
        "x((?:ab){2,})*",
        "(?:(?:a|b)+?){3}",
        "(?:x(?P<n>a+))+",
        "(?x: ( a + ) + )",
        "(?>(a+)+b)",
        "(?=(a+)+b)x",
        "x(a+|b)*",
    ],
)
def test_a_repeat_inside_a_repeat_is_refused(pattern: str) -> None:
    assert "repeat inside a repeat" in (flaw(pattern) or "")


@pytest.mark.parametrize(
    "pattern",
    ["a+b+", "(?:[a-z]{2}:)+", "(?:[a-z]++-)+x", "(?:(?>a+)b)+", "x(a+)?", "[(a+)+]+x", r"\(a+\)+", "(?:-?x)+"],
)
def test_repeats_that_do_not_multiply_are_taken(pattern: str) -> None:
    assert flaw(pattern) is None


@pytest.mark.parametrize("pattern", ["", "a*", "a?|b", r"\b", "(?=a)", "^", "(a|)"])
def test_a_pattern_that_matches_nothing_at_all_is_refused(pattern: str) -> None:
    assert flaw(pattern) == "matches the empty text"


@pytest.mark.parametrize("pattern", ["(", "a**", "(?P<n>a)(?P<n>b)", "(?u)a", "(?L)a", "[[a]", "(" * 5000])
def test_a_pattern_that_does_not_compile_is_refused(pattern: str) -> None:
    assert (flaw(pattern) or "").startswith("is no pattern: ")


def test_what_checks_settings_is_loaded_only_where_there_are_some(place: Place) -> None:
    program = (
        "import sys\nfrom panscript.cli.main import main\n"
        "main(sys.argv[1:], standalone_mode=False)\n"
        "print(*sorted({'pydantic', 'tomllib', 'platformdirs'} & set(sys.modules)), file=sys.stderr)"
    )

    def loaded(*args: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program, *args],
            cwd=place.here,
            env={"PYTHONPATH": ":".join([str(ROOT / ".src"), *sys.path]), "HOME": str(place.home)},
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        return done.stderr.splitlines()[-1]

    assert loaded("--help") == ""
    assert loaded("list", "--help") == ""
    assert loaded("list", "--quiet") == "platformdirs"
    _write(place.here, "")
    assert loaded("list", "--quiet") == "platformdirs pydantic tomllib"
