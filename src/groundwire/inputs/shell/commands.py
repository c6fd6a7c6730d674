"""Which commands of a script its exit status speaks of, and where else their result shows."""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.base.rules.programs import SAME_PROGRAM, WRAPPERS
from groundwire.inputs.shell.paths import file_name, join
from groundwire.inputs.shell.syntax import Exit, Parser, substitution, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.inputs.shell.syntax import Item, Node


#: Beginning of the reason why the status of all but the last command of a pipe is hidden.
PIPED = "piped into"
IN_LOOP = "in a loop"
_IN_CONDITION = Exit(hidden="in a condition")
_IN_LOOP = Exit(hidden=IN_LOOP)
_IN_BACKGROUND = Exit(hidden="in the background")
_NEGATED = Exit(hidden="its status is turned round")
_PRINTERS = ("echo", "printf", "Write-Host", "Write-Output")
_ENDINGS = ("exit", "return", "false")
_LONGEST_TEXT = 100
STATUS = ("$?", "${PIPESTATUS[0]}", "${pipestatus[1]}", "$LASTEXITCODE")
_FIRST_OF_PIPE = STATUS[1:3]


def mark_exits(items: list[Item]) -> None:
    """Set ``exit`` of every command in the tree: what hides its status, or prints it."""
    options = {value for item in items for node in item.members for value in _set_options(node)}
    _mark_list(items, Exit(), "errexit" in options, "pipefail" in options)


def _set_options(node: Node) -> list[str]:
    words = [value for value, _ in node.words]
    if words[:1] != ["set"]:
        return []
    letters = "".join(word for word in words if word[:1] == "-" and word[1:].isalpha())
    return words + (["errexit"] if "e" in letters else [])


def _mark_list(items: list[Item], end: Exit, errexit: bool, pipefail: bool) -> None:
    """Go from the last pipeline to the first: each joint says what becomes of the one before it."""
    state = end
    names: dict[str, Exit] = {}  # variables that hold a status, by what is done with them later
    for item in reversed(items):
        if item.background:
            state = _IN_BACKGROUND
        _mark_pipeline(item, state, errexit, pipefail)
        text = _printed_text(item)
        _note_uses(item, text, names)
        if item.connector == "&&":
            state = state.replace(on_success=text) if _is_plain(text) else state
        elif item.connector == "||":
            if not _ends_badly(item):
                shown = text if _is_plain(text) else ""
                hidden = Exit(f"followed by || {_item_name(item)}", on_failure=shown)
                state = _kept_status(item, names) or hidden
        elif item.connector == "&":
            state = _IN_BACKGROUND
        elif not errexit:
            state = _exit_before_semicolon(item, text, names)
        else:
            state = end


def _mark_pipeline(item: Item, state: Exit, errexit: bool, pipefail: bool) -> None:
    last = len(item.members) - 1
    for position, node in enumerate(item.members):
        own = _NEGATED if item.negated else state
        first_shown = position == 0 and any(one in state.status_text for one in _FIRST_OF_PIPE)
        if position < last and not pipefail and not first_shown:
            following = item.members[position + 1]
            own = Exit(f"{PIPED} {_node_name(following)}")
        _mark_node(node, own, errexit, pipefail)


def _mark_node(node: Node, state: Exit, errexit: bool, pipefail: bool) -> None:
    node.exit = state
    if node.kind in ("(", "{"):
        for _, part in node.parts:
            _mark_list(part, state, errexit, pipefail)
        return
    loops = node.kind in ("for", "while", "until", "select")
    inner = _IN_CONDITION if not loops else state if errexit else _IN_LOOP
    condition = _IN_CONDITION
    bodies = [part for is_condition, part in node.parts if not is_condition]
    if node.kind == "if" and len(node.parts) - len(bodies) == 1:
        shown = [_first_printed_text(part) for part in bodies[:2]] + ["", ""]
        condition = condition.replace(on_success=shown[0], on_failure=shown[1])
    for is_condition, part in node.parts:
        _mark_list(part, condition if is_condition else inner, errexit, pipefail)


def _exit_before_semicolon(item: Item, text: str, names: dict[str, Exit]) -> Exit:
    if any(status in text for status in STATUS):
        return Exit(status_text=text)
    words = _words(item)
    if words[:1] == ["exit"] and words[1:] in ([], ["$?"]):
        return Exit()
    return _kept_status(item, names) or Exit(f"followed by ; {_item_name(item)}")


