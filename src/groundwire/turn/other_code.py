"""What ran on other code than that of the turn: as it was before, or a copy of it.

Between ``git stash`` and its ``pop``, and between two switches of the branch, the changes of the
turn are not there; what happens there tells nothing of them. What fails in another work tree, or
in a scratch folder that nothing was written to, does not, too.
"""

from __future__ import annotations

from groundwire.inputs.shell.commands import read_commands
from groundwire.inputs.shell.paths import join
from groundwire.turn.records import EDIT_TOOLS, SHELL_TOOLS, argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.base.budget import Watch
    from groundwire.base.model import ToolCall
    from groundwire.inputs.shell.commands import Command

_PUT_AWAY, _TAKEN_BACK = ("push", "save"), ("pop", "apply")
_SWITCHES = ("checkout", "switch")
#: Options with which a branch is made where the code stands.
_MAKING = ("-b", "-B", "-c", "-C", "--orphan", "--track", "-t")
#: Git commands after which the code of the other branch is that of the turn.
_WORKING = ("commit", "merge", "pull", "rebase", "reset", "cherry-pick")
_SCRATCH = ("/tmp/", "/var/tmp/", "/private/tmp/")  # noqa: S108
_SILENT = frozenset("cd echo git printf sleep true".split())
_PATH_INPUTS = ("file_path", "notebook_path")


def set_aside(calls: Sequence[ToolCall], watch: Watch) -> frozenset[int]:
    """Return the positions of the calls in which the code of the turn was away.

    From each ``git stash`` to the call that takes it back, and from one switch of the branch to the
    next one with nothing changed between. A stash that is never taken back, and a branch that is
    never left, puts the changes away for good, and is none of these.
    """
    away: set[int] = set()
    stashed: int | None = None
    switched: tuple[int, str] | None = None
    for at, call in enumerate(calls):
        if watch.is_late("the last shell commands"):
            break
        if call.name in EDIT_TOOLS:  # work goes on there
            switched = None
        for words, is_last in _git_commands(call):
            verb, what = words[0], words[1] if len(words) > 1 else "push"
            if verb == "stash" and what in _PUT_AWAY and stashed is None:
                stashed = at
            elif verb == "stash" and what in _TAKEN_BACK and stashed is not None:
                away.update(range(stashed, at + is_last))
                stashed = None
            elif verb in _WORKING:
                switched = None
            elif verb in _SWITCHES and switched and what != switched[1]:
                away.update(range(switched[0], at + is_last))
                switched = None
            elif verb in _SWITCHES:
                switched = at, what
    return frozenset(away)


def _git_commands(call: ToolCall) -> Iterator[tuple[list[str], bool]]:
    """Yield the words of commands that move the code as a whole, and if nothing runs after."""
    text = argument(call, "command") if call.name in SHELL_TOOLS else ""
    commands = read_commands(text) if "git " in text else ()
    last = max((at for at, one in enumerate(commands) if one.argv[0] not in _SILENT), default=-1)
    for at, command in enumerate(commands):
        words = [word for word in command.argv[1:] if word[:1] != "-" or word == "-"]
        is_file = words and words[0] in _SWITCHES and not _is_branch(command, words[1:])
        if command.argv[0] == "git" and words and not is_file:
            yield words, at > last


def _is_branch(command: Command, words: Sequence[str]) -> bool:
    """Tell whether a checkout is one of all files, and no file of its own is meant."""
    if any(option in command.argv for option in _MAKING):
        return False
    if len(words) == 2:
        return words[1] == "."
    return len(words) == 1 and "--" not in command.argv and "." not in words[0].rpartition("/")[2]


def other_trees(calls: Sequence[ToolCall], cwd: str, watch: Watch) -> tuple[str, ...]:
    """Return the beginnings of folders with other code: scratch folders and added work trees."""
    trees = _SCRATCH if not f"{cwd}/".startswith(_SCRATCH) else ()
    for call in calls:
        if watch.is_late("the last shell commands"):
            break
        text = argument(call, "command") if call.name in SHELL_TOOLS else ""
        for command in read_commands(text) if "worktree" in text else ():
            plain = [word for word in command.argv[3:] if word[:1] != "-"]
            is_new = command.argv[:3] == ("git", "worktree", "add") and bool(plain)
            if is_new and not any(word in _MAKING for word in command.argv):
                trees = (*trees, join(command.cwd, plain[0]) + "/")
    return trees


def written_paths(calls: Sequence[ToolCall]) -> tuple[str, ...]:
    """Return the paths that editing tools wrote to."""
    edits = (call for call in calls if call.name in EDIT_TOOLS)
    return tuple(path for call in edits if (path := argument(call, *_PATH_INPUTS)))


def is_elsewhere(folder: str, trees: tuple[str, ...], written: Sequence[str]) -> bool:
    """Tell whether a folder lies in another tree, and the turn wrote only to other folders."""
    if not written or not f"{folder}/".startswith(trees or ("//",)):
        return False
    name = folder.rstrip("/").rpartition("/")[2]
    return not any(path.startswith(f"{folder}/") or f"/{name}/" in path for path in written)
