"""What a clean end of a check shows: a compiler's silence, and the result line of any tool."""

from __future__ import annotations

from groundwire.evidence.pointing import command_of, pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.runs.wrappers import base_name
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts

_COMPILES = (runs.BUILD, runs.TYPES)
#: Words of a result line that tell of no finding, and of findings.
_CLEAN = (
    "0 errors",
    "0 problems",
    "0 issues",
    "0 warnings",
    "0 violations",
    "0 offenses",
    "no errors",
    "no issues",
    "no problems",
    "no violations",
    "no warnings",
    "no findings",
    "all checks passed",
    "all clean",
)
_CLEAN_LINES = frozenset(("ok", "passed", "pass", "clean", "success", "valid"))
_LAST_LINES = 5
#: What a line with "warning" says where none was given.
_NO_WARNING = ("0 warning", "no warning", "zero warning", "without warning", "warnings: 0")
_SHORTEST_NAME = 3
_LINTERS = (
    "eslint", "ruff", "clippy", "rubocop", "flake8", "pylint", "golangci", "stylelint", "detekt",
)  # fmt: skip
#: Signs of a command that shows a part of its output.
_FILTERS = ("|", "/dev/null")
#: Checks that only read what was written.
_READING = (runs.LINT, runs.TYPES, runs.FORMAT)
_NO_FINDING = ("no error", "no issue", "no problem", "without error", "without issue")
_CLEAN_WORDS = (" clean", "exit code zero", "exit status zero", "exits zero", "exited zero")


def lint_silence(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge "no warnings" and "lint is clean" by another tool than a linter that is known.

    A build or a type check without a warning in all of its output shows that there are none; so
    does a program whose result line says so.
    """
    if any(name in claim.text for name in _LINTERS):  # which none of this turn is
        return None
    of_compiler = "warning" in claim.said and "console" not in claim.text
    run = _last_fresh(facts, *_COMPILES) if of_compiler else None
    if run:
        line = _warning_in(_output(run, facts))
        if line:
            return Verdict(UNSUPPORTED, f'{command_of(run)} printed "{line[:80]}"', run.call_id)
        if facts.is_cut(run) or _is_filtered(run, facts):
            return pointing(run, NOT_CHECKABLE, "its output is shown in part")
        return pointing(run, SUPPORTED, f"{command_of(run)} printed no warning")
    run = _last_fresh(facts, runs.OTHER, runs.FORMAT)
    status = _clean_status(_output(run, facts)) if run else ""
    return pointing(run, status, f"{command_of(run)} found nothing") if run and status else None


def named_check(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge "it works" in a sentence that names a checker which passed after the last edit.

    "Vale comes back clean" is what it printed; that something works otherwise it does not show.
    """
    words = {word.strip(".,:;!*`()'\"") for word in claim.text.split()}
    for run in reversed(facts.passed(*_READING)):
        if facts.is_stale(run):
            continue
        if words.isdisjoint(_names(run)):
            if any(words_ in claim.said for words_ in _NO_FINDING):
                return pointing(run, QUALIFIED, f"{command_of(run)} found nothing")
            continue
        is_result = any(word in f" {claim.said}" for word in _CLEAN_WORDS)
        status = SUPPORTED if is_result else QUALIFIED
        return pointing(run, status, f"{command_of(run)} passed after the last edit")
    return None


def read_only(facts: Facts) -> Verdict | None:
    """Return what speaks against a claim of working when only checkers ran after the last edit."""
    run = _last_fresh(facts, *_READING)
    if run is None:
        return None
    why = f"{command_of(run)} reads the files, and nothing was run after the last edit"
    return pointing(run, UNSUPPORTED, why)


def _last_fresh(facts: Facts, *kinds: str) -> Run | None:
    found = [run for run in facts.passed(*kinds) if not facts.is_stale(run)]
    return found[-1] if found else None


def _names(run: Run) -> set[str]:
    """Return the names of the program of a run: "npx prettier --check" is of prettier."""
    named = {base_name(word).lower() for word in run.command.split()[:3] if word[:1] != "-"}
    named &= {run.signature.partition("|")[0].rpartition(" ")[2].lower(), run.tool.lower()}
    return {name for name in named if len(name) >= _SHORTEST_NAME}


def _output(run: Run, facts: Facts) -> str:
    return read_result(facts.calls[run.index]).text.lower()


def _warning_in(text: str) -> str:
    """Return the first line with a warning, or ""."""
    if "warn" not in text:
        return ""
    for line in text.split("\n"):
        if ("warning" in line or line.startswith("warn")) and not any(
            words in line for words in _NO_WARNING
        ):
            return line.strip()
    return ""


def _is_filtered(run: Run, facts: Facts) -> bool:
    text = facts.calls[run.index].input.get("command")
    return not isinstance(text, str) or any(sign in text for sign in _FILTERS)


def _clean_status(text: str) -> str:
    """Return ``supported`` when one of the last lines says that nothing was found.

    A bare "OK" does not say what was looked for: ``qualified``; "" without either.
    """
    lines = [line.strip(" .!*=-\u2714\u2713\u2716") for line in text.split("\n") if line.strip()]
    lines = lines[-_LAST_LINES:]
    if any(f" {words}" in f" {line}" for words in _CLEAN for line in lines):
        return SUPPORTED
    return "" if _CLEAN_LINES.isdisjoint(lines) else QUALIFIED
