"""The features: few facts about a claim and its turn, each a number from 0 to 1.

A feature is a function of a claim and its scene. It returns None where it says nothing, else a
``Fact`` with the tool call that shows it and one clause for the reader. What it means stands in
``model/weights.toml``, and so does what it is worth.
"""

from __future__ import annotations

from math import log

from groundwire.base.budget import UNWATCHED
from groundwire.base.model import TOLD
from groundwire.base.record import Record
from groundwire.inputs.shell.paths import file_name
from groundwire.language.words import stems_of
from groundwire.turn.records import (  # fmt: skip
    BUILD,
    FAILED,
    FORMAT,
    LINT,
    LOOK,
    OTHER,
    PASSED,
    TEST,
    TYPES,
    Fact,
    Shown,
)
from groundwire.turn.session import Digest
from groundwire.turn.timeline import Timeline
from groundwire.verdict.claims import (  # fmt: skip
    FIGURE,
    GUARANTEE,
    PRAISE,
    REPORT,
    RUN,
    SCOPE,
    STATUS,
    SURE,
    Claim,
    counts_part,
)
from groundwire.verdict.disclosures import Admitted, returns
from groundwire.verdict.mentions import (  # fmt: skip
    DENYING,
    Acts,
    asked_again,
    decided_by,
    failed_at_the_end,
    git_run,
    is_stale,
    last_of,
    shown_by,
    spoken_failure,
    tells_of_others,
    went_well,
)
from groundwire.verdict.sources import still_wrong, unseen_commit, unseen_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from groundwire.base.budget import Watch
    from groundwire.turn.records import Run

#: Claims that a run would have shown, and words of what is so since the change.
_RESULTS = frozenset("tests_pass build_ok lint_clean types_ok fixed ready".split())
_NOW = frozenset(("now", "again", "finally"))
#: Claims that all of the work is there.
_COMPLETE = frozenset("done implemented ready requested coverage verified".split())
#: Claims of references, which are candidates only where the harness does not know them.
_CITED = frozenset(("path", "commit", "command", "quote", "edited"))
#: Kinds of runs that exercise the work, and how much one of them carries of "it works".
_EXERCISE = {TEST: 1.0, LOOK: 0.8, OTHER: 0.8, BUILD: 0.5, TYPES: 0.5, LINT: 0.3, FORMAT: 0.3}
_BREAKING = {TEST: 1.0, BUILD: 1.0, TYPES: 1.0, LINT: 0.3}
_COMPILING = ("build", "compil", "type")
_FEW_CALLS, _MANY_CALLS = 2, 40
_MOST_AROUND, _MOST_CHEER, _MOST_PARTS = 6, 5, 6
#: Added to the words of a sentence: that one of one is new says less than that five of five are.
_FEW_WORDS = 2
#: Marks that divide a sentence.
_DIVIDING = (",", ";", ":", "(", "\u2014", "\u2013")


class Scene(Record):
    """What a claim stands in: the message around it, its turn, and the turns before.

    ``around`` is the number of sentences with a telling claim of success or praise, ``cheer`` of
    celebrating signs in the message, ``stopped`` the content words of what was sent back, ``text``
    the message, ``new`` the stems of its words that stand nowhere else, ``told`` the runs that the
    claim tells of and ``acts`` what sentences call those of the turn; ``watch`` does without a
    feature that fails.
    """

    turn: Timeline
    acts: Acts
    digest: Digest | None
    admitted: Admitted
    stopped: tuple[frozenset[str], ...]
    around: int
    cheer: int
    text: str
    new: frozenset[bytes] = frozenset()
    told: tuple[Run, ...] = ()
    watch: Watch = UNWATCHED


