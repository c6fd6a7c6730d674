"""go build, go vet: ``# package`` and ``cart/cart.go:11:9: undefined: zero``; silent when well."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, Outcome
from groundwire.evidence.runs.outputs.lines import brief, is_number

_COMMAND = "go: "
#: What the go command says while it works, before it fails or not.
_PROGRESS = (
    "downloading finding found added upgraded downgraded removed extracting creating warning: to "
    "no".split()
)
_BROKEN = ("no Go files in ", "package ", "build constraints exclude all Go files in ")
_TEST_PACKAGE = ".test]"


def parse(output: str) -> Outcome | None:
    """Read the first error of a package, or of the go command itself.

    The package of a test ("# shop/cart [shop/cart.test]") belongs to ``go test``.
    """
    of_test = False
    for line in output.split("\n"):
        if line.startswith("# "):
            of_test = line.endswith(_TEST_PACKAGE)
        elif not of_test and (is_diagnostic(line) or is_complaint(line)):
            return Outcome(FAILED, line=brief(line))
    return None


def is_diagnostic(line: str) -> bool:
    """Tell whether ``line`` is "cart/cart.go:11:9: text" (or with "vet: " before it)."""
    parts = line.removeprefix("vet: ").split(":", 3)
    return (
        len(parts) == 4
        and parts[0].endswith(".go")
        and is_number(parts[1])
        and is_number(parts[2])
        and " " not in parts[0]
    )


def is_complaint(line: str) -> bool:
    """Tell whether ``line`` is an error of the go command: "go: cannot find main module"."""
    if line.startswith(_COMMAND):
        word = line.removeprefix(_COMMAND).partition(" ")[0]
        return word not in _PROGRESS
    return line.startswith(_BROKEN) and (" is not in " in line or not line.startswith("package "))
