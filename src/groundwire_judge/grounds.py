"""Whether what a judge says of a statement has grounds in the session. Pure.

A judge either copies words from the entry of a call (or from the prompt, or another statement), or
names the kind of evidence that is missing. The first is looked up in what it was shown; the second
in all that the session did, earlier turns and calls that the digest left out among it. What has no
grounds is dropped, with the reason, so a weak judge finds less and accuses no more.
"""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.runs.digest import EDIT, READ, RUN, SEARCH, SOURCE
from groundwire.turn.page_lines import GAP, weighed_tokens
from groundwire.turn.records import (
    EDIT_TOOLS,
    PASSED,
    READ_TOOLS,
    SEARCH_TOOLS,
    SHELL_TOOLS,
    argument,
)
from groundwire_judge.injection import injected, injects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundwire.base.model import ToolCall
    from groundwire.base.settings import Settings
    from groundwire.language.fold import Sentence
    from groundwire.turn.page import Statement, TurnDigest
    from groundwire.turn.session import PastRun
    from groundwire.turn.timeline import Timeline
    from groundwire_judge.answer import Answer, Said

#: Of findings without a ground, the log keeps those from here on; the prompt asks to stay below.
LEAST = 50
#: Letters and digits of the shortest quotation, unless it is a number.
_SHORTEST = 3
_LONGEST_INPUT = 4_000
#: Weight of a token that names something, or counts it, as ``weighed_tokens`` gives it.
_NAMES = 1.5
_INPUTS = ("command", "file_path", "notebook_path", "path", "pattern", "url", "query", "prompt")
#: Words by which a statement speaks of a kind of run.
_SPEAKS_OF = {
    "test": ("test", "spec", "suite"),
    "build": ("build", "built", "compil"),
    "lint": ("lint", "clippy", "warning"),
    "types": ("type", "tsc", "mypy"),
}
_DISCLOSES = "cue.disclosure"

NO_GROUND = "it names neither words of a call nor what is missing"
NOT_THERE = "the words that it copied do not stand there"
INJECTED = "the words that it copied speak to reviewers"
DISBELIEVED = "the turn holds text that speaks to reviewers"
DISCLOSED = "the sentence says so itself"
ELSEWHERE = "an earlier turn, a call that the digest left out, or a run of this turn shows it"
UNKNOWN_BEFORE = "not all of the session is known"
SAME_POINT = "another finding makes the same point"
ASKED_FOR = "the user asked for a guess"
SWITCHED_OFF = "its kind is switched off"
ALLOWED = "its words are allowed"


class Around(Record):
    """What the session did outside of what the judge was shown.

    ``calls`` are those of earlier turns, and of this one those that the digest left out; ``runs``
    are the last outcomes of earlier turns. ``known``: the session was seen from its beginning.
    """

    calls: tuple[ToolCall, ...] = ()
    runs: tuple[PastRun, ...] = ()
    known: bool = True


class Finding(Record):
    """What a judge says of one statement; ``start`` and ``end`` are offsets in the message.

    ``dropped`` says why it does not count, "" when it does.
    """

    said: Said
    start: int
    end: int
    text: str
    dropped: str = ""


def findings_of(
    answer: Answer,
    digest: TurnDigest,
    sentences: Sequence[Sentence],
    turn: Timeline | None,
    around: Around,
) -> tuple[Finding, ...]:
    """Return what ``answer`` challenges from ``LEAST`` on, the most probable first.

    ``sentences`` are those of the message, which the statements of ``digest`` number from 1.
    """
    injection = injected(digest)
    by_number = {one.number: one for one in digest.statements}
    findings: list[Finding] = []
    points: set[tuple[int, str, str]] = set()
    for said in sorted(answer.said, key=lambda one: (-one.probability, one.number)):
        statement = by_number.get(said.number)
        if statement is None or said.probability < LEAST:
            continue
        dropped = _why_dropped(said, statement, digest, turn, around)
        if not dropped and _discloses(said, sentences):
            dropped = DISCLOSED
        if not dropped and injection.elsewhere and not said.quote:
            dropped = DISBELIEVED
        point = (said.call if said.quote else 0, plain(said.quote), said.missing)
        if not dropped and point in points:
            dropped = SAME_POINT
        if not dropped:
            points.add(point)
        findings.append(Finding(said, statement.start, statement.end, statement.text, dropped))
    return tuple(findings)


def without_unwanted(
    findings: Iterable[Finding], settings: Settings, *, asks_opinion: bool
) -> Iterator[Finding]:
    """Drop what the user asked for, switched off, or allows by a phrase."""
    phrases = [plain(one.phrase).lower() for one in settings.allow if one.phrase]
    for one in findings:
        text = plain(one.text).lower()
        if one.dropped:
            yield one
        elif asks_opinion and one.said.kind == "speculation_language":
            yield one.replace(dropped=ASKED_FOR)
        elif one.said.kind in settings.kinds_off:
            yield one.replace(dropped=SWITCHED_OFF)
        elif any(phrase in text for phrase in phrases):
            yield one.replace(dropped=ALLOWED)
        else:
            yield one


