"""Losses in words, as they are said at the end of a run."""

from __future__ import annotations

from collections.abc import Iterable

from panscript.schemas.diagnostics import CODES, is_content
from panscript.schemas.report import FileReport

__all__ = ["by_design", "content", "thing"]


def content(files: Iterable[FileReport]) -> str | None:
    """What was said, done or shown and is gone: `lost: 2 x picture that is only a link`."""
    lost = _summed(files)
    said = [f"{times:,} x {thing(code)}" for code, times in lost if is_content(code)]
    return f"lost: {', '.join(said)}" if said else None


def by_design(files: Iterable[FileReport]) -> str | None:
    """What no target of this kind can hold, by code: it is no reason to look, but not to be kept in silence either."""
    said = [f"{times:,} x {code}" for code, times in _summed(files) if not is_content(code)]
    return f"left out by design: {', '.join(said)} (--report says all)" if said else None


def _summed(files: Iterable[FileReport]) -> list[tuple[str, int]]:
    lost: dict[str, int] = {}
    for file in files:
        for code, times in file.lost.items():
            lost[code] = lost.get(code, 0) + times
    return sorted(lost.items())


def thing(code: str) -> str:
    """What a code counts, as it stands within a sentence."""
    if code not in CODES:
        return code
    sentence = CODES[code].sentence
    for article in ("A ", "An "):
        sentence = sentence.removeprefix(article)
    return (sentence[:1].lower() + sentence[1:]).rstrip(".")
