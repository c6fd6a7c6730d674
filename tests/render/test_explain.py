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
from groundwire.render.excerpt import columns
from groundwire.render.explain import explain
from groundwire.settings import Thresholds
from tests.support.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.render.conftest import Matches
#: The shipped thresholds are measured; these stay.
GATES = Thresholds(report=50, block=60, words_block=90, doubt=20, message_block=65)
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
)
EXPLAINED = """\
2 reported, 0 below 50, 1 dropped by a filter.
A statement about a turn blocks from 60, bare text from 90, and statements from
20 on together from 65.

3:1  speculation_language  75 HIGH

      I think the crash comes from the pool.
      ~~~~~~~

  evidence   "I think"
  marker     speculation.i_think, weak
  note       A guess offered as the answer.
  verdict    none; no tool call is known, so the words alone decide
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

  factor         weight    value   logits   points
  base            -3.20    +1.00    -3.20       -4
  group status     0.30    +1.00    +0.30       +2
  failed_open      5.50    +1.00    +5.50      +86
    failed, and nothing made it good (toolu_01ABC)
  work             0.40    +0.75    +0.30       +2
  sum                               +2.90  gives 95

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
            Factor("base", -3.2, 1.0, -4),
            Factor("group status", 0.3, 1.0, 2),
            Factor("failed_open", 5.5, 1.0, 86, "failed, and nothing made it good", "toolu_01ABC"),
            Factor("work", 0.4, 0.75, 2),
        ),
    )
    kind = "ungrounded_behavioral_assertion"
    works = Marker("behaviour.works", kind)
    dropped = Suppressed(
        kind, "work", TEXT.index("work"), works, "question", "it asks and does not claim"
    )
    return Analysis(TEXT, (guess, tests), (dropped,))


def test_the_whole_explanation(a_match: Matches) -> None:
    assert explain(example(a_match), GATES) == EXPLAINED
    assert explain(Analysis("All is well."), GATES) == "Nothing found."
    milder = a_match("I think so.", "I think", context="proposal")
    explained = explain(Analysis("I think so.", (milder,)), GATES)
    assert "  milder by  the context filter proposal\n" in explained
    assert explained.endswith("\n  no factors were recorded")


@pytest.mark.parametrize(
    ("confidence", "status", "thresholds", "result"),
    [
        (49, None, GATES, "not reported, it is below 50"),
        (50, None, GATES, "reported"),
        (89, None, GATES, "reported"),  # bare text needs 90
        (90, None, GATES, "reported, and enough to block"),
        # What is said of a turn needs the same, whatever its label is.
        (60, NOT_CHECKABLE, GATES, "reported, and enough to block"),
        (60, UNSUPPORTED, GATES, "reported, and enough to block"),
        (59, CONTRADICTED, GATES, "reported"),
        (49, SUPPORTED, GATES, "not reported, it is below 50"),
        (60, None, GATES.replace(report=61), "not reported, it is below 61"),
        (0, None, Thresholds(0, 0, 0, 0), "reported, and enough to block"),  # the binary behaviour
        # The block threshold may be put below the report threshold.
        (60, UNSUPPORTED, GATES.replace(report=80, block=10), "reported, and enough to block"),
    ],
)
def test_result(
    a_match: Matches, confidence: int, status: str | None, thresholds: Thresholds, result: str
) -> None:
    verdict = Verdict(status) if status else None
    match = a_match("I think so.", "I think", confidence, verdict=verdict)
    assert f"\n  result     {result}\n" in explain(Analysis("I think so.", (match,)), thresholds)


@table
def test_statements_can_be_enough_together(
    confidence: int, is_apart: bool, result: str, a_match: Matches
) -> None:
    text = "It works. It is fixed. It is done."
    matches = tuple(
        a_match(
            text,
            words,
            confidence,
            verdict=Verdict(UNSUPPORTED),
            sentence=(number, len(text)) if is_apart else None,
        )
        for number, words in enumerate(("works", "fixed", "done"))
    )
    assert explain(Analysis(text, matches), GATES).count(f"  result     {result}\n") == 3


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


@pytest.mark.parametrize(
    "strange", ["\u4e16\u754c" * 60, "x" * 300, "a\x1bb\u202e" * 60, "word " * 80]
)
def test_no_row_leaves_80_columns(a_match: Matches, strange: str) -> None:
    text = f"{strange} I think {strange}"
    verdict = Verdict(UNSUPPORTED, strange, strange, strange, strange)
    factors = tuple(
        Factor(name, 10.0, -12.345, -100, strange, strange) for name in ("passed_fresh", "context")
    )
    match = a_match(text, "I think", 100, note=strange, verdict=verdict, factors=factors)
    kind = "ungrounded_behavioral_assertion"
    dropped = Suppressed(kind, strange, 0, Marker(strange, kind), "filter", strange)
    rows = explain(Analysis(text, (match,), (dropped,)), Thresholds()).split("\n")
    assert [row for row in rows if columns(row) > 80] == []
    assert [row for row in rows if not row.isprintable() or row != row.rstrip()] == []


@table
def test_band(confidence: int, name: str) -> None:
    assert band(confidence) == name
