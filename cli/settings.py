"""Settings that people keep in a file: defaults of the commands' options, and their own redaction rules.

`panscript.toml` is looked for in the current folder, in those above it as far as the root of the repository or home,
and in the person's configuration folder; what stands nearer counts more, and the command line counts most. With
`--config FILE` that file counts alone. What checks the file is imported only when there is one.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from panscript.schemas.errors import SettingsError

if TYPE_CHECKING:
    from panscript.stages.redaction import Redactor

__all__ = ["FILE_NAME", "AddedRule", "Settings", "config_option", "current", "load", "redactor", "with_settings"]

FILE_NAME = "panscript.toml"
_FILE = f"{__name__}.file"
_SETTINGS = f"{__name__}.settings"


class AddedRule(NamedTuple):
    """A redaction rule of somebody's own."""

    name: str
    pattern: str
    description: str


class Settings(NamedTuple):
    """What the files say, the nearer ones before the others. Can be handed to another process."""

    defaults: Mapping[str, Mapping[str, object]] = {}
    """Command -> parameter -> value, as click takes it."""
    rules: tuple[AddedRule, ...] = ()
    off: frozenset[str] = frozenset()
    """Names of redaction rules."""


def _remember(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.meta[_FILE] = value


def _apply(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    """Before any other option but `--help` is looked at, since it sets their defaults."""
    if ctx.resilient_parsing or not isinstance(group := ctx.find_root().command, click.Group):
        return
    settings = load(group, value if value is not None else ctx.meta.get(_FILE))
    ctx.meta[_SETTINGS] = settings
    ctx.default_map = dict(settings.defaults.get(ctx.info_name or "", {}))


_OPTION: dict[str, Any] = {
    "metavar": "FILE",
    "is_eager": True,
    "expose_value": False,
    "help": f"Take the settings from this file, and no {FILE_NAME}.",
}
config_option = click.option("--config", callback=_remember, **_OPTION)
"""`--config` before the command; `with_settings` takes it after the command, too."""


def with_settings(command: click.Command) -> click.Command:
    """The command as one of the program's: what the settings say are its defaults."""
    command = copy.copy(command)
    command.params = [*command.params, click.Option(["--config"], callback=_apply, **_OPTION)]
    return command


def current() -> Settings:
    """The settings of the command that runs; none outside of one."""
    ctx = click.get_current_context(silent=True)
    settings = ctx.meta.get(_SETTINGS) if ctx is not None else None
    return settings if isinstance(settings, Settings) else Settings()


def redactor(settings: Settings | None = None) -> Redactor:
    """A redactor for one session that keeps to the settings; without an argument to those of the running command."""
    from panscript.stages.redaction import RULES, Redactor, Rule

    settings = settings if settings is not None else current()
    # Somebody's own rule is named in the mark where a built-in one finds the same.
    added = [Rule(rule.name, rule.description, rule.pattern) for rule in settings.rules]
    return Redactor((*added, *RULES), disabled=settings.off)


def load(group: click.Group, file: str | None = None) -> Settings:
    """The settings for the commands of `group`, from `file` or from where they are looked for.

    Raises `SettingsError` for all that is wrong in all files.
    """
    documents: list[tuple[str, dict[str, Any]]] = []
    problems: list[SettingsError] = []
    for path in [file] if file is not None else list(_found()):
        try:
            documents.append((path, _read(path)))
        except SettingsError as error:
            problems.append(error)
    settings = _merged(group, documents, problems) if documents else Settings()
    if problems:
        raise SettingsError.of(problems)
    return settings


def _merged(group: click.Group, documents: list[tuple[str, dict[str, Any]]], problems: list[SettingsError]) -> Settings:
    from panscript.cli.settings_model import Checker

    checker = Checker(group, [document for _, document in documents])
    defaults: dict[str, dict[str, object]] = {}
    rules: dict[str, AddedRule] = {}
    off: list[str] | None = None
    for path, document in documents:
        checked = checker.check(document)
        problems += [
            SettingsError(f"{wrong.place}: {wrong.what}", path=path, hint=wrong.hint) for wrong in checked.wrong
        ]
        for command, values in checked.defaults.items():
            defaults[command] = {**values, **defaults.get(command, {})}
        for rule in checked.redaction.rules or ():
            rules.setdefault(rule.name, AddedRule(rule.name, rule.pattern, rule.description))
        off = off if off is not None else checked.redaction.off
    return Settings(defaults, tuple(rules.values()), frozenset(off or ()))


def _found() -> Iterator[str]:
    """The project's file and the person's, where there are such."""
    project = next((path for folder in _project_folders() if _is_file(path := folder / FILE_NAME)), None)
    if project is not None:
        yield str(project)
    import platformdirs

    person = Path(platformdirs.user_config_dir("panscript"), FILE_NAME)
    if _is_file(person) and not (project is not None and project.samefile(person)):
        yield str(person)


def _project_folders() -> list[Path]:
    """The current folder and those above it up to the root of the repository, else up to home.

    Outside of both it is the current folder alone: others may write to what is above it, and a file there could turn
    redaction off.
    """
    try:
        here = Path.cwd()
        home = Path.home().resolve()
    except (OSError, RuntimeError):
        return [Path()]
    folders = [here, *here.parents]
    for number, folder in enumerate(folders):
        if folder == home or os.path.lexists(folder / ".git"):
            return folders[: number + 1]
    return [here]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        # In a folder that may not be entered.
        return False


def _read(path: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(Path(path).read_bytes().decode())
    except OSError as problem:
        raise SettingsError(f"cannot be read: {problem.strerror}", path=path) from None
    except UnicodeDecodeError as problem:
        raise SettingsError(f"is not UTF-8 at byte {problem.start}", path=path) from None
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise SettingsError(f"is no TOML: {problem}", path=path) from None
