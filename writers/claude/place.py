"""Where Claude Code looks for a session: the folder of its project, named after the path."""

from __future__ import annotations

import re

__all__ = ["project"]

_OTHER = re.compile(r"[^a-zA-Z0-9]")
_LONGEST = 200
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def project(cwd: str) -> str:
    """Name of the folder for the sessions of a project in this folder (absolute, without links)."""
    units = cwd.encode("utf-16-le", "surrogatepass")
    name = _OTHER.sub("-", "".join(chr(units[at] | units[at + 1] << 8) for at in range(0, len(units), 2)))
    if len(name) <= _LONGEST:
        return name
    sign = 0
    for at in range(0, len(units), 2):
        sign = (sign * 31 + (units[at] | units[at + 1] << 8)) & 0xFFFFFFFF
    return f"{name[:_LONGEST]}-{_base36(abs(sign - (1 << 32) if sign >> 31 else sign))}"


def _base36(number: int) -> str:
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
        if not number:
            return digits
