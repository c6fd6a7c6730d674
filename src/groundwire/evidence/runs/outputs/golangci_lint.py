"""golangci-lint: ``0 issues.``, ``2 issues:``, or only the findings (version 1)."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.go_build import is_diagnostic
from groundwire.evidence.runs.outputs.lines import brief, is_number

_CLEAN = "0 issues."
_ISSUES = " issues:"
_BROKEN = ("ERRO ", "level=error ", "Error: ", "The command is terminated due to an error: ")
_NOTHING = "no go files to analyze"


def parse(output: str) -> Outcome | None:
    """Read the summaries; without one, what kept it from running, or the first finding."""
    lines = output.split("\n")
    outcome = combine([found for line in lines if (found := _summary(line))])
    broken = next((line for line in lines if line.startswith(_BROKEN)), "")
    if broken.endswith(_NOTHING):
        return Outcome(UNKNOWN, total=0, line=brief(broken))
    if outcome is not None and (outcome.status == FAILED or not broken):
        return outcome
    finding = broken or next((line for line in lines if _is_finding(line)), "")
    return Outcome(FAILED, line=brief(finding)) if finding else None


def _summary(line: str) -> Outcome | None:
    if line == _CLEAN:
        return Outcome(PASSED, errors=0, line=line)
    number = line.removesuffix(_ISSUES)
    if number == line or not is_number(number):
        return None
    return Outcome(FAILED, errors=int(number), line=line)


def _is_finding(line: str) -> bool:
    """Tell whether ``line`` is "cart/cart.go:12:16: text (errcheck)"."""
    return is_diagnostic(line) and line.endswith(")")
