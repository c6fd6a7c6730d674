"""Outcomes of the runs of one call, where its output does not show them: from how it ended.

A status that something hides (``| tail``, ``|| true``, ``; echo``) says nothing: the outcome is
unknown then, unless the command printed it (``echo $?``).
"""

from __future__ import annotations

from groundwire.evidence.records import FAILED, OTHER, PASSED, UNKNOWN, Outcome
from groundwire.evidence.results import STOPPED, Result
from groundwire.shell.commands import program_name
from groundwire.shell.exits import PIPED, STATUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.programs import Classified
    from groundwire.shell.commands import Command

_LONGEST_LINE = 200
_LINES_SEARCHED = 60
_ERROR_WORDS = ("error", "fail", "fatal", "not found", "no such file", "exception", "cannot")
_HARMLESS_PIPES = ("head", "tail", "cat", "tee", "less")


class Candidate:
    """A run whose outcome is being looked for; ``kind`` and ``tool`` may be learned from it.

    Candidates with the same ``chain`` are joined by ``&&``.
    """

    __slots__ = ("chain", "command", "distrust", "kind", "known", "outcome", "ran", "tool")

    def __init__(self, command: Command, known: Classified, chain: int) -> None:
        self.command = command
        self.known = known
        self.chain = chain
        self.kind = known.kind
        self.tool = known.tool
        self.outcome: Outcome | None = None
        self.distrust = ""
        self.ran = True

    @property
    def status(self) -> str:
        """The status of the outcome so far, "" while there is none."""
        return self.outcome.status if self.outcome else ""

    @property
    def hidden(self) -> bool:
        """Whether the status of the call says nothing about this command."""
        return bool(self.command.exit.hidden or self.command.exit.status_text)


def settle(candidates: list[Candidate], result: Result, is_last: bool) -> None:
    """Give every candidate an outcome, and the reason for distrust where the end hides it.

    ``is_last``: nothing that counts follows the last candidate in its call.
    """
    _only_one_of_a_chain_fails(candidates)
    waiting = [one for one in candidates if one.outcome is None]
    for one in waiting:
        if one.hidden:
            one.outcome = _printed_outcome(one, result.text, len(waiting) == 1)
    if result.failed and not result.interrupted:
        _blame(candidates, result, is_last)
    for one in candidates:
        if one.outcome is None:
            one.outcome = _outcome_of_end(one, result)


def _only_one_of_a_chain_fails(candidates: list[Candidate]) -> None:
    """In ``a && b`` the second is only run when the first passed.

    When the common output shows both a failure it is left to the last one, which did not pass in
    any case.
    """
    for at, one in enumerate(candidates):
        if one.status == FAILED and not one.command.exit.hidden.startswith(PIPED):
            chain = (later for later in candidates[at + 1 :] if later.chain == one.chain)
            if any(later.status == FAILED for later in chain):
                one.outcome, one.distrust = None, "it or the next command failed"


def _blame(candidates: list[Candidate], result: Result, is_last: bool) -> None:
    """The call failed: say which of the commands joined by ``&&`` did."""
    shown = [one for one in candidates if not one.hidden]
    guilty = next((one for one in shown if one.status == FAILED), None)
    if guilty is not None:
        at = candidates.index(guilty)
        for one in candidates[:at]:
            if one in shown and not one.distrust and one.status in ("", UNKNOWN):
                before = one.outcome or Outcome(line="exit status 0")
                if before.line and before.total != 0:  # the next one only ran because it passed
                    one.outcome = before.replace(status=PASSED)
        for one in candidates[at + 1 :]:
            one.ran = one.outcome is not None or one.command.connector != "&&"
    elif shown and is_last and shown[-1].outcome is None:
        # Either it failed, or something before it did and it was not run.
        shown[-1].outcome = _failed_outcome(shown[-1], result)
    elif shown and is_last and shown[-1].outcome and shown[-1].status == PASSED:
        shown[-1].distrust = f"{_code(result)} in spite of a line that looks well"
        shown[-1].outcome = shown[-1].outcome.replace(status=UNKNOWN)


def _outcome_of_end(one: Candidate, result: Result) -> Outcome:
    if result.interrupted:
        return Outcome(line="interrupted")
    if result.failed is None:
        return Outcome(line="still running" if result.task else "no result")
    if result.timed_out and not one.command.exit.hidden:
        return _failed_outcome(one, result)
    if one.hidden or result.failed:
        one.distrust = one.distrust or one.command.exit.hidden or "its exit status is not shown"
        one.distrust += ", and the output was cut" if result.cut else ""
        return Outcome()
    return Outcome(PASSED, line="exit status 0")


def _failed_outcome(candidate: Candidate, result: Result) -> Outcome:
    """Return the outcome of a failed call; a server that is stopped by the time has not failed."""
    if result.timed_out:
        status = UNKNOWN if candidate.kind == OTHER and result.code in (None, *STOPPED) else FAILED
        return Outcome(status, line=f"timed out ({_code(result)})")
    lines = [line for line in result.text.split("\n")[-_LINES_SEARCHED:] if line.strip()]
    bad = (line for line in lines if any(word in line.lower() for word in _ERROR_WORDS))
    line = next(bad, lines[-1] if lines else _code(result))
    return Outcome(FAILED, line=line.strip()[:_LONGEST_LINE])


def _code(result: Result) -> str:
    return "no exit code" if result.code is None else f"exit code {result.code}"


def _printed_outcome(candidate: Candidate, text: str, alone: bool) -> Outcome | None:
    """Look for what a command whose status is hidden printed of it."""
    shown = candidate.command.exit
    lines = [line.strip() for line in text.split("\n")]
    code = _printed_status(shown.status_text, lines)
    if code is not None:
        return Outcome(FAILED if code else PASSED, line=shown.status_text.replace("$?", str(code)))
    for line, status in ((shown.on_failure, FAILED), (shown.on_success, PASSED)):
        if line and line in lines:
            return Outcome(status, line=line)
    pipes = [program_name(words[0]) for words in candidate.command.pipe_to]
    is_whole = bool(pipes) and all(name in _HARMLESS_PIPES for name in pipes)
    is_silent = candidate.known.silent and not candidate.command.stderr_hidden and not text.strip()
    return Outcome(PASSED, line="no output") if alone and is_whole and is_silent else None


def _printed_status(template: str, lines: list[str]) -> int | None:
    """Return the number that ``echo "exit: $?"`` printed; None also when lines differ in it.

    A loop prints one for each of its rounds, and then there is not one end to speak of.
    """
    numbers = set()
    for variable in STATUS:
        before, found, after = template.partition(variable)
        for line in lines if found else ():
            number = line[len(before) : len(line) - len(after)]
            is_number = number.isdecimal() and len(number) < 4
            if is_number and line.startswith(before) and line.endswith(after):
                numbers.add(int(number))
    return numbers.pop() if len(numbers) == 1 else None
