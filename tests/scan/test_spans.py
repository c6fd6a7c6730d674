"""What is read of a message beside its markers: numbers, references, contradictions; and what holds
of all of them, whatever is in it."""

from functools import partial
from itertools import pairwise
from time import thread_time
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groundwire.language.contradictions import find_contradictions
from groundwire.language.fold import fold, sentence_spans
from groundwire.language.markdown import mask
from groundwire.language.numbers import THINGS, find_numbers, quantity_candidates
from groundwire.language.quantities import Quantity
from groundwire.language.references import (
    COMMAND,
    COMMIT,
    HASH,
    OUTPUT,
    PATH,
    QUOTE,
    Reference,
    find_references,
    reference_candidates,
)
from groundwire.language.statements import stating_sentences
from groundwire.verdict.bare_text import locations
from tests.support.tables import rows, tables

FENCE = """```python
open('src/a.py:3')  # commit abc1234
assert 3 == 3  # 100% of 42 tests, 9/10
# All tests pass. Two tests fail.
```"""
PIECES = st.lists(st.sampled_from(tables(__file__)["pieces"]), max_size=30)
TEXTS = st.one_of(
    st.builds(str.join, st.sampled_from([" ", "\n", "\n\n"]), PIECES),
    st.text("0123456789%/.,:-\u2013x k*_()[]#$\n\\Labtesfilpno|~`\u00b2", max_size=80),
    st.text(max_size=80),
)
KINDS = "percent ratio times amount exit duration count things".split()


def numbers(text: str) -> list[Quantity]:
    return find_numbers(mask(text).text)


def amounts(text: str, *, kind: str = "") -> list[str]:
    return [text[q.start : q.end] for q in numbers(text) if q.kind == kind]


def count(text: str) -> tuple[object, ...]:
    one = next(q for q in numbers(text) if q.kind == "count")
    return text[one.start : one.end], one.value, one.outcome, one.total


def range_and_estimate(text: str) -> tuple[object, ...]:
    (quantity,) = numbers(text)
    return quantity.approximate, quantity.upper


def amounts_to_check(text: str) -> list[object]:
    masked = mask(text).text
    found = quantity_candidates(find_numbers(masked), masked)
    return [[text[at:end], name.removeprefix("quantity.")] for at, end, name in found]


def things(text: str) -> list[object]:
    (one,) = [one for one in numbers(text) if one.kind == THINGS]
    return [text[one.start : one.end], one.unit]


def references(text: str, *kinds: str) -> list[Reference]:
    found = find_references(text, mask(text).text)
    return [one for one in found if not kinds or one.kind in kinds]


def cited(text: str, *kinds: str) -> list[str]:
    return [text[one.start : one.end] for one in references(text, *kinds)]


def path(text: str) -> tuple[object, ...]:
    (one,) = references(text, PATH)
    return text[one.start : one.end], one.path, one.line, one.end_line


def commit(text: str) -> tuple[object, ...]:
    (one,) = references(text, COMMIT, HASH)
    assert one.path == text[one.start : one.end]
    return one.path, one.kind


def references_to_check(text: str) -> list[object]:
    found = reference_candidates(references(text))
    return [[text[it.start : it.end], name.removeprefix("reference.")] for name, it in found]


def command_that_was_run(text: str) -> bool:
    claimed = [text[one.start : one.end] for one in references(text, COMMAND) if one.claimed]
    assert claimed in ([], ["npm test"])
    return bool(claimed)


def quote(text: str, quotes: list[str]) -> bool:
    found = [one.path.strip() for one in references(text, QUOTE)]
    return found == [one for one in quotes if len(one) >= 15 or one in found]


def contradictions(text: str) -> list[tuple[int, int, int, int, str]]:
    """Return the spans of the later statement and the earlier one, and the name of the pair."""
    folded = fold(text, mask(text))
    sentences = sentence_spans(folded)
    stating = stating_sentences(folded, sentences)
    pairs = find_contradictions(folded, sentences, stating) if stating else []
    for start, _, other, other_end, _ in pairs:
        assert 0 <= other < other_end <= start  # the later statement is the evidence
    return [(*folded.span(*it[:2]), *folded.span(*it[2:4]), it[4]) for it in pairs]


def contradiction(text: str, later: str, earlier: str, kind: str) -> bool:
    found = [(text[a:b], text[c:d], name) for a, b, c, d, name in contradictions(text)]
    return found == ([(later, earlier, f"contradiction.{kind}")] if kind else [])


FOUND: dict[str, Any] = {f"found_{kind}": partial(amounts, kind=kind) for kind in KINDS}


def in_time(said: str, times: int, end: str) -> bool:
    begun = thread_time()
    return not contradictions(said * times + end) and thread_time() - begun < 3


test_row = rows(
    __file__,
    in_time=in_time,
    **FOUND,
    count=count,
    range_and_estimate=range_and_estimate,
    quantity_candidates=amounts_to_check,
    things=things,
    path=path,
    no_path=lambda text: not cited(text, PATH),
    commit=commit,
    no_commit=lambda text: not cited(text, COMMIT, HASH),
    command=lambda text: cited(text, COMMAND),
    output=lambda fence: len(references(f"I ran it:\n\n{fence}\n", OUTPUT)) == 1,
    cited_block=lambda text: [cited(text, QUOTE), [it.path for it in references(text, QUOTE)]],
    locates=lambda text: bool(locations(text, mask(text).text, [(0, len(text))])),
    reference_candidates=references_to_check,
    command_that_was_run=command_that_was_run,
    quote=quote,
    contradiction=contradiction,
)


def spans(text: str) -> list[tuple[str, int, int]]:
    """Return what is read of a text in its order: kind, start and end."""
    masked = mask(text)
    found = [("number", one.start, one.end) for one in find_numbers(masked.text)]
    found += [(one.kind, one.start, one.end) for one in find_references(text, masked.text)]
    return found + [("contradiction", *one[:2]) for one in contradictions(text)]


@given(TEXTS)
def test_spans_are_valid_and_apart_within_a_kind(text: str) -> None:
    found = spans(text)
    assert all(0 <= start < end <= len(text) for _, start, end in found)
    assert all(any(map(str.isalnum, text[at:end])) for kind, at, end in found if kind == "number")
    for kind in {kind for kind, *_ in found} - {"quote", "edit"}:
        own = [(start, end) for name, start, end in found if name == kind]
        assert all(one[1] <= two[0] for one, two in pairwise(own))


@given(TEXTS.filter(lambda text: not any(mark in text for mark in "`~<")))
def test_a_code_fence_changes_nothing(text: str) -> None:
    found = spans(text)
    shift = len(FENCE) + 2
    assert spans(f"{text}\n\n{FENCE}") == found
    moved = [(kind, start + shift, end + shift) for kind, start, end in found]
    assert spans(f"{FENCE}\n\n{text}") == moved
