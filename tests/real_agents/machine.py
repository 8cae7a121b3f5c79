"""What tests of imports into a real agent's own store start from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.builders import SESSION, assistant, user, write_rows

__all__ = ["MORE", "NAME", "PROMPT", "TALK", "Machine"]

PROMPT = "What did we talk about?"
TALK = [user("u", None, "hello", 1), assistant("a", "u", "hi", 2)]
MORE = [user("v", "a", "and now?", 3), assistant("b", "v", "done", 4)]
NAME = "Imported from Claude Code: hello (from /home/dev/app)"


@dataclass(frozen=True)
class Machine:
    """A home with a project and a session of Claude Code outside of it."""

    home: Path

    @classmethod
    def made(cls, folder: Path) -> Self:
        """One in this folder, with the project and the session."""
        machine = cls(folder.resolve())
        machine.project.mkdir(parents=True)
        write_rows(machine.source, TALK)
        return machine

    @property
    def project(self) -> Path:
        """The folder in which the agent runs."""
        return self.home / "code" / "my.app"

    @property
    def source(self) -> Path:
        """The session to import."""
        return self.home / "elsewhere" / f"{SESSION}.jsonl"
