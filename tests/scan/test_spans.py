"""What holds of all that is read of a message, whatever is in it: spans, and code beside it."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from groundwire.scan.contradiction import find_contradictions
from groundwire.scan.numbers import find_numbers
from groundwire.scan.references import find_references
from groundwire.scan.statements import stating_sentences
from groundwire.text.fold import fold
from groundwire.text.mask import mask
from groundwire.text.segment import sentence_spans
from tests.support.tables import rows, tables

FENCE = """```python
open('src/a.py:3')  # commit abc1234
assert 3 == 3  # 100% of 42 tests, 9/10
# All tests pass. Two tests fail.
```"""
PIECES = tables(__file__)["pieces"]
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=30).map("\n".join),
    st.lists(st.sampled_from(PIECES), max_size=30).map("\n\n".join),
    st.text("0123456789%/.,:-\u2013x k*_()[]#$\n\\Labtesfilpno|~`\u00b2", max_size=80),
    st.text(max_size=80),
)


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


test_row = rows(__file__, contradiction=contradiction)


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
