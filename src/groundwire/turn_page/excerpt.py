"""The lines of a tool's result that decide something about a message.

A line counts by what it shares with the message (names and numbers more than plain words), by words
of failure, and by standing at the end, where outcomes stand. Used for a judge's digest, never on
the way of a hook that asks none.
"""

from __future__ import annotations

import re
from heapq import heapify, heappop, heapreplace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Lines of one result that are looked at, half of them at its end.
_MOST_LINES = 2_000
_LONGEST_LINE, _LONGEST_READ = 220, 2_000
_LAST = 3
_TOKEN = re.compile(r"[A-Za-z_][\w.-]*\w|\d+(?:[.,]\d+)*")
#: Words of a line that tells of a failure or a doubt, and of one that sums up.
_TROUBLE = re.compile(
    r"\b(?:error|errors|fail(?:s|ed|ure|ures|ing)?|fatal|panic|exception|traceback|denied|refused|"
    r"warning|skipped|missing|cannot|unable|not found|timed? ?out|aborted|killed|no such)\b",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    r"\b(?:passed|passing|total|succe\w+|ok|done|found|changed|files?|tests?|exit)\b", re.IGNORECASE
)
#: Characters of a plain word that is rare enough to tell lines apart.
_TELLING_WORD = 6
_NAME, _NUMBER, _WORD = 2.0, 1.5, 0.5
_DECIDES, _FAILS, _SUMS_UP, _ENDS = 12.0, 2.0, 0.7, 1.5
_MOST_SHARED = 8.0
#: Stands for lines that were left out.
GAP = "[...]"
#: Characters that a line costs beside its own: how it is set off, and the gap that may follow.
_AROUND = 10


def weighed_tokens(message: str) -> dict[str, float]:
    """Return the tokens of ``message`` by which its sources are known, in small letters."""
    return {word.lower(): weight for word in _TOKEN.findall(message) if (weight := _weight(word))}


def excerpt(
    result: str, tokens: dict[str, float], limit: int, deciding: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return lines of ``result``, in order, in at most ``limit`` characters.

    ``tokens`` are those of the message, ``deciding`` lines that are known to say the outcome; they
    come first when not all fit. A token counts half each time that it was shown, so that lines with
    something new go before more of the same. Lines that stand twice are shown once; a gap between
    two lines is a line of its own.
    """
    lines = list(dict.fromkeys(line for line in map(str.rstrip, result.split("\n")) if line))
    if len(lines) > _MOST_LINES:
        lines = lines[: _MOST_LINES // 2] + lines[-_MOST_LINES // 2 :]
    known = {line.strip() for line in deciding if line.strip()}
    worth = dict(tokens)
    plain = [
        _plain_score(line, known, ends=at >= len(lines) - _LAST) for at, line in _numbered(lines)
    ]
    words = [_words(line) for line in lines]
    heap = [(-plain[at] - _shared(words[at], worth), -at) for at in range(len(lines))]
    heapify(heap)
    kept: dict[int, str] = {}
    while heap:
        score, at = heap[0][0], -heap[0][1]
        now = -plain[at] - _shared(words[at], worth)
        if now > score:  # what it shares was shown by others meanwhile
            heapreplace(heap, (now, -at))
            continue
        heappop(heap)
        line = _cut(lines[at], tokens, _LONGEST_LINE)
        limit -= len(line) + _AROUND
        if limit < 0:
            break
        kept[at] = line
        for word in words[at]:
            if word in worth:
                worth[word] /= 2
    return tuple(_with_gaps(kept, len(lines)))


def size_of(result: str) -> int:
    """Return the characters that all of ``result`` would take as an excerpt."""
    return len(result) + _AROUND * (result.count("\n") + 1) if result.strip() else 0


def last_lines(result: str, limit: int) -> tuple[str, ...]:
    """Return the last three lines of ``result``, whatever they say, in ``limit`` characters."""
    lines = [line.rstrip() for line in result.split("\n") if line.strip()]
    share = max(1, limit // _LAST)
    return tuple(line[:share] for line in lines[-_LAST:])


def _weight(word: str) -> float:
    if word[0].isdigit():
        return _NUMBER if len(word) > 1 else 0.0
    inner = word[1:]
    is_name = any(sign in inner for sign in "._-") or inner.upper() != inner != inner.lower()
    if is_name or any(map(str.isdigit, word)):
        return _NAME
    return _WORD if len(word) >= _TELLING_WORD else 0.0


def _numbered(lines: list[str]) -> Iterator[tuple[int, str]]:
    return ((at, line[:_LONGEST_READ]) for at, line in enumerate(lines))


def _words(line: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _TOKEN.findall(line[:_LONGEST_READ]))


def _shared(words: frozenset[str], worth: dict[str, float]) -> float:
    return min(_MOST_SHARED, sum(worth.get(word, 0.0) for word in words))


def _plain_score(line: str, known: set[str], *, ends: bool) -> float:
    """Return what a line is worth whatever the message says."""
    return (
        _DECIDES * (line.strip() in known)
        + _FAILS * bool(_TROUBLE.search(line))
        + _SUMS_UP * bool(_SUMMARY.search(line))
        + _ENDS * ends
    )


def _cut(line: str, tokens: dict[str, float], limit: int) -> str:
    """Return a long line around the first token that the message has."""
    line = line.expandtabs(2)
    if len(line) <= limit:
        return line
    spots = (one.start() for one in _TOKEN.finditer(line[:20_000]) if one[0].lower() in tokens)
    start = max(0, min(next(spots, 0) - limit // 3, len(line) - limit + 6))
    head = "..." if start else ""
    return f"{head}{line[start : start + limit - 6].strip()}..."


def _with_gaps(kept: dict[int, str], whole: int) -> Iterator[str]:
    before = -1
    for at in sorted(kept):
        if at > before + 1:
            yield GAP
        yield kept[at]
        before = at
    if kept and before < whole - 1:
        yield GAP
