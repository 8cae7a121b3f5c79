"""How fast and in how much memory panscript reads and converts large sessions.

Every step is a fresh process, run in turns with the others; its figure is the median of the rounds, in user and system
CPU time, which other work on the machine disturbs less than the clock. The first step, a bare decoding of every line
with msgspec, is the yardstick.

`python benchmarks/run.py` writes its sessions itself (see corpus.py). It exits 1 if a step failed, took more memory
than promised, or took longer a MB the larger the session.
"""

import argparse
import json
import os
import platform
import shlex
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

from measure import CACHE, Failed, Sample, default_command, run_once

AGENTS = {"claude": "codex", "codex": "claude"}
"""The agents whose sessions are measured, and the other one of the two that they are converted for."""
BARE = "bare decode"
BARE_SCRIPT = """
import sys, msgspec
decode = msgspec.json.Decoder().decode
with open(sys.argv[1], "rb") as file:
    for line in file:
        decode(line)
"""
STEPS = {
    "read": "events {path} --full",
    "to pi": "convert {path} --to pi --no-redact -o -",
    "to pi, redacted": "convert {path} --to pi -o -",
    "to the other": "convert {path} --to {other} --no-redact -o -",
    "copy": "convert {path} --to {agent} --no-redact -o -",
    "usage": "events {path} --kinds usage",
}
LINEAR = 1.3
"""So many times more may a MB cost in a larger session than in a smaller one."""

Result = dict[str, Any]


def run_in_turns(commands: dict[str, list[str]], rounds: int) -> dict[str, list[Sample] | str]:
    """Run all commands `rounds` times; return what each took in each round, or why it failed."""
    outcome: dict[str, list[Sample] | str] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            taken = outcome[name]
            if isinstance(taken, str):
                continue
            try:
                taken.append(run_once(command))
            except Failed as failure:
                outcome[name] = str(failure)
    return outcome


def measure_session(agent: str, size: str, panscript: list[str], rounds: int, start: dict[str, float]) -> list[Result]:
    """Measure every step on one session; `start` holds the start-up seconds of panscript and of the bare decoder."""
    corpus = json.loads((CACHE / size / f"{agent}.json").read_bytes())
    names = {"path": corpus["path"], "agent": agent, "other": AGENTS[agent]}
    commands = {BARE: [sys.executable, "-c", BARE_SCRIPT, corpus["path"]]}
    for step, line in STEPS.items():
        commands[step] = [*panscript, *(word.format(**names) for word in line.split())]
    megabytes = corpus["bytes"] / 10**6
    promise = 60 + (24 * corpus["records"] + 4 * corpus["longest"]) / 10**6
    results = []
    # Small sessions take hardly longer than the start-up: only more rounds tell the two apart.
    for step, taken in run_in_turns(commands, rounds * 3 if megabytes < 50 else rounds).items():
        result: Result = {"size": size, "agent": agent, "step": step, "mb": megabytes, "records": corpus["records"]}
        results.append(result)
        if isinstance(taken, str):
            result["failed"] = taken
            continue
        cpu, peak = median(s.cpu for s in taken), max(s.peak for s in taken)
        net = max(cpu - start[BARE if step == BARE else "panscript"], 0.001)
        result |= {
            "cpu_s": cpu,
            "cpu_s_rounds": [s.cpu for s in taken],
            "mb_per_cpu_s": megabytes / cpu,
            "net_mb_per_cpu_s": megabytes / net,
            "net_ms_per_mb": 1000 * net / megabytes,
            "peak_mb": peak,
        }
        if step != BARE:
            result |= {"promised_mb": promise, "within": peak <= promise}
        if "cpu_s" in results[0]:
            result["times_bare"] = results[0]["net_mb_per_cpu_s"] / result["net_mb_per_cpu_s"]
    return results


def row(result: Result) -> str:
    """Return the line of the table for one result."""
    head = f"{result['size']:<5} {result['agent']:<7} {result['step']:<16}"
    if "failed" in result:
        return f"{head} failed: {result['failed']}"
    line = f"{head} {result['cpu_s']:>7.2f} {result['mb_per_cpu_s']:>8.1f} {result['net_mb_per_cpu_s']:>8.1f}"
    line += f" {result.get('times_bare', float('nan')):>7.1f} {result['peak_mb']:>8.1f}"
    if "within" in result:
        line += f" {result['promised_mb']:>9.1f}  {'ok' if result['within'] else 'OVER'}"
    return line


