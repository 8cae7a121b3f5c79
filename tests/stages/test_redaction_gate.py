"""The gate is never narrower than the rules, on either engine; the search always ends and repeats itself never."""

import json
import random
import re
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from panscript.stages.redaction import RULES, Redactor
from panscript.stages.redaction import gate as gate_module
from panscript.stages.redaction.gate import needed_literals, scanner
from tests.secrets_corpus import SHAPES, look_alikes, planted, spellings

PLANTED = planted()
_RNG = random.Random(12)

# What the rules look for, in pieces: glued together at random these come close to every rule and past it.
PIECES = [
    *(
        "password PASSWORD DB_PASSWORD secret api_key ApiKey token access_token auth Authorization Cookie Set-Cookie"
        " pass PASS pwd credentials jwt Bearer Basic Token --password --token -u curl login machine name value key env"
        " is was = : := => == ： , \" ' ` \\ { } [ ] < > ( ) / :// @ & ? ; | $ % # ! * + ~ ^ . - _ é 中 🔑 hunter2 a1"
        " abc123def456ghi7 Sup3r!Secret correct-horse xxxx changeme os.environ self.token \\u0041 \\u003d \\u0022"
        ' \\u00e9 \\n \\\\ \\" 12345678 https:// postgres://u: user:pw1 _1 2 prod _TEST sshpass X-Amz-Signature='
        " value= [REDACTED:jwt:1] [REDACTED:"
    ).split(" "),
    *(" ", "  ", "\n", "\t", "\r\n", "\x1b[31m", "\x1b[0m", "\ud800", "\u2028", "API key", "mysql -p"),
    *(makers[0](_RNG) for makers in SHAPES.values()),
]
texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=10).map("".join) | st.text(max_size=40)


@pytest.fixture
def without_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without the engine's wheel."""
    monkeypatch.setitem(sys.modules, "hyperscan", None)
    monkeypatch.setattr(gate_module, "_database", gate_module._database.__wrapped__)


def test_the_gate_fires_on_every_planted_secret_in_every_spelling() -> None:
    redactor = Redactor()
    closed = [each.kind for each in PLANTED for raw in spellings(each.record) if not redactor.gate(raw)]
    assert closed == []


def test_the_fallback_fires_wherever_the_engine_does(without_engine: None) -> None:
    redactor = Redactor()
    closed = [each.kind for each in PLANTED[::3] for raw in spellings(each.record) if not redactor.gate(raw)]
    assert closed == []
    assert not redactor.gate(b'{"text": "nothing of interest"}')


def test_the_fallback_redacts_like_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    raws = [json.dumps(each.record).encode() for each in PLANTED[1::2] if len(str(each.record)) < 5000]
    with_engine = [Redactor().json(raw) for raw in raws]
    monkeypatch.setitem(sys.modules, "hyperscan", None)
    monkeypatch.setattr(gate_module, "_database", gate_module._database.__wrapped__)
    assert [Redactor().json(raw) for raw in raws] == with_engine


@given(texts)
@example("pass=>X-Amz-Signature=")
@example("pass：+envx1b")
@example("jwt:-\x1b[31m\x1b[0mX-Amz-Signature=Sup3r!Secret")
@example("é--password\tcorrect-horse_TEST")
@example("API key\t\n*pass:abc123def456ghi7Set-Cookie")
def test_a_closed_gate_means_unchanged_text(text: str) -> None:
    """Unchanged also by the whole search, with every rule, which only the gate keeps off most text."""
    redactor = Redactor()
    every = range(len(redactor._owners))
    if redactor._found(text, every):
        for level in (text, json.dumps(text), json.dumps(json.dumps(text)), json.dumps({"a": json.dumps([text])})):
            assert redactor.gate(level.encode("utf-8", "surrogatepass")), level


@given(texts, texts)
def test_a_closed_gate_means_unchanged_json(text: str, other: str) -> None:
    for record in (
        {"t": text},
        {text: 1},
        {"password": text},
        {"x": [{"Authorization": text}]},
        {"cookie": text},
        {"name": text, "value": other},
        {"value": other, "name": "DB_PASSWORD"},
        ["--password", text],
        ["-u", text],
        {"tokens": [text, other]},
        {"a": json.dumps({"secret": json.dumps([text])})},
    ):
        raw = json.dumps(record).encode()
        redactor = Redactor()
        if redactor._splice(raw, 0) != raw:
            assert redactor.gate(raw), raw


@given(texts)
def test_redacting_text_twice_changes_nothing(text: str) -> None:
    once = Redactor().text(text)
    assert Redactor().text(once) == once
    raw = json.dumps({"secret": [text], "password": text, "x": text}).encode()
    redacted = Redactor().json(raw)
    json.loads(redacted)
    assert Redactor().json(redacted) == redacted


@given(st.lists(texts, max_size=6))
def test_marks_depend_on_nothing_but_what_came_before(several: list[str]) -> None:
    one, two = Redactor(), Redactor()
    assert [one.text(text) for text in several] == [two.text(text) for text in several]
    assert one.counts == two.counts


def test_hostile_text_comes_to_an_end() -> None:
    """300,000 characters of what each pattern begins with; a pattern that explodes would never return."""
    size = 300_000
    units = [
        "password=",
        'password="',
        "password: your-",
        "-----BEGIN PRIVATE KEY-----",
        "-",
        "eyJaaaaaaaaa.",
        "://a",
        "a:",
        "sk-a",
        "A",
        "password   ",
        "\\",
        '\\n\\"',
        "login a ",
        "cookie: a=aaaaaa; ",
        "bearer aaaa",
        "name: password ",
        "--aaaa-",
        "[REDACTED:jwt:1]",
        "12345678:AA",
        "Maaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaa.",
        "\x1b[31m",
        "<password>",
        "token: a |",
    ]
    redactor = Redactor()
    for unit in units:
        text = (unit * (size // len(unit) + 1))[:size]
        assert len(redactor.text(text)) > 0
    assert len(redactor.text("password" + " " * size + "x")) == size + 9


def test_deep_nesting_of_json_inside_strings_comes_to_an_end() -> None:
    value: object = {"password": f"hunter{2}-correct-horse"}
    for _ in range(6):
        value = {"a": json.dumps(value)}
    assert b"REDACTED" in Redactor().json(json.dumps(value).encode())


@pytest.mark.parametrize(
    ("anchor", "needed"),
    [
        ("gh[pous]_[a-z]{3}", {b"gh"}),
        ("(?i:Token|pass(?:wd)?)=?", {b"token", b"pass"}),
        (r"ab+c\.d{3}e", {b"c.d"}),
        ("a?b*", set()),
        ("(?:^|x)AKIA[A-Z]{16}", {b"akia"}),
        (r"\x1b\[|\\u001b\[", {b"[", b"\\u001b["}),
        ("one|[a-z]", set()),
    ],
)
def test_the_letters_an_anchor_needs_are_read_off_it(anchor: str, needed: set[bytes]) -> None:
    assert needed_literals(anchor) == needed


def test_the_needed_letters_never_hide_an_anchor(without_engine: None) -> None:
    anchors = tuple(anchor for rule in RULES for anchor in rule.anchors)
    plain = [re.compile(anchor.encode("latin-1")) for anchor in anchors]
    scan = scanner(anchors)
    for text in [*(json.dumps(each.record)[:3000] for each in PLANTED), *(text for _, text in look_alikes())]:
        data = text.encode()
        assert scan(data) == [number for number, pattern in enumerate(plain) if pattern.search(data)]
