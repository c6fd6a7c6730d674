"""Files that the calls of a turn changed, by the editing tools and by the shell."""

from __future__ import annotations

from bisect import bisect_right

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs.file_changes import (
    CHANGING,
    CLEANED,
    REMOVED,
    STAGED,
    UNNAMED,
    WRITTEN,
    file_changes,
    looks_like_file,
)
from groundwire.evidence.runs.folders import folder_after
from groundwire.evidence.runs.places import is_absolute, join, within
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.runs.shell import read_commands, read_script
from groundwire.evidence.runs.tree import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

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
#: Beginnings of places that are no part of a project.
_OUTSIDE = (
    "/tmp/", "/var/tmp/", "/private/tmp/", "/var/folders/", "/private/var/folders/",  # noqa: S108
    "/dev/", "~/.claude/", "$TMPDIR", "${TMPDIR", "$TMP/", "${TMP}", "$TEMP", "${TEMP", "%TEMP%",
    "$env:TMP", "$env:TEMP", "$RUNNER_TEMP", "${RUNNER_TEMP",
)  # fmt: skip
_OWN_FOLDER = "/.claude/"
_SCRATCH_FOLDERS = ("/scratchpad/", "/AppData/Local/Temp/")
#: What a variable for a temporary folder is set to.
_MADE_TEMPORARY = ("$(mktemp", "`mktemp")
_LONGEST_COMMAND = 20_000
#: Beginning of what the writing tool returns of a file that was not there before.
CREATED = "File created"


def stale(run: Run, changes: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    """Return the source files that were changed after ``run``, in order, each once.

    ``changes`` are the turn's ``source_edits``.
    """
    first = bisect_right(changes, run.index, key=lambda change: change[0])
    return tuple(dict.fromkeys(path for _, path in changes[first:]))


def source_edits(calls: Sequence[ToolCall], cwd: str = "") -> tuple[tuple[int, str], ...]:
    """Return ``(position of the call, path)`` for every change of a source file, in order.

    Edits that failed, documents and files outside the project do not count, nor does what the turn
    itself wrote and took away again: a script for one check. What lies below ``cwd`` is the
    project's. A git command that changes files without naming them stands for them, as "git
    reset"; on another machine it brings there what is here, as taking something away there does.
    """
    tree = Tree()
    folder = ""
    for at, call in enumerate(calls):
        if call.name in SHELL_TOOLS:
            folder = _add_shell(tree, at, call, folder, cwd)
        elif succeeded(call):
            _add_tool(tree, at, call, cwd)
    return tree.changes()


def _add_tool(tree: Tree, at: int, call: ToolCall, cwd: str) -> None:
    """Add what a tool for files did to one."""
    shown = path_of(call)
    path = join("", within(shown, cwd))
    if call.name not in EDIT_TOOLS:
        if path:
            tree.find(path)
    elif not _is_source(within(shown, cwd)):
        return
    elif call.name == "Write" and (call.result or "").startswith(CREATED):
        tree.write(at, path, True, shown)
    else:
        tree.change(at, path, shown)


def _add_shell(tree: Tree, at: int, call: ToolCall, folder: str, cwd: str) -> str:
    """Add what a call to a shell that stands in ``folder`` did; return where it leaves the shell.

    Of one that failed it is not known how far it came: it changes nothing, but what it made and
    took away is seen.
    """
    text = call.input.get("command")
    if not isinstance(text, str) or not (mentions(call, CHANGING) or "cd " in text):
        return folder
    result = read_result(call)
    if not result.ran or call.result is None:
        return folder
    script = read_script(text[:_LONGEST_COMMAND], folder)
    counts = not result.failed
    is_stopped = result.timed_out or result.interrupted
    for command in script.commands:
        came_there = counts or (not is_stopped and command.connector in ("", ";"))
        for what, path in file_changes(command):
            place = path if what == UNNAMED else within(path, cwd)
            if (what == WRITTEN or came_there) and not _is_temporary(place, text):
                _add(tree, at, what, place, counts)
    return folder_after(script, result, folder, cwd)


def _add(tree: Tree, at: int, what: str, path: str, counts: bool) -> None:
    """Add what a command did to a file, or to several."""
    if what == STAGED:
        tree.stage()
    elif what == CLEANED:
        tree.clean(path)
    elif what == REMOVED:
        is_lost = not tree.remove(path) and _is_source(path) and looks_like_file(path)
        if is_lost and counts:
            tree.change(at, path)
    elif _is_source(path) and what == WRITTEN:
        tree.write(at, path, counts)
    elif _is_source(path) and counts:
        tree.change(at, path)


def _is_temporary(path: str, text: str) -> bool:
    """Tell whether a path begins with a variable that ``text`` sets to a temporary folder."""
    if path[:1] != "$":
        return False
    name = path[1:].partition("/")[0].strip("{}")
    value = text.partition(f"{name}=")[2].lstrip("\"'")
    return value.startswith((*_MADE_TEMPORARY, *_OUTSIDE))


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


def is_outside(path: str) -> bool:
    """Tell whether a file is no part of a project: a scratch file, or one of the assistant."""
    if not path or path.startswith(_OUTSIDE) or _OWN_FOLDER in path or path == "&1":
        return True
    return is_absolute(path) and any(folder in path for folder in _SCRATCH_FOLDERS)


def _is_source(path: str) -> bool:
    if is_outside(path):
        return False
    if path.startswith("$") and "/" not in path:  # a variable; sources are named
        return False
    return not is_document(path)


def is_document(path: str) -> bool:
    """Tell whether a file is text for readers, or a picture, which no test or build reads."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    if dot and stem and suffix in _DOCUMENTS:
        return name != "requirements.txt" and not name.startswith("cmakelists")
    return name in _DOCUMENT_NAMES
