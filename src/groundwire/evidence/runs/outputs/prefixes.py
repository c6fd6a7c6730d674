"""Lines without what CI, docker and workspace runners write before each of them."""

from __future__ import annotations

_DIGITS_TO_SHAPE = str.maketrans("0123456789", "##########")
_SAMPLE = 20
_LEAST_LINES = 3
_LONGEST_NAME = 60


def without_prefixes(lines: list[str]) -> list[str]:
    """Drop times, job names, step numbers and package names before the lines.

    Lines of several packages that run at the same time are put together by package, so that a
    summary of several lines stays in one piece. Lines without such a prefix are kept; the order of
    the rest does not change. Linear in the lines.
    """
    sample = [line for line in (*lines[:_SAMPLE], *lines[-_SAMPLE:]) if "T" in line or "#" in line]
    if sum(_without_ci(line) != line for line in sample) >= _LEAST_LINES:
        lines = [_without_ci(line) for line in lines]
    sample = [line for line in (*lines[:_SAMPLE], *lines[-_SAMPLE:]) if ":" in line]
    if sum(bool(_package(line)) for line in sample) >= _LEAST_LINES:
        lines = _by_package(lines)
    return lines


def _without_ci(line: str) -> str:
    """Drop "job<TAB>step<TAB>time " (``gh run view --log``), "time " or "#7 0.52 " (docker)."""
    cells = line.split("\t", 2)
    text = cells[2] if len(cells) == 3 and _has_date(cells[2]) else line
    if _has_date(text):
        return text.partition(" ")[2]
    if text.startswith("#"):
        step, _, rest = text.partition(" ")
        seconds, _, behind = rest.partition(" ")
        whole, dot, part = seconds.partition(".")
        if step[1:].isdigit() and dot and whole.isdigit() and part.isdigit():
            return behind
    return text


def _has_date(text: str) -> bool:
    return text[:11].translate(_DIGITS_TO_SHAPE) == "####-##-##T"


def _by_package(lines: list[str]) -> list[str]:
    packages: dict[str, list[str]] = {}
    rest: list[str] = []
    for line in lines:
        name = _package(line)
        if name:
            packages.setdefault(name, []).append(line[len(name) + 2 :])
        else:
            rest.append(line)
    return [line for group in packages.values() for line in group] + rest


def _package(line: str) -> str:
    """Return "api:test" of "api:test: text" (turbo), "libs/api test" (pnpm -r) or ""."""
    name, colon, _ = line[:_LONGEST_NAME].partition(": ")
    if not colon and line.endswith(":") and len(line) < _LONGEST_NAME:
        name = line[:-1]
    words = name.split(" ")
    if len(words) == 2:  # a folder and a script
        folder, script = words
        is_folder = "/" in folder or folder == "."
        return name if is_folder and script[:1].isalpha() and "/" not in script else ""
    package, colon, task = name.rpartition(":")
    return name if len(words) == 1 and colon and package and task[:1].isalpha() else ""
