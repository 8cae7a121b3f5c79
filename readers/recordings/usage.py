"""How the tokens of a conversation record are counted: once a message of a model, in its last version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from panscript.readers.rawjson import clean_raw
from panscript.schemas.counts import count
from panscript.schemas.events import NO_RAW, Tokens, Usage
from panscript.schemas.naming import model_name
from panscript.schemas.recordings import MessageRecord, TokensSummary
from panscript.schemas.report import FileReport

__all__ = ["Billing", "tokens_of"]


def tokens_of(summary: TokensSummary, *, thoughts_apart: bool | None = True) -> Tokens:
    """The counts in disjoint buckets. `thoughts_apart` None: the total tells whether `output` is without thoughts."""
    prompt, output, thoughts = count(summary.input), count(summary.output), count(summary.thoughts)
    cached, tool, total = count(summary.cached), count(summary.tool), count(summary.total)
    if thoughts_apart is None:
        thoughts_apart = total >= prompt + output + thoughts
    fresh = max(0, prompt - cached) + tool
    generated = output + thoughts if thoughts_apart else output
    return Tokens(
        input=fresh,
        output=generated,
        reasoning=min(thoughts, generated),
        cache_read=cached,
        total=total or fresh + generated + cached,
    )


class Billing(msgspec.Struct):
    """What the counts of a session have in common."""

    report: FileReport
    provider: str | None = None
    cwd: str | None = None
    thoughts_apart: bool | None = True
    single_request: bool = True
    raw: bool = False
    told: bool = True
    """Counts that stand on a message, too, are given."""

    def event(
        self, message: MessageRecord, name: str, text: Callable[[], bytes], common: dict[str, Any]
    ) -> Usage | None:
        """What this message was billed. `text` gives its JSON."""
        assert message.tokens is not None
        tokens = tokens_of(message.tokens, thoughts_apart=self.thoughts_apart)
        if not tokens.total:
            self.report.skip("no_token_usage")
            return None
        if common["time"] is None:
            self.report.skip("invalid_timestamp")
            return None
        if not self.told:
            return None
        return Usage(
            id=f"usage:{name}",
            time=common["time"],
            live=common["live"],
            tokens=tokens,
            model=model_name(message.model),
            provider=self.provider,
            response=message.id,
            message_id=message.id,
            cwd=self.cwd,
            single_request=self.single_request,
            told=True,
            raw=clean_raw(text().strip(b"\0\xef\xbb\xbf \t\r\n")) if self.raw else NO_RAW,
        )
