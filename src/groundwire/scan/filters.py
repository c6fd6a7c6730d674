"""Context filters: small named predicates over one candidate and its sentence.

A filter takes the claim back and drops the candidate, or it only makes it milder: then the factor
``context`` gets the value of this milder use. Context words are cues of
``patterns/cues.toml``, found by the same automaton pass and compared by position.
"""

from __future__ import annotations

from groundwire.model import Candidate
from groundwire.record import Record
from groundwire.scan.awaited import CASE_OPENINGS, is_ruled, offers_check
from groundwire.scan.predicates import (
    is_attributed,
    is_column_title,
    is_condition,
    is_dated,
    is_disclosed,
    is_future,
    is_in,
    is_instruction,
    is_label,
    is_leave,
    is_limited_to_case,
    is_negated,
    is_negated_cause,
    is_proposal,
    is_question,
    is_quoted,
    is_shortfall,
    is_temporal,
)
from groundwire.scan.sections import LEGEND, RELEASE
from groundwire.text.blocks import HEAD, HEADING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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


class Sentence(Record):
    """One sentence in folded positions, with the cues in it ordered by position."""

    text: str  # the whole folded text
    start: int
    end: int
    role: str  # of its block: text, item, row, head or heading
    block: tuple[int, int]
    cues: tuple[Candidate, ...] = ()
    quotes: Sequence[int] = ()  # where quotation marks stand in the whole text
    section: str = ""  # a part that describes a product, see scan/sections.py


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
