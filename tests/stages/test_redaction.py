"""What the redaction engine finds, what it leaves alone, and how it marks what it found."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from panscript.stages.redaction import RULES, Redactor, Rule
from tests.secrets_corpus import (
    HARMLESS,
    PLACES,
    SHAPES,
    look_alikes,
    pem,
    planted,
    spellings,
    text_of,
    weak_password,
)

PLANTED = planted()
MARK = re.compile(r"\[REDACTED:([a-z0-9-]+):([0-9]+)\]")
GITHUB = "".join(["gh", "p_", "Q7f2" * 9])
ANTHROPIC = "".join(["sk", "-ant-", "api03-", "n0tReal" * 6])
PASSWORD = f"hunter{2}-correct-horse"


def unescaped(text: str) -> str:
    """One level of JSON escapes undone, without the code under test."""
    letters = {"n": "\n", "t": "\t", "r": "\r"}
    return re.sub(
        r"\\(?:u([0-9a-fA-F]{4})|(.))",
        lambda match: chr(int(match[1], 16)) if match[1] else letters.get(match[2], match[2]),
        text,
        flags=re.DOTALL,
    )


def holds(raw: bytes, secret: str) -> bool:
    """Whether the secret stands in the JSON text, however often it was escaped."""
    text = raw.decode()
    for _ in range(5):
        if secret in text:
            return True
        text = unescaped(text)
    return False


def strings(value: object) -> Iterator[str]:
    """Every string of a decoded JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def test_the_corpus_is_as_large_as_it_says() -> None:
    assert len(PLANTED) >= 200
    assert len({each.secret for each in PLANTED}) >= 200
    assert len({each.kind for each in PLANTED}) >= 40
    assert len(look_alikes()) >= 500
    assert planted() == PLANTED
    assert {each.kind for each in PLANTED} <= {rule.name for rule in RULES}


def test_at_least_95_percent_of_the_planted_secrets_are_found_in_every_spelling() -> None:
    missed: Counter[str] = Counter()
    total = 0
    for each in PLANTED:
        for raw in spellings(each.record):
            assert holds(raw, each.secret)
            total += 1
            missed[each.kind] += holds(Redactor().json(raw), each.secret)
    found = total - missed.total()
    print(f"recall {found}/{total} = {found / total:.2%}; missed {dict(+missed)}")
    assert found / total >= 0.95


def test_strings_alone_give_up_their_secrets_too() -> None:
    """Not through `json`: each string of a record given to `text`, the ones under a name to `value`."""
    missed = []
    for each in PLANTED:
        if not any(each.secret in text for text in strings(each.record)):
            continue  # spelled with escapes, or split over name and value
        redactor = Redactor()
        if any(each.secret in redactor.text(text) for text in strings(each.record) if text != each.secret):
            missed.append(each.kind)
    print(f"missed {Counter(missed)}")
    assert len(missed) <= len(PLANTED) * 0.05


def test_what_cannot_be_told_from_a_secret_is_never_touched() -> None:
    """Uuids, hashes, ids, signatures and images: not one of them."""
    touched = []
    for label, text in look_alikes():
        raw = json.dumps({"value": text, "list": [text]}).encode()
        if Redactor().text(text) is not text or Redactor().json(raw) is not raw:
            touched.append((label, text[:100]))
    print(f"false positives {len(touched)}/{len(look_alikes())}: {touched}")
    assert [each for each in touched if each[0] != "text"] == []
    assert len(touched) <= 5


@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_text_stays(text: str) -> None:
    assert Redactor().text(text) is text
    for around in ("{}", "  {}\n", "x = 1\n{}\ny = 2\n", "- `{}`\n"):
        assert Redactor().text(around.replace("{}", text)) == around.replace("{}", text)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_known_shape_is_named_by_its_rule(kind: str) -> None:
    rng = random.Random(7)
    for maker in SHAPES[kind]:
        redactor = Redactor()
        assert redactor.text(f"see {maker(rng)} there") == f"see [REDACTED:{kind}:1] there"
        assert redactor.counts == {kind: 1}


