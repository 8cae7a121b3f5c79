"""The functions of the TypeScript library that this one grew from, and what they are here: the table in the README."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["ROWS", "found", "rows"]

ROWS: list[tuple[str, str, str]] = [
    ("`createSourceContext`", "panscript.readers.context.Context", "`Context.here()`, `Context.at(home, roots)`"),
    ("`createDefaultAdapters`, `getDefaultSourceIds`", "panscript.schemas.agents.AGENTS", "`AGENTS`, `agent_ids()`"),
    ("`getSourceStorageFormat`", "panscript.schemas.versions.storage_format", ""),
    ("`readSources`", "panscript.cli.everything.read_everything", "keyword arguments of the same meaning"),
    (
        "adapter `id`, `capabilities`",
        "panscript.schemas.agents.agent",
        "`kinds`, `response_ids`, `copies_files`, `relabels`",
    ),
    ("adapter `discoverFiles`", "panscript.readers.discovery.discover", "sessions, not files"),
    ("adapter `read`, `readEvents`", "panscript.readers.opening.read", "records with their events"),
    ("`readEvents`, `EVENT_KINDS`", "panscript.stages.projections.project", "`KINDS`"),
    ("adapter `parserVersion`, `getParserVersion`", "panscript.schemas.versions.parser_version", ""),
    ("`CORE_EVENT_VERSION`", "panscript.schemas.versions.CORE_EVENT_VERSION", ""),
    ("adapter `getParseDependencies`", "panscript.readers.dependencies.parse_dependencies", ""),
    (
        "`ReadCursor`, `incremental`",
        "panscript.schemas.progress.Cursor",
        "`events --cursor FILE`; every agent of text files",
    ),
    ("`isUsageRecord`", "panscript.schemas.projections.UsageLine", "`isinstance`"),
    ("`createUsageEvent`", "panscript.schemas.events.Usage", "a struct, checked when it is made"),
    (
        "`collect`, `collectFile`, `toParseDiagnostics`",
        "panscript.schemas.report.FileReport",
        "`list(...)`, a report",
    ),
    ("`pipe`", "panscript.stages.pipe.pipe", ""),
    ("`kinds`", "panscript.stages.windows.kinds", ""),
    ("`since`", "panscript.stages.windows.since", ""),
    ("`until`", "panscript.stages.windows.until", ""),
    ("`bySession`", "panscript.stages.windows.by_session", ""),
    ("`repeatedAcrossFiles`", "panscript.stages.deduplication.repeated_across_files", ""),
    ("`copiedSessions`", "panscript.stages.deduplication.copied_sessions", ""),
    ("`dedupeToolCalls`", "panscript.stages.deduplication.dedupe_tool_calls", ""),
    ("`computeEventContentHash`", "panscript.schemas.projections.content_hash", ""),
    ("`getEventSessionKey`", "panscript.schemas.projections.session_key", ""),
    ("`computeActiveMs`, `IDLE_GAP_CAP_MS`", "panscript.stages.windows.active_ms", "`IDLE_GAP`"),
    ("`normalizeTimestamp`", "panscript.schemas.timestamps.parse", "milliseconds or None; `iso` writes them"),
    ("`normalizeSourceId`", "panscript.schemas.agents.agent", "raises `UnknownAgent` with the known ids"),
    ("`usageRecordAttributes`", "panscript.stages.telemetry.usage_attributes", ""),
    ("`toolCallAttributes`", "panscript.stages.telemetry.tool_call_attributes", ""),
    ("`sessionAttributes`", "panscript.stages.telemetry.session_attributes", ""),
    ("`SEMCONV_GENAI_REF`", "panscript.stages.telemetry.CONVENTIONS", ""),
]
"""Name there, dotted name here, and what to know."""


def found(name: str) -> Any:
    """What a dotted name stands for."""
    module, _, member = name.rpartition(".")
    return getattr(import_module(module), member)


def rows() -> list[tuple[str, ...]]:
    """The table."""
    return [(there, f"`{here.removeprefix('panscript.')}`", note) for there, here, note in ROWS]
