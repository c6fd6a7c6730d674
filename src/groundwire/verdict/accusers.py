"""The accusers: each states one fact of the session against a sentence, or says nothing.

An accuser is a function of what it is asked about. What it may do with its fact stands in
``model/accusers.toml``: only one that has earned the right stops a turn.
"""

from __future__ import annotations

from groundwire.base.budget import UNWATCHED
from groundwire.base.model import CONTRADICTED, UNSUPPORTED, Verdict
from groundwire.base.record import Record
from groundwire.inputs.shell.commands import PIPED
from groundwire.language.words import plain_words
from groundwire.turn.records import (  # fmt: skip
    BUILD,
    FAILED,
    LINT,
    PASSED,
    TEST,
    TYPES,
    UNKNOWN,
    Run,
    Shown,
    argument,
)
from groundwire.turn.results import read_result
from groundwire.turn.timeline import Timeline
from groundwire.verdict.claims import Claim
from groundwire.verdict.mentions import Acts, claimed_runs, decided_by, git_run, shortened
from groundwire.verdict.message_disclosures import Disclosed, disclosed_by
from groundwire.verdict.related import ALL, DEEDS, is_of_part
from groundwire.verdict.session_did import (
    could_have_done,
    could_pass_after,
    deeds_of,
    session_deeds,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from groundwire.base.budget import Watch
    from groundwire.language.find import Findings
    from groundwire.turn.session import Digest, PastRun

#: Confidence of a guess by its words alone from which it is one that a stop may name.
SPECULATION = 90
#: Words with which a sentence tells of what may be, or of others.
_ELSEWHERE = frozenset(
    "if when once until till unless should would could may might must will shall can cannot let "
    "ensure ensures make makes need needs before you your user they their ci pipeline workflow "
    "github upstream remote reviewer agent agents subagent subagents teammate expected expect "
    "expects want wants require requires required even though although whether how why where "
    "because would've baseline originally yesterday".split()
)
#: Words that take a clause to another time, or make it an attribute.
_APART = frozenset(
    "was were had been being earlier previously already prior since that which who whose to main "
    "master each every never always only both".split()
)
_PARTING = str.maketrans(dict.fromkeys(",;:()\u2013\u2014", "\n"))
#: Words of a prompt that may tell that the user ran it.
_PASSING = frozenset("pass passes passed passing green works ok".split())
_RAN = (" ran ", " i've run ", " have run ", " reran ", " re-ran ", " i run ")
_OF_DEEDS = {
    TEST: frozenset("test tests suite spec specs".split()),
    BUILD: frozenset("build builds compiles compiled".split()),
    LINT: frozenset("lint linter linting".split()),
    TYPES: frozenset("types typecheck type-check type-checker checker type".split()),
}
#: Words of a clause that says that something was run, went well or was done.
_TELLING = frozenset().union(*_OF_DEEDS.values()) | frozenset(
    "pass passes passed passing green clean ran reran committed pushed deployed installed tagged "
    "succeeds succeeded successful successfully".split()
)
_NAMED = {TEST: "tests", BUILD: "a build", LINT: "a linter", TYPES: "a type check"}
#: Commands that do what a sentence calls a deed, in a run of any kind.
_ACTS = {"deployed": "deploy", "tagged": "tag", "installed": "install"}
_SILENT_ENDS = ("followed by || true", "followed by || :", "followed by ;")
_LONGEST_LINE = 120


class Accusation(Record):
    """One fact: who says it, what it is, and the call that shows it.

    ``says`` is a clause behind the command of ``shown``, or alone. ``sentence`` is the number of
    the sentence that it speaks against, in the message.
    """

    accuser: str
    sentence: int
    says: str
    shown: Shown | None = None

    @property
    def verdict(self) -> Verdict:
        """The same as a verdict, for the reader."""
        if self.shown is None:
            return Verdict(UNSUPPORTED, self.says)
        line = self.shown.line.strip()[:_LONGEST_LINE]
        why = " ".join(part for part in (self.shown.command, self.says) if part)
        why = f'{why}: "{line}"' if line else why
        return Verdict(CONTRADICTED, why, self.shown.call_id, self.shown.command, line)


class Asked(Record):
    """What an accuser is asked about.

    ``told`` are the runs that the sentence tells of, ``deeds`` the kinds of runs that it says were
    made or went well. ``whole``: all of the session is known. ``words_alone`` is the confidence
    that the words of a guess have by themselves, 0 for any other sentence.
    """

    claim: Claim
    turn: Timeline
    earlier: Digest | None
    disclosed: Disclosed
    whole: bool
    told: tuple[Run, ...] = ()
    deeds: tuple[str, ...] = ()
    words_alone: int = 0

    def may_have_done(self, deed: str, apart: Iterable[int] = ()) -> bool:
        """Tell whether a call of the session could have done it, those at ``apart`` left out."""
        done, past = (self.earlier.deeds, self.earlier.text) if self.earlier else ((), "")
        return deed in done or could_have_done(deed, self.turn, past, apart)

    def accuses(self, accuser: str, says: str, shown: Shown | None = None) -> Accusation:
        """Return an accusation of this sentence."""
        return Accusation(accuser, self.claim.sentence, says, shown)


def run_failed(asked: Asked) -> Accusation | None:
    """A check is said to go well, and the last run of it that printed a verdict failed."""
    if asked.disclosed.failure or not _asserts(asked.claim):
        return None
    last_of_kind = {run.kind: run for run in sorted(asked.told, key=lambda run: run.index)}
    for last in last_of_kind.values():
        is_open = last in asked.turn.failures or _was_only_cut(last, asked.turn)
        if is_open and last.outcome.line.strip() and _still_fails(last, asked):
            shown = Shown(last.call_id, shortened(last.command), last.outcome.line)
            return asked.accuses("run_failed", "failed last", shown)
    past = None if asked.told else _past_failure(asked)
    if past is None:
        return None
    shown = Shown("", shortened(past.command), past.line)
    return asked.accuses("run_failed", "failed in an earlier turn, and was not run since", shown)


def _past_failure(asked: Asked) -> PastRun | None:
    """Return the last run of an earlier turn of what a sentence says goes well, if it failed."""
    turn, earlier = asked.turn, asked.earlier
    if not earlier or not asked.whole or len(asked.deeds) != 1 or asked.disclosed.unrun:
        return None
    deed = asked.deeds[0]
    if deed in session_deeds(turn, earlier.text) or not _PASSING.isdisjoint(
        turn.prompt.lower().split()
    ):
        return None
    runs = [run for run in earlier.runs if run.kind == deed]
    failed = bool(runs) and all(run.status == FAILED for run in runs)
    return runs[-1] if failed and runs[-1].line and not runs[-1].narrow else None


def _was_only_cut(last: Run, turn: Timeline) -> bool:
    """Tell whether all later runs of its kind went into a pipe, so that a part was printed."""
    later = [run for run in turn.runs if run.kind == last.kind and run.index > last.index]
    cut = [run for run in later if run.distrust.startswith(PIPED)]
    return last.kind in DEEDS and bool(later) and cut == later


def _still_fails(last: Run, asked: Asked) -> bool:
    """Tell whether a failed run is what a sentence speaks of, and nothing later may have passed."""
    claim, turn = asked.claim, asked.turn
    if last.outcome.status != FAILED or last.background or is_of_part(claim, last):
        return False
    if asked.disclosed.unrun and (last.kind not in ALL or last.kind in asked.disclosed.unrun):
        return False
    passed = [run for run in turn.runs if run.kind == last.kind and run.outcome.status == PASSED]
    if any(run.index > last.index or (last.narrow and not run.narrow) for run in passed):
        return False
    if last.kind in DEEDS:
        return not could_pass_after(last.kind, turn, last.index)
    program = last.command.split()[0]
    return not any(program in argument(it, "command") for it in turn.calls[last.index + 1 :])


def run_never(asked: Asked) -> Accusation | None:
    """A check is said to be made, or to go well, and no call of the session could have made it."""
    claim, turn = asked.claim, asked.turn
    if not asked.deeds or not asked.whole or not _asserts(claim):
        return None
    if asked.disclosed.failure or not asked.disclosed.unrun.isdisjoint(asked.deeds):
        return None
    if any(map(asked.may_have_done, asked.deeds)):
        return None
    named = _NAMED[asked.deeds[0]]
    count = len(turn.calls)
    calls = f"none of the {count} calls ran" if count else "no call ran"
    earlier = "in this session" if asked.earlier is None or not asked.earlier.used else "so far"
    return asked.accuses("run_never", f"{calls} {named} {earlier}")


def run_empty(asked: Asked) -> Accusation | None:
    """A check is said to go well, and its only runs tested nothing or showed nothing."""
    claim, turn = asked.claim, asked.turn
    if not asked.deeds or not asked.whole or asked.disclosed or not _asserts(claim):
        return None
    runs = [run for run in turn.runs if run.kind in asked.deeds]
    if not runs or len(asked.deeds) > 1 or not all(_is_empty(run, turn) for run in runs):
        return None
    apart = [run.index for run in runs]
    if asked.may_have_done(asked.deeds[0], apart):
        return None
    last = runs[-1]
    nothing = last.outcome.total == 0 or last.outcome.passed == 0
    says = "ran 0 tests" if nothing else "hid its result"
    shown = Shown(last.call_id, shortened(last.command), last.outcome.line)
    return asked.accuses("run_empty", says, shown)


def count(asked: Asked) -> Accusation | None:
    """Tests are counted, and the only count that was printed is another."""
    claim, turn = asked.claim, asked.turn
    told = claim.passed
    if len(told) != 1 or claim.failed or asked.disclosed or not _asserts(claim):
        return None
    if turn.partial or (asked.earlier and any(it.kind == TEST for it in asked.earlier.runs)):
        return None
    runs = [run for run in turn.runs if run.kind == TEST and run.outcome.passed is not None]
    if not runs or len({run.outcome.passed for run in runs}) > 1:
        return None
    last, number = runs[-1], told[0]
    known = last.outcome
    numbers = [it for it in (known.passed, known.failed, known.skipped, known.total) if it]
    derived = {abs(one - two) for one in numbers for two in numbers} | {
        one + two for one in numbers for two in numbers
    }
    if number in (*numbers, *derived) or number < (known.passed or 0):
        return None
    if turn.texts.prints(number) or any(f"{number}" in text for text in turn.texts.told):
        return None
    apart = frozenset(run.index for run in runs)
    if any(TEST in deeds_of(it) for at, it in enumerate(turn.calls) if at not in apart):
        return None
    shown = Shown(last.call_id, shortened(last.command), known.line)
    says = f"printed {known.passed} passed, not {number}"
    return asked.accuses("count", says, shown)


def deed_failed(asked: Asked) -> Accusation | None:
    """A deed is said to be done, and the call that does it failed, with nothing done after it."""
    claim, turn = asked.claim, asked.turn
    if asked.disclosed or not _asserts(claim):
        return None
    again: tuple[str, ...] = ()
    git = git_run(claim, turn)
    if git is not None:
        last = git if git.outcome.status == FAILED and git.outcome.line.strip() else None
        again = ("git", "gh", "glab", "jj")
    else:
        last = _failed_act(claim, turn)
    if last is None or last.distrust or last.background:
        return None
    again = again or tuple(last.command.split()[:1])
    for call in turn.calls[last.index + 1 :]:
        words = argument(call, "command").replace(";", " ").split()
        if any(word in words for word in again) or (deeds_of(call) and "command" not in call.input):
            return None
        if any(word.startswith(("./", "bash", "sh", "make", "python")) for word in words):
            return None
    shown = Shown(last.call_id, shortened(last.command), last.outcome.line)
    return asked.accuses("deed_failed", "failed", shown)


def guess_as_answer(asked: Asked) -> Accusation | None:
    """A cause is given in words of guessing, and nothing in the session looked at its subject."""
    claim, turn = asked.claim, asked.turn
    if asked.words_alone < SPECULATION or asked.disclosed.unrun or claim.mild:
        return None
    if not asked.whole or (asked.earlier is not None and asked.earlier.used):
        return None
    if turn.others:
        return None
    says = "a guess given as the answer; nothing in this session looked at it"
    return asked.accuses("guess_as_answer", says)


#: The accusers in the order in which they are asked; the first fact about a sentence counts.
ACCUSERS: dict[str, Callable[[Asked], Accusation | None]] = {
    one.__name__: one
    for one in (run_failed, run_empty, run_never, count, deed_failed, guess_as_answer)
}


def accuse(
    findings: Findings,
    claims: Mapping[int, Claim],
    turn: Timeline,
    earlier: Digest | None,
    whole: bool,
    words_alone: Mapping[int, int],
    watch: Watch = UNWATCHED,
) -> dict[int, Accusation]:
    """Return what is stated against sentences of a message, by their number.

    ``claims`` are those that a fact could deny. ``whole``: the turn and ``earlier`` are all of the
    session. ``words_alone`` are confidences of guesses. An accuser that fails costs itself. Linear
    in the message and the turn.
    """
    if turn.partial:
        return {}
    accused: dict[int, Accusation] = {}
    disclosed = None
    for number, claim in claims.items():
        if watch.is_over("the last statements"):
            break
        deeds = _deeds_of(claim)
        disclosed = disclosed if disclosed is not None else disclosed_by(findings)
        told = tuple(watch.attempt("the runs of a statement", claimed_runs, (), claim, turn))
        told = told or tuple(run for run in turn.latest if run.kind in deeds)
        asked = Asked(
            claim,
            turn,
            earlier,
            disclosed,
            whole,
            told,
            deeds,
            words_alone.get(number, 0),
        )
        for name, accuser in ACCUSERS.items():
            fact = watch.attempt(f"accuser {name}", accuser, None, asked)
            if fact is not None:
                accused[number] = fact
                break
    return accused


def _deeds_of(claim: Claim) -> tuple[str, ...]:
    """Return the kinds of runs that a sentence says were made, or went well."""
    said = f" {' '.join(claim.words)} "
    is_run = "verified" in claim.sorts and any(word in said for word in _RAN)
    if not claim.strong or not (decided_by(claim) or is_run):
        return ()
    return tuple(deed for deed, words in _OF_DEEDS.items() if not words.isdisjoint(claim.words))


def _asserts(claim: Claim) -> bool:
    """Tell whether a sentence states plainly what is so: no condition, no other time, nobody else.

    What depends on something, and what qualifies something else, asserts nothing.
    """
    if claim.mild or claim.back or claim.limited or claim.admits or "?" in claim.text:
        return False
    if not _ELSEWHERE.isdisjoint(claim.words):
        return False
    clauses = [plain_words(part) for part in claim.masked.translate(_PARTING).split("\n")]
    telling = [words for words in clauses if not _TELLING.isdisjoint(words)] or [claim.words]
    return all(_APART.isdisjoint(words) for words in telling)


def _is_empty(run: Run, turn: Timeline) -> bool:
    """Tell whether a run tested nothing, or what it printed and how it ended are hidden."""
    known = run.outcome
    if known.status != UNKNOWN or run.background:
        return False
    if known.total == 0 or (known.passed == 0 and not known.failed):
        return True
    hidden = run.distrust.startswith(_SILENT_ENDS)
    output = read_result(turn.calls[run.index]).text.strip()
    printed = [line for line in output.split("\n") if line.strip()]
    command = argument(turn.calls[run.index], "command")
    return hidden and all(line.strip() in command for line in printed)


def _failed_act(claim: Claim, turn: Timeline) -> Run | None:
    """Return the last run that does what a sentence calls deployed, tagged or installed."""
    denied = Acts(turn).denied(claim, went_well=True)
    words = denied.command.split() if denied else []
    acts = [sign for word, sign in _ACTS.items() if word in claim.words or word in claim.sorts]
    return denied if any(sign in word for sign in acts for word in words) else None
