"""bats (TAP or ``3 tests, 1 failure, 1 skipped``), prove (``Result: PASS``) and other TAP."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line, is_number

_PROVE = {"Result: PASS": PASSED, "Result: FAIL": FAILED, "Result: NOTESTS": UNKNOWN}
_PLAN = "1.."
_TODO = "# todo"
_ERROR = "Error: Test file "


def parse(output: str) -> Outcome | None:
    """Read the summary of prove or bats; else the plan and the results, when all are there."""
    lines = output.split("\n")
    prove = next((line.strip() for line in lines if line.strip() in _PROVE), "")
    if prove:
        return Outcome(_PROVE[prove], total=_prove_total(output), line=prove)
    pretty = combine([found for line in lines if (found := _pretty(line))])
    if pretty is not None:
        return pretty
    error = first_line(output, _ERROR)
    return Outcome(FAILED, line=brief(error)) if error else _tap(lines)


def _prove_total(output: str) -> int | None:
    """Read "Files=1, Tests=2,  0 wallclock secs (...)"."""
    number = first_line(output, "Files=").partition("Tests=")[2].partition(",")[0]
    return int(number) if is_number(number) else None


def _pretty(line: str) -> Outcome | None:
    number = counts(line)
    total, failed, skipped = (number.get(key) for key in ("test", "failure", "skipped"))
    if total is None or failed is None or "assertion" in number:
        return None
    status = FAILED if failed else PASSED if total - (skipped or 0) else UNKNOWN
    return Outcome(status, failed=failed, skipped=skipped, total=total, line=brief(line))


def _tap(lines: list[str]) -> Outcome | None:
    plans = [line for line in lines if line.startswith(_PLAN)]
    planned = plans[0].removeprefix(_PLAN).partition(" ")[0] if plans else ""
    total = int(planned) if is_number(planned) else None
    results = [line for line in lines if line.startswith(("ok ", "not ok "))]
    bad = [one for one in results if one.startswith("not") and _TODO not in one.lower()]
    if bad:
        failed = len(bad) if total == len(results) else None
        return Outcome(FAILED, failed=failed, total=total, line=brief(bad[0]))
    if total == 0:
        return Outcome(UNKNOWN, total=0, line=brief(plans[0]))
    if total is None or total != len(results):
        return None
    skipped = sum("# skip" in line.lower() for line in results)
    status = PASSED if skipped < total else UNKNOWN
    return Outcome(status, failed=0, skipped=skipped, total=total, line=brief(plans[0]))
