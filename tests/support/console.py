"""Sessions of a shell as text: files, commands and what they print; each is a test.

``== name`` begins a session; what stands before the first one comes before each. In a session

- ``> path`` writes a file in the current folder (``~/`` is the home) whose lines stand below it
  behind ``| ``, ``: path`` says that a file has these lines, and ``: no path`` that there is none;
- ``$ words`` runs groundwire: variables may stand before it, ``< path`` behind it is its stdin.
  Below it stand the lines of stdout, those of stderr behind ``! ``, an exit code that is not 0
  behind ``? ``; ``~ JSON`` in place of stdout holds some keys of the objects that are printed;
- ``#: words`` is a comment. ``...`` in a line stands for anything, alone for any lines.
"""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Command

Steps = list[list[str]]


def sessions(*paths: Path) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test for each session of these files; ``steps`` is its first parameter."""
    found: dict[str, Steps] = {}
    for path in paths:
        before, *named = re.split(r"^== ", path.read_text(encoding="utf-8"), flags=re.M)
        for one in named:
            found[f"{path.stem}: {one.splitlines()[0]}"] = steps_of(before + one)
    return pytest.mark.parametrize("steps", found.values(), ids=found)


def steps_of(text: str) -> Steps:
    """Return each step as its lines."""
    steps: Steps = []
    for line in text.splitlines():
        if line[:2] in ("$ ", "> ", ": "):
            steps.append([line])
        elif steps and not line.startswith("#: "):
            steps[-1].append(line)
    return ["\n".join(step).rstrip("\n").split("\n") for step in steps]


def play(cli: Command, steps: Steps) -> None:
    """Run the steps of a session in the folder of ``cli``."""
    for first, *lines in steps:
        if first.startswith("$ "):
            _run(cli, first, lines)
            continue
        name = first[2:].removeprefix("no ")
        path = cli.home / name[2:] if name.startswith("~/") else cli.folder / name
        if first.startswith("> "):
            cli.write(str(path), _behind("| ", lines))
        elif first.startswith(": no "):
            assert not path.exists(), first
        else:
            _same(path.read_text(encoding="utf-8"), _behind("| ", lines), first)


def _run(cli: Command, first: str, lines: list[str]) -> None:
    words = shlex.split(first[2:].replace("~/", f"{cli.home}/"))
    at = words.index("groundwire")
    env = dict(word.split("=", 1) for word in words[:at])
    data = (cli.folder / words.pop()).read_bytes() if words[-2] == "<" else b""
    done = cli(*[word for word in words[at + 1 :] if word != "<"], stdin=data, env=env)
    printed, told = (one.decode().replace(str(cli.home), "~") for one in (done.stdout, done.stderr))
    shown = f"{first}\n{printed}{told}"
    assert str(done.returncode) == (_behind("? ", lines).strip() or "0"), shown
    _same(told, _behind("! ", lines), shown)
    parts = _behind("~ ", lines).splitlines()
    if parts:
        whole = [json.loads(printed)] if len(parts) == 1 else map(json.loads, printed.splitlines())
        for wanted, found in zip(map(json.loads, parts), whole, strict=True):
            assert part(found, wanted) == wanted, shown
    else:
        _same(printed, "".join(f"{one}\n" for one in lines if one[:2] not in ("! ", "? ")), shown)


def _behind(sign: str, lines: list[str]) -> str:
    return "".join(f"{line[2:]}\n" for line in lines if line[:2] == sign or line == sign.strip())


def _same(text: str, wanted: str, shown: str) -> None:
    pattern = re.sub(r"^\.\.\.\n", "\0", wanted, flags=re.M).split("\0")
    parts = [re.escape(one).replace(re.escape("..."), "[^\n]*") for one in pattern]
    assert re.fullmatch("(?:.*\n)*".join(parts), text), f"{shown}\ninstead of\n{wanted}"


def part(found: Any, wanted: Any) -> Any:
    """Return what ``found`` holds of the keys of ``wanted``, at any depth; ``a...`` is a start."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return {key: part(found.get(key), one) for key, one in wanted.items()}
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        return [part(*pair) for pair in zip(found, wanted, strict=True)]
    if isinstance(wanted, str) and wanted.endswith("...") and isinstance(found, str):
        return wanted if found.startswith(wanted[:-3]) else found
    return found
