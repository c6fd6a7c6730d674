"""Checks of a work of several parts that ran in one of them: "type checks pass on both sides"."""

from __future__ import annotations

from groundwire.evidence.pointing import pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.signature import places_of
from groundwire.model import UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts

_EACH = frozenset("all both each every".split())
_PARTS = frozenset(
    "app apps client clients crate crates end ends folder folders frontend halves module modules "
    "package packages project projects repo repos repositories service services side sides "
    "workspace workspaces".split()
)
_PAIRS = (
    "frontend and backend", "backend and frontend", "front end and back end", "client and server",
    "server and client", "front-end and back-end", "back-end and front-end", "app and server",
)  # fmt: skip
#: Words between "both" and the parts: "in both of the packages", "all three services".
_REACH = 4
#: Which kinds of runs can stand for each other in another part.
_ALIKE = {
    runs.TYPES: (runs.TYPES, runs.BUILD, runs.LINT),
    runs.LINT: (runs.LINT, runs.FORMAT),
    runs.BUILD: (runs.BUILD, runs.TYPES, runs.TEST),
    runs.TEST: (runs.TEST,),
}


def in_one_part(claim: Claim, last: Run, facts: Facts) -> Verdict | None:
    """Return what speaks against a check that is told of several parts, if it ran in one folder.

    The turn must have changed something outside of that folder.
    """
    if not _speaks_of_parts(claim.text):
        return None
    alike = _ALIKE.get(last.kind, (last.kind,))
    folder = places_of(last.signature)
    places = [places_of(run.signature).split(",") for run in facts.runs if run.kind in alike]
    if not folder or "," in folder or not all(_is_in(one, folder) for at in places for one in at):
        return None
    if all(_lies_in(path, folder) for _, path in facts.last_changes):
        return None  # the parts may be those of the folder
    return pointing(last, UNSUPPORTED, f"it ran in {folder:.60} only")


def meant_by(text: str, run: Run, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the paths that lie in the folder of a run which the folded sentence names.

    All of them when it names none. "The API tests pass" is about ``cd api && pytest``, whatever was
    edited in ``web``.
    """
    folder = places_of(run.signature)
    name = folder.rpartition("/")[2].lower()
    words = {word.strip(".,:;!*()`") for word in text.split()}
    if "," in folder or not name or name not in words:
        return paths
    return tuple(path for path in paths if _lies_in(path, folder))


def _is_in(place: str, folder: str) -> bool:
    return place == folder or place.startswith(f"{folder}/")


def _lies_in(path: str, folder: str) -> bool:
    path = path.replace("\\", "/")
    return path.startswith(("git ", f"{folder}/")) or f"/{folder.lstrip('/')}/" in path


def _speaks_of_parts(text: str) -> bool:
    if any(pair in text for pair in _PAIRS):
        return True
    words = [word.strip(".,:;!*()`") for word in text.split()]
    return any(
        word in _EACH and not _PARTS.isdisjoint(words[place + 1 : place + 1 + _REACH])
        for place, word in enumerate(words)
    )
