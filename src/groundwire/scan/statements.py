"""Plain statements of a message: what is said of what, whether it holds, and of how many.

Only simple declarative clauses are read. Questions, conditions, contrast, sequences, quotations
and everything with a word that could change the sense are left out (``statement_words``).
"""

from __future__ import annotations

from groundwire.scan.clauses import Statement, read_clause
from groundwire.scan.scopes import Scope, Scopes, plain_words
from groundwire.scan.statement_words import LINKS, SENTENCE_GUARDS
from groundwire.text.fold import Folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SEPARATORS = (", ", "; ", " and ", " - ", " \u2013 ", " \u2014 ", ": ", "\u2705", "\u274c")
_DASHES = ("-", "\u2013", "\u2014")
_DENIALS = ("not", "never", "n't")
_ARROWS = ("\u2192", "->", "=>", '"')


def find_statements(folded: Folded, sentences: list[tuple[int, int]]) -> Iterator[Statement]:
    """Yield the plain statements in order of position. Linear.

    Full clauses are read only where one may deny another.
    """
    plain = list(_plain_sentences(folded, sentences))
    denies = any(mark in folded.text[start:end] for start, end, _, _ in plain for mark in _DENIALS)
    for start, end, number, scope in plain:
        yield from _sentence(folded, start, end, number, scope, denies)


def _plain_sentences(
    folded: Folded, sentences: list[tuple[int, int]]
) -> Iterator[tuple[int, int, int, Scope]]:
    """Yield start, end, number and scope of each sentence that is worth reading."""
    scopes = Scopes(folded)
    number = 0
    for block in folded.blocks:
        scope = scopes.enter(block)
        while number < len(sentences) and sentences[number][0] < block.end:
            start, end = sentences[number]
            if scope and not scope.lists_cases and _is_plain(folded.text, start, end):
                yield start, end, number, scope
            number += 1


def _is_plain(text: str, start: int, end: int) -> bool:
    sentence = text[start:end]
    if sentence.endswith(("?", ":")) or any(mark in sentence for mark in _ARROWS):
        return False
    return SENTENCE_GUARDS.isdisjoint(sentence.replace(",", " ").split())


def _sentence(
    folded: Folded, start: int, end: int, number: int, scope: Scope, denies: bool
) -> Iterator[Statement]:
    """Read the clauses of a sentence; a label or a place in front narrows those behind it."""
    text = folded.text[start:end]
    for separator in _SEPARATORS:
        text = text.replace(separator, "\n" * len(separator))
    ends = folded.text.endswith((".", "!"), start, end)
    narrowed: tuple[str, ...] = ()
    at = 0
    for piece in text.split("\n"):
        begin, stop = start + at, start + at + len(piece)
        at += len(piece) + 1
        if not piece.strip():
            continue
        words = plain_words(folded, begin, stop)
        behind = folded.text[stop : stop + 3].strip()[:1]
        statement = read_clause(words, ends and (denies or behind in _DASHES))
        is_label = behind == ":" or (behind in _DASHES and statement is None)
        if is_label or (words and words[0] in LINKS):
            narrowed += tuple(words)
        elif statement is not None:
            lead = len(piece) - len(piece.lstrip())
            yield statement.replace(
                start=begin + lead,
                end=begin + len(piece.rstrip(" .!")),
                sentence=number,
                key=(*scope.words, "|", *narrowed, "|", *statement.key),
            )
