"""node --test in its spec (``i pass 2``) and TAP (``# pass 2``) form; other TAP with a summary."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, is_number

_BULLETS = ("\u2139", "#")
_KEYS = frozenset("tests pass fail cancelled skipped todo".split())
_CROSS = "\u2716 "
_NOT_STARTED = "Could not find '"


def parse(output: str) -> Outcome | None:
    """Read each summary; without one, a test that failed or a path that does not exist."""
    groups: list[dict[str, int]] = []
    lines: list[str] = []
    for line in output.split("\n"):
        key, number = _count(line)
        if not key:
            continue
        if not groups or key in groups[-1] or key == "tests":
            groups.append({})
            lines.append(line)
        groups[-1][key] = number
        if key == "fail" and number:
            lines[-1] = line
    outcomes = [
        _outcome(number, line)
        for number, line in zip(groups, lines, strict=True)
        if "fail" in number or "pass" in number
    ]
    return combine(outcomes) or _without_summary(output)


def _count(line: str) -> tuple[str, int]:
    """Read "# pass 2"; ("", 0) for any other line."""
    words = line.split(None, 3)
    is_count = len(words) == 3 and words[0] in _BULLETS and words[1] in _KEYS
    return (words[1], int(words[2])) if is_count and is_number(words[2]) else ("", 0)


def _outcome(number: dict[str, int], line: str) -> Outcome:
    failed, passed, total = number.get("fail"), number.get("pass"), number.get("tests")
    broken = number.get("cancelled")
    if failed or broken:
        status = FAILED
    elif passed == 0:
        status = UNKNOWN
    else:
        status = PASSED if failed == 0 or passed == total else UNKNOWN
    return Outcome(status, passed, failed, number.get("skipped"), broken, total, brief(line))


def _without_summary(output: str) -> Outcome | None:
    failed = next((line for line in output.split("\n") if _is_failed(line.strip())), "")
    return Outcome(FAILED, line=brief(failed)) if failed else None


def _is_failed(text: str) -> bool:
    """Tell whether ``text`` is "not ok 2 - name" or, with a cross, "name (0.77ms)"."""
    if text.startswith("not ok "):
        return "# TODO" not in text
    return text.startswith(_NOT_STARTED) or (text.startswith(_CROSS) and text.endswith("ms)"))
