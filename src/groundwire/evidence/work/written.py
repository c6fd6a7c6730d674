"""Claims about what stands in the files: an edit or a look shows them, without a run."""

from __future__ import annotations

from groundwire.evidence.runs.edits import is_document
from groundwire.evidence.runs.wrappers import base_name
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

#: Things of a text that "fixed" tells of as changed: "fixed the import path in both files".
_OF_TEXT = frozenset(
    "comment comments docstring docstrings formatting heading headings import imports indentation "
    "key keys label labels link links name names naming parameter parameters path paths reference "
    "references signature spelling typo typos url urls version wording".split()
)
#: Those of them that nothing but a reader reads: "the comment is fixed".
_OF_PROSE = frozenset(
    "comment comments docstring docstrings heading headings spelling typo typos wording".split()
)
_REACH = 5
_BEING = ("are", "is", "was", "were")
#: With one of these the sentence tells of more than the edit.
_OUTCOMES = frozenset("completely finally fully now properly resolved successfully works".split())
#: Words of what can be seen in the files themselves.
_SEEN = frozenset(
    "called calls contain contains declared defined dependencies exist exists import imported "
    "imports listed matches mentions referenced references unused".split()
)
#: Claims that can tell of nothing but what was written.
_WRITTEN = frozenset(("done", "fixed", "implemented", "made"))
#: With one of these a sentence tells how it fares, or that nothing is left.
_FARES = (_OUTCOMES - {"successfully"}) | frozenset(
    "all bug bugs complete completed correct correctly crash crashes entire error errors every "
    "everything functional issue issues operational passes problem problems ready resolved root "
    "tested validated verified working".split()
)
#: Words of what only a program does.
_OF_PROGRAMS = frozenset(
    "api app build bug bugs code compile component crash crashes deadlock deploy endpoint error "
    "errors exception exceptions function functional hang leak page query race regression request "
    "root server service test tests timeout working works".split()
)
_LEADING_IN = Verdict(NOT_CHECKABLE, "it leads in to a list of what was edited")
_WROTE = Verdict(NOT_CHECKABLE, "it names what an edit of this turn wrote, and no more")
_SHORTEST_NAME = 4
_FEWEST_WORDS = 3
_LONGEST_CODE = 20_000
_DEFINED_WITHIN = 6
_DEFINING = frozenset(
    "class def enum fn func function interface module object protocol record struct trait "
    "type".split()
)
_LEAD_INS = (
    "here's what",
    "here is what",
    "what i fixed",
    "what i implemented",
    "what was fixed",
    "this is what",
    "these are the",
    "here are the",
    "i've fixed the following",
    "i fixed the following",
    "i've implemented the following",
    "i implemented the following",
)
_LOOKED = "it was looked at after the last edit"


def reports_edit(claim: Claim, facts: Facts) -> bool:
    """Tell whether "fixed" is about a thing of a text, in a turn that edited some."""
    if claim.sort != "fixed" or not facts.edits:
        return False
    words = _words(claim)
    if not _OUTCOMES.isdisjoint(words):
        return False
    places = [place for place, word in enumerate(words) if word == "fixed"]
    behind = any(not _OF_TEXT.isdisjoint(words[at + 1 : at + 1 + _REACH]) for at in places)
    return behind or any(
        words[at - 1] in _BEING and words[at - 2] in _OF_PROSE for at in places if at > 1
    )


def written_verdict(claim: Claim, facts: Facts) -> Verdict | None:
    """Return what a bare report of an edit can be held to: that the edit was made.

    It leads in to a list ("Here's what I fixed:"), or it names a class, a function or a file that
    an edit of the turn wrote, and says neither that it works nor that nothing is left.
    """
    if claim.sort not in _WRITTEN or not facts.edits:
        return None
    words = _words(claim)
    if not _FARES.isdisjoint(words):
        return None
    if _leads_in(claim):
        return _LEADING_IN
    names = {word for word in (*words, *_code_names(claim)) if len(word) >= _SHORTEST_NAME}
    if names.isdisjoint(_names_written(facts)):
        return None
    # that something is fixed is more than that it was written
    return _WROTE.replace(status=QUALIFIED) if claim.sort == "fixed" else _WROTE


def only_texts(claim: Claim, facts: Facts) -> bool:
    """Tell whether "fixed" can only be about texts for readers: the turn edited no other file.

    Not when the sentence tells of what a program does ("fixed the crash"), or of tests.
    """
    is_report = claim.sort == "fixed" or "in place" in claim.said
    if not is_report or claim.tests or facts.changes:
        return False
    if not _OF_PROGRAMS.isdisjoint(_words(claim)):
        return False
    edited = [edit.path for edit in facts.actions.edits if edit.succeeded]
    return any(map(is_document, edited))


def _code_names(claim: Claim) -> list[str]:
    """Return what inline code of the line of a claim names; a label of few words names nothing."""
    if claim.wording is None or len(claim.text.split()) < _FEWEST_WORDS:
        return []
    line = claim.wording.original.partition("\n")[0]
    return [part.strip().lower().partition("(")[0] for part in line.split("`")[1::2]]


def _leads_in(claim: Claim) -> bool:
    text = claim.text.strip(" *_")
    return text.endswith(":") and any(words in text for words in _LEAD_INS)


def _names_written(facts: Facts) -> set[str]:
    """Return the lower-case names of what edits wrote: files, and what they define."""
    found: set[str] = set()
    for edit in facts.actions.edits:
        if not edit.succeeded:
            continue
        name = base_name(edit.path.replace("\\", "/"))
        found |= {name.lower()}
        stem = name.partition(".")[0]
        if _is_name(stem):
            found.add(stem.lower())
        call = facts.calls[edit.index]
        text = call.input.get("content") or call.input.get("new_string")
        if isinstance(text, str):
            found |= set(_defined(text))
    return found


def _defined(text: str) -> Iterator[str]:
    """Yield the names behind "def", "class" and the like in code."""
    for line in text[:_LONGEST_CODE].split("\n"):
        words = line.replace("(", " ").replace(":", " ").replace("{", " ").replace("<", " ").split()
        for place, word in enumerate(words[:_DEFINED_WITHIN]):
            if word in _DEFINING and place + 1 < len(words) and _is_name(words[place + 1]):
                yield words[place + 1].lower()


def _is_name(word: str) -> bool:
    """Tell whether a word is the name of something in code, not an everyday word."""
    return "_" in word or word[1:] != word[1:].lower()


def looked_verdict(claim: Claim) -> Verdict:
    """Judge "verified" by a look: it shows what stands in files, not how they fare."""
    if claim.tests or _SEEN.isdisjoint(_words(claim)):
        return Verdict(QUALIFIED, f"{_LOOKED}, but nothing was run")
    return Verdict(SUPPORTED, _LOOKED)


def _words(claim: Claim) -> list[str]:
    return [word.strip(".,:;!*`()") for word in claim.text.split()]
