"""Whether what a message refers to is known: a path, a commit, a command, a quotation, an edit.

Every look-up answers True, False, or None when it cannot be told: then the turn was not seen as a
whole, or something may have done it that does not tell.
"""

from __future__ import annotations

from groundwire.base.rules.lists import DIRECT_VERBS
from groundwire.inputs.outcomes.clean import clean
from groundwire.inputs.shell.commands import read_commands
from groundwire.inputs.shell.paths import file_name
from groundwire.language.references import COMMAND, COMMIT, EDIT, PATH, QUOTE
from groundwire.turn.programs import classify, program_of
from groundwire.turn.records import (  # fmt: skip
    GIT,
    LINT,
    LOOK,
    OTHER,
    SHELL_TOOLS,
    TEST,
    TYPES,
    argument,
)
from groundwire.turn.session import KEPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from groundwire.base.model import ToolCall
    from groundwire.inputs.shell.commands import Command
    from groundwire.language.references import Reference
    from groundwire.turn.session import Digest
    from groundwire.turn.timeline import OnDisk, Timeline

    #: Tells whether the repository holds a commit, by the first digits of its name.
    InGit = Callable[[str], bool | None]

_HASH, _BEFORE_NAME = 7, 60
_MOST_COMMANDS = 60
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
#: Files that tools write on the way.
_GENERATED = (".lock", ".sum", ".snap", ".log", ".pyc", "-lock.json", "-lock.yaml")
_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")
_DELETED = bytes(sorted(set(range(256)) - _KEPT))
_GAPS = (" N ", "...", "\u2026", "[...]", "%s", "%d", "%v", "***")
_SHORTEST_QUOTE, _SHORTEST_PART = 8, 4


def knows(
    reference: Reference,
    turn: Timeline,
    on_disk: OnDisk,
    in_git: InGit,
    digest: Digest | None = None,
) -> bool | None:
    """Tell whether ``reference`` is known; the texts of ``turn`` hold that of ``digest``, too.

    Without tool calls less can be told: a cited line is looked up on disk, and a command is unknown
    when nobody names it.
    """
    kind, named = reference.kind, reference.path
    if not turn.calls and kind not in (COMMAND, PATH):
        return None
    if kind == PATH:
        return turn.knows_file(named, reference.line, on_disk)
    if kind == COMMIT:
        known = any(named[:_HASH].lower() in text.lower() for text in _texts(turn))
        return known or (None if turn.partial else in_git(named.lower()))
    answers = {
        COMMAND: lambda: _ran(named, turn, digest),
        QUOTE: lambda: _holds(named, turn),
        EDIT: lambda: _edited(named, reference.claimed, turn, digest),
    }
    return answers[kind]() if kind in answers else None


def _ran(claimed: str, turn: Timeline, digest: Digest | None) -> bool | None:
    """Tell whether the turn ran a command, or someone tells of it; None then.

    Of earlier turns the ``digest`` keeps the runs of some kinds alone.
    """
    wanted = _main_command(claimed)
    ran = _is_among(wanted, turn.calls)
    if wanted is None or ran is not False:
        return ran
    if digest and digest.used:
        known = classify(wanted)
        kind = known.kind if known else ""
        if kind not in KEPT or any(run.kind == kind for run in digest.runs):
            return None
    words = " ".join((wanted.argv[0], *_plain_words(wanted)[:1])).lower()
    results = (lowered for _, _, lowered in turn.texts.sources)
    told = any(words in text.lower() for text in (*turn.texts.told, *results))
    return None if told or turn.partial or turn.others else False


def _holds(quote: str, turn: Timeline) -> bool | None:
    """Tell whether a tool, the user or the turn itself wrote ``quote``; of a block one line does.

    Only letters and digits are compared, so that blanks, markup and the escapes of a terminal do
    not matter; an ellipsis or a placeholder stands for anything.
    """
    wanted = [parts for line in quote.split("\n") if (parts := _parts(line))]
    if not wanted:
        return None  # too short to tell
    texts = turn.texts
    if texts.letters is None:
        texts.letters = tuple(map(_letters, _texts(turn)))
    if any(all(part in text for part in parts) for parts in wanted for text in texts.letters):
        return True
    return False if texts.whole else None


def _parts(line: str) -> list[bytes]:
    """Return the stretches of a line between its gaps; none when it is too short to be told."""
    for gap in _GAPS:
        line = line.replace(gap, "\0")
    pieces = line.replace("{", "<").replace("}", ">").split("<")
    line = pieces[0] + "".join(f"\0{it.rpartition('>')[2]}" for it in pieces[1:])
    if line.lstrip().startswith(("```", "~~~")):
        return []
    parts = [part for part in map(_letters, line.split("\0")) if len(part) >= _SHORTEST_PART]
    return parts if sum(map(len, parts)) >= _SHORTEST_QUOTE else []


