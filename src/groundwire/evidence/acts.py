"""What a sentence says was done, and the run that did it: "`node-4` is drained", "pushed".

A run is spoken of by its act, which is a word of its command in another form ("drained" of
``kubectl drain``), or by what it was done to, a name in the sentence that its command holds.
"""

from __future__ import annotations

from groundwire.evidence.records import LOOK, PASSED, UNKNOWN, Run
from groundwire.evidence.texts import names_in
from groundwire.scan.words import EDGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.claims import Claim
    from groundwire.evidence.timeline import Timeline

#: What programs with short names do, and the statements of databases.
_ACTS = {
    "mv": ("move", "rename"),
    "rm": ("delete", "remove"),
    "cp": ("copy",),
    "rmdir": ("delete", "remove"),
    "checkout": ("restore", "switch"),
    "up": ("start", "restart"),
    "upgrade": ("upgrade", "deploy"),
    "build": ("build", "built"),
}
_STATEMENTS = frozenset("alter copy create delete drop insert load truncate update".split())
_ENDINGS = ("s", "es", "ed", "d", "ied", "ies", "ion", "ions")
#: Words of commands that say too little of which one is meant.
_GENERAL = frozenset(
    "build builds check compile compose docker install kubectl npm python scripts serve service "
    "start tests types update".split()
)
_DENYING = frozenset("not cannot never fails failed failing could couldn't didn't".split())
_MOST_PROGRAMS = 4
_MOST_WORDS, _SHORTEST_ACT, _SHORTEST_NAME = 6, 3, 4
_LONGEST_COMMAND, _MOST_RUNS = 400, 40


def denied_act(claim: Claim, turn: Timeline, went_well: frozenset[str]) -> Run | None:
    """Return the last run that a sentence of success speaks of, when it failed and stays failed."""
    words = claim.words
    if claim.admits or claim.mild or claim.back or not _DENYING.isdisjoint(words):
        return None
    names = _names(claim.text)
    well = not went_well.isdisjoint(words)
    runs = turn.latest[-_MOST_RUNS:]
    done = [run for run in runs if _is_told(run, words)]
    programs = frozenset(words) - _GENERAL
    named = [
        run
        for run in runs
        if not names.isdisjoint(_things_of(run.command))
        or not programs.isdisjoint(_programs_of(run.command))
    ]
    both = [run for run in done if run in named]
    found = both or done or (named if well else [])
    return found[-1] if found and _is_open(found[-1], turn) else None


def _is_told(run: Run, words: tuple[str, ...]) -> bool:
    acts = _acts_of(run.command)
    return any(_tells(word, act) for word in words for act in acts)


def _is_open(run: Run, turn: Timeline) -> bool:
    if run.kind == LOOK:
        return run.outcome.status not in (PASSED, UNKNOWN)
    return run in turn.failures


def _acts_of(command: str) -> list[str]:
    """Return the words of a command that say what it does: its first plain words."""
    found: list[str] = []
    for word in command[:_LONGEST_COMMAND].replace(".", " ").replace(":", " ").split():
        plain = word.strip(EDGES).lower()
        if len(found) < _MOST_WORDS and word.isalpha() and word.islower():
            found += _ACTS.get(word, (word,))
        elif plain in _STATEMENTS:
            found.append(plain)
    return [act for act in found if len(act) >= _SHORTEST_ACT]


def _tells(word: str, act: str) -> bool:
    """Tell whether a word is a form of an act: "tagged" of "tag", "applies" of "apply"."""
    stem = act.rstrip("e")
    stem = stem.removesuffix("y") if act.endswith("y") else stem
    if not word.startswith(stem) or word == act:
        return word == act == "built"
    ending = word[len(stem) :]
    return ending in _ENDINGS or ending == f"{stem[-1:]}ed"


def _programs_of(command: str) -> set[str]:
    """Return the program and the tasks of a command, as a sentence may call them."""
    words = command.lower().split()[:_MOST_PROGRAMS]
    tasks = (word.rpartition("/")[2].split(":") for word in words if word[0] != "-")
    found = {part for parts in tasks for part in parts}
    return {part for part in found if len(part) > _SHORTEST_NAME and part.isalpha()}


def _names(text: str) -> frozenset[str]:
    """Return what a sentence names, in small letters: code, files, identifiers."""
    found = set()
    for name in names_in(text):
        lowered = name.lower()
        found |= {lowered, lowered.partition(".")[0]}
    return frozenset(name for name in found if len(name) >= _SHORTEST_NAME)


def _things_of(command: str) -> set[str]:
    """Return the words of a command without options, quotes and folders, and parts of them."""
    found = set()
    for word in command[:_LONGEST_COMMAND].lower().split():
        for part in word.replace("=", " ").replace(":", " ").replace(",", " ").split():
            name = part.strip("'\"*()").rpartition("/")[2]
            if name and not name.startswith("-"):
                found |= {name, name.partition(".")[0]}
    return found
