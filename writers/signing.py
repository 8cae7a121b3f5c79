"""Whose signature stands on what a model thought."""

from __future__ import annotations

from panscript.schemas.events import Message, Session
from panscript.schemas.naming import billing_provider

__all__ = ["signed_by"]


def signed_by(vendor: str, event: Message, session: Session, home: str) -> bool:
    """Whether a signature in this answer is the vendor's own: its agent `home` wrote it, or the vendor is named.

    A vendor refuses a request with a signature that is not its own.
    """
    if session.imported_from is not None and session.imported_from != home:
        return False
    provider = billing_provider(event.provider)
    return provider == vendor if provider is not None else session.agent == home
