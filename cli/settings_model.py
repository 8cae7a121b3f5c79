"""The shape of a settings file. Its sections are made from the commands' own options, so the two cannot drift apart."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, NamedTuple

import click
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    ValidationError,
    ValidationInfo,
    create_model,
)
from pydantic_core import ErrorDetails

from panscript.cli.patterns import flaw
from panscript.schemas.errors import PanscriptError

__all__ = ["Checked", "Checker", "Redaction", "RedactionRule", "Wrong"]

_CONFIG = ConfigDict(extra="forbid", strict=True)
_REDACTION = "redaction"


class Wrong(NamedTuple):
    """One thing that is wrong."""

    place: str
    """`convert.branch`, `redaction.rules[0].pattern`."""
    what: str
    hint: str | None = None


class _Names(NamedTuple):
    """What the rules are called, handed to the validators."""

    built_in: frozenset[str]
    added: frozenset[str]
    """By all files."""
    here: Counter[str]
    """By this file."""


def _rule_name(name: str, info: ValidationInfo[_Names]) -> str:
    from panscript.stages.redaction.judge import MARK

    names = info.context
    if not MARK.fullmatch(f"[REDACTED:{name}:1]"):
        raise ValueError(f"{name!r} is not made of a-z, 0-9 and hyphens, at most 64")
    if name in names.built_in:
        raise ValueError(f"{name!r} is the name of a built-in rule")
    if names.here[name] > 1:
        raise ValueError(f"{name!r} is the name of {names.here[name]} rules")
    return name


def _known_rule(name: str, info: ValidationInfo[_Names]) -> str:
    names = info.context
    known = names.built_in | names.added
    if name not in known:
        raise ValueError(f"there is no rule {name!r}{_perhaps(name, known)}")
    return name


def _safe_pattern(pattern: str) -> str:
    if (what := flaw(pattern)) is not None:
        raise ValueError(what)
    return pattern


class RedactionRule(BaseModel):
    """A rule of somebody's own: what the group `secret` matches, or else the whole pattern, is replaced."""

    model_config = _CONFIG

    name: Annotated[str, AfterValidator(_rule_name)]
    pattern: Annotated[str, AfterValidator(_safe_pattern)]
    description: str = ""


class Redaction(BaseModel):
    """The section `[redaction]`."""

    model_config = _CONFIG

    off: list[Annotated[str, AfterValidator(_known_rule)]] | None = None
    rules: list[RedactionRule] | None = None


class Checked(NamedTuple):
    """What a file says, and what is wrong in it."""

    defaults: dict[str, dict[str, object]]
    """Command -> parameter -> value."""
    redaction: Redaction
    wrong: list[Wrong]


class Checker:
    """Checks settings files for the commands of a program."""

    def __init__(self, group: click.Group, documents: Iterable[dict[str, Any]]) -> None:
        """`documents` are all files that count, since one may switch off a rule that another adds."""
        self._group = group
        self._context = click.Context(group)
        self._commands = group.list_commands(self._context)
        self._added = frozenset(name for document in documents for name in _rule_names(document))

    def check(self, document: dict[str, Any]) -> Checked:
        """All that one file says, and all that is wrong in it."""
        checked = Checked({}, Redaction(), [])
        for section, values in document.items():
            command = self._group.get_command(self._context, section) if section in self._commands else None
            try:
                if section == _REDACTION:
                    redaction = Redaction.model_validate(values, context=self._names(document))
                    checked = checked._replace(redaction=redaction)
                elif command is not None:
                    model = _model(command)
                    checked.defaults[section] = _defaults(command, model.model_validate(values))
                else:
                    known = [*self._commands, _REDACTION]
                    what = f"is neither a command nor `{_REDACTION}`{_perhaps(section, known)}"
                    checked.wrong.append(Wrong(section, what, f"there are {', '.join(known)}"))
            except ValidationError as errors:
                for error in errors.errors(include_url=False):
                    checked.wrong.append(Wrong(_place(section, error["loc"]), *_said(error, command)))
        return checked

    def _names(self, document: dict[str, Any]) -> _Names:
        from panscript.stages.redaction import RULES

        return _Names(frozenset(rule.name for rule in RULES), self._added, Counter(_rule_names(document)))


