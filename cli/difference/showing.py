"""A comparison on standard output: through a pager and coloured on a terminal, plain everywhere else."""

from __future__ import annotations

import os
import shutil
import sys

from panscript.cli.difference.painting import painted, plainly
from panscript.cli.difference.picture import View, picture
from panscript.cli.difference.sides import Side
from panscript.cli.pager import page, pager_command
from panscript.stages.difference import Comparison

__all__ = ["show"]

_PLAIN_WIDTH = 80


def show(a: Side, b: Side, compared: Comparison, *, context: int, full: bool, noun: str, paged: bool) -> None:
    """Show what differs. `noun` says what the sides are lists of."""
    if not sys.stdout.isatty():
        page(plainly(picture(a, b, compared, View(_PLAIN_WIDTH, context, full, noun))), [])
        return
    width = shutil.get_terminal_size().columns
    rows = picture(a, b, compared, View(width, context, full, noun))
    colours = not os.environ.get("NO_COLOR")
    page(painted(rows, width, colours=colours), pager_command(os.environ) if paged else [])
