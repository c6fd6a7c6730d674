"""Which run the visible output of a call speaks of, and what it says."""

from __future__ import annotations

from groundwire.evidence.records import FAILED, OTHER, PASSED, TEST, UNKNOWN
from groundwire.evidence.signature import scope_of
from groundwire.outcomes.read import kinds_of, parse_output, recognise
from groundwire.shell.exits import IN_LOOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.evidence.settle import Candidate
    from groundwire.shell.commands import Command

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
