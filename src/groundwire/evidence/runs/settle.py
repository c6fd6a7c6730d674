"""What the end of a call says about runs whose outcome the output does not show."""

from __future__ import annotations

from groundwire.evidence.runs.exits import PIPED
from groundwire.evidence.runs.model import (
    FAILED,
    GIT,
    LINT,
    OTHER,
    PASSED,
    TEST,
    TYPES,
    UNKNOWN,
    Outcome,
)
from groundwire.evidence.runs.results import STOPPED, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.visible import Candidate

_LONGEST_LINE = 200
_LINES_SEARCHED = 60
_CRASHES = (
    "Segmentation fault",
    "(core dumped)",
    "malloc(): ",
    "free(): ",
    "double free or corruption",
    "stack smashing detected",
    "terminate called after throwing",
    "thread 'main' panicked",
    "panic: ",
    "fatal error: ",
    "Unhandled exception",
    "make: *** ",
)
_SHELL_STARTS = ("bash: ", "/bin/bash: ", "/bin/sh: ", "sh: ", "zsh: ", "(eval):", "env: ")
_NOT_FOUND = ("command not found", "o such file or directory", "ermission denied", "not found")
_GIT_FAILURES = ("fatal: ", "error: ", " ! [", "CONFLICT (", "nothing to commit", "Aborting commit")
_GIT_SUCCESSES = (" files changed", " file changed", " -> ", "Everything up-to-date")
_ERROR_WORDS = ("error", "fail", "fatal", "not found", "no such file", "exception", "cannot")
_UP_TO_DATE = (" is up to date.", "Nothing to be done for ")
#: Tools that print nothing when all is well.
_SILENT = frozenset("tsc gcc eslint flake8 shellcheck yamllint hadolint mypy go".split())
_SILENT_KINDS = (LINT, TYPES)
_HARMLESS_PIPES = ("head", "tail", "cat", "tee", "less")


def settle(candidates: list[Candidate], result: Result, is_last: bool) -> None:
    """Give every candidate an outcome, and the reason for distrust where the end hides it.

    ``is_last``: nothing that counts follows the last candidate in its call.
    """
    _only_one_of_a_chain_fails(candidates)
    waiting = [one for one in candidates if one.outcome is None]
    for candidate in waiting:
        if candidate.command.hidden or candidate.command.status_text:
            candidate.outcome = _shown(candidate, result.text, len(waiting) == 1)
    if result.failed and not result.interrupted:
        _blame(candidates, result, is_last)
    for candidate in candidates:
        if candidate.outcome is None:
            candidate.outcome = _by_end(candidate, result)


def _only_one_of_a_chain_fails(candidates: list[Candidate]) -> None:
    """In ``a && b`` the second is only run when the first passed.

    When both parsers see a failure in the common output it is left to the last one, which did not
    pass in any case.
    """
    for at, one in enumerate(candidates):
        is_piped = one.command.hidden.startswith(PIPED)
        for later in candidates[at + 1 :]:
            if later.chain != one.chain or is_piped:
                break
            if _failed(one) and _failed(later):
                one.outcome = None
                one.distrust = "it or the next command failed"
                break


def _by_end(candidate: Candidate, result: Result) -> Outcome:
    command = candidate.command
    if result.interrupted:
        return Outcome(line="interrupted")
    if result.failed is None:
        return Outcome(line="still running" if result.task else "no result")
    if result.timed_out and not command.hidden:
        return _stopped(candidate, result)
    if command.hidden or command.status_text or result.failed:
        candidate.distrust = candidate.distrust or command.hidden or "its exit status is not shown"
        if result.cut:
            candidate.distrust += ", and the output was cut"
        return Outcome()
    line = _nothing_done(candidate, result.text)
    return Outcome(line=line) if line else Outcome(PASSED, line="exit status 0")


