"""Lines of OpenClaw as lines of Pi: other names of the counts, copies for chat channels, how calls ended."""

from __future__ import annotations

import msgspec

from panscript.schemas.counts import count
from panscript.schemas.openclaw.lean import Cost, Entry, Message, Usage, UsageEntry, UsageMessage, outcome_decoder
from panscript.schemas.pi import lean as pi

__all__ = ["COPY", "Adapter", "UsageAdapter"]

COPY = "openclaw.delivery-copy"
"""`custom_type` of a line that repeats what was said, after `Adapter.row`."""
_GATEWAY = frozenset({"delivery-mirror", "gateway-injected"})
_MIRROR = "delivery-mirror"
_INPUT = ("input", "input_tokens", "input_tokens_snake")
_PROMPT = ("prompt_tokens", "prompt_tokens_camel")
_OUTPUT = ("output", "output_tokens", "output_tokens_snake", "completion_tokens", "completion_tokens_camel")
_REASONING = (
    "reasoning",
    "reasoning_tokens",
    "reasoning_tokens_snake",
    "reasoning_output",
    "reasoning_output_tokens",
    "output_reasoning",
)
_READ = (
    "cache_read",
    "cache_read_snake",
    "cache_read_tokens",
    "cache_read_tokens_snake",
    "cached",
    "cached_input_tokens",
)
_WRITE = ("cache_write", "cache_write_snake", "cache_write_tokens", "cache_write_tokens_snake")
_TOTAL = ("total", "total_tokens", "total_tokens_snake")
_COST = ("cost_usd", "cost_usd_snake", "turn_usd", "turn_usd_snake", "usd")


class UsageAdapter:
    """Feed it every line in order; it remembers the model that was named last."""

    def __init__(self) -> None:
        self._model: str | None = None
        self._provider: str | None = None

    def row(self, row: Entry | UsageEntry) -> None:
        """Change the line in place so that Pi counts what OpenClaw billed, and nothing twice."""
        message = row.message
        if row.type == "message" and message is not None and message.role == "assistant":
            if not _is_copy(row, message):
                self._answer(row, message)
                return
            row.type, row.message = "custom", None
        elif row.type == "model_change":
            self._model, self._provider = row.model_id or self._model, row.provider or self._provider
        # Only answers of a model are billed.
        row.usage = None
        if message is not None and row.type == "message":
            message.usage = None

    def _answer(self, row: Entry | UsageEntry, message: Message | UsageMessage) -> None:
        _counts(row, message)
        named = row.model or row.model_id or row.model_id_snake
        model = named or message.model or message.model_id or message.model_id_snake
        if model is None:
            row.model = self._model
        else:
            row.model, self._model = model, model
        provider = row.provider or message.provider
        if provider is None:
            row.provider = self._provider
        else:
            self._provider = provider
        message.model = message.model or row.model
        message.provider = message.provider or row.provider


class Adapter(UsageAdapter):
    """The same for all that Pi reads of a line."""

    def row(self, row: Entry | UsageEntry) -> None:
        """Change the line in place to what a line of Pi says."""
        assert isinstance(row, Entry)
        message, is_answer = row.message, row.message is not None and row.message.role == "assistant"
        super().row(row)
        if row.type == "reset":
            # Nothing that was said before it reaches the model again.
            row.type, row.summary, row.first_kept_entry_id = "compaction", row.summary or "", None
        elif is_answer and row.message is None:
            row.custom_type = COPY
        elif row.type == "message" and message is not None and message.role == "toolResult":
            _outcome(message)
        elif (
            row.type == "message" and message is not None and message.role == "custom" and message.exclude_from_context
        ):
            # A call inside of a call: the model sees only what the outer one gave.
            row.type, row.custom_type, row.message = "custom", message.custom_type or "custom", None


def _is_copy(row: Entry | UsageEntry, message: Message | UsageMessage) -> bool:
    """Whether the answer repeats, for a chat channel, what a model said before."""
    if "openclaw" in (row.provider, message.provider) or row.model in _GATEWAY or message.model in _GATEWAY:
        return True
    marks = (message.openclaw_delivery_mirror, message.openclaw_message_tool_mirror)
    if any(bytes(mark).startswith(b"{") for mark in marks):
        return True
    return any(_says_mirror(value) for value in (message.kind, message.source, message.provenance))


def _says_mirror(value: object) -> bool:
    return value == _MIRROR or (isinstance(value, dict) and _MIRROR in (value.get("kind"), value.get("source")))


def _counts(row: Entry | UsageEntry, message: Message | UsageMessage) -> None:
    """The counts of the line, field by field before those of its message, under Pi's names."""
    told = [usage for usage in (row.usage, message.usage) if usage is not None]
    if not told:
        return

    def first(names: tuple[str, ...]) -> pi.Count:
        for usage in told:
            for name in names:
                value: pi.Count = getattr(usage, name)
                if value is not None:
                    return value
        return None

    fresh, read = first(_INPUT), count(first(_READ))
    if fresh is None:
        fresh = max(0, count(first(_PROMPT)) - read)
    row.usage = Usage(
        input=fresh,
        output=first(_OUTPUT),
        reasoning=first(_REASONING),
        cache_read=read,
        cache_write=first(_WRITE),
        cache_write_1h=first(("cache_write_1h",)),
        total_tokens=first(_TOTAL),
        cost=_cost(told, first(_COST)),
    )


def _cost(told: list[Usage], plain: pi.Count) -> pi.Count:
    if plain is not None:
        return plain
    for usage in told:
        cost = usage.cost
        if isinstance(cost, Cost):
            cost = cost.total if cost.total is not None else cost.usd
        if cost is not None:
            assert not isinstance(cost, pi.Cost)
            return cost
    return None


def _outcome(message: Message) -> None:
    """A failed call is not always marked as one; then its details tell."""
    details = bytes(message.details)
    if not details.startswith(b"{"):
        return
    try:
        found = outcome_decoder.decode(details)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return
    left = found.exit_code
    if found.status in ("error", "failed") or (isinstance(left, int | float) and left != 0):
        message.is_error = True
    if message.duration_ms is None and isinstance(found.duration_ms, int | float):
        message.duration_ms = found.duration_ms
