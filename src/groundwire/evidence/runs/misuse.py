"""Commands that were given wrongly: what they were to run is not shown to be broken."""

from __future__ import annotations

from groundwire.evidence.runs.edits import is_document
from groundwire.evidence.runs.model import BUILD, FORMAT, LINT, OTHER, TYPES
from groundwire.evidence.runs.wrappers import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.model import Run

#: There is no such program, script, folder or target.
_NOT_STARTED = (
    "no such file or directory",
    "directory not found",
    "command not found",
    "no rule to make target",
    "no targets specified",
    "missing script",
    "no module named",
    "error msb1008",
)
#: Nothing was selected, or the options are not those of the program.
_NOT_UNDERSTOOD = (
    "did not match any",
    "file or directory not found",
    "flag provided but not defined",
    "invalid option",
    "is not a valid option",
    "no matches found",
    "no packages to test",
    "no projects matched",
    "no specs found",
    "no such command",
    "no such option",
    "no test files",
    "no tests executed",
    "no tests found",
    "no tests ran",
    "no tests to run",
    "no tests were found",
    "unexpected argument",
    "unknown argument",
    "unknown command",
    "unknown flag",
    "unknown option",
    "unknown shorthand flag",
    "unrecognized argument",
    "unrecognized cli parameter",
    "unrecognized option",
    "usage: ",
)
#: Words of commands that do not end by themselves.
_SERVING = frozenset(
    "serve server runserver dev start watch up preview uvicorn gunicorn hypercorn http.server "
    "live-server nodemon storybook bootrun run-server tail".split()
)
#: Commands that mostly start a program with a window, or a server.
_STARTING = (
    "dotnet run", "expo run", "flutter run", "ionic run", "spring-boot:run", "streamlit run",
)  # fmt: skip
#: Files of a Go package, given one by one, are compiled without the others.
_OF_FILES = ("go test", ".go", "--- FAIL")
#: Programs that read code, and say nothing about a text for readers that is given to them.
_OF_CODE = frozenset(
    "bash cc clang eslint flake8 g++ gcc gofmt javac jshint luac mypy node oxlint perl php phpcs "
    "phpstan pyflakes pylint pyright python python3 py_compile rubocop ruby ruff rustc sh "
    "shellcheck tsc zsh".split()
)
_READS = (LINT, TYPES, BUILD, FORMAT)


def was_misused(run: Run) -> bool:
    """Tell whether a failed command was given wrongly, as the line that decides shows."""
    line = run.outcome.line.lower()
    return any(sign in line for sign in _NOT_STARTED) or was_not_understood(run)


def was_left_running(run: Run) -> bool:
    """Tell whether a server or a window was closed because nobody waits for one to end."""
    if run.kind != OTHER or "timed out" not in run.outcome.line.lower():
        return False
    command = run.command.lower()
    words = command.replace(":", " ").split()
    return not _SERVING.isdisjoint(words) or any(start in command for start in _STARTING)


def was_not_understood(run: Run) -> bool:
    """Tell whether the program was there, but not what it was asked to run."""
    tool, suffix, failed = _OF_FILES
    line = run.outcome.line
    if any(sign in line.lower() for sign in _NOT_UNDERSTOOD):
        return True
    if run.tool != tool or not run.narrow or line.startswith(failed):
        return False
    return all(part.endswith(suffix) for part in run.narrow.split(", "))


def of_document(run: Run) -> bool:
    """Tell whether a reader of code was given only texts: ``php -l guide.md`` fails for nothing."""
    words = [word.strip("'\"") for word in run.command.split()]
    if run.kind not in _READS or not any(base_name(word) in _OF_CODE for word in words[:3]):
        return False
    named = [word for word in words[1:] if "." in word.strip(".") and word[:1] != "-"]
    return bool(named) and all(is_document(word) for word in named)
