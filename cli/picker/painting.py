"""The lines of the picker's screen, fitted to its size: pieces of text with the names of their styles.

Every piece is free of controls and none is wider than its place. Emoji that are joined out of several are shown as
their parts: terminals do not agree on how wide the joined ones are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.utils import get_cwidth

from panscript.cli.picker.model import Model, Row
from panscript.cli.table import age
from panscript.cli.titles import without_origin
from panscript.readers.finding import readable
from panscript.readers.peek import size_of
from panscript.schemas import timestamps
from panscript.schemas.agents import agent, agent_ids
from panscript.schemas.terminal import one_line

__all__ = ["STYLES", "Line", "fit", "header", "help_line", "nothing", "preview", "preview_height", "rows", "width_of"]

Line: TypeAlias = StyleAndTextTuples
"""Pieces of one line: style and text."""

_COLOURS = ("ansiyellow", "ansicyan", "ansimagenta", "ansigreen", "ansiblue", "ansired")
STYLES = {
    "chosen": "reverse",
    "title": "bold",
    "tab": "",
    "tab-chosen": "bold underline",
    "quiet": "ansibrightblack",
    "named": "ansiyellow",
    "match": "bold underline",
    "key": "bold",
    **{f"agent{number}": colour for number, colour in enumerate(_COLOURS)},
}
"""What the names of styles mean."""

_JOINERS = re.compile("[\u200b-\u200d\u2060\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_AGE, _MESSAGES, _GAP = 4, 5, 2
_NARROW = 60
"""Columns below which only agent, age and text are shown."""
_WIDEST_BADGE, _NARROW_BADGE, _WIDEST_ORIGIN, _WIDEST_FOLDER = 11, 6, 18, 36
_TALL, _FAIR = 18, 12
"""Lines from which on there is room for a pane, or for one line, about the row that is meant."""
_PANE, _LABEL = 6, 10
_UNITS = ("B", "kB", "MB", "GB")


def width_of(text: str) -> int:
    """Columns that the text takes."""
    return sum(map(get_cwidth, text))


def fit(text: str, width: int, *, left: bool = False) -> str:
    """The text, safe to show, filled up or cut to so many columns; `left` cuts its beginning."""
    text = _plain(text)
    taken = width_of(text)
    if taken <= width:
        return text + " " * (width - taken)
    if width <= 0:
        return ""
    kept: list[str] = []
    room = width - 1
    for char in reversed(text) if left else text:
        room -= get_cwidth(char)
        if room < 0:
            room += get_cwidth(char)
            break
        kept.append(char)
    cut = f"…{''.join(reversed(kept))}" if left else f"{''.join(kept)}…"
    return cut + " " * room


def _plain(text: str) -> str:
    # A mark that joins the letter before it would join the frame instead.
    return _JOINERS.sub("", one_line(text))


def header(model: Model, into: str, status: str, width: int) -> Line:
    """The first line: what this is, the two views with how much is in them, how far the search is."""
    tabs: Line = [
        (_tab(chosen=not model.everywhere), f"This project {model.here}"),
        ("", "  "),
        (_tab(chosen=model.everywhere), f"All projects {model.total}"),
    ]
    left: Line = [("class:title", f"Import into {_plain(into)}"), ("", "   "), *tabs]
    if _width(left) + _GAP + width_of(status) > width:
        left = tabs
    room = width - _width(left) - _GAP
    if room < width_of(status):
        status = ""
    return _cut([*left, ("", " " * max(room - width_of(status) + _GAP, 0)), ("class:quiet", status)], width)


def _tab(*, chosen: bool) -> str:
    return "class:tab-chosen" if chosen else "class:tab"


def rows(model: Model, shown: Sequence[Row], width: int, now: int, home: str) -> list[Line]:
    """A line for each of the rows. `now` is in milliseconds since 1970 UTC, `home` is shown as `~`."""
    badge = max((width_of(row.source.agent) for row in shown), default=0)
    badge = min(badge, _WIDEST_BADGE if width >= _NARROW else _NARROW_BADGE)
    origin = max((width_of(_origin(row)) for row in shown), default=0) if width >= _NARROW else 0
    origin = min(origin, _WIDEST_ORIGIN)
    folders = [_below(row.cwd, home) for row in shown]
    folder = 0
    if model.everywhere and width >= _NARROW:
        folder = min(max(map(width_of, folders), default=0), _WIDEST_FOLDER, width // 4)
    lines: list[Line] = []
    for row, cwd in zip(shown, folders, strict=True):
        chosen = row is model.selected
        line: Line = [("", "› " if chosen else "  "), (_colour(row.source.agent), fit(row.source.agent, badge))]
        if origin:
            line.append(("class:quiet", f" {fit(_origin(row), origin)}"))
        line.append(("class:quiet", f"  {age(row.changed, now) if row.changed else '':>{_AGE}}"))
        if width >= _NARROW:
            line.append(("class:quiet", f"  {'' if row.messages is None else row.messages:>{_MESSAGES}}"))
        if folder:
            line.append(("class:quiet", f"  {fit(cwd, folder, left=True)}"))
        line.append(("", "  "))
        style = "class:named" if row.title else "" if row.prompt else "class:quiet"
        line += _marked(fit(_text(row), width - _width(line)), style, model.words)
        if chosen:
            line = [(f"class:chosen {piece[0]}", piece[1]) for piece in line]
        lines.append(_cut(line, width))
    return lines


def _origin(row: Row) -> str:
    """Where an import comes from."""
    origin = row.facts.imported_from if row.facts is not None else None
    return _plain(f"(from {origin})") if origin else ""


def _colour(agent_id: str) -> str:
    return f"class:agent{agent_ids().index(agent_id) % len(_COLOURS)}"


def _text(row: Row) -> str:
    if row.facts is None:
        return f"… {row.session_id}"
    return without_origin(row.title, row.facts.imported_from) or row.prompt or "(no prompt)"


def _marked(text: str, style: str, words: Iterable[str]) -> Line:
    """The text with the words of the filter marked."""
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    if not pattern:
        return [(style, text)]
    parts = re.split(f"({pattern})", text, flags=re.IGNORECASE)
    return [(f"{style} class:match" if place % 2 else style, part) for place, part in enumerate(parts) if part]


def nothing(model: Model, *, loading: bool, width: int) -> Line:
    """What is said where there are no rows."""
    if loading:
        text = "looking for sessions ..."
    elif model.everywhere:
        text = "no session is like that" if model.query else "no sessions were found"
    else:
        text = "no session of this project is like that" if model.query else "no sessions of this project"
        text += "; Tab shows all projects" if model.total else ""
    return _cut([("", "  "), ("class:quiet", text)], width)


def preview_height(height: int) -> int:
    """Lines for the row that is meant, on a screen of so many lines."""
    return _PANE if height >= _TALL else 1 if height >= _FAIR else 0


def preview(row: Row | None, width: int, height: int, home: str) -> list[Line]:
    """What is known of the row, on so many lines."""
    if row is None or not height:
        return [[] for _ in range(height)]
    path = one_line(readable(_below(row.source.path, home)))
    if height < _PANE:
        return [_cut([("", "  "), ("class:quiet", _plain(f"{row.session_id} · {_below(row.cwd, home)}"))], width)]
    facts = row.facts
    times = [timestamps.iso(at)[:16].replace("T", " ") for at in (facts and facts.created, row.changed) if at]
    when = f"{' to '.join(dict.fromkeys(times))} UTC" if times else ""
    count = "" if row.messages is None else "1 message" if row.messages == 1 else f"{row.messages} messages"
    branch = f" ({one_line(facts.git_branch)})" if facts is not None and facts.git_branch else ""
    first, rest = _halved(row.prompt, width - _LABEL)
    said = [("title", row.title), ("prompt", row.prompt)] if row.title else [("prompt", first), ("", rest)]
    pairs = [
        *said,
        ("folder", _below(row.cwd, home) + branch),
        ("session", " · ".join(filter(None, (row.session_id, agent(row.source.agent).name, count)))),
        ("file", path),
        ("time", " · ".join(filter(None, (when, _size(size_of(row.source)))))),
    ]
    lines: list[Line] = []
    for name, text in pairs:
        # The end of a path tells more than its beginning.
        fitted = fit(text, width - _LABEL, left=name == "file")
        lines.append(_cut([("class:quiet", f"  {name}".ljust(_LABEL)), ("", fitted)], width) if text else [])
    return lines


def _halved(text: str, width: int) -> tuple[str, str]:
    """The words that fit on one line, and the others."""
    text = _plain(text)
    if width_of(text) <= width:
        return text, ""
    taken = place = 0
    for number, char in enumerate(text):
        taken += get_cwidth(char)
        if taken > width:
            break
        place = number + 1
    end = text.rfind(" ", 0, place + 1)
    return (text[:end], text[end + 1 :]) if end > 0 else (text[:place], text[place:])


def help_line(width: int) -> Line:
    """The keys, as many as fit."""
    keys = (("Enter", "import"), ("Esc", "leave"), ("Tab", "projects"), ("↑↓", "move"), ("type", "to filter"))
    line: Line = []
    for key, does in keys:
        added: Line = [("", "  "), ("class:key", key), ("class:quiet", f" {does}")]
        if _width(line) + _width(added) <= width:
            line += added
    return line


def _width(line: Line) -> int:
    return sum(width_of(piece[1]) for piece in line)


def _cut(line: Line, width: int) -> Line:
    """The line with no more than so many columns."""
    out: Line = []
    for style, text, *_ in line:
        room = width - _width(out)
        if width_of(text) > room:
            out.append((style, fit(text, room)))
            break
        out.append((style, text))
    return out


def _below(path: str, home: str) -> str:
    return f"~{path[len(home) :]}" if home and (path == home or path.startswith(f"{home}/")) else path


def _size(size: int) -> str:
    """Bytes as a person reads them."""
    amount = float(size)
    for unit in _UNITS[:-1]:
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} {_UNITS[-1]}"
