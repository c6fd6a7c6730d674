"""What a sentence claims, read once from its markers and its words.

Raters challenge statements, not words: one sentence is one claim, whatever number of markers
stands in it, and all matches in it share its evidence.
"""

from __future__ import annotations

from groundwire.base.budget import UNWATCHED
from groundwire.base.model import CERTAINTY, FAINT, TOLD
from groundwire.base.record import Record
from groundwire.language.filters import PLAN
from groundwire.language.numbers import find_numbers
from groundwire.language.quantities import COUNT
from groundwire.language.words import plain_words
from groundwire.verdict.disclosures import tells_failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundwire.base.budget import Watch
    from groundwire.base.model import Marker
    from groundwire.language.candidates import Kept
    from groundwire.language.find import Findings
    from groundwire.language.fold import Sentence
    from groundwire.language.quantities import Quantity

RUN, STATUS, REPORT, SCOPE, GUARANTEE, CAUSE = "run status report scope guarantee cause".split()
FIGURE, ABSENCE, REFERENCE, GUESS, SURE, PRAISE, FACT = (
    "figure absence reference guess sure praise fact".split()
)
GROUPS = (
    RUN, STATUS, REPORT, SCOPE, GUARANTEE, CAUSE, FIGURE, ABSENCE, REFERENCE, GUESS, SURE, PRAISE,
    FACT,
)  # fmt: skip
#: Group -> the claims of markers that belong to it. Any other claim goes by the marker's kind.
_SORTS = {
    RUN: "tests_pass build_ok lint_clean types_ok",
    STATUS: "fixed works verified ready deployed all_up tree_clean",
    REPORT: "committed pushed made done implemented edited read_all copied",
    SCOPE: "all_scope coverage requested",
    GUARANTEE: "guarantee safety",
    CAUSE: "cause blamed limit_hit flaky pulled_in actor stated_cause",
    FIGURE: "count quantity figure",
    ABSENCE: "absence no_other unused only_uses unread no_conflict own_acts",
    GUESS: "guess modal doubt impression predicted",
    REFERENCE: "reference source path commit command quote",
    PRAISE: "quality praise",
    FACT: "behaviour state same external told",
}
_GROUP_OF_SORT = {sort: group for group, sorts in _SORTS.items() for sort in sorts.split()}
_GROUP_OF_KIND = {
    "speculation_language": GUESS,
    "causality_language": CAUSE,
    "certainty_language": SURE,
    "completeness_claim": SCOPE,
    "ungrounded_behavioral_assertion": STATUS,
    "unsupported_absence": ABSENCE,
    "pseudo_quantification": FIGURE,
    "evaluative_design_claim": PRAISE,
    "internal_contradiction": SURE,
    "unsupported_reference": REFERENCE,
}
#: Sorts that say plainly how the work stands; what proves them is a run after the last edit.
PLAIN = frozenset(
    "tests_pass build_ok lint_clean types_ok fixed works verified ready deployed all_up".split()
)
_LIMITS = frozenset(("cue.limit", "cue.disclosure"))
_WHOLE = frozenset("all every entire full whole everything suite".split())
_EXCEPTING = (
    "except ", "apart from ", "other than ", "all but ", " exception", "aside from ", "save for ",
    "the other ", "the others ", "the rest of ",
)  # fmt: skip
#: Words that may stand behind the number of all tests; any other one names a part of them.
_OF_TESTS = frozenset(
    "of which out the all total test tests case cases unit automated spec specs example examples "
    "assertion assertions pass passed passing fail failed failing failure failures green".split()
)
#: Filters of what the reader is asked to see to, and of what the writer offers to check.
_READERS = ("instruction", "offered-check")
_SHORTEST_REPORT, _CLOSING = 5, 2
#: Share of a turn's time after which no further sentence is read.
_SHARE = 0.8
_NUMBERS = "zero one two three four five six seven eight nine ten".split()
_BEFORE = frozenset("before earlier from had previously was were".split())


#: Words that count what is wrong, one way or another, and words that say that there is none.
_WRONG = frozenset(
    "error errors warning warnings failure failures issue issues problem problems violation "
    "violations offense offenses finding findings vulnerability vulnerabilities leak leaks "
    "mismatch mismatches conflict conflicts complaint complaints".split()
)
NONE = frozenset(("no", "without", "zero", "0", "free"))


class Claim(Record):
    """One sentence that claims something.

    ``groups`` and ``sorts`` are those of its telling markers, of its everyday words when it has no
    other; ``strong`` is the number of different places with a telling marker. ``text`` is the
    sentence as written, ``masked`` the same without code, in lower case, ``folded`` as the scanner
    saw it. ``passed`` and ``failed`` are the numbers of all tests that it tells. ``whole``: it
    speaks of all of something; ``limited``: it names its own limits; ``admits``: it tells a
    failure; ``back``: it refers to earlier turns; ``mild`` is 1 for a mere plan and 0.5 for another
    milder use; ``closes``: one of the last two sentences of five or more. ``words`` are those of
    ``masked``, ``quantities`` its numbers with what they count or measure.
    """

    sentence: int
    groups: frozenset[str]
    sorts: frozenset[str]
    text: str
    masked: str
    folded: str
    role: str = "text"
    strong: int = 0
    passed: tuple[int, ...] = ()
    failed: tuple[int, ...] = ()
    whole: bool = False
    limited: bool = False
    admits: bool = False
    back: bool = False
    mild: float = 0.0
    closes: bool = False
    words: tuple[str, ...] = ()
    quantities: tuple[Quantity, ...] = ()

    @property
    def denied(self) -> list[str]:
        """The words of what can be wrong of which it says that there is none."""
        words = (*self.words, "")
        positions = [at for at, word in enumerate(words) if word in _WRONG]
        near = [(words[at], words[max(0, at - 2) : at], words[at + 1]) for at in positions]
        return [
            word
            for word, two, behind in near  # "such" are those named before
            if (behind == "0" or not NONE.isdisjoint(two)) and "such" not in two
        ]

    def of(self, *groups: str) -> bool:
        """Tell whether a marker of one of these groups stands in the sentence."""
        return not self.groups.isdisjoint(groups)

    @property
    def plain(self) -> bool:
        """Whether it says in so many words that something passes, works, is fixed or is ready."""
        return self.strong > 0 and not self.limited and not self.sorts.isdisjoint(PLAIN)


