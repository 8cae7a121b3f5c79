"""Parts of messages, which both programs share, and calls."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = [
    "PARTS",
    "AudioPart",
    "CodeCall",
    "Content",
    "Function",
    "ImagePart",
    "Media",
    "Part",
    "TextPart",
    "ThinkPart",
    "ToolCall",
    "VideoPart",
]


class Media(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Where a picture or recording is."""

    url: str | UnsetType = UNSET  # a `data:` URL, an address, or a name in the session's own store
    id: str | UnsetType | None = UNSET


class _Part(msgspec.Struct, kw_only=True, omit_defaults=True, tag_field="type"):
    """Parts keep null fields, messages leave them out."""


class TextPart(_Part, kw_only=True, tag="text"):
    """Visible text."""

    text: str | UnsetType = UNSET


class ThinkPart(_Part, kw_only=True, tag="think"):
    """Reasoning of the model."""

    think: str | UnsetType = UNSET
    encrypted: str | UnsetType | None = UNSET  # signature of the vendor
    reasoning_key: str | UnsetType | None = msgspec.field(default=UNSET, name="reasoningKey")  # Kimi Code: its field


class ImagePart(_Part, kw_only=True, tag="image_url"):
    """A picture."""

    image_url: Media | UnsetType = UNSET
    image_url_code: Media | UnsetType = msgspec.field(default=UNSET, name="imageUrl")  # Kimi Code's spelling


class AudioPart(_Part, kw_only=True, tag="audio_url"):
    """A recording."""

    audio_url: Media | UnsetType = UNSET
    audio_url_code: Media | UnsetType = msgspec.field(default=UNSET, name="audioUrl")


class VideoPart(_Part, kw_only=True, tag="video_url"):
    """A film."""

    video_url: Media | UnsetType = UNSET
    video_url_code: Media | UnsetType = msgspec.field(default=UNSET, name="videoUrl")


PARTS = (TextPart, ThinkPart, ImagePart, AudioPart, VideoPart)
Part = TextPart | ThinkPart | ImagePart | AudioPart | VideoPart
Content = str | list[Part]
"""Text where a message is exactly one text part."""


class Function(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What is called."""

    name: str | UnsetType = UNSET
    arguments: str | UnsetType | None = UNSET  # JSON as text


class ToolCall(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A call of Kimi CLI."""

    type: str | UnsetType = UNSET  # function
    id: str | UnsetType = UNSET
    function: Function | UnsetType = UNSET
    extras: dict[str, Any] | UnsetType | None = UNSET


class CodeCall(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A call of Kimi Code; a migrated one has the function inside, as Kimi CLI's."""

    type: str | UnsetType = UNSET  # function
    id: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    arguments: str | UnsetType | None = UNSET  # JSON as text
    function: Function | UnsetType = UNSET