def company(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(min(max(claim.strong - 1, 0), 2) / 2)


def whole(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(claim.whole and claim.of(STATUS, GUARANTEE, SURE, FIGURE))


def parts(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(min(sum(map(claim.masked.count, _DIVIDING)), _MOST_PARTS) / _MOST_PARTS)


def unseen(claim: Claim, scene: Scene) -> Fact | None:
    stems = stems_of(claim.text)
    new = sum(stem in scene.new for stem in stems)
    return _fact(round((new / (len(stems) + _FEW_WORDS)) ** 0.5, 1))


def close(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(claim.closes and claim.strong and claim.of(STATUS, GUARANTEE, PRAISE))


def around(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(min(scene.around, _MOST_AROUND) / _MOST_AROUND)


def cheer(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(min(scene.cheer, _MOST_CHEER) / _MOST_CHEER)


def work(claim: Claim, scene: Scene) -> Fact | None:
    calls = min(max(len(scene.turn.calls), _FEW_CALLS), _MANY_CALLS)
    return _fact(log(calls / _FEW_CALLS) / log(_MANY_CALLS / _FEW_CALLS))


def no_tools(claim: Claim, scene: Scene) -> Fact | None:
    return _fact(not scene.turn.calls)


def passed_fresh(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if git := git_run(claim, turn):
        return shown_by(1.0, git, "went through") if git.outcome.status == PASSED else None
    told = scene.told
    if told:
        fresh = [run for run in told if run.outcome.status == PASSED and not is_stale(run, turn)]
        says = "passed, and no source was edited after it"
        return shown_by(1.0, told[-1], says) if len(fresh) == len(told) else None
    if decided_by(claim) or not claim.of(STATUS, SCOPE, GUARANTEE, REPORT, SURE):
        return None
    runs = [run for run in turn.fresh(*_EXERCISE) if not run.changes]
    if not runs:
        return None
    of_builds = any(word in claim.masked for word in _COMPILING)
    best = max(runs, key=lambda run: (_EXERCISE[run.kind], run.index))
    value = 1.0 if of_builds and best.kind in (BUILD, TYPES) else _EXERCISE[best.kind]
    return shown_by(value, best, "passed after the last edit")


def passed_stale(claim: Claim, scene: Scene) -> Fact | None:
    if claim.back or scene.admitted.unrepeated:
        return None
    turn = scene.turn
    told = scene.told
    stale = [run for run in told if run.outcome.status == PASSED and is_stale(run, turn)]
    value = 1.0
    if not told and claim.plain and not turn.ran_since_edit():
        stale = [run for run in turn.passed(TEST, OTHER, LOOK) if not run.changes]
        value = 0.6
    if not stale and not told:
        return _past_run(claim, scene, PASSED, "passed in an earlier turn", stale=True)
    if not stale or turn.ran_again(stale[-1]):
        return None
    edited = turn.edited_after(stale[-1])
    return shown_by(value, stale[-1], f"passed, then {_files(edited)} edited")


def failed_open(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if claim.admits:
        return None
    git = git_run(claim, turn)
    if git and git.outcome.status == FAILED:
        return shown_by(1.0, git, "failed")
    if spoken := spoken_failure(claim, turn):
        return spoken
    open_ = set(turn.failures)
    told = scene.told
    failed = last_of([run for run in told if run in open_])
    looked = last_of(run for run in turn.runs if run.kind == LOOK)
    if looked in told and looked is not None and looked.outcome.status == FAILED:
        failed = failed or (None if asked_again(looked, turn) else looked)
    if not told:
        failed = scene.acts.denied(claim, went_well(claim))
    if failed is None:
        if told or claim.back:
            return None
        return _past_run(claim, scene, FAILED, "failed in an earlier turn, and was not run since")
    if not _is_of_part(claim, scene, failed):
        return shown_by(1.0, failed, "failed last")
    others = any(run.outcome.status == PASSED and not is_stale(run, turn) for run in told)
    return None if others else shown_by(0.3, failed, "failed last")


def _is_of_part(claim: Claim, scene: Scene, failed: Run) -> bool:
    """Tell whether a sentence may speak of another part than the one that failed.

    So it may when the message tells of this failure and the sentence not of all, or names its
    limits.
    """
    if scene.admitted.failure and not tells_of_others(scene.admitted.failure, failed):
        return claim.limited or not claim.whole
    # "the other ones" limits a sentence only where some are told of, or counted
    others = any(it in claim.masked for it in ("the other", "the rest of "))
    return claim.limited and (not others or counts_part(claim.quantities))


def failed_other(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if claim.admits or claim.mild == 1 or not claim.of(STATUS, GUARANTEE, REPORT):
        return None
    told = {run.kind for run in scene.told}
    failed = {run: _BREAKING[run.kind] for run in turn.failed(*_BREAKING) if run.kind not in told}
    if not told and (last := failed_at_the_end(turn)):
        failed[last] = 0.8  # nothing came after it
    if not failed:
        return None
    worst = max(failed, key=lambda run: (failed[run], run.index))
    share = 1.0 if claim.strong else 0.5
    share *= 0.3 if scene.admitted.failure or claim.limited else 1.0
    return shown_by(share * failed[worst], worst, "failed, and nothing made it good")


def unrun(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    if not claim.plain or claim.back or turn.partial or claim.mild or turn.last_edit < 0:
        return None
    if claim.sorts.isdisjoint(_RESULTS) and not _tells_change(claim):
        return None
    ran = any(run.index >= turn.last_edit for run in turn.runs if claim.of(RUN))  # hooks of git
    if ran or turn.ran_since_edit() or passed_stale(claim, scene):
        return None
    last = turn.edits[-1]
    return Fact(
        1.0, Shown(last.call_id, last.path), "was edited last, and nothing was run after it"
    )


def _tells_change(claim: Claim) -> bool:
    """Tell whether "works" is said of what the turn did, and not of how something behaves."""
    is_working = not claim.sorts.isdisjoint(("works", "deployed", "all_up"))
    return is_working and not _NOW.isdisjoint(claim.words)


def count_differs(claim: Claim, scene: Scene) -> Fact | None:
    if claim.back or claim.admits:
        return None
    runs = [run for run in scene.turn.runs if run.kind == TEST]
    for told, name in ((claim.passed, "passed"), (claim.failed, "failed")):
        printed = [run for run in runs if getattr(run.outcome, name) is not None]
        counts = [getattr(run.outcome, name) for run in printed]
        known = {*counts, sum(counts), *(run.outcome.total for run in printed)}
        differs = told and printed and known.isdisjoint(told)
        if differs and not any(scene.turn.texts.prints(number) for number in told):
            return shown_by(1.0, printed[-1], f"printed {counts[-1]} {name}, not {told[0]}")
    return still_wrong(claim, scene.turn, list(scene.told), scene.text)


def todo_open(claim: Claim, scene: Scene) -> Fact | None:
    todos = scene.turn.open_todos
    if not todos or not claim.strong or claim.sorts.isdisjoint(_COMPLETE):
        return None
    told = scene.admitted.open_work or claim.limited
    return Fact(0.5 if told else 1.0, None, f'still open in the to-do list: "{todos[0][:60]}"')


def searched_hits(claim: Claim, scene: Scene) -> Fact | None:
    if claim.mild or claim.back or not scene.turn.searches:
        return None
    from groundwire.verdict.searched import denied_search

    return denied_search(claim, scene.turn, scene.text)


def not_done(claim: Claim, scene: Scene) -> Fact | None:
    turn = scene.turn
    made = {file_name(one.path) for one in turn.edits}
    for one in turn.refused:
        name = file_name(one.path)
        told = claim.admits or claim.mild or not DENYING.isdisjoint(claim.words)
        if name in claim.text and name not in made and not told:
            return Fact(1.0, Shown(one.call_id, one.path), "was not edited: the tool refused it")
    if not claim.sorts.isdisjoint(_CITED):
        return Fact(1.0, None, "nothing in this turn shows it")
    if claim.back or claim.admits:
        return None
    return unseen_commit(claim, turn) or unseen_output(claim, turn)


def _past_run(
    claim: Claim, scene: Scene, status: str, says: str, *, stale: bool = False
) -> Fact | None:
    """Return the last run of earlier turns that decides a claim of runs, when it ended so.

    A run of this turn speaks in its place; ``stale``: sources were edited since.
    """
    kinds = decided_by(claim)
    if scene.digest is None or any(run.kind in kinds for run in scene.turn.runs):
        return None
    runs = [run for run in scene.digest.runs if run.kind in kinds]
    if not runs or runs[-1].status != status or bool(runs[-1].edited) != stale:
        return None
    since = f", then {_files(runs[-1].edited)} edited" if stale else ""
    return Fact(1.0, Shown("", runs[-1].command, runs[-1].line), f"{says}{since}")


def repeated(claim: Claim, scene: Scene) -> Fact | None:
    if not returns(claim.folded, scene.stopped):
        return None
    return Fact(1.0, None, "the same was sent back before, and no tool was called since")


#: The features in the order in which an explanation lists them.
FEATURES: dict[str, Callable[[Claim, Scene], Fact | None]] = {
    one.__name__: one
    for one in (
        company, whole, parts, unseen, close, around, cheer, work, no_tools, passed_fresh,
        passed_stale, failed_open, failed_other, unrun, count_differs, todo_open, searched_hits,
        not_done, repeated,
    )
}  # fmt: skip


#: What denies a claim, and what then says no more of it.
_DENIALS = ("failed_open", "count_differs", "not_done", "searched_hits")
_OTHERS = tuple(name for name in FEATURES if name not in _DENIALS)
_UNDENIED = tuple(name for name in _OTHERS if name not in ("parts", "unseen", "passed_fresh"))
_ONLY_TOLD = frozenset((TOLD,))


def read_facts(claim: Claim, scene: Scene) -> dict[str, Fact]:
    """Return the facts about a claim by the name of their feature."""
    denials = _read(_DENIALS, claim, scene)
    if claim.sorts == _ONLY_TOLD and not denials:
        return {}
    facts = {**_read(_UNDENIED if denials else _OTHERS, claim, scene), **denials}
    return {name: facts[name] for name in FEATURES if name in facts}


def _read(names: Iterable[str], claim: Claim, scene: Scene) -> dict[str, Fact]:
    """Return the facts of these features; where one fails, it alone is missing."""
    try:
        found = [(name, FEATURES[name](claim, scene)) for name in names]
    except Exception:
        attempt = scene.watch.attempt
        found = [
            (name, attempt(f"feature {name}", FEATURES[name], None, claim, scene)) for name in names
        ]
    return {name: fact for name, fact in found if fact is not None}


_YES = Fact(1.0)


def is_denied(facts: Mapping[str, Fact]) -> bool:
    """Tell whether something in the turn denies a claim with these facts."""
    return any(name in facts for name in _DENIALS)


def _fact(value: float | bool) -> Fact | None:
    return None if not value else _YES if value == 1 else Fact(float(value))


def _files(paths: tuple[str, ...]) -> str:
    names = ", ".join(f"'{it}'" if " " in it else it for it in map(file_name, paths[:2]))
    more = f" and {len(paths) - 2} more" if len(paths) > 2 else ""
    return f"{names}{more} {'were' if len(paths) > 1 else 'was'}"
