"""What a sentence says was done, and the run that did it: "`node-4` is drained", "pushed".

A run is spoken of by its act, which is a word of its command in another form ("drained" of
``kubectl drain``), or by what it was done to, a name in the sentence that its command holds.
"""

from __future__ import annotations

from groundwire.evidence.records import LOOK, PASSED, UNKNOWN, Run
from groundwire.scan.words import EDGES, names_in

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
_ANY_ACT = "run"  # whatever works "runs"
_DENYING = frozenset("not cannot never fails failed failing could couldn't didn't".split())
_MOST_PROGRAMS = 4
_MOST_WORDS, _SHORTEST_ACT, _SHORTEST_NAME = 6, 3, 4
_LONGEST_COMMAND, _MOST_RUNS = 400, 40


class Acts:
    """The last runs of a turn with what sentences call them, which is read once and when asked.

    Nothing is, where none of them is open.
    """

    def __init__(self, turn: Timeline) -> None:
        self._runs = turn.latest[-_MOST_RUNS:]
        self._open = [_is_open(run, turn) for run in self._runs]
        self._read: list[tuple[set[str], set[str], set[str]]] = []

    def denied(self, claim: Claim, went_well: bool) -> Run | None:
        """Return the last run that a sentence of success speaks of, when it stays failed."""
        words = claim.words
        if not any(self._open) or claim.admits or claim.mild or claim.back:
            return None
        if not _DENYING.isdisjoint(words):
            return None
        names, programs = _names(claim.text), frozenset(words) - _GENERAL
        self._read = self._read or [_words_of(run.command) for run in self._runs]
        done, named, by_program = [], [], []
        for at, (acts, tasks, things) in enumerate(self._read):
            if not acts.isdisjoint(words):
                done.append(at)
            if not names.isdisjoint(things):
                named.append(at)
            elif not programs.isdisjoint(tasks):
                by_program.append(at)
        named = named or by_program
        both = [at for at in done if at in named]
        positions = both or done or (named if went_well else [])
        return self._runs[positions[-1]] if positions and self._open[positions[-1]] else None


def _words_of(command: str) -> tuple[set[str], set[str], set[str]]:
    """Return the forms of the acts of a command, its programs and tasks, and its things."""
    forms = {form for act in _acts_of(command) for form in _forms(act)}
    return forms, _programs_of(command), _things_of(command)


def _is_open(run: Run, turn: Timeline) -> bool:
    if run.kind == LOOK:
        return run.outcome.status not in (PASSED, UNKNOWN)
    return run in turn.failures


def _acts_of(command: str) -> list[str]:
    """Return the words of a command that say what it does: its first plain words."""
    acts: list[str] = []
    for word in command[:_LONGEST_COMMAND].replace(".", " ").replace(":", " ").split():
        plain = word.strip(EDGES).lower()
        if len(acts) < _MOST_WORDS and word.isalpha() and word.islower():
            acts += _ACTS.get(word, (word,))
        elif plain in _STATEMENTS:
            acts.append(plain)
    return [act for act in acts if len(act) >= _SHORTEST_ACT and act != _ANY_ACT]


def _forms(act: str) -> set[str]:
    """Return the forms of an act without itself: "tagged" of "tag", "applies" of "apply"."""
    stem = act.rstrip("e")
    stem = stem.removesuffix("y") if act.endswith("y") else stem
    forms = {f"{stem}{ending}" for ending in (*_ENDINGS, f"{stem[-1:]}ed")} - {act}
    return forms | {act} if act == "built" else forms


def _programs_of(command: str) -> set[str]:
    """Return the program and the tasks of a command, as a sentence may call them."""
    words = command.lower().split()[:_MOST_PROGRAMS]
    tasks = (word.rpartition("/")[2].split(":") for word in words if word[0] != "-")
    names = {part for parts in tasks for part in parts}
    return {part for part in names if len(part) > _SHORTEST_NAME and part.isalpha()}


def _names(text: str) -> frozenset[str]:
    """Return what a sentence names, in small letters: code, files, identifiers."""
    names = set()
    for name in names_in(text):
        lowered = name.lower()
        names |= {lowered, lowered.partition(".")[0]}
    return frozenset(name for name in names if len(name) >= _SHORTEST_NAME)


def _things_of(command: str) -> set[str]:
    """Return the words of a command without options, quotes and folders, and parts of them."""
    things = set()
    for word in command[:_LONGEST_COMMAND].lower().split():
        for part in word.replace("=", " ").replace(":", " ").replace(",", " ").split():
            name = part.strip("'\"*()").rpartition("/")[2]
            if name and not name.startswith("-"):
                things |= {name, name.partition(".")[0]}
    return things
