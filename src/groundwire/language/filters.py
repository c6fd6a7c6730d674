"""Context filters: small named predicates over one candidate and its sentence.

What they say is no report on the work of a turn.

Context words are cues of ``patterns/cues.toml``, found by the same automaton pass and compared by
position.

A filter takes the claim back and drops the candidate, or it only makes it milder: then the factor
``context`` gets the value of this milder use. Context words are cues of
``patterns/cues.toml``, found by the same automaton pass and compared by position.
"""

from __future__ import annotations

from bisect import bisect_left

from groundwire.base.model import Candidate
from groundwire.base.record import Record
from groundwire.base.rules import lists
from groundwire.language.fold import Sentence, is_word
from groundwire.language.markdown import HEAD, HEADING, ROW
from groundwire.language.pending_checks import CASE_OPENINGS, is_awaited, is_ruled, offers_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.language.fold import Folded


RELEASE = "release"
LEGEND = "legend"
_TITLES = ("changelog", "release notes", "unreleased", "what's new in")
_WORDS = ("version ", "release ", "v")
_BEHIND = (":", " -", " \u2013", " \u2014", " (")
_LONGEST_VERSION = 40
_CELL = "\x1d"


def sections_of(folded: Folded) -> dict[int, str]:
    """Return what the blocks belong to that stand in such a part, by where they begin."""
    sections = {}
    noted = explained = False
    for block in folded.blocks:
        text = folded.text[block.start : block.end]
        if block.role in (HEAD, ROW):
            explained = _explains(text) if block.role == HEAD else explained
            if explained:
                sections[block.start] = LEGEND
            continue
        explained = False
        begin, end = folded.span(block.start, block.end)
        behind = _behind_version(folded.original[begin : min(end, begin + _LONGEST_VERSION)])
        title = text.startswith(_TITLES)
        if block.role == "heading":
            noted = title or behind is not None or (noted and text in lists.RELEASE_HEADINGS)
        if noted or title or (behind is not None and behind.startswith(_BEHIND)):
            sections[block.start] = RELEASE
    return sections


def _explains(head: str) -> bool:
    words = frozenset(head.replace(_CELL, " ").split())
    return not lists.EXPLAINING_COLUMNS.isdisjoint(words) and lists.REPORTING_COLUMNS.isdisjoint(
        words
    )


def _behind_version(line: str) -> str | None:
    """Return what stands behind the version that opens a line, None where none does."""
    line = line.lower().lstrip("[*")
    for word in _WORDS:
        line = line.removeprefix(word)
    rest = line.lstrip("0123456789.")
    number = line[: len(line) - len(rest)].rstrip(".")
    return rest.lstrip("]*") if "." in number and number[0] != "." else None


_NEGATION_REACH = 4  # words between "not" and the claim it takes back
_FUTURE_REACH = 2
_CAUSE_FILLERS = frozenset("the a an actually directly just necessarily only really simply".split())
_LABEL_WORDS = 8
_TITLE_WORDS = 3
_CLAUSE_MARKS = frozenset(",;:\u2013\u2014()\x1d")


def is_question(candidate: Candidate, sentence: Sentence) -> bool:
    """A real question; ``..., right?`` behind a statement is none."""
    text, end = sentence.text, sentence.end
    closers = end
    while closers > candidate.end and text[closers - 1] in "\"')] ":
        closers -= 1
    if text[closers - 1 : closers] != "?":
        return False
    tag = text.rfind(",", candidate.end, closers)
    return tag < 0 or len(text[tag + 1 : closers].split()) > 3


def is_quoted(candidate: Candidate, sentence: Sentence) -> bool:
    """Inside quotation marks that open and close within the block: a quotation or a mention."""
    quotes = sentence.quotes
    start, end = sentence.block
    before = bisect_left(quotes, candidate.start) - bisect_left(quotes, start)
    if before % 2 and bisect_left(quotes, candidate.end) < bisect_left(quotes, end):
        return True
    return _in_single_quotes(sentence.text, candidate, sentence)


