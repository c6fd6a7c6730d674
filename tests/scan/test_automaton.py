"""The scanner, resolution and context patterns on small rule sets of their own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.base.model import Candidate, Marker
from groundwire.base.rules import RuleSet, lists, shipped_rules, words_of
from groundwire.base.rules.file_patterns import FilePattern, shipped_file_patterns
from groundwire.language import find as language
from groundwire.language import pending_checks
from groundwire.language.automaton import Context, Scanner, is_bounded
from groundwire.language.candidates import resolve
from groundwire.language.file_patterns import FileScanner
from groundwire.language.filters import FILTERS
from groundwire.language.find import find
from groundwire.settings.patterns.compile import drawers_of, line_of
from tests.everyday.rows import rows
from tests.support import tables

TABLES = tables.tables(__file__)
KINDS = TABLES["kinds"]
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


@given(st.sets(st.text("ab ", min_size=1, max_size=5)), st.text("ab '-.", max_size=60))
def test_scanner_agrees_with_a_naive_search(forms: set[str], text: str) -> None:
    """Leftmost-longest by brute force over every start and every form."""
    forms = {form.strip() or "a" for form in forms}
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


def resolution(entries: list[str], text: str) -> list[list[object]]:
    kept, _ = resolve(Scanner(rules(*entries)).scan(text))
    return spans(kept)


def holds(pattern: str, marked: str) -> bool:
    start, end = marked.index("{"), marked.index("}") - 1
    text = marked.replace("{", "").replace("}", "")
    context = Context((pattern,), ())
    return context.breaks(text, start, end, (0, len(text)), lambda: words_of(text)) == ""


def uses(text: str, claim: str) -> str:
    """Return the filters that dropped a claim or made it milder."""
    findings = find(text, WHOLE)
    found = {one.filter for one in findings.kept if one.candidate.marker.claim == claim}
    found |= {one.filter for one in findings.dropped if one.candidate.marker.claim == claim}
    return "|".join(sorted(found - {"context-pattern"} or {"no candidate"}))


def first_in_file(patterns: list[list[str]], text: str) -> list[object]:
    """Return the patterns, each a form and where it may stand, that are found, and where first."""
    some = [FilePattern(str(n), "c", "M1", form, at) for n, (form, at) in enumerate(patterns)]
    return [[int(hit.pattern.id), hit.offset] for hit in FileScanner(some).scan(text)]


SHIPPED = FileScanner(shipped_file_patterns())
test_row = tables.rows(
    __file__,
    boundaries=lambda form, text: [one.start for one in Scanner(rules(f"s:{form}")).scan(text)],
    resolution=resolution,
    context_patterns=holds,
    what_a_claim_is_read_as=uses,
    first_in_file=first_in_file,
    accidents=lambda text: sorted(hit.pattern.form for hit in SHIPPED.scan(text)),
)


def test_a_filter_holds_only_where_its_signs_are(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [row["says"] for row in rows()]
    said += [row[0] for found in TABLES.values() for row in found if isinstance(row, list)]
    said = [one for one in said if isinstance(one, str)]
    quick = [find(text, WHOLE) for text in said]
    monkeypatch.setattr(language, "FILTERS", [one.replace(signs=()) for one in FILTERS])
    for text, found in zip(said, quick, strict=True):
        asked = find(text, WHOLE)
        assert (found.kept, found.dropped) == (asked.kept, asked.dropped), text


def test_each_offer_has_one_of_the_stems() -> None:
    offers = (*lists.WAYS_TO_CHECK, *lists.REQUESTS, *pending_checks._VERBS)
    assert [one for one in offers if not any(stem in one for stem in lists.CHECK_STEMS)] == []
