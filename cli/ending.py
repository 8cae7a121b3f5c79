"""How the program ends: the only place that turns errors into exit statuses."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

from panscript.schemas.errors import PanscriptError, SettingsError, exit_code

__all__ = ["complain", "ending", "say", "warn"]


@contextmanager
def ending() -> Iterator[None]:
    """Errors of ours become one line and their exit status; a closed pipe and Ctrl-C end quietly."""
    _stop_as_asked()
    try:
        try:
            yield
        except SystemExit:
            sys.stdout.flush()
            raise
        except PanscriptError as error:
            complain(error)
            sys.exit(exit_code(error))
        else:
            sys.stdout.flush()
    except BrokenPipeError:
        _give_up_output()
        sys.exit(128 + signal.SIGPIPE)
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    except OSError as problem:
        _give_up_output()
        warn(f"{problem.filename or 'standard output'}: {problem.strerror or problem}")
        sys.exit(1)


def _stop_as_asked() -> None:
    """Whoever asks the program to end (a closed terminal, `kill`) leaves nothing of ours behind either."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, lambda which, _frame: sys.exit(128 + which))


def _give_up_output() -> None:
    """Nobody takes our output: the interpreter must not try to flush what is left of it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def complain(error: PanscriptError) -> None:
    """One line on stderr: file, what is wrong, what to do. Settings may be wrong in several places: a line for each."""
    for each in error.problems if isinstance(error, SettingsError) else (error,):
        warn(str(each))


def warn(text: str) -> None:
    """One line on stderr that begins with the program's name."""
    say(f"panscript: {text}")


def say(text: str) -> None:
    """One line on stderr, safe to show."""
    from panscript.schemas.terminal import one_line

    click.echo(one_line(text), err=True)