def _blame(candidates: list[Candidate], result: Result, is_last: bool) -> None:
    """The call failed: say which of the commands joined by ``&&`` did."""
    visible = [one for one in candidates if not one.command.hidden and not one.command.status_text]
    guilty = next((one for one in visible if _failed(one)), None)
    if guilty is not None:
        at = candidates.index(guilty)
        for one in candidates[:at]:
            if one in visible and not one.distrust:
                one.outcome = one.outcome or Outcome(PASSED, line="exit status 0")
        for one in candidates[at + 1 :]:
            one.ran = one.outcome is not None or one.command.connector != "&&"
        return
    if not visible or not is_last:
        return
    last = visible[-1]
    if last.outcome is None:
        # Either it failed, or something before it did and it was not run.
        last.outcome = _stopped(last, result) if result.timed_out else _failure(result)
    elif last.outcome.status == PASSED:
        last.distrust = f"{_code(result)} in spite of a line that looks well"
        last.outcome = last.outcome.replace(status=UNKNOWN)


def _failed(candidate: Candidate) -> bool:
    return candidate.outcome is not None and candidate.outcome.status == FAILED


def _failure(result: Result) -> Outcome:
    lines = [line for line in result.text.split("\n")[-_LINES_SEARCHED:] if line.strip()]
    for line in lines:
        if any(word in line.lower() for word in _ERROR_WORDS):
            return Outcome(FAILED, line=_brief(line))
    return Outcome(FAILED, line=_brief(lines[-1]) if lines else _code(result))


def _stopped(candidate: Candidate, result: Result) -> Outcome:
    """A server that ``timeout`` ends has not failed."""
    status = UNKNOWN if candidate.kind == OTHER and result.code in STOPPED else FAILED
    return Outcome(status, line=f"timed out ({_code(result)})")


def _code(result: Result) -> str:
    return "no exit code" if result.code is None else f"exit code {result.code}"


def _shown(candidate: Candidate, text: str, alone: bool) -> Outcome | None:
    """Look for what else shows the outcome of a command whose status is hidden."""
    lines = text.split("\n")
    command = candidate.command
    code = _printed_status(command.status_text, lines)
    if code is not None:
        status = FAILED if code else PASSED
        return Outcome(status, line=_brief(command.status_text.replace("$?", str(code))))
    for shown, status in ((command.on_failure, FAILED), (command.on_success, PASSED)):
        if shown and any(line.strip() == shown for line in lines):
            return Outcome(status, line=_brief(shown))
    if not alone:
        return None
    found = _sign(candidate, lines)
    if found is None and not text.strip() and _is_silent_when_well(candidate):
        return Outcome(PASSED, line="no output")
    return found


def _printed_status(template: str, lines: list[str]) -> int | None:
    """Return the number that ``echo "exit: $?"`` printed, from the last such line."""
    for variable in ("$?", "${PIPESTATUS[0]}", "${pipestatus[1]}", "$LASTEXITCODE"):
        before, found, after = template.partition(variable)
        if not found:
            continue
        for line in reversed(lines):
            text = line.strip()
            if text.startswith(before) and text.endswith(after):
                number = text[len(before) : len(text) - len(after)]
                if number.isdigit() and len(number) < 4:
                    return int(number)
    return None


def _sign(candidate: Candidate, lines: list[str]) -> Outcome | None:
    is_git = candidate.kind == GIT
    program = candidate.command.argv[0]
    for line in lines:
        missing = program in line and line.startswith(_SHELL_STARTS)
        missing = missing and any(sign in line for sign in _NOT_FOUND)
        crashed = not is_git and any(sign in line for sign in _CRASHES)
        if missing or crashed or (is_git and line.startswith(_GIT_FAILURES)):
            return Outcome(FAILED, line=_brief(line))
    for line in lines if is_git else ():
        if any(sign in line for sign in _GIT_SUCCESSES):
            return Outcome(PASSED, line=_brief(line))
    return None


def _is_silent_when_well(candidate: Candidate) -> bool:
    command = candidate.command
    if candidate.tool.partition(" ")[0] not in _SILENT or command.stderr_hidden:
        return False
    pipes = [words[0].rpartition("/")[2] for words in command.pipe_to if words]
    return bool(pipes) and all(name in _HARMLESS_PIPES for name in pipes)


def _nothing_done(candidate: Candidate, text: str) -> str:
    """Return the line with which make says that it ran no command for tests or checks."""
    if candidate.kind not in (TEST, *_SILENT_KINDS):
        return ""
    lines = [line for line in text.split("\n") if line.startswith("make")]
    return next((_brief(line) for line in lines if any(sign in line for sign in _UP_TO_DATE)), "")


def _brief(line: str) -> str:
    return line.strip()[:_LONGEST_LINE]
