"""The real Pi in RPC mode: what a client of it sends and sees."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.real_agents.pi.agent import Pi
from tests.real_agents.process import talking

__all__ = ["Rpc", "rpc"]

_SECONDS = 60.0
Record = dict[str, Any]


class Rpc:
    """A running Pi. Everything it says is kept in `seen`, in order."""

    def __init__(self, process: subprocess.Popen[bytes], errors: Path) -> None:
        self._process = process
        self._errors = errors
        self._asked = 0
        self.seen: list[Record] = []

    def send(self, **record: Any) -> None:
        """Send one record."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(record).encode() + b"\n")
        self._process.stdin.flush()

    def ask(self, command: str, **more: Any) -> Any:
        """Send a command and give the data of its answer; all else that comes meanwhile is kept."""
        name = self.begin(command, **more)
        answer = self.answer(name)
        assert answer["success"], answer
        return answer.get("data")

    def begin(self, command: str, **more: Any) -> str:
        """Send a command and give its id."""
        self._asked += 1
        name = f"ask-{self._asked}"
        self.send(id=name, type=command, **more)
        return name

    def answer(self, name: str) -> Record:
        """The answer to the command of this id."""
        return self.until(type="response", id=name)

    def until(self, **wanted: Any) -> Record:
        """The next record that has these values."""
        for record in self._records():
            if all(record.get(key) == value for key, value in wanted.items()):
                return record
        said = self._errors.read_text(encoding="utf-8", errors="replace")
        raise AssertionError(f"Pi ended without {wanted}; it said {self.seen[-5:]} and on stderr {said}")

    def shown(self, method: str) -> list[Record]:
        """What extensions showed so far by this method."""
        return [r for r in self.seen if r["type"] == "extension_ui_request" and r["method"] == method]

    def _records(self) -> Iterator[Record]:
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            record = json.loads(line)
            self.seen.append(record)
            yield record


@contextmanager
def rpc(pi: Pi, *arguments: str | Path, cwd: Path, env: Mapping[str, str]) -> Iterator[Rpc]:
    """Start `pi --mode rpc`; it is stopped at the end of the block, or when a minute is over."""
    errors = cwd / "pi-stderr.txt"
    command = [pi.installed.node, pi.program, "--mode", "rpc", *arguments]
    with talking(command, cwd=cwd, env=env, errors=errors, seconds=_SECONDS) as process:
        yield Rpc(process, errors)
