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

_TOKEN = re.compile(rb'"((?:[^"\\]++|\\.)*+)"|[\[\]{},:]|-?[0-9][0-9.eE+-]{3,}', re.DOTALL)
_NAME_KEYS = frozenset({"name", "key", "variable", "header", "selector", "field", "element"})
_NAME = re.compile(r"[A-Za-z0-9_./#=\[\"'-]{1,100}")
_FIELD = re.compile(r"[ ](?:text ?box|text ?field|input|field|box)\Z", re.IGNORECASE)
_VALUE_KEYS = frozenset({"value", "Value", "text"})
_NUMBER = re.compile(rb"[0-9]{4,18}")
# A key of a private key's block that is split into lines: where it begins and ends, and what its lines look like.
_BLOCK_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----\s*\Z")
_BLOCK_LINE = re.compile(
    r"[+> \t-]{0,20}(?:[0-9]{1,6}[\t\u2192])?(?P<body>[A-Za-z0-9+/]{1,100}={0,2})\s*|[A-Za-z-]{4,20}: .{0,100}|\s*"
)
_OPTION = re.compile(r"--[A-Za-z0-9_-]{1,60}")
_USER_OPTIONS = frozenset({"-u", "--user", "--proxy-user", "-U"})


class _Frame:
    """What is known of the object or list being walked through."""

    __slots__ = ("is_object", "key", "kind", "list_name", "members", "named", "option", "parent", "secrets", "value")

    def __init__(self, *, is_object: bool, list_name: str, parent: str = "") -> None:
        self.is_object = is_object
        self.parent = parent  # the key an object stands under
        self.kind = ""  # what `"kind": ...` said
        self.members: list[_Token] = []  # the strings of an object under `data`
        self.secrets: list[_Token] = []  # those of the object under `data` in this one
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
    mark: Callable[[str, str], str],
    is_opaque: Callable[[str, str], bool],
) -> bytes:
    """`raw` with every string token passed through `text`, or through `value(name, _)` where a name says secret.

    `mark(rule, secret)` replaces what the structure alone tells: the lines of a split block, the data of a Kubernetes
    secret, numbers, which become strings. `suspicious` is asked about the bytes of a token before it is decoded;
    `is_opaque(key, text)` exempts a string. Raises ValueError when `raw` is not one JSON value.
    """
    _validate(raw)
    walk = _Walk(raw, suspicious, text, value, mark, is_opaque)
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
        mark: Callable[[str, str], str],
        is_opaque: Callable[[str, str], bool],
    ) -> None:
        self._raw = raw
        self._suspicious = suspicious
        self._text = text
        self._value = value
        self._mark = mark
        self._is_opaque = is_opaque
        self._in_block = False
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
                under = frame.key or ""
                is_object = sign == 0x7B
                frames.append(
                    _Frame(is_object=is_object, list_name="" if is_object else under, parent=under if is_object else "")
                )
            elif sign in b"}]":
                frames.pop()
                self._close(frame, frames[-1])
            elif sign == 0x2C and frame.is_object:
                frame.key = None
            elif sign not in b",:":
                self._number(frame, match.start(), match.end())

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
        elif key in _VALUE_KEYS:
            if secret_class(frame.parent) and key != "text":
                name = frame.parent
            elif frame.named is None:
                frame.value = _Token(start, end, _decode(body))
            elif secret_class(frame.named):
                name = frame.named
        elif key == "kind" and body == b"Secret":
            frame.kind = "Secret"
        if (not frame.is_object and body[:1] in {b"-", b"\\"} and len(body) < 400) or key.casefold() in _NAME_KEYS:
            self._remember(frame, _decode(body))
        if frame.parent in {"data", "stringData"}:
            frame.members.append(_Token(start, end, _decode(body)))
        if (self._in_block or b"PRIVATE KEY" in body) and self._block(start, end, _decode(body)):
            return
        says_secret = name in _USER_OPTIONS or secret_class(name) is not None
        if not says_secret and not self._suspicious(body):
            return
        old = _decode(body)
        if self._is_opaque(key, old):
            return
        self._edit(start, end, old, self._value(name, old) if says_secret else self._text(old))

    def _remember(self, frame: _Frame, text: str) -> None:
        if frame.is_object:
            text = _FIELD.sub("", text).rstrip("\"']")
            frame.named = text if _NAME.fullmatch(text) else None
        elif text in _USER_OPTIONS or (_OPTION.fullmatch(text) and secret_class(text)):
            frame.option = text

    def _block(self, start: int, end: int, text: str) -> bool:
        """Whether the string is a line of a private key's block and no more than that."""
        if not self._in_block:
            self._in_block = bool(_BLOCK_BEGIN.search(text))
            return False
        line = _BLOCK_LINE.fullmatch(text)
        self._in_block = bool(line)
        if not line or not (body := line["body"]):
            return bool(line)
        at = line.start("body")
        self._edit(start, end, text, text[:at] + self._mark("private-key", body) + text[at + len(body) :])
        return True

    def _number(self, frame: _Frame, start: int, end: int) -> None:
        number = self._raw[start:end]
        name = (frame.key if frame.is_object else frame.list_name) or ""
        if _NUMBER.fullmatch(number) and secret_class(name) == "password":
            text = number.decode()
            new = self._mark("secret-value", text)
            if new != text:
                self._edits[start] = (end, json.dumps(new).encode())

    def _close(self, frame: _Frame, outer: _Frame) -> None:
        late = frame.value
        if late and frame.named and secret_class(frame.named) and late.start not in self._edits:
            self._edit(late.start, late.end, late.text, self._value(frame.named, late.text))
        if frame.members:
            outer.secrets = frame.members
        if frame.kind:
            for each in frame.secrets:
                if each.start not in self._edits and len(each.text) >= 6:
                    self._edit(each.start, each.end, each.text, self._mark("kubernetes-secret", each.text))

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
