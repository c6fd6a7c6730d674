"""The lines of a turn's page: each tool call with its outcome, and what of its result decides.

A line counts by what it shares with the message (names and numbers more than plain words), by words
of failure, and by standing at the end, where outcomes stand. Used for a judge's digest, never on
the way of a hook that asks none.

Used for the digest of a turn (``digest``).
"""

from __future__ import annotations

import re
from heapq import heapify, heappop, heapreplace

from groundwire.base.record import Record
from groundwire.inputs.outcomes.clean import clean
from groundwire.turn.records import EDIT_TOOLS, FAILED, LOOK, OTHER, SEARCH_TOOLS, UNKNOWN, argument
from groundwire.turn.results import both_ends

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from groundwire.base.model import ToolCall
    from groundwire.turn.records import Run
    from groundwire.turn.timeline import Timeline


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


_ARGUMENT, _TOOL_NAME, _OUTCOMES = 200, 60, 3
_LONGEST_EXCERPT = 2_500
#: Characters at the end of a call's own line.
_END = 4
#: Calls that are shown at most, the characters that each of them needs, and calls at least.
MOST_CALLS, _SPACE, _FEWEST = 60, 200, 4
#: Inputs that say what a tool was asked, in this order.
_ASKED = (
    "command", "file_path", "notebook_path", "pattern", "path", "query", "url", "description",
    "prompt", "subject",
)  # fmt: skip


class CallLine(Record):
    """One tool call: its number (from 1), tool, main argument, outcome, and lines of its result."""

    number: int
    tool: str
    argument: str
    outcome: str
    lines: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The call on one line."""
        asked = f" `{self.argument}`" if self.argument else ""
        return f"#{self.number} {self.tool}{asked} -> {self.outcome}"


def call_lines(
    turn: Timeline,
    tokens: dict[str, float],
    characters: int,
    hide: Callable[[str], str],
    *,
    deciding: bool = True,
) -> tuple[CallLine, ...]:
    """Return the calls that are shown, in order, in about ``characters``.

    ``tokens`` are those of the message. Without ``deciding`` a result is shown by its last lines.
    """
    shown = _shown(turn, min(MOST_CALLS, max(_FEWEST, characters // _SPACE)))
    heads = [_head(turn, at, hide) for at in shown]
    texts = [_text_of(turn.calls[at]) for at in shown]
    left = characters - sum(len(head.title) + _END for head in heads)
    calls = []
    for at, head, text, share in zip(shown, heads, texts, _shares(texts, left), strict=True):
        known = (run.outcome.line for run in turn.runs if run.index == at)
        lines = excerpt(text, tokens, share, known) if deciding else last_lines(text, share)
        calls.append(head.replace(lines=tuple(map(hide, lines))))
    return tuple(calls)


def flat(text: str) -> str:
    """Return ``text`` on one line."""
    return " ".join(text.split())


def _shown(turn: Timeline, most: int) -> list[int]:
    """Return the positions of at most ``most`` calls that are shown, in order.

    Of more, the first quarter and the last half stay, and between them those that decide.
    """
    whole = len(turn.calls)
    if whole <= most:
        return list(range(whole))
    ends = {*range(most // 4), *range(whole - most // 2, whole)}
    telling = {run.index for run in turn.runs if run.outcome.status == FAILED and run.kind != LOOK}
    telling |= {run.index for run in turn.latest if run.kind != LOOK}
    telling |= {at for at, call in enumerate(turn.calls) if call.is_error}
    between = sorted(range(whole), key=lambda at: (at in telling, at))
    kept = [at for at in between if at not in ends]
    return sorted(ends | set(kept[-(most - len(ends)) :]))


def _head(turn: Timeline, at: int, hide: Callable[[str], str]) -> CallLine:
    call = turn.calls[at]
    asked = [value for name in _ASKED if (value := argument(call, name))]
    line = flat(hide(" in ".join(asked[:2] if call.name in SEARCH_TOOLS else asked[:1])))
    shortened = line if len(line) <= _ARGUMENT else f"{line[: _ARGUMENT - 3]}..."
    return CallLine(at + 1, flat(call.name)[:_TOOL_NAME], shortened, _outcome(turn, at))


def _outcome(turn: Timeline, at: int) -> str:
    call = turn.calls[at]
    if call.result is None:
        return "no result"
    runs = [run for run in turn.runs if run.index == at]
    told = [_told(run) for run in runs if run.outcome.status != UNKNOWN and run.kind != LOOK]
    hits = [one.hits for one in turn.searches if one.index == at and one.hits is not None]
    told += [f"{count} lines found" for count in hits[:1]]
    if call.is_error and not any(run.outcome.status == FAILED for run in runs):
        told.append("error")
    if call.background_id or any(run.background for run in runs):
        told.append("in the background")
    distrust = [flat(run.distrust) for run in runs if run.distrust]
    return "; ".join([*told[-_OUTCOMES:], *distrust[:1]]) or _size_told(call)


def _told(run: Run) -> str:
    outcome = run.outcome
    counts = (
        (outcome.passed, "passed"),
        (outcome.failed, "failed"),
        (outcome.errors, "errors"),
        (outcome.skipped, "skipped"),
    )
    known = ", ".join(f"{number} {name}" for number, name in counts if number)
    what = "" if run.kind == OTHER else f"{run.kind} "
    part = " (a part only)" if run.narrow else ""
    return f"{what}{outcome.status}{part}{': ' if known else ''}{known}"


def _size_told(call: ToolCall) -> str:
    if call.name in EDIT_TOOLS:
        before, after = (len(text.splitlines()) for text in (_old_text(call), _new_text(call)))
        return f"done, {after} lines in place of {before}" if before else f"done, {after} lines"
    size = len((call.result or "").strip().splitlines())
    return f"{size} lines" if size else "nothing printed"


def _text_of(call: ToolCall) -> str:
    """Return what a call printed; of an edit that was made, what it wrote."""
    if call.name in EDIT_TOOLS and not call.is_error:
        return _new_text(call)
    return clean(both_ends(call.result or ""))


def _new_text(call: ToolCall) -> str:
    return _edited_text(call, "new_string", "content", "new_source")


def _old_text(call: ToolCall) -> str:
    return _edited_text(call, "old_string")


def _edited_text(call: ToolCall, *names: str) -> str:
    edits = call.input.get("edits")
    if isinstance(edits, list):
        return "\n".join(str(one.get(names[0], "")) for one in edits if isinstance(one, dict))
    return argument(call, *names)


def _shares(texts: Sequence[str], left: int) -> list[int]:
    """Share ``left`` characters among texts, so that what short ones leave goes to long ones."""
    wanted = [min(size_of(text), _LONGEST_EXCERPT) for text in texts]
    shares = [0] * len(texts)
    for done, at in enumerate(sorted(range(len(texts)), key=wanted.__getitem__)):
        fair = left // (len(texts) - done)
        shares[at] = max(0, min(wanted[at], fair))
        left -= shares[at]
    return shares