@pytest.mark.parametrize(("kind", "template"), [each[:2] for each in PLACES])
def test_only_the_value_is_replaced(kind: str, template: str) -> None:
    maker = next(each[2] for each in PLACES if each[1] == template)
    secret = maker(random.Random(11))
    redacted = Redactor().text(template.format(secret))
    before, _, after = template.format("\0").partition("\0")
    assert secret not in redacted
    assert MARK.search(redacted)
    if kind not in {"cookie", "signed-url", "azure-account-key"}:
        assert redacted.startswith(before)
        assert redacted.endswith(after)


@pytest.mark.parametrize(
    "template",
    [
        "docker run -e MYSQL_ROOT_PASSWORD=% mysql",
        "kubectl create secret generic x --from-literal=password=%",
        "aws configure set aws_secret_access_key %",
        'echo "%" | docker login -u me --password-stdin',
        "echo % | sudo -S apt update",
        'psql "host=db user=a password=% dbname=x"',
        "PGPASSWORD=% psql",
        "openssl rsa -in k -passin pass:%",
        "define('DB_PASSWORD', '%');",
        "'password' => '%',",
        "os.environ.get('DB_PASSWORD', '%')",
        "login(username='me', password='%')",
        "{ password: '%' }",
        '<user name="me" password="%"/>',
        "user: me, pass: %",
        "- **Password:** %",
        "Password: `%`",
        "the password: %，谢谢",
        "jdbc:sqlserver://h;user=sa;password=%;encrypt=true",
        "wget --password=% https://x.example",
        "docker login -u me -p % registry.example",
        "redis-cli -h cache -a % ping",
        "spring.datasource.password=%",
        'String password = @"%";',
        "name: DB_PASSWORD, value: %",
    ],
)
def test_forms_in_which_people_write_a_password(template: str) -> None:
    redacted = Redactor().text(template.replace("%", "hunter2x"))
    assert MARK.sub("%", redacted) == template
    assert len(MARK.findall(redacted)) == 1


def test_a_dotenv_dump_keeps_everything_but_its_secrets() -> None:
    dump = f"GITHUB_TOKEN={GITHUB}\nSMTP_PASSWORD={PASSWORD}\nPORT=8080\nDEBUG=false\n"
    assert Redactor().text(dump) == (
        "GITHUB_TOKEN=[REDACTED:github-token:1]\nSMTP_PASSWORD=[REDACTED:secret-value:2]\nPORT=8080\nDEBUG=false\n"
    )


def test_a_dotenv_value_reaches_to_the_end_of_its_word() -> None:
    assert Redactor().text("export DB_PASSWORD=abc(1)&d,e!f # no comment\n") == (
        "export DB_PASSWORD=[REDACTED:secret-value:1] # no comment\n"
    )


def test_the_same_secret_has_the_same_mark_everywhere() -> None:
    redactor = Redactor()
    assert redactor.text(f"API_TOKEN={GITHUB}") == "API_TOKEN=[REDACTED:github-token:1]"
    assert redactor.text(f"PASSWORD={PASSWORD}") == "PASSWORD=[REDACTED:secret-value:2]"
    assert redactor.text(f"curl -u me:{PASSWORD} x") == "curl -u me:[REDACTED:secret-value:2] x"
    assert redactor.value("token", GITHUB) == "[REDACTED:github-token:1]"
    assert (
        redactor.json(json.dumps([{"password": PASSWORD}]).encode()) == b'[{"password": "[REDACTED:secret-value:2]"}]'
    )
    assert redactor.counts == {"github-token": 2, "secret-value": 3}


