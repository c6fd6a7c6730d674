"""Whether a command that the message says was run is among those of the turn.

Compared by program and main arguments; folders, options, environment and wrappers do not count.
"""

from __future__ import annotations

from groundwire.evidence.runs.classify import Classified, classify
from groundwire.evidence.runs.model import INSTALL, OTHER
from groundwire.evidence.runs.shell import Command, read_commands
from groundwire.evidence.runs.wrappers import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_COMMANDS = 60
_LONGEST = 20_000
#: Programs whose first word says what they do; other words are what they do it to.
_WITH_TASKS = frozenset(
    "git npm pnpm yarn bun cargo go docker kubectl helm make mise just task rake gradle mvn "
    "dotnet swift terraform pip poetry uv gh composer bundle mix nx turbo deno hatch pdm tox "
    "nox pre-commit ansible flutter dart sbt bazel invoke poe rails artisan".split()
)
#: A dedicated tool may have done what these do.
_HAVE_TOOLS = frozenset("ls cat grep rg find sed awk head tail wc diff echo tree pwd cd".split())
_SAME = {"python3": "python", "pip3": "pip", "gradlew": "gradle", "mvnw": "mvn", "nodejs": "node"}


def was_run(claimed: str, commands: Iterable[str]) -> bool | None:
    """Tell whether the shell text ``claimed`` is among ``commands``; None: it may be.

    It may be when a command could have run it without naming it (a script, ``make ci``), or when
    the same program ran with other arguments.
    """
    wanted = _main(claimed)
    if wanted is None:
        return None
    kind = classify(wanted)
    known: bool | None = False
    for text in dict.fromkeys(commands):
        for command in read_commands(text[:_LONGEST])[:_MOST_COMMANDS]:
            if _is_same(wanted, command):
                return True
            if _may_be(wanted, kind, command):
                known = None
    return known


def same_command(claimed: str, command: str) -> bool:
    """Tell whether two shell texts run the same program on the same main arguments."""
    wanted = _main(claimed)
    if wanted is None or _program(wanted) not in command:  # most commands need not be read
        return False
    return any(_is_same(wanted, one) for one in read_commands(command))


def main_words(claimed: str) -> str:
    """Return program and first argument of the command that counts in ``claimed``."""
    wanted = _main(claimed)
    return "" if wanted is None else " ".join([wanted.argv[0], *_plain(wanted)[:1]])


def _main(text: str) -> Command | None:
    """Return the one command of ``text`` that counts; None for none, and for many."""
    commands = [one for one in read_commands(text[:_LONGEST]) if _program(one) not in ("cd", "")]
    if len({_program(one) for one in commands if one.connector != "|"}) != 1:
        return None
    wanted = commands[0]
    return None if _program(wanted) in _HAVE_TOOLS else wanted


def _is_same(wanted: Command, command: Command) -> bool:
    if _program(wanted) != _program(command):
        return False
    main, other = _plain(wanted), _plain(command)
    if not main:
        return True
    if _program(wanted) in _WITH_TASKS:
        return main[0] in other[:2] or (main[0] == "run" and main[1:2] == other[:1])
    return set(main) <= set(other) or any(_ends_alike(main[0], word) for word in other)


def _may_be(wanted: Command, kind: Classified | None, command: Command) -> bool:
    """Tell whether ``command`` may have run ``wanted``, or be it under another name."""
    other = classify(command)
    if other is None:
        return False
    if "|inline|" in other.signature:  # code in the command line names what it starts
        return _program(wanted) in command.text or _program(wanted) in command.input_text
    if kind is None or kind.kind in (OTHER, INSTALL):
        if other.opaque and other.kind == OTHER:  # a script may run anything
            return True
        return _program(wanted) == _program(command) and _program(wanted) not in _WITH_TASKS
    if other.opaque and other.kind in (OTHER, kind.kind):
        return True
    return other.kind == kind.kind and (kind.opaque or other.tool == kind.tool)


def _program(command: Command) -> str:
    name = base_name(command.argv[0]) if command.argv else ""
    name = _SAME.get(name, name)
    plain = name.rstrip("0123456789.")
    return plain if plain in ("python", "pip") else name


def _plain(command: Command) -> list[str]:
    """Return the words that are no options, without "--" and the values of assignments."""
    words = (word for word in command.argv[1:] if word and word[0] not in "-$<")
    return [word for word in words if "=" not in word]


def _ends_alike(one: str, other: str) -> bool:
    short, long = sorted((one.removeprefix("./"), other.removeprefix("./")), key=len)
    return long == short or long.endswith("/" + short)
