"""Whether a value that stands where a secret could stand is one.

What a name announces is often a placeholder (`<your-password>`), a reference (`${API_KEY}`, `os.environ["X"]`), a
type, a word of prose, or more code. These functions tell such values from secrets by the value and by how closely
it is bound to its name. They err towards the secret where the binding is tight.
"""

import re
from typing import Literal

from panscript.stages.redaction.names import SecretClass

__all__ = ["MARK", "OPAQUE", "Binding", "in_opaque_run", "is_phrase", "is_placeholder", "is_secret"]

# quoted: `name: "value"`; tight: `NAME=value` in shell and dotenv; query: the same in an address or connection string;
# close: `name=value` as a word of its own; flag: `--name value`; loose: `name: value` and `name = value`;
# told: `name is value`, `name value`, cells of tables.
Binding = Literal["quoted", "tight", "query", "close", "flag", "loose", "told"]

MARK = re.compile(r"\[REDACTED:[a-z0-9][a-z0-9-]{0,63}:[0-9]{1,9}\]")
# One long run of base64, perhaps as a data: URL, is an image or a signature: whole or not at all.
OPAQUE = re.compile(r"(?:data:[^,\s]{0,200},)?[A-Za-z0-9+/_-]{200,}={0,2}\s?")

_DULL = frozenset(
    (
        "null none nil true false yes no on off undefined void empty blank unset default auto n/a na nan changeme"
        " change-me change_me changeit replaceme replace-me replace_me example placeholder todo tbd fixme dummy sample"
        " password passwd passwort passphrase passcode pwd pass secret secrets token tokens key keys apikey api-key"
        " api_key credential credentials auth authorization bearer basic digest oauth oauth2 jwt saml ldap string"
        " str text bytes byte bool boolean int integer number float double char varchar any object optional required"
        " invalid missing wrong incorrect expired valid hidden input field redacted masked removed filtered censored"
        " omitted private public prompt username user email login name value type hash hashed hmac md5 sha1 sha256"
        " sha512 bcrypt scrypt argon2 argon2id pbkdf2 base64 utf8 utf-8 is was are must should not the your my this"
        " that use set get new old see same error ok unknown anonymous enabled disabled inherit service header query"
        " body cookie cookies session identifier keyword comment operator punctuation symbol random generated"
    ).split()
)
# Words of messages to people about passwords; the second lot may also stand in a passphrase.
_TALK = frozenset(
    (
        "password passwords passphrase passwort passcode secret secrets token key keys your you enter please must"
        " should"
        " required require characters chars letters digits symbols uppercase lowercase minimum maximum min max least"
        " invalid incorrect wrong forgot forgotten reset change changed changeme confirm repeat retype placeholder"
        " example username user users login sign signin email optional hidden field value string text here hash hashed"
        " show hide set unset empty"
    ).split()
)
_FILLERS = frozenset(
    "a an the is are was be of to for in on at by and or not no none with from it this that new old if then".split()
)
_MARKUP = re.compile(r"[<>{}$%\\\[\]]|\(\)|://")
_STAND_IN = re.compile(
    r"(?:test|fake|dummy|mock|sample|example|my|your|some|demo|insert|enter|put|add|the|an?|new|old|user|db|admin"
    r"|xxx+)?"
    r"[-_ .]?(?:own|super|very|real|actual|secure|strong)?[-_ .]?"
    r"(?:(?:api|access|auth|client|secret|password|passwd|pass|token|private|bearer|app|value|here|goes|key)"
    r"[-_ .]?){1,6}",
    re.IGNORECASE | re.ASCII,
)
_YOUR = re.compile(
    r"(?:your|insert|enter|replace|put)[-_ ].*|changeme.{0,6}|.*(?:[_-]here|\.\.\.|…)", re.IGNORECASE | re.DOTALL
)
# `<x>`, `${X}`, `$X`, `$(x)`, `{{ x }}`, `{x}`, `%X%`, `%s`, `[x]`, `(x`, `@x@`, `!Ref x`, `op://x`
_REFERENCE = re.compile(
    r"<.*|\$[A-Za-z_{(\[].*|\$[0-9]|\{.*|%[A-Za-z_(].*|\[.*|\(.*|@[A-Z_]+@?|![A-Z]\w*|&[a-z]+;.*"
    r"|\.[*+].*|\^.*[$\\\[(].*|\\.*|(?:required|nullable|sometimes|string|confirmed|filled|present)\|.*"
    r"|(?:env|vault|ref\+|op|arn|secretsmanager|ssm|keyring|projects|file|sops|kms)[:/].*",
    re.DOTALL | re.ASCII,
)
_PATH = re.compile(
    r"(?:~?/|\.{1,2}/|[A-Za-z]:\\).{0,300}|[a-z][a-z0-9+.-]{1,20}://.*"
    r"|[\w./-]{0,200}\.(?:pem|key|crt|cer|p12|pfx|jks|txt|md|py|js|ts|go|rs|rb|sh|json|ya?ml|toml|ini|env|cfg|conf)",
    re.DOTALL | re.ASCII,
)
_BENIGN = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.+Z-]*)?|v?[0-9]+(?:\.[0-9]+){1,3}(?:-[a-z0-9.]{1,12})?"
    r"|[0-9]+(?:\.[0-9]+)?(?:[kKMGT]?i?[bB]|ms|s|m|h|d|px|em|rem|%)?",
    re.ASCII,
)
_CODE = re.compile(r"[A-Za-z_$@][\w$]*(?:(?:\?\.|\.|::|->|\[|\()[\w$\])'\"(]*)+;?", re.ASCII)
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_DASHED = re.compile(r"[A-Za-z_$][\w$-]*", re.ASCII)
_NAME_WORD = re.compile(r"pass|pwd|secret|token|key|cred|auth|jwt|value|config|setting|option|param|arg", re.IGNORECASE)
_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[A-Za-z]")
_STRONG = re.compile(r"[0-9!@#%^*+~?-]")
_SIGN = re.compile(r"[0-9!@#%^*+~?]")
_INNER_SIGN = re.compile(r"[!@#%^*+~?&|;$=].*[A-Za-z0-9]", re.DOTALL)
# Names of methods and formats, whose digits make no password.
_METHOD = re.compile(
    r"o?auth[02]|sha-?(?:1|2|224|256|384|512)|md[45]|base(?:32|58|64)|utf-?(?:8|16)|s3|ec2|k8s|argon2(?:id|i|d)?|pbkdf2"
    r"|x509|pkcs(?:1|7|8|12)|p12|ed25519|http2|[hre]s(?:256|384|512)|aes-?(?:128|256)|i18n|v[0-9]|2fa",
    re.IGNORECASE | re.ASCII,
)
_RANDOM = re.compile(r"[0-9][A-Za-z0-9_]*[A-Za-z]|[0-9]{2}", re.ASCII)
_MIXED = re.compile(r"[0-9].{0,40}?[A-Za-z]|(?:[^0-9]*[0-9]){4}", re.DOTALL)
_LONG = re.compile(r"[0-9][A-Za-z0-9_~+=-]{7}|[A-Za-z0-9_~+=-]{8}[0-9]")
_BLANK = re.compile(r"\s")
_RUN = re.compile(r"[A-Za-z0-9+/_-]*")


