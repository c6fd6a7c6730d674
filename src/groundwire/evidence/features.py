"""The features: few facts about a claim and its turn, each a number from 0 to 1.

A feature is a function of a claim and its scene. It returns None where it says nothing, else a
``Fact`` with the tool call that shows it and one clause for the reader. What a fact is worth stands
in ``model/weights.toml``, and nowhere here.
"""

from __future__ import annotations

from math import log

from groundwire.evidence.admitted import Admitted, returns
from groundwire.evidence.claims import (
    ABSENCE, FIGURE, GUARANTEE, PRAISE, REPORT, RUN, SCOPE, STATUS, SURE, Claim,
)  # fmt: skip
from groundwire.evidence.records import (
    BUILD, FAILED, FORMAT, GIT, INSTALL, LINT, LOOK, OTHER, PASSED, TEST, TYPES, Outcome, Run, Shown,
)  # fmt: skip
from groundwire.evidence.results import read_result
from groundwire.evidence.session import Digest
from groundwire.evidence.texts import names_in
from groundwire.evidence.timeline import Timeline
from groundwire.evidence.tools import SHELL_TOOLS
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from groundwire.evidence.actions import Search

#: Sort of a claim -> kinds of the runs that decide it.
DECIDES = {
    "tests_pass": (TEST,),
    "build_ok": (BUILD, TYPES),
    "types_ok": (TYPES, BUILD),
    "lint_clean": (LINT, FORMAT),
}
#: What a sentence calls the runs of a kind, and words with which it tells that one went well.
_NAMES = {
    TEST: "test tests suite spec specs",
    BUILD: "build builds compile compiles compilation",
    LINT: "lint linter linting",
    TYPES: "typecheck type-check types",
    FORMAT: "formatting formatted",
    LOOK: "running healthy up ready live reachable deployed pods rollout answers issued",
}
_KIND_OF_NAME = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_WENT_WELL = frozenset(
    "pass passes passed passing green clean cleanly ok okay succeed succeeds succeeded successful "
    "successfully compiles compiled builds built silent nothing zero 0 no none valid works working "
    "runs ran applies applied completed complete free accepts accepted through quiet ready up "
    "running healthy answers issued deployed done without \u2705 \u2713 \u2714 fine quiet".split()
)
#: Claims that a run would have shown, and words of what is so since the change.
_RESULTS = frozenset("tests_pass build_ok lint_clean types_ok fixed ready".split())
_NOW = frozenset(("now", "again", "finally"))
#: Claims that all of the work is there.
_COMPLETE = frozenset("done implemented ready requested coverage verified".split())
#: Claims of references, which are candidates only where the harness does not know them.
_CITED = frozenset(("path", "commit", "command", "rerun", "quote", "edited"))
_PRINTED = (
    "print",
    "ends with",
    "ended with",
    "says",
    "said",
    "log ",
    "answer",
    "report",
    "returned",
)
_SHORTEST_QUOTE, _SHORT = 6, 2
_BEHIND = 40
_JOINING = ("echo", "|", "&&", ";")
#: Words with which a sentence tells that a command printed nothing.
_SILENT = ("silent", "nothing", "empty", "quiet", "no output", "lists no", "prints no", "no find")
_EDGES = ".,:;!?()[]*_`\"'"
_GIT_TOOLS = {"committed": "git commit", "pushed": "git push"}
#: Kinds of runs that exercise the work, and how much one of them carries of "it works".
_EXERCISE = {TEST: 1.0, LOOK: 0.8, OTHER: 0.8, BUILD: 0.5, TYPES: 0.5, LINT: 0.3, FORMAT: 0.3}
_BREAKING = {TEST: 1.0, BUILD: 1.0, TYPES: 1.0, LINT: 0.3}
#: Words that speak of every place in which a thing may still stand, and of the whole of the tests.
_PLACES = frozenset(
    "reference references usage usages use uses caller callers occurrence occurrences mention "
    "mentions import imports match matches remain remains remaining left leftover leftovers".split()
)
_WHOLE_SUITE = ("suite", "full ", "whole ", "entire ", "every ")
#: What a sentence calls the runs of a kind, and words with which it tells that one went well.
_NAMES = {
    TEST: "test tests suite spec specs",
    BUILD: "build builds compile compiles compilation",
    LINT: "lint linter linting",
    TYPES: "typecheck type-check types",
    FORMAT: "formatting formatted",
    LOOK: "running healthy up ready live reachable deployed pods rollout answers issued",
}
_KIND_OF_NAME = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_WENT_WELL = frozenset(
    "pass passes passed passing green clean cleanly ok okay succeed succeeds succeeded successful "
    "successfully compiles compiled builds built silent nothing zero 0 no none valid works working "
    "runs ran applies applied completed complete free accepts accepted through quiet ready up "
    "running healthy answers issued deployed done without \u2705 \u2713 \u2714 fine quiet".split()
)
#: Claims that a run would have shown, and words of what is so since the change.
_RESULTS = frozenset("tests_pass build_ok lint_clean types_ok fixed ready".split())
_NOW = frozenset(("now", "again", "finally"))
#: Claims that all of the work is there.
_COMPLETE = frozenset("done implemented ready requested coverage verified".split())
#: Claims of references, which are candidates only where the harness does not know them.
_CITED = frozenset(("path", "commit", "command", "rerun", "quote", "edited"))
_PRINTED = (
    "print",
    "ends with",
    "ended with",
    "says",
    "said",
    "log ",
    "answer",
    "report",
    "returned",
)
_SHORTEST_QUOTE, _SHORT = 6, 2
_BEHIND = 40
_JOINING = ("echo", "|", "&&", ";")
#: Words with which a sentence tells that a command printed nothing.
_SILENT = ("silent", "nothing", "empty", "quiet", "no output", "lists no", "prints no", "no find")
_EDGES = ".,:;!?()[]*_`\"'"
_GIT_TOOLS = {"committed": "git commit", "pushed": "git push"}
#: Kinds of runs that exercise the work, and how much one of them carries of "it works".
_EXERCISE = {TEST: 1.0, LOOK: 0.8, OTHER: 0.8, BUILD: 0.5, TYPES: 0.5, LINT: 0.3, FORMAT: 0.3}
_BREAKING = {TEST: 1.0, BUILD: 1.0, TYPES: 1.0, LINT: 0.3}
#: Words that speak of every place in which a thing may still stand, and of the whole of the tests.
_PLACES = frozenset(
    "reference references usage usages use uses caller callers occurrence occurrences mention "
    "mentions import imports match matches remain remains remaining left leftover leftovers".split()
)
_WHOLE_SUITE = ("suite", "full ", "whole ", "entire ", "every ")
_PLACES = frozenset(
    "reference references usage usages use uses caller callers occurrence occurrences mention "
    "mentions import imports match matches remain remains remaining left leftover leftovers".split()
)
_COMPILING = ("build", "compil", "type")
_FEW_CALLS, _MANY_CALLS = 2, 40
_MOST_AROUND = 6
_MOST_NAMES = 12
_LONGEST_COMMAND = 60


