"""A check that another command ran: ``pre-commit``, ``next build``, ``turbo run build test``."""

from __future__ import annotations

import re

from groundwire.evidence.message.claims import BUILD, LINT, TESTS, TYPES
from groundwire.evidence.passed.counts import printed_at
from groundwire.evidence.pointing import pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.results import read_result
from groundwire.model import SUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts

_KINDS = (runs.LINT, runs.TYPES, runs.BUILD, runs.TEST, runs.FORMAT, runs.OTHER, runs.GIT)
#: What the command or its output has in it, in lower case, when it ran a checker of this kind.
_TRACES = {
    LINT: (
        "lint", "ruff check", "clippy", "rubocop", "flake8", "biome check", "biome ci", "detekt",
        "checkstyle", "credo", "shellcheck", "standardrb",
    ),
    TYPES: (
        "mypy", "pyright", "tsc ", "svelte-check", "type check", "type-check", "typecheck",
        "validity of types", "phpstan", "psalm", "sorbet", "dialyzer", "flow check",
    ),
}  # fmt: skip
#: Programs that run several tasks in one command, each of which is named.
_RUNNERS = r"\b(?:turbo|nx|lerna|moon|rush|melos|just|task|run-[sp]|npm-run-all|npm|pnpm|yarn)\b.*"
_NAMED = {
    TESTS: re.compile(_RUNNERS + r"\btests?\b"),
    BUILD: re.compile(_RUNNERS + r"\bbuild\b"),
}
#: What tests print of themselves; a number in front of "failed" speaks against them.
_TESTED = re.compile(
    r"\b[1-9]\d* (?:tests? )?passed|\btests run: [1-9]|\ball tests passed|test result: ok|"
    r"100% tests passed|\btask :?\S*:test\b|\bpassed \([1-9]"
)
_FAILED = re.compile(r"\b[1-9]\d* (?:tests? )?failed|\bfailures: [1-9]|\berrors: [1-9]")


def within_another(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge a claim about a check by the last fresh run that passed and shows that it made it.

    A command that passed as a whole passed in each of its steps.
    """
    for run in reversed(facts.passed(*_KINDS)):
        if not facts.is_stale(run) and _has(claim, run, facts):
            return pointing(run, SUPPORTED, "it passed, and has this check in it")
    return None


def _has(claim: Claim, run: Run, facts: Facts) -> bool:
    text = read_result(facts.calls[run.index]).text.lower()
    if claim.sort == LINT and run.kind == runs.FORMAT:
        return "format" in claim.text or "fmt" in claim.text
    if claim.sort in _TRACES:
        return any(trace in f"{run.command}\n{text}\n".lower() for trace in _TRACES[claim.sort])
    if claim.sort == TESTS and claim.passed and printed_at(claim, facts) < run.index:
        return False
    if _NAMED[claim.sort].search(run.command):
        return True
    is_tested = claim.sort == TESTS and run.kind != runs.LINT and _TESTED.search(text)
    return bool(is_tested) and not _FAILED.search(text)
