"""Redaction measured on documents not written with its rules in mind, and on what everyday work looks like."""

import json
import random
from collections import Counter

import pytest

from panscript.stages.redaction import Redactor
from tests.lookalikes_corpus import look_alikes_blind
from tests.secrets_corpus import pem
from tests.secrets_corpus_blind import MAKERS, Planted, planted_blind
from tests.stages.test_redaction import MARK, holds

PLANTED = planted_blind()
LOOK_ALIKES = look_alikes_blind()


def _missed(planted: list[Planted]) -> tuple[Counter[str], Counter[str]]:
    """How many secrets of each family there are, and how many stay."""
    total: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    redacted: dict[bytes, bytes] = {}
    for each in planted:
        raw = json.dumps(each.record).encode()
        assert holds(raw, each.secret)
        if raw not in redacted:
            redacted[raw] = Redactor().json(raw)
            json.loads(redacted[raw])
        total[each.family] += 1
        missed[each.family] += holds(redacted[raw], each.secret)
    return total, missed


def test_the_documents_are_as_many_as_they_say() -> None:
    assert len(PLANTED) >= 1000
    assert len({each.maker for each in PLANTED}) >= 40
    assert len(LOOK_ALIKES) >= 800
    assert planted_blind() == PLANTED


@pytest.mark.parametrize("seed", [41, 4242])
def test_at_least_95_percent_of_the_secrets_in_documents_are_found(seed: int) -> None:
    total, missed = _missed(PLANTED if seed == 41 else planted_blind(seed, rounds=1))
    found = total.total() - missed.total()
    print(f"recall {found}/{total.total()} = {found / total.total():.2%}; missed {dict(+missed)}")
    assert found / total.total() >= 0.95
    assert {family for family in total if missed[family] > 0.15 * total[family]} == set()


def test_everyday_texts_stay_in_every_surrounding() -> None:
    touched = []
    for label, text in LOOK_ALIKES:
        for around in (
            text,
            f"x\n{text}\ny",
            f"    {text}\n",
            json.dumps({"content": [{"type": "text", "text": text}]}),
            json.dumps({"output": json.dumps({"output": text})}),
        ):
            if Redactor().text(around) is not around:
                touched.append((label, text[:100]))
                break
    print(f"false positives {len(touched)}/{len(LOOK_ALIKES)}: {touched}")
    assert [each for each in touched if each[0] != "text"] == []
    assert len(touched) <= 5


def test_redacting_documents_twice_changes_nothing() -> None:
    for record in {json.dumps(each.record) for each in PLANTED[::5]}:
        once = Redactor().json(record.encode())
        assert Redactor().json(once) == once


def test_a_document_is_redacted_only_where_the_gate_opens() -> None:
    """Also when each string of it is searched with every rule."""
    for each in PLANTED[::3]:
        redactor = Redactor()
        text = json.dumps(each.record, ensure_ascii=False)
        if redactor._found(text, range(len(redactor._owners))):
            assert redactor.gate(text.encode())


@pytest.mark.parametrize(
    ("template", "secret"),
    [
        ("password=%", "hunter2secretX"),
        ("password=%", "correcthorsebattery"),
        ("password: %", "hunter2secretX"),
        ("POSTGRES_PASSWORD: %", "devpassword99"),
        ('DB_PASSWORD="%"', "correct horse battery"),
        ("my password is %", "tr0ub4dor&3"),
        ("PASS=%", "RiverGravel69"),
        ("db.password=%", "lanternquiet"),
        ("| password | % |", "hunter2x"),
        ("| name | password |\n|---|---|\n| ann | % |\n", "hunter2x"),
        (" id | password\n----+----------\n  1 | %\n", "hunter2x"),
        ("tool --password %", "hunter2"),
        ('tool --db_password "%"', "hunter2x"),
        ('keyPassword "%"', "hunter2x"),
        ("config set db.password %", "hunter2x"),
        ("| db_password | `%` |", "hunter2x"),
        ("login: x password: %", "y1234zz"),
        ("Password: %", "hunter2!"),
        ("machine a.example\n  login me\n  password %", "hunter2"),
        ("export TOKEN=%", "abc123def456"),
        ("https://x.example/?api_key=%&page=2", "abc123"),
        ("X-Api-Key: %", "abc123def456"),
        ("docker run -e MYSQL_ROOT_PASSWORD=% mysql", "pw1234"),
        ("CREATE USER a IDENTIFIED BY '%'", "pw1234"),
        ("ALTER ROLE a WITH PASSWORD '%'", "pw 1234"),
        ("INSERT INTO users (name, password) VALUES ('ann', '%')", "hunter2x"),
        ("log in with user ann and password %", "hunter2x"),
        ("use % as the password", "hunter2x"),
        ("kind: Secret\ndata:\n  smtp: %\n", "aHVudGVyMg=="),
    ],
)
def test_a_value_beside_its_name_goes_whole_and_alone(template: str, secret: str) -> None:
    redacted = Redactor().text(template.replace("%", secret))
    assert MARK.sub("%", redacted) == template


