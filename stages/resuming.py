"""What of a session was not told before: the same per kind as what was kept of the earlier read and what comes now.

The earlier read left, for each kind, hashes of what it had told. Where these agree up to a point and then no more, what
came after that point is told again, and said to be replaced (a response's counts grew, a call got its result).
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator

import msgspec

from panscript.schemas.progress import Progress
from panscript.schemas.projections import Projection
from panscript.stages.holding import Holder, Room

__all__ = ["Resumed"]

_DENSE = 32
"""Of so many of the last projections each has a mark of its own; before that the distance doubles."""
_encode = msgspec.json.Encoder().encode


class Resumed:
    """The projections of a full read, to be given without what is known."""

    def __init__(
        self, lines: Iterable[Projection], before: dict[str, Progress] | None, room: Room | None = None
    ) -> None:
        """Reads all of the lines. `before`: what the earlier read told; None when there was none that counts. `room`:
        what several share."""
        self._held = Holder(room)
        hashes: dict[str, array[int]] = {}
        for line in lines:
            kind = str(line.__struct_config__.tag)
            told = hashes.setdefault(kind, array("Q", [0]))
            digest = hashlib.blake2b(told[-1].to_bytes(8, "big"), digest_size=8)
            digest.update(_encode(line))
            told.append(int.from_bytes(digest.digest(), "big"))
            self._held.append(line)
        self._known = {kind: _agree(progress, hashes.get(kind)) for kind, progress in (before or {}).items()}
        self.replaced = {
            kind: again for kind, told in (before or {}).items() if (again := told.count - self._known[kind])
        }
        """For each kind how many of the last projections of the earlier read are given again or are no more."""
        self.told = {kind: _progress(told) for kind, told in hashes.items()}
        """What is told now, all in all."""

    def __iter__(self) -> Iterator[Projection]:
        """What was not told before, in order. To be asked for once."""
        left = dict(self._known)
        try:
            for line in self._held:
                kind = str(line.__struct_config__.tag)
                if left.get(kind, 0) > 0:
                    left[kind] -= 1
                else:
                    yield line
        finally:
            self._held.close()


def _agree(before: Progress, hashes: array[int] | None) -> int:
    """How many of the first projections are those of the earlier read, as far as its marks tell."""
    if hashes is None:
        return 0
    same = (place for place, mark in before.marks if place < len(hashes) and f"{hashes[place]:016x}" == mark)
    return min(before.count, max(same, default=0))


def _progress(hashes: array[int]) -> Progress:
    count = len(hashes) - 1
    back = [*range(min(_DENSE, count)), *(1 << power for power in range(5, count.bit_length()))]
    places = sorted({count - distance for distance in back if distance < count}, reverse=True)
    return Progress(count, [(place, f"{hashes[place]:016x}") for place in places])
