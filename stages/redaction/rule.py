"""One kind of secret, and the pieces that the patterns of several kinds share.

A rule's `pattern` (Python `re`, ASCII classes) runs over decoded text. What is replaced is the group `secret`, or the
last group that took part, or the whole match. Its `anchors` run over raw bytes, which may be JSON text, escaped once
or more: they use what every multi-pattern engine understands (no look-around, no back-reference) and must fire on
whatever the pattern could match. Letters, digits and `_-.:=+@` are never escaped by a JSON writer other than as
`\\u00XX`, and such spellings make the gate fire on their own; quotes, slashes and white space may have backslashes
before them. A rule without anchors is always searched for.

Kinds: `format` is known by its own shape, wherever it stands; `place` by what stands around it; `pair` by a name that
says secret and is judged together with the value; `block` by a name that stands elsewhere: what is replaced is found by
the function of the rule's name in `blocks`.
"""

from typing import Literal

import msgspec

__all__ = ["ESCAPED_LETTER", "RAW_BLANK", "RAW_CLOSE", "RAW_QUOTE", "Rule"]


class Rule(msgspec.Struct, frozen=True):
    """One kind of secret."""

    name: str
    description: str
    pattern: str
    anchors: tuple[str, ...] = ()
    kind: Literal["format", "place", "pair", "block"] = "format"


# `\u0041`, but not the `\u0026 \u003c \u003e` of writers that escape for HTML, which no anchor contains.
ESCAPED_LETTER = r"\\u00(?:2[0-57-9a-fA-F]|3[0-9abdfABDF]|[4-7][0-9a-fA-F])"

# Between a name and its value, in raw bytes: quotes, brackets and white space, with their backslashes.
RAW_CLOSE = r"[\\\"'`\]]{0,80}"
# (n, r and t are of `\\n` and its like: one class is a single state of an automaton)
RAW_BLANK = r"[ \t\r\n\\*nrt]{0,80}"
RAW_QUOTE = r"\\{0,80}[\"'`]"
