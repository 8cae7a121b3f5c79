"""Whether a call went well: the model is told in words only, and the words changed with every version."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from panscript.schemas.codex.lean import Duration, Item, Outcome, Payload
from panscript.schemas.codex.texts import failed

__all__ = ["Told", "milliseconds", "outcome", "unwrap"]

_FAILED = ("failed", "declined")
_LONGEST = 1 << 31


class _Metadata(msgspec.Struct):
    exit_code: int | float | None = None


class _Wrapper(msgspec.Struct, forbid_unknown_fields=True):
    """The shell tool's answer up to 0.4x, and that of apply_patch up to 0.130."""

    output: str
    metadata: _Metadata


class Told(NamedTuple):
    """What an output says."""

    text: str
    failed: bool
    wrapped: bool
    """The text was taken out of a JSON wrapper."""


_wrapper = msgspec.json.Decoder(_Wrapper)


def unwrap(text: str) -> Told:
    """The text of an output without its wrapper, and whether it says that the call failed."""
    if text.startswith("{") and '"metadata"' in text and '"output"' in text:
        try:
            found = _wrapper.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            pass
        else:
            return Told(found.output, bool(found.metadata.exit_code) or failed(found.output), True)
    return Told(text, failed(text), False)


def outcome(end: Payload | Item) -> tuple[str | None, bool, int | None]:
    """Call id, whether it failed and how many milliseconds it took, of an event that tells of a call's end."""
    name = end.id if isinstance(end, Item) else end.call_id
    result = end.result
    bad = end.status in _FAILED or end.success is False or bool(end.exit_code)
    if isinstance(result, Outcome):
        inner = result.ok
        bad = bad or result.err is not None or bool(result.is_error) or (inner is not None and bool(inner.is_error))
    return name, bad, milliseconds(end.duration)


def milliseconds(duration: Duration | str | float | None) -> int | None:
    """A logged duration; None when it is none that is understood."""
    if not isinstance(duration, Duration):
        return None
    found = (duration.secs or 0) * 1000 + (duration.nanos or 0) / 1_000_000
    return int(found) if 0 <= found < _LONGEST else None
