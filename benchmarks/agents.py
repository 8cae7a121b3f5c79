"""How fast, and in how much memory, the sessions of each agent are counted, read and converted.

One large session for each agent, in the form in which it keeps them today (corpus_others.py), beside one of Claude Code
(corpus.py). Every step is a fresh process, in user and system CPU time, the least of the rounds: here small differences
are looked at, and other work on the machine only ever adds. What a MB takes is told without what the same command takes
for the shortest session of the agent: the start, which has nothing to do with the size. MB are those of rows and lines,
unpacked where they are stored compressed.

`python benchmarks/agents.py` writes its sessions itself, checks that a read finds every message, call and result of
them, and exits 1 if it does not, or if a step failed. A step is marked with `*` where an agent that writes lines is
less than half as fast as Claude Code.
"""

import argparse
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from measure import CACHE, default_command
from run import run_in_turns

AGENTS = tuple(
    "gemini droid copilot qwen kimi amp cline roocode opencode kilocode openclaw goose antigravity dsh".split()
)
YARDSTICK, SIZE, SMALL = "claude", "30M", "1M"
STEPS = {
    "usage": "usage --from {agent} --home {home}",
    "read": "events {path} --from {agent} --full",
    "to pi": "convert {path} --from {agent} --to pi --no-redact -o -",
}
SLOW = 0.5

Result = dict[str, Any]


def session(agent: str) -> Result:
    """Return what its corpus noted about the session of an agent, and about the shortest of its kind (`small`)."""
    if agent != YARDSTICK:
        found: Result = json.loads((CACHE / "others" / agent / "session.json").read_bytes())
        return found
    large, small = (_of_yardstick(size) for size in (SIZE, SMALL))
    return {**large, "small": small}


def _of_yardstick(size: str) -> Result:
    noted = json.loads((CACHE / size / f"{YARDSTICK}.json").read_bytes())
    home = CACHE / "others" / YARDSTICK / size
    link = home / ".claude/projects/-home-dev-app" / Path(noted["path"]).name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.hardlink_to(noted["path"])
    return {"agent": YARDSTICK, "form": "lines", "path": str(link), "home": str(home), "bytes": noted["bytes"]}


def measure_agent(about: Result, panscript: list[str], rounds: int) -> dict[str, Result]:
    """Return, for each step, what it took."""
    commands = {}
    for step, line in STEPS.items():
        for name, each in ((step, about), (f"{step}, small", about["small"])):
            commands[name] = [*panscript, *(word.format(**each) for word in line.split())]
    taken = run_in_turns(commands, rounds)
    results: dict[str, Result] = {}
    for step in STEPS:
        large, small = taken[step], taken[f"{step}, small"]
        if isinstance(large, str) or isinstance(small, str):
            results[step] = {"failed": large if isinstance(large, str) else small}
            continue
        cpu, start = min(s.cpu for s in large), min(s.cpu for s in small)
        results[step] = {
            "cpu_s": cpu,
            "start_s": start,
            "mb_per_cpu_s": (about["bytes"] - about["small"]["bytes"]) / 10**6 / max(cpu - start, 0.001),
            "peak_mb": max(s.peak for s in large),
        }
    return results


def row(about: Result, results: dict[str, Result], yardstick: dict[str, Result]) -> str:
    """Return the line of the table for one agent; marks what is slow."""
    line = f"{about['agent']:<12} {about['form']:<9} {about['bytes'] / 10**6:>5.0f}"
    for step, result in results.items():
        if "failed" in result:
            return f"{line}  {step} failed: {result['failed']}"
        slow = about["form"] == "lines" and result["mb_per_cpu_s"] < SLOW * yardstick[step].get("mb_per_cpu_s", 0)
        result["slow"] = slow
        mark = "*" if slow else " "
        line += f"  {result['cpu_s']:>6.2f} {result['mb_per_cpu_s']:>6.0f}{mark} {result['peak_mb']:>5.0f}"
    return line


def main() -> int:
    """Write the sessions, measure, print the table."""
    parser = argparse.ArgumentParser(description="Measure panscript on a large session of each agent.")
    parser.add_argument("--agents", default=",".join(AGENTS), help="separated by commas (default: all but the two)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each step (default: %(default)s)")
    parser.add_argument("--panscript", metavar="CMD", default=default_command(), help="default: %(default)s")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all figures there, too")
    options = parser.parse_args()
    panscript = shlex.split(options.panscript)

    # Processes of their own, because their memory would count into what is measured here.
    here = Path(__file__).parent
    others = ["--agents", options.agents, "--check", "--panscript", options.panscript]
    corpus = [sys.executable, str(here / "corpus.py"), "--sizes", f"{SMALL},{SIZE}"]
    subprocess.run(corpus, check=True, stdout=subprocess.DEVNULL)
    if subprocess.run([sys.executable, str(here / "corpus_others.py"), *others], check=False).returncode:
        return 1
    print("\nCPU s, MB per CPU s without the start, peak MB of")
    print(f"{'':28}" + "".join(f"  {step:^20}" for step in STEPS))

    results: dict[str, dict[str, Result]] = {}
    for agent in (YARDSTICK, *options.agents.split(",")):
        about = session(agent)
        results[agent] = measure_agent(about, panscript, options.rounds)
        print(row(about, results[agent], results[YARDSTICK]), flush=True)
    if options.json:
        options.json.write_text(json.dumps({"rounds": options.rounds, "results": results}, indent=2) + "\n")
    return 1 if any("failed" in each for steps in results.values() for each in steps.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
