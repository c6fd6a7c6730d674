"""What the ledger of a turn proves about its code: the code-validation factor in the hook."""

from __future__ import annotations

from groundwire.confidence.composite.factors import code_validation_score
from groundwire.evidence.records import BUILD, LINT, PASSED, TEST, TYPES, argument
from groundwire.record import Record
from groundwire.shell.places import is_code, is_test_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.records import Run
    from groundwire.evidence.timeline import Timeline

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
