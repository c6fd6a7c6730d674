"""The composite confidence: the rows of requirement 000, its laws, and bad input."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.confidence.composite.certainty import (
    CERTAINTY_MARKERS,
    UNCERTAINTY_MARKERS,
    certainty_of,
)
from groundwire.confidence.composite.evidence import code_evidence
from groundwire.confidence.composite.factors import (
    agent_history_score,
    code_validation_score,
    knowledge_base_score,
)
from groundwire.confidence.composite.formula import (
    BANDS,
    WEIGHTS,
    CompositeScores,
    assess,
    type_of_event,
)
from groundwire.errors import ConfidenceError
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.settings import Composite
from tests.confidence.acts import acts
from tests.evidence.turns import timeline
from tests.support.tables import table, tables

SETTINGS = Composite()
THRESHOLDS = tables(__file__)["threshold"]


def of(given: Sequence[float | None]) -> CompositeScores:
    return CompositeScores(given[0], given[1], given[2], given[3])


@table
def test_knowledge_base(name: str, similarities: list[float], score: float) -> None:
    results = [{"similarity": one, "text": name} for one in similarities]
    assert knowledge_base_score(results) == pytest.approx(score)


@table
def test_code_validation(name: str, facts: tuple[bool, ...], score: float) -> None:
    assert code_validation_score(*facts) == score
    with pytest.raises(ConfidenceError, match=r"tests_pass: value .*: allowed: True or False"):
        code_validation_score(True, True, True, True, 1)  # type: ignore[arg-type]


def test_agent_history() -> None:
    runs = ((18, 20), (0, 0), (0, 5))  # V40 to V42
    assert [agent_history_score(met, total) for met, total in runs] == [0.9, 0.5, 0.0]
    assert (agent_history_score(0, 4, 5), agent_history_score(0, 5, 5)) == (0.5, 0.0)


@table
def test_composite(name: str, factors: tuple[Any, ...], missing: str, value: float) -> None:
    given = of([None if one == "missing" else one for one in factors])
    assert assess("patcher", given, SETTINGS, missing).value == value


@table
def test_level(value: float, level: str) -> None:
    assert BANDS.level(value) == level


@table
def test_threshold(agent: str, threshold: float, level: str, enough: bool) -> None:
    at = assess(agent, CompositeScores(threshold, threshold, threshold, threshold), SETTINGS)
    assert (at.threshold, at.level, at.met) == (threshold, level, True)
    assert assess(agent, CompositeScores(1.0, 0.85, 0.7, 0.9), SETTINGS).met is enough


def test_v51_no_threshold_is_missed_by_float_error() -> None:
    """In steps of 5 %, 2607 inputs reach a threshold exactly; the plain sum misses it for 127."""
    steps = range(0, 101, 5)
    exact, missed = 0, 0
    for factors in product(steps, steps, steps, steps):
        whole = 30 * factors[0] + 30 * factors[1] + 20 * factors[2] + 20 * factors[3]
        for agent, threshold, _, _ in THRESHOLDS:
            if whole == round(10_000 * threshold):
                exact += 1
                shares = [one / 100 for one in factors]
                plain = 0.0  # sum() makes up for lost digits since Python 3.12
                for share, (_, weight) in zip(shares, WEIGHTS, strict=True):
                    plain += share * weight
                missed += plain < threshold
                assert assess(agent, of(shares), SETTINGS).met is True
    assert (exact, missed) == (2607, 127)


def test_what_would_lift_the_weakest_factor_does() -> None:
    given = CompositeScores(0.85, 0.90, 0.75, 0.5, (("agent_history_score", "5 of 10 runs"),))
    assert "50.00% (5 of 10 runs). 62.50% there" in assess("patcher", given, SETTINGS).why
    lifted = assess("patcher", given.replace(agent_history_score=0.625), SETTINGS)
    assert (lifted.met, lifted.why) == (True, "confident, proceed with caution")


@table
def test_agent_type_of_an_event(name: str, mapped: tuple[Any, ...], meant: str) -> None:
    assert type_of_event(name, SETTINGS.replace(agents=mapped)) == meant


SCANNER = Scanner(shipped_rules())


@table
def test_certainty(name: str, text: str, uncertain: int, certain: int, score: float) -> None:
    found = certainty_of(text, SCANNER)
    signs = [hit.certain for hit in found.hits]
    assert (signs.count(False), signs.count(True), found.score) == (uncertain, certain, score)
    assert certainty_of(text, Scanner(shipped_rules(), once=True)) == found
    with pytest.raises(ConfidenceError, match=r"response text: value .*: allowed: a text"):
        certainty_of(text.encode(), SCANNER)  # type: ignore[arg-type]


def test_the_reason_lists_the_markers() -> None:
    found = certainty_of("I think it is tested, maybe", SCANNER)
    assert found.why() == 'lowered by "I think", "maybe", raised by "tested"'
    assert certainty_of("Done.", SCANNER).why() == "no markers"
    assert certainty_of("maybe " * 9, SCANNER).why().endswith('"maybe" and 4 more')


@table
def test_negators(text: str, hits: int) -> None:
    assert len(certainty_of(text, SCANNER, ("not", "never")).hits) == hits


words = st.sampled_from([*UNCERTAINTY_MARKERS, *CERTAINTY_MARKERS, "un", "the", ".", "\n\n", "`x`"])


@given(st.lists(words, max_size=30).map(" ".join))
def test_the_score_follows_from_the_hits_and_these_are_in_the_text(text: str) -> None:
    found = certainty_of(text, SCANNER)
    assert 0 <= found.score <= 1
    spots = [hit.offset for hit in found.hits]
    assert spots == sorted(set(spots))
    assert all(text[hit.offset :].startswith(hit.evidence) for hit in found.hits)


@table
def test_flags(names: list[str], flags: str, tmp_path: Path) -> None:
    """Flags in the order exists, syntax, types, tests exist, tests pass."""
    found = code_evidence(timeline(tmp_path, acts(names)))
    letters = "none"
    if found:
        values = (getattr(found, name) for name in type(found)._fields)
        letters = "".join(letter for letter, is_on in zip("estTP", values, strict=True) if is_on)
    assert letters == flags


def test_the_score_and_its_words(tmp_path: Path) -> None:
    found = code_evidence(timeline(tmp_path, acts(["source", "ruff"])))
    assert found
    assert found.score == 0.5
    assert found.why() == (
        "shown: code exists, syntax valid; not shown: types valid, tests exist, tests pass"
    )
