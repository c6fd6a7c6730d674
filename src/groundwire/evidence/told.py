"""What a sentence tells of: the runs, commands and searches of the turn that it names.

A sentence names a run by its kind ("the suite"), by its program ("ruff") or by its command in code
("`go vet ./...`"). What the last of these did is what the sentence is held against.
"""

from __future__ import annotations

from groundwire.evidence.claims import RUN, STATUS, Claim
from groundwire.evidence.records import (
    BUILD,
    FAILED,
    FORMAT,
    GIT,
    LINT,
    LOOK,
    PASSED,
    TEST,
    TYPES,
    UNKNOWN,
    Fact,
    Run,
    Shown,
    argument,
)  # fmt: skip
from groundwire.evidence.results import read_result
from groundwire.evidence.timeline import Timeline
from groundwire.shell.places import file_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
#: Sort of a claim -> kinds of the runs that decide it, and the git command that it tells of.
_DECIDES = {
    "tests_pass": (TEST,),
    "build_ok": (BUILD, TYPES),
    "types_ok": (TYPES, BUILD),
    "lint_clean": (LINT, FORMAT),
}
DENYING = frozenset("couldn't didn't failed never no not nothing refused rejected".split())
_GIT_TOOLS = {"committed": "git commit", "pushed": "git push"}
#: What a sentence calls the runs of a kind, and words with which it tells that one went well.
_NAMES = {
    TEST: "test tests suite spec specs",
    BUILD: "build builds built compile compiles compilation",
    LINT: "lint linter linting",
    TYPES: "typecheck type-check types",
    FORMAT: "formatting formatted",
    LOOK: "running healthy up ready live reachable deployed pods rollout answers issued",
}
_KIND_OF_NAME = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_COMPILING = frozenset((BUILD, TYPES))
_WENT_WELL = frozenset(
    "pass passes passed passing green clean cleanly ok okay succeed succeeds succeeded successful "
    "successfully compiles compiled builds built silent valid works working applies applied "
    "completed complete accepts accepted through quiet healthy issued deployed boots compile "
    "converges executes executed installs loads loaded lint-free parses starts started validate "
    "validates validated verifies \u2705 \u2713 \u2714".split()
)
_CLEAN = (
    *("finds nothing", "found nothing", "reports nothing", "prints nothing"),
    *("exits with 0", "exits 0", "code 0", "status 0"),
)
#: Those that tell of nothing but a check.
_PASSING = frozenset("pass passes passed passing green succeed succeeds succeeded".split())
#: Words with which a sentence tells that a command printed nothing, or what was printed.
_SILENT = ("silent", "nothing", "empty", "quiet", "no output", "lists no", "prints no", "no find")
_JOINING = ("echo", "|", "&&", ";")
_THEN = ("&&", "||", ";")
_SHORTEST_PART, _MOST_PARTS = 3, 4
_BEHIND = 40
_LONGEST_COMMAND = 60


def went_well(claim: Claim) -> bool:
    """Tell whether a sentence says that something went well, or that nothing was wrong."""
    if claim.denied or not _WENT_WELL.isdisjoint(claim.words):
        return True
    return any(phrase in claim.masked for phrase in _CLEAN)


def decided_by(claim: Claim) -> set[str]:
    """Return the kinds of the runs that decide the claim by its marker."""
    return {kind for sort, kinds in _DECIDES.items() if sort in claim.sorts for kind in kinds}


def claimed_runs(claim: Claim, turn: Timeline) -> list[Run]:
    """Return the last runs that a sentence of success tells of, in order.

    It names them by their kind ("the suite"), by their program ("ruff", "`go vet ./...`"), or its
    marker tells the kind. A program that it names says which of a kind are meant. "Passes", with
    no name that fits, is told of the last run when no run of the turn passed.
    """
    words = claim.words
    decided = decided_by(claim)
    if claim.admits or not (decided or went_well(claim)):
        return []
    known = [run for run in turn.latest if run.kind != GIT]
    codes = [code.split() for code in claim.text.split("`")[1::2]]
    told = [run for run in known if _is_quoted(run, codes)]
    told = told or [run for run in known if _is_named(run, codes, words)]
    if not told or (decided and all(run.kind not in decided for run in told)):
        kinds = decided | {_KIND_OF_NAME[word] for word in words if word in _KIND_OF_NAME}
        told = [run for run in known if run.kind in kinds] or told
        if not told and BUILD in kinds:  # what was compiled to be tested compiles
            told = [run for run in known if run.kind == TEST and run.outcome.status == PASSED]
    later = [run for run in turn.runs if told and run.index > told[-1].index]
    if any(_may_be_meant(run, codes, words) for run in later):
        return []
    if told or turn.partial or _PASSING.isdisjoint(words) or claim.quantities:
        return told
    if not claim.of(STATUS, RUN):
        return []
    last = failed_at_the_end(turn)
    return [] if last is None or any(run.outcome.status == PASSED for run in known) else [last]


def _is_quoted(run: Run, codes: list[list[str]]) -> bool:
    """Tell whether a sentence gives the command of a run in code, with its first arguments."""
    parts = run.command.split()
    spoken = ([word for word in code if word[0] != "-"] for code in codes)
    return any(len(one) > 1 and all(word in parts for word in one[:3]) for one in spoken)