def _kept_status(item: Item, names: dict[str, Exit]) -> Exit | None:
    """``rc=$?``, when something is done with the variable later."""
    for word in _words(item):
        name, _, value = word.partition("=")
        if value in STATUS and name in names:
            return names[name]
    return None


def _note_uses(item: Item, text: str, names: dict[str, Exit]) -> None:
    """Remember what becomes of a variable: ``echo "exit $rc"`` or ``exit $rc``."""
    words = _words(item)
    if words[:1] == ["exit"] and len(words) == 2 and words[1].startswith("$"):
        names[words[1].strip("${}")] = Exit()
    elif "$" in text:
        for piece in text.split("$")[1:3]:
            name = "".join(c if c.isalnum() or c == "_" else " " for c in piece).split()[:1]
            if name and name[0] not in names:
                written = "${" + name[0] + "}" if piece.startswith("{") else "$" + name[0]
                names[name[0]] = Exit(status_text=text.replace(written, "$?"))


def _words(item: Item) -> list[str]:
    return [value for value, _ in item.members[0].words] if len(item.members) == 1 else []


def _printed_text(item: Item) -> str:
    """Return what an ``echo`` on the terminal prints, "" for every other command."""
    words = _words(item)
    if not words or words[0] not in _PRINTERS or item.members[0].redirections:
        return ""
    text = " ".join(word for word in words[1:] if word not in ("-e", "-n", "-ne"))
    return text.replace("\\n", "")[:_LONGEST_TEXT].strip()


def _first_printed_text(items: list[Item]) -> str:
    texts = [text for item in items[:1] if _is_plain(text := _printed_text(item))]
    return texts[0] if texts else ""


def _is_plain(text: str) -> bool:
    return bool(text) and "$" not in text and "`" not in text


def _ends_badly(item: Item) -> bool:
    """Tell whether the pipeline passes a failure on: ``exit 1``, ``{ echo no; exit 1; }``."""
    node = item.members[-1]
    while node.kind in ("(", "{") and node.parts and node.parts[0][1]:
        node = node.parts[0][1][-1].members[-1]
    words = [value for value, _ in node.words]
    return words[:1] != [] and words[0] in _ENDINGS and words[1:] != ["0"]


def _item_name(item: Item) -> str:
    return _node_name(item.members[0])


def _node_name(node: Node) -> str:
    return node.words[0][0].rpartition("/")[2][:40] if node.words else node.kind or "nothing"


#: How many shells may stand inside each other (``bash -c``), each of which is read once more.
_DEEPEST_SHELL = 3
_LONGEST_SCRIPT = 300
_LONGEST_PIPE = 8
_MOST_WRAPPERS = 10
#: Words and operators that are read of a text, those in shells that it starts among them: some
#: 60 KB without here-documents, which count as one. A tenth of a second is read at the most.
_MOST_TOKENS = 10_000
_FOLDER_COMMANDS = ("cd", "pushd", "Set-Location")
SHELLS = frozenset("bash sh zsh dash ksh fish pwsh powershell".split())
#: Programs that run the shell text behind one of these options, or behind ``-c``.
_STARTERS = ("su", "script", "nix-shell")
_TEXT_OPTIONS = ("--command", "--run", "-Command")
#: Options of ``uv run`` and ``coverage run`` that name a Python module to run.
_MODULE_OPTIONS = ("-m", "--module")
#: With these ``command`` tells where a program is, and runs nothing.
_WHERE = ("-v", "-V", "-pv")


class Command(Record):
    """One simple command.

    ``argv`` is without assignments, redirections and wrappers (``timeout``, ``npx`` ...), which
    ``wrappers`` names; ``text`` is as written, cut to 300 characters. ``cwd`` is what ``cd`` made
    of the folder in which the shell started, "" for that itself. ``connector`` stands before it,
    ``pipe_to`` holds the words of what its output goes through. ``exit`` says how its result shows.
    ``input_text`` is a here-document.
    """

    argv: tuple[str, ...]
    text: str = ""
    cwd: str = ""
    connector: str = ""
    pipe_to: tuple[tuple[str, ...], ...] = ()
    background: bool = False
    stderr_hidden: bool = False
    stdout_file: str = ""
    wrappers: tuple[str, ...] = ()
    exit: Exit = Exit()
    input_text: str = ""


class Script(Record):
    """The commands of a shell text, and the folder in which it leaves the shell.

    ``whole``: False when the text is too long, and its end was not read.
    """

    commands: tuple[Command, ...]
    cwd: str = ""
    whole: bool = True


