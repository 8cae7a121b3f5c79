"""The strings of a JSON text in their places: which key each stands under, and a text with some of them replaced.

Nothing but the changed string tokens is written anew, so that every other byte stays as it was.
"""

import json
import re
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from panscript.stages.redaction.names import secret_class

__all__ = ["replace_strings"]

_TOKEN = re.compile(rb'"((?:[^"\\]++|\\.)*+)"|[\[\]{},:]', re.DOTALL)
_NAME_KEYS = frozenset({"name", "key", "variable", "header"})
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,60}")
_OPTION = re.compile(r"--[A-Za-z0-9_-]{1,60}")
_USER_OPTIONS = frozenset({"-u", "--user", "--proxy-user", "-U"})


class _Frame:
    """What is known of the object or list being walked through."""

    __slots__ = ("is_object", "key", "list_name", "named", "option", "value")

    def __init__(self, *, is_object: bool, list_name: str) -> None:
        self.is_object = is_object
        self.list_name = list_name  # the key a list stands under
        self.key: str | None = None  # of the member whose value comes next
        self.option = ""  # the command line option before this item
        self.named: str | None = None  # what `"name": ...` said
        self.value: _Token | None = None  # what `"value": ...` said


class _Token(NamedTuple):
    start: int
    end: int
    text: str


def replace_strings(
    raw: bytes,
    *,
    suspicious: Callable[[bytes], bool],
    text: Callable[[str], str],
    value: Callable[[str, str], str],
    is_opaque: Callable[[str, str], bool],
) -> bytes:
    """`raw` with every string token passed through `text`, or through `value(name, _)` where a name says secret.

    `suspicious` is asked about the bytes of a token before it is decoded; `is_opaque(key, text)` exempts a string.
    Raises ValueError when `raw` is not one JSON value.
    """
    _validate(raw)
    walk = _Walk(raw, suspicious, text, value, is_opaque)
    walk.run()
    return walk.result()


def _validate(raw: bytes) -> None:
    try:
        msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        try:
            json.loads(raw.decode("utf-8"), parse_int=str)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


class _Walk:
    def __init__(
        self,
        raw: bytes,
        suspicious: Callable[[bytes], bool],
        text: Callable[[str], str],
        value: Callable[[str, str], str],
        is_opaque: Callable[[str, str], bool],
    ) -> None:
        self._raw = raw
        self._suspicious = suspicious
        self._text = text
        self._value = value
        self._is_opaque = is_opaque
        self._edits: dict[int, tuple[int, bytes]] = {}

    def result(self) -> bytes:
        """The text with its edits, the same object without any."""
        if not self._edits:
            return self._raw
        pieces: list[bytes] = []
        done = 0
        for start, (end, new) in sorted(self._edits.items()):
            pieces += (self._raw[done:start], new)
            done = end
        pieces.append(self._raw[done:])
        return b"".join(pieces)

    def run(self) -> None:
        """Visit every token once."""
        frames = [_Frame(is_object=False, list_name="")]
        for match in _TOKEN.finditer(self._raw):
            frame = frames[-1]
            body = match[1]
            if body is not None:
                if frame.is_object and frame.key is None:
                    frame.key = self._key(match.start(), match.end(), body)
                else:
                    self._string(frame, match.start(), match.end(), body)
                continue
            sign = self._raw[match.start()]
            if sign in b"{[":
                frames.append(_Frame(is_object=sign == 0x7B, list_name=(frame.key or "") if sign == 0x5B else ""))
            elif sign in b"}]":
                self._close(frames.pop())
            elif sign == 0x2C and frame.is_object:
                frame.key = None

    def _key(self, start: int, end: int, body: bytes) -> str:
        key = _decode(body)
        if self._suspicious(body):
            self._edit(start, end, key, self._text(key))
        return key

    def _string(self, frame: _Frame, start: int, end: int, body: bytes) -> None:
        key = frame.key or ""
        name = frame.list_name or key
        if not frame.is_object and frame.option:
            option, frame.option = frame.option, ""
            name = name if secret_class(name) else option
        elif key in {"value", "Value"}:
            if frame.named is None:
                frame.value = _Token(start, end, _decode(body))
            elif secret_class(frame.named):
                name = frame.named
        if (not frame.is_object and body[:1] in {b"-", b"\\"} and len(body) < 400) or key.casefold() in _NAME_KEYS:
            self._remember(frame, _decode(body))
        says_secret = name in _USER_OPTIONS or secret_class(name) is not None
        if not says_secret and not self._suspicious(body):
            return
        old = _decode(body)
        if self._is_opaque(key, old):
            return
        self._edit(start, end, old, self._value(name, old) if says_secret else self._text(old))

    def _remember(self, frame: _Frame, text: str) -> None:
        if frame.is_object:
            frame.named = text if _NAME.fullmatch(text) else None
        elif text in _USER_OPTIONS or (_OPTION.fullmatch(text) and secret_class(text)):
            frame.option = text

    def _close(self, frame: _Frame) -> None:
        late = frame.value
        if late and frame.named and secret_class(frame.named) and late.start not in self._edits:
            self._edit(late.start, late.end, late.text, self._value(frame.named, late.text))

    def _edit(self, start: int, end: int, old: str, new: str) -> None:
        if new is old or new == old:
            return
        ascii_only = self._raw[start:end].isascii()
        try:
            token = json.dumps(new, ensure_ascii=ascii_only).encode()
        except UnicodeEncodeError:  # an unpaired surrogate, to be spelled as an escape
            token = json.dumps(new).encode()
        self._edits[start] = (end, token)


def _decode(body: bytes) -> str:
    if b"\\" not in body:
        return body.decode()
    decoded: str = json.loads(b'"' + body + b'"')
    return decoded