def is_negated(candidate: Candidate, sentence: Sentence) -> bool:
    """A negation shortly before the claim, in the same clause: ``is not fixed``."""
    return _reaches(sentence.text, _last(sentence, "cue.negation", candidate), candidate.start)


def is_negated_cause(candidate: Candidate, sentence: Sentence) -> bool:
    """A negation directly before the cause: ``not because``.

    Further away the "not" belongs to the effect: ``it does not start due to a port conflict``.
    """
    end = _last(sentence, "cue.negation", candidate)
    return end >= 0 and _CAUSE_FILLERS.issuperset(sentence.text[end : candidate.start].split())


def is_condition(candidate: Candidate, sentence: Sentence) -> bool:
    """Inside a clause that ``if``, ``once`` or ``whether`` opens, or ``after the tests pass``.

    A guess also in the clause behind: "if you still see it, it could be the cache".
    """
    end = _last(sentence, "cue.condition", candidate)
    return is_awaited(candidate, sentence) or _same_clause(sentence.text, end, candidate.start)


def is_limited_to_case(candidate: Candidate, sentence: Sentence) -> bool:
    """``is correct only if both clocks agree``: the statement holds under a condition."""
    return _same_clause(sentence.text, candidate.end, _next(sentence, "cue.proviso", candidate))


def is_attributed(candidate: Candidate, sentence: Sentence) -> bool:
    """``the contract says the delivery is complete``: the words of a document or of somebody else.

    Behind ``according to the contract`` a comma still belongs to it.
    """
    return any(
        cue.end <= candidate.start
        and _is_clause(_without_first_comma(sentence.text[cue.start : candidate.start]))
        for cue in _cues(sentence, "cue.attribution")
    )


def is_shortfall(candidate: Candidate, sentence: Sentence) -> bool:
    """``40 of 52 folders are still to be copied``: a count of what is not there or not done."""
    return _reaches(sentence.text, candidate.end, _next(sentence, "cue.negation", candidate))


def is_temporal(candidate: Candidate, sentence: Sentence) -> bool:
    """``since`` followed by a time, or behind a present perfect, says when and not why."""
    if sentence.text[candidate.start : candidate.end] != "since":
        return False
    return any(
        0 <= cue.start - candidate.end <= 5 or cue.end <= candidate.start
        for cue in _cues(sentence, "cue.time")
    )


def is_future(candidate: Candidate, sentence: Sentence) -> bool:
    """``will pass``, ``has to be fixed``: not a statement about what is."""
    end = _last(sentence, "cue.future", candidate)
    return _reaches(sentence.text, end, candidate.start, _FUTURE_REACH)


def is_dated(_candidate: Candidate, sentence: Sentence) -> bool:
    """A sentence that opens with a date tells history, not the outcome of this turn."""
    return any(
        not _has_word(sentence.text, sentence.start, cue.start)
        for cue in _cues(sentence, "cue.date")
    )


def is_disclosed(_candidate: Candidate, sentence: Sentence) -> bool:
    """The same sentence says that the statement was not checked."""
    return any(True for _ in _cues(sentence, "cue.disclosure"))


def is_leave(candidate: Candidate, sentence: Sentence) -> bool:
    """``you may use``, ``the file may contain``: leave or description, not a guess."""
    if candidate.marker.claim != "modal":
        return False
    before = any(0 <= candidate.start - cue.end <= 1 for cue in _cues(sentence, "cue.addressee"))
    behind = any(
        0 <= cue.start - candidate.end <= 1 for cue in _cues(sentence, "cue.descriptive-verb")
    )
    return before or behind


def is_column_title(_candidate: Candidate, sentence: Sentence) -> bool:
    """The title of a table's column, in a few words: ``Done``, ``Tests pass``.

    A figure or a mark in the first row of a table is a result all the same.
    """
    title = sentence.text[sentence.start : sentence.end]
    is_short = len(title.split()) <= _TITLE_WORDS
    return sentence.role == HEAD and is_short and title.replace(" ", "").isalpha()


def is_label(candidate: Candidate, sentence: Sentence) -> bool:
    """A heading, or a short line that introduces what follows with a colon."""
    if sentence.role == "heading":
        return True
    text, end = sentence.text, sentence.end
    return (
        text[end - 1] == ":"
        and candidate.end <= end
        and len(text[sentence.start : end].split()) <= _LABEL_WORDS
    )