#: Scripts that were read last: several questions about a turn begin with the same commands.
_KNOWN: dict[tuple[str, str], Script] = {}
_KEPT = [0]  # their characters, ``_LEAST`` for a short one
_MOST_KEPT, _LEAST, _LONGEST_KEPT = 200_000, 500, 100_000


def read_commands(command: str) -> tuple[Command, ...]:
    """Return the simple commands of shell text in order, those inside groups among them.

    Never raises: of broken text it returns what can be read. Linear in the text.
    """
    return read_script(command).commands


def read_script(command: str, cwd: str = "") -> Script:
    """Like ``read_commands``, for a shell that stands in ``cwd``; says where ``cd`` took it."""
    script = _KNOWN.get((command, cwd))
    if script is None:
        folder = [cwd]
        left = [_MOST_TOKENS]
        commands = tuple(_commands(command, _Context(folder, left)))
        script = Script(commands, folder[0], left[0] > 0)
        if len(command) <= _LONGEST_KEPT:
            _KEPT[0] += max(_LEAST, len(command))
            if _KEPT[0] > _MOST_KEPT:
                _KNOWN.clear()
                _KEPT[0] = 0
            _KNOWN[command, cwd] = script
    return script


class _Context(Record):
    """What groups around a command decide for it; ``folder`` is shared, so that cd changes it.

    ``left`` is shared by all shells: how many tokens may still be read.
    """

    folder: list[str]
    left: list[int]
    level: int = 0
    background: bool = False
    pipe_to: tuple[tuple[str, ...], ...] = ()
    redirections: tuple[tuple[str, str], ...] = ()


def _commands(text: str, context: _Context) -> Iterator[Command]:
    source = tokens(text.replace("\r\n", "\n"), context.left[0])
    context.left[0] -= len(source)
    items = Parser(source).items()
    mark_exits(items)
    yield from _item_commands(items, context)


def _item_commands(items: list[Item], context: _Context) -> Iterator[Command]:
    for item in items:
        pipes = [tuple(value for value, _ in node.words) for node in item.members]
        alone = len(pipes) == 1 and not item.background
        for position, node in enumerate(item.members):
            following = filter(None, pipes[position + 1 : position + 1 + _LONGEST_PIPE])
            inner = _Context(
                context.folder if alone and node.kind != "(" else [*context.folder],
                context.left,
                context.level,
                context.background or item.background,
                (*following, *context.pipe_to)[:_LONGEST_PIPE],
                (*context.redirections[-_LONGEST_PIPE:], *node.redirections),
            )
            connector = "|" if position else item.connector
            if not node.kind:
                yield from _simple_commands(node, connector, inner)
            for _, part in node.parts:
                yield from _item_commands(part, inner)


def _simple_commands(node: Node, connector: str, context: _Context) -> Iterator[Command]:
    words = node.words[_count_assignments([written for _, written in node.words]) :]
    if not words:  # the status of name=$(...) is that of its last command
        for _, written in node.words:
            text = substitution(written.partition("=")[2].strip('"'))
            yield from _inner_shell_commands(text, node.exit, context)
        return
    if words[0][0] in _FOLDER_COMMANDS:
        target = next((value for value, _ in words[1:] if not value.startswith("-")), "~")
        context.folder[0] = join(context.folder[0], target)
    argv, wrappers = strip_wrappers([value for value, _ in words])
    bodies = [body for operator, body in node.redirections if operator in ("<<", "<<-")]
    stdout_file, stderr_hidden = _streams(context.redirections)
    command = Command(
        argv=argv,
        text=" ".join(" ".join(written for _, written in words).split())[:_LONGEST_SCRIPT],
        cwd=context.folder[0],
        connector=connector,
        pipe_to=context.pipe_to,
        background=context.background,
        stderr_hidden=stderr_hidden,
        stdout_file=stdout_file,
        wrappers=wrappers,
        exit=node.exit,
        input_text=bodies[-1] if bodies else "",
    )
    script = _inner_script(command)
    if not script or context.level == _DEEPEST_SHELL:
        yield from (command,) if argv else ()
    for inner in _inner_shell_commands(script, node.exit, context):
        joint = inner.connector or connector
        yield inner.replace(connector=joint, wrappers=wrappers + inner.wrappers)


