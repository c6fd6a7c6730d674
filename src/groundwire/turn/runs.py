"""From the tool calls of a turn to its runs."""

from __future__ import annotations

from itertools import pairwise

from groundwire.base.budget import UNWATCHED
from groundwire.inputs.shell.commands import Command, read_script
from groundwire.inputs.shell.paths import relative_path
from groundwire.language.safe import without_secrets
from groundwire.turn.programs import classify, name_of
from groundwire.turn.records import (  # fmt: skip
    FAILED,
    GIT,
    LOOK,
    PASSED,
    SHELL_TOOLS,
    UNKNOWN,
    Outcome,
    Run,
    argument,
)
from groundwire.turn.results import Result, folder_after, read_result
from groundwire.turn.run_outcomes import Candidate, read_outcomes, sections, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from groundwire.base.budget import Watch
    from groundwire.base.model import ToolCall
    from groundwire.turn.background_output import LaterOutputs

_ELSEWHERE = "it ran on other code than that of the turn"
_TWICE = "it ran more than once in this call"
_MOST_COMMANDS = 50
#: Git commands that take the code of the turn away for a while.
_LEAVING = ("stash", "checkout", "switch")
_NEVER_FAIL = ("tail", "head", "cat", "tee", "sort", "uniq", "wc", "echo", "printf", "true", "sed")
#: What a program says whose options or arguments are not understood.
_NOT_UNDERSTOOD = (
    *("invalid option", "no such option", "unexpected argument", "unknown argument"),
    *("unknown flag", "unknown option", "unknown shorthand flag", "unrecognized argument"),
    *("unrecognized option", "flag provided but not defined", "usage: "),
)


def runs_of(
    calls: Sequence[ToolCall],
    cwd: str = "",
    known: Iterable[str] = (),
    watch: Watch = UNWATCHED,
) -> tuple[Run, ...]:
    """Return the runs among ``calls``, the tool calls of one turn in order.

    ``cwd`` is the folder of the session, if known; ``known`` are texts of the harness, among which
    may be reports about background tasks. How something ended that ran on other code than that of
    the turn is not known. Secrets in commands are masked. Linear in commands and results.
    ``watch`` is told of calls that cannot be read, or have too many commands, and so no runs.
    """
    reader = _Reader(calls, cwd, known, watch)
    runs: list[Run] = []
    for index, call in enumerate(calls):
        if call.name not in SHELL_TOOLS:
            continue
        what = f"tool call {index + 1}"
        late = watch.is_late("the last shell commands")
        of_call = None if late else watch.attempt(what, reader.read, None, index, call)
        if of_call is None:
            watch.unread.append(index)
        else:
            runs += of_call
    return _forgive_mistypes(runs)


class _Reader:
    """Reads the calls of a turn one by one, in order."""

    def __init__(
        self, calls: Sequence[ToolCall], cwd: str, known: Iterable[str], watch: Watch
    ) -> None:
        self._calls, self._cwd, self._known, self._watch = calls, cwd, known, watch
        self._outputs: LaterOutputs | None = None
        self._places: tuple[tuple[str, ...], tuple[str, ...]] | None = None
        self._away = _set_aside(calls, watch)
        self._folder = ""  # of the shell, which keeps it from call to call

    def _later(self) -> LaterOutputs:
        from groundwire.turn.background_output import LaterOutputs  # for tasks and files of output

        self._outputs = self._outputs or LaterOutputs(self._calls, self._known)
        return self._outputs

    def read(self, index: int, call: ToolCall) -> list[Run]:
        """Return the runs of one call."""
        text = argument(call, "command")
        result = read_result(call) if text else Result(ran=False)
        if not result.ran:
            return []
        cwd = self._cwd
        script = read_script(without_secrets(text), self._folder)
        in_background = bool(result.task) or call.input.get("run_in_background") is True
        if result.task:
            result = self._later().of_task(result.task, index)
        self._folder = folder_after(script, result, self._folder, cwd)
        if not script.whole or len(script.commands) > _MOST_COMMANDS:
            self._watch.leave_out(f"tool call {index + 1}")
            return []
        commands = [one.replace(cwd=relative_path(one.cwd, cwd)) for one in script.commands]
        candidates = list(_candidates(commands, result, self._later, index))
        runs = [_run(one, index, call, in_background) for one in candidates]
        repeated = _repeated(commands)
        return [
            run.replace(outcome=Outcome(), distrust=_ELSEWHERE)
            if one.kind != GIT and self._is_elsewhere(one, index)
            else run.replace(outcome=Outcome(), distrust=_TWICE)
            if one.command.text in repeated
            else run
            for run, one in zip(runs, candidates, strict=True)
        ]

    def _is_elsewhere(self, candidate: Candidate, index: int) -> bool:
        """Tell whether a command ran on other code than that of the turn."""
        if index in self._away:
            return True
        folder = candidate.command.cwd
        if candidate.status != FAILED or not folder:
            return False
        from groundwire.turn.other_code import is_elsewhere, other_trees, written_paths

        if self._places is None:
            trees = other_trees(self._calls, self._cwd, self._watch)
            self._places = trees, written_paths(self._calls)
        return is_elsewhere(folder, *self._places)