def linearity(results: list[Result]) -> list[Result]:
    """Compare what a MB costs at each size with the cheapest smaller size of the same step; start-up is left out."""
    costs: dict[tuple[str, str], dict[str, float]] = {}
    for result in results:
        if "cpu_s" in result:
            costs.setdefault((result["agent"], result["step"]), {})[result["size"]] = result["net_ms_per_mb"]
    found = []
    for (agent, step), by_size in costs.items():
        per_mb = list(by_size.values())
        if len(per_mb) > 1 and step != BARE:  # of 10 MB the yardstick costs little more than its start
            growth = max(cost / min(per_mb[:n]) for n, cost in enumerate(per_mb) if n)
            found.append({"agent": agent, "step": step, "net_ms_per_mb": by_size, "growth": growth,
                          "linear": growth <= LINEAR})  # fmt: skip
    return found


def main() -> int:
    """Write the sessions, measure, print the tables."""
    parser = argparse.ArgumentParser(description="Measure panscript's speed and memory on large sessions.")
    parser.add_argument("--sizes", default="10M,100M", help="sizes of the sessions, rising (default: %(default)s)")
    parser.add_argument("--full", action="store_true", help="500 MB and 2 GB as well (takes 5 GB of disk)")
    parser.add_argument(
        "--rounds",
        type=int,
        default=3,
        help="runs of each step (default: %(default)s)",
    )
    parser.add_argument("--panscript", metavar="CMD", default=default_command(), help="default: %(default)s")
    parser.add_argument("--check", action="store_true", help="first check that the sessions are as real ones are")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all figures there, too")
    options = parser.parse_args()
    sizes = options.sizes.split(",") + (["500M", "2G"] if options.full else [])
    panscript = shlex.split(options.panscript)

    # A process of its own, because its memory would count into what is measured here.
    corpus = [sys.executable, str(Path(__file__).with_name("corpus.py")), "--sizes", ",".join(sizes)]
    if subprocess.run(corpus + ["--check"] * options.check, check=False).returncode:
        return 1
    starts = run_in_turns(
        {"panscript": [*panscript, "--version"], BARE: [sys.executable, "-c", BARE_SCRIPT, os.devnull]}, 9
    )
    start = {name: 0.0 if isinstance(taken, str) else median(s.cpu for s in taken) for name, taken in starts.items()}
    print(f"\nstart-up, CPU seconds: panscript {start['panscript']:.3f}, bare decode {start[BARE]:.3f}")
    if isinstance(starts["panscript"], str):
        print(f"panscript --version failed: {starts['panscript']}")

    print(f"\n{'':31}CPU s  MB/CPU s  less start  x bare  peak MB  promise")
    results = []
    for size in sizes:
        for agent in AGENTS:
            for result in measure_session(agent, size, panscript, options.rounds, start):
                print(row(result), flush=True)
                results.append(result)
    growths = linearity(results)
    if growths:
        print(f"\nms of CPU a MB without start-up, by size (linear: grows by no more than {LINEAR:g} times)")
    for g in growths:
        costs = "  ".join(f"{size} {cost:7.2f}" for size, cost in g["net_ms_per_mb"].items())
        print(f"{g['agent']:<7} {g['step']:<16} {costs}  x{g['growth']:.2f}  {'ok' if g['linear'] else 'NOT LINEAR'}")

    if options.json:
        machine = {"python": platform.python_version(), "system": platform.platform(), "cpus": os.cpu_count()}
        report = {"machine": machine, "panscript": options.panscript, "startup_cpu_s": start, "rounds": options.rounds,
                  "results": results, "linearity": growths}  # fmt: skip
        options.json.write_text(json.dumps(report, indent=2) + "\n")
    broken = any("failed" in r or not r.get("within", True) for r in results) or not all(g["linear"] for g in growths)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