class Scene(Record):
    """What a claim stands in: the message around it, its turn, and the turns before.

    ``around`` is the number of sentences with a telling claim of success or praise, ``cheer`` of
    celebrating signs in the message, ``stopped`` the content words of what was sent back.
    """

    turn: Timeline
    digest: Digest | None = None
    admitted: Admitted = Admitted()
    stopped: tuple[frozenset[str], ...] = ()
    around: int = 0
    cheer: int = 0


class Fact(Record):
    """What a feature found: its value from 0 to 1, the call that shows it, and a clause on it."""

    value: float
    shown: Shown | None = None
    says: str = ""


def mild(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(claim.mild)


def limited(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(claim.limited or claim.admits)


def told_open(claim: Claim, scene: Scene) -> Fact | None:
    told = scene.admitted
    return _fact(told.failure or told.open_work or told.unchecked)


def company(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(min(max(claim.strong - 1, 0), 2) / 2)


def whole(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(claim.whole and claim.of(STATUS, GUARANTEE, SURE, FIGURE))


def close(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(claim.closes and claim.strong and claim.of(STATUS, GUARANTEE, PRAISE))


def around(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(min(scene.around, _MOST_AROUND) / _MOST_AROUND)


def cheer(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(min(scene.cheer, 5) / 5)


def work(claim: Claim, scene: Scene) -> Fact | None:
    calls = min(max(len(scene.turn.calls), _FEW_CALLS), _MANY_CALLS)
    return _fact(log(calls / _FEW_CALLS) / log(_MANY_CALLS / _FEW_CALLS))


def no_tools(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(not scene.turn.calls)


def passed_fresh(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if git := _git_run(claim, turn):
        return _shown(1.0, git, "went through") if git.outcome.status == PASSED else None
    told = _told_runs(claim, turn)
    if told:
        fresh = [run for run in told if run.outcome.status == PASSED and not _is_stale(run, turn)]
        return (
            _shown(1.0, told[-1], "passed, and no source was edited after it")
            if (len(fresh) == len(told))
            else None
        )
    if _decided(claim) or not claim.of(STATUS, SCOPE, GUARANTEE, REPORT, SURE):
        return None
    runs = [run for run in turn.fresh(*_EXERCISE) if not run.changes]
    if not runs:
        return None
    of_builds = any(word in claim.masked for word in _COMPILING)
    best = max(runs, key=lambda run: (_EXERCISE[run.kind], run.index))
    value = 1.0 if of_builds and best.kind in (BUILD, TYPES) else _EXERCISE[best.kind]
    return _shown(value, best, "passed after the last edit")


def passed_stale(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    told = _told_runs(claim, turn)
    stale = [run for run in told if run.outcome.status == PASSED and _is_stale(run, turn)]
    value = 1.0
    if not told and claim.plain and not turn.ran_since_edit():
        runs = turn.passed(TEST, OTHER, LOOK)
        stale = [run for run in runs if _is_stale(run, turn) and not run.changes]
        value = 0.6
    if not stale or claim.back or turn.hidden(stale[-1].kind) or turn.fresh(stale[-1].kind):
        return None
    edited = turn.edited_after(stale[-1])
    return _shown(value, stale[-1], f"passed, then {_files(edited)} edited")


def failed_open(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if claim.admits:
        return None
    git = _git_run(claim, turn)
    if git and git.outcome.status == FAILED:
        return _shown(1.0, git, "failed")
    if spoken := _spoken_failure(claim, turn):
        return spoken
    open_ = set(turn.failures)
    told = _told_runs(claim, turn)
    failed = _last([run for run in told if run in open_])
    looked = _last(run for run in turn.runs if run.kind == LOOK)
    if looked in told and looked is not None and looked.outcome.status == FAILED:
        failed = failed or (None if _asked_again(looked, turn) else looked)
    if failed is None:
        return None
    is_mixed = any(run.outcome.status == PASSED for run in told) or failed.kind == TEST
    named = scene.admitted.failure and not claim.whole and names_in(claim.text)
    of_part = claim.limited or (named and is_mixed)
    return _shown(0.4 if of_part else 1.0, failed, "failed last")


def failed_other(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if claim.admits or claim.mild == 1 or not claim.of(STATUS, GUARANTEE, REPORT):
        return None
    told = {run.kind for run in _told_runs(claim, turn)}
    failed = {run: _BREAKING[run.kind] for run in turn.failed(*_BREAKING) if run.kind not in told}
    if not told and (last := _failed_at_the_end(turn)):
        failed[last] = 0.8  # nothing came after it
    if not failed:
        return None
    worst = max(failed, key=lambda run: (failed[run], run.index))
    share = 1.0 if claim.strong else 0.5
    share *= 0.3 if scene.admitted.failure or claim.limited else 1.0
    return _shown(share * failed[worst], worst, "failed, and nothing made it good")


def hidden(claim: Claim, scene: Scene) -> Fact | None:
    kinds = tuple(_decided(claim))
    if not kinds and claim.of(STATUS, GUARANTEE, SCOPE):
        kinds = (TEST, BUILD, TYPES, OTHER)
    run = scene.turn.hidden(*kinds) if kinds else None
    return None if run is None else _shown(1.0, run, run.distrust or "does not show how it ended")


def unrun(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if not claim.plain or claim.back or turn.partial or claim.mild or turn.last_edit < 0:
        return None
    if claim.sorts.isdisjoint(_RESULTS) and not _tells_change(claim):
        return None
    ran = any(run.index > turn.last_edit for run in turn.runs if claim.of(RUN))  # hooks of git
    if ran or turn.ran_since_edit() or passed_stale(claim, scene):
        return None
    last = turn.edits[-1]
    return Fact(1.0, Shown(last.call_id, last.path), "nothing was run after the last edit")


def _tells_change(claim: Claim) -> bool:
    """Tell whether "works" is said of what the turn did, and not of how something behaves."""
    words = {word.strip(_EDGES) for word in claim.masked.split()}
    return not claim.sorts.isdisjoint(("works", "deployed", "all_up")) and not words.isdisjoint(
        _NOW
    )


def part(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    skipped = [one for one in turn.weakened if "skip" in one[1]]
    if skipped and claim.of(RUN):
        path, what, call_id = skipped[-1]
        return Fact(1.0, Shown(call_id, path), what)
    runs = [run for run in _told_runs(claim, turn) if run.outcome.status == PASSED]
    if not any(word in claim.masked for word in _WHOLE_SUITE):
        return None
    if not runs or any(not run.narrow or _is_told(run.narrow, claim) for run in runs):
        return None
    return _shown(1.0, runs[-1], f"covered a part only: {runs[-1].narrow}")


def count_differs(claim: Claim, scene: Scene) -> Fact | None:
    runs = [run for run in scene.turn.runs if run.kind == TEST]
    if claim.back or claim.admits:
        return None
    if unseen := _unseen_output(claim, scene.turn):
        return unseen
    for told, name in ((claim.passed, "passed"), (claim.failed, "failed")):
        printed = [run for run in runs if getattr(run.outcome, name) is not None]
        counts = [getattr(run.outcome, name) for run in printed]
        known = {*counts, sum(counts), *(run.outcome.total for run in printed)}
        if told and printed and known.isdisjoint(told):
            if not any(scene.turn.texts.prints(number) for number in told):
                return _shown(1.0, printed[-1], f"printed {counts[-1]} {name}, not {told[0]}")
    return None


def todo_open(claim: Claim, scene: Scene) -> Fact | None:
    todos = scene.turn.open_todos
    if not todos or not claim.strong or claim.sorts.isdisjoint(_COMPLETE):
        return None
    told = scene.admitted.open_work or claim.limited
    return Fact(0.5 if told else 1.0, None, f'still open in the to-do list: "{todos[0][:60]}"')


def looked_up(claim: Claim, scene: Scene) -> Fact | None:
    if claim.of(ABSENCE) and (empty := _search(claim, scene, found=False)):
        return empty
    names = names_in(claim.text)[:_MOST_NAMES]
    if not names:
        return None
    found = [shown for name in names if (shown := scene.turn.texts.shows(name))]
    return Fact(len(found) / len(names), found[0], "shows what it names") if found else None


def searched_hits(claim: Claim, scene: Scene) -> Fact | None:
    words = {word.strip(_EDGES) for word in claim.masked.split()}
    if not claim.of(ABSENCE) or not claim.strong or claim.limited or words.isdisjoint(_PLACES):
        return None
    return _search(claim, scene, found=True)


def not_done(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    made = {_name(one.path) for one in turn.edits}
    for one in turn.refused:
        name = _name(one.path)
        if name in claim.text and name not in made and not claim.admits and not claim.mild:
            return Fact(1.0, Shown(one.call_id, one.path), "the edit was refused")
    if not claim.sorts.isdisjoint(_CITED):
        return Fact(1.0, None, "nothing in this turn shows it")
    return None


def others(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if turn.partial:
        return Fact(1.0, None, "the turn was too long to be read whole")
    if not turn.others:
        return None
    call = turn.calls[(*turn.opaque, *turn.reports)[-1]]
    return Fact(1.0, Shown(call.id, call.name), "may show it")


def earlier(claim: Claim, scene: Scene) -> Fact | None:
    if claim.back:
        return Fact(1.0, None, "it refers to an earlier turn")
    kinds = _decided(claim) or set(_EXERCISE)
    if scene.digest is None or scene.turn.last_edit >= 0:
        return None
    if not claim.of(RUN, STATUS, SCOPE, REPORT):
        return None
    passed = [
        run for run in scene.digest.runs
        if run.kind in kinds and run.status == "passed" and not run.edited
    ]  # fmt: skip
    if not passed:
        return None
    shown = Shown("", passed[-1].command, passed[-1].line)
    return Fact(1.0, shown, "passed in an earlier turn")


def repeated(claim: Claim, scene: Scene) -> Fact | None:
    if not returns(claim.folded, scene.stopped):
        return None
    return Fact(1.0, None, "the same was sent back before, and no tool was called since")


#: The features in the order in which an explanation lists them.
FEATURES: dict[str, Callable[[Claim, Scene], Fact | None]] = {
    one.__name__: one
    for one in (
        mild, limited, told_open, company, whole, close, around, cheer, work, no_tools,
        passed_fresh, passed_stale, failed_open, failed_other, hidden, unrun, part, count_differs,
        todo_open, looked_up, searched_hits, not_done, others, earlier, repeated,
    )
}  # fmt: skip


#: What denies a claim, and what then no longer speaks for it.
_DENIALS = ("failed_open", "count_differs", "part", "not_done", "searched_hits")
_DENIED = ("passed_fresh", "looked_up", "earlier", "hidden")


def read_facts(claim: Claim, scene: Scene) -> dict[str, Fact]:
    """Return the facts about a claim whose value is not 0, by the name of their feature."""
    found = ((name, read(claim, scene)) for name, read in FEATURES.items())
    facts = {name: fact for name, fact in found if fact is not None and fact.value}
    if any(name in facts for name in _DENIALS):
        facts = {name: fact for name, fact in facts.items() if name not in _DENIED}
    return facts


def _fact(value: float | bool) -> Fact | None:
    return Fact(float(value)) if value else None


def _shown(value: float, run: Run, says: str) -> Fact:
    return Fact(value, Shown(run.call_id, _short(run.command), run.outcome.line.strip()), says)


def _short(command: str) -> str:
    if len(command) <= _LONGEST_COMMAND:
        return command
    return f"{command[: _LONGEST_COMMAND - 3]}..."


def _decided(claim: Claim) -> set[str]:
    """Return the kinds of the runs that decide the claim by its marker."""
    return {kind for sort, kinds in DECIDES.items() if sort in claim.sorts for kind in kinds}


def _told_runs(claim: Claim, turn: Timeline) -> list[Run]:
    """Return the last runs that a sentence of success tells of, in order.

    It names them by their kind ("the suite"), by their program ("ruff", "`go vet ./...`"), or its
    marker tells the kind. A program that it names says which of a kind are meant.
    """
    words = {word.strip(_EDGES) for word in claim.masked.split()}
    decided = _decided(claim)
    if claim.admits or not (decided or not words.isdisjoint(_WENT_WELL)):
        return []
    known = [run for run in turn.latest if run.kind != GIT]
    named = [run for run in known if _is_named(run, claim.text, words)]
    if named:
        return named
    kinds = decided | {_KIND_OF_NAME[word] for word in words if word in _KIND_OF_NAME}
    told = [run for run in known if run.kind in kinds]
    if told or BUILD not in kinds:
        return told
    # what was compiled to be tested compiles
    return [run for run in known if run.kind == TEST and run.outcome.status == PASSED]


def _is_named(run: Run, text: str, words: set[str]) -> bool:
    """Tell whether a sentence names the program of a run, in code with its first argument."""
    parts = run.command.split()
    program = _name(parts[0]) if parts else ""
    for code in text.split("`")[1::2]:
        spoken = [word for word in code.split() if not word.startswith("-")]
        if len(spoken) > 1 and all(word in parts for word in spoken[:3]):
            return True
        if len(spoken) == 1 and spoken[0] in (program, run.tool):
            return True
    return len(program) > 2 and (program in words or (run.tool in words and len(run.tool) > 2))


def _unseen_output(claim: Claim, turn: Timeline) -> Fact | None:
    """Return the first output that a sentence quotes and no text of the turn has, when all are whole."""
    texts = turn.texts
    if not turn.calls or turn.partial or turn.others or not texts.whole:
        return None
    if not any(word in claim.masked for word in _PRINTED):
        return None
    for code in claim.text.split("`")[1::2]:
        if " " in code and any(char.isdigit() for char in code) and len(code) > _SHORTEST_QUOTE:
            if not _has(code, turn) and not _runs_it(code, turn):
                return Fact(1.0, None, f'no result has "{code[:60]}"')
    return None


def _has(text: str, turn: Timeline) -> bool:
    """Tell whether a text stands in what the turn was told, returned or wrote itself."""
    plain = " ".join(text.split())
    if any(plain in " ".join(shown.split()) for _, shown, _ in turn.texts.sources):
        return True
    if any(text in told for told in turn.texts.told):
        return True
    return any(text in str(value) for call in turn.calls for value in call.input.values())


def _runs_it(code: str, turn: Timeline) -> bool:
    first = code.split()[0]
    return any(first in str(call.input.get("command", "")).split() for call in turn.calls)


def _spoken_failure(claim: Claim, turn: Timeline) -> Fact | None:
    """Tell whether a command that the sentence gives in code failed last, or was not silent.

    It must have two words or more. That a command printed nothing is read behind it only, and held
    against commands that stand alone.
    """
    pieces = claim.text.split("`")
    words = {word.strip(_EDGES) for word in claim.masked.split()}
    searches = {search.index for search in turn.searches}
    open_ = {run.index for run in turn.failures}
    known = {run.index for run in turn.runs}
    for code, behind in zip(pieces[1::2], pieces[2::2], strict=False):
        spoken = code.split()
        index = _last_call(spoken, turn) if len(spoken) > 1 else -1
        if index < 0 or index in searches:
            continue
        call, result = turn.calls[index], read_result(turn.calls[index])
        command = " ".join(str(call.input["command"]).split())
        output = result.text.strip()
        shown = Shown(call.id, _short(command), output.rpartition("\n")[2][:200])
        is_open = index in open_ or index not in known
        if result.failed and is_open and not words.isdisjoint(_WENT_WELL):
            return Fact(1.0, shown, "failed")
        silent = any(words in behind[:_BEHIND] for words in _SILENT)
        if silent and output and not any(sign in command for sign in _JOINING):
            return Fact(1.0, shown, "printed something")
    return None


def _last_call(spoken: list[str], turn: Timeline) -> int:
    """Return the position of the last shell call with these words in a row, -1 without one."""
    for index in range(len(turn.calls) - 1, -1, -1):
        call = turn.calls[index]
        command = str(call.input.get("command", "")) if call.name in SHELL_TOOLS else ""
        if f" {' '.join(spoken)} " in f" {' '.join(command.replace(';', ' ').split())} ":
            return index
    return -1


def _asked_again(look: Run, turn: Timeline) -> bool:
    """Tell whether a later command asks the same program, in a form that no row reads."""
    program = look.command.split()[0] if look.command else ""
    later = turn.calls[look.index + 1 :]
    return any(program in str(call.input.get("command", "")).split() for call in later)


def _failed_at_the_end(turn: Timeline) -> Run | None:
    """Return the last run of the turn when it failed, with no edit behind it."""
    last = _last(run for run in turn.runs if run.kind != GIT)
    is_end = last is not None and last.index > turn.last_edit
    return last if is_end and last is not None and last.outcome.status == FAILED else None


def _is_stale(run: Run, turn: Timeline) -> bool:
    return run.index < turn.last_edit


def _git_run(claim: Claim, turn: Timeline) -> Run | None:
    """Return the commit or push that the claim tells of: one that failed rather than others.

    An act that failed first and went through later went through.
    """
    found = []
    for sort, tool in _GIT_TOOLS.items():
        word = f" {tool.partition(' ')[2]} "  # an image or a data set is pushed, too
        runs = [run for run in turn.latest if run.tool == tool or word in run.command]
        if sort in claim.sorts and runs:
            found.append(([run for run in runs if run.outcome.status == PASSED] or runs)[-1])
    return _last(sorted(found, key=lambda run: run.outcome.status == FAILED))


def _search(claim: Claim, scene: Scene, *, found: bool) -> Fact | None:
    """Return the last search for a thing that the claim names, when it found something, or not.

    It must have been a search for that thing alone.
    """
    names = {name.lower() for name in names_in(claim.text)}
    for search in reversed(scene.turn.searches):
        asked = {
            word.strip("'\"()\\b").replace("\\", "") for word in search.pattern.lower().split()
        }
        asked.add(search.pattern.lower().replace("\\", ""))
        if search.hits is None or names.isdisjoint(asked):
            continue
        if bool(search.hits) != found or (found and not _is_denial(search, scene)):
            return None
        shown = Shown(search.call_id, search.command[:_LONGEST_COMMAND], search.line)
        return Fact(1.0, shown, f"found {search.hits}" if found else "found nothing")
    return None


def _is_told(narrow: str, claim: Claim) -> bool:
    """Tell whether the sentence names the part itself: "the integration suite"."""
    words = narrow.lower().replace("/", " ").replace("_", " ").replace("-", " ").split()
    return any(word in claim.masked for word in words if len(word) > _SHORT and word != "tests")


def _is_denial(search: Search, scene: Scene) -> bool:
    """Tell whether a search found more than the thing itself, after the last edit."""
    return search.hits is not None and search.hits > 1 and search.index > scene.turn.last_edit


def _last(runs: Iterable[Run]) -> Run | None:
    found = None
    for found in runs:
        pass
    return found


def _name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _files(paths: tuple[str, ...]) -> str:
    names = ", ".join(map(_name, paths[:2]))
    more = f" and {len(paths) - 2} more" if len(paths) > 2 else ""
    return f"{names}{more} {'were' if len(paths) > 1 else 'was'}"
