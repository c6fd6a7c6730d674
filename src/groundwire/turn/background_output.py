"""Output that came later: of background tasks, and of commands that write into a file."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise

from groundwire.inputs.shell.paths import file_name
from groundwire.turn.records import argument
from groundwire.turn.results import (
    CUT,
    STOPPED,
    Result,
    both_ends,
    read_result,
    without_line_numbers,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundwire.base.model import ToolCall

#: Tools that return the output of a task, and the inputs that name it.
_OUTPUT_TOOLS = ("TaskOutput", "BashOutput", "BashOutputTool", "AgentOutputTool", "AgentOutput")
_TASK_INPUTS = ("task_id", "bash_id", "shell_id", "agentId")
_STOP_TOOLS = ("TaskStop", "KillShell", "KillBash")
_NOTIFICATION = "<task-notification>"
_ID_TAG = "<task-id>"
_OUTPUT_FILE = ".output"
_READERS = frozenset("cat tail head less more grep rg egrep sed awk bat Get-Content".split())
_PLAIN = str.maketrans(dict.fromkeys("\"'`();|&<", " ") | {">": " > "})


class LaterOutputs:
    """Where later calls show the output of a task or a file; built when first asked."""

    def __init__(self, calls: Sequence[ToolCall], known: Iterable[str]) -> None:
        self._calls = calls
        self._known = known
        self._shows: dict[str, list[int]] = {}  # task or name of a file -> calls that show it
        self._writes: dict[str, list[int]] = {}
        self._notes: dict[str, str] = {}
        self._is_read = False

    def of_task(self, task: str, index: int) -> Result:
        """Return the last that is known of the task that call ``index`` started."""
        self._read()
        result = Result(task=task)
        for place in self._shows.get(task, ()):
            if place > index:
                later = self._shown(self._calls[place])
                text = later.text or result.text
                if self._calls[place].name.startswith("BashOutput"):  # only what is new
                    text = f"{result.text}\n{later.text}"
                if later.text or later.failed is not None or later.interrupted:
                    result = later.replace(task=task, text=text)
        if task in self._notes:
            end = _notification(self._notes[task])
            result = result.replace(failed=end.failed, code=end.code)
        return result

    def of_file(self, path: str, index: int) -> Iterator[str]:
        """Yield what later calls show of the file ``path`` that call ``index`` wrote.

        The latest comes first. From the next call on that writes the file it shows another run.
        """
        self._read()
        name = file_name(path)
        places, writes = self._shows.get(name, []), self._writes.get(name, [])
        following = bisect_right(writes, index)
        end = writes[following] if following < len(writes) else len(self._calls)
        for place in reversed(places[bisect_right(places, index) : bisect_left(places, end)]):
            yield self._shown(self._calls[place]).text

    def _shown(self, call: ToolCall) -> Result:
        text = call.result or ""
        if call.name in _OUTPUT_TOOLS:
            return _task_output(text)
        if call.name in _STOP_TOOLS:
            return Result(interrupted=True)
        if call.name == "Read":
            return Result(text=without_line_numbers(text))
        return read_result(call).replace(failed=None, code=None)

    def _read(self) -> None:
        if self._is_read:
            return
        self._is_read = True
        for index, call in enumerate(self._calls):
            words = argument(call, "command").translate(_PLAIN).split()
            for name in _shown_names(call, words):
                self._shows.setdefault(name, []).append(index)
            for before, word in pairwise(words):
                if before in (">", "tee", "-a"):  # as far as one look tells
                    self._writes.setdefault(file_name(word), []).append(index)
        for text in self._known:
            for note in text.split(_NOTIFICATION)[1:]:
                self._notes[note.partition(_ID_TAG)[2].partition("<")[0].strip()] = note


def _shown_names(call: ToolCall, words: Sequence[str]) -> set[str]:
    if call.name in _OUTPUT_TOOLS or call.name in _STOP_TOOLS:
        return {value for key in _TASK_INPUTS if (value := argument(call, key))}
    paths = [argument(call, "file_path")] if call.name == "Read" else []
    if not _READERS.isdisjoint(words):
        paths = [word for word in words if "." in word or "/" in word]
    names = {file_name(path) for path in paths}
    return names | {name.removesuffix(_OUTPUT_FILE) for name in names}


def _task_output(text: str) -> Result:
    """Read what a tool for the output of background tasks returned, with its tags."""
    text = both_ends(text)
    status = _tagged(text, "status")
    code = _tagged(text, "exit_code")
    output = _tagged(text, "output") or "\n".join(
        part for part in (_tagged(text, "stdout"), _tagged(text, "stderr")) if part
    )
    number = int(code) if code.isdigit() and len(code) < 4 else None
    failed = None if status in ("running", "pending") else _has_failed(status, number)
    return Result(
        text=output if status or code else text,
        failed=failed,
        code=number if number is not None else 0 if failed is False else None,
        timed_out=number in STOPPED,
        interrupted=status in ("killed", "stopped"),
        cut=any(sign in text for sign in CUT),
    )


def _notification(text: str) -> Result:
    """Read the note with which the harness reports the end of a background task."""
    status = _tagged(text, "status")
    code = text.partition("exit code ")[2].partition(")")[0].strip()
    number = int(code) if code.isdigit() and len(code) < 4 else None
    return Result(failed=_has_failed(status, number), code=number)


def _has_failed(status: str, code: int | None) -> bool | None:
    if code is not None:
        return code != 0
    return {"completed": False, "failed": True, "killed": True}.get(status)


def _tagged(text: str, tag: str) -> str:
    _, found, rest = text.partition(f"<{tag}>")
    end = rest.rfind(f"</{tag}>") if tag in ("output", "stdout") else rest.find(f"</{tag}>")
    return (rest[:end] if end >= 0 else rest).strip() if found else ""