def _rule_names(document: dict[str, Any]) -> list[str]:
    """The names of the rules that a file adds, before anything in it has been checked."""
    redaction = document.get(_REDACTION)
    rules = redaction.get("rules") if isinstance(redaction, dict) else None
    names = [rule.get("name") for rule in rules if isinstance(rule, dict)] if isinstance(rules, list) else []
    return [name for name in names if isinstance(name, str)]


def _options(command: click.Command) -> dict[str, click.Option]:
    """Key in a settings file -> option: the long names, with `_` for `-`."""
    options = [each for each in command.params if isinstance(each, click.Option) and each.expose_value]
    return {_key(name): option for option in options for name in option.opts if name.startswith("--")}


def _key(name: str) -> str:
    return name.removeprefix("--").replace("-", "_")


def _model(command: click.Command) -> type[BaseModel]:
    """The section of a command. Its fields are numbered: what stands in the file is their alias, `json` as well."""
    fields: dict[str, Any] = {
        f"option_{number}": (_type(command, option), Field(None, alias=key))
        for number, (key, option) in enumerate(_options(command).items())
    }
    return create_model(command.name or "Section", __config__=_CONFIG, **fields)


def _defaults(command: click.Command, section: BaseModel) -> dict[str, object]:
    """Parameter -> value, of what the file names."""
    return {
        option.name: getattr(section, field)
        for number, option in enumerate(_options(command).values())
        if (field := f"option_{number}") in section.model_fields_set and option.name is not None
    }


def _type(command: click.Command, option: click.Option) -> Any:
    """The type of a value in the file; the option itself has the last word, as on the command line."""
    if option.is_flag and isinstance(option.flag_value, bool):
        single: Any = StrictBool
    elif option.count or isinstance(option.type, click.types.IntParamType):
        single = StrictInt
    elif isinstance(option.type, click.types.FloatParamType):
        single = StrictFloat
    elif isinstance(option.type, click.types.BoolParamType):
        single = StrictBool
    else:
        single = Annotated[StrictStr, BeforeValidator(_written_out)]

    def accepted(value: object) -> object:
        try:
            option.process_value(click.Context(command, info_name=command.name), value)
        except (click.UsageError, PanscriptError) as problem:
            raise ValueError(problem.message.rstrip(".")) from None
        return value

    if option.multiple or option.nargs != 1:
        return Annotated[list[single], BeforeValidator(_listed), AfterValidator(accepted)]
    return Annotated[single, AfterValidator(accepted)]


def _written_out(value: object) -> object:
    """Dates and times need no quotes in TOML."""
    return value.isoformat() if isinstance(value, dt.date) else value


def _listed(value: object) -> object:
    """Where several may stand one may stand without brackets."""
    return value if isinstance(value, list) else [value]


def _place(section: str, keys: Sequence[int | str]) -> str:
    return section + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)


_MUST_BE = {
    "bool_type": "must be true or false",
    "dict_type": "must be a table",
    "float_type": "must be a number",
    "int_type": "must be a whole number",
    "list_type": "must be a list",
    "model_type": "must be a table",
    "string_type": "must be text",
}


def _said(error: ErrorDetails, command: click.Command | None) -> tuple[str, str | None]:
    """What is wrong and what to do, in our words."""
    kind, key = error["type"], str(error["loc"][-1]) if error["loc"] else ""
    if kind in _MUST_BE:
        return f"{_MUST_BE[kind]}, not {_kind(error['input'])}", None
    if kind == "missing":
        return "is missing", None
    if kind == "value_error":
        return str(error["ctx"]["error"]), None
    if kind != "extra_forbidden":
        return error["msg"], None
    if command is None:
        known = list((RedactionRule if len(error["loc"]) > 1 else Redaction).model_fields)
        return f"there is no such key{_perhaps(key, known)}", f"there are {', '.join(known)}"
    options = _options(command)
    for name, option in options.items():
        if key in map(_key, option.secondary_opts):
            return f"there is no such key: write `{name} = false`", None
    return f"there is no option --{key.replace('_', '-')} of `{command.name}`{_perhaps(key, options)}", None


def _kind(value: object) -> str:
    names = {bool: "true or false", str: "text", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return names.get(type(value), "a date or time")


def _perhaps(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=1)
    return f"; perhaps {near[0]!r} is meant" if near else ""
