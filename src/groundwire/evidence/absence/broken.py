"""Searches that never ran: "test -f x && grep y || echo none" prints "none" for any failure."""

from __future__ import annotations

from groundwire.evidence.message.restated import content_words
from groundwire.evidence.turn.calls import programs, shell_calls
from groundwire.model import UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

_STARTS = ("fatal:", "usage:")
_SIGNS = (
    "command not found", "invalid option", "unrecognized option", "unknown option",
    "not recognized as",
)  # fmt: skip
_SEARCHERS = frozenset("grep egrep fgrep rg ag ack find fd rgrep git".split())
_WORDS_SHARED = 2
_LONGEST_LINE = 100


def broken_search(claim: Claim, facts: Facts) -> Verdict | None:
    """Return what speaks against "there is no X" when an ``echo`` after a failure said so.

    The last shell call whose ``|| echo`` repeats the words of the claim decides; it is broken when
    something before that failed for another reason than an empty search.
    """
    wanted = content_words(claim.text)
    for _, call, text in reversed(list(shell_calls(facts))):
        if "||" not in text or _SEARCHERS.isdisjoint(programs(facts, text)):
            continue
        shown = (call.result or "").lower()
        for command in facts.looks.commands(text):
            if command.connector != "||" or command.argv[:1] != ("echo",):
                continue
            said = " ".join(command.argv[1:]).lower()
            if said not in shown or len(content_words(said) & wanted) < _WORDS_SHARED:
                continue
            line = _failure(shown.partition(said)[0])
            why = f'the search behind it may not have run ("{line}")'
            return Verdict(UNSUPPORTED, why, call.id, text, line) if line else None
    return None


def _failure(text: str) -> str:
    """Return the last line that tells of a failure, or ""."""
    for line in reversed(text.split("\n")):
        if line.startswith(_STARTS) or any(sign in line for sign in _SIGNS):
            return line.strip()[:_LONGEST_LINE]
    return ""
