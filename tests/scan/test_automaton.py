"""The scanner, resolution and context patterns on small rule sets of their own."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.lexicon.compile import drawers_of, line_of
from groundwire.model import Candidate, Marker
from groundwire.rules import RuleSet, shipped_rules, words_of
from groundwire.scan.automaton import Scanner, is_bounded
from groundwire.scan.context import Context
from groundwire.scan.resolve import resolve
from tests.support.tables import table

KINDS = {
    "s": "speculation_language",
    "f": "speculation_language",  # faint
    "c": "causality_language",
    "b": "blocker",
}


WHOLE = Scanner(shipped_rules())
ONCE = Scanner(shipped_rules(), once=True)


def rules(*entries: str) -> RuleSet:
    """Build a rule set from entries like ``s:may be``; ids are the entries themselves."""
    forms: dict[str, tuple[int, ...]] = {}
    for number, entry in enumerate(entries):
        form = entry.partition(":")[2]
        forms[form] = (*forms.get(form, ()), number)
    strengths = ("faint" if entry[0] == "f" else "weak" for entry in entries)
    lines = (
        line_of(Marker(entry, KINDS[entry[0]], strength))
        for entry, strength in zip(entries, strengths, strict=True)
    )
    return RuleSet("".join(f"{line}\n" for line in lines), drawers_of(forms))


def spans(candidates: list[Candidate]) -> list[list[object]]:
    return [[c.marker.id, c.start, c.end] for c in candidates]


@table
def test_boundaries(form: str, text: str, wanted: list[int]) -> None:
    found = Scanner(rules(f"s:{form}")).scan(text)
    assert [candidate.start for candidate in found] == wanted


@table
def test_resolution(entries: list[str], text: str, wanted: list[list[object]]) -> None:
    kept, _ = resolve(Scanner(rules(*entries)).scan(text))
    assert spans(kept) == wanted


@pytest.mark.parametrize("seed", range(200))
def test_scanner_agrees_with_a_naive_search(seed: int) -> None:
    """Leftmost-longest by brute force over every start and every form."""
    rng = random.Random(seed)
    forms = {"".join(rng.choices("ab ", k=rng.randint(1, 5))).strip() or "a" for _ in range(6)}
    text = "".join(rng.choices("ab '-.", k=60))
    kept, _ = resolve(Scanner(rules(*(f"s:{form}" for form in forms))).scan(text))
    wanted: list[list[object]] = []
    at = 0
    while at < len(text):
        fits = [f for f in forms if text.startswith(f, at) and is_bounded(text, at, at + len(f))]
        if fits:
            longest = max(fits, key=len)
            wanted.append([f"s:{longest}", at, at + len(longest)])
            at += len(longest)
        else:
            at += 1
    assert spans(kept) == wanted


@given(
    st.lists(st.sampled_from(sorted(form for form, _ in shipped_rules().forms())), max_size=8),
    st.sampled_from([" ", "\n", ". ", "\u2014", " the ", "-"]),
)
def test_scanning_once_finds_what_scanning_with_all_forms_finds(
    forms: list[str], joint: str
) -> None:
    text = joint.join(forms)
    assert spans(ONCE.scan(text)) == spans(WHOLE.scan(text))


def test_empty_rule_set_finds_nothing() -> None:
    assert Scanner(rules()).scan("I think") == []


@table
def test_context_patterns(pattern: str, marked: str, wanted: bool) -> None:
    start, end = marked.index("{"), marked.index("}") - 1
    text = marked.replace("{", "").replace("}", "")
    context = Context((pattern,), ())
    broken = context.breaks(text, start, end, (0, len(text)), lambda: words_of(text))
    assert (broken == "") is wanted
