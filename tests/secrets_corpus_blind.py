"""A second planted corpus: what developers' sessions look like when credentials pass through them.

Written from the files, commands and messages themselves, not from the rules of the redaction engine: whole
documents in which `<<maker>>` stands for an invented secret. Everything is made at run time from a fixed seed.
"""

import base64
import json
import random
import re
import string
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from tests.secrets_documents import DOCUMENTS

__all__ = ["MAKERS", "Planted", "planted_blind"]

_LETTERS = string.ascii_letters
_ALNUM = _LETTERS + string.digits
_UPPER = string.ascii_uppercase + string.digits
_HEX = "0123456789abcdef"
_URL64 = _ALNUM + "-_"
_B64 = _ALNUM + "+/"
_SLOT = re.compile(r"<<([a-z0-9_]+)(?::([a-z0-9]+))?>>")
_WORDS = (
    "maple otter quiet falcon copper river lantern velvet anchor pepper walnut comet harbor tundra saffron bishop"
    " gravel meadow ember cobalt thistle marble pigeon rocket canyon juniper"
).split()


class Planted(NamedTuple):
    """A secret, the family of documents and the maker it comes from, and the JSON-able record it stands in."""

    family: str
    maker: str
    secret: str
    record: Any


def _run(characters: str, count: int) -> Callable[[random.Random], str]:
    def make(rng: random.Random) -> str:
        while True:
            made = "".join(rng.choice(characters) for _ in range(count))
            # What came out of a real generator has both letters and digits, if it is long enough to judge.
            kinds = [str.isdigit, str.isalpha] if count >= 8 else []
            if all(any(map(kind, made)) or not any(map(kind, characters)) for kind in kinds):
                return made

    return make


def _password(rng: random.Random) -> str:
    """One word without white space or quotes, as people and password managers make them."""
    word, other = rng.sample(_WORDS, 2)
    return rng.choice(
        [
            f"{word}{rng.randrange(10, 9999)}",
            f"{word.title()}{other.title()}{rng.randrange(10, 99)}",
            f"{word}-{other}-{rng.choice(_WORDS)}-{rng.randrange(10, 99)}",
            f"{word.title()}!{rng.randrange(1990, 2026)}",
            f"{word.title()}@{rng.randrange(100, 999)}",
            f"{word[:4].upper()}{other}{rng.randrange(10)}#",
            f"dev{rng.choice(['password', 'pass', 'secret'])}{rng.randrange(10, 99)}",
            _run(_ALNUM, 16)(rng),
            _run(_ALNUM, 24)(rng),
            _run(_ALNUM + "!#%*+-.=?@^_~", 20)(rng),
            f"{word}_{other}{rng.randrange(10, 99)}",
            f"{rng.randrange(10, 99)}{word}{other.title()}",
        ]
    )


def _simple(rng: random.Random) -> str:
    """A password of letters and digits alone, so that it stays itself in addresses and on shells."""
    return f"{rng.choice(_WORDS)}{rng.choice(_WORDS).title()}{rng.randrange(10, 9999)}"


def _odd(rng: random.Random) -> str:
    """A password with the signs that end a word in most notations."""
    return f"{rng.choice(_WORDS)}{rng.choice('&;,)(<>|')}{rng.choice(_WORDS)}{rng.randrange(10, 99)}"


def _letters(rng: random.Random) -> str:
    """A password of small letters."""
    return "".join(rng.sample(_WORDS, 3))


def _phrase(rng: random.Random) -> str:
    """A passphrase with spaces, for quotes."""
    return " ".join(rng.sample(_WORDS, 4))


def _pin(rng: random.Random) -> str:
    return str(rng.randrange(100_000, 99_999_999))


def _aws_secret(rng: random.Random) -> str:
    return _run(_B64, 40)(rng)


def _b64pw(rng: random.Random) -> str:
    return base64.b64encode(_password(rng).encode()).decode()


def _basic(rng: random.Random) -> str:
    return base64.b64encode(f"svc-{rng.choice(_WORDS)}:{_password(rng)}".encode()).decode()


