"""What it costs to start panscript: `panscript --help` beside a bare interpreter, in turns, medians of 20."""

import argparse
import shlex
import sys
from statistics import median

from measure import Failed, Sample, default_command, run_once


def main() -> int:
    """Print CPU time and peak memory of both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--panscript", metavar="CMD", default=default_command())
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    commands = {
        "bare interpreter": [sys.executable, "-c", "pass"],
        "panscript --version": [*shlex.split(options.panscript), "--version"],
        "panscript --help": [*shlex.split(options.panscript), "--help"],
    }
    samples: dict[str, list[Sample]] = {name: [] for name in commands}
    try:
        for _ in range(options.rounds):
            for name, command in commands.items():
                samples[name].append(run_once(command))
    except Failed as failure:
        print(failure, file=sys.stderr)
        return 1
    for name, taken in samples.items():
        print(f"{name:<20} {median(s.cpu for s in taken) * 1000:6.0f} ms CPU  {median(s.peak for s in taken):5.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
