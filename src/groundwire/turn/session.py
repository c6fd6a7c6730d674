"""What a session remembers of its earlier turns: a digest of their ledgers, small enough to keep.

Plain data in bounded lists, the oldest dropped first. Merging the same turn twice changes nothing,
as happens when a turn was sent back and ends a second time.
"""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.inputs.shell.paths import file_name, relative_path
from groundwire.language.paths import find_paths
from groundwire.language.references import is_hash
from groundwire.turn.records import (  # fmt: skip
    BUILD,
    GIT,
    LINT,
    PASSED,
    TEST,
    TYPES,
    Outcome,
    Run,
    argument,
)
from groundwire.turn.timeline import last_outcomes, still_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.turn.timeline import Timeline

#: Bounds of a digest: entries, and characters of all entries of a list together.
_MOST_RUNS, _RUN_CHARACTERS = 30, 8_000
_MOST_PATHS, _PATH_CHARACTERS = 120, 4_000
_MOST_COMMITS = 60
_MOST_FIGURES, _FIGURE_CHARACTERS = 150, 1_200
_LONGEST_TEXT = 160
_MOST_EDITED = 3  # files named as edited after one run
#: Characters of one result, at its end, in which figures and commits are looked for.
_LONGEST_RESULT, _FIGURES_WITHIN = 4_000, 600
_MOST_OUTPUTS, _MOST_PROMPT, _HASH, _LONGEST_FIGURE = 60, 4_000, 7, 15
#: Kinds of runs that a later claim can ask for; of git it is commits and pushes.
KEPT = (TEST, BUILD, LINT, TYPES)
_PATHS = ("file_path", "path", "notebook_path", "filePath", "directory")


class PastRun(Record):
    """The last known outcome of one command, and the source files that were edited after it."""

    signature: str
    kind: str
    tool: str
    command: str
    status: str
    passed: int | None = None
    total: int | None = None
    line: str = ""
    narrow: str = ""
    edited: tuple[str, ...] = ()


