"""Whether any text of a turn has a trace of the kind of cause that a sentence states."""

from __future__ import annotations

from itertools import pairwise

from groundwire.evidence.cause.mechanisms import named_in
from groundwire.evidence.ledger import SHELL_TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.message.wording import Wording
    from groundwire.evidence.turn.facts import Facts

#: Tools whose result only gives back what the model asked or wrote.
_ECHOES = frozenset(("AskUserQuestion", "TodoWrite", "ExitPlanMode"))
#: Tools whose input tells what was looked for, tried or changed.
_OWN = frozenset((*SHELL_TOOLS, "Edit", "MultiEdit", "Write", "NotebookEdit", "Grep", "Read"))
#: What ends the part of a sentence that states the cause, and what begins it.
_ENDS = ("; ", ", so ", ", and ", ", which ", ", but ", " - ", " \u2014 ", " \u2013 ", ". ", "\n")
_BEGINS = ("; ", ", and ", " - ", " \u2014 ", " \u2013 ", ". ", "\n")


#: How a log of a session tells of a result that it does not hold.
_SHOWN_ELSEWHERE = ("Read ", "Found ", "Listed ")
_LONGEST_NOTE = 40
#: Last words of markers behind which the cause stands.
_BEFORE_CAUSE = frozenset("because of to by".split())
_BEFORE_STATUS = frozenset("returning returned returns http status answering answered".split())


def is_complete(facts: Facts) -> bool:
    """Tell whether all that the tools returned is there; a tool that says nothing hides it."""
    return (
        facts.seen.whole
        and not any(
            _is_note(facts.calls[source.index].result or "") for source in facts.seen.sources
        )
        and all((facts.calls[index].result or "").strip() for index in facts.actions.opaque)
    )


def _is_note(text: str) -> bool:
    """ "Read 236 lines" stands for the lines themselves."""
    is_short = len(text) <= _LONGEST_NOTE and "\n" not in text
    return is_short and text.startswith(_SHOWN_ELSEWHERE) and any(map(str.isdigit, text))


def untraced(claim: Claim, facts: Facts) -> str:
    """Return the kind of cause that ``claim`` names and nothing in the turn shows; "" otherwise."""
    wording = claim.wording
    if wording is None:
        return ""
    for mechanism in named_in(stated(wording)):
        if not has_sign(texts_of(facts), mechanism.signs):
            return mechanism.name
    for status in _statuses(wording.masked.lower()):
        if not any(_has_status(status, text) for text in texts_of(facts)):
            return f"a status {status}"
    return ""


def _statuses(text: str) -> list[str]:
    """Return the codes in "was returning 4xx", "with HTTP 503"."""
    words = [word.strip(".,:;!()*") for word in text.split()]
    return [
        word
        for before, word in pairwise(words)
        if before in _BEFORE_STATUS and len(word) == 3 and word[0] in "45"
        if word[1:] == "xx" or word.isdigit()
    ]


def _has_status(status: str, text: str) -> bool:
    """Tell whether a code stands in ``text`` as a whole: 404 for 404, 4xx and 4XX."""
    first = status[0] if status.endswith("xx") else status
    at = text.find(first)
    while at >= 0:
        code = text[at : at + 3]
        is_whole = not (text[at - 1 : at].isalnum() or text[at + 3 : at + 4].isalnum())
        if is_whole and (code == status or (code.isdigit() and len(code) == 3)):
            return True
        at = text.find(first, at + 1)
    return False


def is_printed(wording: Wording, facts: Facts) -> bool:
    """Tell whether results have a trace of each kind of cause that the sentence names."""
    named = list(named_in(stated(wording)))
    return bool(named) and all(has_sign(results_of(facts), one.signs) for one in named)


def has_sign(texts: Iterable[str], signs: Sequence[str]) -> bool:
    """Tell whether one of the lower-case ``signs`` stands in one of the ``texts``."""
    return any(sign in text for text in texts for sign in signs)


def stands_ahead(wording: Wording) -> bool:
    """Tell whether the cause stands behind the words of the claim, as after "because"."""
    said = wording.masked[wording.start : wording.end].lower().split()
    return bool(said) and said[-1] in _BEFORE_CAUSE


def stated(wording: Wording) -> str:
    """Return the lower-case part of the sentence that states the cause, without code."""
    text = wording.masked.lower()
    before, behind = text[: wording.end], text[wording.end :]
    if stands_ahead(wording):
        before = ""  # what was caused
    begin = max((at + len(mark) for mark in _BEGINS if (at := before.rfind(mark)) >= 0), default=0)
    if behind.lstrip(" *").startswith(":"):  # a label: what follows states the cause
        behind = behind.replace("\n", " ")
    end = min((at for mark in _ENDS if (at := behind.find(mark)) >= 0), default=len(behind))
    return before[begin:] + behind[:end]


def results_of(facts: Facts) -> Iterator[str]:
    """Yield what the tools returned, in lower case."""
    for source, text in zip(facts.seen.sources, facts.seen.lowered, strict=True):
        if facts.calls[source.index].name not in _ECHOES:
            yield text


def texts_of(facts: Facts) -> Iterator[str]:
    """Yield what the turn was told, saw, ran, searched for or edited, in lower case."""
    for told in facts.seen.told:
        yield told.lower()
    yield from results_of(facts)
    for call in facts.calls:
        if call.name in _OWN:
            yield "\n".join(map(str, call.input.values())).lower()
