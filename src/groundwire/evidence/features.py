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
    BUILD, FORMAT, GIT, LINT, LOOK, OTHER, TEST, TYPES, Run, Shown,
)  # fmt: skip
from groundwire.evidence.session import Digest
from groundwire.evidence.texts import names_in
from groundwire.evidence.timeline import Timeline
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

#: Sort of a claim -> kinds of the runs that decide it.
DECIDES = {
    "tests_pass": (TEST,),
    "build_ok": (BUILD, TYPES),
    "types_ok": (TYPES, BUILD),
    "lint_clean": (LINT, FORMAT),
}
_GIT_TOOLS = {"committed": "git commit", "pushed": "git push"}
#: Kinds of runs that exercise the work, and how much one of them carries of "it works".
_EXERCISE = {TEST: 1.0, LOOK: 0.8, OTHER: 0.8, BUILD: 0.5, TYPES: 0.5, LINT: 0.3, FORMAT: 0.3}
_BREAKING = {TEST: 1.0, BUILD: 1.0, TYPES: 1.0, OTHER: 0.5, LINT: 0.5}
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
        return _shown(1.0, git, "went through") if git.outcome.status == "passed" else None
    if decided := _decided(claim):
        runs = [_last(turn.fresh(*kinds)) or _last(turn.fresh(*also)) for kinds, also in decided]
        if not all(runs):
            return None
        return _shown(1.0, runs[-1], "passed, and no source was edited after it")
    if not claim.of(STATUS, SCOPE, GUARANTEE, REPORT, SURE):
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
    if passed_fresh(claim, scene) or not (claim.of(RUN) or claim.plain):
        return None
    kinds = [kind for own, _ in _decided(claim) for kind in own] or [TEST, OTHER, LOOK]
    stale = [run for run in turn.passed(*kinds) if turn.edited_after(run) and not run.changes]
    if not stale or turn.hidden(*kinds) or (not claim.of(RUN) and turn.ran_since_edit()):
        return None
    edited = turn.edited_after(stale[-1])
    return _shown(1.0, stale[-1], f"passed, then {_files(edited)} edited")


