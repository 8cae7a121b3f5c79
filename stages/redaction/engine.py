"""Finds secrets in text and JSON and puts marks in their place.

`Redactor.text` sends a string through the gate; almost all strings end there. What is left is searched by the rules
that fired: as JSON if it is JSON, otherwise as it stands and with one, two and three levels of escapes undone. The
search repeats until it finds nothing, so that redacting twice changes nothing.
"""

import hashlib
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from panscript.stages.redaction.blocks import BLOCKS
from panscript.stages.redaction.escapes import unescape
from panscript.stages.redaction.gate import Scan, scanner
from panscript.stages.redaction.judge import (
    MARK,
    OPAQUE,
    Binding,
    in_opaque_run,
    is_phrase,
    is_placeholder,
    is_secret,
)
from panscript.stages.redaction.names import LOOSE, SUFFIX, secret_class
from panscript.stages.redaction.rules import ESCAPED_LETTER, RULES, SCHEMES, Rule
from panscript.stages.redaction.splice import replace_strings

__all__ = ["Redactor"]

_BUILT_IN = frozenset(RULES)
_LEVELS = 3
# The colour codes of terminals, as they are and as JSON spells them. Each begins with what a search finds fast.
_COLOUR_CODE = re.compile(rb"\x1b\[[0-9;?]{0,32}[A-Za-z]")
_SPELLED_CODE = re.compile(rb"\\u001[bB]\[[0-9;?]{0,32}[A-Za-z]")
_OPAQUE_KEYS = frozenset(
    "signature thinkingsignature textsignature thoughtsignature thought_signature encrypted_content encryptedcontent"
    " data".split()
)
_BASE64 = re.compile(r"[A-Za-z0-9+/_=-]+")
_SCHEME = re.compile(SCHEMES + r"[ \t]+(?=\S{6,}\Z)")
_COOKIES = re.compile(r"[A-Za-z0-9_.$%-]{1,80}=[^\s;\"'`<>{}\\]{6,}.*", re.DOTALL)
_BEFORE = re.compile(r"[ ][A-Za-z]{2,12}(?![A-Za-z0-9_.$-])|[A-Za-z0-9_.$-]*")  # read backwards
_HAS_DIGIT = re.compile(r"[0-9]")
_LOOSE_NAME = re.compile(rf"(?i:{LOOSE}{SUFFIX}s?)")
_USER = re.compile(r"[^\s:\"'`$<>\\]{1,100}:[^\s\"'`<>]")
_ASSIGNS = re.compile(
    r"[ \t]{0,20}(?:[0-9]{1,6}(?:\t|\u2192|:[ ]?))?[+-]?[ \t]{0,40}(?:-[ ]|[$][ ])?(?:export[ \t]+|ENV[ ]"
    r"|ARG[ ])?[A-Z0-9_]+"
)
_LINE_VALUE = re.compile(r"(?:[^\s\x1b\"'`;\\]|;(?![A-Za-z0-9_]{1,40}=)(?=[^\s;])|\\(?![nrtbfu\"'\\/]))+")
_NOT_CAPITAL = re.compile(r"[a-z]")
# What may follow the first part of an unquoted password: signs that end a value in most notations, and another part.
_MORE = re.compile(
    r"(?:(?:[&,;|<>{}\[\]()])(?![&|>/])[A-Za-z0-9!@#%^*+~_.?-]+){1,3}[)\]}]?(?=[\s,.;:!?)\]}]|(?![\s\S]))"
)
_PHRASES = {quote: re.compile(rf"[^{quote}\\\r\n]{{3,120}}(?={quote})") for quote in "\"'"}
_LONG = 1 << 16  # characters; a longer text is searched in windows
_STEP = 1 << 14
_MARGIN = 1 << 13
_EDGE = 1 << 10


class _Found(NamedTuple):
    """A secret in a text: its span there, its rule, and its own text with escapes undone."""

    start: int
    end: int
    rule: int
    secret: str


