"""What a sentence says has passed when it names no tests: a command, a build, a linter, the types.

"`npm run build` now passes" is about that command, "build and lint pass" about the runs of those
kinds; only a sentence that names neither is held against the tests.
"""

from __future__ import annotations

from groundwire.evidence.message.claims import BUILD, LINT, TESTS, TYPES, Claim
from groundwire.evidence.pointing import against, edited_files, pointing
from groundwire.evidence.reference.ran import same_command
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.classify import Classified, classify
from groundwire.evidence.runs.names import is_test_file
from groundwire.evidence.runs.shell import read_commands
from groundwire.model import (
    CONTRADICTED,
    NOT_CHECKABLE,
    QUALIFIED,
    SUPPORTED,
    UNSUPPORTED,
    Verdict,
)
from groundwire.text.mask import FILLER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.evidence.message.wording import Wording
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts

_SORTS = {runs.TEST: TESTS, runs.BUILD: BUILD, runs.LINT: LINT, runs.TYPES: TYPES}
#: Words for a kind of run; the name of a tool is read as its command.
_WORDS = {
    BUILD: "build builds bundle bundling compile compilation compiler",
    LINT: "clippy lint linter linters linting lints",
    TYPES: "typecheck typechecks typechecking type-check type-checks type-checking typing types",
    TESTS: "test tests spec specs suite suites testing unit ci",
}
_SORT_OF = {word: sort for sort, words in _WORDS.items() for word in words.split()}
#: Words between the parts of a subject and its verb.
_JOINING = frozenset(
    "a all also and as at both check checking checks clean cleanly each full in is local now of "
    "or plus production release still strict the then together too well whole both".split()
)
_MARKS = ",;:()&+*_ \"'"
#: The worst first.
_ORDER = (CONTRADICTED, UNSUPPORTED, NOT_CHECKABLE, QUALIFIED, SUPPORTED)
_NOT_CHECKING = (runs.GIT, runs.INSTALL)
#: Tools whose names are everyday words, and words of tasks that no tool is known of.
_ALSO_WORDS = ("", "make")
_LONGEST_CODE = 200
_MOST_CODES = 8


def told_runs(claim: Claim, wording: Wording) -> Claim:
    """Return a claim of passed tests as one of what its sentence says has passed.

    ``named`` holds the command and the sort of each part of its subject, of which one is "" when
    there is none; it is empty when the sentence names tests, or nothing that runs.
    """
    named = _subject(wording)
    sorts = [sort for _, sort in named]
    if not named or TESTS in sorts:
        return claim
    return claim.replace(sort=next(filter(None, sorts), claim.sort), named=named)


def named_verdict(
    claim: Claim, facts: Facts, of_sort: Callable[[Claim, Facts], Verdict]
) -> Verdict | None:
    """Return the worst of the verdicts on the named parts; ``of_sort`` judges a kind of run."""
    found = []
    for command, sort in claim.named:
        known = _command_verdict(command, facts) if command else None
        if known is None and sort:
            known = of_sort(claim.replace(sort=sort), facts)
        if known:
            found.append(known)
    return min(found, key=lambda one: _ORDER.index(one.status)) if found else None


def verified_by(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge "verified with `make test`" by that run, when it passed after the last edit.

    One that failed may have shown what it should, and an older one need not be about the last
    edit. A command that is no test shows no more than its end.
    """
    if claim.wording is None:
        return None
    tests = {run.call_id for run in facts.runs if run.kind == runs.TEST}
    for code in claim.wording.original.split("`")[1::2][:_MOST_CODES]:
        found = _command_verdict(code.strip(), facts) if len(code) <= _LONGEST_CODE else None
        if found and found.status == SUPPORTED:
            return found if found.call_id in tests else found.replace(status=NOT_CHECKABLE)
    return None


def _subject(wording: Wording) -> tuple[tuple[str, str], ...]:
    """Return the commands and kinds directly before the claim, read backwards from its verb."""
    found: list[tuple[str, str]] = []
    for word, is_code in reversed(_pieces(wording)):
        known = _classified(word) if is_code or word not in _SORT_OF else None
        sort = _SORTS.get(known.kind, "") if known else _SORT_OF.get(word, "")
        if known and is_code and known.kind not in _NOT_CHECKING:
            found.append((word, sort))
        elif sort and (known is None or known.tool not in _ALSO_WORDS):
            found.append(("", sort))
        elif is_code or word not in _JOINING:
            break
    return tuple(dict.fromkeys(reversed(found)))


def subject_code(wording: Wording) -> str:
    """Return the stretches of inline code directly before the claim, "" when there is none."""
    found: list[str] = []
    for word, is_code in reversed(_pieces(wording)):
        if is_code:
            found.append(word)
        elif word not in _JOINING:
            break
    return " ".join(found)


def _pieces(wording: Wording) -> list[tuple[str, bool]]:
    """Return the words and the stretches of inline code before the claim, in order."""
    found: list[tuple[str, bool]] = []
    for number, part in enumerate(wording.original[: wording.start].split("`")):
        if number % 2 and len(part) <= _LONGEST_CODE:
            found.append((part.strip(), True))
        elif number % 2:
            found.append((FILLER, True))
        else:
            words = (word.strip(_MARKS).lower() for word in part.replace("/", " ").split())
            found.extend((word, False) for word in words if word)
    return found


def _classified(text: str) -> Classified | None:
    """Return what a command of one program is; None for none, and for a plain word."""
    commands = read_commands(text)
    return classify(commands[0]) if len(commands) == 1 else None


def _command_verdict(command: str, facts: Facts) -> Verdict | None:
    """Judge by the last run of the very command; None when nothing is known of it."""
    own = [
        run
        for run in facts.runs
        if run.kind not in _NOT_CHECKING and same_command(command, run.command)
    ]
    if not own:
        return None
    last = own[-1]
    if last.outcome.status == runs.FAILED:
        return against(last, "it failed") if last in facts.failures else None
    if last.outcome.status != runs.PASSED:
        why = last.distrust or "its output does not show the outcome"
        return pointing(last, NOT_CHECKABLE, why)
    edited = _edited_after(last, facts)
    if edited:
        return pointing(last, UNSUPPORTED, f"{edited_files(edited)} after it ran")
    return pointing(last, SUPPORTED, "it passed after the last edit")


def _edited_after(run: Run, facts: Facts) -> tuple[str, ...]:
    edited = facts.edited_after(run)
    if run.kind == runs.BUILD:
        return tuple(path for path in edited if not is_test_file(path))
    return edited
