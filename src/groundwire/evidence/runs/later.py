"""Output that came later: of background tasks, and of commands that write into a file."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise

from groundwire.evidence.runs.results import (
    Result,
    read_notification,
    read_result,
    read_task_output,
    without_line_numbers,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundwire.model import ToolCall

#: Tools that return the output of a task, and the inputs that name it.
_OUTPUT_TOOLS = ("TaskOutput", "BashOutput", "BashOutputTool", "AgentOutputTool", "AgentOutput")
#: Of these each call returns only what was printed since the one before.
_NEW_OUTPUT_TOOLS = ("BashOutput", "BashOutputTool")
_TASK_INPUTS = ("task_id", "bash_id", "shell_id", "agentId")
_STOP_TOOLS = ("TaskStop", "KillShell", "KillBash")
_NOTIFICATION = "<task-notification>"
_ID_TAG = "<task-id>"
_OUTPUT_FILE = ".output"
_READERS = frozenset("cat tail head less more grep rg egrep sed awk bat Get-Content".split())
_QUOTES = "\"'`();|&<>"
_WRITING = (">", "tee")


class LaterOutputs:
    """Where later calls show the output of a task or a file; built when first asked."""

    def __init__(self, calls: Sequence[ToolCall], known: Iterable[str]) -> None:
        self._calls = calls
        self._known = known
        self._places: dict[str, list[int]] | None = None
        self._writes: dict[str, list[int]] = {}
        self._notes: dict[str, str] = {}

    def of_task(self, task: str, index: int) -> Result:
        """Return the last that is known of the task that call ``index`` started."""
        places = self._index()
        result = Result(task=task)
        for place in places.get(task, ()):
            if place > index:
                later = self._shown(self._calls[place])
                text = later.text or result.text
                if self._calls[place].name in _NEW_OUTPUT_TOOLS:
                    text = f"{result.text}\n{later.text}"
                if later.text or later.failed is not None or later.interrupted:
                    result = later.replace(task=task, text=text)
        note = self._notes.get(task)
        if note is not None:
            end = read_notification(note)
            result = result.replace(failed=end.failed, code=end.code)
        return result

    def of_file(self, path: str, index: int) -> Iterator[str]:
        """Yield what later calls show of the file ``path`` that call ``index`` wrote.

        The latest comes first. From the next call on that writes the file it shows another run.
        """
        name = path.rpartition("/")[2]
        places = self._index().get(name, [])
        writes = self._writes.get(name, [])
        following = bisect_right(writes, index)
        end = writes[following] if following < len(writes) else len(self._calls)
        for place in reversed(places[bisect_right(places, index) : bisect_left(places, end)]):
            yield self._shown(self._calls[place]).text

    def _shown(self, call: ToolCall) -> Result:
        text = call.result or ""
        if call.name in _OUTPUT_TOOLS:
            return read_task_output(text)
        if call.name in _STOP_TOOLS:
            return Result(interrupted=True)
        if call.name == "Read":
            return Result(text=without_line_numbers(text))
        return read_result(call).replace(failed=None, code=None)

    def _index(self) -> dict[str, list[int]]:
        """Map ids of tasks and names of files to the calls that show them, and that write them."""
        if self._places is None:
            self._places = {}
            for index, call in enumerate(self._calls):
                for name in _shown_names(call):
                    self._places.setdefault(name, []).append(index)
                for name in _written_names(call):
                    self._writes.setdefault(name, []).append(index)
            for text in self._known:
                for note in text.split(_NOTIFICATION)[1:]:
                    task = note.partition(_ID_TAG)[2].partition("<")[0].strip()
                    self._notes[task] = note
        return self._places


def _shown_names(call: ToolCall) -> set[str]:
    if call.name in _OUTPUT_TOOLS or call.name in _STOP_TOOLS:
        return {value for key in _TASK_INPUTS if isinstance(value := call.input.get(key), str)}
    paths: list[str] = []
    if call.name == "Read":
        path = call.input.get("file_path")
        paths = [path] if isinstance(path, str) else []
    command = call.input.get("command")
    if isinstance(command, str):
        for sign in _QUOTES:
            command = command.replace(sign, " ")
        words = command.split()
        if not _READERS.isdisjoint(words):
            paths = [word for word in words if "." in word or "/" in word]
    names = {path.replace("\\", "/").rpartition("/")[2] for path in paths}
    return names | {name.removesuffix(_OUTPUT_FILE) for name in names}


def _written_names(call: ToolCall) -> set[str]:
    """Return the names of files into which a command sends its output, as far as one look tells."""
    command = call.input.get("command")
    if not isinstance(command, str) or not any(sign in command for sign in _WRITING):
        return set()
    for sign in _QUOTES.replace(">", ""):
        command = command.replace(sign, " ")
    words = command.replace(">>", ">").replace(">", " > ").replace("tee -a ", "tee ").split()
    targets = (after for word, after in pairwise(words) if word in _WRITING)
    return {path.rpartition("/")[2] for path in targets}