class Redactor:
    """Replaces secrets by `[REDACTED:<rule>:<n>]`, n counting distinct secrets in the order they appear.

    One redactor goes with one session: the same secret gets the same mark wherever it stands. Only salted digests of
    secrets are kept. A redactor is not to be shared by threads.
    """

    counts: Counter[str]
    """Rule name -> replacements made."""

    def __init__(self, rules: Sequence[Rule] = RULES, *, disabled: Collection[str] = ()) -> None:
        """Raise ValueError when `disabled` names no rule, and re.error when a pattern cannot be compiled."""
        unknown = set(disabled) - {rule.name for rule in rules}
        if unknown:
            raise ValueError(f"no such redaction rule: {', '.join(sorted(unknown))}")
        misnamed = [rule.name for rule in rules if not MARK.fullmatch(f"[REDACTED:{rule.name}:1]")]
        if misnamed:
            raise ValueError(f"a rule's name is made of a-z, 0-9 and hyphens: {', '.join(misnamed)}")
        self.counts = Counter()
        self._rules = [rule for rule in rules if rule.name not in disabled]
        for rule in self._rules:
            if rule not in _BUILT_IN:
                re.compile(rule.pattern, re.ASCII)
        self._patterns: dict[int, re.Pattern[str]] = {}
        self._names = {rule.name for rule in self._rules}
        owners: dict[str, list[int]] = {ESCAPED_LETTER: []}
        for number, rule in enumerate(self._rules):
            for anchor in rule.anchors:
                owners.setdefault(anchor, []).append(number)
        self._anchors = tuple(owners)
        self._owners = tuple(owners.values())
        self._always = frozenset(number for number, rule in enumerate(self._rules) if not rule.anchors)
        self._scan: Scan = self._first_scan
        self._marks: dict[bytes, str] = {}
        self._salt = os.urandom(16)

    def gate(self, data: bytes) -> bool:
        """Whether `data` (raw JSON or UTF-8 text) may hold a secret; False is certain."""
        return bool(self._hits(data) or self._always)

    def text(self, text: str) -> str:
        """`text` without secrets, also those in JSON it holds; the same object when there are none."""
        fired = self._fired(text)
        if not fired and not self._always:
            return text
        return self._search(text, fired, 0)

    def value(self, name: str, text: str) -> str:
        """`text`, known to be the value of the key or variable `name`, without secrets."""
        return self._value(name, text, 0)

    def json(self, raw: bytes) -> bytes:
        """One JSON value with its string tokens redacted and every other byte as it was; the same object if clean.

        Raises ValueError when the gate fired and `raw` is no JSON: nothing is known about its strings then.
        """
        if not self.gate(raw):
            return raw
        return self._splice(raw, 0)

    def _pattern(self, number: int) -> re.Pattern[str]:
        """The pattern of a rule, compiled when its anchor fires: most rules never meet a secret."""
        if (found := self._patterns.get(number)) is None:
            found = self._patterns[number] = re.compile(self._rules[number].pattern, re.ASCII)
        return found

    def _first_scan(self, data: bytes) -> list[int]:
        self._scan = scanner(self._anchors)
        return self._scan(data)

    def _splice(self, raw: bytes, depth: int) -> bytes:
        def text(text: str) -> str:
            return self._text(text, depth)

        def value(name: str, text: str) -> str:
            return self._value(name, text, depth)

        return replace_strings(
            raw, suspicious=self.gate, text=text, value=value, mark=self._by_rule, is_opaque=_is_opaque
        )

    def _text(self, text: str, depth: int) -> str:
        fired = self._fired(text)
        return self._search(text, fired, depth) if fired or self._always else text

    def _fired(self, text: str) -> Collection[int]:
        try:
            return self._hits(text.encode())
        except UnicodeEncodeError:
            return self._hits(text.encode("utf-8", "surrogatepass"))

    def _hits(self, data: bytes) -> Collection[int]:
        """The anchors that fire in `data` as it is or without the colour codes of terminals."""
        hits = self._scan(data)
        plain = data
        if b"\x1b[" in data:
            plain = _COLOUR_CODE.sub(b"", plain)
        if b"\\u001" in data:
            plain = _SPELLED_CODE.sub(b"", plain)
        return hits if plain is data else {*hits, *self._scan(plain)}

    def _search(self, text: str, fired: Iterable[int], depth: int) -> str:
        """`text` without the secrets of the rules whose anchors `fired` there."""
        if OPAQUE.fullmatch(text):
            return self._opaque(text, fired)
        if depth < _LEVELS and _looks_like_json(text):
            try:
                raw = text.encode()
                spliced = self._splice(raw, depth + 1)
            except ValueError:
                pass  # no JSON after all, or text that cannot be encoded
            else:
                return text if spliced is raw else spliced.decode()
        while found := self._found(text, fired):
            text = self._replaced(text, found)
            fired = self._fired(text)
            if not fired and not self._always:
                break
        return text

    def _opaque(self, text: str, fired: Iterable[int]) -> str:
        """A long run of base64: kept whole unless it is a key that begins like one."""
        for number in self._numbers(fired):
            if self._rules[number].kind == "format":
                match = self._pattern(number).match(text)
                if match and match.end() >= len(text.rstrip()):
                    return self._mark(number, match[0]) + text[match.end() :]
        return text

    def _value(self, name: str, text: str, depth: int) -> str:
        if name in {"-u", "-U", "--user", "--proxy-user"}:
            return self._user_option(name, text, depth)
        kind = secret_class(name)
        scheme = _SCHEME.match(text) if "authorization" in name.casefold() else None
        if scheme:
            rest = text[scheme.end() :]
            clean = self._text(rest, depth)
            secret = clean is rest and not is_placeholder(rest)
            return scheme[0] + (self._by_rule("authorization", rest) if secret else clean)
        clean = self._text(text, depth)
        if kind is None or MARK.search(text):
            return clean
        if kind == "cookie":
            return self._by_rule("cookie", text) if _COOKIES.fullmatch(text) and clean is text else clean
        bare = text.rstrip()
        if " " in bare and clean is text and is_phrase(kind, bare, sure="passphrase" in name.casefold()):
            return self._by_rule("secret-value", bare) + text[len(bare) :]
        if clean is not text and (MARK.fullmatch(clean.strip()) or len(bare.split()) != 1 or "://" in bare):
            return clean
        if is_secret(kind, bare, "quoted"):
            return self._by_rule("secret-value", bare) + text[len(bare) :]
        return clean

    def _user_option(self, option: str, text: str, depth: int) -> str:
        """The value of curl's `-u`: what stands after the user's name."""
        if not _USER.match(text):
            return self._text(text, depth)
        redacted = self._text(f"{option} {text}", depth)
        return redacted[len(option) + 1 :] if redacted.startswith(f"{option} ") else text

    def _by_rule(self, name: str, secret: str) -> str:
        """The mark of `secret` under the rule `name`; the text itself when that rule is off."""
        if name not in self._names:
            return secret
        return self._mark(next(number for number, rule in enumerate(self._rules) if rule.name == name), secret)

    def _numbers(self, fired: Iterable[int]) -> list[int]:
        """The rules of the anchors that fired, in the order of the table."""
        return sorted(self._always.union(*(self._owners[anchor] for anchor in fired)))

    def _found(self, text: str, fired: Iterable[int]) -> list[_Found]:
        """The secrets in `text`, in order, none touching another or a mark."""
        if len(text) <= _LONG or self._always:
            return self._found_in(text, fired)
        found: list[_Found] = []
        for start, end in self._windows(text):
            low, high = max(0, start - _MARGIN), end + _MARGIN
            while True:
                part = text[low:high]
                inside = self._found_in(part, self._fired(part))
                # Secrets may be longer than a margin: then the window grows until they end well within it.
                if high >= len(text) or not any(each.end > len(part) - _EDGE for each in inside):
                    break
                high = low + 2 * len(part)
            found += [
                each._replace(start=each.start + low, end=each.end + low)
                for each in inside
                if (each.start >= _EDGE or not low) and (not found or each.start + low >= found[-1].end)
            ]
        return found

    def _windows(self, text: str) -> Iterator[tuple[int, int]]:
        """The stretches of a long text in which anchors fire; what they stand for may begin or end in the margins."""
        open_at = None
        for start in range(0, len(text), _STEP):
            if self._fired(text[max(0, start - _MARGIN) : start + _STEP + _MARGIN]):
                open_at = start if open_at is None else open_at
            elif open_at is not None:
                yield open_at, start
                open_at = None
        if open_at is not None:
            yield open_at, len(text)

    def _found_in(self, text: str, fired: Iterable[int]) -> list[_Found]:
        found = list(self._matches(text, self._numbers(fired)))
        view = None
        current = text
        for _ in range(_LEVELS + 1):
            if ("\\" not in current and "\x1b" not in current) or (view := unescape(current, view)) is None:
                break
            current = view.text
            found += [
                each._replace(start=view.source(each.start), end=view.source(each.end))
                for each in self._matches(current, self._numbers(self._fired(current)))
            ]
        if not found:
            return found
        marks = [match.span() for match in MARK.finditer(text)]
        starts = [start for start, _ in marks]
        apart = []
        for each in found:
            before = bisect_right(starts, each.end - 1)
            if not before or marks[before - 1][1] <= each.start:
                apart.append(each)
        return self._merged(apart)

    def _merged(self, found: list[_Found]) -> list[_Found]:
        """Overlapping finds made one, named for the rule that knows the secret best."""
        found.sort(key=lambda each: (each.start, -each.end, each.rule))
        merged: list[_Found] = []
        for each in found:
            last = merged[-1] if merged else None
            if last is None or each.start >= last.end:
                merged.append(each)
                continue
            end = max(last.end, each.end)
            best = self._better(last, each)
            merged[-1] = best._replace(start=last.start, end=end)
        return merged

    def _better(self, outer: _Found, inner: _Found) -> _Found:
        """A known shape is a better name than a name beside the value, if it is nearly all of it."""
        known = [each for each in (outer, inner) if self._rules[each.rule].kind == "format"]
        length = max(outer.end, inner.end) - outer.start
        if len(known) == 1 and known[0].end - known[0].start >= length - 4:
            return known[0]
        if inner.end - inner.start == outer.end - outer.start:
            return min(outer, inner, key=lambda each: each.rule)
        return max(outer, inner, key=lambda each: each.end - each.start)

    def _matches(self, text: str, numbers: Iterable[int]) -> Iterable[_Found]:
        for number in numbers:
            rule, pattern = self._rules[number], self._pattern(number)
            if rule.kind == "block":
                for block in pattern.finditer(text):
                    for start, end in BLOCKS[rule.name](text, block):
                        yield _Found(start, end, number, text[start:end])
                continue
            at = 0
            while match := pattern.search(text, at):
                at = max(match.end(), match.start() + 1)
                group = _secret_group(rule, match)
                start, end = match.span(group)
                if rule.kind == "pair":
                    end = _value_end(text, match, start, end)
                    if not _is_pair(text, match, start, end):
                        # A value that is none may be, or hide, the name of the next pair.
                        at = match.end("name") if end - start <= 200 else end
                        continue
                    at = max(end, match.start() + 1)
                elif rule.kind == "place":
                    if is_placeholder(match[group]):
                        continue
                elif in_opaque_run(text, start, end):
                    continue
                if start < end:
                    yield _Found(start, end, number, text[start:end])

    def _replaced(self, text: str, found: list[_Found]) -> str:
        pieces: list[str] = []
        done = 0
        for start, end, number, secret in found:
            pieces += (text[done:start], self._mark(number, secret))
            done = end
        pieces.append(text[done:])
        return "".join(pieces)

    def _mark(self, number: int, secret: str) -> str:
        """The mark of a secret: the one it has, else the next number under this rule."""
        digest = hashlib.blake2b(_canonical(secret), key=self._salt, digest_size=16).digest()
        mark = self._marks.get(digest)
        if mark is None:
            mark = self._marks[digest] = f"[REDACTED:{self._rules[number].name}:{len(self._marks) + 1}]"
        self.counts[mark[10:].partition(":")[0]] += 1
        return mark


