"""What the turn did besides running commands: edits, reads, searches, to-do lists, reports."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs.shell import Command, read_commands
from groundwire.model import ToolCall
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_EDIT_TOOLS = frozenset(("Edit", "MultiEdit", "Write", "NotebookEdit"))
_READ_TOOLS = frozenset(("Read", "NotebookRead", "LS"))
_SEARCH_TOOLS = frozenset(("Grep", "Glob"))
REPORT_TOOLS = frozenset(("Task", "Agent", "TaskOutput", "Workflow"))
_PLAIN_TOOLS = frozenset(
    "TodoWrite TaskCreate TaskUpdate TaskList TaskGet ExitPlanMode AskUserQuestion Skill "
    "ToolSearch BashOutput KillShell KillBash".split()
)
_SEARCH_COMMANDS = frozenset(("grep", "rg", "ag", "ack", "find", "fd", "egrep", "fgrep"))
_SEARCH_COMPANIONS = frozenset("cat cd echo head printf sort tail true uniq wc".split())
_PRINTERS = ("echo", "printf")
_NO_MATCH = ("Exit code 1", "Error: Exit code 1")
_NOTHING_FOUND = ("No matches found", "No files found", "Found 0 ")
_LONGEST_EMPTY, _LONGEST_QUERY = 400, 200
_TASK_HEAD = 40
_DONE = ("completed", "cancelled", "deleted")


class Edit(Record):
    """One change of a file; ``index`` is the position of its call in the turn."""

    index: int
    call_id: str
    path: str
    succeeded: bool


class Search(Record):
    """One search with what it looked for and how many lines it gave; None when unknown."""

    index: int
    call_id: str
    pattern: str
    place: str
    hits: int | None


class Actions(Record):
    """All of them in order. ``opaque`` names calls whose result could carry anything."""

    edits: tuple[Edit, ...] = ()
    searches: tuple[Search, ...] = ()
    open_todos: tuple[str, ...] = ()
    done_todos: int = 0
    reports: tuple[int, ...] = ()
    opaque: tuple[int, ...] = ()
    looks: tuple[int, ...] = ()  # calls that showed a file or a command's output


def actions_of(calls: Sequence[ToolCall]) -> Actions:
    """Collect the actions of a turn. Linear in its tool calls."""
    edits: list[Edit] = []
    searches: list[Search] = []
    reports: list[int] = []
    opaque: list[int] = []
    for index, call in enumerate(calls):
        if call.name in _EDIT_TOOLS:
            edits.append(_edit(index, call))
        elif call.name in _SEARCH_TOOLS:
            searches.append(_search(index, call))
        elif call.name in SHELL_TOOLS:
            searches.extend(_shell_searches(index, call))
        elif call.name in REPORT_TOOLS:
            reports.append(index)
        elif call.name not in _READ_TOOLS and call.name not in _PLAIN_TOOLS:
            opaque.append(index)
    todos = _tasks(calls, ())
    return Actions(
        tuple(edits),
        _last_answers(searches, calls),
        tuple(text for _, text, status in todos if status not in _DONE),
        sum(status == _DONE[0] for _, _, status in todos),
        tuple(reports),
        tuple(opaque),
        tuple(
            index
            for index, call in enumerate(calls)
            if call.name in _READ_TOOLS or call.name in SHELL_TOOLS
        ),
    )


def _edit(index: int, call: ToolCall) -> Edit:
    path = _text(call, "file_path") or _text(call, "notebook_path")
    return Edit(index, call.id, path, not call.is_error and call.result is not None)


def _search(index: int, call: ToolCall) -> Search:
    return Search(index, call.id, _text(call, "pattern"), _text(call, "path"), _hits(call))


def _hits(call: ToolCall) -> int | None:
    if call.result is None or call.is_error:
        return None
    result = call.result.strip()
    if not result or result.startswith(_NOTHING_FOUND):
        return 0
    return result.count("\n") + 1


def _shell_searches(index: int, call: ToolCall) -> Iterator[Search]:
    """Yield the search of a shell call whose output is that search's alone."""
    commands = read_commands(_text(call, "command"))
    found = [command for command in commands if _is_search(command)]
    if call.result and _may_be_empty(call):
        from groundwire.evidence.turn.queries import is_empty_query

        if is_empty_query(commands, _text(call, "command"), call.result):
            yield Search(index, call.id, commands[-1].text[:_LONGEST_QUERY], "", 0)
            return
    if not found or call.result is None or not all(_belongs(command) for command in commands):
        return
    failed = call.is_error and not call.result.startswith(_NO_MATCH)
    hits = None if failed else _found_lines(call.result, commands)
    yield Search(index, call.id, " ".join(found[0].argv[1:]), found[0].cwd, hits)


