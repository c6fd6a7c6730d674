"""Outcomes of runs: which run the visible output speaks of, and what else settles one.

A status that something hides (``| tail``, ``|| true``, ``; echo``) says nothing: the outcome is
unknown then, unless the command printed it (``echo $?``).
"""

from __future__ import annotations

from groundwire.inputs.outcomes.read import kinds_of, parse_output, recognise
from groundwire.inputs.shell.commands import IN_LOOP, PIPED, STATUS, program_name
from groundwire.turn.programs import scope_of
from groundwire.turn.records import FAILED, OTHER, PASSED, TEST, UNKNOWN, Outcome
from groundwire.turn.results import STOPPED, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.inputs.shell.commands import Command
    from groundwire.turn.programs import Classified


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


#: Tool whose rows tell how any program ends badly.
_ANY_PROGRAM = "*"
_MOST_PIECES = 6
_SHORTEST_HEADING = 4
_GREPS = ("grep", "egrep", "rg", "ag")
#: Tools whose own words say less than those of the tool that they start.
_ONLY_RUN_OTHERS = ("", "make", "npm", "cmake", "ninja", "zig")


def sections(commands: Sequence[Command], text: str) -> list[tuple[list[Command], str]]:
    """Split the output of a call at the lines that its own ``echo`` printed between commands."""
    parts: list[tuple[list[Command], str]] = [([], text)]
    for command in commands:
        own, rest = parts[-1]
        line = f"\n{_heading(command)}\n"
        lines = f"\n{rest}\n"
        if len(line) > _SHORTEST_HEADING and lines.count(line) == 1:
            before, _, after = lines.partition(line)
            parts[-1] = own, before[1:]
            parts.append(([command], after[:-1]))
        else:
            own.append(command)
    return parts


def _heading(command: Command) -> str:
    """Return the line that an ``echo`` on the terminal prints once; "" for any other command."""
    if command.argv[0] != "echo" or command.pipe_to or command.stdout_file:
        return ""
    text = " ".join(command.argv[1:]).strip()
    is_plain = not any(sign in text for sign in "$`\\") and command.exit.hidden != IN_LOOP
    return text if is_plain else ""


def read_outcomes(candidates: list[Candidate], text: str) -> None:
    """Set the outcomes that ``text``, the output of all candidates together, shows."""
    if not text.strip():
        return
    alone = len(candidates) == 1
    by_tool: dict[str, list[Candidate]] = {}
    for one in candidates:
        if not alone and _is_counted(one.command):
            continue  # the lines are those of others
        if one.known.opaque:
            _recognise(one, text, alone)
        elif one.tool:
            by_tool.setdefault(one.tool, []).append(one)
    for tool, several in by_tool.items():
        pieces = _pieces(tool, text, min(len(several), _MOST_PIECES))
        # When the output cannot be split it is the last one's.
        for one, piece in zip(several[-len(pieces) :], pieces, strict=False):
            one.outcome = parse_output(tool, piece)
    if not any(one.status == FAILED for one in candidates):
        _by_runner([one for one in candidates if one.outcome is None], text)
    for one in candidates:
        if one.kind == TEST and one.outcome is not None and one.outcome.status == PASSED:
            nothing = one.outcome.passed == 0 and not one.outcome.failed
            if nothing or one.outcome.total == 0:  # no test was run
                one.outcome = one.outcome.replace(status=UNKNOWN)


def _is_counted(command: Command) -> bool:
    """Tell whether of the output of a command only the number of its lines is left."""
    return any(
        words[0] == "wc" or (words[0] in _GREPS and any(map(_counts, words[1:])))
        for words in command.pipe_to
    )


def _counts(option: str) -> bool:
    """Tell whether an option of grep is ``--count``, or ``-c`` as in ``-ic``."""
    return option == "--count" or (option[:1] == "-" != option[1:2] and "c" in option)


def _recognise(candidate: Candidate, text: str, alone: bool) -> None:
    """Find the tool behind a script or a task, first among those of its kind."""
    if candidate.tool not in _ONLY_RUN_OTHERS:
        candidate.outcome = parse_output(candidate.tool, text)
        if candidate.outcome is not None:
            return
    result = recognise(text, candidate.kind) if candidate.kind != OTHER else None
    if result is None and alone:
        result = recognise(text)
        kinds = kinds_of(result[0]) if result else ()
        if result and candidate.kind == OTHER and kinds:
            candidate.kind = kinds[0]
        elif result and kinds and candidate.kind not in kinds and result[1].status != FAILED:
            result = None  # a linter that passes says nothing about the tests behind it
    if result is not None:
        candidate.tool, candidate.outcome = result
    if alone and candidate.status != FAILED:  # one tool may pass, and what runs it fail
        ending = parse_output(_ANY_PROGRAM, text)
        if candidate.outcome is None or (ending is not None and ending.status == FAILED):
            candidate.outcome = ending


def _by_runner(candidates: list[Candidate], text: str) -> None:
    """Read what ``make`` or ``npm`` itself says; of several tasks it is the one that it names."""
    for tool in dict.fromkeys(one.tool for one in candidates if one.known.opaque and one.tool):
        outcome = parse_output(tool, text)
        if outcome is not None:
            several = [one for one in candidates if one.tool == tool]
            tasks = [scope_of(one.known.signature).split(",") for one in several]
            named = [
                one
                for one, names in zip(several, tasks, strict=True)
                if any(name and name in outcome.line for name in names)
            ]
            (named or several)[-1].outcome = outcome


def _pieces(tool: str, text: str, count: int) -> list[str]:
    """Split an output into ``count`` texts that have an outcome each; else the whole one."""
    pieces = [text]
    while len(pieces) < count:
        for position, piece in enumerate(pieces):
            halves = _halves(tool, piece)
            if halves:
                pieces[position : position + 1] = halves
                break
        else:
            return [text]
    return pieces


def _halves(tool: str, text: str) -> tuple[str, str] | None:
    """Cut behind or before the line that decides, so that both sides have an outcome."""
    outcome = parse_output(tool, text)
    at = text.find(outcome.line) if outcome and outcome.line else -1
    for cut in (at + len(outcome.line), at) if outcome and at >= 0 else ():
        if parse_output(tool, text[:cut]) and parse_output(tool, text[cut:]):
            return text[:cut], text[cut:]
    return None
