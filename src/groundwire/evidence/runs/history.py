"""The runs of a turn in order: what came out last, and what was left broken."""

from __future__ import annotations

from groundwire.evidence.runs.classify import NO_RUN
from groundwire.evidence.runs.misuse import was_misused
from groundwire.evidence.runs.model import FAILED, OTHER, PASSED, UNKNOWN, Run
from groundwire.evidence.runs.signature import covers, group_of, name_of, scope_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: What only looks: when it fails, nothing is broken.
_LOOKING = frozenset(("git status", "git log", "git diff", "gh"))
_CUT_SHORT = ("timed out", "interrupted")
#: Passed runs of one tool and scope that a failure is compared with, the latest ones.
_MOST_COMPARED = 64


def last_outcomes(runs: Sequence[Run]) -> dict[str, Run]:
    """Return the last run of each signature, in the order of these last runs.

    A run without a known outcome does not replace one that has it.
    """
    last: dict[str, Run] = {}
    for run in runs:
        before = last.get(run.signature)
        if before is not None and not _is_known(run) and _is_known(before):
            continue
        last.pop(run.signature, None)
        last[run.signature] = run
    return last


def open_failures(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return the runs that failed or were cut short, and that no later one made good.

    A later run does when it passed and has the same signature, or does the same and more with the
    same tool. Of several failures of one signature the last one counts.
    """
    good = _Good()
    seen: set[str] = set()
    left: list[Run] = []
    for run in reversed(runs):
        if run.outcome.status == PASSED:
            good.add(run)
        elif _is_broken(run) and run.signature not in seen and not good.makes_good(run):
            left.append(run)
        if _is_known(run):
            seen.add(run.signature)
    return tuple(reversed(left))


def _is_known(run: Run) -> bool:
    return run.outcome.status in (PASSED, FAILED)


def _is_broken(run: Run) -> bool:
    if run.tool in _LOOKING or NO_RUN in scope_of(run.signature):
        return False
    is_server = run.background or run.command.startswith("timeout ")
    if run.kind == OTHER and run.outcome.status == UNKNOWN and is_server:
        return False  # it was started for some time, and stopped
    return run.outcome.status == FAILED or run.outcome.line.startswith(_CUT_SHORT)


class _Good:
    """Runs that passed, the latest first, kept so that asking costs the same however many."""

    def __init__(self) -> None:
        self._signatures: set[str] = set()
        self._alike: dict[tuple[str, bool], list[str]] = {}  # by tool and scope, narrow or not
        self._names: set[str] = set()
        self._whole: dict[tuple[str, str], set[tuple[str, bool]]] = {}  # by tool and kind
        self._words: dict[str, list[frozenset[str]]] = {}  # of commands without a tool, by name

    def add(self, run: Run) -> None:
        signature = run.signature
        if signature in self._signatures:
            return
        self._signatures.add(signature)
        alike = self._alike.setdefault((group_of(signature), bool(run.narrow)), [])
        if len(alike) < _MOST_COMPARED:
            alike.append(signature)
        name = name_of(signature)
        self._names.add(name)
        words = self._words.setdefault(name, [])
        if not run.tool and len(words) < _MOST_COMPARED:
            words.append(frozenset(run.command.split()))
        if run.tool and not run.narrow:
            whole = self._whole.setdefault((run.tool, run.kind), set())
            whole.add((name, bool(scope_of(signature))))

    def makes_good(self, run: Run) -> bool:
        """Tell whether one of them made the failed ``run`` good."""
        signature = run.signature
        if signature in self._signatures:
            return True
        group = group_of(signature)
        for narrow in (False, True):
            if any(covers(later, signature) for later in self._alike.get((group, narrow), ())):
                return True
        name, has_scope = name_of(signature), bool(scope_of(signature))
        if was_misused(run):  # in another spelling
            return name in self._names
        if has_scope and not run.tool:  # the same task, and others with it
            words = frozenset(run.command.split())
            if any(map(words.issubset, self._words.get(name, ()))):
                return True
        # The same tool behind a task or a script: one of the two says nothing about what it covers.
        whole = self._whole.get((run.tool, run.kind), ())
        return any(other != name and not (scope and has_scope) for other, scope in whole)
