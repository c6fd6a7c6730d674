"""Context filters: where a statement stands decides whether it is one."""

from __future__ import annotations

import pytest

from groundwire.rules import shipped_rules
from groundwire.scan import awaited
from groundwire.scan import find as language
from groundwire.scan.automaton import Scanner
from groundwire.scan.filters import FILTERS
from groundwire.scan.find import find
from tests.everyday.rows import rows
from tests.support.tables import table, tables

SCANNER = Scanner(shipped_rules())


@table
def test_after_a_result_in_the_present_is_a_condition(text: str, waits: bool) -> None:
    findings = find(text, SCANNER)
    dropped = {one.filter for one in findings.dropped if one.candidate.marker.claim == "tests_pass"}
    kept = [one for one in findings.kept if one.candidate.marker.claim == "tests_pass"]
    assert ("condition" in dropped) == waits
    assert bool(kept) != waits


@table
def test_a_guess_for_a_case_that_may_not_be_is_none(text: str, is_case: bool) -> None:
    findings = find(text, SCANNER)
    guesses = [one for one in findings.kept if one.candidate.marker.kind == "speculation_language"]
    assert bool(guesses) != is_case


@table
def test_what_waits_for_an_event_is_no_prediction(text: str, is_awaited: bool) -> None:
    findings = find(text, SCANNER)
    kept = [one for one in findings.kept if one.candidate.marker.kind == "speculation_language"]
    assert bool(kept) != is_awaited


@table
def test_a_guess_that_the_reader_is_asked_about_is_milder(text: str, is_asked: bool) -> None:
    guesses = [
        one
        for one in find(text, SCANNER).kept
        if one.candidate.marker.kind == "speculation_language"
    ]
    assert guesses
    assert {one.filter == "offered-check" for one in guesses} == {is_asked}


@table
def test_a_proposal_is_milder_than_a_guess(text: str, is_proposal: bool) -> None:
    guesses = [
        one for one in find(text, SCANNER).kept if one.candidate.marker.claim in ("guess", "modal")
    ]
    assert [one.filter for one in guesses if one.filter] == ["proposal"] * is_proposal
    assert guesses


@table
def test_the_title_of_a_column_claims_nothing(text: str, is_title: bool) -> None:
    findings = find(text, SCANNER)
    assert ("column-title" in {one.filter for one in findings.dropped}) == is_title
    assert bool([one for one in findings.kept if one.candidate.marker.claim]) != is_title


def uses(text: str, claim: str) -> set[str]:
    """Return the filters that dropped a claim or made it milder; "" where it stands."""
    findings = find(text, SCANNER)
    found = {one.filter for one in findings.kept if one.candidate.marker.claim == claim}
    found |= {one.filter for one in findings.dropped if one.candidate.marker.claim == claim}
    return found - {"context-pattern"}


@table
def test_what_is_no_report_of_the_writer(text: str, claim: str, wanted: str) -> None:
    assert uses(text, claim) == {wanted}


@pytest.mark.parametrize("word", ["in case it", "should the page"])
def test_a_guess_for_a_case_may_open_in_other_words(word: str) -> None:
    assert uses(f"{word} fails, the lock is probably stale.".capitalize(), "guess") == {"condition"}


def test_a_filter_holds_only_where_its_signs_are(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [row["says"] for row in rows()]
    said += [row[0] for found in tables(__file__).values() for row in found]
    quick = [find(text, SCANNER) for text in said]
    monkeypatch.setattr(language, "FILTERS", [one.replace(signs=()) for one in FILTERS])
    for text, found in zip(said, quick, strict=True):
        asked = find(text, SCANNER)
        assert (found.kept, found.dropped) == (asked.kept, asked.dropped), text


def test_each_offer_has_one_of_the_stems() -> None:
    offers = (*awaited._WAYS, *awaited._REQUESTS, *awaited._VERBS)
    assert [one for one in offers if not any(stem in one for stem in awaited._STEMS)] == []
