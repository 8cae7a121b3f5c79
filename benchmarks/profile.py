"""Where the time of one command goes: cProfile of it on a synthetic session, the functions that cost most.

The profiler runs in a process of its own: it imports the standard library's `profile`, which this file would hide.
"""

import argparse
import pstats
import subprocess
import sys

from corpus import CACHE, SESSIONS, write
from measure import ROOT


def main() -> int:
    """Profile `panscript convert` (or the command given) and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--agent", choices=SESSIONS, default="claude")
    parser.add_argument("--size", default="10M")
    parser.add_argument("--command", default="convert {path} --to pi -o -", help="default: %(default)s")
    parser.add_argument("--sort", default="tottime", help="tottime (default), cumulative, ncalls")
    parser.add_argument("--top", type=int, default=30, help="number of functions (default: %(default)s)")
    options = parser.parse_args()
    path = write(options.agent, options.size).path
    stats = CACHE / "profile.stats"
    stats.unlink(missing_ok=True)
    words = [word.format(path=path) for word in options.command.split()]
    command = [sys.executable, "-m", "cProfile", "-o", str(stats), "-m", "panscript.cli", *words]
    # From .src panscript can be imported without being installed, and no file there hides a module.
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, cwd=ROOT / ".src", check=False)
    if stats.exists():
        pstats.Stats(str(stats)).sort_stats(options.sort).print_stats(options.top)
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main())
