"""What `panscript usage` takes for a home folder full of sessions, beside other programs that count tokens.

Every figure is the median of fresh processes, run in turns with the others, in user and system CPU time, with the
largest peak of memory. All of them read the same files from the same warm cache and add up by day and model.

`python benchmarks/usage.py` writes the sessions itself: so many for each agent as make up the size asked for, in files
of 10 MB. `--peers DIR` measures ccusage and llm-usage-metrics as well, where they are installed below that folder
(`npm install ccusage llm-usage-metrics`); `--node` names the Node to run the second with.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from measure import CACHE, Failed, Sample, default_command, run_once

SESSION_MB = 10
AGENTS = ("claude", "codex")
FOLDERS = {"claude": ".claude/projects/-home-dev-app", "codex": ".codex/sessions/2026/03/01"}
# A process of its own, because its memory would count into what is measured here.
WRITER = """
import sys
from pathlib import Path
import msgspec
from corpus import SEED, SESSIONS
from texts import Texts

agent, folder, size, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
folder.mkdir(parents=True, exist_ok=True)
for number in range(count):
    session = SESSIONS[agent](Texts(SEED + number))
    written = 0
    with (folder / session.file_name).open("wb") as file:
        while written < size:
            for row in session.turn(0):
                written += file.write(msgspec.json.encode(row) + b"\\n")
"""
QUIET = {
    "TZ": "UTC",
    "NO_COLOR": "1",
    "LLM_USAGE_EVENT_STORE": "0",
    "LLM_USAGE_SKIP_UPDATE_CHECK": "1",
    "XDG_CACHE_HOME": str(CACHE / "peers"),
    "XDG_CONFIG_HOME": str(CACHE / "peers"),
}


def write_home(megabytes: int) -> Path:
    """Write the sessions of both agents unless they are there, and return the home folder that holds them."""
    home = CACHE / f"usage-{megabytes}M"
    done = home / "done"
    if not done.exists():
        shutil.rmtree(home, ignore_errors=True)
        for agent in AGENTS:
            count = max(1, megabytes // SESSION_MB)
            size = megabytes * 10**6 // count
            arguments = [agent, str(home / FOLDERS[agent]), str(size), str(count)]
            subprocess.run([sys.executable, "-c", WRITER, *arguments], check=True, cwd=Path(__file__).parent)
        done.touch()
    return home


def commands(panscript: list[str], peers: Path | None, node: str) -> Iterator[tuple[str, list[str]]]:
    """Give what is measured, each under its name."""
    ours = [*panscript, "usage", "--by", "day,model", "--json", "--timezone", "UTC"]
    for agent in AGENTS:
        yield f"panscript {agent}", [*ours, "--from", agent]
    yield "panscript both", ours
    if peers is None:
        return
    packages = peers / "node_modules"
    binaries = sorted((packages / "@ccusage").glob("*/bin/ccusage*"))
    if binaries:
        for agent in AGENTS:
            yield f"ccusage {agent}", [str(binaries[0]), agent, "daily", "--json", "--offline", "--timezone", "UTC"]
    script = packages / "llm-usage-metrics/dist/index.js"
    if script.exists():
        options = ["--json", "--timezone", "UTC", "--pricing-offline", "--ignore-pricing-failures"]
        for agent in AGENTS:
            yield f"llm-usage-metrics {agent}", [node, str(script), "daily", "--source", agent, *options]


def main() -> int:
    """Write the sessions, measure, print the table."""
    parser = argparse.ArgumentParser(description="Measure how fast usage is added up.")
    parser.add_argument("--size", type=int, default=100, help="MB of sessions for each agent (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each command (default: %(default)s)")
    parser.add_argument("--panscript", metavar="CMD", default=default_command(), help="default: %(default)s")
    parser.add_argument("--peers", metavar="DIR", type=Path, help="folder below which the peers are installed")
    parser.add_argument("--node", default="node", help="Node 24 or newer (default: %(default)s)")
    parser.add_argument("--home", type=Path, help="measure on this home folder instead")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all figures there, too")
    options = parser.parse_args()

    home = options.home or write_home(options.size)
    sizes = {agent: sum(f.stat().st_size for f in (home / FOLDERS[agent]).rglob("*.jsonl")) for agent in AGENTS}
    (CACHE / "peers").mkdir(parents=True, exist_ok=True)
    taken: dict[str, list[Sample] | str] = {}
    for _ in range(options.rounds):
        for name, command in commands(shlex.split(options.panscript), options.peers, options.node):
            before = taken.setdefault(name, [])
            if isinstance(before, str):
                continue
            try:
                before.append(run_once(command, {**QUIET, "HOME": str(home)}))
            except Failed as failure:
                taken[name] = str(failure)

    print(f"{'':26} {'CPU s':>7} {'MB/CPU s':>9} {'peak MB':>8}   CPU s of each round")
    results = []
    for name, samples in taken.items():
        if isinstance(samples, str):
            print(f"{name:26} failed: {samples}")
            continue
        megabytes = sum(size for agent, size in sizes.items() if name.endswith((agent, "both"))) / 10**6
        cpu, peak = median(s.cpu for s in samples), max(s.peak for s in samples)
        rounds = " ".join(f"{s.cpu:.2f}" for s in samples)
        print(f"{name:26} {cpu:>7.2f} {megabytes / cpu:>9.0f} {peak:>8.1f}   {rounds}")
        results.append({"name": name, "mb": megabytes, "cpu_s": cpu, "peak_mb": peak})
    if options.json:
        options.json.write_text(json.dumps({"cpus": os.cpu_count(), "results": results}, indent=2) + "\n")
    return 1 if any(isinstance(samples, str) for samples in taken.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