class Digest(Record):
    """The earlier turns of a session.

    ``runs`` are in order, the failed ones among them are still open; of git only commits and
    pushes are kept. ``edited`` and ``paths`` are files, the latest last; ``commits`` the first
    seven digits of hashes; ``figures`` numbers from the ends of outputs. ``whole`` says that the
    session was seen from its beginning and no run was dropped, ``used`` that a tool was called,
    ``deeds`` what one of its calls could have done (``session_did``).
    """

    runs: tuple[PastRun, ...] = ()
    edited: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    whole: bool = True
    used: bool = False
    deeds: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All that a look-up may ask for, as one text: paths, commits, commands, lines, figures."""
        lines = [part for run in self.runs for part in (run.command, run.line)]
        lines += [*self.edited, *self.paths, " ".join(self.commits), " ".join(self.figures)]
        return "\n".join(lines)


def extended(before: Digest | None, timeline: Timeline, prompt: str, cwd: str) -> Digest:
    """Return the digest after a turn; None: nothing is known of what was before it.

    Linear in the turn and in the digest, which stays within its bounds.
    """
    before = before or Digest(whole=False)
    past = _runs(before, timeline)
    runs = _within_bounds(past)
    edited = [edit.path for edit in timeline.edits]
    named = [path for call in timeline.calls for name in _PATHS if (path := argument(call, name))]
    lines = prompt[:_MOST_PROMPT].split("\n")
    told = [spot.path for line in lines for spot in find_paths(line, 0, len(line))]
    paths = [relative_path(path, cwd) for path in (*told, *named)]
    return Digest(
        runs,
        _newest(before.edited, edited, _MOST_PATHS, _PATH_CHARACTERS),
        _newest(before.paths, paths, _MOST_PATHS, _PATH_CHARACTERS),
        _newest(before.commits, _commits(timeline), _MOST_COMMITS),
        _newest(before.figures, _figures(timeline), _MOST_FIGURES, _FIGURE_CHARACTERS),
        before.whole and not timeline.partial and len(runs) == len(past),
        before.used or bool(timeline.calls),
        before.deeds,
    )


def _runs(before: Digest, timeline: Timeline) -> list[PastRun]:
    """Return the last outcomes after the turn: what passed, and the failures that are still open.

    Those of earlier turns stand before those of this one, at negative positions.
    """
    earlier = []
    for at, it in enumerate(before.runs, -len(before.runs)):
        outcome = Outcome(it.status, it.passed, total=it.total, line=it.line)
        earlier.append(Run("", at, it.command, it.kind, it.tool, it.signature, outcome, it.narrow))
    runs = [*earlier, *(run for run in timeline.runs if _is_kept(run))]
    broken = {(run.index, run.signature) for run in still_open(runs)}
    last = sorted(last_outcomes(runs).values(), key=lambda run: run.index)
    return [
        _past(run, (before.runs[run.index].edited if run.index < 0 else ()) + after)
        for run, after in ((run, timeline.edited_after(run)) for run in last)
        if run.outcome.status == PASSED or (run.index, run.signature) in broken
    ]


def _is_kept(run: Run) -> bool:
    if run.kind == GIT:
        return run.tool in ("git commit", "git push")
    return run.kind in KEPT


def _past(run: Run, edited: tuple[str, ...]) -> PastRun:
    known = run.outcome
    texts = (run.command, known.line.strip(), run.narrow)
    command, line, narrow = (text[:_LONGEST_TEXT] for text in texts)
    names = tuple(dict.fromkeys(map(file_name, edited)))[:_MOST_EDITED]
    counted = (known.status, known.passed, known.total)
    return PastRun(run.signature, run.kind, run.tool, command, *counted, line, narrow, names)


def _within_bounds(runs: list[PastRun]) -> tuple[PastRun, ...]:
    kept: list[PastRun] = []
    left = _RUN_CHARACTERS
    for run in reversed(runs[-_MOST_RUNS:]):
        left -= len(run.signature) + len(run.command) + len(run.line) + len(run.narrow)
        if left < 0:
            break
        kept.append(run)
    return tuple(reversed(kept))


def _newest(
    before: tuple[str, ...], new: list[str], most: int, characters: int = 1_000_000
) -> tuple[str, ...]:
    """Return the latest distinct texts within the bounds, in the order of their last mention."""
    kept: dict[str, None] = {}
    for text in (whole[:_LONGEST_TEXT] for whole in (*reversed(new), *reversed(before))):
        if not text or text in kept:
            continue
        characters -= len(text)
        if characters < 0 or len(kept) >= most:
            break
        kept[text] = None
    return tuple(reversed(kept))


def _commits(timeline: Timeline) -> list[str]:
    text = " ".join(_outputs(timeline, "git"))
    for sign in "[]().,:*":
        text = text.replace(sign, " ")
    return [word[:_HASH] for word in text.split() if len(word) >= _HASH and is_hash(word)]


def _figures(timeline: Timeline) -> list[str]:
    """Return the numbers that stand at the beginning of words, without single digits."""
    ends = (text[-_FIGURES_WITHIN:] for text in _outputs(timeline, ""))
    words = [word.lstrip("([{=+-~$") for end in ends for word in end.split()]
    rows = [(word, word.lstrip("0123456789.,")) for word in words if word[:1].isdigit()]
    numbers = [word[: len(word) - len(rest)].rstrip(".,") for word, rest in rows]
    return [it for it in numbers if 1 < len(it) <= _LONGEST_FIGURE]


def _outputs(timeline: Timeline, word: str) -> list[str]:
    """Return the ends of what the last commands that hold ``word`` printed, in order."""
    texts = [
        call.result[-_LONGEST_RESULT:]
        for call in timeline.calls
        if call.result and "command" in call.input and word in argument(call, "command")
    ]
    return texts[-_MOST_OUTPUTS:]
