"""A digest of the turn: what a reader, or a language model, needs to check the message.

The prompt, one entry for each tool call with its outcome and the lines that decide, what is still
open, and the message as numbered statements. It fits a budget of characters, and says what it left
out. Pure, deterministic and linear; nothing of it is on the way of a hook that asks no judge.
"""

from __future__ import annotations

from groundwire.base.model import QUALIFIED
from groundwire.base.record import Record
from groundwire.language.secrets import masked
from groundwire.turn.page_lines import CallLine, call_lines, flat, weighed_tokens
from groundwire.turn.records import FAILED, PASSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from groundwire.base.model import Match
    from groundwire.language.find import Findings
    from groundwire.turn.session import Digest
    from groundwire.turn.timeline import Timeline

#: Characters of a digest, and of its parts.
BUDGET = 24_000
_PROMPT, _STATEMENT, _NOTE, _LINE, _AROUND = 1_500, 700, 90, 120, 15
#: Part of the budget that the message may take.
_MESSAGE_SHARE = 0.45
_MOST_LISTED = 12
_ROLES = {"heading": "# ", "head": "# ", "item": "- ", "row": "| "}


class Statement(Record):
    """One sentence of the message; ``start`` and ``end`` are offsets in it.

    ``marked``: groundwire's words stand in it. ``note`` is what the turn says of it, in few words.
    """

    number: int
    start: int
    end: int
    text: str
    marked: bool = False
    note: str = ""
    role: str = "text"


class TurnDigest(Record):
    """What is shown of one turn. ``cut`` names what was left out."""

    prompt: str
    earlier: tuple[str, ...]
    calls: tuple[CallLine, ...]
    all_calls: int
    todos: tuple[str, ...]
    failing: tuple[str, ...]
    edited: tuple[str, ...]
    statements: tuple[Statement, ...]
    cut: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The digest as plain text; what tools and people wrote never begins a line."""
        return "\n".join(_lines(self))

    @property
    def lists(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What is open at the end of the turn, each list with its title, none of them empty."""
        lists = (
            ("To-do list at the end", self.todos),
            ("Failed and not made good", self.failing),
            ("Edited after the last run with an outcome", self.edited),
        )
        return tuple((title, lines) for title, lines in lists if lines)


def digest_of(  # noqa: PLR0913 - the parts of a turn, and what of them is shown
    findings: Findings,
    matches: Sequence[Match],
    turn: Timeline | None,
    prompt: str = "",
    earlier: Digest | None = None,
    *,
    characters: int = BUDGET,
    notes: bool = True,
    deciding: bool = True,
    redact: bool = True,
) -> TurnDigest:
    """Return the digest of a turn and its message in about ``characters``.

    ``matches`` are those of the analysis of ``findings``. Without ``notes`` statements carry no
    marks and no words on what the turn says; without ``deciding`` each result is shown by its last
    three lines. ``redact`` masks what looks like a secret.
    """
    hide: Callable[[str], str] = masked if redact else str
    said = _statements(findings, matches if notes else (), int(characters * _MESSAGE_SHARE), hide)
    digest = TurnDigest(
        flat(hide(prompt[:_PROMPT])),
        _earlier(earlier, hide),
        (),
        len(turn.calls) if turn else 0,
        _todos(turn, hide),
        _failing(turn, hide),
        _edited(turn),
        said,
    )
    if turn:
        tokens = weighed_tokens(findings.folded.original)
        left = characters - len(digest.text) - _LINE  # for what is said to be left out
        digest = digest.replace(calls=call_lines(turn, tokens, left, hide, deciding=deciding))
    cut = (
        (len(prompt) - _PROMPT, "characters of the prompt"),
        (turn.partial if turn else 0, "beginning of the turn"),
        (digest.all_calls - len(digest.calls), "tool calls"),
        (len(findings.sentences) - len(said), "statements at the end of the message"),
    )
    return digest.replace(cut=tuple(f"{int(size)} {what}" for size, what in cut if size > 0))


