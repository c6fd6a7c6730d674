"""Which open failures of a turn speak against a claim, and which runs are about its part."""

from __future__ import annotations

from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.misuse import was_not_understood

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts

_DECIDED = (runs.TEST, runs.BUILD)
#: Compilers that are given single files: what they refuse need not be part of the project.
_COMPILERS = frozenset("gcc g++ cc c++ clang clang++ rustc javac nvcc kotlinc swiftc".split())
#: Words of test commands that name no part of a project.
_GENERIC = frozenset(
    "all and any are bin but bundle can cargo cmd composer coverage dev dotnet exec for full "
    "gradle gradlew has jest lib make mise mocha mvn new not now out src the uv was bun "
    "mvnw node npm npx package pass passed passes passing phpunit pnpm poetry pytest python "
    "python3 quiet rspec run spec specs suite test tests tox unittest vendor verbose vitest with "
    "yarn".split()
)
_NOT_STARTED = (
    "command not found",
    "No rule to make target",
    "Missing script",
    "error MSB1008",
    "Cannot connect to the Docker daemon",
)
_SHELLS = ("/bin/bash:", "bash:", "/bin/sh:", "sh:", "zsh:", "/bin/zsh:", "(eval):")
_SHORTEST = 3
#: Tools and words of tests that go through the whole program, which unit tests do not.
_WHOLE_WAY = frozenset(
    "acceptance cypress detox e2e integration maestro nightwatch playwright puppeteer smoke "
    "testcafe wdio webdriverio".split()
)
_MARKS = "/\\.:_-=,'\"()[]{}*`+@$<>|;&"


def speaking(failures: Sequence[Run], facts: Facts) -> list[Run]:
    """Return the failures without those that show nothing while the rest of their kind passed."""
    return [
        failure
        for failure in failures
        if failure.kind not in _DECIDED or decides(failure, facts) or not facts.passed(failure.kind)
    ]


def decides(failure: Run, facts: Facts) -> bool:
    """Tell whether a failed test or build shows that something does not work.

    A run that could not start shows nothing, nor does a single file that a compiler refused when
    the project itself was built.
    """
    if failure.kind not in _DECIDED or not_started(failure):
        return False
    if failure.kind == runs.BUILD and failure.tool in _COMPILERS:
        return not any(run.tool not in _COMPILERS for run in facts.passed(runs.BUILD))
    return True


def not_started(run: Run) -> bool:
    """Tell whether the command was given wrongly: there is no such program, script or folder."""
    line = run.outcome.line
    if any(sign in line for sign in _NOT_STARTED) or f"No module named {run.tool}" in line:
        return True
    if was_not_understood(run):
        return True
    return line.startswith(_SHELLS) and "o such file or directory" in line


def of_part(text: str, passed: Sequence[Run], failures: Sequence[Run]) -> list[Run]:
    """Return the passed runs of the part that the folded sentence names, and no failure is of.

    "The cart tests pass" is about ``pytest tests/test_cart.py``, whatever another file gave.
    """
    said = _words(text)
    broken = [_words(run.command) for run in failures]
    own = [run for run in passed if not said.isdisjoint(_words(run.command).difference(*broken))]
    if not own and "unit" in said and not any(map(_WHOLE_WAY.isdisjoint, broken)):
        return [run for run in passed if _WHOLE_WAY.isdisjoint(_words(run.command))]
    return own


def _words(text: str) -> set[str]:
    for mark in _MARKS:
        text = text.replace(mark, " ")
    words = {word for word in text.lower().split() if len(word) >= _SHORTEST}
    return words - _GENERIC
