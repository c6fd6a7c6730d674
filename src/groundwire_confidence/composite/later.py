"""What a turn shows of earlier ones: a check of their files that fails, or that they are reverted.

What fails or is taken back after the turn itself changed the file says nothing of earlier turns.
"""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.inputs.shell.commands import read_commands
from groundwire.inputs.shell.paths import join, relative_path
from groundwire.language.fold import is_word
from groundwire.turn.records import BUILD, FAILED, LINT, SHELL_TOOLS, TEST, TYPES, argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from groundwire.turn.timeline import Timeline

_CHECKS = (TEST, BUILD, LINT, TYPES)
_MOST_FILES = 20
#: Stands among the files of a turn for the commit that it made last.
_COMMIT = "HEAD"


class Weighed(Record):
    """A message that has a row: its mark, task and agent, and the source files that it changed."""

    mark: str
    task: str = ""
    agent: str = ""
    files: tuple[str, ...] = ()

    @classmethod
    def read(cls, stored: Any) -> Weighed | None:
        """Return what a session keeps of a message; None for what is none."""
        if isinstance(stored, str):  # of version 0.1, which kept marks alone
            return cls(stored)
        try:
            mark, task, agent, files = stored
            return cls(str(mark), str(task), str(agent), tuple(map(str, files)))
        except (TypeError, ValueError):
            return None

    def plain(self) -> list[str | list[str]]:
        """Return it as data for JSON."""
        return [self.mark, self.task, self.agent, list(self.files)]


def changed_files(turn: Timeline | None) -> tuple[str, ...]:
    """Return the source files that a turn changed, the latest ones, and ``HEAD`` for a commit."""
    if turn is None:
        return ()
    files = dict.fromkeys(edit.path for edit in turn.edits if edit.is_source)
    commits = any(run.tool == "git commit" and run.outcome.status != FAILED for run in turn.runs)
    return (*tuple(files)[-_MOST_FILES:], *((_COMMIT,) if commits else ()))


def with_later(
    weighed: Sequence[Weighed], turn: Timeline | None, task: str
) -> tuple[list[Weighed], list[tuple[Weighed, str, str]]]:
    """Return the messages, and those that a turn of ``task`` shows to be wrong: how, and by what.

    These lose their files, so that it is told once.
    """
    left, wrong, is_last = [], [], True
    for one in reversed(weighed):
        files = [file for file in one.files if file != _COMMIT or is_last]
        is_last = is_last and _COMMIT not in one.files
        known = next(_shown(files, turn), None) if turn and files and one.task != task else None
        if known:
            wrong.append((one, *known))
        left.append(one.replace(files=()) if known else one)
    return left[::-1], wrong[::-1]


def _shown(files: Sequence[str], turn: Timeline) -> Iterator[tuple[str, str]]:
    """Yield what shows that earlier changes of ``files`` were wrong: how, and by what."""
    own: dict[str, int] = {}  # where the turn changed a file first
    for edit in turn.edits:
        own.setdefault(edit.path, edit.index)
    for run in turn.runs:
        if run.kind not in _CHECKS or run.outcome.status != FAILED:
            continue
        text = f"{run.command}\n{turn.calls[run.index].result or ''}"
        for file in files:
            if own.get(file, run.index + 1) > run.index and _names(text, file):
                yield "check", f"`{run.command}` failed later: {file}"
    for index, command, file in _taken_back(turn):
        if file in files and own.get(file, index) >= index and (file != _COMMIT or not own):
            yield "revert", f"`{command}` took it back"


def _taken_back(turn: Timeline) -> Iterator[tuple[int, str, str]]:
    """Yield what git took back: the position of the call, the command and a file or ``HEAD``."""
    for index, call in enumerate(turn.calls):
        if call.name not in SHELL_TOOLS or call.is_error:
            continue
        for command in read_commands(argument(call, "command")):
            program, task, *words = (*command.argv, "", "")
            if program == "git" and task in ("checkout", "restore", "revert"):
                paths = [relative_path(join(command.cwd, word), turn.cwd) for word in words]
                names = words if task == "revert" else paths
                yield from ((index, command.text, name) for name in names)


def _names(text: str, path: str) -> bool:
    """Tell whether a path stands in a text as a whole."""
    before, found, after = text.partition(path)
    ends = (before[-1:] or " ", after[:1] or " ")
    return bool(found) and not any(is_word(end) or end in "-" for end in ends)
