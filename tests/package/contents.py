"""What users get holds nothing else: ``contents.py sdist|wheel FILE`` and ``contents.py checkout``.

The checkout is what Claude Code clones for the plugin: every file that git has.
"""

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

TABLES = tomllib.loads(Path(__file__).with_name("contents.toml").read_text(encoding="utf-8"))
SDIST: dict[str, str] = TABLES["sdist"]
ALLOWED = {"sdist": SDIST, "wheel": TABLES["wheel"], "checkout": SDIST | TABLES["checkout"]}
MOST_BYTES: dict[str, int] = TABLES["most_bytes"]


def contents(what: str, path: str) -> tuple[list[str], int]:
    """Return the names of the files and what they take up: packed, or as a checkout."""
    if what == "sdist":
        with tarfile.open(path) as archive:
            names = [one.name.partition("/")[2] for one in archive if one.isfile()]
        return [name for name in names if name != "PKG-INFO"], os.path.getsize(path)
    if what == "wheel":
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if ".dist-info/" not in name]
        return names, os.path.getsize(path)
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.split("\0") if os.path.exists(name)]
    return names, sum(map(os.path.getsize, names))


def strangers(names: list[str], allowed: dict[str, str]) -> Iterator[str]:
    """Yield the names that are in no allowed folder, or of another kind than belongs there."""
    for name in names:
        folders = [place for place in allowed if name.startswith(f"{place}/")]
        kind = os.path.splitext(name)[1].removeprefix(".")
        known = {kind for place in folders for kind in (allowed[place].split() or [""])}
        if name not in allowed and kind not in known:
            yield name


def main(what: str, path: str = "") -> int:
    """Print what is there; 1 with a file that does not belong there or too many bytes."""
    names, size = contents(what, path)
    odd = sorted(strangers(names, ALLOWED[what]))
    for name in odd:
        print(f"{what}: {name} is not needed there")
    print(f"{what}: {len(names)} files, {size:,} of {MOST_BYTES[what]:,} bytes")
    return int(bool(odd) or not names or size > MOST_BYTES[what])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