def failed_open(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if claim.admits:
        return None
    git = _git_run(claim, turn)
    if git and git.outcome.status == "failed":
        return _shown(1.0, git, "failed")
    kinds = [kind for own, _ in _decided(claim) for kind in own]
    failed = _last(turn.failed(*kinds))
    if failed is None:
        return None
    of_part = claim.limited or (scene.admitted.failure and not claim.whole)
    return _shown(0.4 if of_part else 1.0, failed, "failed last")


def failed_other(claim: Claim, scene: Scene) -> Fact | None:
    if claim.admits or failed_open(claim, scene) or not claim.strong:
        return None
    if not claim.of(STATUS, SCOPE, GUARANTEE, RUN, REPORT):
        return None
    own = {kind for kinds, _ in _decided(claim) for kind in kinds}
    failed = [run for run in scene.turn.failed(*_BREAKING) if run.kind not in own]
    if not failed:
        return None
    worst = max(failed, key=lambda run: (_BREAKING[run.kind], run.index))
    share = 0.3 if scene.admitted.failure or claim.limited else 1.0
    return _shown(share * _BREAKING[worst.kind], worst, "failed, and nothing made it good")


def hidden(claim: Claim, scene: Scene) -> Fact | None:
    kinds = [kind for own, _ in _decided(claim) for kind in own]
    if not kinds and claim.of(STATUS, GUARANTEE, SCOPE):
        kinds = [TEST, BUILD, TYPES, OTHER]
    run = scene.turn.hidden(*kinds) if kinds else None
    return run and _shown(1.0, run, run.distrust or "does not show how it ended")


def unrun(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if not claim.plain or claim.back or turn.partial or not turn.calls or claim.mild:
        return None
    if passed_fresh(claim, scene) or passed_stale(claim, scene) or hidden(claim, scene):
        return None
    if failed_open(claim, scene) or turn.reports or turn.opaque:
        return None
    decided = _decided(claim)
    if decided:
        if any(run.kind in kinds for run in turn.runs for kinds, _ in decided):
            return None
        return Fact(1.0, None, "nothing in this turn ran it")
    if turn.last_edit < 0 or turn.ran_since_edit():
        return None
    last = turn.edits[-1]
    return Fact(1.0, Shown(last.call_id, last.path), "nothing was run after the last edit")


def part(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if turn.weakened and claim.of(RUN, STATUS):
        path, what, call_id = turn.weakened[-1]
        return Fact(1.0, Shown(call_id, path), what)
    kinds = [kind for own, _ in _decided(claim) for kind in own]
    runs = turn.fresh(*kinds)
    if not claim.whole or not runs or any(not run.narrow for run in runs):
        return None
    return _shown(1.0, runs[-1], f"covered a part only: {runs[-1].narrow}")


def count_differs(claim: Claim, scene: Scene) -> Fact | None:
    runs = [run for run in scene.turn.runs if run.kind == TEST]
    if claim.back or claim.limited:
        return None
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
    if not todos or not claim.strong or not claim.of(SCOPE, STATUS, REPORT):
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
    return _search(claim, scene, found=True) if claim.of(ABSENCE) and not claim.limited else None


def not_done(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if not turn.refused or not claim.of(REPORT, STATUS, SCOPE):
        return None
    made = {_name(one.path) for one in turn.edits}
    for one in turn.refused:
        if _name(one.path) not in made and (_name(one.path) in claim.text or not turn.edits):
            return Fact(1.0, Shown(one.call_id, one.path), "the edit was refused")
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
    kinds = {kind for own, _ in _decided(claim) for kind in own} or set(_EXERCISE)
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


def read_facts(claim: Claim, scene: Scene) -> dict[str, Fact]:
    """Return the facts about a claim whose value is not 0, by the name of their feature."""
    found = ((name, read(claim, scene)) for name, read in FEATURES.items())
    return {name: fact for name, fact in found if fact is not None and fact.value}


def _fact(value: float | bool) -> Fact | None:
    return Fact(float(value)) if value else None


def _shown(value: float, run: Run, says: str) -> Fact:
    command = run.command
    if len(command) > _LONGEST_COMMAND:
        command = f"{command[: _LONGEST_COMMAND - 3]}..."
    return Fact(value, Shown(run.call_id, command, run.outcome.line.strip()), says)


def _decided(claim: Claim) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return for each check that a claim names the kinds that decide it, and those that carry it.

    What was compiled to be tested compiles.
    """
    return [
        (kinds, (TEST,) if BUILD in kinds else ())
        for sort, kinds in DECIDES.items()
        if sort in claim.sorts
    ]


def _git_run(claim: Claim, turn: Timeline) -> Run | None:
    """Return the last commit or push of the turn when the claim tells of one."""
    tools = [tool for sort, tool in _GIT_TOOLS.items() if sort in claim.sorts]
    return _last([run for run in turn.latest if run.kind == GIT and run.tool in tools])


def _search(claim: Claim, scene: Scene, *, found: bool) -> Fact | None:
    """Return the last search for a thing that the claim names, when it found something, or not."""
    names = [name.lower() for name in names_in(claim.text)]
    for search in reversed(scene.turn.searches):
        asked = f"{search.pattern} {search.place}".lower()
        if search.hits is None or not any(name in asked for name in names):
            continue
        if bool(search.hits) != found:
            return None
        shown = Shown(search.call_id, search.command[:_LONGEST_COMMAND], search.line)
        if not found:
            return Fact(1.0, shown, "found nothing")
        is_fresh = search.index > scene.turn.last_edit
        return Fact(1.0 if is_fresh else 0.5, shown, f"found {search.hits}")
    return None


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
