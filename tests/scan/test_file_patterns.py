"""Scanning whole files for patterns: once each, case kept, where each may stand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundwire.rules.file_patterns import (
    ANYWHERE,
    LINE_START,
    WORD,
    FilePattern,
    shipped_file_patterns,
)
from groundwire.scan.file_patterns import FileScanner
from tests.support.tables import table

SHIPPED = FileScanner(shipped_file_patterns())


def forms(text: str) -> list[str]:
    return sorted(hit.pattern.form for hit in SHIPPED.scan(text))


@table
def test_accidents(text: str, found: list[str]) -> None:
    assert forms(text) == found


#: The score header as printed in the requirement; vector 004-V29.
HEADER = """<!--
  CONFIDENCE SCORE: 0.82
  BASE: 0.707 | EVIDENCE: 0.08 | OBSERVATION: 0.05
  VALIDATION: +0.05 | AHO_CORASICK: +0.05 | CODE_REFACTOR: 0.0
  V&V_INTEGRATION: +0.004 | NON_MD_PENALTY: 0.0 | DATA_DECAY: 0.0
  FORMULA: compound_ema_qfa | MILESTONE: M2
  LAST_UPDATED: 2026-03-20
-->
"""


def test_the_score_header_itself_holds_patterns() -> None:
    """So it is left out of scans (files/headers.py); the pipes in it are in no table row."""
    assert forms(HEADER) == ["AHO_CORASICK:", "LAST_UPDATED:", "MILESTONE:"]


def test_line_starts_in_every_kind_of_line_end() -> None:
    for end in ("\n", "\r\n", "\r"):
        assert forms(f"a{end}---{end}# b{end}| c") == ["# ", "---", "| "]


def test_the_first_occurrence_is_told() -> None:
    [hit] = SHIPPED.scan("latest test, test")
    assert (hit.pattern.id, hit.offset) == ("milestone.m3.testing.test", 7)


alphabet = st.sampled_from("ab_: \n\r")
patterns = st.lists(
    st.builds(
        FilePattern,
        st.text("xyz", min_size=1, max_size=4),
        st.just("c"),
        st.just("M1_INIT"),
        st.text(alphabet, min_size=1, max_size=3),
        st.sampled_from([LINE_START, WORD, ANYWHERE]),
    ),
    max_size=5,
    unique_by=lambda one: one.id,
)


def naive(text: str, pattern: FilePattern) -> int | None:
    """The oracle: try every position."""

    def word(at: int) -> bool:
        return 0 <= at < len(text) and (text[at].isalnum() or text[at] == "_")

    for at in range(len(text) - len(pattern.form) + 1):
        end = at + len(pattern.form)
        if text[at:end] != pattern.form:
            continue
        if pattern.boundary == LINE_START and at and text[at - 1] not in "\r\n":
            continue
        if pattern.boundary == WORD and (
            (word(at - 1) and word(at)) or (word(end) and word(end - 1))
        ):
            continue
        return at
    return None


@given(patterns, st.text(alphabet, max_size=30))
def test_against_a_naive_search(some: list[FilePattern], text: str) -> None:
    expected = {one.id: naive(text, one) for one in some}
    found = {hit.pattern.id: hit.offset for hit in FileScanner(some).scan(text)}
    assert found == {name: at for name, at in expected.items() if at is not None}


@given(st.text(max_size=50))
def test_more_text_never_loses_a_pattern(text: str) -> None:
    before = {hit.pattern.id for hit in SHIPPED.scan(text)}
    after = {hit.pattern.id for hit in SHIPPED.scan(text + "\n# pytest\n")}
    assert before <= after
