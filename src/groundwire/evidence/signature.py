"""The signature of a run: what makes two commands the same, and one cover the other.

It is ``name|scope|places|filters``: the kind of the run and its tool or program; tasks and
variants; what it covers, "" for the starting folder; what narrows that down.
"""

from __future__ import annotations

from groundwire.digest import digest
from groundwire.shell.places import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: In the scope of a signature: the options are such that nothing is run (``--help``).
NO_RUN = "runs nothing"
_SEPARATOR = "|"
_EVERYTHING = frozenset((".", "./", "./...", "...", "//...", "//:all"))
#: Characters of a signature, and of each part of one that would be longer.
_LONGEST, _LONGEST_PART = 500, 120


def sign(name: str, scope: Iterable[str], places: Iterable[str], filters: Iterable[str]) -> str:
    """Join what tells runs apart, each list sorted."""
    parts = [name, *(",".join(sorted(set(part))) for part in (scope, places))]
    texts = [part.replace(_SEPARATOR, "/") for part in parts]
    texts.append(", ".join(sorted(set(filters))))
    signature = _SEPARATOR.join(texts)
    return signature if len(signature) <= _LONGEST else _SEPARATOR.join(map(_shortened, texts))


def targets(
    meaning: str, plain: Sequence[str], parts: Sequence[str], folder: str, of_tests: bool
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the places that a run covers, as seen from the start, and what narrows it down.

    ``meaning`` is that column of the table; without places a run covers its ``folder``. A folder
    among the paths narrows down tests only, and only below the first level.
    """
    if meaning == "names":
        return (folder,), (*plain, *parts)
    if meaning == "packages" and not plain and of_tests:
        return (folder,), (*parts, "one package")
    if meaning not in ("paths", "packages", "labels"):
        return [join(folder, word) for word in plain if meaning == "free"] or (folder,), parts
    places = [_place(word.removesuffix("/..."), folder) for word in plain]
    folders = of_tests or meaning != "paths"
    narrow = [
        place
        for place, word in zip(places, plain, strict=True)
        if _is_file(word) or (folders and _is_deep(word))
    ]
    return places or (folder,), (*narrow, *parts)


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
    places, filters = new[2].split(","), old[3].split(", ")
    if not all(any(_holds(place, other) for place in places) for other in old[2].split(",")):
        return False
    return all(
        not text or any(_holds(text, other) for other in filters) for text in new[3].split(", ")
    )


def name_of(signature: str) -> str:
    """Return the kind and the tool or program of a signature."""
    return signature.partition(_SEPARATOR)[0]


def group_of(signature: str) -> str:
    """Return what two signatures must share for one to cover the other: name and scope."""
    return _SEPARATOR.join(signature.split(_SEPARATOR, 2)[:2])


def scope_of(signature: str) -> str:
    """Return the tasks and variants of a signature."""
    return signature.partition(_SEPARATOR)[2].partition(_SEPARATOR)[0]


def _shortened(part: str) -> str:
    """Return a part of a signature, its end replaced by a digest when it is long."""
    if len(part) <= _LONGEST_PART:
        return part
    return f"{part[:_LONGEST_PART]}~{digest(part.encode('utf-8', 'replace'))[:12]}~"


def _holds(place: str, other: str) -> bool:
    return place in ("", other) or (other.startswith(place) and other[len(place)] in "/:[")


def _place(word: str, folder: str) -> str:
    return folder if word in _EVERYTHING else join(folder, word)


def _is_file(word: str) -> bool:
    """Tell whether a path is a file, a test in it, or not known before the shell reads it."""
    if word in _EVERYTHING or "*" in word:
        return False
    return "." in word.rstrip("/").rpartition("/")[2].lstrip(".") or "::" in word or "$" in word


def _is_deep(word: str) -> bool:
    """Tell whether a path is a folder below the first level."""
    path = word.rstrip("/").removeprefix("./")
    return "/" in path and "*" not in path and not path.startswith(("/", "~", ".."))
