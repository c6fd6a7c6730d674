"""Score headers in text: their exact lines, their place, idempotence, nothing else lost."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundwire.confidence.reinforcement.formulas import Modifiers
from groundwire.files.headers import (
    HASH,
    HTML,
    SLASHES,
    STYLES,
    YAML,
    check_header,
    find_header,
    render,
    with_header,
    without_headers,
)
from groundwire.files.score import Score, json_fields, two_decimals
from groundwire.rules.file_patterns import shipped_file_patterns
from groundwire.scan.file_patterns import FileScanner
from tests.support.tables import table

DAY = "2026-03-20"
#: The score of the header that the requirement prints; vector 004-V12.
SCORE = Score(0.707, 0.08, 0.05, Modifiers(True, True, 0.0, True), "M2")
PLAIN = """<!--
  CONFIDENCE SCORE: 0.82
  BASE: 0.707 | EVIDENCE: 0.08 | OBSERVATION: 0.05
  VALIDATION: +0.05 | AHO_CORASICK: +0.05 | CODE_REFACTOR: 0.0
  V&V_INTEGRATION: +0.004 | NON_MD_PENALTY: 0.0 | DATA_DECAY: 0.0
  FORMULA: compound_ema_qfa | MILESTONE: M2
  LAST_UPDATED: 2026-03-20
