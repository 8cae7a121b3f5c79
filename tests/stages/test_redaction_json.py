"""JSON is redacted in place: only the string tokens that held a secret change."""

import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.stages.redaction import Redactor
from tests.secrets_corpus import SHAPES, planted, spellings

PLANTED = planted()
SECRET = "".join(["gh", "p_", "Q7f2" * 9])
PASSWORD = f"hunter{2}-correct-horse"
STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)


def test_every_byte_but_the_changed_string_stays() -> None:
    raw = (
        b'  {"a" :\t1.50e+10 , "caf\\u00e9":"\\/\\u003c",\r\n "k":"'
        + SECRET.encode()
        + b'" ,"n":[ null,true , -0 ],"dup":1,"dup":2}\r\n'
    )
    assert Redactor().json(raw) == raw.replace(SECRET.encode(), b"[REDACTED:github-token:1]")


def test_clean_json_is_the_same_object() -> None:
    for raw in (b'{"a": 1}', b'{"password": ""}', b'{"api_key": null}', b'{"token": "${TOKEN_1234}"}', b"[]", b"7"):
        assert Redactor().json(raw) is raw


@pytest.mark.parametrize(
    "raw",
    [
        f'{{"a": "{SECRET}"'.encode(),
        f'{{"a": "{SECRET}"}} {{"b": 1}}'.encode(),
        f"{SECRET}".encode(),
        f'{{"a": "{SECRET}\xff'.encode("latin-1"),
        b"[" * 100_000 + f'"{SECRET}"'.encode() + b"]" * 100_000,
    ],
)
def test_what_is_no_json_and_may_hold_a_secret_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        Redactor().json(raw)


def test_what_is_no_json_and_certainly_clean_passes() -> None:
    raw = b'{"a": "torn'
    assert Redactor().json(raw) is raw


@pytest.mark.parametrize(
    ("raw", "redacted"),
    [
        ('{"x": "%s \\ud800"}', '{"x": "[REDACTED:github-token:1] \\ud800"}'),
        ('{"x": NaN, "y": "%s"}', '{"x": NaN, "y": "[REDACTED:github-token:1]"}'),
        ('{"x": "é %s"}', '{"x": "é [REDACTED:github-token:1]"}'),
        ('{"x": "é \\ud800 %s"}', '{"x": "\\u00e9 \\ud800 [REDACTED:github-token:1]"}'),
        ('{"%s": 1}', '{"[REDACTED:github-token:1]": 1}'),
        ('"%s"', '"[REDACTED:github-token:1]"'),
        ('{"x": 1%s}' % ("0" * 5000) + "", None),
    ],
)
def test_odd_json_is_redacted_too(raw: str, redacted: str | None) -> None:
    if redacted is None:
        raw = raw[:-1] + ', "y": "%s"}'
        redacted = raw.replace("%s", "[REDACTED:github-token:1]")
    assert Redactor().json(raw.replace("%s", SECRET).encode()) == redacted.encode()


@pytest.mark.parametrize(
    "template",
    [
        '{"password": "%s"}',
        '{"a": [{"b": {"client_secret": "%s"}}]}',
        '{"env": [{"name": "DB_PASSWORD", "value": "%s"}]}',
        '{"env": [{"value": "%s", "name": "DB_PASSWORD"}]}',
        '{"args": ["tool", "--password", "%s"]}',
        '{"passwords": ["", "%s"]}',
        '{"password":\n  "%s"}',
        '{"\\u0070assword": "%s"}',
    ],
)
def test_the_structure_around_a_string_can_say_secret(template: str) -> None:
    raw = template.replace("%s", PASSWORD).encode()
    assert Redactor().json(raw) == template.replace("%s", "[REDACTED:secret-value:1]").encode()
    inside = json.dumps({"arguments": raw.decode()}).encode()
    redacted = json.loads(Redactor().json(inside))["arguments"]
    assert redacted == template.replace("%s", "[REDACTED:secret-value:1]")


def test_what_stands_beside_a_secret_name_stays() -> None:
    raw = b'{"env": [{"name": "DB_HOST", "value": "db1.internal42"}, {"name": "API_KEY"}], "args": ["--user", "ann"]}'
    assert Redactor().json(raw) is raw


@pytest.mark.parametrize("key", ["signature", "thoughtSignature", "encrypted_content", "data"])
def test_base64_under_a_key_for_opaque_data_stays(key: str) -> None:
    value = f"abc/{SHAPES['aws-access-key'][0](random.Random(9))}=="
    raw = json.dumps({key: value, "x": SECRET}).encode()
    assert Redactor().json(raw) == raw.replace(SECRET.encode(), b"[REDACTED:github-token:1]")
    told = json.dumps({key: f"token {SECRET}!"}).encode()
    assert SECRET.encode() not in Redactor().json(told)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(st.sampled_from(PLANTED), JSON_VALUES, st.integers(0, 7))
def test_redacted_json_has_the_same_tokens_except_strings(each: object, other: object, spelling: int) -> None:
    record = {"planted": each[2], "other": other, "again": [each[2]]}  # type: ignore[index]
    raw = list(spellings(record))[spelling]
    redacted = Redactor().json(raw)
    json.loads(redacted)
    assert STRING.sub(b'""', redacted) == STRING.sub(b'""', raw)


@given(st.sampled_from(PLANTED), st.integers(0, 7))
def test_redacting_json_twice_changes_nothing(each: object, spelling: int) -> None:
    raw = list(spellings(each[2]))[spelling]  # type: ignore[index]
    once = Redactor().json(raw)
    assert Redactor().json(once) == once
