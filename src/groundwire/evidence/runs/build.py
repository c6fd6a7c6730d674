"""From the tool calls of a turn to its runs."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs.classify import classify
from groundwire.evidence.runs.folders import folder_after
from groundwire.evidence.runs.later import LaterOutputs
from groundwire.evidence.runs.model import Outcome, Run
from groundwire.evidence.runs.places import within
from groundwire.evidence.runs.results import Result, read_result
from groundwire.evidence.runs.settle import settle
from groundwire.evidence.runs.shell import Command, read_script
from groundwire.evidence.runs.visible import Candidate, read_outcomes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundwire.model import ToolCall

_LONGEST_COMMAND = 20_000
_MOST_COMMANDS = 50
_NEVER_FAIL = ("tail", "head", "cat", "tee", "sort", "uniq", "wc", "echo", "printf", "true", "sed")


def runs_of(calls: Sequence[ToolCall], cwd: str = "", known: Iterable[str] = ()) -> tuple[Run, ...]:
    """Return the runs among ``calls``, the tool calls of one turn in order.

    ``cwd`` is the folder of the session, if known; ``known`` are texts of the harness, among which
    may be reports about background tasks. Of a very long command only the beginning is read.
    Linear in the length of commands and results.
    """
    later = LaterOutputs(calls, known)
    runs: list[Run] = []
    folder = ""  # of the shell, which keeps it from call to call
    for index, call in enumerate(calls):
        text = call.input.get("command") if call.name in SHELL_TOOLS else None
        if not isinstance(text, str):
            continue
        result = read_result(call)
        if not result.ran:
            continue
        script = read_script(text[:_LONGEST_COMMAND], folder)
        in_background = bool(result.task) or call.input.get("run_in_background") is True
        if result.task:
            result = later.of_task(result.task, index)
        folder = folder_after(script, result, folder, cwd)
        commands = [_placed(one, cwd) for one in script.commands[:_MOST_COMMANDS]]
        for candidate in _candidates(commands, result, later, index):
            run = _run(candidate, call.id, index, in_background)
            runs.append(run)
    return tuple(runs)


def _placed(command: Command, root: str) -> Command:
    folder = within(command.cwd, root)
    return command if folder == command.cwd else command.replace(cwd=folder)


def _candidates(
    commands: list[Command], result: Result, later: LaterOutputs, index: int
) -> Iterator[Candidate]:
    candidates = []
    is_last = False
    chain = 0
    for command in commands:
        known = classify(command)
        chain += command.connector not in ("&&", "|")
        if known is not None:
            candidates.append(Candidate(command, known, chain))
        if not command.hidden and command.argv[0] not in _NEVER_FAIL:
            is_last = known is not None
    read_outcomes(candidates, result.text)
    for candidate in candidates:
        path = candidate.command.stdout_file
        if candidate.outcome is None and path and not path.startswith("/dev/"):
            for shown in later.of_file(path, index):
                read_outcomes([candidate], shown)
                if candidate.outcome is not None:
                    break
    settle(candidates, result, is_last)
    return (candidate for candidate in candidates if candidate.ran)


def _run(candidate: Candidate, call_id: str, index: int, in_background: bool) -> Run:
    command, known = candidate.command, candidate.known
    return Run(
        call_id=call_id,
        index=index,
        command=command.text,
        kind=candidate.kind,
        tool=candidate.tool,
        signature=known.signature,
        outcome=candidate.outcome or Outcome(),
        narrow=known.narrow,
        distrust=candidate.distrust,
        background=in_background or command.background,
    )