def _letters(text: str) -> bytes:
    return text.encode("ascii", "ignore").lower().translate(None, _DELETED)


def _edited(path: str, own: bool, turn: Timeline, digest: Digest | None) -> bool | None:
    """Tell whether a file was edited; None: something else may have changed it.

    Without "I" (``own``), or without the whole session, a message may tell of what others did:
    then an edit is only missed in a turn that edits.
    """
    name = file_name(path.rstrip("/\\")).lower()
    earlier = digest.edited if digest else ()
    if any(file_name(it).lower() == name for it in (*(edit.path for edit in turn.edits), *earlier)):
        return True
    commands = [argument(call, "command") for call in turn.calls if call.name in SHELL_TOOLS]
    told = (text for text in turn.texts.told[1:] if not digest or text != digest.text)
    is_named = any(name in text.lower() for text in (*commands, *told))
    if is_named or name.endswith(_GENERATED) or _is_asked_as_done(turn.prompt.lower(), name):
        return None
    if turn.partial or turn.others or any(call.result is None for call in turn.calls):
        return None
    if any(_may_write(it) for text in commands for it in read_commands(text)):
        return None
    is_told_of_others = not turn.edits and not turn.refused
    return None if is_told_of_others and not (own and digest and digest.whole) else False


def _is_asked_as_done(prompt: str, name: str) -> bool:
    """Tell whether the user tells of the file as edited before."""
    heads = prompt.split(name)[:-1]
    return any(not DIRECT_VERBS.isdisjoint(head[-_BEFORE_NAME:].split()) for head in heads)


def _texts(turn: Timeline) -> Iterator[str]:
    """Yield what tools returned, what was told, and what the turn itself passed to its tools."""
    yield from (text for _, text, _ in turn.texts.sources)
    yield from turn.texts.told
    for call in turn.calls:
        yield from map(clean, _strings(call.input))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _is_among(wanted: Command | None, calls: Sequence[ToolCall]) -> bool | None:
    """Tell whether one of ``calls`` ran a command, by program and main arguments; None: maybe."""
    if wanted is None:
        return None
    texts = (argument(call, "command") for call in calls if call.name in SHELL_TOOLS)
    scripts = (read_commands(text) for text in dict.fromkeys(texts))
    commands = [command for script in scripts for command in script[:_MOST_COMMANDS]]
    if any(_is_same(wanted, command) for command in commands):
        return True
    return None if any(_may_be(wanted, command) for command in commands) else False


def _main_command(text: str) -> Command | None:
    """Return the one command of ``text`` that counts; None for none, and for many."""
    commands = [it for it in read_commands(text) if _program_in(it) != "cd"]
    programs = {_program_in(it) for it in commands if it.connector != "|"}
    return commands[0] if len(programs) == 1 and programs.isdisjoint(_HAVE_TOOLS) else None


def _is_same(wanted: Command, command: Command) -> bool:
    main, other = _plain_words(wanted), _plain_words(command)
    if _program_in(wanted) != _program_in(command):
        return False
    if _program_in(wanted) in _WITH_TASKS and main:
        return main[0] in other[:2] or (main[0] == "run" and main[1:2] == other[:1])
    ends = tuple(f"/{word.removeprefix('./')}" for word in main[:1])
    return set(main) <= set(other) or any(f"/{word}".endswith(ends) for word in other)


def _may_be(wanted: Command, command: Command) -> bool:
    """Tell whether ``command`` may have run ``wanted``, or be it under another name."""
    known, other = classify(wanted), classify(command)
    if other is None:
        return False
    if "|inline|" in other.signature:  # code in the command line names what it starts
        return _program_in(wanted) in command.text + command.input_text
    if known is None or known.kind == OTHER:
        is_alike = _program_in(wanted) == _program_in(command) not in _WITH_TASKS
        return is_alike or (other.opaque and other.kind == OTHER)  # a script may run anything
    if other.opaque and not other.tool:
        return True
    return other.kind == known.kind and (known.opaque or other.opaque or other.tool == known.tool)


def _program_in(command: Command) -> str:
    """Return the program that a command calls."""
    return program_of(command.argv[0]) if command.argv else ""


def _plain_words(command: Command) -> list[str]:
    """Return the words that are no options, without "--" and the values of assignments."""
    return [it for it in command.argv[1:] if it and it[0] not in "-$<" and "=" not in it]


def _may_write(command: Command) -> bool:
    """Tell whether a command may change files; tests and looks do not."""
    if command.stdout_file and not command.stdout_file.startswith("/dev/"):
        return True
    known = classify(command)
    if any(word.startswith(_WRITING) for word in command.argv[1:]) or known is None:
        return known is not None or _program_in(command) in _CHANGING
    return known.tool not in _LOOKING_GIT if known.kind == GIT else known.kind not in _LOOKING
