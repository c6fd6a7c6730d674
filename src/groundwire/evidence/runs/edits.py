"""Files that the calls of a turn changed, by the editing tools and by the shell."""

from __future__ import annotations

from bisect import bisect_right

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs.places import within
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.runs.shell import read_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.runs.shell import Command
    from groundwire.model import ToolCall

EDIT_TOOLS = ("Edit", "MultiEdit", "Write", "NotebookEdit")
_PATH_INPUTS = ("file_path", "notebook_path")
#: Suffixes and names of files that no test or build reads.
_DOCUMENTS = frozenset(
    "md markdown mdx rst txt adoc org log png jpg jpeg gif svg webp ico pdf csv".split()
)
_DOCUMENT_NAMES = frozenset(
    "license licence notice authors changelog contributing readme codeowners .gitignore".split()
)
_OUTSIDE = ("/tmp/", "/var/tmp/", "/private/tmp/", "/dev/", "~/.claude/", "$TMPDIR")  # noqa: S108
_OWN_FOLDER = "/.claude/"
#: Git commands that change files, and words with which they do not.
_GIT_CHANGES = frozenset(
    "checkout switch restore stash reset merge rebase pull cherry-pick revert apply am".split()
)
_GIT_NO_CHANGE = ("-b", "-B", "-c", "-C", "--soft", "list", "show", "--staged", "--check", "HEAD")
REMOVERS = ("rm", "unlink", "Remove-Item", "del")
_MOVERS = ("mv", "cp", "Move-Item", "Copy-Item")
_IN_PLACE = ("-i", "-pi", "--in-place")
#: A command that changes a file has one of these in it somewhere.
_CHANGING = (">", "tee", "sed", "perl", "patch", "git", *REMOVERS, *_MOVERS)


def stale(run: Run, changes: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    """Return the source files that were changed after ``run``, in order, each once.

    ``changes`` are the turn's ``source_edits``.
    """
    first = bisect_right(changes, run.index, key=lambda change: change[0])
    return tuple(dict.fromkeys(path for _, path in changes[first:]))


def source_edits(calls: Sequence[ToolCall], cwd: str = "") -> tuple[tuple[int, str], ...]:
    """Return ``(position of the call, path)`` for every change of a source file, in order.

    Edits that failed, documents and files outside the project do not count, nor does taking away
    what the turn itself wrote: a script for one check. What lies below ``cwd`` is the project's.
    A git command that changes files without naming them stands for them, as "git checkout"; on
    another machine it brings there what is here, as taking something away there does.
    """
    written: set[str] = set()
    found: list[tuple[int, str]] = []
    for at, call in enumerate(calls):
        removed = set(_removed(call))
        for path in _changed(call):
            if not _is_source(within(path, cwd)):
                continue
            if path in removed and _name(path) in written:
                continue
            found.append((at, path))
            if call.name == "Write":
                written.add(_name(path))
    return tuple(found)


def path_of(call: ToolCall) -> str:
    """Return the path that an editing tool was given."""
    paths = (call.input.get(name) for name in _PATH_INPUTS)
    return next((path for path in paths if isinstance(path, str)), "")


def succeeded(call: ToolCall) -> bool:
    """Tell whether a call has a result that is no error."""
    return call.result is not None and not call.is_error


def mentions(call: ToolCall, words: Sequence[str]) -> bool:
    """Tell whether one of ``words`` stands in the command of a call: the look before reading it."""
    text = call.input.get("command")
    return isinstance(text, str) and any(word in text for word in words)


def shell_commands(call: ToolCall) -> tuple[Command, ...]:
    """Return the commands of a call to a shell that did not fail; empty for other calls."""
    text = call.input.get("command") if call.name in SHELL_TOOLS else None
    if not isinstance(text, str) or call.result is None:
        return ()
    result = read_result(call)
    return read_commands(text) if result.ran and not result.failed else ()


def file_words(command: Command) -> list[str]:
    """Return the arguments of a command that are no options."""
    return [word for word in command.argv[1:] if not word.startswith("-")]


def _changed(call: ToolCall) -> Iterator[str]:
    if call.name in EDIT_TOOLS:
        if succeeded(call):
            yield path_of(call)
        return
    if not mentions(call, _CHANGING):
        return
    for command in shell_commands(call):
        yield from _changed_by(command)


def _removed(call: ToolCall) -> Iterator[str]:
    if mentions(call, REMOVERS):
        for command in shell_commands(call):
            if command.argv[0].rpartition("/")[2] in REMOVERS:
                yield from file_words(command)


def _name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _changed_by(command: Command) -> Iterator[str]:
    """Yield the files that a shell command changes, as far as its words name them."""
    name = command.argv[0].rpartition("/")[2]
    words = file_words(command)
    if command.stdout_file:
        yield command.stdout_file
    if "ssh" in command.wrappers and (name == "git" or name in REMOVERS):
        return
    if name in REMOVERS or name in _MOVERS:
        yield from (word for word in words if _looks_like_file(word))
    elif name == "tee":
        yield from words
    elif name in ("sed", "perl"):
        if any(word.startswith(_IN_PLACE) for word in command.argv):
            yield from (word for word in words if _looks_like_file(word))
    elif name == "patch":
        yield "patch"
    elif name == "git" and words and words[0] in _GIT_CHANGES:
        yield from _changed_by_git(command.argv, words)


def _changed_by_git(argv: tuple[str, ...], words: list[str]) -> Iterator[str]:
    if "--" in argv:
        yield from argv[argv.index("--") + 1 :]
    elif words[0] == "reset":
        yield from ("git reset",) if "--hard" in argv else ()
    elif not any(word in argv for word in _GIT_NO_CHANGE):
        yield f"git {words[0]}"


def _looks_like_file(word: str) -> bool:
    """Tell a path with a suffix from a folder and from the text of ``sed``."""
    name = word.rpartition("/")[2]
    suffix = name.rpartition(".")[2]
    return "." in name.lstrip(".") and suffix.isalnum() and len(suffix) < 12 and " " not in word


def is_outside(path: str) -> bool:
    """Tell whether a file is no part of a project: a scratch file, or one of the assistant."""
    return not path or path.startswith(_OUTSIDE) or _OWN_FOLDER in path or path == "&1"


def _is_source(path: str) -> bool:
    if is_outside(path):
        return False
    if path.startswith("$") and "/" not in path:  # a variable; sources are named
        return False
    return not is_document(path)


def is_document(path: str) -> bool:
    """Tell whether a file is text for readers, or a picture, which no test or build reads."""
    name = _name(path).lower()
    stem, dot, suffix = name.rpartition(".")
    if dot and stem and suffix in _DOCUMENTS:
        return name != "requirements.txt" and not name.startswith("cmakelists")
    return name in _DOCUMENT_NAMES
