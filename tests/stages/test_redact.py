"""Which strings of an event are searched for secrets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from panscript.schemas.events import (
    Compaction,
    Event,
    File,
    Image,
    Message,
    Meta,
    Opaque,
    Shell,
    SourceFile,
    Summary,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from panscript.schemas.report import FileReport
from panscript.stages.prepare import prepare
from panscript.stages.redact import redact
from panscript.stages.redaction import Redactor
from tests.builders import answer, session, spoken

WORD = "hunter2"


class _Fake(Redactor):
    """Takes one word for a secret."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = Counter()

    def text(self, text: str, /) -> str:
        if WORD not in text:
            return text
        self.counts["word"] += text.count(WORD)
        return text.replace(WORD, "[mark]")

    def json(self, raw: bytes, /) -> bytes:
        clean = self.text(raw.decode())
        return clean.encode() if clean != raw.decode() else raw


def _raw(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode())


EVERYWHERE: list[Event] = [
    answer("a", Text(text=f"a {WORD}"), "clean", Text(text=f"b {WORD}")),
    answer("a", Thinking(text=WORD, signature="s")),
    answer("a", ToolCall(id="c", name=f"x{WORD}", arguments=_raw(f'{{"k":["{WORD}"]}}'))),
    answer("a", ToolCall(id="c", name="n", text=WORD)),
    spoken("u", content=(Image(url=f"https://{WORD}"), Image(path=WORD))),
    spoken("u", content=(File(name=WORD, url=WORD, media_type="text/plain", data=WORD),)),
    ToolResult(id="r", call_id="c", name=WORD, content=(Text(text=WORD),), details=_raw(f'"{WORD}"')),
    ToolResult(id="r", call_id="c", name=WORD),
    Compaction(id="c", summary=WORD),
    Summary(id="s", text=WORD),
    Shell(id="s", command=WORD, output=WORD),
    Meta(id="m", cwd=WORD, title=WORD, git_branch=WORD),
    Opaque(id="o", name="x", data=_raw(f'{{"{WORD}":1}}')),
    session(
        title=WORD,
        cwd=WORD,
        first_prompt=WORD,
        git_branch=WORD,
        files=(SourceFile(path=f"/{WORD}", bytes=1, sha256="0"),),
    ),
]


@pytest.mark.parametrize("event", EVERYWHERE, ids=lambda event: type(event).__name__)
def test_no_string_of_an_event_keeps_a_secret(event: Event) -> None:
    report = FileReport(path="")
    before = msgspec.json.encode(event)
    (clean,) = redact([event], _Fake(), report)
    assert WORD.encode() in before
    assert WORD.encode() not in msgspec.json.encode(clean)
    assert report.redacted == {"word": before.count(WORD.encode())}
    assert clean.id == event.id


def test_ids_signatures_and_pictures_are_kept_whole() -> None:
    event = answer(
        WORD,
        Thinking(text="clean", signature=WORD),
        Image(data=WORD, media_type="image/png"),
        File(data=WORD, media_type="application/pdf"),
        ToolCall(id=WORD, name="n", arguments=_raw("{}")),
    )
    assert list(redact([event], _Fake())) == [event]


def test_a_signature_goes_with_the_text_it_was_made_for() -> None:
    (clean,) = redact([answer("a", Thinking(text=WORD, signature="s"))], _Fake())
    assert isinstance(clean, Message)
    assert clean.content == (Thinking(text="[mark]"),)


def test_events_without_secrets_are_the_same_objects() -> None:
    events: list[Event] = [
        session(),
        spoken("u"),
        answer("a", "x", ToolCall(id="c", name="n")),
        Opaque(id="o", name="x"),
    ]
    assert all(one is other for one, other in zip(redact(events, _Fake()), events, strict=True))


def test_preparing_redacts_what_the_stages_made() -> None:
    out = list(prepare([session(), spoken("u", WORD), answer("a", WORD)], redactor=_Fake()))
    assert WORD.encode() not in msgspec.json.encode(out)


def test_names_of_unknown_types_are_in_no_account() -> None:
    report = FileReport(path="a")

    def events() -> Iterator[Event]:
        yield session()
        for name in (f"a {WORD}", "a [mark]", "future"):
            report.see_unknown(name)
        yield spoken("m")

    assert len(list(redact(events(), _Fake(), report))) == 2
    assert report.unknown == {"a [mark]": 2, "future": 1}
