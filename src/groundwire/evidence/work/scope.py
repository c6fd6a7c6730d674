"""Claims of what tests cover, or rule out: no passing run shows that."""

from __future__ import annotations

from groundwire.evidence.pointing import command_of, pointing
from groundwire.evidence.runs.model import PASSED, TEST
from groundwire.evidence.runs.names import is_test_file
from groundwire.evidence.runs.wrappers import base_name
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts
    from groundwire.evidence.turn.printed import Number
    from groundwire.evidence.turn.seen import Source

#: Words of what a test is for; with them "ensures" speaks of proof, without them of purpose.
_PURPOSES = frozenset(
    "avoid avoids avoiding ensure ensures ensuring guard guards prevent prevents preventing".split()
)
_PROVING = frozenset(
    "benchmark benchmarks coverage demonstrates measurements prove proven proves proving results "
    "suite test tested testing tests validated validates validating".split()
)
#: Parts of the commands that measure which code a test run reaches.
_MEASURES = ("cov", "jacoco", "kover", "tarpaulin", "nyc ", "c8 ")
#: Places where a program runs; beside one of them "test" is another.
_PLACES = frozenset("dev development local preview prod production qa staging".split())
_EVERYTHING = frozenset("all complete each entire every everything full".split())
#: What an item of a list says that tests do with their cases, and words that claim more.
_LOOKING = frozenset(
    "check checks confirm confirms cover covers demonstrate demonstrates ensure ensures exercise "
    "show shows validate validates verify verifies".split()
)
_ALL = frozenset(
    "all always any anything complete completely each entire ever every everything full fully "
    "guarantee guaranteed guarantees impossible never no none nothing safe whole".split()
)
#: Words with which a sentence tells how all of them came out, and characters read with a claim.
_RESULTS = frozenset("correct correctly green pass passed passes passing succeed succeeded".split())
_NEAR = 40
_REPORTING = frozenset(
    "detected finds found flagged reported reports showed shown shows surfaced".split()
)
_DENYING = ("no", "zero", "without")
_FARES = frozenset("cannot will won't work working works would".split())
_WRITTEN = frozenset("added adds created creates wrote written".split())


def guarantee_verdict(claim: Claim, facts: Facts) -> Verdict:
    """What code is for is a description; that tests rule something out is a guarantee.

    That something is safe may come from reading it. A list of what the tests that were written
    look at tells of their cases, when they passed.
    """
    if run := _lists_cases(claim, facts):
        return pointing(run, QUALIFIED, "it lists what the tests look at, and they passed")
    if claim.sort == "safety" and (zero := _none_of(claim, facts)):
        return Verdict(SUPPORTED, "a count of it printed nothing", zero.call_id)
    if claim.sort == "safety" and (run := _reported(claim, facts)):
        return pointing(run, QUALIFIED, "it tells what a run reported")
    if _PROVING.isdisjoint(_words(claim.text)):
        if claim.sort == "safety":
            return Verdict(NOT_CHECKABLE, "no result shows that it holds")
        if claim.certain or not _PURPOSES.isdisjoint(claim.said.split()):
            why = "it says what the change is for; no result shows that it holds"
            return Verdict(QUALIFIED, why)
        if facts.actions.looks and not (facts.edits or facts.changes or _foretells(claim)):
            return Verdict(QUALIFIED, "it tells of what was read in this turn")
    return Verdict(UNSUPPORTED, "a run shows the cases it covers, not a guarantee")


def _reported(claim: Claim, facts: Facts) -> Run | None:
    """Return the last fresh run, for "the detector reported no races in 20 runs"."""
    if _REPORTING.isdisjoint(word.strip(".,:;!*`()") for word in claim.text.split()):
        return None
    passed = [run for run in facts.latest if run.outcome.status == PASSED]
    return passed[-1] if passed and not facts.is_stale(passed[-1]) else None


