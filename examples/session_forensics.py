"""What each session of Claude Code, Codex and Pi cost, and how: tokens, caches, system messages, repeated prompts.

    python examples/session_forensics.py [HOME] [--agents claude,codex,pi]

Prints one JSON object a session, and one for all. Nothing that was said is printed: a prompt that came more than once
is told by a fingerprint, the beginning of the SHA-256 of its text. Fingerprints of short prompts can be guessed: do
not publish them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from panscript.cli.everything import read_everything
from panscript.readers.context import Context
from panscript.schemas.projections import MessageLine, Projection, UsageLine
from panscript.stages import by_session

AGENTS = ("claude", "codex", "pi")
LONGEST = 16
"""Hex digits of a fingerprint."""


class Session(msgspec.Struct):
    """What is known of one session."""

    source: str
    session_id: str
    fresh_input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    recorded_cost: float | None = None
    """US dollars; None where the agent recorded none."""
    cache_hit_ratio: float | None = None
    """Read from a cache, of all input that was not written to one; None without input."""
    system_messages: int = 0
    """Compaction summaries in Claude Code; developer and injected messages in Codex."""
    repeated_prompts: dict[str, int] = {}
    """Fingerprint -> how often, for prompts that came more than once in this session."""


def sessions(lines: Iterator[Projection]) -> Iterator[tuple[Session, Counter[str]]]:
    """Each session with the fingerprints of its prompts."""
    for group in by_session(lines):
        found = Session(group.source, group.session_id)
        prompts: Counter[str] = Counter()
        for line in group.lines:
            if isinstance(line, UsageLine):
                found.fresh_input += line.input_tokens
                found.cache_read += line.cache_read_tokens
                found.cache_write += line.cache_write_tokens
                found.output += line.output_tokens
                if isinstance(line.cost_usd, float):
                    found.recorded_cost = (found.recorded_cost or 0.0) + line.cost_usd
            elif isinstance(line, MessageLine) and line.role == "system":
                found.system_messages += 1
            elif isinstance(line, MessageLine) and line.role == "user" and isinstance(line.text, str):
                prompts[fingerprint(line.text)] += 1
        if read := found.fresh_input + found.cache_read:
            found.cache_hit_ratio = found.cache_read / read
        found.repeated_prompts = {name: times for name, times in prompts.items() if times > 1}
        yield found, prompts


def fingerprint(text: str) -> str:
    """What tells equal prompts without saying them."""
    return hashlib.sha256(text.encode()).hexdigest()[:LONGEST]


def report(home: Path | None, agents: list[str]) -> Iterator[dict[str, Any]]:
    """A dict for each session, then one for all."""
    context = Context.at(home) if home is not None else Context.here()
    kinds = ("usage", "message")
    everywhere: Counter[str] = Counter()
    count = 0
    for found, prompts in sessions(read_everything(context, agents=agents, kinds=kinds, text=True)):
        count += 1
        everywhere.update(prompts.keys())
        yield msgspec.to_builtins(found)
    repeated = {name: times for name, times in everywhere.items() if times > 1}
    yield {"sessions": count, "prompts_in_several_sessions": repeated}


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description="What each session cost, and how.")
    parser.add_argument("home", nargs="?", type=Path, help="another home folder")
    parser.add_argument("--agents", default=",".join(AGENTS), help="default: %(default)s")
    options = parser.parse_args()
    print("fingerprints of short prompts can be guessed: do not publish them", file=sys.stderr)
    for line in report(options.home, options.agents.split(",")):
        print(json.dumps(line))


if __name__ == "__main__":
    main()