def around_of(digest: TurnDigest, turn: Timeline | None, calls: Sequence[ToolCall]) -> Around:
    """Return what is around a turn of which nothing earlier is to be known, with its ``calls``."""
    shown = {one.number for one in digest.calls}
    hidden = [call for number, call in enumerate(calls, 1) if number not in shown]
    return Around(tuple(hidden), known=not (turn and turn.partial))


def plain(text: str) -> str:
    """Return ``text`` with single blanks, as it is compared."""
    return " ".join(text.split())


def _why_dropped(
    said: Said, statement: Statement, digest: TurnDigest, turn: Timeline | None, around: Around
) -> str:
    parts = _parts(said.quote)
    lines = [plain(one).lower() for one in _lines_at(said, statement, digest)]
    whole = " ".join(lines)
    if not parts or not all(part in whole for part in parts):
        return (
            _why_not_missing(said, statement, turn, around)
            if said.missing
            else (NOT_THERE if said.quote else NO_GROUND)
        )
    cited = [line for line in lines if any(part in line for part in parts)]
    return INJECTED if any(map(injects, (*cited, said.quote))) else ""


def _lines_at(said: Said, statement: Statement, digest: TurnDigest) -> list[str]:
    """Return the lines of the entry that a quotation is said to come from."""
    listed = [line for _, lines in digest.lists for line in lines]
    if said.call:
        call = next((one for one in digest.calls if one.number == said.call), None)
        own = [call.title, *call.lines] if call else []
        return own + [line for line in listed if line.startswith(f"#{said.call} ")]
    others = (one.text for one in digest.statements if one.number != statement.number)
    return [digest.prompt, *digest.earlier, *others, *listed]


def _parts(quote: str) -> list[str]:
    """Return the parts of a quotation between gaps, as they are compared."""
    parts = (part for piece in quote.split(GAP) for part in piece.split("..."))
    plain_parts = (plain(part).strip("\"'` |").lower() for part in parts)
    return [part for part in plain_parts if _is_telling(part)]


def _is_telling(part: str) -> bool:
    signs = [sign for sign in part if sign.isalnum()]
    return len(signs) >= _SHORTEST or (bool(signs) and all(map(str.isdigit, signs)))


def _discloses(said: Said, sentences: Sequence[Sentence]) -> bool:
    """Tell whether a sentence said to lack something says itself that it was not checked."""
    if not said.missing or said.quote or not 0 < said.number <= len(sentences):
        return False
    return any(cue.marker.id == _DISCLOSES for cue in sentences[said.number - 1].cues)


def _why_not_missing(
    said: Said, statement: Statement, turn: Timeline | None, around: Around
) -> str:
    """Return why what is said to be missing is not, or cannot be told to be; "" when it is."""
    if not around.known:
        return UNKNOWN_BEFORE
    if said.missing == RUN and turn and _ran_fresh(statement, turn):
        return ELSEWHERE
    if said.missing == RUN and _ran_before(statement, turn, around):
        return ELSEWHERE
    names = [
        word
        for word, weight in weighed_tokens(statement.text).items()
        if weight >= _NAMES and any(map(str.isalpha, word))
    ]
    texts = (text for call in around.calls for text in _texts_for(said.missing, call))
    return ELSEWHERE if any(name in text for text in texts for name in names) else ""


def _ran_fresh(statement: Statement, turn: Timeline) -> bool:
    """Tell whether a check that the statement speaks of passed, whole and after the last edit."""
    text = statement.text.lower()
    kinds = [kind for kind, words in _SPEAKS_OF.items() if any(word in text for word in words)]
    return any(not run.narrow and not run.distrust for run in turn.fresh(*kinds))


def _ran_before(statement: Statement, turn: Timeline | None, around: Around) -> bool:
    """Tell whether a check that the statement speaks of passed earlier, with no edit since."""
    if turn is not None and turn.last_edit >= 0:
        return False
    text = statement.text.lower()
    return any(
        run.status == PASSED and not run.edited
        for run in around.runs
        if any(word in text for word in _SPEAKS_OF.get(run.kind, ()))
    )


def _texts_for(missing: str, call: ToolCall) -> Iterator[str]:
    """Yield what a call says for a kind of evidence, in small letters; nothing for other kinds."""
    shell = call.name in SHELL_TOOLS
    fits = {
        RUN: shell,
        SEARCH: shell or call.name in SEARCH_TOOLS,
        EDIT: shell or call.name in EDIT_TOOLS,
        READ: shell or call.name in READ_TOOLS | SEARCH_TOOLS,
        SOURCE: False,  # what a result may say of it takes more than a look for its words
    }
    if fits[missing] and not call.is_error:
        yield from (argument(call, name)[:_LONGEST_INPUT].lower() for name in _INPUTS)
