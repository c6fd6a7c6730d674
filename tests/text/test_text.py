"""Masking, folding and segmentation: tables, and the invariants that every offset rests on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text.fold import Folded, fold, fold_phrase
from groundwire.text.mask import CELL, FILLER, mask
from groundwire.text.segment import LONGEST, sentence_spans

MARKUP = st.text(
    alphabet=st.sampled_from(
        "ab I\u0130\u00df\U0001f600*_`~|>#-1.,!?'\u2019\u201c\n\t\u00a0\u200b[]()<&"
    )
)


def folded(text: str) -> Folded:
    return fold(text, mask(text))


VISIBLE = [
    ("plain", "I think so", "I think so"),
    ("inline code", "call `I think` now", "call ######### now"),
    ("double backticks hold a backtick", "``a ` b`` c", "######### c"),
    ("an unclosed backtick hides nothing", "a ` b", "a ` b"),
    ("a code span ends with its paragraph", "a ` b\n\nc ` d", "a ` b\n\nc ` d"),
    ("fence", "a\n```py\nI think\n```\nb", "a\n#####\n#######\n###\nb"),
    ("tilde fence in a line is text", "a ~~~ I think", "a ~~~ I think"),
    (
        "a fence closes with at least its own length",
        "````\n```\nx\n````\ny",
        "####\n###\n#\n####\ny",
    ),
    ("an unclosed fence runs to the end", "a\n```\nI think", "a\n###\n#######"),
    ("indented code", "a\n\n    I think\n\nb", "a\n\n###########\n\nb"),
    ("an indented line of a list is text", "- a\n\n    I think", "- a\n\n    I think"),
    ("quote", "> I think\nb", "#########\nb"),
    ("url", "see https://may.be/x.", "see ################."),
    ("link target", "see [docs](may/be.md) now", "see [docs]########### now"),
    ("html comment", "a <!-- I think\nso --> b", "a ############\n###### b"),
    ("an unclosed comment hides nothing", "a <!-- I think", "a <!-- I think"),
    ("tag", "a <may be> b", "a ######## b"),
    ("less-than is no tag", "a < b and c > d", "a < b and c > d"),
    ("rule", "a\n\n---\nb", "a\n\n###\nb"),
]


@pytest.mark.parametrize(
    ("text", "wanted"), [row[1:] for row in VISIBLE], ids=[r[0] for r in VISIBLE]
)
def test_mask(text: str, wanted: str) -> None:
    assert mask(text).text == wanted.replace("#", FILLER)


def test_table_cells_and_their_rule_are_masked() -> None:
    text = "| a | b |\n|---|---|\n| c | d |"
    assert mask(text).text.replace(CELL, "!").replace(FILLER, "#") == (
        "! a ! b !\n#########\n! c ! d !"
    )


FOLDS = [
    ("case", "The TESTS Pass", "the tests pass"),
    ("curly apostrophe", "I don\u2019t know", "i don't know"),
    ("curly quotes", "\u201cprobably\u201d", '"probably"'),
    ("white space runs", "I  think\t it", "i think it"),
    ("no-break space", "I\u00a0think", "i think"),
    ("soft line break", "I\nthink", "i think"),
    ("zero-width space", "I th\u200bink", "i think"),
    ("emphasis", "**not** _sure_", "not sure"),
    ("emphasis inside a phrase", "I *really* think", "i really think"),
    ("snake case stays", "my_func_name", "my_func_name"),
    ("arithmetic stays", "3 * 4", "# * #"),
    ("numbers", "12 of 1,234 at 3.5%", "# of # at #%"),
    ("a number ends a sentence", "It took 12. Then", "it took #. then"),
    ("a literal hash is no number", "#5", "\x02#"),
    ("dotted capital I keeps its length", "\u0130stanbul", "istanbul"),
    ("hyphen", "end\u2011to\u2011end", "end-to-end"),
]


@pytest.mark.parametrize(("text", "wanted"), [row[1:] for row in FOLDS], ids=[r[0] for r in FOLDS])
def test_fold(text: str, wanted: str) -> None:
    assert fold_phrase(text) == wanted


@pytest.mark.parametrize("number", ["7", "42", "3.11", "1,234.5", "1.2.3"])
def test_a_number_is_evidence_as_a_whole(number: str) -> None:
    found = folded(f"a factor of {number}. Next")
    offset, end = found.span(0, len("a factor of #"))
    assert found.original[offset:end] == f"a factor of {number}"


BLOCKS = [
    ("blank line", "I\n\nthink", ["i", "think"]),
    ("list items", "- I\n- think", ["i", "think"]),
    ("numbered items drop their index", "1. I\n2) think", ["i", "think"]),
    ("check box", "- [x] done", ["done"]),
    ("an item goes on in the next line", "- I\n  think", ["i think"]),
    ("heading", "# I\nthink", ["i", "think"]),
    ("table rows", "| I |\n| think |", ["\x1d i \x1d", "\x1d think \x1d"]),
    ("titles of a table", "| I |\n|---|\n| think |", ["\x1d i \x1d", "\x1d think \x1d"]),
    ("code between", "I\n```\nx\n```\nthink", ["i", "think"]),
]


@pytest.mark.parametrize(
    ("text", "wanted"), [row[1:] for row in BLOCKS], ids=[r[0] for r in BLOCKS]
)
def test_blocks_are_hard_breaks(text: str, wanted: list[str]) -> None:
    assert folded(text).text.split("\n")[:-1] == wanted


SENTENCES = [
    ("full stops", "One. Two! Three?", ["one.", "two!", "three?"]),
    ("abbreviations", "Use e.g. this. Done.", ["use e.g. this.", "done."]),
    ("file names", "See foo.py now. Then stop.", ["see foo.py now.", "then stop."]),
    ("closing quote", 'It said "no." Then', ['it said "no."', "then"]),
    ("cells", "| a | b c |", ["a", "b c"]),
    ("a block ends a sentence", "- a\n- b", ["a", "b"]),
]


@pytest.mark.parametrize(
    ("text", "wanted"), [row[1:] for row in SENTENCES], ids=[r[0] for r in SENTENCES]
)
def test_sentences(text: str, wanted: list[str]) -> None:
    found = folded(text)
    assert [found.text[a:b] for a, b in sentence_spans(found)] == wanted


@given(MARKUP)
def test_masking_keeps_every_position(text: str) -> None:
    masked = mask(text)
    assert len(masked.text) == len(text)
    assert [i for i, c in enumerate(text) if c == "\n"] == [
        i for i, c in enumerate(masked.text) if c == "\n"
    ]


@given(MARKUP)
def test_every_folded_stretch_leads_back_to_the_text_it_came_from(text: str) -> None:
    found = folded(text)
    for position, character in enumerate(found.text):
        if character == "\n":
            continue
        offset, end = found.span(position, position + 1)
        assert 0 <= offset < end <= len(text)
        assert found.position(offset) == position
        if character.isalpha():
            assert text[offset].lower().startswith(character)


@given(MARKUP)
def test_sentences_ascend_and_stay_in_their_blocks(text: str) -> None:
    found = folded(text)
    last = 0
    for start, end in sentence_spans(found):
        assert last <= start < end
        assert "\n" not in found.text[start:end]
        last = end


@given(MARKUP, st.sampled_from(["", "a", "I think"]))
def test_a_leading_paragraph_does_not_change_what_follows(text: str, head: str) -> None:
    """A fence or quote earlier in the message must not shift or hide later text."""
    alone = folded(text).text
    assert folded(f"```\n{head}\n```\n\n{text}").text == alone


def test_a_text_without_full_stops_is_read_in_pieces() -> None:
    text = "one word after the other " * 200
    spans = sentence_spans(folded(text))
    assert max(end - start for start, end in spans) <= LONGEST
    assert " ".join(folded(text).text[start:end] for start, end in spans) == text.strip()
