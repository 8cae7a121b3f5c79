"""Everything that stops the work.

    PanscriptError
    ├── SourceError            a source that cannot be read as a session
    │   ├── SourceNotFound
    │   ├── SourceUnreadable
    │   ├── NotATranscript     recognised as something that is no transcript, or as nothing
    │   └── UndecidedAgent     several agents could have written it
    ├── UnknownAgent
    │   └── UnknownTarget
    ├── WrongBound             an end of a time window that is no time
    ├── CannotConvert          the session cannot be expressed in the target
    ├── OutputExists
    ├── OutputFailed
    ├── SettingsError          a settings file that cannot be read, or says what cannot be
    └── StrictLoss             --strict: something of class `content` was lost

What does not stop the work is a diagnostic (see `diagnostics`).
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "EXIT_CODES",
    "CannotConvert",
    "NotATranscript",
    "OutputExists",
    "OutputFailed",
    "PanscriptError",
    "SettingsError",
    "SourceError",
    "SourceNotFound",
    "SourceUnreadable",
    "StrictLoss",
    "UndecidedAgent",
    "UnknownAgent",
    "UnknownTarget",
    "WrongBound",
    "exit_code",
]


class PanscriptError(Exception):
    """Base of all. `path` is the file it is about, `hint` what a person can do."""

    def __init__(self, message: str, *, path: str | None = None, hint: str | None = None) -> None:
        super().__init__(message, path, hint)
        self.message = message
        self.path = path
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.message, self.path, self.hint))

    def __str__(self) -> str:
        """One line: `<file>: <what is wrong> (<what to do>)`."""
        where = f"{self.path}: " if self.path else ""
        return f"{where}{self.message}{f' ({self.hint})' if self.hint else ''}"


def _rebuild(kind: type[PanscriptError], message: str, path: str | None, hint: str | None) -> PanscriptError:
    return kind(message, path=path, hint=hint)


class SourceError(PanscriptError):
    """A source that cannot be read as a session."""


class SourceNotFound(SourceError):
    """There is no such file, folder or session id."""


class SourceUnreadable(SourceError):
    """The file is there but cannot be opened or read."""


class NotATranscript(SourceError):
    """Nothing in the file was understood, or it is known to be something else."""


class UndecidedAgent(SourceError):
    """Several agents could have written the file; the hint names them."""


class UnknownAgent(PanscriptError):
    """No agent or target of this name."""


class UnknownTarget(UnknownAgent):
    """There is nothing of this name that sessions can be written for or imported into."""


class WrongBound(PanscriptError):
    """An end of a time window that is no time, or one that could be meant in several time zones."""


class CannotConvert(PanscriptError):
    """The target cannot hold this session."""


class OutputExists(PanscriptError):
    """A file of that name is there already."""


class OutputFailed(PanscriptError):
    """The output could not be written."""


class SettingsError(PanscriptError):
    """A settings file that cannot be read, or says what cannot be; `problems` holds all that is wrong, this first."""

    others: tuple[SettingsError, ...] = ()

    @property
    def problems(self) -> tuple[SettingsError, ...]:
        """One for each place."""
        return (self, *self.others)

    @classmethod
    def of(cls, problems: Sequence[SettingsError]) -> SettingsError:
        """One error out of at least one."""
        first, *others = problems
        first.others = tuple(others)
        return first

    def __reduce__(self) -> tuple[object, ...]:
        return (*super().__reduce__(), {"others": self.others})


class StrictLoss(PanscriptError):
    """Content was lost and `--strict` was asked for."""


EXIT_CODES: dict[type[PanscriptError], int] = {PanscriptError: 1, UnknownAgent: 2, UnknownTarget: 1, WrongBound: 2}
"""Exit status by class; a class that is not listed takes its nearest base's."""


def exit_code(error: PanscriptError) -> int:
    """The exit status a program ends with after this error."""
    return next(EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES)
