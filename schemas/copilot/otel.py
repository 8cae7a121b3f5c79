"""Lines of a telemetry file: OpenTelemetry spans and metrics, as the CLI's file exporter writes them, and log records.

Times are pairs of seconds and nanoseconds. Messages and arguments are there only where their capture was turned on, as
JSON in text.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.copilot.details import Text

__all__ = ["RECORDS"]


class _Record(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel", tag_field="type"):
    """What every line has."""

    resource: Any = UNSET
    instrumentation_scope: Any = UNSET


class Span(_Record, tag="span"):
    """`chat <model>`, `invoke_agent [<name>]` or `execute_tool <tool>`."""

    trace_id: Text = UNSET
    span_id: Text = UNSET
    parent_span_id: Text = UNSET
    trace_state: Any = UNSET
    name: Text = UNSET
    kind: int | UnsetType | None = UNSET
    start_time: list[int] | UnsetType | None = UNSET
    end_time: list[int] | UnsetType | None = UNSET
    attributes: dict[str, Any] | UnsetType | None = UNSET  # `gen_ai.*`: what it is, whose, and what it cost
    status: Any = UNSET  # code 2: it failed
    events: list[Any] | UnsetType | None = UNSET
    links: list[Any] | UnsetType | None = UNSET


class Metric(_Record, tag="metric"):
    """A sum that the spans tell one by one."""

    name: Text = UNSET
    description: Text = UNSET
    unit: Text = UNSET
    data_points: list[Any] | UnsetType | None = UNSET


class Log(_Record, tag="log"):
    """A log record; some exporters write it without a type."""

    timestamp: Any = UNSET
    observed_timestamp: Any = UNSET
    body: Any = UNSET
    attributes: dict[str, Any] | UnsetType | None = UNSET


RECORDS = (Span, Metric, Log)
