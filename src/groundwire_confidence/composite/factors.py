"""The factors of the composite: from plain facts, and from the ledger of a turn."""

from __future__ import annotations

from groundwire.base.errors import ConfidenceError
from groundwire.base.record import Record
from groundwire.inputs.shell.paths import is_code, is_test_file
from groundwire.turn.records import BUILD, LINT, PASSED, TEST, TYPES, argument
from groundwire_confidence.assessment import number, shown, unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from groundwire.turn.records import Run
    from groundwire.turn.timeline import Timeline


#: R000-04: each relevant result adds this much to the best similarity, up to the limit.
RELEVANCE = 0.7
_RESULT_BONUS = 0.05
_MOST_BONUS = 0.2
#: R000-05: what each proof about the code is worth.
_CODE_PARTS = (
    ("code_exists", 0.30),
    ("syntax_valid", 0.20),
    ("type_valid", 0.20),
    ("tests_exist", 0.15),
    ("tests_pass", 0.15),
)
#: R000-08: the score of a text without markers, the worth of a marker, and the most of each sort.
_NEUTRAL = 0.5
_CERTAIN, _UNCERTAIN = 0.10, 0.15
_MOST_MARKERS = 0.5
#: R000-09: the score of an agent without history.
NO_HISTORY = 0.5


def knowledge_base_score(
    retrieval_results: Iterable[Mapping[str, Any]], threshold: float = RELEVANCE
) -> float:
    """Return how well retrieval supports a response, 0-1.

    Each result has a ``similarity`` from -1 to 1. Those from ``threshold`` on are relevant; the
    best of them counts, and 0.05 for each, at most 0.2. Raises ConfidenceError for anything else.
    """
    floor = unit("threshold", threshold)
    if isinstance(retrieval_results, str | bytes) or not hasattr(retrieval_results, "__iter__"):
        raise ConfidenceError(
            f"retrieval_results: value {shown(retrieval_results)}: allowed: a list of results"
        )
    similarities = [_similarity(index, result) for index, result in enumerate(retrieval_results)]
    relevant = [similarity for similarity in similarities if similarity >= floor]
    if not relevant:
        return 0.0
    return min(round(max(relevant) + min(len(relevant) * _RESULT_BONUS, _MOST_BONUS), 6), 1.0)


def code_validation_score(
    code_exists: bool = False,
    syntax_valid: bool = False,
    type_valid: bool = False,
    tests_exist: bool = False,
    tests_pass: bool = False,
) -> float:
    """Return how far the code is proven, 0-1. Raises ConfidenceError for what is no truth value."""
    facts = (code_exists, syntax_valid, type_valid, tests_exist, tests_pass)
    total = 0.0
    for (name, worth), fact in zip(_CODE_PARTS, facts, strict=True):
        if not isinstance(fact, bool):
            raise ConfidenceError(f"{name}: value {shown(fact)}: allowed: True or False")
        total += worth if fact else 0.0
    return min(round(total, 2), 1.0)


def response_certainty_score(uncertain: int, certain: int) -> float:
    """Return how certain a text is of itself, 0-1, from its numbers of markers of each sort."""
    raised = min(_CERTAIN * certain, _MOST_MARKERS)
    lowered = min(_UNCERTAIN * uncertain, _MOST_MARKERS)
    return min(max(round(_NEUTRAL + raised - lowered, 2), 0.0), 1.0)


def agent_history_score(met: int, total: int, prior: float = 0) -> float:
    """Return the share of an agent's runs that succeeded, 0-1; 0.5 without runs.

    That 0.5 counts as ``prior`` runs more, half of which succeeded: the mean of the posterior of a
    beta distribution. With 2 that is the rule of succession (Laplace 1774).
    """
    return (met + NO_HISTORY * prior) / (total + prior) if total else NO_HISTORY


def _similarity(index: int, result: object) -> float:
    name = f"retrieval_results[{index}]"
    try:
        value = result["similarity"]  # type: ignore[index]
    except (TypeError, KeyError, IndexError):
        raise ConfidenceError(f"{name}: allowed: a mapping with a similarity") from None
    # a cosine may exceed its range by rounding
    exact = round(number(f"{name}.similarity", value), 6)
    if not -1.0 <= exact <= 1.0:
        raise ConfidenceError(f"{name}.similarity: value {shown(value)}: allowed: from -1 to 1")
    return exact


_CHECKS = (TEST, BUILD, LINT, TYPES)
#: Builds and test runs of these tools compile, and so they check types.
_COMPILERS = frozenset(
    (
        *("gcc", "cargo build", "cargo check", "cargo test", "nextest", "go build", "go test"),
        *("gotestsum", "ginkgo", "dotnet build", "dotnet test", "gradle", "maven", "swift build"),
        *("swift test", "xcodebuild", "zig"),
    )
)


class CodeEvidence(Record):
    """Which proofs about the code a turn holds (R000-05)."""

    exists: bool = False
    syntax_valid: bool = False
    types_valid: bool = False
    tests_exist: bool = False
    tests_pass: bool = False

    @property
    def score(self) -> float:
        """The factor, 0-1."""
        return code_validation_score(*(getattr(self, name) for name in type(self)._fields))

    def why(self) -> str:
        """Return what was shown and what was not, in a few words."""
        shown = [_said(name) for name in type(self)._fields if getattr(self, name)]
        missing = [_said(name) for name in type(self)._fields if not getattr(self, name)]
        parts = [f"shown: {', '.join(shown)}"] if shown else []
        return "; ".join([*parts, f"not shown: {', '.join(missing)}"] if missing else parts)


def code_evidence(turn: Timeline | None) -> CodeEvidence | None:
    """Return what a turn proves about its code; None when it neither changed nor checked any.

    A check counts when it passed, nothing was edited after it, and none of its kind is left
    failed. A build, a linter, a type checker and a test run all have to parse the code; compilers
    check types, too.
    """
    if turn is None:
        return None
    checks = [run for run in turn.latest if run.kind in _CHECKS]
    changed = [edit.path for edit in turn.edits if edit.is_source]
    if not changed and not checks:
        return None
    read_paths = [
        argument(call, "file_path")
        for call in turn.calls
        if call.name == "Read" and not call.is_error and call.result is not None
    ]
    test_runs = [run for run in checks if run.kind == TEST]
    return CodeEvidence(
        exists=bool(changed) or any(is_code(path) for path in read_paths),
        syntax_valid=_is_shown(turn, checks, (BUILD,)),
        types_valid=_is_shown(turn, [run for run in checks if _checks_types(run)], (TYPES, BUILD)),
        tests_exist=bool(test_runs) or any(is_test_file(path) for path in (*read_paths, *changed)),
        tests_pass=_is_shown(turn, test_runs, (TEST,)),
    )


def _is_shown(turn: Timeline, runs: list[Run], decisive: tuple[str, ...]) -> bool:
    """Tell whether one of ``runs`` passed after all edits and nothing decisive is left failed."""
    passed = (run for run in runs if run.outcome.status == PASSED and run.index > turn.last_edit)
    return any(passed) and not turn.failed(*decisive)


def _checks_types(run: Run) -> bool:
    return run.kind == TYPES or (run.kind in (BUILD, TEST) and run.tool in _COMPILERS)


def _said(name: str) -> str:
    return "code exists" if name == "exists" else name.replace("_", " ")
