"""terraform and tofu: ``Success! ...``, ``Plan: 1 to add``, ``Apply complete!``, ``Error: ...``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.lines import brief, counts

_BOX = "\u2502 "
_FAILED = ("Error: ", "Failure! ", "Apply cancelled.", "Destroy cancelled.", '"valid": false')
_DONE = (
    "Success! ",
    "Plan: ",
    "No changes.",
    "Apply complete!",
    "Destroy complete!",
    "Terraform has been successfully initialized!",
    "OpenTofu has been successfully initialized!",
    '"valid": true',
)
_TESTS = ("Failure! ", "Success! ")


def parse(output: str) -> Outcome | None:
    """Read the first error, else the last step that was done (a plan is not an apply)."""
    failed = done = tests = ""
    for line in output.split("\n"):
        text = line.removeprefix(_BOX).strip()
        if line.startswith(_TESTS) and text.endswith(" failed."):
            tests = text  # of terraform test; its errors stand above
        elif text.startswith(_FAILED) and not line.startswith("   "):
            failed = failed or text
        elif text.startswith(_DONE):
            done = text
    if tests:
        number = counts(tests.partition("! ")[2])
        status = FAILED if number.get("failed") else PASSED
        passed = number.get("passed")
        return Outcome(status, passed=passed, failed=number.get("failed"), line=brief(tests))
    if failed:
        return Outcome(FAILED, line=brief(failed))
    return Outcome(PASSED, line=brief(done)) if done else None