def _last_answers(searches: Sequence[Search], calls: Sequence[ToolCall]) -> tuple[Search, ...]:
    """Return the searches without those that found nothing, but something when made again."""
    if all(search.hits != 0 for search in searches):
        return tuple(searches)
    last = {_question(call): call.result for call in calls}
    return tuple(
        search
        for search in searches
        if search.hits != 0 or last[_question(calls[search.index])] == calls[search.index].result
    )


def _question(call: ToolCall) -> tuple[str, ...]:
    return (call.name, *(_text(call, name) for name in ("command", "pattern", "path", "glob")))


def _may_be_empty(call: ToolCall) -> bool:
    """Tell whether an output is as short as that of a count or an empty listing."""
    result = call.result or ""
    return len(result) <= _LONGEST_EMPTY and (not call.is_error or result.startswith(_NO_MATCH))


def _belongs(command: Command) -> bool:
    return _is_search(command) or not _SEARCH_COMPANIONS.isdisjoint(command.argv[:1])


def _is_search(command: Command) -> bool:
    name = command.argv[0] if command.argv else ""
    return name in _SEARCH_COMMANDS or command.argv[:2] == ("git", "grep")


def _found_lines(result: str, commands: Sequence[Command]) -> int:
    """Count the lines of a search, without those that ``echo`` printed; ``wc`` counted itself."""
    lines = [line.strip() for line in result.split("\n") if line.strip()]
    if commands[-1].argv[:1] == ("wc",) and len(lines) == 1 and lines[0].isdigit():
        return int(lines[0])
    said = {" ".join(one.argv[1:]) for one in commands if one.argv[:1] and one.argv[0] in _PRINTERS}
    fixed = tuple(text.partition("$")[0] for text in said if text.partition("$")[0])
    return sum(not line.startswith(("Exit code", "Error: Exit code", *fixed)) for line in lines)


def open_tasks(
    calls: Sequence[ToolCall], before: Sequence[tuple[str, str]] = ()
) -> list[tuple[str, str]]:
    """Return id and text of what is open in the last to-do list, or of the tasks made one by one.

    ``before`` is what earlier turns left open.
    """
    return [(key, text) for key, text, status in _tasks(calls, before) if status not in _DONE]


def _tasks(
    calls: Sequence[ToolCall], before: Sequence[tuple[str, str]]
) -> list[tuple[str, str, str]]:
    """Return id, text and status of every item of the last to-do list."""
    tasks = {key: (text, "pending") for key, text in before}
    for call in calls:
        if call.name == "TodoWrite":
            tasks = _listed(call.input.get("todos"))
        elif call.name == "TaskCreate":
            tasks[_task_number(call) or str(len(tasks) + 1)] = (_text(call, "subject"), "pending")
        elif call.name == "TaskUpdate" and (key := str(call.input.get("taskId", ""))) in tasks:
            tasks[key] = (tasks[key][0], _text(call, "status") or tasks[key][1])
    return [(key, text, status) for key, (text, status) in tasks.items()]


def _task_number(call: ToolCall) -> str:
    """Return the number of "Task #3 created successfully", "" when there is none."""
    word = (call.result or "")[:_TASK_HEAD].partition("#")[2].partition(" ")[0]
    return word if word.isdigit() else ""


def _listed(todos: object) -> dict[str, tuple[str, str]]:
    if not isinstance(todos, list):
        return {}
    items = [item for item in todos if isinstance(item, dict)]
    return {
        str(number): (str(item.get("content", "")), str(item.get("status", "")))
        for number, item in enumerate(items)
    }


def _text(call: ToolCall, key: str) -> str:
    value = call.input.get(key)
    return value if isinstance(value, str) else ""
