"""The scanner, resolution and context patterns on small rule sets of their own."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.model import Candidate, Marker
from groundwire.rules import RuleSet, drawers_of, line_of, shipped_rules
from groundwire.scan.automaton import Scanner, is_bounded
from groundwire.scan.context import stands
from groundwire.scan.resolve import resolve

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


def spans(candidates: list[Candidate]) -> list[tuple[str, int, int]]:
    return [(c.marker.id, c.start, c.end) for c in candidates]


BOUNDARIES = [
    # name, form, text, offsets of kept occurrences; the misses are proven bugs of substring tools
    ("whole word", "may", "it may be", [3]),
    ("inside a word", "may", "the mayor and dismay", []),
    ("prefix un-", "likely", "unlikely", []),
    ("since in sincerely", "since", "i sincerely thank you", []),
    ("thus in enthusiasm", "thus", "great enthusiasm", []),
    ("led to in compiled to", "led to", "typescript is compiled to javascript", []),
    ("led to in scheduled to", "led to", "scheduled to run", []),
    ("all complete in install completed", "all complete", "the npm install completed.", []),
    ("all fixed in small fixed", "all fixed", "a small fixed buffer", []),
    ("all resolved in call resolved", "all resolved", "the call resolved.", []),
    ("all done in overall done", "all done", "overall done count", []),
    ("due to in residue to", "due to", "moved the residue to the bin", []),
    ("hence in whence", "hence", "whence and henceforth", []),
    ("apostrophe is inside a word", "can", "it can't", []),
    ("hyphen is inside a word", "fixed", "fixed-width", []),
    ("dot is inside a name", "works", "works.py", []),
    ("slash is inside a path", "works", "src/works", []),
    ("underscore is inside a name", "works", "works_ok", []),
    ("full stop ends a word", "works", "it works.", [3]),
    ("quote ends a word", "works", "'works'", [1]),
    ("brackets end a word", "works", "(works)", [1]),
    ("digits are words", "x", "#x x", [3]),
    ("start and end", "may", "may", [0]),
    ("twice", "may", "may may", [0, 4]),
]


@pytest.mark.parametrize(
    ("form", "text", "wanted"), [r[1:] for r in BOUNDARIES], ids=[r[0] for r in BOUNDARIES]
)
def test_boundaries(form: str, text: str, wanted: list[int]) -> None:
    found = Scanner(rules(f"s:{form}")).scan(text)
    assert [candidate.start for candidate in found] == wanted


RESOLUTIONS = [
    ("longest at one place", ["s:may", "s:may be"], "may be", [("s:may be", 0, 6)]),
    (
        "shorter when the longer is not bounded",
        ["s:may", "s:may be"],
        "may been",
        [("s:may", 0, 3)],
    ),
    ("leftmost first", ["s:a b", "s:b c d"], "a b c d", [("s:a b", 0, 3)]),
    ("kinds overlap", ["s:a b", "c:b c"], "a b c", [("s:a b", 0, 3), ("c:b c", 2, 5)]),
    ("one form, two kinds", ["s:a", "c:a"], "a", [("c:a", 0, 1), ("s:a", 0, 1)]),
    ("a blocker takes what it covers", ["s:soon", "b:as soon as"], "as soon as", []),
    ("a blocker wins a tie", ["s:may", "b:may"], "may", []),
    ("a blocker works on all kinds", ["s:b", "c:b", "b:a b"], "a b", []),
    ("a longer marker beats a blocker", ["s:a b c", "b:a b"], "a b c", [("s:a b c", 0, 5)]),
    (
        "a faint marker gets what is left",
        ["s:b c", "f:a b", "f:d"],
        "a b c d",
        [("s:b c", 2, 5), ("f:d", 6, 7)],
    ),
    (
        "faint markers do not overlap",
        ["f:a b", "f:b c", "f:c d"],
        "a b c d",
        [("f:a b", 0, 3), ("f:c d", 4, 7)],
    ),
    ("a blocker takes a faint marker", ["f:a b", "b:b c"], "a b c", []),
    ("a key inside another key's tail", ["s:cacbc", "s:ac"], "c ac b", [("s:ac", 2, 4)]),
]


@pytest.mark.parametrize(
    ("entries", "text", "wanted"), [r[1:] for r in RESOLUTIONS], ids=[r[0] for r in RESOLUTIONS]
)
def test_resolution(entries: list[str], text: str, wanted: list[tuple[str, int, int]]) -> None:
    kept, _ = resolve(Scanner(rules(*entries)).scan(text))
    assert spans(kept) == wanted


@pytest.mark.parametrize("seed", range(200))
def test_scanner_agrees_with_a_naive_search(seed: int) -> None:
    """Leftmost-longest by brute force over every start and every form."""
    rng = random.Random(seed)
    forms = {"".join(rng.choices("ab ", k=rng.randint(1, 5))).strip() or "a" for _ in range(6)}
    text = "".join(rng.choices("ab '-.", k=60))
    kept, _ = resolve(Scanner(rules(*(f"s:{form}" for form in forms))).scan(text))
    wanted, at = [], 0
    while at < len(text):
        fits = [f for f in forms if text.startswith(f, at) and is_bounded(text, at, at + len(f))]
        if fits:
            longest = max(fits, key=len)
            wanted.append((f"s:{longest}", at, at + len(longest)))
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


CONTEXTS = [
    # pattern, text with the marker in braces, holds
    ("is ~", "it is {fixed}", True),
    ("is ~", "this {fixed}", False),  # "is" is not a word of its own here
    ("~ correctly", "it {works} correctly", True),
    ("~ correct", "it {works} correctly", False),
    ("^ ~", "{fixed} the race", True),
    ("^ ~", "✅ {fixed} the race", True),
    ("^ ~", "status: {fixed} the race", True),
    ("^ ~", "we {fixed} the race", False),
    ("^ now ~", "now {works} again", True),
    ("~ $", "it {works}.", True),
    ("~ $", "it {works}, and well", True),
    ("~ $", "it {works} by magic", False),
    ("~ now $", "it {works} now", True),
    ("tests ... ~", "the tests all {passed}", True),
    ("tests ... ~", "the contests all {passed}", False),
    ("~ ... twice", "{passed} when run twice", True),
]


@pytest.mark.parametrize(("pattern", "marked", "wanted"), CONTEXTS)
def test_context_patterns(pattern: str, marked: str, wanted: bool) -> None:
    start, end = marked.index("{"), marked.index("}") - 1
    text = marked.replace("{", "").replace("}", "")
    assert (stands(text, start, end, (0, len(text)), (pattern,), ()) == "") is wanted
