"""Random sizes, ids, times and texts for the synthetic sessions, all from one seed."""

import math
from datetime import UTC, datetime
from random import Random

import msgspec

__all__ = ["SECRET_MARKS", "Texts"]

_PROSE = (
    "the a reader of parse file line when each test returns value and fails because buffer offset we should check "
    "then session event writer state is not empty but token stream after first call in src/app/main.py config. "
    "def class import None, result self index count 42 0x1f 3f786850e387550fdab836ed7e6dc881de23001b done.\n\n"
).split(" ")
_CODE = (
    '    print(f"{name!r}: \\"{value}\\"\\n")\n',
    '\treturn re.sub(r"(\\\\d+)\\\\.(\\\\w*)", "\\\\2", line)\n',
    '{"path": "C:\\\\Users\\\\dev\\\\app", "ok": true, "items": ["a", "b"]}\n',
    '\x1b[32mPASSED\x1b[0m tests/test_main.py::test_value["x"]\n',
    "    if value is None:\n        raise ValueError('missing')\n",
)
_FOREIGN = (
    "会话记录应当逐行读取，不要一次载入内存。",
    "テストが失敗した理由を調べてください。",
    "Écrire à côté du fichier déjà créé, s'il vous plaît. ",
    "Größe prüfen, übrige Zeilen zählen. ",
    "✅ done 🚀 ship it 👩‍💻 ",
    "파일을 다시 읽습니다.\n",
    "the file is read again and the count is checked. ",
)
_SECRETS = (  # in parts, so that no file of the project looks as if it held a credential
    ("GITHUB_TOKEN=gh", "p_", "*"),
    ("ANTHROPIC_API_KEY=sk", "-ant-", "api03-", "*"),
    ("authorization: Bea", "rer ey", "JhbGciOiJub25lIn0.ey", "*", ".c2ln"),
    ("SMTP_PASS", "WORD=", "*"),
)
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
SECRET_MARKS = tuple("".join(parts).split("*")[0].encode() for parts in _SECRETS)
"""What a planted credential begins with, to count the rows that hold one."""


class Texts:
    """A seeded source; the same seed gives the same values in the same order."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.now = int(datetime(2026, 3, 1, 9, tzinfo=UTC).timestamp() * 1000)
        self._pools = []
        self._long_texts = 0
        for sentences, separator, count in ((_PROSE, " ", 600_000), (_CODE, "", 70_000), (_FOREIGN, "", 110_000)):
            pool = separator.join(self.rng.choices(sentences, k=count))
            self._pools.append((pool, len(msgspec.json.encode(pool)) / len(pool)))

    def size(self, median: int, sigma: float = 1.3) -> int:
        """Return a length in bytes, log-normal: most are near the median, few are very long."""
        return 8 + int(min(200_000, self.rng.lognormvariate(math.log(median), sigma)))

    def text(self, size: int) -> str:
        """Return a text of about `size` bytes once it is JSON; each 250th that is not short holds a credential."""
        pool, width = self.rng.choices(self._pools, weights=(49, 30, 21))[0]
        length = int(size / width)
        start = self.rng.randrange(len(pool) - length)
        text = pool[start : start + length]
        self._long_texts += size > 200
        if size > 200 and self._long_texts % 250 == 0:
            secret = "".join(self.rng.choice(_SECRETS)).replace("*", "".join(self.rng.choices(_LETTERS, k=36)))
            text = f"{text[: length // 2]}\n{secret}\n{text[length // 2 :]}"
        return text

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def hex(self, digits: int) -> str:
        return f"{self.rng.getrandbits(4 * digits):0{digits}x}"

    def uuid(self) -> str:
        """Return a random UUID (version 4)."""
        h = self.hex(32)
        return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-a{h[17:20]}-{h[20:]}"

    def uuid7(self) -> str:
        """Return a UUID that begins with the present time (version 7)."""
        t, h = f"{self.now:012x}", self.hex(18)
        return f"{t[:8]}-{t[8:]}-7{h[:3]}-a{h[3:6]}-{h[6:]}"

    def time(self) -> str:
        """Let up to a second go by and return the time."""
        self.now += self.rng.randrange(5, 900)
        return datetime.fromtimestamp(self.now / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
