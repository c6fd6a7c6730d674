"""What the turn did besides running and editing: searches with their hits, and to-do lists."""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.inputs.shell.commands import read_commands
from groundwire.turn.records import SEARCH_TOOLS, SHELL_TOOLS, argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.base.budget import Watch
    from groundwire.base.model import ToolCall
    from groundwire.inputs.shell.commands import Command

_SEARCH_COMMANDS = frozenset("ack ag egrep fd fgrep find grep rg".split())
#: Programs beside a search that print nothing of their own, or only count and cut it.
_COMPANIONS = frozenset("cat cd echo head ls printf sort tail true uniq wc".split())
_PRINTERS = ("echo", "printf")
_NO_MATCH = ("Exit code 1", "Error: Exit code 1")
_NOTHING_FOUND = ("No matches found", "No files found", "Found 0 ")
#: Options of searches whose value is a word of its own.
_WITH_VALUE = frozenset("-g --glob -t --type -T -A -B -C -m -f --include --exclude --iglob".split())
_TASK_HEAD = 40
_MOST_LINES, _MOST_PLACES, _LONGEST_PATH = 200, 20, 300


class Search(Record):
    """One search: what it looked for, where, and how many lines it gave; None when unknown."""

    index: int
    call_id: str
    command: str
    pattern: str
    place: str
    hits: int | None
    line: str = ""  # the first hit
    places: tuple[str, ...] = ()  # the files of the hits, each once, the first ones


def searches_of(calls: Sequence[ToolCall], watch: Watch) -> tuple[Search, ...]:
    """Return the searches of a turn in order. Linear in its tool calls."""
    searches: list[Search] = []
    for index, call in enumerate(calls):
        if watch.is_late("the last searches"):
            break
        if call.name in SEARCH_TOOLS:
            pattern, place = argument(call, "pattern"), argument(call, "path")
            failed = call.result is None or call.is_error
            lines = [] if failed else _lines(call.result or "")
            searches.append(_search(index, call, f"{call.name} {pattern}", (pattern, place), lines))
            if failed:
                searches[-1] = searches[-1].replace(hits=None)
        elif call.name in SHELL_TOOLS and call.result is not None:
            search = _shell_search(index, call)
            if search:
                searches.append(search)
    return tuple(searches)


def tasks_of(calls: Sequence[ToolCall]) -> list[tuple[str, str]]:
    """Return text and status of every item of the last to-do list, or made one by one."""
    tasks: dict[str, tuple[str, str]] = {}
    for call in calls:
        if call.name == "TodoWrite":
            tasks = _listed(call.input.get("todos"))
        elif call.name == "TaskCreate":
            number = _task_number(call) or str(len(tasks) + 1)
            tasks[number] = (argument(call, "subject"), "pending")
        elif call.name == "TaskUpdate" and (key := str(call.input.get("taskId", ""))) in tasks:
            tasks[key] = (tasks[key][0], argument(call, "status") or tasks[key][1])
    return [*tasks.values()]


def _shell_search(index: int, call: ToolCall) -> Search | None:
    """Return the search of a shell call; what it found is known when the output is its alone."""
    commands = read_commands(argument(call, "command"))
    search_commands = [command for command in commands if _is_search(command)]
    if not search_commands:
        return None
    result = call.result or ""
    place = (_pattern(search_commands[0]), search_commands[0].cwd)
    is_alone = all(_belongs(command) for command in commands)
    if not is_alone or (call.is_error and not result.startswith(_NO_MATCH)):
        return _search(index, call, search_commands[0].text, place, []).replace(hits=None)
    lines = [line for line in _lines(result) if not line.startswith(("Exit code", "Error: Exit"))]
    said = {" ".join(one.argv[1:]) for one in commands if one.argv[:1] and one.argv[0] in _PRINTERS}
    fixed = tuple(text.partition("$")[0] for text in said if text.partition("$")[0])
    lines = [line for line in lines if not fixed or not line.startswith(fixed)]
    search = _search(index, call, search_commands[0].text, place, lines)
    if commands[-1].argv[:1] == ("wc",) and len(lines) == 1 and lines[0].split()[0].isdigit():
        search = search.replace(hits=int(lines[0].split()[0]))
    return _with_counts(search, lines) if _prints_counts(search_commands[-1]) else search


def _pattern(command: Command) -> str:
    """Return what a search looks for: its first word that is no option; of ``find`` the names."""
    words = list(command.argv[1:])
    if words[:1] == ["grep"]:
        del words[0]
    name_options = ("-name", "-iname", "-path", "-e", "--regexp")
    pairs = [*zip(["", *words], words, strict=False)]
    named = [word for before, word in pairs if before in name_options]
    plain = [word for before, word in pairs if word[:1] != "-" and before not in _WITH_VALUE]
    return "|".join(named) or (plain[0] if plain else "")


def _prints_counts(command: Command) -> bool:
    """Tell whether a search prints numbers of hits: ``grep -c``, ``rg -c``, ``grep -rci``."""
    flags = [word for word in command.argv[1:] if word[:1] == "-"]
    return command.argv[0] != "find" and any(
        word == "--count" or (word[1:2] != "-" and "c" in word) for word in flags
    )


def _with_counts(search: Search, lines: list[str]) -> Search:
    counts = [line.rpartition(":") for line in lines if line.rpartition(":")[2].isdigit()]
    places = tuple(path for path, _, count in counts if path and count != "0")
    hits = sum(int(count) for _, _, count in counts)
    return search.replace(hits=hits, places=places[:_MOST_PLACES])


def _search(
    index: int, call: ToolCall, command: str, target: tuple[str, str], lines: list[str]
) -> Search:
    places = dict.fromkeys(filter(None, map(_place, lines[:_MOST_LINES])))
    first, files = "".join(lines[:1]), tuple(places)[:_MOST_PLACES]
    return Search(index, call.id, command, *target, len(lines), first, files)


def _place(line: str) -> str:
    """Return the file that a line of hits begins with, or is; "" when it shows none."""
    head = line.partition(":")[0]
    is_path = "/" in head or "." in head
    return head if is_path and " " not in head and len(head) <= _LONGEST_PATH else ""


def _lines(result: str) -> list[str]:
    lines = [line.strip() for line in result.split("\n") if line.strip()]
    if lines and lines[0].startswith(_NOTHING_FOUND):
        return []
    return lines[1:] if lines and lines[0].startswith("Found ") else lines


def _belongs(command: Command) -> bool:
    return _is_search(command) or not _COMPANIONS.isdisjoint(command.argv[:1])


def _is_search(command: Command) -> bool:
    name = command.argv[0] if command.argv else ""
    return name in _SEARCH_COMMANDS or command.argv[:2] == ("git", "grep")


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
