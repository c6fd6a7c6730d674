"""A linter or a type checker that another command ran, as ``pre-commit`` and ``next build`` do."""

from __future__ import annotations

from groundwire.evidence.message.claims import LINT, TYPES
from groundwire.evidence.pointing import pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.results import read_result
from groundwire.model import SUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts

_KINDS = (runs.LINT, runs.TYPES, runs.BUILD, runs.TEST, runs.FORMAT, runs.OTHER)
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


def within_another(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge a claim about a checker by the last fresh run that passed and shows that it ran one.

    A command that passed as a whole passed in each of its steps.
    """
    traces = _TRACES.get(claim.sort, ())
    for run in reversed(facts.passed(*_KINDS)):
        if not facts.is_stale(run) and any(trace in _shown(run, facts) for trace in traces):
            return pointing(run, SUPPORTED, "it passed, and has this check in it")
    return None


def _shown(run: Run, facts: Facts) -> str:
    return f"{run.command}\n{read_result(facts.calls[run.index]).text}\n".lower()