-->
"""
CODE_SCORE = Score(modifiers=Modifiers(code_refactor=0.003, vv_integration=True), milestone="M3")
CODE = """# CONFIDENCE: +0.003 (code refactoring for coverage)
# V&V_INTEGRATION: +0.004 (tests passed)
# MILESTONE: M3
"""
SLASHED = CODE.replace("# ", "// ")


def test_the_header_of_the_requirement() -> None:
    """R004-18, to the letter."""
    assert render(HTML, SCORE, DAY, "\n") == PLAIN


def test_the_header_of_code() -> None:
    """R004-19, to the letter."""
    assert render(HASH, CODE_SCORE, DAY, "\n") == CODE
    assert render(SLASHES, CODE_SCORE, DAY, "\n") == SLASHED


def test_a_header_with_deductions() -> None:
    score = Score(0.6, modifiers=Modifiers(non_md_penalty=0.01, data_decay=0.003))
    assert "NON_MD_PENALTY: -0.01 | DATA_DECAY: -0.003\n" in render(YAML, score, DAY, "\n")
    assert "# CONFIDENCE: 0.0 (no code refactoring)\n" in render(HASH, score, DAY, "\n")
    assert json_fields(score, DAY)["score"] == 0.59


@table
def test_two_decimals(value: float, text: str) -> None:
    assert two_decimals(value) == text


MATTER = "---\ntitle: x\n---\n"


@table
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=repr)
def test_place(style: str, before: str, after: str, line_end: str) -> None:
    text = (before + after).replace("\n", line_end)
    header = render(style, SCORE, DAY, line_end)
    written = with_header(text, style, SCORE, DAY, line_end)
    assert written == before.replace("\n", line_end) + header + after.replace("\n", line_end)
    assert with_header(written, style, SCORE, DAY, line_end) == written
    assert check_header(written, style) == ""


def test_a_first_line_without_an_end() -> None:
    written = with_header("#!/bin/sh", HASH, CODE_SCORE, DAY, "\n")
    assert written == "#!/bin/sh\n" + CODE


def test_a_new_score_replaces_the_old_one() -> None:
    other = SCORE.replace(evidence=0.5, milestone="M4")
    old = with_header(MATTER + "text\n", HTML, SCORE, DAY, "\n")
    new = with_header(old, HTML, other, "2026-04-01", "\n")
    assert new == MATTER + render(HTML, other, "2026-04-01", "\n") + "text\n"


def test_the_date_moves_only_with_the_score() -> None:
    written = with_header("text\n", HTML, SCORE, DAY, "\n")
    assert with_header(written, HTML, SCORE, "2027-01-01", "\n") == written


def test_a_header_in_front_of_front_matter_is_put_behind_it() -> None:
    wrong = PLAIN + MATTER + "text\n"
    assert "in front" in check_header(wrong, HTML)
    assert with_header(wrong, HTML, SCORE, DAY, "\n") == MATTER + PLAIN + "text\n"


def test_a_header_at_the_end_without_a_line_end() -> None:
    text = MATTER + PLAIN.rstrip("\n")
    assert with_header(text, HTML, SCORE, DAY, "\n") == text
    other = with_header(text, HTML, SCORE.replace(milestone="M1"), DAY, "\n")
    assert other == text.replace("M2", "M1")


def test_a_header_that_is_quoted_is_content() -> None:
    quoted = "# How to\n\n```\n" + PLAIN + "```\n"
    assert find_header(quoted, HTML) is None
    assert with_header(quoted, HTML, SCORE, DAY, "\n") == PLAIN + quoted


def test_another_comment_is_left_alone() -> None:
    for comment in ("<!-- note -->\n", "<!--\n  CONFIDENCE: high\n-->\n"):
        assert with_header(comment, HTML, SCORE, DAY, "\n") == PLAIN + comment


words = st.text(st.sampled_from("ab#-/<>!: \t|\n\r%\u00e9"), max_size=60)
starts = st.sampled_from(
    ["", MATTER, "#!/bin/sh\n", "// @ts-check\n", PLAIN, CODE, SLASHED, "---\n"]
)
scores = st.builds(
    Score,
    st.floats(0.5, 0.7),
    st.floats(0, 1),
    st.floats(0, 1),
    st.builds(Modifiers, st.booleans(), st.booleans(), st.floats(0, 0.1), st.booleans()),
    st.sampled_from(["M1", "M2", "M3", "M4"]),
)


@given(starts, words, st.sampled_from(sorted(set(STYLES.values()))), scores, scores)
@example("", "", HTML, SCORE, SCORE)
@example(PLAIN, MATTER, HTML, SCORE, CODE_SCORE)
def test_writing_is_idempotent_and_loses_nothing(
    start: str, rest: str, style: str, first: Score, second: Score
) -> None:
    text = start + rest
    line_end = "\r\n" if "\r\n" in text else "\n"
    once = with_header(text, style, first, DAY, line_end)
    assert with_header(once, style, first, "2027-01-01", line_end) == once
    assert check_header(once, style) == ""
    other = with_header(once, style, second, DAY, line_end)
    assert with_header(other, style, first, DAY, line_end) == once
    span = find_header(once, style)
    assert span is not None
    had = find_header(text, style)
    body = text if had is None else text[: had[0]] + text[had[1] :]
    kept = once[: span[0]] + once[span[1] :]
    # at most one line end is added, behind a first line that had none
    assert kept == body or kept.replace(line_end, "", 1) == body.replace(line_end, "", 1)
    assert len(kept) - len(body) in (0, len(line_end))


SCANNER = FileScanner(shipped_file_patterns())


@pytest.mark.parametrize("style", [HTML, HASH, SLASHES, YAML])
def test_a_header_does_not_raise_the_next_score(style: str) -> None:
    """A004-17 with 004-V29: as content it would be worth three patterns."""
    header = render(style, SCORE, DAY, "\n")
    assert SCANNER.scan(header) != ()
    assert SCANNER.scan(without_headers("text\n" + header + "more\n")) == ()


def test_leaving_headers_out_keeps_the_lines() -> None:
    text = "a\r\n" + PLAIN.replace("\n", "\r\n") + "b\r\n" + CODE + "c\n"
    assert [line for line in without_headers(text).splitlines() if line] == ["a", "b", "c"]
    assert without_headers(text).count("\n") == text.count("\n")


@table
def test_check(text: str, style: str, said: str) -> None:
    assert said in check_header(text, style)


@given(words, st.sampled_from(sorted(set(STYLES.values()))))
def test_checking_any_text_says_something_or_nothing(text: str, style: str) -> None:
    assert isinstance(check_header(PLAIN[:40] + text, style), str)
    assert isinstance(check_header(text + CODE, style), str)


def test_a_long_file_is_no_trouble() -> None:
    """Linear: unclosed headers and rules by the thousand."""
    text = "<!--\n  CONFIDENCE SCORE:\n" * 20_000 + "---\n" * 20_000
    assert with_header(text, HTML, SCORE, DAY, "\n").endswith(text)
    assert without_headers(text) == text
