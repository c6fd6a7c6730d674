"""Which run the visible output speaks of, and what it says."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, OTHER, PASSED, TEST, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs import SIGNS, parse_output, recognise
from groundwire.evidence.runs.programs.rows import kinds_of_tool
from groundwire.evidence.runs.signature import scope_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.classify import Classified
    from groundwire.evidence.runs.shell import Command

#: Parser of what any program leaves behind when it ends badly.
_ANY_PROGRAM = "*"
_MOST_PIECES = 6
_GREPS = ("grep", "egrep", "rg", "ag")
#: Tools whose own words say less than those of the tool that they start.
_ONLY_RUN_OTHERS = ("", "make", "npm", "cmake", "ninja", "zig")


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


def read_outcomes(candidates: list[Candidate], text: str) -> None:
    """Set the outcomes that ``text``, the output of all candidates together, shows."""
    if not text.strip():
        return
    by_tool: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        if len(candidates) > 1 and _is_counted(candidate.command):
            continue  # the lines are those of others
        if candidate.known.opaque:
            _recognise(candidate, text, alone=len(candidates) == 1)
        elif candidate.tool:
            by_tool.setdefault(candidate.tool, []).append(candidate)
    for tool, several in by_tool.items():
        pieces = _pieces(tool, text, min(len(several), _MOST_PIECES))
        # When the output cannot be split it is the last one's.
        for candidate, piece in zip(several[-len(pieces) :], pieces, strict=False):
            candidate.outcome = parse_output(tool, piece)
    if not any(one.outcome is not None and one.outcome.status == FAILED for one in candidates):
        _by_runner([one for one in candidates if one.outcome is None], text)
    for candidate in candidates:
        if candidate.kind == TEST and candidate.outcome is not None:
            candidate.outcome = without_empty_success(candidate.outcome)


def _is_counted(command: Command) -> bool:
    """Tell whether of the output of a command only the number of its lines is left."""
    return any(
        words[0] == "wc" or (words[0] in _GREPS and any(map(_counts, words[1:])))
        for words in command.pipe_to
        if words
    )


def _counts(option: str) -> bool:
    """Tell whether an option of grep is ``--count``, or ``-c`` as in ``-ic``."""
    return option == "--count" or (option[:1] == "-" != option[1:2] and "c" in option)


def without_empty_success(outcome: Outcome) -> Outcome:
    """Return the outcome, unknown instead of passed when no test was run."""
    nothing = outcome.total == 0 or (outcome.passed == 0 and not outcome.failed)
    if outcome.status == PASSED and nothing:
        return outcome.replace(status=UNKNOWN)
    return outcome


def _recognise(candidate: Candidate, text: str, alone: bool) -> None:
    """Find the tool behind a script or a task, first among those of its kind."""
    if candidate.tool not in _ONLY_RUN_OTHERS:
        candidate.outcome = parse_output(candidate.tool, text)
        if candidate.outcome is not None:
            return
    found = _of_kind(candidate.kind, text) if candidate.kind != OTHER else None
    if found is None and alone:
        found = recognise(text)
        kinds = kinds_of_tool(found[0]) if found else ()
        if found and candidate.kind == OTHER and kinds:
            candidate.kind = kinds[0]
        elif found and kinds and candidate.kind not in kinds and found[1].status != FAILED:
            found = None  # a linter that passes says nothing about the tests behind it
    if found is not None:
        candidate.tool, candidate.outcome = found
    elif alone:
        candidate.outcome = parse_output(_ANY_PROGRAM, text)


def _by_runner(candidates: list[Candidate], text: str) -> None:
    """Read what ``make`` or ``npm`` itself says; of several tasks it is the one that it names."""
    for tool in dict.fromkeys(one.tool for one in candidates if one.known.opaque and one.tool):
        outcome = parse_output(tool, text)
        if outcome is not None:
            several = [one for one in candidates if one.tool == tool]
            named = [one for one in several if _is_named(one, outcome.line)]
            (named or several)[-1].outcome = outcome


def _is_named(candidate: Candidate, line: str) -> bool:
    tasks = scope_of(candidate.known.signature).split(",")
    return any(task and task in line for task in tasks)


def _of_kind(kind: str, text: str) -> tuple[str, Outcome] | None:
    found = []
    for tool, signs in SIGNS.items():
        if kind in kinds_of_tool(tool) and any(sign in text for sign in signs):
            outcome = parse_output(tool, text)
            if outcome is not None:
                found.append((tool, outcome))
    for status in (FAILED, PASSED):
        for pair in found:
            if pair[1].status == status:
                return pair
    return found[0] if found else None


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
    if outcome is None or at < 0:
        return None
    end = at + len(outcome.line)
    for cut in (end, at):
        if parse_output(tool, text[:cut]) and parse_output(tool, text[cut:]):
            return text[:cut], text[cut:]
    return None
