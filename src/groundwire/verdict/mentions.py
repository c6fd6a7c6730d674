"""What a sentence mentions: the runs, commands and searches of the turn that it is about.

A sentence names a run by its kind ("the suite"), by its program ("ruff") or by its command in code
("`go vet ./...`"). What the last of these did is what the sentence is held against.

A run is spoken of by its act, which is a word of its command in another form ("drained" of
``kubectl drain``), or by what it was done to, a name in the sentence that its command holds.
"""

from __future__ import annotations

from groundwire.inputs.shell.paths import file_name
from groundwire.language.words import EDGES, names_in
from groundwire.turn.records import (  # fmt: skip
    BUILD,
    FAILED,
    FORMAT,
    GIT,
    LINT,
    LOOK,
    PASSED,
    TEST,
    TYPES,
    UNKNOWN,
    Fact,
    Run,
    Shown,
    argument,
)
from groundwire.turn.results import read_result
from groundwire.turn.timeline import Timeline
from groundwire.verdict.claims import RUN, STATUS, Claim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


#: Sort of a claim -> kinds of the runs that decide it, and the git command that it tells of.
_DECIDES = {
    "tests_pass": (TEST,),
    "build_ok": (BUILD, TYPES),
    "types_ok": (TYPES, BUILD),
    "lint_clean": (LINT, FORMAT),
}
DENYING = frozenset("couldn't didn't failed never no not nothing refused rejected".split())
_GIT_TOOLS = {"committed": "git commit", "pushed": "git push"}
#: What a sentence calls the runs of a kind, and words with which it tells that one went well.
_NAMES = {
    TEST: "test tests suite spec specs",
    BUILD: "build builds built compile compiles compilation",
    LINT: "lint linter linting",
    TYPES: "typecheck type-check types",
    FORMAT: "formatting formatted",
    LOOK: "running healthy up ready live reachable deployed pods rollout answers issued",
}
_KIND_OF_NAME = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_COMPILING = frozenset((BUILD, TYPES))
_WENT_WELL = frozenset(
    "pass passes passed passing green clean cleanly ok okay succeed succeeds succeeded successful "
    "successfully compiles compiled builds built silent valid works working applies applied "
    "completed complete accepts accepted through quiet healthy issued deployed boots compile "
    "converges executes executed installs loads loaded lint-free parses starts started validate "
    "validates validated verifies \u2705 \u2713 \u2714".split()
)
_CLEAN = (
    *("finds nothing", "found nothing", "reports nothing", "prints nothing"),
    *("exits with 0", "exits 0", "code 0", "status 0"),
)
#: Those that tell of nothing but a check.
_PASSING = frozenset("pass passes passed passing green succeed succeeds succeeded".split())
#: Words with which a sentence tells that a command printed nothing, or what was printed.
_SILENT = ("silent", "nothing", "empty", "quiet", "no output", "lists no", "prints no", "no find")
_JOINING = ("echo", "|", "&&", ";")
_THEN = ("&&", "||", ";")
_SHORTEST_PART, _MOST_PARTS = 3, 4
_BEHIND = 40
_LONGEST_COMMAND = 60


def went_well(claim: Claim) -> bool:
    """Tell whether a sentence says that something went well, or that nothing was wrong."""
    if claim.denied or not _WENT_WELL.isdisjoint(claim.words):
        return True
    return any(phrase in claim.masked for phrase in _CLEAN)


def decided_by(claim: Claim) -> set[str]:
    """Return the kinds of the runs that decide the claim by its marker."""
    return {kind for sort, kinds in _DECIDES.items() if sort in claim.sorts for kind in kinds}


