"""What the output of a tool says about its result: one small parser for each tool.

A parser is a module with ``parse(output: str) -> Outcome | None``. It is given text that
``lines.clean`` has prepared. None: the output says nothing about the result of this tool (many
are silent when all is well). A count is None when it is not printed. A run that found nothing to
do is ``unknown`` with ``total`` 0. Without its summary (cut by ``| head``), only a failure is sure.
"""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.lines import brief, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

#: Tool -> module of its parser. Sorted, one line for each tool.
PARSERS: dict[str, str] = {
    "*": "exit_marks",
    "bats": "tap",
    "biome": "biome",
    "black": "black",
    "cargo build": "cargo_build",
    "cargo check": "cargo_build",
    "cargo clippy": "cargo_build",
    "cargo test": "cargo_test",
    "cmake": "cmake",
    "ctest": "ctest",
    "docker build": "docker_build",
    "dotnet build": "dotnet_build",
    "dotnet test": "dotnet_test",
    "eslint": "eslint",
    "flake8": "flake8",
    "gcc": "gcc",
    "git": "git",
    "git add": "git",
    "git apply": "git",
    "git checkout": "git",
    "git cherry-pick": "git_merge",
    "git commit": "git_commit",
    "git merge": "git_merge",
    "git pull": "git_merge",
    "git push": "git_push",
    "git rebase": "git_merge",
    "git reset": "git",
    "git stash": "git_merge",
    "git status": "git_status",
    "git tag": "git",
    "go build": "go_build",
    "go test": "go_test",
    "go vet": "go_build",
    "golangci-lint": "golangci_lint",
    "gotestsum": "go_test",
    "gradle": "gradle",
    "jest": "jest",
    "latex": "latex",
    "make": "make",
    "maven": "maven",
    "minitest": "minitest",
    "mocha": "mocha",
    "mypy": "mypy",
    "nextest": "cargo_test",
    "ninja": "make",
    "node": "node",
    "node_test": "node_test",
    "nox": "nox",
    "npm": "npm",
    "pest": "phpunit",
    "phpunit": "phpunit",
    "pip": "pip",
    "playwright": "playwright",
    "pnpm": "npm",
    "pre-commit": "pre_commit",
    "prettier": "prettier",
    "prove": "tap",
    "pyright": "pyright",
    "pytest": "pytest",
    "python": "python_traceback",
    "rspec": "rspec",
    "rubocop": "rubocop",
    "ruff": "ruff",
    "shellcheck": "shellcheck",
    "swift build": "swift_build",
    "swift test": "swift_test",
    "tap": "tap",
    "terraform": "terraform",
    "tox": "tox",
    "tsc": "tsc",
    "unittest": "python_unittest",
    "uv": "pip",
    "vitest": "vitest",
    "xcodebuild": "xcodebuild",
    "yarn": "npm",
}

