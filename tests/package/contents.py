"""What users get holds nothing else: ``contents.py sdist|wheel FILE`` and ``contents.py checkout``.

The checkout is what Claude Code clones for the plugin: every file that git has.
"""

import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator

CODE = {
    "groundwire": "py typed css js json",
    "groundwire_admin": "py typed css js json",
    "groundwire_fleet": "py css",
    "groundwire/judge/prompts": "md",
    "claude": "py",
}
DATA = dict.fromkeys(("patterns", "outcomes", "programs", "model"), "toml")
#: Folders and single files, with the kinds of files in them.
SDIST = {
    **{f"src/{name}": kinds for name, kinds in CODE.items()},
    **DATA,
    **dict.fromkeys(("hatch_build.py", "pyproject.toml", "README.md", "CHANGELOG.md"), ""),
    **dict.fromkeys(("LICENSE", ".gitignore"), ""),
}
CHECKOUT = {
    **SDIST,
    ".ci": "",
    ".claude-plugin": "json png",
    **dict.fromkeys((".pre-commit-hooks.yaml", "action.yml"), ""),
    "commands": "md",
    "hooks": "json py sh",
    "docs": "md py svg toml css",
    "tests": "c py sh toml txt json jsonl http console pages",
    "fixtures": "json jsonl php py sh swift",
    "benchmarks": "py json jsonl md",
    **dict.fromkeys(
        ("CONTRIBUTING.md", "SECURITY.md", "Makefile", "constraints.txt", "mkdocs.yml"), ""
    ),
}
WHEEL = {
    **CODE,
    **{f"groundwire/{name}": "toml" for name in ("patterns", "outcomes", "programs", "weights")},
}
MOST_BYTES = {"sdist": 3_000_000, "wheel": 3_000_000, "checkout": 8_000_000}


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
    allowed = {"sdist": SDIST, "wheel": WHEEL, "checkout": CHECKOUT}[what]
    names, size = contents(what, path)
    odd = sorted(strangers(names, allowed))
    for name in odd:
        print(f"{what}: {name} is not needed there")
    print(f"{what}: {len(names)} files, {size:,} of {MOST_BYTES[what]:,} bytes")
    return int(bool(odd) or not names or size > MOST_BYTES[what])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