def test_numbers_follow_the_order_of_appearance() -> None:
    secrets = [text_of(random.Random(seed), "abcdefABCDEF0123456789", 32) for seed in range(30)]
    text = "\n".join(f"X{number}_API_KEY={secret}" for number, secret in enumerate(secrets))
    redacted = Redactor().text(text)
    assert [int(match[2]) for match in MARK.finditer(redacted)] == list(range(1, 31))
    assert Redactor().text(text) == redacted


def test_two_redactors_number_alike_and_keep_no_secret() -> None:
    one, two = Redactor(), Redactor()
    assert one.text(f"a {GITHUB} b {ANTHROPIC}") == two.text(f"a {GITHUB} b {ANTHROPIC}")
    kept = repr([vars(one), one.__dict__.values()])
    assert GITHUB not in kept
    assert ANTHROPIC not in kept


def test_a_spelling_with_escapes_is_the_same_secret() -> None:
    redactor = Redactor()
    spelled = "".join(f"\\u{ord(each):04x}" for each in GITHUB)
    assert redactor.text(f'cut {{"key": "{spelled}", "l') == 'cut {"key": "[REDACTED:github-token:1]", "l'
    assert redactor.text(GITHUB) == "[REDACTED:github-token:1]"


@pytest.mark.parametrize("label", ["", "RSA ", "OPENSSH ", "EC "])
def test_a_private_key_goes_as_a_whole(label: str) -> None:
    block = pem(random.Random(3), label)
    redactor = Redactor()
    assert redactor.text(f"a\n{block}\nb") == "a\n[REDACTED:private-key:1]\nb"
    assert redactor.text(json.dumps({"key": block})) == '{"key": "[REDACTED:private-key:1]"}'
    assert redactor.text(f"cut {json.dumps(block)}") == 'cut "[REDACTED:private-key:1]"'


@pytest.mark.parametrize("prefix", ["-", "+", "   12\u2192", "> ", "    "])
def test_a_private_key_in_a_diff_or_with_line_numbers_goes_too(prefix: str) -> None:
    block = pem(random.Random(4))
    redacted = Redactor().text("".join(f"{prefix}{line}\n" for line in block.split("\n")))
    assert not any(line in redacted for line in block.split("\n")[1:-1])


def test_a_private_key_that_is_cut_short_goes_up_to_the_cut() -> None:
    block = pem(random.Random(5))
    assert Redactor().text(f"see\n{block[:300]}") == "see\n[REDACTED:private-key:1]"


def test_colours_of_a_terminal_do_not_hide_a_secret() -> None:
    text = f'\x1b[34;1m"password"\x1b[0m: \x1b[32m"{PASSWORD}"\x1b[0m \x1b[31m{GITHUB}\x1b[0m'
    redacted = Redactor().text(text)
    assert PASSWORD not in redacted
    assert GITHUB not in redacted
    assert Redactor().gate(json.dumps(text).encode())
    plain = "\x1b[31merror\x1b[0m: 3 tests failed"
    assert not Redactor().gate(json.dumps(plain).encode())


def test_a_long_run_of_base64_is_kept_unless_it_is_a_key() -> None:
    image = text_of(random.Random(9), "abcXYZ012+/", 400)
    inside = f"{image}/{SHAPES['aws-access-key'][0](random.Random(9))}+{image}"
    assert Redactor().text(inside) is inside
    long_key = "".join(["py", "pi-AgEIcHlwaS5vcmc", text_of(random.Random(9), "abcXYZ012_-", 220)])
    assert Redactor().text(long_key) == "[REDACTED:pypi-token:1]"