#: Tool -> texts of which its output has at least one when it says something about the result. The
#: order decides between several tools that passed: tests, then builds and types, then linters,
#: then installations and what only wraps other tools.
SIGNS: dict[str, tuple[str, ...]] = {
    # tests
    "pytest": (" passed", " failed", " error", "no tests ran", "INTERNALERROR>"),
    "unittest": (" test in ", " tests in ", "FAILED (failures=", "FAILED (errors=", "NO TESTS RAN"),
    "jest": ("Tests:  ", "Test Suites: "),
    "vitest": ("Test Files  ", "No test files found"),
    "mocha": (" passing (",),
    "node_test": ("# pass ", "\u2139 pass ", "# fail ", "\u2139 fail "),
    "playwright": (" passed (", " failed\n", " did not run"),
    "tox": ("congratulations :)", "evaluation failed :(", ": commands failed"),
    "nox": ("nox > ",),
    "gotestsum": ("DONE ",),
    "go test": ("--- FAIL: ", "ok  \t", "FAIL\t", "[no test files]"),
    "cargo test": ("test result: ", " ... FAILED", "error: test failed", "error: doctest failed"),
    "nextest": (" tests run: ", " test run: "),
    "swift test": ("Test run with ", "error: tests exited with "),
    "xcodebuild": ("** TEST ", "** BUILD ", "** ARCHIVE ", "Executed "),
    "dotnet test": ("Failed:  ", "Test summary: total:", "Total tests: ", "Test run summary: "),
    "phpunit": (" assertion", ", Assertions: ", "No tests executed!"),
    "rspec": (" example",),
    "minitest": (" assertions, ",),
    "prove": ("Result: ",),
    "bats": ("1..", " tests, ", " test, "),
    "ctest": ("% tests passed", "No tests were found!!!", "Errors while running CTest"),
    "maven": ("Tests run: ", "BUILD SUCCESS", "BUILD FAILURE"),
    "gradle": ("BUILD SUCCESSFUL", "BUILD FAILED"),
    # builds and types
    "tsc": ("error TS", ", starting at", "Watching for file changes"),
    "mypy": ("Success: no issues found in ", " source file", "(errors prevented"),
    "pyright": (" informations", " warnings, "),
    "cargo build": ("error: could not compile ", "    Finished `"),
    "swift build": ("Build complete!",),
    "dotnet build": ("Build succeeded", "Build FAILED.", "Build failed with ", " Error(s)"),
    "terraform": ("Apply complete!", "The configuration is valid.", "Plan: ", "\u2502 Error: "),
    "docker build": ("failed to solve", "naming to ", "Successfully built ", "executor failed "),
    "latex": ("This is pdfTeX", "This is XeTeX", "This is LuaHBTeX", "Latexmk: "),
    "cmake": ("CMake Error", "-- Build files have been written to: "),
    "ninja": ("ninja: ",),
    # linters and formatters
    "pre-commit": ("....", "- hook id: "),
    "eslint": (" problem", "Oops! Something went wrong! :("),
    "biome": ("Checked ", "errors were emitted while"),
    "prettier": (
        "Checking formatting...",
        "Code style issues found in ",
        "use Prettier code style",
    ),
    "ruff": ("All checks passed!", "Found ", " reformatted", " already formatted"),
    "black": ("would be ", " left unchanged", " reformat"),
    "golangci-lint": ("0 issues.", " issues:\n"),
    "rubocop": (" inspected, ",),
    "shellcheck": ("www.shellcheck.net/wiki/SC",),
    # installations and wrappers
    "pip": (
        "Successfully installed ",
        "ERROR: Could not ",
        "ERROR: No matching ",
        "error: externally",
        "error: subprocess-exited",
    ),
    "npm": (
        "npm error",
        "sh: ",
        "npm ERR!",
        "ELIFECYCLE",
        "ERR_PNPM_",
        "error Command failed",
        "added ",
        "up to date",
    ),
    "git merge": ("CONFLICT (",),
    "git push": ("[rejected]", "[remote rejected]", "failed to push some refs", "[new branch]"),
    "git commit": (" changed, ",),
    "make": (": *** ", "[100%] Built target "),
    "python": ("Traceback (most recent call last)", "SyntaxError:"),
    "node": ("\nNode.js v",),
}


#: Tool -> the parser that knows how it crashes.
_CRASHES = {
    "flake8": "python",
    "nox": "python",
    "pytest": "python",
    "unittest": "python",
    "vitest": "node",
}


def parse_output(tool: str, output: str) -> Outcome | None:
    """Read the raw ``output`` of a run of ``tool``; None when it says nothing about the result."""
    text = clean(output)
    crash = _CRASHES.get(tool, "")
    return _parse(tool, text) or _not_found(tool, text) or _parse(crash, text)


def recognise(output: str) -> tuple[str, Outcome] | None:
    """Find the tool behind a script, a make target or ``npm run x`` by its raw ``output``.

    Returns the tool and outcome of the first failure, else of the first success in the order of
    ``SIGNS``, else what is left; None when no known tool shows.
    """
    text = clean(output)
    found = []
    for tool, signs in SIGNS.items():
        if any(sign in text for sign in signs):
            outcome = _parse(tool, text)
            if outcome is not None:
                found.append((tool, outcome))
    for status in (FAILED, PASSED):
        for pair in found:
            if pair[1].status == status:
                return pair
    return found[0] if found else None


def _parse(tool: str, text: str) -> Outcome | None:
    module = PARSERS.get(tool)
    if module is None:
        return None
    name = f"{__name__}.{module}"
    parse: Callable[[str], Outcome | None] = __import__(name, fromlist=["parse"]).parse
    return parse(text)


def _not_found(tool: str, text: str) -> Outcome | None:
    """The shell or the interpreter has no such tool: it did not run."""
    endings = (
        f"{tool}: command not found",
        f"command not found: {tool}",
        f"{tool}: not found",
        f"No module named {tool}",
    )
    if not any(ending in text for ending in endings):
        return None
    for line in text.split("\n"):
        if line.rstrip().endswith(endings):
            return Outcome(FAILED, line=brief(line))
    return None
