"""What stands beside a task: its metadata, and its entry in the history."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = ["HistoryIndex", "HistoryItem", "TaskMetadata"]


class _Named(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """Names are in camel case."""


class ModelUsage(msgspec.Struct, kw_only=True, omit_defaults=True):
    """From this time on a model was in use."""

    ts: int | float | UnsetType = UNSET  # milliseconds since 1970 UTC
    model_id: str | UnsetType = UNSET
    model_provider_id: str | UnsetType = UNSET
    mode: str | UnsetType = UNSET  # plan or act


class EnvironmentEntry(msgspec.Struct, kw_only=True, omit_defaults=True):
    """From this time on a program ran on a machine."""

    ts: int | float | UnsetType = UNSET
    os_name: str | UnsetType = UNSET
    os_version: str | UnsetType = UNSET
    os_arch: str | UnsetType = UNSET
    host_name: str | UnsetType = UNSET  # the editor
    host_version: str | UnsetType = UNSET
    cline_version: str | UnsetType = UNSET


class TaskMetadata(msgspec.Struct, kw_only=True, omit_defaults=True):
    """`task_metadata.json`; Roo's has only the files."""

    files_in_context: Any = UNSET
    model_usage: list[ModelUsage] | UnsetType = UNSET
    environment_history: list[EnvironmentEntry] | UnsetType = UNSET


class HistoryItem(_Named, kw_only=True):
    """A task in the history: an element of Cline's `state/taskHistory.json`, Roo's `history_item.json`."""

    id: str | UnsetType = UNSET
    ts: int | float | UnsetType = UNSET  # last activity, milliseconds since 1970 UTC
    task: str | UnsetType = UNSET  # the first prompt, which is the title
    tokens_in: int | UnsetType = UNSET
    tokens_out: int | UnsetType = UNSET
    cache_writes: int | UnsetType = UNSET
    cache_reads: int | UnsetType = UNSET
    total_cost: float | UnsetType = UNSET  # US dollars
    size: int | UnsetType = UNSET  # bytes
    ulid: str | UnsetType = UNSET  # Cline
    cwd_on_task_initialization: str | UnsetType = UNSET  # Cline
    conversation_history_deleted_range: list[int] | UnsetType = UNSET  # Cline
    is_favorited: bool | UnsetType = UNSET  # Cline, Kilo
    model_id: str | UnsetType = UNSET  # Cline
    checkpoint_manager_error_message: str | UnsetType = UNSET  # Cline
    is_legacy: bool | UnsetType = UNSET  # Cline
    number: int | UnsetType = UNSET  # Roo
    workspace: str | UnsetType = UNSET  # Roo: cwd
    mode: str | UnsetType = UNSET  # Roo
    api_config_name: str | UnsetType = UNSET  # Roo
    root_task_id: str | UnsetType = UNSET  # Roo
    parent_task_id: str | UnsetType = UNSET  # Roo: the task that started this one
    status: str | UnsetType = UNSET  # Roo: active, completed, delegated
    delegated_to_id: str | UnsetType = UNSET  # Roo
    child_ids: list[str] | UnsetType = UNSET  # Roo
    awaiting_child_id: str | UnsetType = UNSET  # Roo
    completed_by_child_id: str | UnsetType = UNSET  # Roo
    completion_result_summary: str | UnsetType = UNSET  # Roo
    file_notfound: bool | UnsetType = UNSET  # Kilo


class HistoryIndex(_Named, kw_only=True):
    """Roo's `_index.json` beside the task folders."""

    version: int | UnsetType = UNSET
    updated_at: int | float | str | UnsetType = UNSET
    entries: list[HistoryItem] | UnsetType = UNSET
