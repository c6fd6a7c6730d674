"""Input that no model takes: each row is a function, its arguments and what the error says."""

from collections.abc import Callable
from typing import Any

import pytest

from groundwire.confidence.advisory import formula as advisory
from groundwire.confidence.advisory.rubric import Chunk, Rubric, retrieval_points
from groundwire.confidence.advisory.service import score_document
from groundwire.confidence.composite.factors import knowledge_base_score
from groundwire.confidence.composite.formula import CompositeScores, assess, known_type
from groundwire.confidence.formula.formula import assess_documents
from groundwire.confidence.formula.hybrid import assess_judged, combine
from groundwire.confidence.formula.judge_score import parse_score
from groundwire.confidence.reinforcement import ageing, formulas
from groundwire.confidence.reinforcement.milestones import contributions, milestone
from groundwire.confidence.reinforcement.scorer import ConfidenceScorer
from groundwire.confidence.reinforcement.session import Event, Session, advance
from groundwire.errors import ConfidenceError
from groundwire.rules.file_patterns import shipped_file_patterns
from groundwire.settings import Composite
from tests.support.tables import table

FORMULA = assess_documents([], 0)
SCORERS: dict[str, Callable[..., Any]] = {
    "quality": advisory.calculate_confidence,
    "flag": advisory.advisory_flag,
    "threshold": lambda value: advisory.assess(0.8, threshold=value),
    "rubric": lambda high, medium: retrieval_points([Chunk(0.5)], Rubric(high, medium)),
    "document": score_document,
    "results": knowledge_base_score,
    "agent type": lambda name: known_type(name, Composite()),
    "composite": lambda given: assess("planner", CompositeScores(**given), Composite()),
    "documents": lambda given: assess_documents(given, 10),
    "combine": lambda *scores: combine(FORMULA, *scores),
    "judged": assess_judged,
    "base": ConfidenceScorer,
    "enhanced": formulas.enhanced,
    "evidence": lambda *pair: ConfidenceScorer().add_evidence(*pair),
    "full": lambda *pair: formulas.full(0.5, [pair]),
    "source": formulas.per_source_evidence,
    "rates": lambda rates: ConfidenceScorer().add_evidence(1, 1, **rates),
    "modifiers": lambda given: ConfidenceScorer().apply_modifiers(**given),
    "date": lambda text: ageing.read_date("validated", text),
    "age": lambda today: ageing.data_age((2026, 3, 20), tuple(today)),
    "months": ageing.data_confidence,
    "event": lambda fields: advance(Session(), Event(**fields)),
    "milestone": milestone,
    "weight": lambda value: contributions(shipped_file_patterns(), pattern_weight=value),
}


def given(value: Any) -> Any:
    """Return a value of a row; ``<none>`` stands for what TOML cannot say."""
    if isinstance(value, dict):
        return {key: given(inner) for key, inner in value.items()}
    return None if value == "<none>" else value


@table
def test_refused(scorer: str, arguments: list[Any], said: str) -> None:
    with pytest.raises(ConfidenceError, match=said):
        SCORERS[scorer](*map(given, arguments))


@pytest.mark.parametrize("reply", [None, 0.7, b"0.7", ["0.7"], True])
def test_what_is_no_text_holds_no_score(reply: object) -> None:
    assert parse_score(reply).parse_error
