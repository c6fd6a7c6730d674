"""What a sentence says that the results show, and no result of a whole turn shows.

Three things are looked for as they stand: a count of what is said to be none, a text quoted as
output, and the name of a commit.
"""

from __future__ import annotations

from groundwire.language.words import EDGES, plain_words
from groundwire.turn.records import GIT, READ_TOOLS, SEARCH_TOOLS, Fact, argument
from groundwire.verdict.claims import NONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.turn.records import Run, Shown
    from groundwire.turn.timeline import Timeline
    from groundwire.verdict.claims import Claim

#: Words of what ends in a commit of this turn.
_COMMITTING = frozenset(
    "amended cherry-picked commit commits committed force-pushed hash merged pushed rebased "
    "reverted squashed tagged".split()
)
_PRINTED = ("print", "ends with", "ended with", "says", "said", "log ", "answer", "returned")
_OUTCOMES = frozenset(
    "success successful successfully succeeded pass passed fail failed failures ok complete "
    "completed total finished errors warnings built generated installed ran".split()
)
_SHORTEST_QUOTE, _SHORTEST_HASH, _LONGEST_HASH = 7, 7, 40
_MOST_COUNTS, _LONGEST_NUMBER = 20, 12
#: Texts that are looked at for counts, the latest ones, and characters at the end of each.
_MOST_TEXTS, _LONGEST_END = 40, 20_000
_LOGS = (".log", ".txt", ".jsonl", ".out")
_JOINED = tuple("/_-.")


def still_wrong(claim: Claim, turn: Timeline, runs: list[Run], message: str) -> Fact | None:
    """Return the result that counts what a sentence says there is none of.

    It is that of the last of the ``runs`` that the sentence tells of; without any, the last one
    that speaks of such things at all. What the ``message`` gives itself is told.
    """
    denied = claim.denied
    if not denied:
        return None
    for shown, lowered in _printed(turn):
        if runs and shown.call_id != runs[-1].call_id:
            continue
        counts = _counts(lowered, denied[0])
        stem = denied[0].removesuffix("s")
        if runs and not counts and any(sign in lowered for sign in (f"{stem}:", f": {stem} ")):
            return Fact(1.0, shown, f"prints a line of {denied[0]}")
        if counts:
            fact = Fact(1.0, shown, f"shows {counts[-1]:.10g} {denied[0]}")
            return fact if counts[-1] and not _gives(message, counts[-1], denied[0]) else None
        if stem in lowered:
            return None
    return None


def _gives(message: str, number: float, noun: str) -> bool:
    """Tell whether a message says itself how many of something there are."""
    words, stem = plain_words(message.lower().replace(",", "")), noun.removesuffix("s")
    return any(
        word == f"{number:.10g}" and any(it.startswith(stem) for it in words[at + 1 : at + 4])
        for at, word in enumerate(words)
    )


def _printed(turn: Timeline) -> Iterator[tuple[Shown, str]]:
    """Yield what commands, tools, agents and logs showed, latest first, each cut to its end."""
    calls = {call.id: call.name for call in turn.calls}
    for shown, _, lowered in turn.texts.sources[:_MOST_TEXTS]:
        name = calls.get(shown.call_id, "")
        is_log = name in READ_TOOLS and shown.command.endswith(_LOGS)
        if is_log or (name not in READ_TOOLS and name not in SEARCH_TOOLS):
            yield shown, lowered[-_LONGEST_END:]


def _counts(text: str, noun: str) -> list[float]:
    """Return the numbers of things in a text: "7 caches", "3 open caches", "Caches: 7"."""
    stem = noun.removesuffix("s")
    counts: list[float] = []
    at = text.find(stem)
    while at >= 0 and len(counts) < _MOST_COUNTS:
        end = at + len(stem)
        end += text[end : end + 1] == "s"
        if not text[at - 1 : at].isalnum() and text[at - 1 : at] not in _JOINED:
            number = _count_at(text, at, end)
            if number is not None:
                counts.append(number)
        at = text.find(stem, end)
    return counts


def _count_at(text: str, start: int, end: int) -> float | None:
    if text[end : end + 1] in (":", "="):
        return _number(text[end + 1 : end + 20].strip().partition(" ")[0].partition("\n")[0])
    if text[end : end + 1].isalnum() or text[end : end + 1] in _JOINED:
        return None
    line = text[max(text.rfind("\n", 0, start) + 1, start - 60) : start]
    words = line.split()[-2:]
    if words[-1:] and words[-1].strip(EDGES) in NONE:
        return 0.0
    number = _number(words[-1]) if words else None
    if number is None and len(words) > 1 and words[-1].isalpha():
        number = _number(words[-2])
    return number


def _number(word: str) -> float | None:
    plain = word.strip(EDGES).replace(",", "")
    return float(plain) if plain.isdigit() and len(plain) < _LONGEST_NUMBER else None


def unseen_output(claim: Claim, turn: Timeline) -> Fact | None:
    """Return the first output that a sentence quotes and no text of a whole turn has."""
    if not turn.calls or turn.partial or turn.others or "`" not in claim.text:
        return None
    said = any(word in claim.masked for word in _PRINTED)
    for code in claim.text.split("`")[1::2]:
        words = plain_words(code.lower())
        is_long = " " in code and len(code) >= _SHORTEST_QUOTE
        is_output = (said and any(map(str.isdigit, code))) or not _OUTCOMES.isdisjoint(words)
        is_quoted = is_long and is_output and turn.texts.whole  # which reads all results
        if is_quoted and not _has(code, turn) and not _runs_it(code, turn):
            return Fact(1.0, None, f'no result has "{code[:60]}"')
    return None


def unseen_commit(claim: Claim, turn: Timeline) -> Fact | None:
    """Return the first name of a commit that nobody shows in a turn that works with git."""
    if turn.partial or turn.others or not any(run.kind == GIT for run in turn.runs):
        return None
    if _COMMITTING.isdisjoint(claim.words):
        return None
    for code in claim.text.split("`")[1::2]:
        for name in code.replace("...", " ").replace("..", " ").split()[:3]:
            if _is_hash(name) and not _knows(name[:_SHORTEST_HASH], turn):
                return Fact(1.0, None, f"no result has the commit {name[:_LONGEST_HASH]}")
    return None


def _is_hash(name: str) -> bool:
    digits = sum(map(str.isdigit, name))
    is_long = _SHORTEST_HASH <= len(name) <= _LONGEST_HASH
    return is_long and 0 < digits < len(name) and all(c in "0123456789abcdef" for c in name)


def _knows(name: str, turn: Timeline) -> bool:
    """Tell whether a short name stands in a result, in what was told, or in an input."""
    if any(name in lowered for _, _, lowered in turn.texts.sources):
        return True
    inputs = (str(value) for call in turn.calls for value in call.input.values())
    return any(name in text for text in (*turn.texts.told, *inputs))


def _has(text: str, turn: Timeline) -> bool:
    """Tell whether a text stands in what the turn was told, returned or wrote itself.

    Writers shorten what they quote: all of its words in one result are enough.
    """
    plain = " ".join(text.lower().split())
    words = frozenset(plain_words(plain)) - {""}
    for _, _, shown in turn.texts.sources:
        if all(word in shown for word in words):
            whole = " ".join(shown.split())
            if plain in whole or words.issubset(plain_words(whole)):
                return True
    if any(text in told for told in turn.texts.told):
        return True
    return any(text in str(value) for call in turn.calls for value in call.input.values())


def _runs_it(code: str, turn: Timeline) -> bool:
    first = code.split(maxsplit=1)[0]
    return any(first in argument(call, "command").split() for call in turn.calls)
