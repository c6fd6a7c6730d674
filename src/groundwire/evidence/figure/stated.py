"""The figures of a message against the numbers that tools printed.

A figure is known as printed, rounded, in another unit, as a share, a sum or a difference. Only
what has to be measured is called unsupported when no result shows it; all else is not checkable.
"""

from __future__ import annotations

from groundwire.evidence.figure.derived import by_source, follows_from
from groundwire.evidence.figure.exit_codes import exit_code_verdict
from groundwire.evidence.figure.words import ESTIMATES, is_graded, is_signed, noun_words
from groundwire.evidence.message.claims import Claim
from groundwire.evidence.message.wording import Wording
from groundwire.evidence.pointing import against, pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.turn.facts import Facts
from groundwire.evidence.turn.printed import TIME, Number, Printed, dimension
from groundwire.model import EARLIER, NOT_CHECKABLE, SUPPORTED, UNSUPPORTED, Verdict
from groundwire.scan.measures import SECONDS
from groundwire.scan.numbers import COUNT, DURATION, EXIT, PERCENT, RATIO, TIMES, find_numbers
from groundwire.scan.quantities import Quantity
from groundwire.scan.quantity_words import CHANGES, ERRORS, FILES, TESTS
from groundwire.scan.words import next_words, word_before, words_before

_FIGURES_NOT_NAMED = Verdict(NOT_CHECKABLE, "it names no figure that could be looked up")
_NOWHERE = Verdict(NOT_CHECKABLE, "a count that no result prints as such")


