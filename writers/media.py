"""Pictures that providers take: base64 that decodes, of a kind and a size that they accept."""

from __future__ import annotations

import base64
import binascii
import re

import msgspec
from msgspec.structs import replace

from panscript.schemas.events import Image

__all__ = ["Picture", "picture"]

LARGEST = 5 << 20
"""Bytes of base64 that every provider takes."""
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}", re.ASCII)
_MAGIC = {
    b"\x89PNG": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
}
TAKEN = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})


class Picture(msgspec.Struct, frozen=True):
    """A picture that can be written, or why it cannot."""

    data: str = ""
    media_type: str = ""
    lost: str | None = None
    """Loss code; `placeholder` then stands in its place."""
    placeholder: str = ""


def picture(image: Image) -> Picture:
    """Check a picture; nothing is fetched and nothing is shrunk."""
    if image.data is None:
        if image.url is not None:
            return Picture(lost="image_remote", placeholder=f"[Image missing: {image.url}]")
        return Picture(lost="image_missing", placeholder=f"[Image missing: {image.path or 'no data'}]")
    if image.data.startswith("data:") and ";base64," in image.data[:100]:
        return picture(replace(image, data=image.data.partition(",")[2]))
    data = image.data if image.data.isalnum() else "".join(image.data.split())
    if len(data) > LARGEST:
        return Picture(lost="image_too_large", placeholder=f"[Image missing: {len(data)} bytes of base64 are too many]")
    if len(data) % 4 or not _BASE64.fullmatch(data):
        return Picture(lost="image_broken", placeholder="[Image missing: its data is damaged]")
    media_type = _sniff(data) or image.media_type.lower()
    if media_type not in TAKEN:
        return Picture(
            lost="image_broken",
            placeholder=f"[Image missing: {image.media_type or 'unknown type'} is not taken]",
        )
    return Picture(data=data, media_type=media_type)


def _sniff(data: str) -> str | None:
    try:
        start = base64.b64decode(data[:32])
    except (binascii.Error, ValueError):
        return None
    if start.startswith(b"RIFF") and start[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), None)
