"""Clauses as statements: existence, a state of a subject, a count, or any full clause."""

from __future__ import annotations

from groundwire.record import Record
from groundwire.scan.scopes import Scope, Scopes, plain_words
from groundwire.scan.statement_words import (
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    DISCOURSE,
    EXISTENCE_ENDS,
    IRREGULAR,
    LINKS,
    NEGATIONS,
    PART,
    PERSISTENT,
    PREDICATES,
    PRONOUNS,
    STATIVE,
    UNIQUE_NOUNS,
)
from groundwire.scan.subjects import Subject, is_plural, number_of, read_subject, stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.text.fold import Folded

_SEPARATORS = (", ", "; ", " and ", " - ", " \u2013 ", " \u2014 ", ": ", "\u2705", "\u274c")
_DASHES = ("-", "\u2013", "\u2014")
_LONGEST_CLAUSE = 16
_VERBS = AUXILIARIES | STATIVE | frozenset(PREDICATES)


class Statement(Record):
    """One clause, at ``start:end`` of the folded text.

    Statements with equal ``key`` speak of the same thing in the same scope. ``holds`` is their
    polarity; ``whole`` says that it is of all of the subject; ``count`` and ``total`` are N and M
    of "N of M"; ``persists`` that it is still so at the end; ``counts`` that only ``count`` is
    compared ("the suite has 12 tests").
    """

    key: tuple[str, ...]
    holds: bool
    whole: bool = True
    persists: bool = False
    count: float | None = None
    total: float | None = None
    counts: bool = False
    sentence: int = 0
    start: int = 0
    end: int = 0


def read_sentences(
    folded: Folded, sentences: list[tuple[int, int]], stating: list[int], denies: bool
) -> Iterator[Statement]:
    """Yield the statements of those sentences whose numbers are ``stating``."""
    for number, scope in _scoped(folded, sentences, stating):
        yield from _sentence(folded, *sentences[number], number, scope, denies)


def _scoped(
    folded: Folded, sentences: list[tuple[int, int]], stating: list[int]
) -> Iterator[tuple[int, Scope]]:
    """Yield the numbers of those sentences whose place in the message is plain, with that place."""
    scopes = Scopes(folded)
    waiting = iter(stating)
    number = next(waiting)
    for block in folded.blocks:
        wanted = sentences[number][0] < block.end
        scope = scopes.enter(block, wanted)
        while sentences[number][0] < block.end:
            if scope and not scope.lists_cases:
                yield number, scope
            try:
                number = next(waiting)
            except StopIteration:
                return


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


def read_clause(words: list[str], is_full: bool) -> Statement | None:
    """Read one clause; ``is_full`` says that its sentence ends in a full stop.

    The spans of the result are to be filled in. None when the clause is no plain statement.
    """
    words = _expanded(words)
    while words and words[0] in DISCOURSE and not (words[0] == "no" and len(words) < 5):
        words = words[1:]
    if not 2 <= len(words) <= _LONGEST_CLAUSE:
        return None
    return _existence(words) or _predicate(words) or (_generic(words) if is_full else None)


def _expanded(words: list[str]) -> list[str]:
    expanded = []
    for word in words:
        if word.endswith("n't"):
            expanded += [word[:-3], "not"]
        else:
            expanded.append(word)
    return expanded


def _existence(words: list[str]) -> Statement | None:
    """Read "no errors remain", "there are 3 errors", "two warnings are left"."""
    persists = not PERSISTENT.isdisjoint(words)
    if words[0] == "there" and words[1] in ("is", "are"):
        rest = words[2:]
    elif words[0] in ("no", "zero", "0") or words[-1] in ("remain", "remains", "left"):
        rest = words
    else:
        return None
    rest = [word for word in rest if word not in ADVERBS]
    while rest and (rest[-1] in EXISTENCE_ENDS or rest[-1] in AUXILIARIES):
        rest = rest[:-1]
    none = bool(rest) and (rest[0] in ("no", "zero", "0"))
    if rest[:1] == ["not"]:
        return None
    counted = bool(rest) and (rest[0] in PART or number_of(rest[0]) is not None)
    noun = rest[1:] if none or counted else rest
    if not 1 <= len(noun) <= 3 or noun[-1] in PRONOUNS or any(w in PREDICATES for w in noun):
        return None
    if any(word in AUXILIARIES or word in LINKS or word == "of" for word in noun):
        return None
    if not none and not is_plural(noun[-1]):
        return None
    key = ("none", *(stem(word) for word in noun if word not in DETERMINERS))
    return Statement(key, none, persists=persists) if len(key) > 1 else None


def _predicate(words: list[str]) -> Statement | None:
    """Read "all 12 tests pass", "2 of 12 tests fail", "the login bug is still broken"."""
    verb = next((at for at, word in enumerate(words) if word in _VERBS), 0)
    if not verb:
        return None
    subject = read_subject(words[:verb])
    if subject is None:
        return None
    at, flips = verb, subject.flips
    while at < len(words) and words[at] not in PREDICATES:
        word = words[at]
        if word in NEGATIONS:
            flips = not flips
        elif word == "no" and words[at + 1 : at + 2] == ["longer"]:
            return None  # a change, not a state
        elif word not in AUXILIARIES and word not in ADVERBS:
            return _has_count(words, verb, subject)
        at += 1
    if at == len(words):
        return None
    family, holds, tense = PREDICATES[words[at]]
    tail = tuple(
        stem(word) for word in words[at + 1 :] if word not in ADVERBS and word not in DETERMINERS
    )
    if any(word in AUXILIARIES or word in PREDICATES for word in words[at + 1 :]):
        return None
    return Statement(
        (family, tense, *subject.nouns, "|", *tail),
        holds is not flips,
        whole=subject.whole,
        persists=not PERSISTENT.isdisjoint(words),
        count=subject.count,
        total=subject.total,
    )


def _has_count(words: list[str], verb: int, subject: Subject) -> Statement | None:
    """Read "the suite has 12 tests"; ``verb`` is the place of "has"."""
    rest = words[verb + 1 :]
    if words[verb] not in STATIVE or len(rest) < 2 or subject.count is not None:
        return None
    rest = rest[3:] if rest[:3] == ["a", "total", "of"] else rest
    count = number_of(rest[0]) if len(rest) > 1 else None
    if count is None or not subject.whole or any(number_of(word) is not None for word in rest[1:]):
        return None
    key = ("has", *subject.nouns, "|", *map(stem, rest[1:]))
    return Statement(key, True, count=count, counts=True)


def _generic(words: list[str]) -> Statement | None:
    """Read any full clause, so that it can meet the same clause with "not"."""
    if words[0] in PRONOUNS or words[0] in ("do", "never", "no", "not", "always"):
        return None
    negations = sum(word in NEGATIONS for word in words)
    key = tuple(
        "be" if word in ("is", "are", "am") else stem(IRREGULAR.get(word, word))
        for word in words
        if word not in NEGATIONS
        and word not in ADVERBS
        and word not in DETERMINERS
        and word not in ("do", "does", "did", "has", "have", "been")
    )
    if negations > 1 or "no" in key or "longer" in key or len(key) < 3:
        return None
    if len(key) == 3 and not (key[0] in ("i", "we") or _is_named(words)):
        return None
    return Statement(("says", *key), not negations, persists=not PERSISTENT.isdisjoint(words))


def _is_named(words: list[str]) -> bool:
    """The first noun is written as code or is one of its kind; others mean many things."""
    noun = next((word for word in words if word not in DETERMINERS), "")
    return not noun.isalpha() or noun in UNIQUE_NOUNS