def test_a_number_under_a_password_becomes_a_mark_between_quotes() -> None:
    raw = b'{"pin_password": 12345678, "password": 0, "retries": 12345678, "x": {"password": null}}'
    assert Redactor().json(raw) == raw.replace(b'word": 12345678', b'word": "[REDACTED:secret-value:1]"')


@pytest.mark.parametrize("prefix", ["", "+", "   12\t"])
def test_a_private_key_split_over_a_list_of_lines_goes_line_by_line(prefix: str) -> None:
    lines = pem(random.Random(6)).split("\n")
    raw = json.dumps({"lines": [prefix + line for line in lines], "after": "AAAA"}).encode()
    redacted = json.loads(Redactor().json(raw))
    assert redacted["lines"][0] == prefix + lines[0]
    assert redacted["lines"][-1] == prefix + lines[-1]
    assert all(MARK.fullmatch(line.removeprefix(prefix)) for line in redacted["lines"][1:-1])
    assert redacted["after"] == "AAAA"


@pytest.mark.parametrize(
    "record",
    [
        {"db_password": {"value": "%", "type": "string"}},
        {"Name": "/prod/db/password", "Type": "SecureString", "Value": "%"},
        {"element": "Password textbox", "ref": "e12", "text": "%"},
        {"selector": "input[name='password']", "value": "%"},
    ],
)
def test_a_name_beside_or_above_a_value_tells_what_it_is(record: dict[str, object]) -> None:
    raw = json.dumps(record)
    redacted = Redactor().json(raw.replace("%", "hunter2x").encode()).decode()
    assert MARK.sub("%", redacted) == raw


def test_the_data_of_a_kubernetes_secret_goes_whatever_its_keys() -> None:
    record = {"kind": "Secret", "data": {"smtp": "aHVudGVyMg=="}, "metadata": {"name": "mail"}}
    for raw in (json.dumps(record), json.dumps(dict(reversed(record.items())))):
        redacted = json.loads(Redactor().json(raw.encode()))
        assert redacted == {**record, "data": {"smtp": "[REDACTED:kubernetes-secret:1]"}}
    raw = json.dumps({**record, "kind": "ConfigMap"})
    assert Redactor().json(raw.encode()) == raw.encode()


def test_a_long_text_is_redacted_like_its_parts() -> None:
    rng = random.Random(9)
    filler = "2026-03-20 09:00:00 INFO nothing to see here, really\n"
    secrets = [MAKERS[kind](rng) for kind in ("ghp", "pw", "jwt", "rsa", "an32", "anthropic", "openssh")]
    parts = []
    for secret in secrets:
        parts += [filler * rng.randrange(50, 2500), f"password: x\nAPI_TOKEN={secret}\n", "é" * rng.randrange(9)]
    text = "".join([*parts, filler])
    assert len(text) > 1 << 17
    redacted = Redactor().text(text)
    short = Redactor()
    assert redacted == "".join(short.text(part) for part in [*parts, filler])
    assert not any(secret in redacted for secret in secrets)


def test_a_secret_longer_than_a_window_goes_whole() -> None:
    rng = random.Random(10)
    dashes = "-" * 5
    body = "\n".join("".join(rng.choice("abcXYZ0189+/") for _ in range(64)) for _ in range(1200))
    block = f"{dashes}BEGIN PRIVATE KEY{dashes}\n{body}\n{dashes}END PRIVATE KEY{dashes}"
    around = "all is well\n" * 9000
    assert Redactor().text(f"{around}{block}\n{around}") == f"{around}[REDACTED:private-key:1]\n{around}"
