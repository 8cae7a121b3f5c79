"""The repository speaks of itself alone: no path of somebody's machine, no host of a package index."""

import re
import subprocess
from pathlib import Path

from tests.repository import ROOT

# Put together here, so that this file may stand under its own rule.
PATHS = ["/wo" + "rk/", "/tmp/ve" + "nv", "/ro" + "ot/", "../sha" + "red"]
HOSTS = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "npm" + "js.com",
    "crates" + ".io",
    "deb.deb" + "ian.org",
]
FOREIGN = re.compile(
    # `/home/ana` + PATHS[0] is a folder of an invented person; what counts is the path from the root.
    "|".join([rf"(?<![\w.~@-]){re.escape(path)}" for path in PATHS] + [re.escape(host) for host in HOSTS])
)


def _files() -> list[Path]:
    """The files git holds or would take, or all of them outside a clone."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listing.returncode == 0 and listing.stdout:
        paths = [ROOT / name.decode() for name in listing.stdout.split(b"\0") if name]
    else:
        paths = list(ROOT.rglob("*"))
    return [path for path in paths if path.is_file() and not path.is_symlink() and "__pycache__" not in path.parts]


def test_no_file_names_a_machine_path_or_a_package_index() -> None:
    found = []
    for path in _files():
        text = path.read_bytes().decode("utf-8", "replace")
        for number, line in enumerate(text.split("\n"), 1):
            if match := FOREIGN.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {match[0]}")
    assert found == []


def test_the_rule_tells_a_path_from_the_root_from_a_folder_of_that_name() -> None:
    assert FOREIGN.search("see " + PATHS[0] + "notes")
    assert FOREIGN.search(f'"{PATHS[0]}x"')
    assert FOREIGN.search("https://files." + HOSTS[1] + "/packages")
    assert not FOREIGN.search("/home/ana" + PATHS[0] + "notes")
    assert not FOREIGN.search("workspace/root/x")
