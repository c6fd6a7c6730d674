"""Commits that a line of text names by their hash."""

from __future__ import annotations

from groundwire.rules.lists import COMMIT_FILLERS, PAST_COMMITS
from groundwire.scan.words import word_before

_COMMIT_WORDS = ("commit", "sha", "revision", "changeset", "hash", "head", "reverted", "pushed")
_HEX = frozenset("0123456789abcdef")
_SHORTEST_HASH, _LONGEST_HASH = 7, 40


def named_commits(original: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return where hashes follow a word such as "commit" in the line ``original[start:end]``.

    "The previous commit abc1234" was there before the turn: it is none of what the turn tells.
    """
    line = original[start:end].replace("\u0130", "i").lower()
    spans = []
    for word in _COMMIT_WORDS:
        at = line.find(word)
        while at >= 0:
            is_past = word_before(line, at)[0] in PAST_COMMITS
            at += len(word)
            for first, last in _tokens(line, at, 4):
                token = line[first:last]
                if is_hash(token) and not is_past:
                    spans.append((start + first, start + last))
                if token not in COMMIT_FILLERS:
                    break
            at = line.find(word, at)
    return spans


def _tokens(text: str, at: int, count: int) -> list[tuple[int, int]]:
    """Return up to ``count`` runs of letters and digits from ``at`` on, near each other."""
    spans: list[tuple[int, int]] = []
    for _ in range(count):
        limit = min(len(text), at + 4)
        while at < limit and not text[at].isalnum():
            if text[at] in ".;!?#\n":
                return spans
            at += 1
        end = at
        while end < min(len(text), at + _LONGEST_HASH + 1) and text[end].isalnum():
            end += 1
        if end == at or text[end : end + 1] in ("-", "_", "/"):
            break
        spans.append((at, end))
        at = end
    return spans


def is_hash(word: str) -> bool:
    """Tell whether ``word`` can be a commit: 7 to 40 hex digits, with a digit and a letter."""
    if not _SHORTEST_HASH <= len(word) <= _LONGEST_HASH or not _HEX.issuperset(word):
        return False
    return not word.isdigit() and not word.isalpha()
