"""Numbers, times and long texts in few words."""

from __future__ import annotations

from panscript.schemas import timestamps
from panscript.schemas.events import File, Image, Tokens
from panscript.schemas.terminal import one_line, shown

__all__ = ["block_name", "clock", "cut", "day", "first_lines", "lines", "size", "span", "token_counts"]

_KILO = 1024
_UNITS = ("bytes", "KB", "MB", "GB", "TB")
_SPANS = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"))
_SECOND = 1000
_LONGEST_LINE = 200


def size(count: int) -> str:
    """Bytes, as people say them."""
    amount = float(count)
    for unit in _UNITS:
        if amount < _KILO or unit == _UNITS[-1]:
            break
        amount /= _KILO
    return f"{amount:.0f} {unit}" if amount >= 10 or unit == "bytes" else f"{amount:.1f} {unit}"


def span(milliseconds: int) -> str:
    """How long something took."""
    if milliseconds < _SECOND:
        return f"{milliseconds} ms"
    if milliseconds < 60 * _SECOND:
        return f"{milliseconds / _SECOND:.1f} s"
    unit, name = next((level for level in _SPANS if milliseconds >= level[0]), _SPANS[-1])
    return f"{milliseconds // unit} {name}"


def day(time: int) -> str:
    """The minute that a time lies in, UTC."""
    return timestamps.iso(time)[:16].replace("T", " ")


def clock(time: int) -> str:
    """The time of day in UTC."""
    return timestamps.iso(time)[11:19]


def token_counts(tokens: Tokens) -> str:
    """What was read and written, and what it cost where the agent says so; empty where all of it is nothing."""
    if not (tokens.input or tokens.output or tokens.cache_read or tokens.cache_write or tokens.cost):
        return ""
    parts = [f"{tokens.input:,} in", f"{tokens.output:,} out"]
    if tokens.reasoning:
        parts[-1] += f" ({tokens.reasoning:,} reasoning)"
    if tokens.cache_read:
        parts.append(f"{tokens.cache_read:,} from cache")
    if tokens.cache_write:
        parts.append(f"{tokens.cache_write:,} to cache")
    if tokens.cost is not None:
        parts.append(f"${tokens.cost:.4f}" if tokens.cost < 1 else f"${tokens.cost:.2f}")
    return ", ".join(parts)


def lines(text: str) -> str:
    """The text, safe to show, without blank lines around it; what rewrote its line is on lines of its own."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return shown(text).strip("\n").rstrip()


def first_lines(text: str, count: int) -> tuple[str, int]:
    """The first lines, safe to show and cut, and how many more there are."""
    text = text.strip("\r\n")
    start = text.split("\n", count)
    rest = start.pop().count("\n") + 1 if len(start) > count else 0
    return "\n".join(cut(lines(line[: _LONGEST_LINE * 4]), _LONGEST_LINE) for line in start), rest


def cut(text: str, length: int) -> str:
    """The text, with `…` for what goes beyond that many characters."""
    return text if len(text) <= length else text[: length - 1] + "…"


def block_name(block: Image | File) -> str:
    """A picture or document in brackets: what it is, where it is or how large."""
    what = "image" if isinstance(block, Image) else "file"
    about = [block.media_type]
    if isinstance(block, Image):
        about.append(block.path or "")
    else:
        about.append(block.name or "")
    about.append(block.url or "")
    if block.data:
        encoded = not (isinstance(block, File) and block.media_type.startswith("text/"))
        about.append(size(len(block.data) * 3 // 4 if encoded else len(block.data)))
    said = ", ".join(cut(one_line(text), 200) for text in about if text)
    return f"[{what}: {said}]" if said else f"[{what}]"
