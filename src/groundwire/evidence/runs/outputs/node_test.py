"""node --test in its spec (``i pass 2``) and TAP (``# pass 2``) form; other TAP with a summary."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, first_line, is_number

_BULLETS = ("\u2139", "#")
_KEYS = frozenset("tests pass fail cancelled skipped todo".split())
_NOT_STARTED = "Could not find '"


def parse(output: str) -> Outcome | None:
    """Read each summary; without one, a test that failed or a path that does not exist."""
    groups: list[dict[str, int]] = []
    lines: list[str] = []
    for line in output.split("\n"):
        words = line.split()
        if len(words) != 3 or words[0] not in _BULLETS or words[1] not in _KEYS:
            continue
        key = words[1]
        if is_number(words[2]):
            if not groups or key in groups[-1] or key == "tests":
                groups.append({})
                lines.append(line)
            groups[-1][key] = int(words[2])
            if key == "fail" and groups[-1][key]:
                lines[-1] = line
    outcomes = [
        _outcome(number, line)
        for number, line in zip(groups, lines, strict=True)
        if "fail" in number or "pass" in number
    ]
    return combine(outcomes) or _without_summary(output)


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
    failed = first_line(output, "not ok ", "\u2716 ", _NOT_STARTED)
    return Outcome(FAILED, line=brief(failed)) if failed and "# TODO" not in failed else None
