"""A small, forgiving reader of shell text: which commands stand in it, and how they are joined."""

from __future__ import annotations

from groundwire.evidence.runs.exits import mark_exits
from groundwire.evidence.runs.places import join
from groundwire.evidence.runs.syntax import Parser
from groundwire.evidence.runs.words import substitution, tokens
from groundwire.evidence.runs.wrappers import inner_script, strip_wrappers
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.runs.syntax import Exit, Item, Node

#: How many shells may stand inside each other (``bash -c``), each of which is read once more.
_DEEPEST_SHELL = 3
_LONGEST_TEXT = 300
_LONGEST_PIPE = 8
_FOLDER_COMMANDS = ("cd", "pushd", "Set-Location")
_NOWHERE = ("/dev/null", "$null")
_OUTPUT = ("", "1", "&", ">&", ">|")


class Command(Record):
    """One simple command.

    ``argv`` is without assignments, redirections and wrappers (``timeout``, ``npx`` ...), which
    ``wrappers`` names; ``text`` is as written, cut to 300 characters. ``cwd`` is what ``cd`` made
    of the folder in which the shell started, "" for that itself. ``connector`` stands before it,
    ``pipe_to`` holds the words of what its output goes through. ``hidden`` says why the exit
    status of the whole text tells nothing about it, "" when it does. ``status_text`` is an ``echo``
    that prints its exit status, as "exit: $?"; ``on_success`` and ``on_failure`` are texts that are
    printed then. ``input_text`` is a here-document.
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
    hidden: str = ""
    status_text: str = ""
    on_success: str = ""
    on_failure: str = ""
    input_text: str = ""


class Script(Record):
    """The commands of a shell text, and the folder in which it leaves the shell."""

    commands: tuple[Command, ...]
    cwd: str = ""


#: Scripts that were read last: several questions about a turn begin with the same commands.
_KNOWN: dict[tuple[str, str], Script] = {}
_MOST_KEPT, _LONGEST_KEPT = 256, 4_000


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
        script = Script(tuple(_read(command, _Context(folder), 0)), folder[0])
        if len(command) <= _LONGEST_KEPT:
            if len(_KNOWN) >= _MOST_KEPT:
                _KNOWN.clear()
            _KNOWN[command, cwd] = script
    return script


class _Context:
    """What groups around a command decide for it; ``folder`` is shared, so that cd changes it."""

    __slots__ = ("background", "folder", "pipe_to", "redirections")

    def __init__(self, folder: list[str]) -> None:
        self.folder = folder
        self.background = False
        self.pipe_to: tuple[tuple[str, ...], ...] = ()
        self.redirections: list[tuple[str, str]] = []

    def inner(self) -> _Context:
        """Return the context of a subshell: a copy with a folder of its own."""
        context = _Context([self.folder[0]])
        context.background = self.background
        context.pipe_to = self.pipe_to
        context.redirections = self.redirections
        return context


def _read(text: str, context: _Context, level: int) -> Iterator[Command]:
    items = Parser(tokens(text.replace("\r\n", "\n"))).items()
    mark_exits(items)
    yield from _of_items(items, context, level)


def _of_items(items: list[Item], context: _Context, level: int) -> Iterator[Command]:
    for item in items:
        pipes = [tuple(value for value, _ in node.words) for node in item.members]
        alone = len(pipes) == 1 and not item.background
        for position, node in enumerate(item.members):
            inner = context if alone and node.kind != "(" else context.inner()
            connector = "|" if position else item.connector
            yield from _of_node(node, connector, inner, item.background, pipes, position, level)


def _of_node(
    node: Node,
    connector: str,
    context: _Context,
    background: bool,
    pipes: list[tuple[str, ...]],
    position: int,
    level: int,
) -> Iterator[Command]:
    around = (context.background, context.pipe_to, context.redirections)
    context.background = context.background or background
    following = tuple(
        words for words in pipes[position + 1 : position + 1 + _LONGEST_PIPE] if words
    )
    context.pipe_to = (following + context.pipe_to)[:_LONGEST_PIPE]
    if node.redirections:
        context.redirections = [*context.redirections[-_LONGEST_PIPE:], *node.redirections]
    if node.kind:
        for _, part in node.parts:
            yield from _of_items(part, context, level)
    else:
        yield from _of_simple(node, connector, context, level)
    context.background, context.pipe_to, context.redirections = around


def _of_simple(node: Node, connector: str, context: _Context, level: int) -> Iterator[Command]:
    assignments = _count_assignments(node)
    words = node.words[assignments:]
    if not words:
        yield from _assigned(node, context, level)
        return
    if words[0][0] in _FOLDER_COMMANDS:
        target = next((value for value, _ in words[1:] if not value.startswith("-")), "~")
        context.folder[0] = join(context.folder[0], target)
    argv, wrappers = strip_wrappers([value for value, _ in words])
    command = _command(node, words, argv, wrappers, connector, context)
    script = ""
    if level < _DEEPEST_SHELL:
        script = inner_script(argv, command.input_text, "".join(wrappers[-1:]))
    if script:
        for inner in _read(script, context.inner(), level + 1):
            yield _with_exit(inner, node.exit).replace(
                connector=inner.connector or connector, wrappers=wrappers + inner.wrappers
            )
    elif argv:
        yield command


def _command(
    node: Node,
    words: list[tuple[str, str]],
    argv: tuple[str, ...],
    wrappers: tuple[str, ...],
    connector: str,
    context: _Context,
) -> Command:
    stdout_file, stderr_hidden = _streams(context.redirections)
    bodies = [body for operator, body in node.redirections if operator in ("<<", "<<-")]
    return Command(
        argv=argv,
        text=" ".join(" ".join(written for _, written in words).split())[:_LONGEST_TEXT],
        cwd=context.folder[0],
        connector=connector,
        pipe_to=context.pipe_to,
        background=context.background,
        stderr_hidden=stderr_hidden,
        stdout_file=stdout_file,
        wrappers=wrappers,
        hidden=node.exit.hidden,
        status_text=node.exit.status_text,
        on_success=node.exit.on_success,
        on_failure=node.exit.on_failure,
        input_text=bodies[-1] if bodies else "",
    )


def _with_exit(inner: Command, outer: Exit) -> Command:
    """Give a command of an inner shell what the outer one says about its result."""
    shown = inner if inner.hidden or inner.status_text else outer
    return inner.replace(
        hidden=shown.hidden,
        status_text=shown.status_text,
        on_success=inner.on_success or outer.on_success,
        on_failure=inner.on_failure or outer.on_failure,
    )


def _assigned(node: Node, context: _Context, level: int) -> Iterator[Command]:
    """Yield the commands of ``name=$(...)``: their status is that of the assignment."""
    for _, written in node.words if level < _DEEPEST_SHELL else ():
        script = substitution(written.partition("=")[2].strip('"'))
        if script:
            for inner in _read(script, context.inner(), level + 1):
                yield _with_exit(inner, node.exit)


def _count_assignments(node: Node) -> int:
    for position, (_, written) in enumerate(node.words):
        name, equals, _ = written.partition("=")
        if not equals or not name.removesuffix("+").isidentifier():
            return position
    return len(node.words)


def _streams(redirections: list[tuple[str, str]]) -> tuple[str, bool]:
    """Return the file that takes the output, and whether errors are thrown away."""
    stdout_file, stderr_hidden = "", False
    for operator, target in redirections:
        stream = operator.rstrip(">|&") if operator[:1] != "&" else "&"
        if ">" not in operator or (operator.endswith("&") and target.isdigit()):
            continue
        if stream in ("2", "&") or operator == ">&":
            stderr_hidden = target in (*_NOWHERE, "-")
        if stream in ("", "1", "&"):
            stdout_file = target
    return stdout_file, stderr_hidden
