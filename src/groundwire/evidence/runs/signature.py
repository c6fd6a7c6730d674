"""The signature of a run: what makes two commands the same, and one cover the other."""

from __future__ import annotations

from groundwire.evidence.runs.places import is_absolute, join, same_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundwire.evidence.runs.arguments import Arguments

_SEPARATOR = "|"
_EVERYTHING = frozenset((".", "./", "./...", "...", "//...", "//:all"))
_LONGEST = 500


def make_signature(
    name: str, scope: Iterable[str], places: Iterable[str], filters: Iterable[str]
) -> str:
    """Join what tells runs apart: ``name|scope|places|filters``, each list sorted.

    ``name`` is the kind of the run and its tool or program.
    """
    parts = [name, *(",".join(sorted(set(part))) for part in (scope, places))]
    texts = [part.replace(_SEPARATOR, "/") for part in parts]
    return _SEPARATOR.join([*texts, ", ".join(sorted(set(filters)))])[:_LONGEST]


def targets(
    meaning: str, read: Arguments, folder: str, files_only: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the places that a run covers, as seen from the start, and what narrows it down.

    ``meaning`` is that column of the table; without places a run covers its ``folder``.
    ``files_only``: a folder among the paths does not narrow it down.
    """
    plain = (*read.plain, *read.passed_on)
    if meaning in ("paths", "packages", "labels"):
        places = tuple(_place(meaning, word, folder) for word in plain)
        only_files = files_only and meaning == "paths"
        narrow = tuple(
            place
            for place, word in zip(places, plain, strict=True)
            if _is_file(word) or (not only_files and _is_deep(word))
        )
        return places or (folder,), (*narrow, *read.parts)
    if meaning == "names":
        return (folder,), (*plain, *read.parts)
    if meaning == "free" and plain:
        return tuple(join(folder, word) for word in plain), read.parts
    return (folder,), read.parts


def covers(later: str, earlier: str) -> bool:
    """Tell whether a run with signature ``later`` does all that ``earlier`` did, or the same.

    It does when the tool is the same, the scope too, when its places hold the other's, and when
    nothing narrows it down that did not narrow the other down.
    """
    if later == earlier:
        return True
    new, old = later.split(_SEPARATOR, 3), earlier.split(_SEPARATOR, 3)
    if len(new) < 4 or len(old) < 4 or new[:2] != old[:2]:
        return False
    places, old_places = new[2].split(","), old[2].split(",")
    if not all(any(_holds(place, other) for place in places) for other in old_places):
        return False
    old_filters = set(old[3].split(", "))
    return all(
        not text or text in old_filters or any(_holds(text, other) for other in old_filters)
        for text in new[3].split(", ")
    )


def name_of(signature: str) -> str:
    """Return the kind and the tool or program of a signature."""
    return signature.partition(_SEPARATOR)[0]


def group_of(signature: str) -> str:
    """Return what two signatures must share for one to cover the other: name and scope."""
    return _SEPARATOR.join(signature.split(_SEPARATOR, 2)[:2])


def scope_of(signature: str) -> str:
    """Return the tasks and variants of a signature."""
    return signature.split(_SEPARATOR, 2)[1]


def places_of(signature: str) -> str:
    """Return the places that a run covers, joined by commas; "" is the starting folder."""
    return signature.split(_SEPARATOR, 3)[2]


def _holds(place: str, other: str) -> bool:
    if place in ("", other) or same_place(place, other):
        return True
    if is_absolute(place) and not is_absolute(other):  # a folder that may be the starting one
        return not _is_file(place)
    return other.startswith(place) and other[len(place)] in "/:["


def _place(meaning: str, word: str, folder: str) -> str:
    if word in _EVERYTHING:
        return folder
    if meaning == "packages":
        word = word.removesuffix("/...")
    return join(folder, word)


def _is_file(word: str) -> bool:
    """Tell whether a path is a file, a test in it, or not known before the shell reads it."""
    if word in _EVERYTHING or "*" in word:
        return False
    return "." in word.rstrip("/").rpartition("/")[2].lstrip(".") or "::" in word or "$" in word


def _is_deep(word: str) -> bool:
    """Tell whether a path is a folder below the first level."""
    path = word.rstrip("/").removeprefix("./")
    return "/" in path and "*" not in path and not path.startswith(("/", "~", ".."))