def is_instruction(candidate: Candidate, sentence: Sentence) -> bool:
    """A sentence that opens with an imperative tells the reader what to do."""
    return any(
        cue.end <= candidate.start and not _has_word(sentence.text, sentence.start, cue.start)
        for cue in _cues(sentence, "cue.imperative")
    )


def is_proposal(candidate: Candidate, sentence: Sentence) -> bool:
    """An offer, a plan or an option: ``I can``, ``we could``, ``next step``, ``might be worth``."""
    return any(
        cue.start <= candidate.start or _same_clause(sentence.text, candidate.end, cue.start)
        for cue in _cues(sentence, "cue.proposal")
    )


def is_in(section: str) -> Callable[[Candidate, Sentence], bool]:
    """Return the predicate of standing in such a part of the message."""
    return lambda _, sentence: sentence.section == section


def _cues(sentence: Sentence, cue_id: str) -> list[Candidate]:
    return [cue for cue in sentence.cues if cue.marker.id == cue_id]


def _last(sentence: Sentence, cue_id: str, candidate: Candidate) -> int:
    """Return where the last cue before a candidate ends, -1 without one.

    Where that one is too far away, or in another clause, so are those before it.
    """
    end = -1
    for one in sentence.cues:
        if one.marker.id == cue_id and end < one.end <= candidate.start:
            end = one.end
    return end


def _next(sentence: Sentence, cue_id: str, candidate: Candidate) -> int:
    """Return where the first cue behind a candidate starts, -1 without one."""
    behind = (one for one in sentence.cues if one.start >= candidate.end)
    return next((one.start for one in behind if one.marker.id == cue_id), -1)


def _same_clause(text: str, start: int, end: int) -> bool:
    return 0 <= start <= end and _is_clause(text[start:end])


def _is_clause(text: str) -> bool:
    return _CLAUSE_MARKS.isdisjoint(text) and " but " not in text


def _without_first_comma(text: str) -> str:
    return text.replace(",", "", 1) if text.startswith("according to") else text


def _reaches(text: str, start: int, end: int, words: int = _NEGATION_REACH) -> bool:
    return _same_clause(text, start, end) and len(text[start:end].split()) <= words


def _has_word(text: str, start: int, end: int) -> bool:
    return any(is_word(character) for character in text[start:end])


def _in_single_quotes(text: str, candidate: Candidate, sentence: Sentence) -> bool:
    """Between an opening and a closing apostrophe; one inside a word is neither."""
    at = text.rfind("'", sentence.start, candidate.start)
    while at >= 0:
        before = text[at - 1] if at > sentence.start else " "
        if not is_word(before):
            break
        if not is_word(text[at + 1]):
            return False  # a closing mark lies between
        at = text.rfind("'", sentence.start, at)
    if at < 0 or not (is_word(text[at + 1]) or text[at + 1] in '"('):
        return False
    close = text.find("'", candidate.end, sentence.end)
    while close >= 0:
        after = text[close + 1] if close + 1 < sentence.end else " "
        if not is_word(after):
            return True
        close = text.find("'", close + 1, sentence.end)
    return False


#: Milder uses, named as the settings name their values; the later one is the milder.
LEGITIMATE = "legitimate"
PLAN = "plan"
MILDER = (LEGITIMATE, PLAN)

_HEDGES = ("speculation_language",)
_STATUS = ("completeness_claim", "ungrounded_behavioral_assertion")
_CAUSES = ("causality_language",)
_COUNTS = ("pseudo_quantification",)
_REFERENCES = ("unsupported_reference",)
_CLAIMS = (
    *_STATUS,
    "certainty_language",
    "evaluative_design_claim",
    "pseudo_quantification",
    "unsupported_absence",
)


class Filter(Record):
    """A named predicate; ``kinds`` empty means all, ``milder`` "" means that it drops.

    ``signs`` are what a sentence has one of where the predicate holds (``signs_of``); none given:
    it is asked about any sentence.
    """

    name: str
    reason: str
    holds: Callable[[Candidate, Sentence], bool]
    signs: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    milder: str = ""

    def applies(self, kind: str) -> bool:
        """Tell whether the filter looks at candidates of this kind."""
        return not self.kinds or kind in self.kinds