def claimed_runs(claim: Claim, turn: Timeline) -> list[Run]:
    """Return the last runs that a sentence of success tells of, in order.

    It names them by their kind ("the suite"), by their program ("ruff", "`go vet ./...`"), or its
    marker tells the kind. A program that it names says which of a kind are meant. "Passes", with
    no name that fits, is told of the last run when no run of the turn passed.
    """
    words = claim.words
    decided = decided_by(claim)
    if claim.admits or not (decided or went_well(claim)):
        return []
    known = [run for run in turn.latest if run.kind != GIT]
    codes = [code.split() for code in claim.text.split("`")[1::2]]
    told = [run for run in known if _is_quoted(run, codes)]
    told = told or [run for run in known if _is_named(run, codes, words)]
    if not told or (decided and all(run.kind not in decided for run in told)):
        kinds = decided | {_KIND_OF_NAME[word] for word in words if word in _KIND_OF_NAME}
        told = [run for run in known if run.kind in kinds] or told
        if not told and BUILD in kinds:  # what was compiled to be tested compiles
            told = [run for run in known if run.kind == TEST and run.outcome.status == PASSED]
    later = [run for run in turn.runs if told and run.index > told[-1].index]
    if any(_may_be_meant(run, codes, words) for run in later):
        return []
    if told or turn.partial or _PASSING.isdisjoint(words) or claim.quantities:
        return told
    if not claim.of(STATUS, RUN):
        return []
    last = failed_at_the_end(turn)
    return [] if last is None or any(run.outcome.status == PASSED for run in known) else [last]


def _is_quoted(run: Run, codes: list[list[str]]) -> bool:
    """Tell whether a sentence gives the command of a run in code, with its first arguments."""
    parts = run.command.split()
    spoken = ([word for word in code if word[0] != "-"] for code in codes)
    return any(len(one) > 1 and all(word in parts for word in one[:3]) for one in spoken)


def _is_named(run: Run, codes: list[list[str]], words: tuple[str, ...]) -> bool:
    """Tell whether a sentence names the program of a run, alone in code or as a word."""
    program = file_name(run.command.partition(" ")[0])
    alone = {code[0] for code in codes if sum(word[0] != "-" for word in code) == 1}
    if program in alone or run.tool in alone:
        return True
    return len(program) > 2 and (program in words or (run.tool in words and len(run.tool) > 2))


def tells_of_others(words: frozenset[str], run: Run) -> bool:
    """Tell whether words name runs of kinds, and neither the kind nor the program of ``run``."""
    kinds = {_KIND_OF_NAME[word] for word in words if word in _KIND_OF_NAME}
    program = file_name(run.command.partition(" ")[0])
    alike = _COMPILING if run.kind in _COMPILING else {run.kind}
    return bool(kinds) and kinds.isdisjoint(alike) and words.isdisjoint((program, run.tool))


def _may_be_meant(run: Run, codes: list[list[str]], words: tuple[str, ...]) -> bool:
    """Tell whether a sentence has a word of a command of which nothing shows how it ended."""
    if run.outcome.status != UNKNOWN:
        return False
    parts = run.command.split()[:_MOST_PARTS]
    named = any(len(part) > _SHORTEST_PART and part in words for part in parts)
    return named or _is_quoted(run, codes) or _is_named(run, codes, words)


def git_run(claim: Claim, turn: Timeline) -> Run | None:
    """Return the commit or push that the claim tells of: one that failed rather than others.

    An act that failed first and went through later went through.
    """
    git_runs = []
    for sort, tool in _GIT_TOOLS.items():
        if sort not in claim.sorts and not (sort == "pushed" and _tells_push(claim)):
            continue
        word = f" {tool.partition(' ')[2]} "  # an image or a data set is pushed, too
        runs = [run for run in turn.latest if run.tool == tool or word in run.command]
        if runs:
            git_runs.append(([run for run in runs if run.outcome.status == PASSED] or runs)[-1])
    return last_of(sorted(git_runs, key=lambda run: run.outcome.status == FAILED))


def _tells_push(claim: Claim) -> bool:
    """Tell whether a sentence says in other words that a push went through."""
    words = claim.words
    went = "force-pushed" in words or ("push" in words and went_well(claim))
    return went and DENYING.isdisjoint(words)


