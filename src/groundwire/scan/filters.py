"""Context filters: small named predicates over one candidate and its sentence.

A filter takes the claim back and drops the candidate, or it only makes it milder: then the factor
``context`` gets the value of this milder use. Context words are cues of
``patterns/cues.toml``, found by the same automaton pass and compared by position.
"""

from __future__ import annotations

from groundwire.model import Candidate
from groundwire.record import Record
from groundwire.scan.awaited import is_ruled, offers_check
from groundwire.scan.predicates import (
    is_attributed,
    is_column_title,
    is_condition,
    is_dated,
    is_descriptive_modal,
    is_disclosed,
    is_future,
    is_in,
    is_instruction,
    is_label,
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
    """A named predicate; ``kinds`` empty means all, ``milder`` "" means that it drops."""

    name: str
    reason: str
    holds: Callable[[Candidate, Sentence], bool]
    kinds: tuple[str, ...] = ()
    milder: str = ""

    def applies(self, kind: str) -> bool:
        """Tell whether the filter looks at candidates of this kind."""
        return not self.kinds or kind in self.kinds


#: All filters in the order in which they are asked; the first that drops decides.
FILTERS = (
    Filter("question", "it is asked, not stated", is_question),
    Filter("column-title", "it is the title of a column", is_column_title),
    Filter("quotation", "it stands in quotation marks", is_quoted),
    Filter("negation", "the claim is taken back by a negation", is_negated, _CLAIMS),
    Filter("negated-cause", "the cause is denied", is_negated_cause, _CAUSES),
    Filter(
        "condition",
        "it stands under a condition",
        is_condition,
        (*_CLAIMS, *_CAUSES, *_HEDGES, *_REFERENCES),
    ),
    Filter("proviso", "it holds under a condition only", is_limited_to_case, _CLAIMS),
    Filter("attribution", "somebody else is quoted", is_attributed, (*_CLAIMS, *_CAUSES)),
    Filter("future", "it is expected or wanted, not stated as done", is_future, _STATUS),
    Filter("dated", "it tells of an earlier day", is_dated, _STATUS),
    Filter("temporal", "it says when, not why", is_temporal, _CAUSES),
    Filter(
        "disclosure",
        "the sentence says that it was not checked",
        is_disclosed,
        (*_CLAIMS, *_CAUSES, *_HEDGES, *_REFERENCES),
    ),
    Filter("modal", "leave or description, not a guess", is_descriptive_modal, _HEDGES, LEGITIMATE),
    Filter("label", "a heading or label", is_label, (), LEGITIMATE),
    Filter("instruction", "an instruction to the reader", is_instruction, (), LEGITIMATE),
    Filter("rule", "it says what holds in a case", is_ruled, (*_CLAIMS, *_CAUSES), PLAN),
    Filter("release", "the notes of a release", is_in(RELEASE), _STATUS, PLAN),
    Filter("shortfall", "it counts what is not done", is_shortfall, _COUNTS, PLAN),
    Filter("legend", "a table of settings or codes", is_in(LEGEND), (), PLAN),
    Filter(
        "offered-check",
        "the same breath offers to check it",
        lambda candidate, sentence: offers_check(sentence, candidate.marker.claim != "works"),
        (*_CAUSES, *_HEDGES),
        PLAN,
    ),
    Filter("proposal", "an offer, a plan or an option", is_proposal, (), PLAN),
)