def _secret_group(rule: Rule, match: re.Match[str]) -> str | int:
    if rule.kind == "pair" or (match.lastgroup or "").startswith("secret"):
        return match.lastgroup or 0
    return "secret" if "secret" in match.re.groupindex else 0


def _is_pair(text: str, match: re.Match[str], start: int, end: int) -> bool:
    """Whether name and value of a match of a pair rule make a secret."""
    groups = match.re.groupindex
    name = _whole_name(text, match.start("name")) + match["name"]
    kind = secret_class(name)
    if kind is None:
        return False
    value = text[start:end]
    following = text[end : end + 1]
    told = "told" in groups
    if match.lastgroup != "bare":
        if " " in value:
            return is_phrase(kind, value, sure=_is_capital(name) or "passphrase" in name.casefold() or name == "psk")
        if "comma" in groups and not _HAS_DIGIT.search(value):
            return False
        if told and name.rpartition(" ")[2].casefold() == "pass":
            return False  # (to pass something on)
        return not following.isspace() and is_secret(kind, value, "told" if told else "quoted")
    if following in {"(", "["} and re.fullmatch(r"[\w.$]+", value):
        return False
    if told:
        return is_secret(kind, value.rstrip("!"), "told")
    if "flag" in groups or "set" in groups:
        return is_secret(kind, value, "flag" if "flag" in groups else "tight")
    sep = match["sep"] if "sep" in groups else ""
    if "close" in groups and match["close"]:
        # (the number is a number of JSON)
        return kind == "password" and sep == ":" and value.isdigit() and len(value) >= 4 and "]" not in match["close"]
    if sep in {"==", "==="}:
        return False
    binding = _binding(text, match, name.rpartition(" ")[2], following, start) if sep else "loose"
    if binding == "loose" and _LOOSE_NAME.fullmatch(match["name"]):
        short = match["name"] in {"pass", "psk"} and sep in {":", "="}
        return short and bool(_HAS_DIGIT.search(value)) and not value.isdigit() and is_secret(kind, value, binding)
    return is_secret(kind, value, binding)


