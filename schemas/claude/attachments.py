"""The open union of attachment payloads, told apart by `type`: context the agent injects into the conversation.

The text that was really sent stands beside the payload, in `rendered` of the row. A payload of an unknown type is kept
as `UnknownAttachment`.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from panscript.schemas.claude.base import UNKNOWN_TAG, Native
from panscript.schemas.claude.context_attachments import CONTEXT_ATTACHMENTS
from panscript.schemas.claude.file_attachments import FILE_ATTACHMENTS
from panscript.schemas.claude.hook_attachments import HOOK_ATTACHMENTS
from panscript.schemas.claude.notice_attachments import NOTICE_ATTACHMENTS

__all__ = ["ATTACHMENTS", "Attachment", "UnknownAttachment"]


class UnknownAttachment(Native, frozen=True, kw_only=True, tag=UNKNOWN_TAG):
    """An attachment whose type this schema does not know."""

    kind: str
    """The type as written."""
    body: dict[str, Any]
    """The whole payload as written."""


ATTACHMENTS: dict[str, type[msgspec.Struct]] = {
    **FILE_ATTACHMENTS,
    **CONTEXT_ATTACHMENTS,
    **HOOK_ATTACHMENTS,
    **NOTICE_ATTACHMENTS,
}
"""Attachment structs by their `type`."""

if TYPE_CHECKING:
    Attachment: TypeAlias = Native
else:
    # A hundred and more members: msgspec takes the union as it is built, a type checker is content with the base.
    Attachment = reduce(or_, ATTACHMENTS.values(), UnknownAttachment)
