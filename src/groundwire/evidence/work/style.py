"""Offences against a style, which say nothing of how the thing runs and whom it affects."""

from __future__ import annotations

from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.outputs.lines import clean
from groundwire.evidence.runs.results import read_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts

#: Claims of how something runs, or of what it leaves alone.
_OF_RUNNING = frozenset(("fixed", "guarantee", "safety", "verified", "works"))
#: Words of a sentence that a linter decides, too.
_OF_CHECKS = frozenset(
    "check checks ci clean cleanly format formatted formatting green offense offenses pipeline "
    "pipelines style warning warnings".split()
)
#: Words of a request to put a linter's findings right.
_ASKED = ("lint", "rubocop", "ruff", "clippy", "flake8", "checkstyle", "warning", "style")
#: Linters that compile what they read.
_COMPILING = ("go vet",)
#: What linters call a fault that stops a program or changes what it does, in lower case.
_FAULTS = (
    "(typecheck)",
    "cannot find",
    "could not compile",
    "couldn't parse",
    "e999",
    "error[e",
    "f821",
    "invalid-syntax",
    "lint/syntax",
    "no-undef",
    "no-unresolved",
    "parse error",
    "parsing error",
    "syntax error",
    "syntaxerror",
    "undefined method",
    "undefined name",
    "undefined variable",
    "undefined:",
)


def without_style(failures: list[Run], claim: Claim, facts: Facts) -> list[Run]:
    """Return the failures without linters that only found offences against a style.

    All of them when the sentence tells of checks, or of all of something, and when the user asked
    for the offences to be put right.
    """
    if claim.sort not in _OF_RUNNING or claim.lints or claim.whole:
        return failures
    if not _OF_CHECKS.isdisjoint(word.strip(".,:;!*`()") for word in claim.text.split()):
        return failures
    asked = facts.seen.told[0].lower()
    if any(word in asked for word in _ASKED):
        return failures
    return [run for run in failures if not _is_style(run, facts)]


def _is_style(run: Run, facts: Facts) -> bool:
    if run.kind != runs.LINT or run.tool in _COMPILING:
        return False
    text = clean(read_result(facts.calls[run.index]).text).lower()
    return not any(fault in text for fault in _FAULTS)
