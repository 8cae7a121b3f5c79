"""The facts of a large session of Kimi CLI or Kimi Code: from the files beside it and the two ends of its wire."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from panscript.readers.discovery import full_id
from panscript.readers.ends import first_lines, latest
from panscript.readers.kimi.code_survey import is_known, is_typed
from panscript.readers.kimi.content import text_of, without_wrapping
from panscript.readers.kimi.files import cwd_of, form_of, is_record, state_of
from panscript.readers.peek import Facts
from panscript.readers.tolerant import recover
from panscript.schemas import timestamps
from panscript.schemas.kimi.lean import CliRow, CodeRow, Custom, Payload, State, cli_decoder, code_decoder
from panscript.schemas.naming import first_words
from panscript.schemas.records import Source

__all__ = ["peek"]


def peek(source: Source) -> Facts | None:
    """The facts of a session; None when no line was understood in its ends."""
    is_code = form_of(source.path) == "code"
    found = _Start()
    for transcript in reversed(source.transcripts):
        for raw in first_lines(transcript.path):
            for row in _code_rows(raw) if is_code else _cli_rows(raw):
                found.see(row)
            if found.prompt is not None:
                break
        if found.prompt is not None:
            break
    if not found.understood:
        return None
    state = state_of(source)
    custom = state.custom or Custom()
    modified = (
        latest(source.path, _code_rows, lambda row: timestamps.parse(row.time), lambda _: None, ())
        if is_code
        else latest(source.path, _cli_rows, lambda row: timestamps.parse(row.timestamp), lambda _: None, ())
    )
    own = source.agent_id is None
    return Facts(
        session_id=full_id(source),
        parent_session_id=source.parent or (custom.parent_session_id if own and custom.kind != "fork" else None),
        title=_title(state, is_code=is_code, own=own),
        first_prompt=found.prompt,
        cwd=(state.cwd or state.work_dir or custom.cwd or found.cwd or None) if is_code else cwd_of(source),
        created=found.created,
        modified=modified,
    )


def _title(state: State, *, is_code: bool, own: bool) -> str | None:
    if is_code:
        return state.title or None if own else None
    return state.custom_title or state.title or (None if own else state.description) or None


class _Start:
    def __init__(self) -> None:
        self.prompt: str | None = None
        self.cwd: str | None = None
        self.created: int | None = None
        self.understood = False

    def see(self, row: CliRow | CodeRow) -> None:
        """A line from the start."""
        stated = row.time if isinstance(row, CodeRow) else row.timestamp
        time = timestamps.parse(stated)
        if time is not None:
            self.created = time if self.created is None else min(self.created, time)
        for text in self._code(row) if isinstance(row, CodeRow) else self._cli(row):
            if self.prompt is None and without_wrapping(text) is None:
                self.prompt = first_words(text)

    def _code(self, row: CodeRow) -> Iterator[str]:
        self.understood = self.understood or is_known(row.type)
        if row.environment_disclosure is not None:
            self.cwd = self.cwd or row.environment_disclosure.cwd
        if row.type == "context.append_message" and row.message is not None and is_typed(row.message):
            yield text_of(row.message.content)

    def _cli(self, row: CliRow) -> Iterator[str]:
        message = row.message
        self.understood = self.understood or row.role is not None or message is not None or row.type == "metadata"
        if row.role == "user":
            yield text_of(row.content)
        elif message is not None and message.type in ("TurnBegin", "SteerInput"):
            yield text_of((message.payload or Payload()).user_input)


def _cli_rows(raw: bytes) -> list[CliRow]:
    try:
        return [cli_decoder.decode(raw)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return recover(raw, cli_decoder, is_record).rows


def _code_rows(raw: bytes) -> list[CodeRow]:
    try:
        return [code_decoder.decode(raw)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return recover(raw, code_decoder, is_record).rows