def is_placeholder(value: str) -> bool:
    """Whether `value` is a mark of ours, a stand-in, a reference to somewhere else, or stars."""
    if len(set(value)) <= 2 or value.casefold().strip("/*_") in _DULL or MARK.search(value):
        return True
    return bool(_STAND_IN.fullmatch(value) or _YOUR.fullmatch(value) or _REFERENCE.fullmatch(value))


def is_secret(kind: SecretClass, value: str, binding: Binding) -> bool:
    """Whether `value`, bound to a name of class `kind`, is a secret."""
    if len(value) < 4 or value[0] in "\"'`<{" or _BLANK.search(value) or is_placeholder(value) or _is_path(value):
        return False
    if kind == "password":
        return _is_password(value, binding, least=5)
    if kind == "secret":
        return _is_password(value, binding, least=8)
    return _is_token(kind, value, binding)


def is_phrase(kind: SecretClass, value: str, *, sure: bool) -> bool:
    """Whether several words between quotes are a passphrase and no text for people.

    `sure` is said where no text for people is expected, as beside a variable in capitals.
    """
    if kind not in {"password", "secret"} or not value.isascii() or is_placeholder(value):
        return False
    words = value.split(" ")
    if not 2 <= len(words) <= 12 or not all(words) or _MARKUP.search(value):
        return False
    plain = {word.strip(".,:;!?()").casefold() for word in words}
    if not plain.isdisjoint(_TALK) or (not sure and not plain.isdisjoint(_FILLERS)):
        return False
    return sure or (len(words) > 2 and value.islower()) or (len(value) >= 10 and bool(_DIGIT.search(value)))


