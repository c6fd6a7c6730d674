"""Each tool call of a turn as one line with its outcome, and the lines of its result that decide.

Used for the digest of a turn (``digest``).
"""

from __future__ import annotations

from groundwire.evidence.records import (
    EDIT_TOOLS,
    FAILED,
    LOOK,
    OTHER,
    SEARCH_TOOLS,
    UNKNOWN,
    argument,
)
from groundwire.evidence.results import both_ends
from groundwire.outcomes.clean import clean
from groundwire.record import Record
from groundwire.turn_page.excerpt import excerpt, last_lines, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundwire.evidence.records import Run
    from groundwire.evidence.timeline import Timeline
    from groundwire.model import ToolCall

_ARGUMENT, _NAME, _OUTCOMES = 200, 60, 3
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
    return CallLine(at + 1, flat(call.name)[:_NAME], shortened, _outcome(turn, at))


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