#: Signs of a sentence, beside the ids of the cues in it.
_ASKS, _QUOTES, _INTRODUCES, _OPENS, _AFTER = "?", "quotes", ":", "opens", "after"
_NOT = ("cue.negation",)
_PLAIN: frozenset[str] = frozenset()


def signs_of(sentence: Sentence) -> frozenset[str]:
    """Return what a sentence shows at a glance; most show nothing, and few filters are asked."""
    said = sentence.text[sentence.start : sentence.end]
    signs = [cue.marker.id for cue in sentence.cues]
    if _ASKS in said:
        signs.append(_ASKS)
    if "'" in said or sentence.quotes:
        signs.append(_QUOTES)
    if said[-1:] == ":":
        signs.append(_INTRODUCES)
    if said.startswith(CASE_OPENINGS):
        signs.append(_OPENS)
    if "after" in said:
        signs.append(_AFTER)
    if sentence.role in (HEAD, HEADING):
        signs.append(sentence.role)
    if sentence.section:
        signs.append(sentence.section)
    return frozenset(signs) if signs else _PLAIN


_SAID = (*_CLAIMS, *_CAUSES)
_ANY = (*_SAID, *_HEDGES, *_REFERENCES)
_MODAL = ("cue.addressee", "cue.descriptive-verb")
_CASE = ("cue.condition", _OPENS, _AFTER)
_UNCHECKED, _ORDERS = ("cue.disclosure",), ("cue.imperative",)
_GUESSES = (*_CAUSES, *_HEDGES)


def _offers_check(candidate: Candidate, sentence: Sentence) -> bool:
    return offers_check(sentence, candidate.marker.claim != "works")


#: All filters in the order in which they are asked; the first that drops decides.
FILTERS = tuple(Filter(*row) for row in (
    ("question", "it is asked, not stated", is_question, (_ASKS,)),
    ("column-title", "it is the title of a column", is_column_title, (HEAD,)),
    ("quotation", "it stands in quotation marks", is_quoted, (_QUOTES,)),
    ("negation", "the claim is taken back by a negation", is_negated, _NOT, _CLAIMS),
    ("negated-cause", "the cause is denied", is_negated_cause, _NOT, _CAUSES),
    ("condition", "it stands under a condition", is_condition, _CASE, _ANY),
    ("proviso", "it holds under a condition only", is_limited_to_case, ("cue.proviso",), _CLAIMS),
    ("attribution", "somebody else is quoted", is_attributed, ("cue.attribution",), _SAID),
    ("future", "it is expected or wanted, not stated as done", is_future, ("cue.future",), _STATUS),
    ("dated", "it tells of an earlier day", is_dated, ("cue.date",), _STATUS),
    ("temporal", "it says when, not why", is_temporal, ("cue.time",), _CAUSES),
    ("disclosure", "the sentence says that it was not checked", is_disclosed, _UNCHECKED, _ANY),
    ("modal", "leave or description, not a guess", is_leave, _MODAL, _HEDGES, LEGITIMATE),
    ("label", "a heading or label", is_label, (_INTRODUCES, HEADING), (), LEGITIMATE),
    ("instruction", "an instruction to the reader", is_instruction, _ORDERS, (), LEGITIMATE),
    ("rule", "it says what holds in a case", is_ruled, (_OPENS,), _SAID, PLAN),
    ("release", "the notes of a release", is_in(RELEASE), (RELEASE,), _STATUS, PLAN),
    ("shortfall", "it counts what is not done", is_shortfall, _NOT, _COUNTS, PLAN),
    ("legend", "a table of settings or codes", is_in(LEGEND), (LEGEND,), (), PLAN),
    ("offered-check", "the same breath offers to check it", _offers_check, (), _GUESSES, PLAN),
    ("proposal", "an offer, a plan or an option", is_proposal, ("cue.proposal",), (), PLAN),
))  # fmt: skip