def figure_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge the figure at the place of ``claim``; its ``wording`` must be there."""
    wording = claim.wording
    quantity = _quantity(wording) if wording else None
    if wording is None or quantity is None:
        return _FIGURES_NOT_NAMED
    if quantity.kind == EXIT:
        return exit_code_verdict(int(quantity.value), wording, facts)
    figure = Figure(quantity, wording)
    printed = facts.printed
    found = _of_runs(figure, facts) or _printed(figure, printed)
    found = found or _of_edits(figure, facts) or follows_from(quantity, wording.block, printed)
    return found or _unknown(figure, facts)


class Figure:
    """A quantity as it is written: ``value`` and how far off a printed number may be."""

    def __init__(self, quantity: Quantity, wording: Wording) -> None:
        text = wording.masked[quantity.start : quantity.end]
        decimals = len(text.partition(".")[2]) - len(text.partition(".")[2].lstrip("0123456789"))
        self.quantity = quantity
        self.wording = wording
        self.value = quantity.value
        self.text = " ".join(text.replace("*", "").split())
        self.margin = 0.0 if quantity.kind == COUNT else 0.5 * 10.0**-decimals
        if quantity.approximate:
            self.margin = max(self.margin, 0.1 * self.value)
        self.words = frozenset(wording.masked.lower().replace(",", " ").split())


def _quantity(wording: Wording) -> Quantity | None:
    """Return the quantity at the place of the claim."""
    for quantity in find_numbers(wording.masked):
        if quantity.start < wording.end and wording.start < quantity.end:
            return quantity
    return None


def _of_runs(figure: Figure, facts: Facts) -> Verdict | None:
    """Counts of tests against the last test runs, which count more than earlier ones."""
    quantity = figure.quantity
    if quantity.kind != COUNT:
        return None
    if not quantity.value and quantity.unit in ERRORS:
        return _nothing_found(figure, facts)
    if quantity.unit not in TESTS and not quantity.outcome:
        return None
    last = facts.of_kind(runs.TEST)
    for run in reversed(last):
        counts = run.outcome
        by_outcome = {"passed": counts.passed, "failed": counts.failed, "skipped": counts.skipped}
        wanted = [by_outcome.get(quantity.outcome), counts.total]
        if not quantity.outcome:
            wanted.append(counts.passed)
        if quantity.value in wanted:
            return pointing(run, SUPPORTED, f"the test run printed {figure.text}")
    passed = [run.outcome.passed for run in last if run.outcome.passed is not None]
    if len(passed) > 1 and quantity.value == sum(passed):
        return pointing(last[-1], SUPPORTED, f"the test runs together printed {figure.text}")
    return None


def _nothing_found(figure: Figure, facts: Facts) -> Verdict | None:
    """ "0 errors" holds when the last check that could find some passed."""
    kinds = (runs.TEST,) if "failures" in figure.quantity.unit else (runs.LINT, runs.TYPES)
    kinds = (*kinds, runs.BUILD) if "failures" not in figure.quantity.unit else kinds
    passed, failed = facts.passed(*kinds), facts.failed(*kinds)
    if passed and not failed:
        return pointing(passed[-1], SUPPORTED, "the last check passed")
    counts = failed[-1].outcome if failed and not passed else None
    if counts and (counts.failed if runs.TEST in kinds else counts.errors):
        return against(failed[-1], "the last check printed some")
    return None


def _printed(figure: Figure, printed: Printed) -> Verdict | None:
    """Look for the figure as printed, rounded or in another unit, of the same thing."""
    kind, value, margin = figure.quantity.kind, figure.value, figure.margin
    if kind == DURATION:
        return _duration(figure, printed)
    for number in printed.near(value, margin):
        if _same_thing(figure, number):
            return _points_to(number, figure)
    if kind == PERCENT:
        for number in printed.near(value / 100, margin / 100):
            if number.decimals > 1 and figure.words & frozenset(number.line.lower().split()):
                return _points_to(number, figure)
    return None


def _same_thing(figure: Figure, number: Number) -> bool:
    quantity = figure.quantity
    if quantity.kind == PERCENT:
        return number.unit in ("%", "percent")
    if quantity.kind == TIMES:
        return number.unit in ("x", "times", "fold")
    if quantity.kind == RATIO:
        return number.total == quantity.total
    if quantity.total is not None and number.total is not None:
        return number.total == quantity.total
    line = number.line.lower()
    if any(word in line for word in noun_words(quantity)):
        return True
    alone = len(line.split()) <= 2 and not line[: number.at].strip()  # "509 total" of wc
    return quantity.unit in FILES and alone and number.source is not None and number.source.is_run


def _duration(figure: Figure, printed: Printed) -> Verdict | None:
    scale = SECONDS[figure.quantity.unit]
    for number in printed.numbers:
        if number.unit in SECONDS:
            (seconds,) = dimension(number)[1]
            if abs(seconds - figure.value * scale) <= figure.margin * scale * 1.001:
                return _points_to(number, figure)
    for number in printed.near(figure.value, figure.margin):
        if TIME in number.line.lower() or "seconds" in number.line.lower():
            return _points_to(number, figure)
    return None


def _points_to(number: Number, figure: Figure) -> Verdict:
    return by_source(number, SUPPORTED, f"printed {figure.text}")


def _of_edits(figure: Figure, facts: Facts) -> Verdict | None:
    """ "I changed 3 files": the edits that succeeded, and the files that they changed."""
    if figure.quantity.kind != COUNT or figure.quantity.unit not in FILES:
        return None
    done = [edit for edit in facts.actions.edits if edit.succeeded]
    if not done:
        return None
    files = {edit.path for edit in done}
    counts = [len(files)] if "files" in figure.quantity.unit else [len(files), len(done)]
    if figure.value in counts:
        why = f"the turn edited {len(files)} files in {len(done)} edits"
        return Verdict(SUPPORTED, why, done[-1].call_id)
    return None


def _unknown(figure: Figure, facts: Facts) -> Verdict:
    """The figure is not printed of that thing; say how much that means."""
    elsewhere = next(iter(facts.printed.near(figure.value, figure.margin)), None)
    if elsewhere is not None:
        return Verdict(NOT_CHECKABLE, "the number is printed, but not plainly of that")
    spelled = _spelled(figure.value)
    if any(_stands_in(text, word) for text in facts.seen.told for word in spelled):
        return Verdict(EARLIER, "the figure stands in what the user or the harness said")
    if _is_own_score(figure, facts):
        return Verdict(UNSUPPORTED, f"no result of this turn gives the score {figure.text}")
    if not _is_measured(figure) or figure.quantity.approximate or ESTIMATES & figure.words:
        return _NOWHERE
    if facts.actions.opaque or facts.actions.reports or not facts.seen.whole:
        return Verdict(NOT_CHECKABLE, "the results of this turn are not all there to look it up")
    if any(_stands_in(text, word) for text in facts.seen.written() for word in spelled):
        return Verdict(NOT_CHECKABLE, "the turn wrote the number itself")
    return Verdict(UNSUPPORTED, f"no result of this turn shows {figure.text}")


def _is_own_score(figure: Figure, facts: Facts) -> bool:
    """A grade of the turn's own work; what another agent or a cut result may hold is none."""
    quantity, masked = figure.quantity, figure.wording.masked
    if not facts.edits or facts.actions.reports or "coverage" in figure.words:
        return False
    whole = facts.seen.whole and not facts.actions.opaque
    return is_signed(quantity, masked) or (whole and is_graded(quantity, masked))


def _is_measured(figure: Figure) -> bool:
    """Whether only a measurement can give the figure, and no reader's own count or estimate."""
    quantity, text = figure.quantity, figure.wording.masked
    if quantity.kind == DURATION:
        return True
    if quantity.kind == TIMES:
        return quantity.unit in CHANGES
    if quantity.kind != PERCENT:
        return False  # whoever reads may count
    behind = {word for word, _ in next_words(text, quantity.end, 2)}
    before = words_before(text, quantity.start, 3)
    is_change = word_before(text, quantity.start)[0] == "by" or not CHANGES.isdisjoint(behind)
    return is_change or "coverage" in behind | before


def _spelled(value: float) -> tuple[str, ...]:
    plain = f"{value:.10g}"
    if value.is_integer() and value >= 1000:
        return plain, f"{int(value):,}"
    return (plain,)


def _stands_in(text: str, word: str) -> bool:
    """Tell whether ``word`` stands in ``text`` with no further digit on either side."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (text[at - 1 : at].isdigit() or text[end : end + 1].isdigit()):
            return True
        at = text.find(word, end)
    return False