def claims_of(
    findings: Findings, kept: Iterable[Kept], watch: Watch = UNWATCHED
) -> dict[int, Claim]:
    """Return the claims of a message by the number of their sentence. Linear in the message.

    The last ones are missing when the time of ``watch`` is up.
    """
    by_sentence: dict[int, list[Kept]] = {}
    for one in kept:
        by_sentence.setdefault(one.sentence, []).append(one)
    return {
        number: _claim(findings, number, matches)
        for number, matches in by_sentence.items()
        if not watch.is_over("the last statements", _SHARE)
    }


def group_of(marker: Marker) -> str:
    """Return the group of what a marker claims."""
    return _GROUP_OF_SORT.get(marker.claim) or _GROUP_OF_KIND[marker.kind]


def _claim(findings: Findings, number: int, matches: list[Kept]) -> Claim:
    folded, sentence = findings.folded, findings.sentences[number]
    span = slice(*folded.span(sentence.start, sentence.end))
    masked = findings.plain(span)
    words = plain_words(masked)
    quantities = tuple(find_numbers(masked))
    cues = {cue.marker.id for cue in sentence.cues}
    counts = [one for one in quantities if one.kind == COUNT]
    passed, failed = _claimed_counts(counts, masked)
    count = len(findings.sentences)
    all_markers = [match.candidate.marker for match in matches]
    markers = [marker for marker in all_markers if marker.strength != FAINT]
    markers = markers or [marker for marker in all_markers if marker.claim != TOLD] or all_markers
    return Claim(
        number,
        frozenset(map(group_of, markers)),
        frozenset(marker.claim for marker in markers) - {""},
        folded.original[span],
        masked,
        folded.text[sentence.start : sentence.end],
        sentence.role,
        _telling_places(matches),
        passed,
        failed,
        not _WHOLE.isdisjoint(words),
        not cues.isdisjoint(_LIMITS)
        or any(one.filter in _READERS for one in matches)
        or any(phrase in masked for phrase in _EXCEPTING)
        or counts_part(quantities)
        or _names_part(words),
        tells_failure(sentence, folded) or _tells_errors(quantities, masked),
        "cue.earlier" in cues and not _is_already(sentence),
        _mildness(matches),
        count >= _SHORTEST_REPORT and number >= count - _CLOSING,
        words,
        quantities,
    )


def _telling_places(matches: list[Kept]) -> int:
    """Count the places of telling markers; overlapping ones are one place."""
    reach, places = -1, 0
    for match in matches:
        if match.candidate.marker.strength in (FAINT, CERTAINTY):
            continue
        places += match.candidate.start >= reach
        reach = max(reach, match.candidate.end)
    return places


def _mildness(matches: list[Kept]) -> float:
    if not all(one.milder for one in matches):
        return 0.0
    return 1.0 if all(one.milder == PLAN for one in matches) else 0.5


def _is_already(sentence: Sentence) -> bool:
    """Tell whether all that points back is "already", which tells of code as often as of turns."""
    return all(
        sentence.text[cue.start : cue.end] == "already"
        for cue in sentence.cues
        if cue.marker.id == "cue.earlier"
    )


def counts_part(quantities: Iterable[Quantity]) -> bool:
    """Tell whether a sentence counts less than the whole: "47 of 48", "9/12"."""
    return any(one.total is not None and one.value < one.total for one in quantities)


def _names_part(words: Iterable[str]) -> bool:
    """Tell whether a number of a larger one is named, whatever is counted: "two of the three"."""
    plain = [word for word in words if word not in ("the", "out")]
    known = [str(_NUMBERS.index(word)) if word in _NUMBERS else word for word in plain]
    threes = zip(known, known[1:], known[2:], strict=False)
    return any(
        of == "of" and some.isdigit() and all_.isdigit() and int(some) < int(all_)
        for some, of, all_ in threes
    )


def _tells_errors(quantities: Iterable[Quantity], masked: str) -> bool:
    """Tell whether a sentence gives a number of errors, not 0 and not one of before ("was 58")."""
    return any(
        quantity.value
        and (quantity.outcome == "failed" or quantity.unit in _WRONG)
        and _BEFORE.isdisjoint(plain_words(masked[: quantity.start])[-2:])
        for quantity in quantities
    )


def _claimed_counts(
    quantities: Iterable[Quantity], masked: str
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of tests that a sentence says passed, and failed.

    Rough numbers ("about 40") are left out, and so are parts ("5 new tests"): no run tells theirs.
    """
    counts: dict[str, list[int]] = {"passed": [], "failed": []}
    for quantity in quantities:
        words = masked[quantity.start : quantity.end].replace("*", " ").split()[1:]
        is_all = all(word in _OF_TESTS or not word.isalpha() for word in words)
        if quantity.outcome in counts and is_all and not quantity.approximate:
            counts[quantity.outcome].append(int(quantity.value))
    return tuple(counts["passed"]), tuple(counts["failed"])