def _is_named(run: Run, codes: list[list[str]], words: tuple[str, ...]) -> bool:
    """Tell whether a sentence names the program of a run, alone in code or as a word."""
    program = file_name(run.command.partition(" ")[0])
    alone = {code[0] for code in codes if sum(word[0] != "-" for word in code) == 1}
    if program in alone or run.tool in alone:
        return True
    return len(program) > 2 and (program in words or (run.tool in words and len(run.tool) > 2))


def tells_of_others(words: frozenset[str], run: Run) -> bool:
    """Tell whether words name runs of kinds, and neither the kind nor the program of ``run``."""
    kinds = {_KIND_OF_NAME[word] for word in words if word in _KIND_OF_NAME}
    program = file_name(run.command.partition(" ")[0])
    alike = _COMPILING if run.kind in _COMPILING else {run.kind}
    return bool(kinds) and kinds.isdisjoint(alike) and words.isdisjoint((program, run.tool))


def _may_be_meant(run: Run, codes: list[list[str]], words: tuple[str, ...]) -> bool:
    """Tell whether a sentence has a word of a command of which nothing shows how it ended."""
    if run.outcome.status != UNKNOWN:
        return False
    parts = run.command.split()[:_MOST_PARTS]
    named = any(len(part) > _SHORTEST_PART and part in words for part in parts)
    return named or _is_quoted(run, codes) or _is_named(run, codes, words)


def git_run(claim: Claim, turn: Timeline) -> Run | None:
    """Return the commit or push that the claim tells of: one that failed rather than others.

    An act that failed first and went through later went through.
    """
    git_runs = []
    for sort, tool in _GIT_TOOLS.items():
        if sort not in claim.sorts and not (sort == "pushed" and _tells_push(claim)):
            continue
        word = f" {tool.partition(' ')[2]} "  # an image or a data set is pushed, too
        runs = [run for run in turn.latest if run.tool == tool or word in run.command]
        if runs:
            git_runs.append(([run for run in runs if run.outcome.status == PASSED] or runs)[-1])
    return last_of(sorted(git_runs, key=lambda run: run.outcome.status == FAILED))


def _tells_push(claim: Claim) -> bool:
    """Tell whether a sentence says in other words that a push went through."""
    words = claim.words
    went = "force-pushed" in words or ("push" in words and went_well(claim))
    return went and DENYING.isdisjoint(words)


def spoken_failure(claim: Claim, turn: Timeline) -> Fact | None:
    """Tell whether a command that the sentence gives in code failed last, or was not silent.

    It must have two words or more. That a command printed nothing is read behind it only, and held
    against commands that stand alone.
    """
    pieces = claim.text.split("`")
    for code, behind in zip(pieces[1::2], pieces[2::2], strict=False):
        spoken = code.split()
        index = _last_call(spoken, turn) if len(spoken) > 1 else -1
        if index < 0 or any(
            search.index == index and search.hits is not None for search in turn.searches
        ):
            continue
        call, result = turn.calls[index], read_result(turn.calls[index])
        command = " ".join(argument(call, "command").split())
        output = result.text.strip()
        shown = Shown(call.id, shortened(command), output.rpartition("\n")[2][:200])
        rest = command[max(0, command.find(spoken[0])) :]
        is_last = not any(sign in rest for sign in _THEN)  # so that the exit status is its own
        kinds = {run.kind for run in turn.runs if run.index == index}
        is_good = any(run.index > index and not run.narrow for run in turn.passed(*kinds))
        if result.failed and is_last and went_well(claim) and not is_good:
            return Fact(1.0, shown, "failed")
        near = behind[:_BEHIND].replace("nothing else", "").replace("nothing but", "")
        silent = any(words in near for words in _SILENT)
        if silent and output and not any(sign in command for sign in _JOINING):
            return Fact(1.0, shown, "printed something")
    return None


def _last_call(spoken: list[str], turn: Timeline) -> int:
    """Return the position of the last shell call with these words in order, -1 without one.

    Options may stand between them in the command.
    """
    for index, words in turn.texts.commands:
        starts = (at for at, word in enumerate(words) if word == spoken[0])
        if any(_begins_with(spoken, words[at:]) for at in starts):
            return index
    return -1


def _begins_with(spoken: list[str], words: list[str]) -> bool:
    """Tell whether a command begins with the spoken words, options aside."""
    at = 0
    for word in words:
        if word == spoken[at]:
            at += 1
        elif word[0] != "-":
            return False
        if at == len(spoken):
            return True
    return False


def failed_at_the_end(turn: Timeline) -> Run | None:
    """Return the last run of the turn when it failed, with no edit behind it."""
    last = last_of(run for run in turn.runs if run.kind != GIT)
    is_end = last is not None and last.index > turn.last_edit
    return last if is_end and last is not None and last.outcome.status == FAILED else None


def asked_again(look: Run, turn: Timeline) -> bool:
    """Tell whether a later command asks the same program, in a form that no row reads."""
    program = look.command.split()[0] if look.command else ""
    later = turn.calls[look.index + 1 :]
    return any(program in argument(call, "command").split() for call in later)


def is_stale(run: Run, turn: Timeline) -> bool:
    return run.index < turn.last_edit


def last_of(runs: Iterable[Run]) -> Run | None:
    return next(reversed(tuple(runs)), None)


def shown_by(value: float, run: Run, says: str) -> Fact:
    return Fact(value, Shown(run.call_id, shortened(run.command), run.outcome.line.strip()), says)


def shortened(command: str) -> str:
    if len(command) <= _LONGEST_COMMAND:
        return command
    return f"{command[: _LONGEST_COMMAND - 3]}..."
