"""The real Codex as an editor talks to it: ``codex app-server``, one JSON record a line on its standard streams."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.real_agents.process import talking

__all__ = ["AppServer", "RefusedError", "app_server"]

Record = dict[str, Any]


class RefusedError(Exception):
    """Codex answered a request with an error; the text is its message."""


class AppServer:
    """A running app server. Everything it says unasked is kept in `seen`, in order."""

    def __init__(self, process: subprocess.Popen[bytes], errors: Path) -> None:
        self._process = process
        self._errors = errors
        self._asked = 0
        self._kept: list[Record] = []
        self.seen: list[Record] = []
        who = {"name": "judge", "version": "1"}
        self.ask("initialize", clientInfo=who, capabilities={"experimentalApi": True})
        self._send({"method": "initialized"})

    def ask(self, method: str, **params: Any) -> Any:
        """Send a request and give its result.

        :raises RefusedError: Codex says no.
        """
        self._asked += 1
        number = self._asked
        self._send({"id": number, "method": method, "params": params})
        for record in self._records():
            if record.get("id") == number and "method" not in record:
                if "error" in record:
                    raise RefusedError(record["error"]["message"])
                return record["result"]
        raise AssertionError(f"Codex ended without an answer to {method}: {self._said()}")

    def turn(self, thread: str, text: str) -> Record:
        """Let the person say `text`, and wait until the turn is over.

        :raises RefusedError: Codex says no.
        """
        before = len(self.seen)
        self.ask("turn/start", threadId=thread, input=[{"type": "text", "text": text}])
        for record in self._notices(before):
            if record["method"] == "turn/completed" and record["params"]["threadId"] == thread:
                turn: Record = record["params"]["turn"]
                return turn
        raise AssertionError(f"Codex ended in a turn: {self._said()}")

    def _notices(self, start: int) -> Iterator[Record]:
        """What it says unasked, from number `start` on: what was read already, then what comes."""
        yield from self.seen[start:]
        for record in self._records():
            if "method" in record:
                yield record

    def _records(self) -> Iterator[Record]:
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            record = json.loads(line)
            if "method" in record:
                self.seen.append(record)
                if "id" in record:
                    # It asks for something (an approval, a login): a judge grants nothing.
                    self._send({"id": record["id"], "error": {"code": -32601, "message": "not here"}})
            yield record

    def _send(self, record: Record) -> None:
        assert self._process.stdin is not None
        # Where it has ended already, the reading that follows says so, with what it said last.
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(record).encode() + b"\n")
            self._process.stdin.flush()

    def _said(self) -> str:
        return self._errors.read_text(encoding="utf-8", errors="replace")[-2000:]


@contextmanager
def app_server(
    program: Path, *, cwd: Path, env: Mapping[str, str], errors: Path, seconds: float
) -> Iterator[AppServer]:
    """Start it; it is asked to end with the block, and killed with its children when `seconds` are over."""
    with talking([program, "app-server"], cwd=cwd, env=env, errors=errors, seconds=seconds) as process:
        yield AppServer(process, errors)
        # At the end of its input it writes out what it still holds, then ends.
        assert process.stdin is not None
        process.stdin.close()
        process.wait()
