"""Which names say that their value is a secret: `SMTP_PASSWORD`, `MyApiKey`, `client-secret`, `_authToken`.

The words stand here once; the rules build their patterns from them, and `secret_class` judges a whole name (a JSON
key, a variable). A name counts when a secret word stands at its end, perhaps followed by a short suffix: so
`AWS_SECRET_ACCESS_KEY` does, and `token_count`, `secretsmanager` and `password_policy` do not.
"""

import re
from typing import Literal

__all__ = ["CORE", "KEY", "LOOSE", "PASSWORD", "SECRET", "SUFFIX", "TOKEN", "SecretClass", "secret_class"]

SecretClass = Literal["password", "secret", "key", "token", "auth", "cookie"]

# (These are patterns, not passwords.)
PASSWORD = r"(?:pass(?:word|wd|phrase|wort|code)|pwd)"  # noqa: S105
SECRET = r"secret"  # noqa: S105
KEY = (
    r"(?:(?:api|app|application|access|private|secret|auth|account|encryption|signing|master|shared|subscription"
    r"|consumer|deploy|license|hmac|jwt|ssh|admin|webhook|functions?)[ _.:-]?key)"
)
TOKEN = r"(?:token|jwt|bearer)"  # noqa: S105
# Words too common in code and prose to count before a value that is neither quoted nor close to its `=`.
LOOSE = r"(?:pass|pw|psk|credential|authorization|auth)"
# The same words as a search finds them fastest: a class of first letters, then branches told apart by their second
# letter. It also takes words that are none of ours (`monkey`); `secret_class` sorts those out.
CORE = (
    r"[pPsStTjJbBkKcCaA](?:[aA](?i:ss(?:word|wd|phrase|wort|code)?)|[wW](?i:d|t)?|[sS](?i:k)|[eE](?i:cret|arer|y)|[oO](?i:ken)"
    r"|[rR](?i:edential)|[uU](?i:th(?:orization)?))"
)
SUFFIX = (
    r"(?:[_-](?:key[_-]?base|key|val|str|b64|base64|production|prod|development|dev|staging|stage|test"
    r"|local|live|new|old|current|main|backup|default|admin|confirmation|confirm|again|repeat|[0-9]{1,4})"
    r"|[_-]?(?:value|string)|[0-9]{1,4})?"
)

# One word with its owner: `requirepass`, `bindpw`.
_JOINED = (
    r"(?:^|[^A-Za-z])(?:require|become|bind|db|root|admin|user|my|smtp|mail|ftp|ssh|ldap|pg|redis|auth|login|http|proxy"
    r"|store|key)(?:pass|pw)|masterauth"
)

_CLASSES: tuple[tuple[SecretClass, str], ...] = (
    ("cookie", r"(?:^|[^A-Za-z])(?:set[_-]?)?cookies?$"),
    ("password", rf"(?:{PASSWORD}|(?:^|[^A-Za-z])(?:pass|pw|psk)|{_JOINED}){SUFFIX}s?$"),
    ("key", rf"{KEY}{SUFFIX}s?$"),
    ("secret", rf"{SECRET}{SUFFIX}s?$"),
    ("token", rf"{TOKEN}{SUFFIX}s?$"),
    ("auth", rf"(?:credential|authorization|(?:^|[^A-Za-z])auth){SUFFIX}s?$"),
)
_PATTERNS = tuple((kind, re.compile(pattern, re.ASCII | re.IGNORECASE)) for kind, pattern in _CLASSES)
_ANY = re.compile(
    r"pass|pw|psk|masterauth|key|secret|token|jwt|bearer|auth|credential|cookie", re.ASCII | re.IGNORECASE
)
_CAMEL_PASS = re.compile(rf"(?:[a-z0-9]Pass|[A-Z0-9_]PASS)(?i:{SUFFIX})$", re.ASCII)
# Places in a list and marks of a vocabulary, though the last word says token.
_HARMLESS = re.compile(
    r"(?:^|[^A-Za-z])(?:next|prev|previous|page|paging|continuation|continue|cursor|sync|start|end|pad|eos|bos|unk|sep"
    r"|mask|cls|special|stop|idempotency)(?:[_-]?(?:page|sequence))?[_-]?tokens?$",
    re.ASCII | re.IGNORECASE,
)


def secret_class(name: str) -> SecretClass | None:
    """The class of secret that `name` announces, None when it announces none."""
    if len(name) > 200 or not _ANY.search(name):
        return None
    for kind, pattern in _PATTERNS:
        if pattern.search(name):
            return None if kind == "token" and _HARMLESS.search(name) else kind
    return "password" if _CAMEL_PASS.search(name) else None