def spoken_failure(claim: Claim, turn: Timeline) -> Fact | None:
    """Tell whether a command that the sentence gives in code failed last, or was not silent.

    It must have two words or more. That a command printed nothing is read behind it only, and held
    against commands that stand alone.
    """
    pieces = claim.text.split("`")
    for code, behind in zip(pieces[1::2], pieces[2::2], strict=False):
        spoken = code.split()
        index = _last_call(spoken, turn) if len(spoken) > 1 else -1
        if index < 0 or any(
            search.index == index and search.hits is not None for search in turn.searches
        ):
            continue
        call, result = turn.calls[index], read_result(turn.calls[index])
        command = " ".join(argument(call, "command").split())
        output = result.text.strip()
        shown = Shown(call.id, shortened(command), output.rpartition("\n")[2][:200])
        rest = command[max(0, command.find(spoken[0])) :]
        is_last = not any(sign in rest for sign in _THEN)  # so that the exit status is its own
        kinds = {run.kind for run in turn.runs if run.index == index}
        is_good = any(run.index > index and not run.narrow for run in turn.passed(*kinds))
        if result.failed and is_last and went_well(claim) and not is_good:
            return Fact(1.0, shown, "failed")
        near = behind[:_BEHIND].replace("nothing else", "").replace("nothing but", "")
        silent = any(words in near for words in _SILENT)
        if silent and output and not any(sign in command for sign in _JOINING):
            return Fact(1.0, shown, "printed something")
    return None


def _last_call(spoken: list[str], turn: Timeline) -> int:
    """Return the position of the last shell call with these words in order, -1 without one.

    Options may stand between them in the command.
    """
    for index, words in turn.texts.commands:
        starts = (at for at, word in enumerate(words) if word == spoken[0])
        if any(_begins_with(spoken, words[at:]) for at in starts):
            return index
    return -1


def _begins_with(spoken: list[str], words: list[str]) -> bool:
    """Tell whether a command begins with the spoken words, options aside."""
    at = 0
    for word in words:
        if word == spoken[at]:
            at += 1
        elif word[0] != "-":
            return False
        if at == len(spoken):
            return True
    return False


def failed_at_the_end(turn: Timeline) -> Run | None:
    """Return the last run of the turn when it failed, with no edit behind it."""
    last = last_of(run for run in turn.runs if run.kind != GIT)
    is_end = last is not None and last.index > turn.last_edit
    return last if is_end and last is not None and last.outcome.status == FAILED else None


def asked_again(look: Run, turn: Timeline) -> bool:
    """Tell whether a later command asks the same program, in a form that no row reads."""
    program = look.command.split()[0] if look.command else ""
    later = turn.calls[look.index + 1 :]
    return any(program in argument(call, "command").split() for call in later)


def is_stale(run: Run, turn: Timeline) -> bool:
    return run.index < turn.last_edit


def last_of(runs: Iterable[Run]) -> Run | None:
    return next(reversed(tuple(runs)), None)


def shown_by(value: float, run: Run, says: str) -> Fact:
    return Fact(value, Shown(run.call_id, shortened(run.command), run.outcome.line.strip()), says)


def shortened(command: str) -> str:
    if len(command) <= _LONGEST_COMMAND:
        return command
    return f"{command[: _LONGEST_COMMAND - 3]}..."


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
_LONGEST_ACT, _MOST_RUNS = 400, 40


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
    for word in command[:_LONGEST_ACT].replace(".", " ").replace(":", " ").split():
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
    for word in command[:_LONGEST_ACT].lower().split():
        for part in word.replace("=", " ").replace(":", " ").replace(",", " ").split():
            name = part.strip("'\"*()").rpartition("/")[2]
            if name and not name.startswith("-"):
                things |= {name, name.partition(".")[0]}
    return things
