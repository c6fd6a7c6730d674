"""Claims about what stands in the files: an edit or a look shows them, without a run."""

from __future__ import annotations

from groundwire.model import QUALIFIED, SUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.claims import Claim
    from groundwire.evidence.facts import Facts

#: Things of a text that "fixed" tells of as changed: "fixed the import path in both files".
_OF_TEXT = frozenset(
    "comment comments docstring docstrings formatting heading headings import imports indentation "
    "key keys label labels link links name names naming parameter parameters path paths reference "
    "references signature spelling typo typos url urls version wording".split()
)
_REACH = 5
#: With one of these the sentence tells of more than the edit.
_OUTCOMES = frozenset("completely finally fully now properly resolved successfully works".split())
#: Words of what can be seen in the files themselves.
_SEEN = frozenset(
    "called calls contain contains declared defined dependencies exist exists import imported "
    "imports listed matches mentions referenced references unused".split()
)
_LOOKED = "it was looked at after the last edit"


def reports_edit(claim: Claim, facts: Facts) -> bool:
    """Tell whether "fixed" is about a thing of a text, in a turn that edited some."""
    if claim.sort != "fixed" or not facts.edits:
        return False
    words = _words(claim)
    if not _OUTCOMES.isdisjoint(words):
        return False
    places = (place for place, word in enumerate(words) if word == "fixed")
    return any(not _OF_TEXT.isdisjoint(words[at + 1 : at + 1 + _REACH]) for at in places)


def looked_verdict(claim: Claim) -> Verdict:
    """Judge "verified" by a look: it shows what stands in files, not how they fare."""
    if claim.tests or _SEEN.isdisjoint(_words(claim)):
        return Verdict(QUALIFIED, f"{_LOOKED}, but nothing was run")
    return Verdict(SUPPORTED, _LOOKED)


def _words(claim: Claim) -> list[str]:
    return [word.strip(".,:;!*`()") for word in claim.text.split()]