def _is_path(value: str) -> bool:
    """Whether `value` names a file or an address; long mixed text that merely begins with a slash does not."""
    if not _PATH.fullmatch(value):
        return False
    return len(value) < 32 or "." in value or "://" in value or len(_DIGIT.findall(value)) < 4


def _is_variable(value: str) -> bool:
    """Whether `value` is a name that speaks of a secret (`new_password`, `token2`), with no digits but its number."""
    if not _DASHED.fullmatch(value) or not _NAME_WORD.search(value):
        return False
    return not _RANDOM.search(_METHOD.sub("x", value))


def _is_password(value: str, binding: Binding, *, least: int) -> bool:
    if value.isalpha():
        # A word alone is a label (`Password`, `Required`) more often than a secret unless it is written small.
        if not value.isascii():
            return False
        if binding in {"tight", "query"}:
            return True
        enough = {"quoted": least, "close": 8, "loose": 16}.get(binding, 0)
        variable = binding != "quoted" and bool(_NAME_WORD.search(value))
        return bool(enough) and value.islower() and len(value) >= enough and not variable
    if binding == "quoted":
        return not _CODE.fullmatch(value) or len(value) >= 40 or bool(_DIGIT.search(value))
    if _CODE.fullmatch(value):
        return False
    if binding in {"tight", "query"}:
        return True
    if value.endswith("=") and len(value) >= 8 and binding == "loose":
        return True  # base64, as in the data of a Kubernetes secret
    if not _STRONG.search(value) or _is_variable(value) or _METHOD.fullmatch(value):
        return False
    if binding == "flag":
        return value[0] != "-" and bool(_SIGN.search(value))
    if binding == "told" and not (_DIGIT.search(value) or (_INNER_SIGN.search(value) and len(value) >= 8)):
        return False
    return len(value) >= least and not _BENIGN.fullmatch(value) and (bool(_DIGIT.search(value)) or len(value) >= 8)


def _is_token(kind: SecretClass, value: str, binding: Binding) -> bool:
    least = 8
    if binding in {"loose", "told", "close"}:
        least = 10 if kind == "key" and binding != "told" else 16
        if binding == "told" and not _LONG.search(value):
            return False
        if len(value) < 16 and (not _MIXED.search(value) or _is_variable(value)):
            return False
    elif binding == "query":
        least = 6
    if len(value) < least or not _DIGIT.search(value) or not _LETTER.search(value):
        return False
    if any(quote in value for quote in "\"'`") or _BENIGN.fullmatch(value):
        return False
    if _CODE.fullmatch(value):
        # Dotted names are code; dotted random text (many digits) is not.
        return (
            len(value) >= 20
            and len(_DIGIT.findall(_METHOD.sub("", value))) >= 3
            and "(" not in value
            and "[" not in value
        )
    return binding == "quoted" or len(value) >= 20 or not _is_variable(value)


def in_opaque_run(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] lies inside (not at the start of) a base64 run of 200 characters or more."""
    if not _RUN.fullmatch(text, start, end):
        return False
    before = _RUN.match(text[max(0, start - 200) : start][::-1])
    after = _RUN.match(text, end, min(len(text), end + 200))
    left, right = len(before[0]) if before else 0, len(after[0]) if after else 0
    return left > 0 and left + (end - start) + right >= 200
