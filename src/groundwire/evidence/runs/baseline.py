"""Calls that ran something on other code than that of the turn: as it was before, or a copy.

Between ``git stash`` and its ``pop``, and between two switches of the branch, the changes of the
turn are not there; what happens there tells nothing of them, and the two together change no file.
What fails in another work tree, or in a scratch folder that nothing was written to, does not, too.
"""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS, whole_paths
from groundwire.evidence.runs.edits import EDIT_TOOLS
from groundwire.evidence.runs.places import join
from groundwire.evidence.runs.shell import read_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.evidence.runs.shell import Command
    from groundwire.model import ToolCall

_PUT_AWAY = ("push", "save")
_TAKEN_BACK = ("pop", "apply")
_SWITCHES = ("checkout", "switch")
#: Options with which a branch is made where the code stands.
_MAKING = ("-b", "-B", "-c", "-C", "--orphan", "--track", "-t")
#: Git commands after which the code of the other branch is that of the turn.
_WORKING = ("commit", "merge", "pull", "rebase", "reset", "cherry-pick")
_MOVES = ("stash", *_SWITCHES, *_WORKING)
_SCRATCH = ("/tmp/", "/var/tmp/", "/private/tmp/")  # noqa: S108
_SILENT = frozenset("cd echo git printf sleep true".split())


def set_aside(calls: Sequence[ToolCall]) -> frozenset[int]:
    """Return the positions of the calls in which the code of the turn was away.

    From each ``git stash`` to the call that takes it back, and from one switch of the branch to the
    next one with nothing changed between. A stash that is never taken back, and a branch that is
    never left, puts the changes away for good, and is none of these.
    """
    found: set[int] = set()
    stashed: int | None = None
    switched: tuple[int, str] | None = None
    for at, call in enumerate(calls):
        if call.name in EDIT_TOOLS:  # work goes on there
            switched = None
        for kind, word, is_last in _moves(call) if _may_move(call) else ():
            if kind == "stash" and word in _PUT_AWAY and stashed is None:
                stashed = at
            elif kind == "stash" and word in _TAKEN_BACK and stashed is not None:
                found.update(range(stashed, at + is_last))
                stashed = None
            elif kind == "work":
                switched = None
            elif kind == "switch":
                if switched and word != switched[1]:
                    found.update(range(switched[0], at + is_last))
                    switched = None
                else:
                    switched = at, word
    return frozenset(found)


def elsewhere(calls: Sequence[ToolCall], cwd: str) -> frozenset[int]:
    """Return the positions of the calls that ran in another work tree, or in a scratch folder.

    Not when the turn wrote to that folder or nowhere at all, nor when the session itself works
    there (``cwd``).
    """
    trees = _SCRATCH if not f"{cwd}/".startswith(_SCRATCH) else ()
    found: list[tuple[int, str]] = []
    for at, call in enumerate(calls):
        text = _text(call)
        if "worktree" not in text and not any(tree in text for tree in trees):
            continue
        commands = read_commands(text)
        for command in commands:
            if command.argv[:3] == ("git", "worktree", "add"):
                trees = (*trees, *_new_tree(command))
        folders = {one.cwd for one in commands if one.argv and one.argv[0] not in _SILENT}
        if len(folders) == 1 and f"{(folder := folders.pop())}/".startswith(trees):
            found.append((at, folder))
    if not found:
        return frozenset()
    written = [path for call in calls if call.name in EDIT_TOOLS for path in whole_paths(call)]
    worked = {folder for _, folder in found if any(_lies_in(path, folder) for path in written)}
    return frozenset(at for at, folder in found if written and folder not in worked)


def _new_tree(command: Command) -> tuple[str, ...]:
    """Return the folder of a work tree that no new branch is made for, in a tuple."""
    plain = [word for word in command.argv[3:] if word[:1] != "-"]
    if not plain or any(word in _MAKING for word in command.argv):
        return ()
    return (join(command.cwd, plain[0]) + "/",)


def _lies_in(path: str, folder: str) -> bool:
    name = folder.rstrip("/").rpartition("/")[2]
    return path.startswith(f"{folder}/") or f"/{name}/" in path


def _moves(call: ToolCall) -> Iterator[tuple[str, str, bool]]:
    """Yield what a shell call does to the code as a whole: kind, word, and if nothing runs after.

    ``stash`` with what becomes of it, ``switch`` with the branch, ``work`` for a commit or a merge.
    """
    commands = read_commands(_text(call))
    runs = [at for at, one in enumerate(commands) if one.argv and one.argv[0] not in _SILENT]
    last = runs[-1] if runs else -1
    for at, command in enumerate(commands):
        if command.argv[:1] != ("git",):
            continue
        words = [word for word in command.argv[1:] if word[:1] != "-" or word == "-"]
        if words[:1] == ["stash"]:
            yield "stash", words[1] if len(words) > 1 else "push", at > last
        elif words[:1] and words[0] in _WORKING:
            yield "work", words[0], at > last
        elif words[:1] and words[0] in _SWITCHES and _is_branch(command, words[1:]):
            yield "switch", words[1], at > last


def _is_branch(command: Command, words: list[str]) -> bool:
    """Tell whether a checkout is one of all files, and no file of its own is meant."""
    if any(option in command.argv for option in _MAKING):
        return False
    if len(words) == 2:
        return words[1] == "."
    return len(words) == 1 and "--" not in command.argv and "." not in words[0].rpartition("/")[2]


def _may_move(call: ToolCall) -> bool:
    text = _text(call)
    return "git " in text and any(word in text for word in _MOVES)


def _text(call: ToolCall) -> str:
    """Return the command of a shell call, "" for any other call."""
    text = call.input.get("command") if call.name in SHELL_TOOLS else None
    return text if isinstance(text, str) else ""
