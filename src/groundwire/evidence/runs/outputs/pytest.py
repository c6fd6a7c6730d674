"""pytest: ``== 1 failed, 4 passed in 0.12s ==``, with -q without the bars, with pytest-sugar."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts

_WORDS = frozenset(
    "passed failed skipped deselected xfailed xpassed warning error rerun subtest".split()
)
_NOTHING = "no tests ran"
#: Fatal, whatever the summary counts.
_FATAL = ("INTERNALERROR>", "FAIL Required test coverage", "ERROR: Coverage failure:")
#: Fatal when there is no summary or nothing ran; a test may print such lines.
_NOT_STARTED = (
    "ERROR: file or directory not found:",
    "ERROR: not found:",
    "ERROR: usage:",
    "ImportError while loading conftest",
)
_INTERRUPTED = ("Interrupt", "outcomes.Exit:", "stopping after ")
_NAMED = ("FAILED", "ERROR")


def parse(output: str) -> Outcome | None:
    """Read the summaries; without one, the lines that name failed tests or what went wrong."""
    lines = output.split("\n")
    outcomes = []
    collected = None
    for index, line in enumerate(lines):
        if "collected " in line or " workers [" in line:
            collected = _collected(line)
        found = _summary(line) or _sugar_summary(lines, index)
        if found:
            outcomes.append(_outcome(found, collected, line))
            collected = None
    outcome = combine(outcomes)
    if outcome is None or outcome.status != FAILED:
        trouble = _trouble(lines, ran=outcome is not None and outcome.total != 0)
        if trouble:
            return (outcome or Outcome()).replace(status=FAILED, line=brief(trouble.strip("! ")))
    return outcome


def _summary(line: str) -> str:
    """Return "1 failed, 4 passed" of a summary line, "" of any other line."""
    if " in " not in line:
        return ""
    found, _, time = line.strip(" =").rpartition(" in ")
    seconds = time.split(" ", 1)[0].removesuffix("s")
    if not seconds.replace(".", "", 1).isdigit():
        return ""
    if found == _NOTHING:
        return found
    parts = found.split(",")
    words = counts(found)
    return found if len(words) == len(parts) and _WORDS.issuperset(words) else ""


def _sugar_summary(lines: list[str], index: int) -> str:
    """Return the counts below "Results (0.12s):", which stand on lines of their own."""
    if not lines[index].startswith("Results ("):
        return ""
    below = [line.strip() for line in lines[index + 1 : index + 10]]
    return ", ".join(line for line in below if _WORDS.issuperset(counts(line) or ("",)))


def _collected(line: str) -> int | None:
    """Return 4 of "collected 6 items / 2 deselected / 4 selected" and of "2 workers [4 items]"."""
    _, workers, items = line.partition(" workers [")
    found = counts(items.rstrip("]") if workers else line.partition("collected ")[2], "/")
    return found.get("selected", found.get("item"))


def _outcome(found: str, collected: int | None, line: str) -> Outcome:
    number = counts(found)
    failed, errors = number.get("failed"), number.get("error")
    ran = any(number.get(word) for word in ("passed", "xfailed", "xpassed"))
    status = FAILED if failed or errors else PASSED if ran else UNKNOWN
    nothing = found == _NOTHING or set(number) <= {"deselected", "warning"}
    return Outcome(
        status,
        passed=number.get("passed"),
        failed=failed,
        skipped=number.get("skipped"),
        errors=errors,
        total=0 if nothing else collected,
        line=brief(line.strip("= ") if found in line else found),
    )


def _trouble(lines: list[str], ran: bool) -> str:
    for line in lines:
        if line.startswith(_FATAL) or _is_interrupted(line):
            return line
        if not ran and (line.startswith(_NOT_STARTED) or _names_test(line)):
            return line
    return ""


def _is_interrupted(line: str) -> bool:
    """Tell whether ``line`` is "!!!! Interrupted: 1 error during collection !!!!" or the like."""
    bars = line.startswith("!!!") and line.endswith("!!!")
    return bars and any(word in line for word in _INTERRUPTED)


def _names_test(line: str) -> bool:
    """Tell whether ``line`` is "FAILED tests/test_a.py::test_b" or "...::test_b FAILED [ 50%]"."""
    if not any(word in line for word in _NAMED):
        return False
    words = line.split()
    if words[0] in _NAMED:
        return len(words) > 1 and (".py::" in words[1] or words[1].endswith(".py"))
    return any(".py::" in word for word in words) and any(word in _NAMED for word in words)