@pytest.mark.parametrize(
    ("name", "redacted"),
    [
        ("password", True),
        ("SMTP_PASSWORD", True),
        ("dbPassword2", True),
        ("PGPASSWORD", True),
        ("MYSQL_PWD", True),
        ("db_pass", True),
        ("userPass", True),
        ("MyApiKey", True),
        ("x-api-key", True),
        ("client-secret", True),
        ("aws_secret_access_key", True),
        ("_authToken", True),
        ("refreshToken", True),
        ("credentials", True),
        ("secret_key_base", True),
        ("token_count", False),
        ("password_policy", False),
        ("secretsmanager", False),
        ("secretName", False),
        ("nextPageToken", False),
        ("compass", False),
        ("author", False),
        ("monkey", False),
        ("primary_key", False),
        ("cwd", False),
    ],
)
def test_a_name_says_secret_or_not(name: str, redacted: bool) -> None:
    value = text_of(random.Random(2), "abcdefABCDEF0123456789", 24)
    assert (Redactor().value(name, value) != value) is redacted
    raw = json.dumps({"a": {name: value}}).encode()
    assert (Redactor().json(raw) != raw) is redacted


def test_a_value_that_is_a_reference_or_a_mark_stays() -> None:
    redactor = Redactor()
    for value in ("${TOKEN}", "<token>", "changeme", "[REDACTED:jwt:7]", "", "null", "./key.pem", "op://vault/item"):
        assert redactor.value("api_token", value) == value
    assert redactor.counts == {}


def test_an_authorization_value_keeps_its_scheme() -> None:
    secret = text_of(random.Random(1), "abcXYZ012", 20)
    assert Redactor().value("Authorization", f"Token {secret}") == "Token [REDACTED:authorization:1]"
    raw = json.dumps({"headers": {"authorization": f"Basic {secret}"}}).encode()
    assert Redactor().json(raw) == b'{"headers": {"authorization": "Basic [REDACTED:authorization:1]"}}'


def test_rules_can_be_switched_off_and_added() -> None:
    text = f"{GITHUB} and MOON-12345"
    moon = Rule("moon", "a kind of our own", r"MOON-[0-9]{5}", ("MOON-[0-9]",))
    assert Redactor(disabled={"github-token"}).text(text) is text
    assert Redactor((*RULES, moon)).text(text) == "[REDACTED:github-token:1] and [REDACTED:moon:2]"
    always = Rule("moon", "without anchors", r"MOON-[0-9]{5}")
    assert Redactor((always,)).text(text) == f"{GITHUB} and [REDACTED:moon:1]"
    assert Redactor((always,)).gate(b"anything")


def test_values_of_names_stay_when_their_rule_is_off() -> None:
    redactor = Redactor(disabled={"secret-value"})
    assert redactor.value("password", PASSWORD) == PASSWORD
    assert redactor.text(f"PASSWORD={PASSWORD}") == f"PASSWORD={PASSWORD}"


def test_a_rule_that_does_not_exist_or_cannot_make_a_mark_is_refused() -> None:
    with pytest.raises(ValueError, match="no such redaction rule: moon"):
        Redactor(disabled=["moon"])
    with pytest.raises(ValueError, match="Not A Name"):
        Redactor((Rule("Not A Name", "", "x"),))
    with pytest.raises(re.error):
        Redactor((Rule("broken", "", "("),))


def test_every_rule_is_described_and_shown_by_the_corpus_or_a_known_form() -> None:
    assert len({rule.name for rule in RULES}) >= 40
    assert all(rule.description and rule.anchors for rule in RULES)
    shown = {each.kind for each in PLANTED}
    print(f"{len(shown)} of {len({rule.name for rule in RULES})} rules have planted secrets")
    assert len(shown) >= 60


def test_weak_passwords_are_what_the_corpus_says() -> None:
    """The corpus itself plants no placeholders."""
    rng = random.Random(5)
    assert all(Redactor().value("password", weak_password(rng)).startswith("[REDACTED") for _ in range(200))


def test_planted_records_survive_as_json_of_the_same_structure() -> None:
    for each in PLANTED:
        redacted = json.loads(Redactor().json(json.dumps(each.record).encode()))
        assert _shape(redacted) == _shape(each.record), each


def _shape(value: object) -> object:
    if isinstance(value, dict):
        return [_shape(inner) for inner in value.values()]
    if isinstance(value, list):
        return [_shape(inner) for inner in value]
    return str if isinstance(value, str) else value
