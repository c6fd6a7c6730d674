"""Sentences that report an edit of a named file: "Updated `config.yml`", "removed it from a.rs".

Only plain reports are read, in which a verb of editing governs the file in the same clause and the
writer is the subject. What others did, plans, conditions and denials are left out; a miss is better
than a false alarm.
"""

from __future__ import annotations

from itertools import pairwise

from groundwire.rules.lists import DIRECT_VERBS
from groundwire.text.mask import FILLER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.scan.paths import Spot

#: Verb -> the words that lead from what was edited to the file it is in.
_LEADS = {
    "added": ("to", "in", "into", "inside"),
    "appended": ("to",),
    "inserted": ("into", "in"),
    "introduced": ("in", "into", "to"),
    "wrote": ("to", "into"),
    "removed": ("from", "in"),
    "deleted": ("from", "in"),
    "dropped": ("from",),
    "extracted": ("from", "into"),
    "moved": ("to", "into", "from"),
    **dict.fromkeys(
        "updated edited modified changed renamed replaced rewrote adjusted bumped simplified "
        "refactored extended".split(),
        ("in", "inside"),
    ),
}
#: What one does to a file, or to a member of a list: "added a.sh to the scripts that run".
_MEMBER_VERBS = frozenset("added removed deleted dropped".split())
_LIST_LEADS = frozenset("to into in from".split())
_DETERMINERS = frozenset("the a an our your its this that".split())
_ALL_LEADS = frozenset(lead for leads in _LEADS.values() for lead in leads)
_WRITER = frozenset(("i", "we", "i've", "we've"))
_OPENERS = _WRITER | frozenset(
    "have also then now just finally first next additionally and successfully".split()
)
#: Words between the verb and a file that is its object.
_FILLERS = frozenset(
    "the a an new file files existing your our main both config following test module script page "
    "document workflow".split()
)
#: Words with which it is no plain report of the writer's own edit.
_GUARDS = frozenset(
    "not no never without would could should will can may might must if when unless until which "
    "that who whose because by already previously earlier was were is are be been being you they "
    "upstream user user's commit pr someone don't didn't haven't isn't before instead".split()
)
#: A participle between the object and the file says where something is used, not edited.
_LOCATING = frozenset(
    "found read written shown seen set kept built come comes coming living lives taken".split()
)
_BEHIND = frozenset("was is are were would should needs will has did does".split())
_CLAUSE_ENDS = (". ", "! ", "? ", "; ", ": ", " - ", " \u2013 ", " \u2014 ", "(", ")", " but ")
_DECORATION = " \t*_#>~|+-\u2022\u2713\u2714\u2705\u2611`[]"
_LONGEST_CLAUSE = 160
_LONGEST_SENTENCE = 1_000
_MOST_OBJECT = 10


def find_edit_reports(
    original: str,
    masked: str,
    start: int,
    end: int,
    spots: Sequence[Spot],
    *,
    verbs_last: bool = False,
) -> Iterator[tuple[int, int, str, bool]]:
    """Yield ``(start, end, path, own)`` for the paths of a line that it reports as edited.

    ``start`` is that of the verb, or of the path where that comes first (``verbs_last``); ``own``
    tells that the writer says "I". The line is ``original[start:end]``, ``spots`` are its paths in
    order. Linear.
    """
    previous: tuple[int, int, bool] | None = None  # verb, end of the path, own: for a list of files
    for spot in spots:
        if not spot.has_extension or _is_asked(original, spot.end, end):
            previous = None
            continue
        if previous and _only_joins(original[previous[1] : spot.start]):
            verb, own = previous[0], previous[2]
        else:
            floor = max(start, spot.start - _LONGEST_CLAUSE)
            if verbs_last and (own_edit := _verb_behind(masked, floor, spot, end)) is not None:
                yield spot.start, spot.end, spot.path, own_edit
                continue
            governor = _governing_verb(masked, floor, spot.start)
            if governor is None or _is_member(masked, governor[0], spot.end, end):
                previous = None
                continue
            verb, own = governor
        yield verb, spot.end, spot.path, own
        previous = verb, spot.end, own


