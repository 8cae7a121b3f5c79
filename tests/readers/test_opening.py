"""Which agent wrote a file, and what is said of files that no agent did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import zstandard

from panscript.readers import detect, open_source, read, read_events
from panscript.readers.claude import detect as is_claude
from panscript.schemas.errors import NotATranscript, SourceError, SourceNotFound, SourceUnreadable, UnknownAgent
from panscript.schemas.events import Message, Session
from tests.builders import SESSION, assistant, said, user, write_rows

ROWS = [user("u", None, "hello"), assistant("a", "u", "hi", 1)]


def _file(tmp_path: Path, data: bytes, name: str = "x.jsonl") -> str:
    path = tmp_path / name
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "there is nothing in it"),
        (b"\n \r\n\0\0\n", "there is nothing in it"),
        (b"\xef\xbb\xbf", "there is nothing in it"),
        ("hello\n".encode("utf-16"), "it is UTF-16, not UTF-8"),
        (b'{"display":"x","pastedContents":{},"timestamp":1,"project":"/"}\n', "history of prompts"),
        (b'{"session_id":"x","ts":1,"text":"y"}\n', "history of prompts"),
        (b'{"id":"x","thread_name":"y"}\n', "index of sessions"),
        (b"once upon a time\n", "no agent's session"),
        (b'{"a":1}\n', "no agent's session"),
        (b"[1]\n", "no agent's session"),
        (b"\xff\x00\x01\x02", "no agent's session"),
        (b'{"type":"user"', "no agent's session"),
    ],
)
def test_what_is_no_session_is_called_by_its_name(tmp_path: Path, data: bytes, said: str) -> None:
    path = _file(tmp_path, data)
    with pytest.raises(NotATranscript, match=said) as caught:
        open_source(path)
    assert caught.value.path == path
    if "no agent" not in said:
        with pytest.raises(NotATranscript, match=said):
            open_source(path, "claude")


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        open_source(str(tmp_path / "none.jsonl"))
    with pytest.raises(SourceUnreadable, match="folder"):
        open_source(str(tmp_path))
    with pytest.raises(SourceNotFound):
        open_source("x" * 10_000)
    with pytest.raises(SourceNotFound):
        open_source("x\0y")


def test_naming_another_agent_is_refused_with_the_right_one(tmp_path: Path) -> None:
    path = str(write_rows(tmp_path / "x.jsonl", ROWS))
    with pytest.raises(NotATranscript) as caught:
        open_source(path, "pi")
    assert caught.value.hint == "use `--from claude`"


def test_an_agent_that_is_none_or_cannot_be_read_yet(tmp_path: Path) -> None:
    path = _file(tmp_path, b'{"a":1}\n')
    with pytest.raises(UnknownAgent):
        open_source(path, "nobody")


def test_naming_the_agent_reads_what_the_content_does_not_tell(tmp_path: Path) -> None:
    path = _file(tmp_path, b'{"type":"assistant"}\n' + b'{"type":"last-prompt","leafUuid":"x"}\n')
    assert open_source(path, "claude").agent == "claude"


def test_the_content_decides_never_the_name(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rollout-2026-01-01.zst.txt", ROWS)
    source = open_source(str(path))
    assert (source.agent, source.path) == ("claude", str(path))
    assert said(read_events(str(path))) == ["user: hello", "assistant: hi"]


def test_a_compressed_session_is_read_like_a_plain_one(tmp_path: Path) -> None:
    plain = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)
    path = _file(tmp_path, zstandard.compress(plain), "x.jsonl.zst")
    assert said(read_events(path)) == ["user: hello", "assistant: hi"]
    assert b"".join(record.raw for record in read(open_source(path))) == plain


def test_a_first_line_with_a_picture_is_recognised(tmp_path: Path) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 400_000}}
    path = str(write_rows(tmp_path / "x.jsonl", [user("u", None, [image])]))
    events = list(read_events(path))
    assert isinstance(events[0], Session)
    assert any(isinstance(event, Message) for event in events)


@pytest.mark.parametrize(
    ("start", "sure"),
    [
        (b'{"type":"user","sessionId":"x"}\n', 100),
        (b'{"type":"user","message":{"role":"user"},"uuid":"u"}\n', 100),
        (b'{"type":"user","message":{"role":"user"},"parentUuid":null}\n', 100),
        (b'{"type":"summary","summary":"s","leafUuid":"x"}\n', 90),
        (b'{"type":"file-history-snapshot","messageId":"m"}\n', 90),
        (b'{"type":"user","message":{"content":"x"}}\n', 60),
        (b'\xef\xbb\xbf{"type":"user","sessionId":"x"}\n', 100),
        (b'torn"}\n{"type":"user","sessionId":"x"}\n', 100),
        (b'{"type":"session","id":"x","version":3}\n', 0),
        (b'{"timestamp":"x","type":"session_meta","payload":{}}\n', 0),
        (b'{"type":"user","message":"x"}\n', 0),
        (b"", 0),
    ],
)
def test_how_surely_a_file_is_claudes(start: bytes, sure: int) -> None:
    assert is_claude(start) == sure


def test_nobody_else_takes_a_claude_session(tmp_path: Path) -> None:
    start = write_rows(tmp_path / "x.jsonl", ROWS).read_bytes()
    assert list(detect(start)) == ["claude"]


def test_a_session_named_by_its_file_when_its_rows_do_not(tmp_path: Path) -> None:
    rows = [{k: v for k, v in row.items() if k != "sessionId"} for row in ROWS]
    session = next(iter(read_events(str(write_rows(tmp_path / f"{SESSION}.jsonl", rows)))))
    assert isinstance(session, Session)
    assert session.session_id == SESSION


def test_errors_name_the_file_and_say_what_to_do(tmp_path: Path) -> None:
    path = _file(tmp_path, b"x\n")
    with pytest.raises(SourceError) as caught:
        open_source(path)
    assert str(caught.value) == f"{path}: no agent's session was recognised in it (`--from AGENT` names the agent)"
