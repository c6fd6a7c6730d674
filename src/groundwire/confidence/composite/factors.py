"""The factors of the composite that are computed from plain facts (requirements R000-03 to 09)."""

from __future__ import annotations

from groundwire.confidence.assessment import number, shown, unit
from groundwire.errors import ConfidenceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

#: R000-04: each relevant result adds this much to the best similarity, up to the limit.
RELEVANCE = 0.7
_RESULT_BONUS = 0.05
_MOST_BONUS = 0.2
#: R000-05: what each proof about the code is worth.
_CODE_PARTS = (
    ("code_exists", 0.30),
    ("syntax_valid", 0.20),
    ("type_valid", 0.20),
    ("tests_exist", 0.15),
    ("tests_pass", 0.15),
)
#: R000-08: the score of a text without markers, the worth of a marker, and the most of each sort.
_NEUTRAL = 0.5
_CERTAIN, _UNCERTAIN = 0.10, 0.15
_MOST_MARKERS = 0.5
#: R000-09: the score of an agent without history.
NO_HISTORY = 0.5


def knowledge_base_score(
    retrieval_results: Iterable[Mapping[str, Any]], threshold: float = RELEVANCE
) -> float:
    """Return how well retrieval supports a response, 0-1.

    Each result has a ``similarity`` from -1 to 1. Those from ``threshold`` on are relevant; the
    best of them counts, and 0.05 for each, at most 0.2. Raises ConfidenceError for anything else.
    """
    floor = unit("threshold", threshold)
    if isinstance(retrieval_results, str | bytes) or not hasattr(retrieval_results, "__iter__"):
        raise ConfidenceError(
            f"retrieval_results: value {shown(retrieval_results)}: allowed: a list of results"
        )
    similarities = [_similarity(index, result) for index, result in enumerate(retrieval_results)]
    relevant = [similarity for similarity in similarities if similarity >= floor]
    if not relevant:
        return 0.0
    return min(max(relevant) + min(len(relevant) * _RESULT_BONUS, _MOST_BONUS), 1.0)


def code_validation_score(
    code_exists: bool = False,
    syntax_valid: bool = False,
    type_valid: bool = False,
    tests_exist: bool = False,
    tests_pass: bool = False,
) -> float:
    """Return how far the code is proven, 0-1. Raises ConfidenceError for what is no truth value."""
    facts = (code_exists, syntax_valid, type_valid, tests_exist, tests_pass)
    total = 0.0
    for (name, worth), fact in zip(_CODE_PARTS, facts, strict=True):
        if not isinstance(fact, bool):
            raise ConfidenceError(f"{name}: value {shown(fact)}: allowed: True or False")
        total += worth if fact else 0.0
    return min(round(total, 2), 1.0)


def response_certainty_score(uncertain: int, certain: int) -> float:
    """Return how certain a text is of itself, 0-1, from its numbers of markers of each sort."""
    raised = min(_CERTAIN * certain, _MOST_MARKERS)
    lowered = min(_UNCERTAIN * uncertain, _MOST_MARKERS)
    return min(max(round(_NEUTRAL + raised - lowered, 2), 0.0), 1.0)


def agent_history_score(met: int, total: int, least: int = 0) -> float:
    """Return the share of an agent's runs that met their threshold, 0-1.

    0.5 without runs, or with fewer than ``least``.
    """
    return met / total if total and total >= least else NO_HISTORY


def _similarity(index: int, result: object) -> float:
    name = f"retrieval_results[{index}]"
    try:
        value = result["similarity"]  # type: ignore[index]
    except (TypeError, KeyError, IndexError):
        raise ConfidenceError(f"{name}: allowed: a mapping with a similarity") from None
    # a cosine may exceed its range by rounding
    exact = round(number(f"{name}.similarity", value), 6)
    if not -1.0 <= exact <= 1.0:
        raise ConfidenceError(f"{name}.similarity: value {shown(value)}: allowed: from -1 to 1")
    return exact
