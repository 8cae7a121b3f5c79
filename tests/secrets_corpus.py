"""Invented secrets of every kind in every place where a transcript can hide one, and texts that only look like them.

Everything is made at run time from a fixed seed, so that no file holds a string in the shape of a secret and every
run sees the same corpus.
"""

import base64
import json
import random
import string
import uuid
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

ALNUM = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
URL64 = ALNUM + "_-"
B64 = ALNUM + "+/"


class Planted(NamedTuple):
    """A secret of the rule `kind` and a JSON-able record it stands in."""

    kind: str
    secret: str
    record: Any


def text_of(rng: random.Random, characters: str, count: int) -> str:
    """`count` random characters, a digit and letters of both cases among them where the alphabet has them."""
    made = [rng.choice(characters) for _ in range(count)]
    made[0] = next((each for each in made if each.isalpha()), "a" if "a" in characters else characters[0])
    for at, wanted in ((count // 3, string.digits), (count // 2, string.ascii_lowercase), (count - 2, UPPER[:26])):
        options = sorted(set(wanted) & set(characters))
        if options:
            made[at] = rng.choice(options)
    return "".join(made)


def _key(prefix: tuple[str, ...], characters: str, count: int, *rest: tuple[str, int] | str) -> Callable[..., str]:
    """A maker of keys: the prefix (in parts), random characters, then literals or more random characters."""

    def make(rng: random.Random) -> str:
        tail = [each if isinstance(each, str) else text_of(rng, *each) for each in rest]
        return "".join([*prefix, text_of(rng, characters, count), *tail])

    return make


def _encoded(value: dict[str, str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _jwt(rng: random.Random) -> str:
    return ".".join([_encoded({"alg": "HS256"}), _encoded({"sub": text_of(rng, LOWER, 9)}), text_of(rng, URL64, 43)])


def pem(rng: random.Random, label: str = "RSA ") -> str:
    """A PEM block of a private key that is none."""
    lines = [text_of(rng, B64, 64) for _ in range(6)]
    dashes = "-" * 5
    return "\n".join([f"{dashes}BEGIN {label}PRIVATE KEY{dashes}", *lines, f"{dashes}END {label}PRIVATE KEY{dashes}"])


# Kinds that are known by their shape, wherever they stand.
SHAPES: dict[str, tuple[Callable[..., str], ...]] = {
    "anthropic-key": (_key(("sk", "-ant-", "api03-"), URL64, 93, "AA"), _key(("sk", "-ant-", "oat01-"), URL64, 95)),
    "openai-key": (_key(("sk", "-proj-"), URL64, 120), _key(("sk", "-svcacct-"), URL64, 74)),
    "sk-key": (_key(("s", "k-"), ALNUM, 48), _key(("s", "k-"), HEX, 32)),
    "openrouter-key": (_key(("sk", "-or-v1-"), HEX, 64),),
    "google-api-key": (_key(("AI", "za"), URL64, 35),),
    "google-oauth-token": (_key(("ya", "29."), URL64, 120),),
    "google-client-secret": (_key(("GOC", "SPX-"), URL64, 28),),
    "huggingface-token": (_key(("h", "f_"), ALNUM, 34),),
    "replicate-token": (_key(("r", "8_"), ALNUM, 37),),
    "groq-key": (_key(("gs", "k_"), ALNUM, 52),),
    "xai-key": (_key(("xa", "i-"), ALNUM, 80),),
    "perplexity-key": (_key(("pp", "lx-"), ALNUM, 48),),
    "tavily-key": (_key(("tv", "ly-"), ALNUM, 32),),
    "aws-access-key": (_key(("AK", "IA"), UPPER, 16), _key(("AS", "IA"), UPPER, 16)),
    "azure-client-secret": (_key((), ALNUM, 3, "8Q", "~", (URL64, 34)),),
    "digitalocean-token": (_key(("dop", "_v1_"), HEX, 64),),
    "heroku-key": (_key(("HR", "KU-AA"), URL64, 58),),
    "netlify-token": (_key(("nf", "p_"), ALNUM, 36),),
    "supabase-key": (_key(("sb", "p_"), HEX, 40),),
    "databricks-token": (_key(("da", "pi"), HEX, 32),),
    "pulumi-token": (_key(("pu", "l-"), HEX, 40),),
    "tailscale-key": (_key(("ts", "key-auth-"), ALNUM, 32),),
    "vault-token": (_key(("hv", "s."), URL64, 95),),
    "terraform-token": (_key((), ALNUM, 14, ".atlas", "v1.", (URL64, 67)),),
    "doppler-token": (_key(("dp", ".pt."), ALNUM, 43),),
    "github-token": (
        _key(("gh", "p_"), ALNUM, 36),
        _key(("gh", "o_"), ALNUM, 36),
        _key(("gh", "s_"), ALNUM, 36),
        _key(("github", "_pat_"), ALNUM, 22, "_", (ALNUM, 59)),
    ),
    "gitlab-token": (_key(("gl", "pat-"), URL64, 20), _key(("gl", "rt-"), URL64, 20)),
    "atlassian-token": (_key(("AT", "ATT3x"), URL64, 180),),
    "bitbucket-token": (_key(("AT", "BB"), ALNUM, 32),),
    "npm-token": (_key(("np", "m_"), ALNUM, 36),),
    "pypi-token": (_key(("py", "pi-AgEIcHlwaS5vcmc"), URL64, 150),),
    "rubygems-key": (_key(("ruby", "gems_"), HEX, 48),),
    "docker-token": (_key(("dck", "r_pat_"), URL64, 27),),
    "age-secret-key": (_key(("AGE-SECRET", "-KEY-1"), UPPER, 58),),
    "slack-token": (
        _key(("xo", "xb-"), string.digits, 12, "-", (string.digits, 12), "-", (ALNUM, 24)),
        _key(("xa", "pp-1-A"), UPPER, 10, "-", (string.digits, 12), "-", (HEX, 64)),
    ),
    "discord-token": (_key(("M",), ALNUM, 23, ".", (URL64, 6), ".", (URL64, 27)),),
    "telegram-token": (_key(("61",), string.digits, 8, ":A", "A", (URL64, 33)),),
    "stripe-key": (_key(("sk", "_live_"), ALNUM, 24), _key(("rk", "_live_"), ALNUM, 99)),
    "stripe-webhook-secret": (_key(("wh", "sec_"), ALNUM, 32),),
    "twilio-key": (_key(("S", "K"), HEX, 32),),
    "sendgrid-key": (_key(("S", "G."), URL64, 22, ".", (URL64, 43)),),
    "mailgun-key": (_key(("ke", "y-"), HEX, 32),),
    "mailchimp-key": (_key((), HEX, 32, "-u", "s14"),),
    "linear-key": (_key(("lin", "_api_"), ALNUM, 40),),
    "notion-token": (_key(("nt", "n_"), string.digits, 11, (ALNUM, 35)), _key(("sec", "ret_"), ALNUM, 43)),
    "figma-token": (_key(("fi", "gd_"), URL64, 40),),
    "airtable-token": (_key(("pa", "t"), ALNUM, 14, ".", (HEX, 64)),),
    "shopify-token": (_key(("shp", "at_"), HEX, 32),),
    "square-token": (_key(("sq0", "atp-"), URL64, 22),),
    "sentry-token": (_key(("sntr", "ys_"), ALNUM, 120),),
    "newrelic-key": (_key(("NR", "AK-"), UPPER, 27),),
    "grafana-token": (_key(("gl", "sa_"), ALNUM, 32, "_", (HEX, 8)),),
    "jwt": (_jwt,),
    "private-key": (pem, lambda rng: pem(rng, "OPENSSH "), lambda rng: pem(rng, "")),
}


def weak_password(rng: random.Random) -> str:
    """A password as people make them, ASCII without quotes."""
    words = ["hunter", "correct", "horse", "staple", "dragon", "monsoon", "tiger", "Winter", "purple"]
    return rng.choice(
        [
            f"{rng.choice(words)}{rng.randrange(10, 9999)}",
            f"{rng.choice(words)}-{rng.choice(words)}-{rng.randrange(100)}",
            f"{rng.choice(words).title()}{rng.choice('!#@%')}{rng.randrange(1000, 9999)}",
            text_of(rng, ALNUM + "!#%+*", 14),
        ]
    )


# Kinds that are known by what stands around them: a template, and what makes the secret.
def _token(rng: random.Random) -> str:
    return text_of(rng, ALNUM, 32)


PLACES: tuple[tuple[str, str, Callable[[random.Random], str]], ...] = (
    ("authorization", "Authorization: Bearer {}", _token),
    ("authorization", "curl -H 'Authorization: token {}' https://api.example/v1", _token),
    ("authorization", "Proxy-Authorization: Basic {}", lambda rng: text_of(rng, ALNUM, 24)),
    ("bearer", "the gateway wants bearer {} today", _token),
    ("cookie", "Cookie: session={}", _token),
    ("set-cookie", "< Set-Cookie: sid={}; Path=/; HttpOnly", _token),
    ("url-password", "git clone https://deploy:{}@git.example/app.git", weak_password),
    ("url-password", "DATABASE_URL=postgres://app:{}@db.internal:5432/app?sslmode=require", weak_password),
    ("url-password", "mongodb+srv://root:{}@cluster0.example.net/?retryWrites=true", weak_password),
    ("url-password", "redis://:{}@cache:6379/0", weak_password),
    ("url-password", "amqp://guest:{}@mq:5672//", weak_password),
    ("url-token", "remote: https://{}@git.example/team/app.git", lambda rng: text_of(rng, ALNUM, 40)),
    (
        "azure-account-key",
        "DefaultEndpointsProtocol=https;AccountName=dev;AccountKey={}==;Suffix=x",
        lambda rng: text_of(rng, B64, 86),
    ),
    ("signed-url", "https://x.blob.example/c/f?sv=2024-01-01&sig={}&se=2026", lambda rng: text_of(rng, ALNUM, 44)),
    ("signed-url", "https://b.example/k?X-Amz-Expires=60&X-Amz-Signature={}", lambda rng: text_of(rng, HEX, 64)),
    (
        "slack-webhook",
        "POST https://hooks.slack.com/services/{}",
        lambda rng: "/".join(["T" + text_of(rng, UPPER, 9), "B" + text_of(rng, UPPER, 9), text_of(rng, ALNUM, 24)]),
    ),
    ("discord-webhook", "https://discord.com/api/webhooks/1234567890123/{}", lambda rng: text_of(rng, URL64, 68)),
    ("curl-user", "curl -u admin:{} https://intra.example/", weak_password),
    ("netrc", "machine git.example login ci password {}", weak_password),
    ("sql-password", "CREATE USER app IDENTIFIED BY '{}';", weak_password),
    ("cli-password", "mysql -uroot -p{} app < dump.sql", weak_password),
    ("cli-password", "sshpass -p {} ssh host", weak_password),
    ("secret-option", "deploy --password {} --force", weak_password),
    ("secret-option", "tool --api-key={} run", _token),
    ("secret-value", "SMTP_PASSWORD={}", weak_password),
    ("secret-value", "export DB_PASS={}", weak_password),
    ("secret-value", "AWS_SECRET_ACCESS_KEY={}", lambda rng: text_of(rng, B64, 40)),
    ("secret-value", "password: {}", weak_password),
    ("secret-value", 'const apiKey = "{}";', _token),
    ("secret-value", "client-secret = {}", _token),
    ("secret-value", "X-Api-Key: {}", _token),
    ("secret-value", "os.environ['STRIPE_TOKEN'] = '{}'", _token),
    ("secret-value", 'password: str = "{}"', weak_password),
    (
        "secret-value",
        "Server=db;Database=app;User Id=sa;Password={};Encrypt=true",
        lambda rng: f"Sup3r{rng.randrange(9999)}",
    ),
    (
        "secret-value",
        "jdbc:postgresql://db/app?user=sa&password={}&ssl=true",
        lambda rng: f"Sup3r{rng.randrange(9999)}",
    ),
    ("secret-value", '{{"auth": "{}"}}', lambda rng: text_of(rng, ALNUM, 20)),
    ("secret-value", "MyApiKey: {}", _token),
    ("secret-value", "//registry.example/:_authToken={}", lambda rng: str(uuid.UUID(int=rng.getrandbits(128)))),
    ("secret-element", "<settings><password>{}</password></settings>", weak_password),
    ("secret-entry", "- name: DB_PASSWORD\n  value: {}", weak_password),
    ("told-secret", "by the way, the admin password is {}", lambda rng: f"dragon{rng.randrange(100, 999)}"),
)


def _nested(value: object) -> dict[str, Any]:
    return {"type": "tool_use", "id": "toolu_01A", "name": "http", "input": {"request": {"headers": [{"x": value}]}}}


# A text that holds a secret, put where a transcript has text.
HIDING: tuple[Callable[[str], Any], ...] = (
    lambda text: {"type": "user", "message": {"role": "user", "content": text}},
    lambda text: {"type": "user", "message": {"content": [{"type": "text", "text": f"look:\n\n{text}\n\nwhy?"}]}},
    lambda text: {"role": "assistant", "content": [{"type": "thinking", "thinking": f"I see {text} here."}]},
    lambda text: {"type": "text", "text": f"```sh\n{text}\n```\n"},
    lambda text: {"type": "tool_result", "content": f"PORT=8080\n{text}\nDEBUG=false\n"},
    lambda text: {"type": "function_call", "arguments": json.dumps({"cmd": f"bash -lc {json.dumps(text)}"})},
    lambda text: {"type": "function_call_output", "output": json.dumps({"output": text, "metadata": {"exit_code": 0}})},
    lambda text: {"output": json.dumps({"body": json.dumps({"log": text})})},
    lambda text: {"output": "cut short: " + json.dumps({"lines": [text, "next"], "more": "x"})[:-3]},
    lambda text: {"output": "cut short: " + json.dumps(json.dumps({"lines": text, "more": "x"}))[:-4]},
    _nested,
    lambda text: _nested([1, None, {"deep": [text]}]),
    lambda text: {"command": ["bash", "-lc", text]},
    lambda text: {"title": text, "cwd": "/home/dev/app"},
    lambda text: {"summary": f"设置：{text}。完成"},
    lambda text: {"text": f"🔑{text}🔑"},
    lambda text: {"text": f"({text})"},
    lambda text: {"text": "log line\n" * 1000 + text + "\n" + "more output\n" * 1000},
    lambda text: {"text": "\x1b[31m" + text + "\x1b[0m"},
    lambda text: {text: "as a key"},
    lambda text: {"text": f"line one\r\n{text}\r\nline three"},
    lambda text: {"text": "\t" + text + "\t"},
)

# Only for secrets known by shape: they have no name or place that a neighbour could spoil.
HIDING_SHAPES: tuple[Callable[[str], Any], ...] = (
    lambda text: {"path": f"/home/dev/{text}/notes.txt"},
    lambda text: {"text": f"中文{text}中文"},
    lambda text: {"text": f'<a href="https://x.example/?q={text}">'},
    lambda text: {"text": f"`{text}`, **{text}**, [{text}]"},
    lambda text: {"text": f"x={text}; y"},
    lambda text: {"cells": [text, 1, [text]]},
    lambda text: {"diff": f"-  key: {text}\n+  key: none"},
    lambda text: {"output": '{"k": "' + spelled(text) + '"}'},
    lambda text: {"output": 'cut {"k": "' + spelled(text) + '", "l'},
    lambda text: {"output": 'cut {"k": "' + spelled(text).replace("\\", "\\\\") + '", "l'},
)


def spelled(text: str) -> str:
    """`text` as the inside of a JSON string with every third character (and what must be) spelled `\\uXXXX`."""
    return "".join(
        f"\\u{ord(each):04x}" if at % 3 == 0 or each in '"\\' or each < " " else each for at, each in enumerate(text)
    )


def structured(rng: random.Random) -> Iterator[Planted]:
    """Secrets that only the structure around them tells."""
    for name in (
        "password",
        "api_key",
        "apiKey",
        "client_secret",
        "secret",
        "accessToken",
        "db-password",
        "privateKey",
    ):
        made = weak_password(rng) if "password" in name else _token(rng)
        yield Planted("secret-value", made, {"config": {name: made, "port": 5432}})
        yield Planted("secret-value", made, {"input": {"settings": {"db": {name: made}}}})
        yield Planted("secret-value", made, {"env": [{"name": name, "value": made}, {"name": "PORT", "value": "80"}]})
        yield Planted("secret-value", made, {"env": [{"value": made, "name": name}]})
        yield Planted("secret-value", made, {"arguments": json.dumps({"headers": {name: made}}, indent=2)})
        yield Planted("secret-value", made, {"command": ["tool", f"--{name}", made, "--verbose"]})
    made = weak_password(rng)
    yield Planted("curl-user", made, {"command": ["curl", "-u", f"me:{made}", "https://x.example"]})
    yield Planted("cookie", made, {"headers": {"cookie": f"session={made}; theme=dark"}})
    yield Planted("authorization", made, {"headers": {"Authorization": f"Token {made}"}})
    yield Planted("secret-value", made, {"credentials": {"passwords": ["", made]}})


def planted() -> list[Planted]:
    """The whole corpus: every kind in several places, the places in turn."""
    rng = random.Random(20260320)
    made: list[Planted] = []
    turn = 0
    everywhere = (*HIDING, *HIDING_SHAPES)
    for kind, makers in SHAPES.items():
        for maker in makers:
            for _ in range(max(5, 8 // len(makers))):
                secret = maker(rng)
                made.append(Planted(kind, secret, everywhere[turn % len(everywhere)](secret)))
                turn += 1
    for kind, template, maker in PLACES:
        for _ in range(4):
            secret = maker(rng)
            made.append(Planted(kind, secret, HIDING[turn % len(HIDING)](template.format(secret))))
            turn += 1
    made += structured(rng)
    return made


def spellings(record: object) -> Iterator[bytes]:
    """The JSON texts of a record as different writers spell it."""
    yield json.dumps(record, ensure_ascii=False).encode()
    plain = json.dumps(record)
    yield plain.encode()
    yield json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    yield json.dumps(record, indent=1).encode()
    yield plain.replace("/", "\\/").encode()
    html = plain
    for sign in "<>&'":
        html = html.replace(sign, f"\\u{ord(sign):04x}")
    yield html.encode()
    yield _respelled(plain, lambda each: each.isalpha())
    yield _respelled(plain, lambda each: each in "=:-_.@+")


def _respelled(plain: str, chosen: Callable[[str], bool]) -> bytes:
    """JSON text with the chosen characters of its strings spelled `\\uXXXX`."""
    out: list[str] = []
    inside = escaped = False
    left = 0
    for each in plain:
        if left:
            left -= 1
            out.append(each)
        elif escaped:
            escaped = False
            left = 4 if each == "u" else 0
            out.append(each)
        elif inside and each == "\\":
            escaped = True
            out.append(each)
        elif each == '"':
            inside = not inside
            out.append(each)
        else:
            out.append(f"\\u{ord(each):04X}" if inside and chosen(each) else each)
    return "".join(out).encode()


IDS = "toolu_01 msg_01 call_ resp_ req_011 fc_ rs_ chatcmpl- run_ thread_ asst_ item_".split()

HARMLESS = r"""
tokens: 1234 password policy: none
max_tokens=4096
max_tokens: 4096
token_count = 17
token_count: 12
"input_tokens": 5
"cache_read_input_tokens": 15872
password: str
password: str | None = None
token: Optional[str] = None
def login(user: str, password: str, token: Token) -> Session:
def connect(password=None, token=None, secret=None):
api_key = os.environ["X"]
api_key = os.environ.get("OPENAI_API_KEY")
api_key=os.getenv("API_KEY")
const apiKey = process.env.API_KEY;
const token = await getToken(user1);
token = parser.next_token2()
self.token = token
self.password = password
this.token = tokens[0];
password=password, token=token
login(password=pw, secret=secret_value)
API_KEY=${API_KEY}
API_KEY=$API_KEY
API_KEY=$(cat key.txt)
API_KEY={{ api_key }}
API_KEY=%API_KEY%
PASSWORD=<your-password>
PASSWORD=your-password-here
PASSWORD=changeme
PASSWORD=
password: ""
"password": null
"password": "password"
"password": "<redacted>"
"password": "********"
"token": "xxxxxxxxxxxx"
"secret": "${SECRET}"
"api_key": "YOUR_API_KEY"
"api_key": "your-api-key"
"api_key": "my_api_key"
token: null
token: true
token: none
token: changeme
token: xxx
token: ****
token: example
secretsmanager
aws secretsmanager get-secret-value --secret-id prod/db
AWS_SECRET_ACCESS_KEY
AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set
set GITHUB_TOKEN in your environment
PORT=8080
DEBUG=false
git log -1
--password-stdin
--max-tokens 4096
use --token to pass a token
the --password option is required
Password: Required
"label": "Password", "placeholder": "Enter your password"
"password": "Must be at least 8 characters"
"forgotPassword": "Forgot your password?"
type="password" name="password" autocomplete="current-password"
--- PASS: TestLogin2 (0.00s)
PASS src/auth/token2.test.ts
pass: 12, fail: 0
ok 3 - token is refreshed
bypass = true
compass: north42
key: value1
"key": "abc123def456"
primary_key: user_id42
cache_key = "v1:users:42"
keyboard: qwerty123
STORAGE_KEY = 'todos-vuejs-2.0'
"sessionKey": "agent:main:telegram:12345678"
"betas": ["thinking-token-count-2026-05-13", "advanced-tool-use-2025-11-20"]
["password", "username"]
const [password, setPassword] = useState("")
monkey = "banana123456"
"next_page_token": "abc123def456ghi789"
nextPageToken: "CAUQAA1234567890"
pad_token = "<|endoftext|>"
eos_token: "</s>123"
Token::Identifier1234567890abc
token: 2024-01-01T00:00:00Z
token_type: bearer
token_url: https://auth.example/oauth/token
password_hash_rounds = 12
min_password_length: 12
password_file: /run/secrets/db_password
private_key_path = "/etc/ssl/private/server.key"
secretKeyRef: {name: db-secret, key: password}
secretName: tls-cert-2024
author: Ann42
authority: https://login.example/v2
authenticated: true1
PWD=/home/dev/app
OLDPWD=/home/dev
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer ${TOKEN}
basic authentication is enabled
bearer of bad news12
Cookie: <cookie>
cookie consent banner: on
https://example.com:8080/path?x=1
https://user:password@example.com/
https://${USER}:${PASS}@example.com/
git@github.com:team/app.git
ssh://git@host.example:22/app.git
http://localhost:3000/@user/post
http://[::1]:8080/
postgres://localhost:5432/app
curl -u "$USER:$PASS" https://x.example
curl -u user https://x.example
docker run -u 1000:1000 alpine
mysql -p -u root
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
if text.startswith("-----BEGIN RSA PRIVATE KEY-----"):
sk-circle-fade-dot-loading-spinner
task-management-system-overview-2024
risk-assessment-for-the-next-quarter-2025
npm_config_registry
hf_hub_download
from transformers import AutoTokenizer; tokenizer = AutoTokenizer.from_pretrained("x1")
glpat-
ghp_xxxx
AKIA
eyJ is how a token begins
SG.1
the password is required
the token was expired
password is sent in plain text
the secret is that there is none
<password>${PASSWORD}</password>
<token>string</token>
<total_tokens>15000000 tokens left</total_tokens>
name: API_KEY
- name: PASSWORD
[REDACTED:github-token:1]
GITHUB_TOKEN=[REDACTED:github-token:1]
Authorization: Bearer [REDACTED:jwt:2]
https://u:[REDACTED:url-password:3]@h.example/
""".strip().split("\n")


def look_alikes() -> list[tuple[str, str]]:
    """(class, text) of what is no secret: uuids, hashes, ids, signatures, images, digests, and `text` of all sorts."""
    rng = random.Random(8472)
    made: list[tuple[str, str]] = []

    def some(label: str, count: int, make: Callable[[], str]) -> None:
        made.extend((label, make()) for _ in range(count))

    some("uuid", 60, lambda: str(uuid.UUID(int=rng.getrandbits(128), version=4)))
    some("uuid", 20, lambda: uuid.UUID(int=rng.getrandbits(128)).hex)
    some("hash", 60, lambda: f"commit {text_of(rng, HEX, 40)}")
    some("hash", 40, lambda: f"{text_of(rng, HEX, 7)}..{text_of(rng, HEX, 7)} main -> origin/main")
    some("hash", 40, lambda: f"sha256:{text_of(rng, HEX, 64)}")
    some("hash", 20, lambda: f"{text_of(rng, HEX, 32)}  file.tar.gz")
    some("hash", 20, lambda: f'"integrity": "sha512-{text_of(rng, B64, 86)}=="')
    some("hash", 10, lambda: f"h1:{text_of(rng, B64, 43)}= go.mod")
    for prefix in IDS:
        made += [("id", prefix + text_of(rng, ALNUM, 22)) for _ in range(8)]
    some("signature", 30, lambda: text_of(rng, B64, rng.randrange(200, 900)) + "==")
    some("signature", 20, lambda: "gAAAAA" + text_of(rng, URL64, rng.randrange(300, 1200)) + "==")
    some("image", 20, lambda: "iVBORw0KGgo" + text_of(rng, B64, rng.randrange(400, 4000)))
    some("image", 10, lambda: "data:image/png;base64," + text_of(rng, B64, rng.randrange(400, 4000)) + "=")
    # base64 in which a key format happens to occur
    aws, google = SHAPES["aws-access-key"][0], SHAPES["google-api-key"][0]
    some("image", 10, lambda: f"{text_of(rng, B64, 300)}/{aws(rng)}+{text_of(rng, B64, 300)}")
    some("image", 5, lambda: f"{text_of(rng, B64, 300)}/{google(rng)}/{text_of(rng, B64, 300)}")
    some("number", 20, lambda: f"total_tokens: {rng.randrange(10**6)}, cost: 0.{rng.randrange(10**4)}")
    made += [("text", text) for text in HARMLESS]
    return made
