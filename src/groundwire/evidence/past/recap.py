"""Turns in which the user only asks what was done before: their message tells of earlier turns."""

from __future__ import annotations

from groundwire.evidence.message.claims import DEPLOYED, GIT, Claim
from groundwire.evidence.pointing import RUN_KINDS
from groundwire.evidence.runs.model import GIT as GIT_RUN
from groundwire.model import EARLIER, QUALIFIED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.past.session import Digest
    from groundwire.evidence.turn.facts import Facts

#: Words of a prompt that asks for a text about what was done.
_ASKED = frozenset(
    "changelog handoff handover hand-off hand-over overview progress recap recapitulate report "
    "retrospective standup stand-up status summaries summarise summarize summary".split()
)
_ASKED_TOGETHER = (
    "commit message",
    "release notes",
    "pr description",
    "pr text",
    "pull request description",
    "pr body",
    "wrap up",
    "wrap-up",
    "where are we",
    "where do we stand",
    "what is left",
    "what's left",
    "what remains",
)
#: Words that ask for what was done when "what" stands before them.
_DONE = frozenset(
    "accomplish accomplished achieved built change changed complete completed did do done finish "
    "finished fixed implemented learned shipped".split()
)
_PAST = frozenset("did has have was were you've we've".split())
_REACH = 6
#: Words that ask for more than a text, at the beginning of an order.
_ORDERS = frozenset(
    "build check deploy execute fix implement push rerun re-run run test verify".split()
)
_BEFORE_ORDER = frozenset("also and first now please then you".split())
_LONGEST_PROMPT = 4_000
#: Git commands with which a turn only looks.
_LOOKS = ("git status", "git log", "git diff")
#: Claims that a check or a command of an earlier turn can carry; praise of the whole work is none.
_OF_WORK = frozenset((*RUN_KINDS, *GIT, "fixed", "works", "verified", "made", "done", DEPLOYED))
_TOLD = Verdict(EARLIER, "it was asked what was done, and this turn did nothing itself")


def recap_verdict(claim: Claim, facts: Facts, digest: Digest | None) -> Verdict | None:
    """Return ``earlier`` for a claim about the work in a turn that only tells of it.

    The prompt asks for that, and the turn changed no source file and ran nothing. Of a session
    that is known from its beginning the digest has said what there is.
    """
    if claim.sort not in _OF_WORK or facts.changes or facts.others_looked:
        return None
    if any(run.kind != GIT_RUN or run.tool not in _LOOKS for run in facts.runs):
        return None
    if digest is not None and digest.whole and not (digest.runs or digest.edited):
        return None
    if digest is not None and digest.whole and (claim.sort in RUN_KINDS or claim.sort in GIT):
        return None
    return _TOLD if asks_back(facts.seen.told[0]) else None


def lacks(found: Verdict | None) -> bool:
    """Tell whether only the missing of a check in this turn speaks against a claim."""
    return found is not None and found.status in (UNSUPPORTED, QUALIFIED) and not found.call_id


def asks_back(prompt: str) -> bool:
    """Tell whether a prompt asks for a summary, a status or a text about what was done."""
    text = " ".join(prompt[:_LONGEST_PROMPT].lower().replace("\u2019", "'").split())
    if _orders_work(text.split()):
        return False
    if any(words in text for words in _ASKED_TOGETHER):
        return True
    words = [word.strip(".,:;!?*`()\"'") for word in text.split()]
    if not _ASKED.isdisjoint(words):
        return True
    for place, word in enumerate(words):
        behind = words[place + 1 : place + 1 + _REACH]
        if word == "what" and not (_PAST.isdisjoint(behind) or _DONE.isdisjoint(behind)):
            return True
    return False


def _orders_work(words: list[str]) -> bool:
    """Tell whether a prompt asks to run, build or fix something as well."""
    before = "."
    for word in words:
        is_first = before[-1] in ".,:;!?-" or before in _BEFORE_ORDER
        if is_first and word.strip(".,:;!?") in _ORDERS:
            return True
        before = word
    return False
