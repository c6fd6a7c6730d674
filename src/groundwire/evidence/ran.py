"""Whether a turn ran a command that a message names, in whatever spelling."""

from __future__ import annotations

from groundwire.evidence.programs import classify, program_of
from groundwire.evidence.records import GIT, INSTALL, LINT, LOOK, OTHER, TEST, TYPES
from groundwire.evidence.tools import SHELL_TOOLS, argument
from groundwire.shell.commands import read_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.model import ToolCall
    from groundwire.shell.commands import Command

_LONGEST, _MOST_COMMANDS = 20_000, 60
#: A dedicated tool may have done what these do.
_HAVE_TOOLS = frozenset("ls cat grep rg find sed awk head tail wc diff echo tree pwd cd".split())
#: Programs whose first word says what they do; other words are what they do it to.
_WITH_TASKS = frozenset(
    "git npm pnpm yarn bun cargo go docker kubectl helm make just task rake gradle mvn dotnet "
    "swift terraform pip poetry uv gh composer bundle mix nx turbo deno tox nox rails".split()
)
_CHANGING = frozenset("cp mv rm tee sed perl patch touch install rsync".split())
#: What a run of these kinds does to files is nothing; git commands that change none.
_LOOKING = (TEST, LINT, TYPES, LOOK)
_LOOKING_GIT = frozenset("git status|git diff|git commit|git push|git add|git log".split("|"))
_WRITING = ("--fix", "-w", "--write", "-u", "--update", "--unsafe-fixes")


def among(wanted: Command | None, calls: Sequence[ToolCall]) -> bool | None:
    """Tell whether one of ``calls`` ran a command, by program and main arguments; None: maybe."""
    if wanted is None:
        return None
    texts = (argument(call, "command") for call in calls if call.name in SHELL_TOOLS)
    scripts = (read_commands(text[:_LONGEST]) for text in dict.fromkeys(texts))
    commands = [command for script in scripts for command in script[:_MOST_COMMANDS]]
    if any(_is_same(wanted, command) for command in commands):
        return True
    return None if any(_may_be(wanted, command) for command in commands) else False


def main_command(text: str) -> Command | None:
    """Return the one command of ``text`` that counts; None for none, and for many."""
    commands = [it for it in read_commands(text[:_LONGEST]) if program_in(it) != "cd"]
    programs = {program_in(it) for it in commands if it.connector != "|"}
    return commands[0] if len(programs) == 1 and programs.isdisjoint(_HAVE_TOOLS) else None


def _is_same(wanted: Command, command: Command) -> bool:
    main, other = plain_words(wanted), plain_words(command)
    if program_in(wanted) != program_in(command):
        return False
    if program_in(wanted) in _WITH_TASKS and main:
        return main[0] in other[:2] or (main[0] == "run" and main[1:2] == other[:1])
    ends = tuple(f"/{word.removeprefix('./')}" for word in main[:1])
    return set(main) <= set(other) or any(f"/{word}".endswith(ends) for word in other)


def _may_be(wanted: Command, command: Command) -> bool:
    """Tell whether ``command`` may have run ``wanted``, or be it under another name."""
    kind, other = classify(wanted), classify(command)
    if other is None:
        return False
    if "|inline|" in other.signature:  # code in the command line names what it starts
        return program_in(wanted) in command.text + command.input_text
    if kind is None or kind.kind in (OTHER, INSTALL):
        is_alike = program_in(wanted) == program_in(command) not in _WITH_TASKS
        return is_alike or (other.opaque and other.kind == OTHER)  # a script may run anything
    if other.opaque and not other.tool:
        return True
    return other.kind == kind.kind and (kind.opaque or other.opaque or other.tool == kind.tool)


def program_in(command: Command) -> str:
    """Return the program that a command calls."""
    return program_of(command.argv[0]) if command.argv else ""


def plain_words(command: Command) -> list[str]:
    """Return the words that are no options, without "--" and the values of assignments."""
    return [it for it in command.argv[1:] if it and it[0] not in "-$<" and "=" not in it]


def may_write(command: Command) -> bool:
    """Tell whether a command may change files; tests and looks do not."""
    if command.stdout_file and not command.stdout_file.startswith("/dev/"):
        return True
    known = classify(command)
    if any(word.startswith(_WRITING) for word in command.argv[1:]) or known is None:
        return known is not None or program_in(command) in _CHANGING
    return known.tool not in _LOOKING_GIT if known.kind == GIT else known.kind not in _LOOKING