def _statements(
    findings: Findings, matches: Iterable[Match], most: int, hide: Callable[[str], str]
) -> tuple[Statement, ...]:
    by_sentence: dict[tuple[int, int], list[Match]] = {}
    for match in matches:
        by_sentence.setdefault(match.sentence, []).append(match)
    statements: list[Statement] = []
    for number, sentence in enumerate(findings.sentences, 1):
        start, end = findings.folded.span(sentence.start, sentence.end)
        own = by_sentence.get((start, end), [])
        text = flat(hide(findings.folded.original[start:end]))[:_STATEMENT]
        note = flat(hide(_note(own)))[:_NOTE]
        most -= len(text) + len(note) + _AROUND
        if most < 0:
            break
        statements.append(Statement(number, start, end, text, bool(own), note, sentence.role))
    return tuple(statements)


def _note(matches: Sequence[Match]) -> str:
    """Return what the turn says of a sentence, when more than its words speak."""
    verdicts = (match.verdict for match in matches if match.verdict)
    telling = (one for one in verdicts if one.call_id or one.status != QUALIFIED)
    return next((f"{one.status}: {one.why}" for one in telling), "")


def _earlier(digest: Digest | None, hide: Callable[[str], str]) -> tuple[str, ...]:
    """Return what is known of the turns before: their last runs, and the files they edited."""
    if digest is None:
        return ()
    lines = [
        flat(hide(f"{run.command} -> {run.status}"))
        + (f", then {', '.join(run.edited)} edited" if run.edited else "")
        for run in digest.runs[-_MOST_LISTED:]
    ]
    files = [flat(path)[:_LINE] for path in digest.edited[-_MOST_LISTED:]]
    if files:
        lines.append(f"edited: {', '.join(files)}")
    if digest.used:
        lines.append("what else earlier turns did is not shown here")
    return tuple(lines)


def _todos(turn: Timeline | None, hide: Callable[[str], str]) -> tuple[str, ...]:
    if turn is None:
        return ()
    done = (f"{turn.done_todos} done",) if turn.done_todos else ()
    return (*done, *(f"open: {flat(hide(one))[:_LINE]}" for one in turn.open_todos[:_MOST_LISTED]))


def _failing(turn: Timeline | None, hide: Callable[[str], str]) -> tuple[str, ...]:
    runs = turn.failures[-_MOST_LISTED:] if turn else ()
    return tuple(f"#{run.index + 1} {flat(hide(run.command))[:_LINE]}" for run in runs)


def _edited(turn: Timeline | None) -> tuple[str, ...]:
    """Return the source files that were edited after the last run that passed or failed."""
    if turn is None:
        return ()
    known = (run.index for run in turn.runs if run.outcome.status in (PASSED, FAILED))
    last = max(known, default=-1)
    late = (one.path for one in turn.edits if one.is_source and one.index > last)
    return tuple(dict.fromkeys(flat(path)[:_LINE] for path in late))[:_MOST_LISTED]


def _lines(digest: TurnDigest) -> Iterator[str]:
    yield "PROMPT"
    yield f"  {digest.prompt or '(not known)'}"
    if digest.earlier:
        yield "\nKNOWN OF EARLIER TURNS"
        yield from (f"  {line}" for line in digest.earlier)
    yield f"\nTOOL CALLS ({digest.all_calls} in this turn, {len(digest.calls)} shown)"
    for call in digest.calls:
        yield call.title
        yield from (f"  | {line}" for line in call.lines)
    for title, lines in digest.lists:
        yield f"\n{title.upper()}"
        yield from (f"  {line}" for line in lines)
    yield "\nFINAL MESSAGE, ITS STATEMENTS NUMBERED"
    for one in digest.statements:
        star, note = "*" if one.marked else "", f"  {{{one.note}}}" if one.note else ""
        yield f"[{one.number}]{star} {_ROLES.get(one.role, '')}{one.text}{note}"
    if digest.cut:
        yield f"\nLEFT OUT: {'; '.join(digest.cut)}"
