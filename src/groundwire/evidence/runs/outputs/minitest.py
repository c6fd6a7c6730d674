"""minitest, test-unit and rake: ``2 runs, 2 assertions, 1 failures, 0 errors, 0 skips``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts

_ABORTED = "rake aborted!"
_UNTOLD = "Command failed with status"
_ERROR_ENDS = ("Error)", "Errno::ENOENT)")
_NOT_RUN = ("skip", "pending", "omission")


def parse(output: str) -> Outcome | None:
    """Read the summaries; without one, why Ruby or rake stopped."""
    lines = output.split("\n")
    outcomes = [found for line in lines if (found := _summary(line))]
    if outcomes:
        return combine(outcomes)
    stopped = next((line for line in lines if _is_uncaught(line)), "") or _aborted(lines)
    return Outcome(FAILED, line=brief(stopped)) if stopped else None


def _summary(line: str) -> Outcome | None:
    if " assertions, " not in line or not line[:1].isdigit():
        return None
    number = counts(line)
    total = number.get("run", number.get("test"))
    failed, errors = number.get("failure"), number.get("error")
    skipped = sum(number.get(name, 0) for name in _NOT_RUN)
    ran = (total or 0) - skipped
    status = FAILED if failed or errors else PASSED if ran else UNKNOWN
    return Outcome(
        status, failed=failed, skipped=skipped, errors=errors, total=total, line=brief(line)
    )


def _is_uncaught(line: str) -> bool:
    """Tell whether ``line`` is "test/a.rb:3:in `require': cannot load such file (LoadError)"."""
    return line.rstrip().endswith(_ERROR_ENDS) and ":in " in line


def _aborted(lines: list[str]) -> str:
    """Return what rake says below "rake aborted!", or that line when it says nothing of itself."""
    if _ABORTED not in lines:
        return ""
    below = "".join(lines[lines.index(_ABORTED) + 1 :][:1])
    return below if below and not below.startswith(_UNTOLD) else _ABORTED
