"""Choosing a session on a terminal: what there is, how it is painted, and the keys."""

from panscript.cli.picker.choice import pick

__all__ = ["pick"]
