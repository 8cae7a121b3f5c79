"""What counting needs of a line of telemetry: spans and log records of OpenTelemetry, as Copilot exports them."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["Attributes", "OtelRow", "otel_decoder"]


def _attribute(name: str) -> Any:
    """A value is text, a number, or one of these in an object with one key."""
    return msgspec.field(default=None, name=name)


class Attributes(msgspec.Struct):
    """The attributes that tell what a record is, whose it is, and what it cost."""

    operation: Any = _attribute("gen_ai.operation.name")
    event_name: Any = _attribute("event.name")
    conversation: Any = _attribute("gen_ai.conversation.id")
    chat_session: Any = _attribute("copilot_chat.session_id")
    chat_session_older: Any = _attribute("copilot_chat.chat_session_id")
    session: Any = _attribute("session.id")
    interaction: Any = _attribute("github.copilot.interaction_id")
    response: Any = _attribute("gen_ai.response.id")
    response_model: Any = _attribute("gen_ai.response.model")
    request_model: Any = _attribute("gen_ai.request.model")
    provider: Any = _attribute("gen_ai.provider.name")
    input_tokens: Any = _attribute("gen_ai.usage.input_tokens")
    output_tokens: Any = _attribute("gen_ai.usage.output_tokens")
    read: Any = _attribute("gen_ai.usage.cache_read.input_tokens")
    read_older: Any = _attribute("gen_ai.usage.cache_read_input_tokens")
    write: Any = _attribute("gen_ai.usage.cache_write.input_tokens")
    creation: Any = _attribute("gen_ai.usage.cache_creation.input_tokens")
    write_older: Any = _attribute("gen_ai.usage.cache_write_input_tokens")
    creation_older: Any = _attribute("gen_ai.usage.cache_creation_input_tokens")
    reasoning: Any = _attribute("gen_ai.usage.reasoning.output_tokens")
    reasoning_older: Any = _attribute("gen_ai.usage.reasoning_tokens")
    total: Any = _attribute("gen_ai.usage.total_tokens")
    total_older: Any = _attribute("gen_ai.usage.total.token_count")


class OtelRow(msgspec.Struct):
    """Any line: a span, a log record, or a metric, which tells only sums."""

    type: Any = None
    name: Any = None
    body: Any = None
    event: Any = None
    event_name: Any = _attribute("event.name")
    trace_id: Any = _attribute("traceId")
    trace_id_older: Any = _attribute("trace_id")
    span_id: Any = _attribute("spanId")
    span_id_older: Any = _attribute("span_id")
    attributes: Attributes | None = None
    end_time: Any = _attribute("endTime")
    start_time: Any = _attribute("startTime")
    hr_time: Any = _attribute("hrTime")
    hr_time_older: Any = _attribute("_hrTime")
    time: Any = None
    timestamp: Any = None
    observed: Any = _attribute("observedTimestamp")
    nanoseconds: Any = _attribute("timeUnixNano")
    data_points: msgspec.Raw = msgspec.field(default=msgspec.Raw(b""), name="dataPoints")


otel_decoder = msgspec.json.Decoder(OtelRow)
