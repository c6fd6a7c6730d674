"""The explanation that people read: one whole example, and a table of its parts."""

from __future__ import annotations

import pytest

from groundwire.model import (
    CONTRADICTED,
    NOT_CHECKABLE,
    SUPPORTED,
    UNSUPPORTED,
    Analysis,
    Factor,
    Marker,
    Suppressed,
    Verdict,
)
from groundwire.render.band import band
from groundwire.render.explain import explain
from groundwire.render.prose import columns
from groundwire.settings import Thresholds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.render.conftest import Matches

TEXT = (
    "Done.\n\nI think the crash comes from the pool. All 14 tests pass now, so the import and\n"
    "the export are covered. Does it work on Windows?\n"
)
RUN = Verdict(
    CONTRADICTED,
    "the last test run printed 3 failures",
    "toolu_01ABC",
    "pytest -q tests/unit tests/integration --maxfail=3 2>&1",
    "3 failed, 11 passed in 4.21s",
    printed=True,
)
EXPLAINED = """\
2 reported, 0 below 50, 1 dropped by a filter.
A match can block from 54 when the evidence is against it, from 90 when only
words speak, and several together from 85.

3:1  speculation_language  75 HIGH

      I think the crash comes from the pool.
      ~~~~~~~

  evidence   "I think"
  marker     speculation.i_think, weak
  note       A guess offered as the answer.
  verdict    none; no tool call is known, so only the words speak
  result     reported

  factor             weight    value   logits   points
  pattern_strength     1.00    +0.62    +0.62      +14
  text_length          1.00    +0.48    +0.48      +10
  context              1.00    +0.00    +0.00        0
  sum                                   +1.10  gives 75

3:40  completeness_claim  95 VERY_HIGH

      All 14 tests pass now, so the import and the export are covered.
      ~~~~~~~~~~~~~~~~~

  evidence   "All 14 tests pass"
  marker     completeness.tests_pass, strong
  verdict    contradicted: the last test run printed 3 failures
  tool call  pytest -q tests/unit tests/integration --maxfail=3 2>&1
             (toolu_01ABC)
  output     3 failed, 11 passed in 4.21s
  result     reported, and enough to block

  factor               weight    value   logits   points
  pattern_strength       1.00    +1.10    +1.10      +23
  evidence_proximity     0.50    +3.50    +1.75      +20
  context                1.00    -0.90    -0.90       -9
  sum                                     +1.95  gives 88, held at 95

Dropped by a filter

4:33  ungrounded_behavioral_assertion

      the export are covered. Does it work on Windows?
                                      ~~~~

  marker     behaviour.works
  filter     question: it asks and does not claim"""


def example(a_match: Matches) -> Analysis:
    guess = a_match(
        TEXT,
        "I think",
        75,
        note="A guess offered as the answer.",
        sentence=(7, 45),
        factors=(
            Factor("pattern_strength", 1.0, 0.619, 14),
            Factor("text_length", 1.0, 0.48, 10),
            Factor("context", 1.0, 0.0, 0),
        ),
    )
    tests = a_match(
        TEXT,
        "All 14 tests pass",
        95,
        kind="completeness_claim",
        marker="completeness.tests_pass",
        strength="strong",
        sentence=(46, TEXT.index(" Does")),
        verdict=RUN,
        factors=(
            Factor("pattern_strength", 1.0, 1.0986, 23),
            Factor("evidence_proximity", 0.5, 3.5, 20),
            Factor("context", 1.0, -0.9, -9),
        ),
    )
    kind = "ungrounded_behavioral_assertion"
    works = Marker("behaviour.works", kind)
    dropped = Suppressed(
        kind, "work", TEXT.index("work"), works, "question", "it asks and does not claim"
    )
    return Analysis(TEXT, (guess, tests), (dropped,))


def test_the_whole_explanation(a_match: Matches) -> None:
    assert explain(example(a_match), Thresholds()) == EXPLAINED


def test_nothing_found_is_said() -> None:
    assert explain(Analysis("All is well."), Thresholds()) == "Nothing found."


