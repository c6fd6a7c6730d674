"""What a command is: a test run, a build, a check ..., of what, and of how much of it."""

from __future__ import annotations

from groundwire.evidence.runs.arguments import read_arguments
from groundwire.evidence.runs.called import called, program_of, without_toolchain
from groundwire.evidence.runs.model import INSTALL, LINT, OTHER, TEST
from groundwire.evidence.runs.names import is_code, is_test_file, kind_by_name, kind_of_tasks
from groundwire.evidence.runs.places import join
from groundwire.evidence.runs.programs.rows import (
    ANY_TOOL,
    BY_NAME,
    find_row,
    option_marks,
)
from groundwire.evidence.runs.programs.tasks import (
    INTERPRETERS,
    ONLY_AS_LISTED,
    PASSED_ON,
    TRIVIAL,
)
from groundwire.evidence.runs.signature import make_signature, targets
from groundwire.evidence.runs.wrappers import base_name
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.programs.rows import Found
    from groundwire.evidence.runs.shell import Command

_LONGEST_NARROW = 120
_SHELLS = ("bash", "sh", "zsh", "dash", "ksh", "fish", "pwsh", "powershell")
_INLINE = ("-c", "-e", "--eval", "-p", "--print", "-pe", "-ne", "-r", "-")


#: In the scope of a signature: the options are such that nothing is run (``--help``).
NO_RUN = "runs nothing"
_DRY_RUN = "--dry-run"
_SHELL_FILES = (".sh", ".bash")


class Classified(Record):
    """What is known of a command before its output is looked at.

    ``tool`` names the parser of its output; ``opaque``: only the output tells which tool ran.
    """

    kind: str
    tool: str
    signature: str
    narrow: str = ""
    opaque: bool = False


#: Commands that were classified last, by all that counts: a turn repeats its commands.
_KNOWN: dict[tuple[tuple[str, ...], str, tuple[str, ...], bool], Classified | None] = {}
_MOST_KEPT = 256


def classify(command: Command) -> Classified | None:
    """Return what ``command`` runs; None when it only looks, prints or moves files."""
    has_input = bool(command.input_text) or command.connector == "|"
    key = (command.argv, command.cwd, command.wrappers, has_input)
    if key not in _KNOWN:
        if len(_KNOWN) >= _MOST_KEPT:
            _KNOWN.clear()
        _KNOWN[key] = _classify(command, has_input)
    return _KNOWN[key]


def _classify(command: Command, has_input: bool) -> Classified | None:
    if not command.argv:
        return None
    program, folder, arguments = called(command)
    listed = "xargs" in command.wrappers
    found = find_row(program, without_toolchain(program, arguments))
    if found is not None:
        return _of_row(program, found, folder, listed)
    if program in INTERPRETERS:
        return _of_interpreter(program, arguments, has_input, folder)
    if program in ONLY_AS_LISTED or (program in TRIVIAL and _is_of_system(command.argv[0])):
        return None
    return _of_script(command.argv[0], arguments, folder)


def _of_row(program: str, found: Found, folder: str, listed: bool) -> Classified | None:
    (_, words, kind, tool, meaning, options), own_words, rest = found
    by_name = kind.startswith(BY_NAME)
    read = read_arguments(rest, option_marks(options), pass_on=by_name)
    tasks: tuple[str, ...] = ()
    if by_name:
        kind, tasks, read = kind_of_tasks(program, words, kind, meaning, read)
    if not kind:
        return None
    if read.no_run:
        kind, tasks = OTHER, (*tasks, NO_RUN)
    places, filters = targets(meaning, read, folder, kind != TEST)
    if meaning == "packages" and not read.plain and kind == TEST:
        filters = (*filters, "one package")
    if listed:
        filters = (*filters, "files of a list")
    name = program if tool in ("", ANY_TOOL) else tool
    more = own_words if kind in (OTHER, INSTALL) and not by_name else ()
    return Classified(
        kind=kind,
        tool="" if tool == ANY_TOOL else tool,
        signature=make_signature(
            f"{kind} {name}", (*more, *tasks, *read.variants), places, filters
        ),
        narrow=", ".join(filters)[:_LONGEST_NARROW],
        opaque=by_name or tool == ANY_TOOL,
    )


def _of_interpreter(
    program: str, arguments: list[str], has_input: bool, folder: str
) -> Classified | None:
    for position, word in enumerate(arguments):
        if program not in _SHELLS and _is_inline(word):
            break
        if not word.startswith("-") and "=" not in word:
            inner = program_of(word)
            found = find_row(inner, arguments[position + 1 :])
            if found is not None:
                return _of_row(inner, found, folder, False)
            if program in ("deno", "bun") and word in ("run", "x"):
                continue
            return _of_script(word, arguments[position + 1 :], folder)
        if word in ("--version", "-V", "--help", "-h"):
            return None
    if arguments or has_input:
        # code in the command line: another piece of it is the same run, tried again
        return Classified(
            OTHER, "", make_signature(f"{OTHER} {program}", ("inline",), (), ()), opaque=True
        )
    return None


def _is_of_system(word: str) -> bool:
    """Tell whether a program is looked up or of the system: ``bin/test`` is of the project."""
    return "/" not in word or word.startswith(("/bin/", "/usr/", "/opt/", "/sbin/"))


def _is_inline(word: str) -> bool:
    return word in _INLINE or (len(word) < 6 and word[:1] == "-" and word[-1] in "ec")


def _of_script(path: str, arguments: list[str], folder: str) -> Classified | None:
    name = base_name(path)
    read = read_arguments(arguments, option_marks(PASSED_ON), pass_on=False)
    kind = kind_by_name(name, certain=is_code(name) and not name.endswith(_SHELL_FILES)) or OTHER
    if not name or name.startswith(("$", "-")):
        return None
    if read.no_run and _DRY_RUN not in arguments:  # a dry run of an own program exercises it
        return None
    filters: tuple[str, ...] = ()
    if kind in (TEST, LINT):
        own = (join(folder, path),) if is_test_file(path) else ()
        filters = (*own, *read.parts, *(word for word in read.plain if not word.isdigit()))
        scope: tuple[str, ...] = ()
    else:
        scope = (*read.plain, *read.parts, *read.unknown)
    return Classified(
        kind=kind,
        tool="",
        signature=make_signature(f"{kind} {name}", scope, (), filters),
        narrow=", ".join(filters)[:_LONGEST_NARROW],
        opaque=True,
    )
