"""npm, pnpm and yarn themselves: a script or an installation that failed or is done."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.lines import brief, first_line, is_number

_FAILED_STARTS = (
    "npm error ",
    "npm ERR! ",
    "ELIFECYCLE",
    "ERR_PNPM_",
    "[ERR_PNPM_",
    "ERROR  run failed:",  # turbo
    "Usage Error: Couldn't find",  # yarn 2 and later
)
_YARN_ERROR = "error "
_YARN_HELP = "info Visit "
_INSTALLED_STARTS = ("added ", "changed ", "removed ", "up to date in ", "up to date, ")
_DONE_STARTS = ("Done in ", "Done with warnings in ")
_BERRY_PREFIX = "\u27a4 YN0000: \u00b7 "


def parse(output: str) -> Outcome | None:
    """Read the lines of the package manager; what the script itself printed is not its own."""
    failed = first_line(output, *_FAILED_STARTS)
    if not failed and first_line(output, _YARN_HELP):
        failed = first_line(output, _YARN_ERROR)
    if not failed:
        failed = next((line for line in output.split("\n") if _is_missing_tool(line)), "")
    if failed:
        return Outcome(FAILED, line=brief(failed))
    done = ""
    lines = output.rstrip().split("\n")
    for line in lines:
        if line.startswith(_BERRY_PREFIX + "Failed with errors"):
            return Outcome(FAILED, line=brief(line))
        if _is_installed(line) or line.startswith(_BERRY_PREFIX + "Done"):
            done = line
    if lines[-1].startswith(_DONE_STARTS):
        done = lines[-1]
    return Outcome(PASSED, line=brief(done)) if done else None


def _is_missing_tool(line: str) -> bool:
    """Tell whether ``line`` is "sh: 1: jest: not found", from the shell that runs the script."""
    return line.startswith("sh: ") and line.endswith("not found")


def _is_installed(line: str) -> bool:
    """Tell whether ``line`` is "added 3 packages in 2s" or the like."""
    if not line.startswith(_INSTALLED_STARTS):
        return False
    words = line.split()
    return line.startswith("up to date") or (
        len(words) > 2 and is_number(words[1]) and words[2].startswith("package")
    )