def _binding(text: str, match: re.Match[str], name: str, following: str, start: int) -> Binding:
    """How closely an unquoted value that begins at `start` is bound to its name by `:` or `=`."""
    before = text[: match.end("name") - len(name)][-1:]
    whole = not following or following.isspace() or following in {"&", '"', "'"}
    if match["sep"] == "=" and start == match.end("name") + 1:
        if _is_capital(name):
            return "tight"
        if before in {"?", "&", ";"}:
            return "query"
        return "close" if whole and (not before or before.isspace() or before in "\"'+-") else "loose"
    if match["sep"] == ":" and _is_capital(name) and len(name) > 3 and (not following or following in "\r\n"):
        return "close"
    return "loose"


def _is_capital(name: str) -> bool:
    return not _NOT_CAPITAL.search(name)


def _whole_name(text: str, start: int) -> str:
    """What stands before a secret word and belongs to its name: `DB_` of `DB_PASSWORD`, `API ` of `API key`."""
    before = _BEFORE.match(text[max(0, start - 80) : start][::-1])
    return before[0][::-1] if before else ""


def _value_end(text: str, match: re.Match[str], start: int, end: int) -> int:
    """Where the value of a pair ends: an unquoted one without the full stop of its sentence.

    A variable in capitals that begins a line, as in a dotenv file, has all of the line up to white space. A quoted
    value may go on after a space, to the quote on the same line.
    """
    if match.lastgroup != "bare":
        pattern = _PHRASES.get(text[start - 1]) if text.startswith(" ", end) else None
        phrase = pattern.match(text, start) if pattern else None
        return phrase.end() if phrase else end
    name = match.start("name")
    if text.startswith("=", match.end("name")) and _is_capital(match["name"]):
        line = text.rfind("\n", max(0, name - 120), name) + 1
        if _ASSIGNS.fullmatch(text, line, match.end("name")) and (value := _LINE_VALUE.match(text, start)):
            end = value.end()
    elif (more := _MORE.match(text, end)) and not text.startswith(("=", ":"), end - 1):
        end = more.end() - (more[0][-1] in ")]}" and not _closes(text[start : more.end()]))
    while end > start and text[end - 1] in ".?:…":
        end -= 1
    return end


def _closes(value: str) -> bool:
    """Whether the bracket at the end of `value` was opened in it."""
    return {")": "(", "]": "[", "}": "{"}[value[-1]] in value


def _is_opaque(key: str, text: str) -> bool:
    """Whether a string under a key for signatures and data is base64."""
    return key.casefold() in _OPAQUE_KEYS and bool(_BASE64.fullmatch(text))


def _looks_like_json(text: str) -> bool:
    body = text.strip()
    return len(body) > 1 and (body[0] + body[-1]) in {"{}", "[]"}


def _canonical(secret: str) -> bytes:
    """What makes two spellings of a secret one: escapes undone, white space left out."""
    for _ in range(_LEVELS):
        if (view := unescape(secret)) is None:
            break
        secret = view.text
    return "".join(secret.split()).encode("utf-8", "surrogatepass")