def _governing_verb(masked: str, start: int, end: int) -> tuple[int, bool] | None:
    """Return the position of the verb that governs what stands at ``end``, and whether "I" did."""
    words = _clause(masked[start:end])
    if any(word in _GUARDS for word, _ in words):
        return None
    at = 0
    while at < len(words) and words[at][0] in _OPENERS:
        at += 1
    if at == len(words):
        return None
    verb, place = words[at]
    rest = [word for word, _ in words[at + 1 :]]
    if not _leads_to_file(verb, rest):
        return None
    return start + place, any(word in _WRITER for word, _ in words[:at])


def _verb_behind(masked: str, start: int, spot: Spot, end: int) -> bool | None:
    """Tell whether "I" edited what stands before a verb of editing; None when it is no report."""
    before = [word for word, _ in _clause(masked[start : spot.start])]
    rest = masked[spot.end : min(end, spot.end + _LONGEST_CLAUSE)].strip(FILLER)
    for mark in _CLAUSE_ENDS:
        rest = rest.partition(mark)[0]
    rest = rest.rstrip().rstrip(".").replace(FILLER, " ").lower()
    behind = [word for word, _ in _words(rest, 0)]
    if not behind or behind[0] not in DIRECT_VERBS or not _GUARDS.isdisjoint((*before, *behind)):
        return None
    return not _WRITER.isdisjoint(before)


def _clause(text: str) -> list[tuple[str, int]]:
    """Return the words of the last clause of a masked text, with their positions in it."""
    clause = text.replace(FILLER, " ").replace("\u2019", "'").lower()
    cut = max(
        (clause.rfind(mark) + len(mark) for mark in _CLAUSE_ENDS if mark in clause), default=0
    )
    return _words(clause, cut)


def _is_member(masked: str, verb: int, at: int, end: int) -> bool:
    """Tell whether the file that ends at ``at`` was put into, or taken from, a list elsewhere."""
    if masked[verb:at].split(maxsplit=1)[0].lower() not in _MEMBER_VERBS:
        return False
    rest = masked[at : min(end, at + _LONGEST_CLAUSE)].replace(FILLER, " ").lower()
    for mark in _CLAUSE_ENDS:
        rest = rest.partition(mark)[0]
    words = rest.split()
    return any(lead in _LIST_LEADS and behind in _DETERMINERS for lead, behind in pairwise(words))


def _words(clause: str, cut: int) -> list[tuple[str, int]]:
    words = []
    at = cut
    for piece in clause[cut:].split(" "):
        word = piece.strip(_DECORATION + ",")
        if word and not word.rstrip(".").isdigit():
            words.append((word, at + piece.find(word)))
        at += len(piece) + 1
    return words


def _leads_to_file(verb: str, rest: list[str]) -> bool:
    """Tell whether ``rest``, between the verb and the file, makes the file what was edited."""
    while rest and rest[-1] in _FILLERS:
        rest = rest[:-1]
    if not rest:
        return verb in DIRECT_VERBS
    lead, thing = rest[-1], rest[:-1]
    if lead not in _LEADS.get(verb, ()) or len(thing) > _MOST_OBJECT:
        return False
    if not _ALL_LEADS.isdisjoint(thing):
        return False
    return not thing or not (thing[-1].endswith("ed") or thing[-1] in _LOCATING)


def _only_joins(text: str) -> bool:
    plain = text.replace("`", "").replace("*", "").strip().lower()
    return plain in (",", "and", ", and", "&", "+")


def _is_asked(original: str, at: int, end: int) -> bool:
    """Tell whether the sentence asks, or goes on with a verb of which the file is the subject."""
    rest = original[at : min(end, at + _LONGEST_SENTENCE)].lstrip("`*'\" ")
    following = rest.split(maxsplit=1)[:1]
    sentence = rest.partition(". ")[0]
    return "?" in sentence or (following != [] and following[0].lower() in _BEHIND)
