"""What a session remembers of its earlier turns: a digest of their ledgers, small enough to keep.

Plain data in bounded lists, the oldest dropped first. Merging the same turn twice changes nothing,
as happens when a turn was sent back and ends a second time.
"""

from __future__ import annotations

from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts

#: Bounds of a digest: entries, and characters of all entries of a list together.
_MOST_RUNS, _RUN_CHARACTERS = 30, 8_000
_MOST_PATHS, _PATH_CHARACTERS = 120, 4_000
_MOST_COMMITS = 60
_MOST_TODOS, _TODO_CHARACTERS = 30, 2_000
_MOST_SEARCHES, _SEARCH_CHARACTERS = 12, 800
_MOST_FIGURES, _FIGURE_CHARACTERS = 150, 1_200
_LONGEST_TEXT = 160
_MOST_EDITED = 3  # files named as edited after one run
#: Characters of one result, at its end, in which figures and commits are looked for.
_LONGEST_RESULT = 4_000
_FIGURES_WITHIN = 600
_MOST_OUTPUTS = 60
_HASH = 7
_MOST_PROMPT = 4_000


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
    seven digits of hashes; ``todos`` id and text of what is open; ``searches`` what was looked for
    and not found; ``figures`` numbers from the ends of outputs. ``whole`` says that the session was
    seen from its beginning and no run was dropped.
    """

    runs: tuple[PastRun, ...] = ()
    edited: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    todos: tuple[tuple[str, str], ...] = ()
    searches: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    whole: bool = True

    @property
    def text(self) -> str:
        """All that a look-up may ask for, as one text: paths, commits, commands, lines, figures."""
        lines = [part for run in self.runs for part in (run.command, run.line)]
        lines += [*self.edited, *self.paths, " ".join(self.commits), " ".join(self.figures)]
        return "\n".join(lines)


def extended(before: Digest | None, facts: Facts, prompt: str, cwd: str) -> Digest:
    """Return the digest after a turn with these facts; None: nothing is known of what was before.

    Linear in the turn and in the digest, which stays within its bounds.
    """
    from groundwire.evidence.turn.actions import open_tasks

    before = before or Digest(whole=False)
    runs, dropped = _runs(before, facts)
    searches = [search.pattern for search in facts.actions.searches if search.hits == 0]
    todos = open_tasks(facts.calls, before.todos)
    edited = [edit.path for edit in facts.actions.edits if edit.succeeded]
    edited += [path for _, path in facts.last_changes]
    return Digest(
        runs,
        _newest(before.edited, _within(edited, cwd), _MOST_PATHS, _PATH_CHARACTERS),
        _newest(before.paths, _paths(facts, prompt, cwd), _MOST_PATHS, _PATH_CHARACTERS),
        _newest(before.commits, _commits(facts), _MOST_COMMITS),
        tuple((key[:20], text[:_LONGEST_TEXT]) for key, text in todos)[-_MOST_TODOS:],
        _newest(before.searches, searches, _MOST_SEARCHES, _SEARCH_CHARACTERS),
        _newest(before.figures, _figures(facts), _MOST_FIGURES, _FIGURE_CHARACTERS),
        before.whole and not facts.partial and not dropped,
    )


def _runs(before: Digest, facts: Facts) -> tuple[tuple[PastRun, ...], bool]:
    """Return the last outcomes after the turn, and whether some had to be dropped."""
    from groundwire.evidence.runs.history import last_outcomes
    from groundwire.evidence.runs.model import PASSED
    from groundwire.evidence.turn.facts import still_open

    count = len(before.runs)
    edited = {at - count: run.edited for at, run in enumerate(before.runs)}
    earlier = [as_run(run, at - count) for at, run in enumerate(before.runs)]
    runs = [*earlier, *(run for run in facts.runs if is_kept(run))]
    broken = {(run.index, run.signature) for run in still_open(runs)}
    left = sorted(
        (
            run
            for run in last_outcomes(runs).values()
            if run.outcome.status == PASSED or (run.index, run.signature) in broken
        ),
        key=lambda run: run.index,
    )
    past = [_past(run, (*edited.get(run.index, ()), *facts.edited_after(run))) for run in left]
    kept = _within_bounds(past)
    return kept, len(kept) < len(past)


def is_kept(run: Run) -> bool:
    """Tell whether a later claim can ask for a run."""
    from groundwire.evidence.runs import model

    if run.kind == model.GIT:
        return run.tool in ("git commit", "git push")
    return run.kind in (model.TEST, model.BUILD, model.LINT, model.TYPES)


def as_run(past: PastRun, index: int = -1) -> Run:
    """Return a run of an earlier turn; its negative ``index`` puts it before those of this one."""
    from groundwire.evidence.runs.model import Outcome, Run

    outcome = Outcome(past.status, past.passed, total=past.total, line=past.line)
    return Run("", index, past.command, past.kind, past.tool, past.signature, outcome, past.narrow)


def _past(run: Run, edited: tuple[str, ...]) -> PastRun:
    outcome = run.outcome
    return PastRun(
        run.signature,
        run.kind,
        run.tool,
        run.command[:_LONGEST_TEXT],
        outcome.status,
        outcome.passed,
        outcome.total,
        outcome.line.strip()[:_LONGEST_TEXT],
        run.narrow[:_LONGEST_TEXT],
        tuple(dict.fromkeys(path.rpartition("/")[2] for path in edited))[:_MOST_EDITED],
    )


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


def _paths(facts: Facts, prompt: str, cwd: str) -> list[str]:
    from groundwire.evidence.ledger import paths_in, whole_paths

    named = [path for call in facts.calls for path in whole_paths(call)]
    return _within([*sorted(paths_in(prompt[:_MOST_PROMPT])), *named], cwd)


def _within(paths: list[str], cwd: str) -> list[str]:
    from groundwire.evidence.runs.places import within

    return [within(path, cwd) for path in paths]


def _commits(facts: Facts) -> list[str]:
    from groundwire.scan.commits import is_hash

    found = []
    for text in _outputs(facts, "git"):
        plain = text
        for sign in "[]().,:*":
            plain = plain.replace(sign, " ")
        found += [word[:_HASH] for word in plain.split() if is_hash(word)]
    return found


def _figures(facts: Facts) -> list[str]:
    found = []
    for text in _outputs(facts, ""):
        words = text[-_FIGURES_WITHIN:].split()
        numbers = (word for word in words if not word[0].isalpha())
        found += [figure for word in numbers if (figure := _figure(word))]
    return found


def _figure(word: str) -> str:
    """Return the number at the beginning of a word; "" for one digit alone."""
    word = word.lstrip("([{=+-~$")
    end = 0
    while end < len(word) and (word[end].isdigit() or word[end] in ".,"):
        end += 1
    number = word[:end].rstrip(".,")
    return number if 1 < len(number) <= 15 and number[0].isdigit() else ""


def _outputs(facts: Facts, word: str) -> list[str]:
    """Return the ends of what the last commands that hold ``word`` printed, in order."""
    texts: list[str] = []
    for call in reversed(facts.calls):
        command = call.input.get("command")
        if call.result and isinstance(command, str) and word in command:
            texts.append(call.result[-_LONGEST_RESULT:])
        if len(texts) >= _MOST_OUTPUTS:
            break
    return texts[::-1]