def _inner_shell_commands(text: str, shown: Exit, outer: _Context) -> Iterator[Command]:
    """Yield the commands of a shell that another one starts, and whose result is ``shown``."""
    if text and outer.level < _DEEPEST_SHELL:
        for inner in _commands(text, outer.replace(folder=[*outer.folder], level=outer.level + 1)):
            own = inner.exit
            yield inner.replace(
                exit=(own if own.hidden or own.status_text else shown).replace(
                    on_success=own.on_success or shown.on_success,
                    on_failure=own.on_failure or shown.on_failure,
                )
            )


def _count_assignments(words: Sequence[str]) -> int:
    return next((at for at, word in enumerate(words) if not _is_assignment(word)), len(words))


def _is_assignment(word: str) -> bool:
    return "=" in word and word.partition("=")[0].removesuffix("+").isidentifier()


def _streams(redirections: Sequence[tuple[str, str]]) -> tuple[str, bool]:
    """Return the file that takes the output, and whether errors are thrown away."""
    stdout_file, stderr_hidden = "", False
    for operator, target in redirections:
        stream = operator.rstrip(">|&") if operator[:1] != "&" else "&"
        if ">" not in operator or (operator.endswith("&") and target.isdigit()):
            continue
        if stream in ("2", "&") or operator == ">&":
            stderr_hidden = target in ("/dev/null", "$null", "-")
        if stream in ("", "1", "&"):
            stdout_file = target
    return stdout_file, stderr_hidden


def program_name(path: str) -> str:
    """Return the name of a program without its folder and ``.exe``/``.cmd``."""
    return file_name(path).removesuffix(".exe").removesuffix(".cmd")


def strip_wrappers(argv: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Take the wrappers off ``argv``; return what they run, and their names.

    ``python -m pytest`` is ``pytest``. A wrapper that runs nothing stays.
    """
    words, names = list(argv), []
    for _ in range(_MOST_WRAPPERS):
        other = SAME_PROGRAM.get(program_name(words[0]), "") if words else ""
        if " " in other:  # docker-compose
            words[:1] = other.split()
        inner, name = _wrapped_command(words)
        if not inner:
            break
        words = inner[_count_assignments(inner) :]
        names.append(name)
    return tuple(words), tuple(names)


def _wrapped_command(words: list[str]) -> tuple[list[str], str]:
    """Return the command that the first wrapper of ``words`` runs, and the wrapper's name."""
    name = program_name(words[0]) if words else ""
    if name == "command" and words[1:2] and words[1] in _WHERE:
        return [], ""
    program = SAME_PROGRAM.get(name, name)
    rows = WRAPPERS.get(program) or WRAPPERS.get(program.rstrip("0123456789."), ())
    for more_words, values, own_words, options in rows:
        rest = _without_options(words[1:], values)
        for word in more_words:
            rest = _without_options(rest[1:], values) if rest[:1] == [word] else []
        if rest and own_words < 0:  # wherever the option stands
            rest = words[1:]
            rest = rest[next((at for at, it in enumerate(rest, 1) if it in options), len(rest)) :]
        elif options:
            rest = rest[1:] if rest[:1] and rest[0] in options else []
        elif rest[:1] and rest[0] in _MODULE_OPTIONS:
            rest = rest[1:]
        elif own_words:
            rest = _without_options(rest[own_words:], ())
        if rest:
            return rest, " ".join((program, *more_words))
    return [], ""


def _without_options(words: list[str], values: Sequence[str]) -> list[str]:
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            return words[at + 1 :]
        if word in _MODULE_OPTIONS and word not in values:
            break
        if not _is_assignment(word) and (word[:1] != "-" or word == "-"):
            break
        at += 2 if word in values else 1
    return words[at:]


def _inner_script(command: Command) -> str:
    """Return the shell text that a command runs: of ``bash -c "..."`` and the like; else ""."""
    argv = command.argv or ("",)
    name = program_name(argv[0])
    if name == "eval" or (len(argv) == 1 and command.wrappers[-1:] == ("ssh",)):
        return " ".join(argv[1:] or argv)
    if name not in SHELLS and name not in _STARTERS:
        return ""
    for before, word, following in zip(argv, argv[1:], (*argv[2:], ""), strict=False):
        if word in _TEXT_OPTIONS or (word[:1] == "-" != word[1:2] and "c" in word):
            return following
        is_value = before[:1] in "-+" and before.endswith("o")  # bash -o pipefail
        if word[:1] not in "-+" and not is_value and name in SHELLS:
            return ""
    return command.input_text if name in SHELLS else ""