def _repeated(commands: Sequence[Command]) -> set[str]:
    """Return the texts of commands that ran more than once with no printed line between them."""
    texts = [one.text for one in commands]
    if len(set(texts)) == len(texts) or any(one.argv[:1] == ("echo",) for one in commands):
        return set()
    return {one for one, two in pairwise(sorted(texts)) if one == two}


def _set_aside(calls: Sequence[ToolCall], watch: Watch) -> frozenset[int]:
    commands = (argument(call, "command") for call in calls)
    if not any("git " in one and any(map(one.count, _LEAVING)) for one in commands):
        return frozenset()
    from groundwire.turn.other_code import set_aside

    return set_aside(calls, watch)


def _run(candidate: Candidate, index: int, call: ToolCall, in_background: bool) -> Run:
    return Run(
        call_id=call.id,
        index=index,
        command=candidate.command.text,
        kind=candidate.kind,
        tool=candidate.tool,
        signature=candidate.known.signature,
        outcome=candidate.outcome or Outcome(),
        narrow=candidate.known.narrow,
        distrust=candidate.distrust,
        background=in_background or candidate.command.background,
        changes=candidate.known.changes,
    )


def _candidates(
    commands: Sequence[Command], result: Result, later: Callable[[], LaterOutputs], index: int
) -> Iterator[Candidate]:
    candidates: list[Candidate] = []
    chain = 0
    for part, shown in sections(commands, result.text):
        own: list[Candidate] = []
        for command in part:
            chain += command.connector not in ("&&", "|")
            known = classify(command)
            if known is not None:
                own.append(Candidate(command, known, chain))
        if not all(one.kind == LOOK or one.known.changes for one in own):
            own = [one for one in own if one.kind != LOOK]  # the lines may be those of others
        read_outcomes(own, shown)
        candidates += own
    for one in candidates:
        path = one.command.stdout_file
        if one.outcome is None and path and not path.startswith("/dev/"):
            for shown in later().of_file(path, index):
                read_outcomes([one], shown)
                if one.outcome is not None:
                    break
    candidates = [one for one in candidates if one.kind != LOOK or one.outcome is not None]
    ends = [one for one in commands if not one.exit.hidden and one.argv[0] not in _NEVER_FAIL]
    settle(candidates, result, is_last=any(one.command is ends[-1] for one in candidates if ends))
    return (one for one in candidates if one.ran)


def _forgive_mistypes(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return the runs; what was mistyped is no failure of a program that passed otherwise."""
    passed = {name_of(run.signature) for run in runs if run.outcome.status == PASSED}
    return tuple(
        run.replace(outcome=run.outcome.replace(status=UNKNOWN), distrust="it was given wrongly")
        if run.outcome.status == FAILED
        and name_of(run.signature) in passed
        and any(sign in run.outcome.line.lower() for sign in _NOT_UNDERSTOOD)
        else run
        for run in runs
    )
