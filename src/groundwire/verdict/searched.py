"""What the searches of a turn found, against a sentence that says that something is absent.

A search speaks for a sentence that names what it looked for, or that tells of a search.
"""

from __future__ import annotations

from groundwire.language.words import names_in, plain_words
from groundwire.turn.records import Fact, Shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.turn.actions import Search
    from groundwire.turn.timeline import Timeline
    from groundwire.verdict.claims import Claim

_SEARCHING = frozenset("search searches searched searching grep grepped ripgrep rg".split())
_PROGRAMS = frozenset(("ack", "ag", "grep", "rg"))
#: Words that speak of the places at which a thing may stand.
_PLACES = frozenset(
    "appears caller callers find finds found hit hits import imports leftover leftovers left match "
    "matches mention mentions occurrence occurrences occurs reference references refers remain "
    "remaining remains usage usages uses".split()
)
#: Words that deny a thing altogether, and words that deny it elsewhere.
_NOTHING = frozenset("no none nothing nowhere never zero empty without gone longer".split())
_ELSEWHERE = frozenset("only other others sole".split())
_LONGEST_COMMAND = 60
_SHORTEST_PIECE, _LONG, _NEAR = 3, 7, 5


def denied_search(claim: Claim, turn: Timeline, text: str) -> Fact | None:
    """Return the last search that the claim speaks of, when it found what the claim denies.

    ``text`` is the message: places that it names itself are no news.
    """
    words = claim.words
    nothing = not _NOTHING.isdisjoint(words)
    except_some = not _ELSEWHERE.isdisjoint(words)
    spoken = plain_words(claim.text.lower())
    told = not _SEARCHING.isdisjoint(words) or not _PROGRAMS.isdisjoint(spoken)
    if not (nothing or except_some) or not (told or _denies_places(words)):
        return None
    places = [code.strip("/") for code in claim.text.split("`")[1::2] if "/" in code]
    search = _meant_search(turn, claim, places, told)
    if search is None or not search.hits or any(one.index > search.index for one in turn.edits):
        return None
    known = (text if except_some else text.replace(claim.text, " ")).lower()
    beyond = [place for place in search.places if not _is_named(place, known)]
    if not beyond and (search.places or except_some):
        return None
    line = beyond[0] if beyond else search.line
    shown = Shown(search.call_id, search.command[:_LONGEST_COMMAND], line)
    return Fact(1.0, shown, f"found {search.hits}")


def _denies_places(words: tuple[str, ...]) -> bool:
    """Tell whether a word of places stands near one that denies: "no file mentions it"."""
    denying = [at for at, word in enumerate(words) if word in _NOTHING or word in _ELSEWHERE]
    places = [at for at, word in enumerate(words) if word in _PLACES]
    return any(abs(at - place) <= _NEAR for at in denying for place in places)


def _meant_search(turn: Timeline, claim: Claim, places: Sequence[str], told: bool) -> Search | None:
    """Return the last search for what a claim names; when ``told``, the last one of all.

    Names are looked for as written first, then in small letters, then among the words of patterns.
    Of several searches one in a named place is meant.
    """
    names = _names(claim)
    lowered = {name.lower() for name in names}
    long = {word for word in claim.words if len(word) >= _LONG}
    known = turn.searches
    fitting = (
        [search for search in known if not names.isdisjoint(_pieces(search.pattern))]
        or [one for one in known if not lowered.isdisjoint(_pieces(one.pattern.lower()))]
        or [one for one in known if not long.isdisjoint(_words(one.pattern.lower()))]
        or [one for one in known if told and one.hits is not None]
    )
    in_place = [one for one in fitting if any(place in one.command for place in places)]
    chosen = in_place or fitting
    return chosen[-1] if chosen else None


def _names(claim: Claim) -> set[str]:
    """Return what a sentence names; of a search in code, its words."""
    names = set(names_in(claim.text))
    for code in claim.text.split("`")[1::2]:
        words = code.split()
        if not _PROGRAMS.isdisjoint(words[:2]):
            names |= {word.strip("'\"") for word in words if word[0] != "-"} - _PROGRAMS - {"git"}
    return names


def _pieces(pattern: str) -> set[str]:
    """Return what a pattern looks for, alternatives apart, without the signs of a pattern."""
    plain = pattern.replace("\\b", "").replace("\\|", "|").replace("\\", "")
    words = {*plain.split("|"), plain}
    return {word.strip("'\".()^$ ") for word in words if len(word) >= _SHORTEST_PIECE}


def _words(pattern: str) -> set[str]:
    return set("".join(char if char.isalnum() else " " for char in pattern).split())


def _is_named(path: str, text: str) -> bool:
    """Tell whether a small-lettered text names a file, with its ending or not, or its folder."""
    folder, _, name = path.lower().replace("\\", "/").rpartition("/")
    words = plain_words(text.replace("/", " ").replace(":", " "))
    if name in words or name.partition(".")[0] in words:
        return True
    return any(f"{part}/" in text for part in folder.split("/") if len(part) >= _SHORTEST_PIECE)