def _none_of(claim: Claim, facts: Facts) -> Source | None:
    """Return the result that counts nothing of what "no vulnerabilities" names."""
    denied, _, thing = claim.said.partition(" ")
    if denied not in _DENYING:
        return None
    from groundwire.evidence.absence.zero import zero_of

    return zero_of([word.removesuffix("s") for word in thing.split()], facts)


def _words(text: str) -> list[str]:
    """Return the words of a sentence without a "test" that is a place: "dev and test run it"."""
    words = text.split()
    if _PLACES.isdisjoint(word.strip(",.") for word in words):
        return words
    plain = text.replace(",", " and").split()
    joined = zip(plain, plain[1:], plain[2:], strict=False)
    for first, join, last in joined:
        if (
            join in ("and", "or")
            and "test" in (first, last)
            and not _PLACES.isdisjoint((first, last))
        ):
            return [word for word in words if word.strip(",.") != "test"]
    return words


def _foretells(claim: Claim) -> bool:
    """Tell whether a claim is of how something fares, or will: reading code does not show it."""
    return claim.certain or not _FARES.isdisjoint(claim.said.split())


def _lists_cases(claim: Claim, facts: Facts) -> Run | None:
    """Return the run of written tests that an item "Tests verify X" is about, if it passed."""
    words = [word.strip("*:,.-`") for word in claim.text.split()]
    words = [word for word in words if word]
    at = 1 + (words[:1] in (["new"], ["the"], ["unit"]))
    if not claim.item or words[at - 1 : at] not in (["tests"], ["specs"], ["test"], ["spec"]):
        return None
    if words[at : at + 1] == [] or words[at] not in _LOOKING or not _ALL.isdisjoint(words):
        return None
    if not any(edit.succeeded and is_test_file(edit.path) for edit in facts.actions.edits):
        return None
    passed = [run for run in facts.passed(TEST) if not facts.is_stale(run)]
    return passed[-1] if passed and not facts.failed(TEST) else None


def coverage_verdict(claim: Claim, facts: Facts) -> Verdict | None:
    """That tests cover all of something is not shown by their passing, but by measuring it.

    That tests were written is shown by the edit, however they are praised.
    """
    measured = [
        run
        for run in facts.latest
        if run.outcome.status == PASSED and any(tool in run.command for tool in _MEASURES)
    ]
    if measured:
        return pointing(measured[-1], QUALIFIED, f"{command_of(measured[-1])} measured what it ran")
    if number := _all_printed(claim, facts):
        from groundwire.evidence.turn.printed import excerpt

        call_id = number.source.call_id if number.source else ""
        return Verdict(SUPPORTED, f'a run printed "{excerpt(number)}" after the last edit', call_id)
    if _EVERYTHING.isdisjoint(claim.text.split()) and _reports_tests(claim, facts):
        return Verdict(QUALIFIED, "the tests were written; no result shows what they cover")
    if facts.edits or facts.latest:
        return Verdict(UNSUPPORTED, "no result enumerates what there is to cover")
    return None


def _all_printed(claim: Claim, facts: Facts) -> Number | None:
    """Return "20/20" that a run printed after the last edit, for "all 20 cases pass"."""
    said = {word.strip(".,:;!*)") for word in claim.text.split()}
    if claim.wording is None or _RESULTS.isdisjoint(said):
        return None
    start = claim.wording.start
    words = claim.wording.masked[start : start + _NEAR].split()
    told = [int(word) for word in words if word.isdecimal()]
    return next(
        (
            number
            for count in told[:1]
            for number in facts.printed.near(count)
            if number.value == number.total == count
            and number.source is not None
            and number.source.is_run
            and number.source.index > facts.last_change
        ),
        None,
    )


def _reports_tests(claim: Claim, facts: Facts) -> bool:
    """Tell whether a sentence reports that tests were written, or names a written file of them."""
    written = [edit.path for edit in facts.actions.edits if edit.succeeded]
    names = {base_name(path).lower() for path in written if is_test_file(path)}
    stripped = (word.strip("*:,.-#") for word in claim.text.split())
    first = next((word for word in stripped if word), "")
    return bool(names) and (first in _WRITTEN or any(name in claim.text for name in names))
