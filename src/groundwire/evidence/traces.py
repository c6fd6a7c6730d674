"""Whether any text of a turn has a trace of the kind of cause that a sentence states."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.mechanisms import named_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.claims import Claim
    from groundwire.evidence.facts import Facts
    from groundwire.evidence.wording import Wording

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
        if not any(sign in text for text in _texts(facts) for sign in mechanism.signs):
            return mechanism.name
    return ""


def stated(wording: Wording) -> str:
    """Return the lower-case part of the sentence around the claim, without code."""
    text = wording.masked.lower()
    before, behind = text[: wording.start], text[wording.end :]
    begin = max((at + len(mark) for mark in _BEGINS if (at := before.rfind(mark)) >= 0), default=0)
    if behind.lstrip(" *").startswith(":"):  # a label: what follows states the cause
        behind = behind.replace("\n", " ")
    end = min((at for mark in _ENDS if (at := behind.find(mark)) >= 0), default=len(behind))
    return before[begin:] + text[wording.start : wording.end] + behind[:end]


def _texts(facts: Facts) -> Iterator[str]:
    """Yield what the turn was told, saw, ran, searched for or edited, in lower case."""
    for told in facts.seen.told:
        yield told.lower()
    for source in facts.seen.sources:
        if facts.calls[source.index].name not in _ECHOES:
            yield source.text.lower()
    for call in facts.calls:
        if call.name in _OWN:
            yield "\n".join(map(str, call.input.values())).lower()
