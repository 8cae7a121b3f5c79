"""Tables on narrow terminals: which columns are left out, and that it is said."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from panscript.cli.ending import say

__all__ = ["say_left_out"]


def say_left_out(columns: Sequence[str], *, quiet: bool = False) -> None:
    """One line on stderr below the table, where the terminal had no room for these columns."""
    if columns and not quiet:
        sys.stdout.flush()
        what = "column" if len(columns) == 1 else "columns"
        say(f"no room for the {what} {', '.join(columns)}: a wider terminal, a pipe or --json shows all")
