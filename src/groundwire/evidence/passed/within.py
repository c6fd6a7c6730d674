"""A check that another command ran: ``pre-commit``, ``next build``, ``turbo run build test``."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.message.claims import BUILD, LINT, TESTS, TYPES
from groundwire.evidence.passed.counts import printed_at
from groundwire.evidence.pointing import pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.edits import succeeded
from groundwire.evidence.runs.programs.tasks import TRIVIAL
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.runs.shell import read_commands
from groundwire.evidence.runs.wrappers import base_name
from groundwire.model import SUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import ToolCall

_KINDS = (runs.LINT, runs.TYPES, runs.BUILD, runs.TEST, runs.FORMAT, runs.OTHER, runs.GIT)
#: What the command or its output has in it, in lower case, when it ran a checker of this kind.
_TRACES = {
    LINT: (
        " lint", ":lint", "linting", "eslint", "pylint", "stylelint", "golangci-lint", "ruff check",
        "clippy", "rubocop", "flake8", "biome check", "biome ci", "detekt", "checkstyle", "credo",
        "shellcheck", "standardrb",
    ),
    TYPES: (
        "mypy", "pyright", "tsc ", "svelte-check", "type check", "type-check", "typecheck",
        "validity of types", "phpstan", "psalm", "sorbet", "dialyzer", "flow check",
    ),
}  # fmt: skip
#: Programs that run several tasks in one command, each of which is named, and the names.
_RUNNERS = frozenset("turbo nx lerna moon rush melos just task npm pnpm yarn".split())
_NAMED = {TESTS: frozenset(("test", "tests")), BUILD: frozenset(("build",))}
#: Words of commands that may be such a run, whatever program they are of.
_WORDS_OF = {
    runs.TEST: frozenset("spec specs test tests unittest".split()),
    runs.BUILD: frozenset("assemble build check compile test tests".split()),
}
#: What tests print when all of them passed.
_ALL_PASSED = ("all tests passed", "test result: ok", "100% tests passed", ":test\n")
_COUNTED = frozenset("errors failed failures passed run".split())
_MARKS = ".,:;()[]"
_MOST_LINES = 400


def within_another(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge a claim about a check by the last fresh run that passed and shows that it made it.

    A command that passed as a whole passed in each of its steps.
    """
    for run in reversed(facts.passed(*_KINDS)):
        if not facts.is_stale(run) and _has(claim, run, facts):
            return pointing(run, SUPPORTED, "it passed, and has this check in it")
    return None


def unknown_runner(kind: str, facts: Facts) -> ToolCall | None:
    """Return a call after the last edit that may have been a run of this kind, by its words.

    Nobody knows every tool: ``pixi run test``, ``./tests/run``, ``idf.py build``.
    """
    wanted = _WORDS_OF.get(kind, frozenset())
    for call in facts.calls[facts.last_change + 1 :] if wanted else ():
        text = call.input.get("command")
        if call.name not in SHELL_TOOLS or not isinstance(text, str) or not succeeded(call):
            continue
        for command in read_commands(text):
            name = base_name(command.argv[0]) if command.argv else ""
            is_plain = name == "git" or (name in TRIVIAL and len(command.argv) > 1)
            if not is_plain and not wanted.isdisjoint(_parts(command.argv)):
                return call
    return None


def _parts(argv: tuple[str, ...]) -> list[str]:
    return "".join(one if one.isalnum() else " " for one in " ".join(argv).lower()).split()


def _has(claim: Claim, run: Run, facts: Facts) -> bool:
    text = read_result(facts.calls[run.index]).text.lower()
    if claim.sort == LINT and run.kind == runs.FORMAT:
        return "format" in claim.text or "fmt" in claim.text
    if claim.sort in _TRACES:
        return any(trace in f" {run.command}\n{text}\n".lower() for trace in _TRACES[claim.sort])
    if claim.sort == TESTS and claim.passed and printed_at(claim, facts) < run.index:
        return False
    words = set(_parts((run.command,)))
    if not _RUNNERS.isdisjoint(words) and not _NAMED[claim.sort].isdisjoint(words):
        return True
    return claim.sort == TESTS and run.kind != runs.LINT and _tells_passed(text)


def _tells_passed(text: str) -> bool:
    """Tell whether an output counts tests that passed, and none that failed."""
    counts = [pair for line in text.split("\n")[-_MOST_LINES:] for pair in _counts(line)]
    if any(count and name in ("failed", "failures", "errors") for count, name in counts):
        return False
    is_counted = any(count and name in ("passed", "tests run") for count, name in counts)
    return is_counted or any(words in f"{text}\n" for words in _ALL_PASSED)


def _counts(line: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers of a line with what they count: "3 tests passed", "Failures: 2"."""
    words = [word.strip(_MARKS) for word in line.replace(",", " ").split()]
    for at, word in enumerate(words):
        if word not in _COUNTED:
            continue
        near = [words[at - 1] if at else "", words[at - 2] if at > 1 else ""]
        near = [*words[at + 1 : at + 2], *near] if word in ("run", "failures", "errors") else near
        count = next((int(one) for one in near if one.isdigit()), 0)
        yield count, "tests run" if word == "run" else word
