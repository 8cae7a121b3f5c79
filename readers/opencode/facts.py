"""What OpenCode says of a session as a whole: in a row of the database, an export, or a file of the older tree."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from panscript.schemas import timestamps
from panscript.schemas.naming import encodable
from panscript.schemas.opencode.lean import Model, Revert, Session, model_decoder, revert_decoder

__all__ = ["Facts", "facts_of_row", "facts_of_session", "model_of"]

_PLACEHOLDER = re.compile(r"(?:New|Child) session - \d{4}-\d\d-\d\dT")
"""The title until there is one."""
_Decoded = TypeVar("_Decoded", bound=msgspec.Struct)


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of a session; None is not said."""

    session_id: str
    parent: str | None = None
    """The session that started this one as a sub-agent."""
    cwd: str | None = None
    title: str | None = None
    version: str | None = None
    git_branch: str | None = None
    model: str | None = None
    provider: str | None = None
    created: int | None = None
    updated: int | None = None
    """Milliseconds since 1970 UTC."""
    reverted: str | None = None
    """The message from which on the conversation was taken back."""
    reverted_part: str | None = None
    """The part of it from which on, when not the whole message was."""


def facts_of_row(values: Mapping[str, Any], name: str) -> Facts:
    """From the columns of a row that this version of the database has."""
    return _facts(
        name,
        parent=values.get("parent_id"),
        cwd=values.get("directory"),
        title=values.get("title"),
        version=values.get("version"),
        branch=values.get("branch"),
        model=_decoded(values.get("model"), model_decoder),
        created=values.get("time_created"),
        updated=values.get("time_updated"),
        revert=_decoded(values.get("revert"), revert_decoder),
    )


def facts_of_session(session: Session, name: str) -> Facts:
    """From the session's own JSON; `name` is its id."""
    time = session.time
    return _facts(
        name,
        parent=session.parent_id,
        cwd=session.directory,
        title=session.title,
        version=session.version,
        branch=None,
        model=session.model,
        created=time.created if time is not None else None,
        updated=time.updated if time is not None else None,
        revert=session.revert,
    )


def _facts(
    name: str,
    *,
    parent: object,
    cwd: object,
    title: object,
    version: object,
    branch: object,
    model: Model | str | None,
    created: object,
    updated: object,
    revert: Revert | None,
) -> Facts:
    named = _text(title)
    above = _text(parent)
    model_name, provider = model_of(model)
    return Facts(
        session_id=name,
        parent=above if above != name else None,
        cwd=_text(cwd),
        title=None if named is None or _PLACEHOLDER.match(named) else named,
        version=_text(version),
        git_branch=_text(branch),
        model=model_name,
        provider=provider,
        created=timestamps.parse(created),
        updated=timestamps.parse(updated),
        reverted=revert.message_id if revert is not None else None,
        reverted_part=revert.part_id if revert is not None else None,
    )


def model_of(model: Model | str | None) -> tuple[str | None, str | None]:
    """The name of a model and its provider."""
    if isinstance(model, str):
        return model or None, None
    if model is None:
        return None, None
    return model.id or model.model_id or None, model.provider_id or None


def _decoded(value: object, decoder: msgspec.json.Decoder[_Decoded]) -> _Decoded | None:
    if not isinstance(value, str):
        return None
    try:
        return decoder.decode(value)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _text(value: object) -> str | None:
    return encodable(value).strip() or None if isinstance(value, str) else None