@pytest.mark.parametrize(
    ("confidence", "status", "thresholds", "result"),
    [
        (49, None, Thresholds(), "not reported, it is below 50"),
        (50, None, Thresholds(), "reported"),
        (89, None, Thresholds(), "reported"),  # words alone need 90
        (90, None, Thresholds(), "reported, and enough to block"),
        (89, NOT_CHECKABLE, Thresholds(), "reported"),  # no evidence against it
        (54, UNSUPPORTED, Thresholds(), "reported, and enough to block"),
        (53, UNSUPPORTED, Thresholds(), "reported"),
        (54, CONTRADICTED, Thresholds(), "reported, and enough to block"),
        (49, SUPPORTED, Thresholds(), "not reported, it is below 50"),
        (60, None, Thresholds(report=61), "not reported, it is below 61"),
        (0, None, Thresholds(0, 0, 0, 0), "reported, and enough to block"),  # the binary behaviour
        # The block threshold may be put below the report threshold.
        (60, UNSUPPORTED, Thresholds(report=80, block=10), "not reported, it is below 80"),
    ],
)
def test_result(
    a_match: Matches, confidence: int, status: str | None, thresholds: Thresholds, result: str
) -> None:
    verdict = Verdict(status) if status else None
    match = a_match("I think so.", "I think", confidence, verdict=verdict)
    assert f"\n  result     {result}\n" in explain(Analysis("I think so.", (match,)), thresholds)


@pytest.mark.parametrize(
    ("claims", "result"),
    [
        (("works", "fixed", "done"), "reported, and enough to block together with the others"),
        (("works", "fixed", "works"), "reported"),  # one claim said twice counts once
    ],
)
def test_claims_can_be_enough_together(
    a_match: Matches, claims: tuple[str, str, str], result: str
) -> None:
    text = "It works, it is fixed and it is done."
    matches = tuple(
        a_match(text, words, 53, claim=claim, verdict=Verdict(UNSUPPORTED))
        for words, claim in zip(("works", "fixed", "done"), claims, strict=True)
    )
    assert explain(Analysis(text, matches), Thresholds()).count(f"  result     {result}\n") == 3


@pytest.mark.parametrize(
    ("verdict", "rows"),
    [
        (Verdict(UNSUPPORTED), ["verdict    unsupported"]),
        (Verdict(UNSUPPORTED, "no run"), ["verdict    unsupported: no run"]),
        (Verdict(SUPPORTED, call_id="t1"), ["verdict    supported", "tool call  t1"]),
        (Verdict(SUPPORTED, "", "t1", "make\ntest"), ["tool call  make test (t1)"]),
        # A tool's output is shown, but it does not drive the terminal.
        (Verdict(SUPPORTED, line="\x1b[2Jok"), ["output     \\x1b[2Jok"]),
    ],
)
def test_verdict_rows(a_match: Matches, verdict: Verdict, rows: list[str]) -> None:
    match = a_match("I think so.", "I think", verdict=verdict)
    explained = explain(Analysis("I think so.", (match,)), Thresholds()).split("\n")
    assert [row for row in rows if f"  {row}" not in explained] == []


def test_the_filter_that_made_a_match_milder_is_named(a_match: Matches) -> None:
    match = a_match("I think so.", "I think", context="proposal")
    explained = explain(Analysis("I think so.", (match,)), Thresholds())
    assert "  milder by  the context filter proposal\n" in explained


def test_a_match_without_factors_says_so(a_match: Matches) -> None:
    explained = explain(Analysis("So.", (a_match("So.", "So"),)), Thresholds())
    assert explained.endswith("\n  no factors were recorded")


@pytest.mark.parametrize(
    "strange", ["\u4e16\u754c" * 60, "x" * 300, "a\x1bb\u202e" * 60, "word " * 80]
)
def test_no_row_leaves_80_columns(a_match: Matches, strange: str) -> None:
    text = f"{strange} I think {strange}"
    verdict = Verdict(UNSUPPORTED, strange, strange, strange, strange)
    factors = tuple(Factor(name, 10.0, -12.345, -100) for name in ("evidence_proximity", "context"))
    match = a_match(text, "I think", 100, note=strange, verdict=verdict, factors=factors)
    kind = "ungrounded_behavioral_assertion"
    dropped = Suppressed(kind, strange, 0, Marker(strange, kind), "filter", strange)
    rows = explain(Analysis(text, (match,), (dropped,)), Thresholds()).split("\n")
    assert [row for row in rows if columns(row) > 80] == []
    assert [row for row in rows if not row.isprintable() or row != row.rstrip()] == []


@pytest.mark.parametrize(
    ("confidence", "name"),
    [
        (100, "VERY_HIGH"),
        (90, "VERY_HIGH"),
        (89, "HIGH"),
        (70, "HIGH"),
        (69, "MODERATE"),
        (50, "MODERATE"),
        (49, "SUPPRESSED"),
        (0, "SUPPRESSED"),
    ],
)
def test_band(confidence: int, name: str) -> None:
    assert band(confidence) == name