def _part(value: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _jwt(rng: random.Random) -> str:
    body = {
        "iss": "https://id.example",
        "sub": _run(_ALNUM, 10)(rng),
        "exp": rng.randrange(1_700_000_000, 1_800_000_000),
    }
    return ".".join([_part({"alg": "RS256", "typ": "JWT"}), _part(body), _run(_URL64, 86)(rng)])


def _lines(rng: random.Random, count: int, width: int = 64) -> str:
    return "\n".join([*(_run(_B64, width)(rng) for _ in range(count)), _run(_B64, 22)(rng) + "=="])


def _block(label: str) -> Callable[[random.Random], str]:
    """The body of a PEM block is what must go; markers may stay."""

    def make(rng: random.Random) -> str:
        dash = "-" * 5
        return f"{dash}BEGIN {label}{dash}\n{_lines(rng, 5)}\n{dash}END {label}{dash}"

    return make


def _encoded_pem(rng: random.Random) -> str:
    return base64.b64encode(_block("RSA PRIVATE KEY")(rng).encode()).decode()


def _urlenc(rng: random.Random) -> str:
    return f"{rng.choice(_WORDS)}%40{rng.choice(_WORDS)}%21{rng.randrange(10, 99)}"


def _p(*parts: str | Callable[[random.Random], str]) -> Callable[[random.Random], str]:
    return lambda rng: "".join(part if isinstance(part, str) else part(rng) for part in parts)


MAKERS: dict[str, Callable[[random.Random], str]] = {
    "pw": _password,
    "pws": _simple,
    "pwodd": _odd,
    "pwletters": _letters,
    "phrase": _phrase,
    "pin": _pin,
    "urlpw": _urlenc,
    "b64pw": _b64pw,
    "basic": _basic,
    "hex32": _run(_HEX, 32),
    "hex40": _run(_HEX, 40),
    "hex64": _run(_HEX, 64),
    "an12": _run(string.ascii_lowercase + string.digits, 12),
    "an20": _run(_ALNUM, 20),
    "an24": _run(_ALNUM, 24),
    "an32": _run(_ALNUM, 32),
    "an40": _run(_ALNUM, 40),
    "an64": _run(_ALNUM, 64),
    "u43": _run(_URL64, 43),
    "u86": _run(_URL64, 86),
    "b44": _p(_run(_B64, 43), "="),
    "b88": _p(_run(_B64, 86), "=="),
    "b300": _run(_B64, 300),
    "awsid": _p("AK", "IA", _run(_UPPER, 16)),
    "awstmp": _p("AS", "IA", _run(_UPPER, 16)),
    "awssecret": _aws_secret,
    "jwt": _jwt,
    "ghp": _p("gh", "p_", _run(_ALNUM, 36)),
    "ghs": _p("gh", "s_", _run(_ALNUM, 36)),
    "ghpat": _p("github", "_pat_", _run(_ALNUM, 22), "_", _run(_ALNUM, 59)),
    "glpat": _p("gl", "pat-", _run(_URL64, 20)),
    "npm": _p("np", "m_", _run(_ALNUM, 36)),
    "pypi": _p("py", "pi-AgEIcHlwaS5vcmc", _run(_URL64, 160)),
    "stripe": _p("sk", "_live_", _run(_ALNUM, 24)),
    "stripetest": _p("sk", "_test_", _run(_ALNUM, 24)),
    "whsec": _p("wh", "sec_", _run(_ALNUM, 32)),
    "slackbot": _p("xo", "xb-", _run(string.digits, 12), "-", _run(string.digits, 13), "-", _run(_ALNUM, 24)),
    "slackhook": _p("T", _run(_UPPER, 10), "/B", _run(_UPPER, 10), "/", _run(_ALNUM, 24)),
    "twiliosk": _p("S", "K", _run(_HEX, 32)),
    "sendgrid": _p("S", "G.", _run(_URL64, 22), ".", _run(_URL64, 43)),
    "openai": _p("sk", "-proj-", _run(_URL64, 124)),
    "openaiold": _p("sk", "-", _run(_ALNUM, 48)),
    "anthropic": _p("sk", "-ant-", "api03-", _run(_URL64, 93), "AA"),
    "google": _p("AI", "za", _run(_URL64, 35)),
    "gsecret": _p("GOC", "SPX-", _run(_URL64, 28)),
    "ya29": _p("ya", "29.a0", _run(_URL64, 160)),
    "grefresh": _p("1/", "/0g", _run(_URL64, 60)),
    "azsecret": _p(_run(_ALNUM, 3), "8Q", "~", _run(_URL64, 34)),
    "hf": _p("h", "f_", _run(_LETTERS, 34)),
    "telegram": _p(_run(string.digits, 10), ":AA", _run(_URL64, 33)),
    "discord": _p("M", _run(_ALNUM, 25), ".", _run(_URL64, 6), ".", _run(_URL64, 38)),
    "vault": _p("hv", "s.", _run(_URL64, 92)),
    "docker": _p("dck", "r_pat_", _run(_URL64, 27)),
    "dapi": _p("da", "pi", _run(_HEX, 32)),
    "doppler": _p("dp", ".st.prd.", _run(_ALNUM, 43)),
    "shopify": _p("shp", "at_", _run(_HEX, 32)),
    "rsa": _block("RSA PRIVATE KEY"),
    "ec": _block("EC PRIVATE KEY"),
    "pkcs8": _block("PRIVATE KEY"),
    "openssh": _block("OPENSSH PRIVATE KEY"),
    "encrypted": _block("ENCRYPTED PRIVATE KEY"),
    "b64pem": _encoded_pem,
}

# Where the text of a session can stand. Each takes a text and makes a record of an agent's log around it.
PLACES: tuple[Callable[[str], Any], ...] = (
    lambda text: {"type": "user", "message": {"role": "user", "content": text}},
    lambda text: {
        "type": "user",
        "message": {"content": [{"type": "text", "text": f"hey, can you look at this?\n\n{text}\n\nit fails"}]},
    },
    lambda text: {
        "type": "assistant",
        "message": {"content": [{"type": "thinking", "thinking": f"The file says:\n{text}\nSo I should"}]},
    },
    lambda text: {
        "type": "assistant",
        "message": {"content": [{"type": "text", "text": f"Here it is:\n\n```\n{text}\n```\n"}]},
    },
    lambda text: {
        "type": "user",
        "message": {"content": [{"type": "tool_result", "tool_use_id": "toolu_01Ab", "content": text}]},
    },
    lambda text: {
        "type": "tool_result",
        "content": "\n".join(f"{n:6}\t{line}" for n, line in enumerate(text.split("\n"), 1)),
    },
    lambda text: {
        "type": "tool_use",
        "name": "Write",
        "input": {"file_path": "/home/ann/app/x", "content": text + "\n"},
    },
    lambda text: {
        "type": "tool_use",
        "name": "Edit",
        "input": {"old_string": "x = 1", "new_string": text, "replace_all": False},
    },
    lambda text: {"type": "response_item", "payload": {"type": "function_call_output", "output": text}},
    lambda text: {
        "payload": {
            "type": "function_call_output",
            "output": json.dumps({"output": text, "metadata": {"exit_code": 0}}),
        }
    },
    lambda text: {
        "payload": {
            "type": "function_call",
            "arguments": json.dumps({"cmd": ["bash", "-lc", f"cat <<'EOF' > x\n{text}\nEOF"]}),
        }
    },
    lambda text: {
        "payload": {
            "type": "custom_tool_call",
            "input": "*** Begin Patch\n*** Add File: x\n"
            + "\n".join("+" + line for line in text.split("\n"))
            + "\n*** End Patch",
        }
    },
    lambda text: {"type": "queue-operation", "operation": "enqueue", "content": text},
    lambda text: {"toolUseResult": {"stdout": text, "stderr": "", "interrupted": False}},
    lambda text: {
        "toolUseResult": {
            "file": {"filePath": "/x", "content": text, "numLines": 3},
            "structuredPatch": [{"lines": ["+" + line for line in text.split("\n")]}],
        }
    },
    lambda text: {"content": [{"type": "text", "text": text.replace("\n", "\r\n")}]},
)
TITLES: tuple[Callable[[str], Any], ...] = (
    lambda text: {"type": "summary", "summary": text},
    lambda text: {"type": "session_meta", "title": text},
    lambda text: {"type": "event_msg", "payload": {"type": "user_message", "message": text}},
)


def _bodies(secret: str) -> list[str]:
    """The pieces of a secret that must not stay: each line of a key's body, or the secret itself."""
    if not secret.startswith("-----"):
        return [secret]
    return secret.split("\n")[1:-1]


def planted_blind(seed: int = 41, rounds: int = 3) -> list[Planted]:
    """Every document `rounds` times, each time with other secrets and in another place."""
    rng = random.Random(seed)
    made: list[Planted] = []
    turn = 0
    for _ in range(rounds):
        for family, document in DOCUMENTS:
            secrets: list[tuple[str, str]] = []

            def fill(slot: re.Match[str], secrets: list[tuple[str, str]] = secrets) -> str:
                maker, spelling = slot.groups()
                secret = MAKERS[maker](rng)
                secrets.extend((maker, body) for body in _bodies(secret)[:3])
                if spelling == "oneline":  # as the value of a variable: `\n` spelled
                    return secret.replace("\n", "\\n")
                if spelling == "indent":
                    return secret.replace("\n", "\n    ")
                return secret

            text = _SLOT.sub(fill, document.strip("\n"))
            places = TITLES if "\n" not in text and len(text) < 160 and turn % 3 == 0 else PLACES
            record = places[turn % len(places)](text)
            turn += 1
            made.extend(Planted(family, maker, secret, record) for maker, secret in secrets)
    return [*made, *_structured(rng)]


def _structured(rng: random.Random) -> list[Planted]:
    """Secrets under keys of structured arguments and results, where no text tells."""
    made: list[Planted] = []

    def plant(maker: str, build: Callable[[str], Any]) -> None:
        secret = MAKERS[maker](rng)
        made.append(Planted("structured", maker, secret, {"type": "tool_use", "input": build(secret)}))

    for key in (
        "password",
        "passwd",
        "db_password",
        "adminPassword",
        "PGPASSWORD",
        "smtp_pass",
        "passphrase",
        "userPassword",
    ):
        for maker in ("pw", "pwletters", "phrase", "pwodd"):
            plant(maker, partial(_under, "settings", key))
    for key in (
        "api_key",
        "apiKey",
        "x-api-key",
        "client_secret",
        "clientSecret",
        "access_token",
        "authToken",
        "secretKey",
        "SECRET_KEY",
        "private_key",
    ):
        for maker in ("an20", "hex32", "u43"):
            plant(maker, partial(_under, "body", key))
    made.extend(_number(rng, key) for key in ("pin_password", "password", "admin_password"))
    plant(
        "pw", lambda secret: {"fields": [{"name": "username", "value": "ann"}, {"name": "password", "value": secret}]}
    )
    plant("pw", lambda secret: {"action": "fill", "selector": "#password", "value": secret})
    plant("pw", lambda secret: {"env": [f"DB_PASSWORD={secret}", "PORT=1"]})
    plant("an32", lambda secret: {"env": {"OPENWEATHER_API_KEY": secret}})
    plant("pw", lambda secret: {"argv": ["psql", "--password", secret]})
    plant("an32", lambda secret: {"argv": ["tool", "--token", secret]})
    plant("an32", lambda secret: {"argv": ["tool", f"--api-key={secret}"]})
    plant("basic", lambda secret: {"headers": {"Authorization": f"Basic {secret}"}})
    plant("an32", lambda secret: {"headers": [["Authorization", f"Bearer {secret}"]]})
    plant("an32", lambda secret: {"headers": [{"key": "X-Auth-Token", "value": secret}]})
    plant("an32", lambda secret: {"cookies": [{"name": "sessionid", "value": secret, "domain": "x.example"}]})
    for maker in ("rsa", "openssh", "pkcs8"):
        block = MAKERS[maker](rng)
        lines = block.split("\n")
        for record in (
            {"lines": lines},
            {"private_key": block},
            {"patch": {"lines": ["+" + line for line in lines]}},
            {"rows": [[line] for line in lines]},
        ):
            made.extend(Planted("structured-pem", maker, line, record) for line in lines[1:4])
    return made


def _under(outer: str, key: str, secret: str) -> dict[str, Any]:
    return {outer: {"host": "db.local", "login": {key: secret}}}


def _number(rng: random.Random, key: str) -> Planted:
    pin = rng.randrange(10_000_000, 99_999_999)
    return Planted("structured-number", "pin", str(pin), {"input": {key: pin, "retries": 3}})
