"""What is still to come: a result waited for, a case that may not be, an offer to check a guess.

No single word opens these, as one does a condition; "probably the cache; I can confirm by running
it with --no-cache" is such an offer.
"""

from __future__ import annotations

from groundwire.base.rules import lists
from groundwire.language.automaton import is_bounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.base.model import Candidate
    from groundwire.language.fold import Sentence

#: Verbs of a result in the present, and words that may stand between it and "after".
_PRESENT = frozenset("builds compiles lands merges pass passes starts succeed succeeds".split())
_GUESSED = ("doubt", "guess", "impression", "modal")
_RESERVATIONS = ("if i ", "if i'm ", "if we ", "if my ", "if memory ", "if anything")
#: What has not happened yet, and what the writer has done: "once the mirror is up, it should work".
_HEDGE = "speculation_language"
_EVENTS = ("once ", "as soon as ")
_OWN_EVENTS = ("once i ", "once we ", "once again", "as soon as i ", "as soon as we ")
#: With one of these begins each sentence that puts a case or waits for an event.
CASE_OPENINGS = (*lists.CASES, *lists.RULES)
_OWN = frozenset(("i", "we", "i've", "we've"))
_PAST = frozenset(("was", "were", "did", "had"))
_DETERMINERS = frozenset("all both every my new our the these this those your".split())

#: What an offer to check is made of.
_VERBS = ("confirm", "verify", "check", "test", "reproduce", "rule it out", "find out")
#: Those without the reader: "you can test it" leaves the check of one's own work to others.
_OWN_OPENINGS = tuple(one for one in lists.OFFERS if not one.startswith("you "))
_ADVERBS = ("quickly", "easily", "also", "then")
#: Far enough for one more sentence.
_REACH = 240


def is_awaited(candidate: Candidate, sentence: Sentence) -> bool:
    """Tell whether a result is waited for, or a guess is made for a case that may not be.

    "After the tests pass, tag it"; "if you still see it, it is probably the cache"; "if you only
    need a copy, the old file is probably enough".
    """
    text, start = sentence.text, sentence.start
    if candidate.marker.kind == _HEDGE and text.startswith(_EVENTS, start):
        return not text.startswith(_OWN_EVENTS, start)
    if candidate.marker.claim in _GUESSED and candidate.start > start:
        return _is_case(text, start)
    return _waits_for(candidate, sentence)


def is_ruled(candidate: Candidate, sentence: Sentence) -> bool:
    """Tell whether a claim stands behind the comma of a clause that says when it holds."""
    text, start = sentence.text, sentence.start
    if not text.startswith(CASE_OPENINGS, start) or text.startswith(_RESERVATIONS, start):
        return False
    comma = text.find(", ", start, candidate.start)
    words = text[start:comma].split() if comma >= 0 else []
    return bool(words) and _OWN.isdisjoint(words[1:2]) and _PAST.isdisjoint(words)


def _is_case(text: str, start: int) -> bool:
    return text.startswith(lists.CASES, start) and not text.startswith(_RESERVATIONS, start)


def _waits_for(candidate: Candidate, sentence: Sentence) -> bool:
    """ "After the build passes, tag it": in the present it has not happened yet."""
    text = sentence.text
    if text[candidate.start : candidate.end].rpartition(" ")[2] not in _PRESENT:
        return False
    words = text[sentence.start : candidate.start].split()
    while words and words[-1] in _DETERMINERS:
        words.pop()
    return words[-1:] == ["after"]


def offers_check(sentence: Sentence, by_reader: bool = True) -> bool:
    """Tell whether the sentence, or the next one of its paragraph, offers to check it.

    That the reader can check it, or is asked to, is an offer only with ``by_reader``.
    """
    text = sentence.text
    stop = min(sentence.block[1], sentence.end + _REACH)
    ends = (text.find(mark, sentence.end + 1, stop) for mark in (". ", "! ", "? ", "\n"))
    stop = min((end for end in ends if end >= 0), default=stop)
    said = text[sentence.start : stop + 1]
    if not any(stem in said for stem in lists.CHECK_STEMS):
        return False
    if any(_stands(text, phrase, sentence.start, stop) for phrase in lists.WAYS_TO_CHECK):
        return True
    if by_reader and any(_stands(text, phrase, sentence.start, stop) for phrase in lists.REQUESTS):
        return True
    if by_reader and text[sentence.end : stop + 1].rstrip().endswith("?"):
        asked = text[sentence.end : stop].lstrip(" -*")
        if asked.startswith(lists.QUESTIONS):
            return True
    openings = lists.OFFERS if by_reader else _OWN_OPENINGS
    return any(_offered(text, verb, sentence.start, stop, openings) for verb in _VERBS)


def _offered(text: str, verb: str, start: int, stop: int, openings: tuple[str, ...]) -> bool:
    """Tell whether ``verb`` stands directly behind an opening."""
    at = text.find(verb, start, stop)
    while at >= 0:
        before = text[start:at].rstrip()
        for adverb in _ADVERBS:
            before = before.removesuffix(adverb).rstrip()
        if before.endswith(openings) and is_bounded(text, at, at + len(verb)):
            return openings is lists.OFFERS or not _comes_after(before)
        at = text.find(verb, at + 1, stop)
    return False


def _comes_after(before: str) -> bool:
    """ "Once it runs, I can test the rest": the check needs what the guess says."""
    sentence = max(before.rfind(mark) for mark in (". ", "! ", "; ", "\n")) + 1
    return before[sentence:].lstrip().startswith(("once ", "after ", "when ", "as soon as "))


def _stands(text: str, phrase: str, start: int, stop: int) -> bool:
    at = text.find(phrase, start, stop)
    return at >= 0 and is_bounded(text, at, at + len(phrase))
