"""Which call a result is of: the log does not say it, so results follow the calls in their order.

The database knows it for some steps; where it does, that counts.
"""

from __future__ import annotations

from collections.abc import Mapping

from panscript.readers.antigravity.steps import Step

__all__ = ["Pairing"]


class Pairing:
    """Feed it the steps in order; once in each pass."""

    def __init__(self, known: Mapping[int, Step]) -> None:
        """`known`: what the database knows of steps of the log."""
        self._known = known
        self._pending: list[str] = []

    def asked(self, step: Step, name: str) -> tuple[str, ...]:
        """The ids of the calls of a response; `name` is that of the step."""
        known = self._about(step)
        told = known.calls if known is not None and len(known.calls) == len(step.calls) else step.calls
        ids = tuple(
            call.id or other.id or f"{name}-{number}"
            for number, (call, other) in enumerate(zip(step.calls, told, strict=True))
        )
        self._pending = list(ids)
        return ids

    def answered(self, step: Step, name: str) -> str:
        """The id of the call that this is the result of; one of its own where no call is open."""
        known = self._about(step)
        told = step.answers or (known.answers if known is not None else "")
        if told and (told in self._pending or not self._pending):
            if told in self._pending:
                self._pending.remove(told)
            return told
        return self._pending.pop(0) if self._pending else name

    def failed(self, step: Step) -> bool:
        """Whether the step says by itself that it failed."""
        known = self._about(step)
        return step.failed or (known is not None and known.failed)

    def _about(self, step: Step) -> Step | None:
        known = self._known.get(step.index) if step.index is not None else None
        return known if known is not None and known.kind == step.kind else None
