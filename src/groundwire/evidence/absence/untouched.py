"""Claims that something was left alone: what the turn's edits show, without a search."""

from __future__ import annotations

from groundwire.evidence.runs.model import FORMAT, INSTALL
from groundwire.evidence.runs.names import name_words
from groundwire.evidence.runs.wrappers import base_name
from groundwire.model import NOT_CHECKABLE, SUPPORTED, UNSUPPORTED, Verdict
from groundwire.scan.subjects import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

#: Words for a thing that nobody changed, and those that say so behind "nothing" or "not".
_ALONE = frozenset("untouched unchanged unmodified unedited unaltered".split())
_CHANGED = frozenset("altered changed edited modified rewritten touched".split())
_DENYING = frozenset("nothing not no none never wasn't weren't hasn't haven't isn't aren't".split())
#: Characters behind a match that are read with it, up to the end of its clause.
_BEHIND = 40
_CLAUSE_ENDS = (",", ";", ":", ". ", " - ", "\u2013", "\u2014", "\n")
#: What such a sentence tells of a program, not of its files.
_FARES = frozenset(
    "api behavior behaviour default defaults functionality hash hashes interface output outputs "
    "performance result results semantics signature value values".split()
)
#: Words that name no part of a project.
_GENERIC = frozenset(
    "all and anything are been before both change changed changes code current else entire every "
    "everything existing file files for from has have here in including is its itself left "
    "nothing now of old on other others our part parts project remain remains repo repository rest "
    "still stays "
    "that the their them these they this those tree untracked was were which with working "
    "you your completely entirely fully so far".split()
)
_MARKS = ".,:;!*()\"'`-\u2013\u2014"
_WHOLE = frozenset(
    "all code codebase entire every everything project repo repository source tree "
    "whole workspace".split()
)
_SHORTEST = 3
_PREFIX = 5
_NO_CALL = Verdict(SUPPORTED, "no call of this turn changed a file")
_ALIKE = Verdict(NOT_CHECKABLE, "an edit of this turn is of something with a name like it")
_NOT_IT = Verdict(SUPPORTED, "no edit of this turn is of it")


def untouched_verdict(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge "X is untouched" by the turn's edits; None when the sentence says something else.

    What another agent did, and what installed or formatted, may have changed more than is seen.
    """
    if not _says_so(claim):
        return None
    changing = any(run.kind in (INSTALL, FORMAT) for run in facts.runs)
    if facts.actions.reports or facts.partial or changing:
        return Verdict(NOT_CHECKABLE, "what else changed files is not seen")
    if not facts.edits and not facts.changes:
        return _NO_CALL
    return _by_subject(claim, facts)


def _says_so(claim: Claim) -> bool:
    """Tell whether the match and what follows it in its clause say so: "nothing here changed"."""
    if claim.wording is None:
        return False
    start, end = claim.wording.start, claim.wording.end
    behind = claim.wording.masked[end : end + _BEHIND].lower()
    for mark in _CLAUSE_ENDS:
        behind = behind.partition(mark)[0]
    said = [word.strip(_MARKS) for word in f"{claim.wording.masked[start:end]} {behind}".split()]
    said = [word.lower() for word in said]
    words = [word.strip(_MARKS) for word in claim.text.split()]
    if not _FARES.isdisjoint(words):
        return False
    if not _ALONE.isdisjoint(said):
        return True
    return not (_CHANGED.isdisjoint(said) or _DENYING.isdisjoint(said))


def _by_subject(claim: Claim, facts: Facts) -> Verdict | None:
    """Compare what the sentence names with the names of the files that were changed."""
    changed = [path for _, path in facts.last_changes]
    changed += [edit.path for edit in facts.actions.edits if edit.succeeded]
    if any(path.startswith("git ") for path in changed):
        return None
    files = {base_name(path.replace("\\", "/")).lower() for path in changed}
    words = [word.strip(_MARKS).lower() for word in claim.text.split()]
    ends = [place for place, word in enumerate(words) if word in _ALONE | _CHANGED]
    subject = words[: ends[0]] if ends else words
    if claim.wording:
        code = claim.wording.original[: claim.wording.start].split("`")[1::2]
        subject += [base_name(part.strip().rstrip("/")).lower() for part in code]
    named = [word for word in subject if len(word) >= _SHORTEST and word not in _GENERIC]
    for word in named:
        if word in files:
            return Verdict(UNSUPPORTED, f"{word} was edited in this turn")
    parts = {part for path in changed for part in _parts(path)}
    wanted = {part for word in named for part in _parts(word)}
    if not wanted or not _WHOLE.isdisjoint(subject):
        return None
    if not wanted.isdisjoint(parts):
        stems = {name.partition(".")[0] for name in files}
        return _ALIKE if stems.isdisjoint(named) else None
    return _NOT_IT


def _parts(path: str) -> set[str]:
    """Return the beginnings of the words in a path or a name, without its suffix."""
    folder, slash, name = path.replace("\\", "/").rpartition("/")
    stem_only = name.rpartition(".")[0] or name
    words = name_words(f"{folder}{slash}{stem_only}")
    return {stem(word)[:_PREFIX] for word in words if len(word) >= _SHORTEST}
