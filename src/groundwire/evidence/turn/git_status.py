"""What ``git status`` showed of a work tree in a turn, command by command."""

from __future__ import annotations

from groundwire.evidence.runs.places import join, same_place
from groundwire.evidence.runs.wrappers import base_name
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.evidence.runs.shell import Command

CLEAN, CHANGED, HIDDEN = "clean", "changed", "hidden"
#: How a changed file stands, as git tells.
STAGED, UNSTAGED, UNTRACKED = "staged", "unstaged", "untracked"
_SECTIONS = {
    "Changes to be committed:": STAGED,
    "Changes not staged for commit:": UNSTAGED,
    "Unmerged paths:": UNSTAGED,
    "Untracked files:": UNTRACKED,
}
_CLEAN = ("working tree clean", "working directory clean", "nothing to commit (working")
_SHORT_MARKS = frozenset(" MADRCTU?")
_SHORT_OPTIONS = ("--short", "--porcelain", "-s")
#: Global options of git with a value behind them.
_WITH_VALUE = ("-C", "-c", "--git-dir", "--work-tree")
#: Programs that let the lines of a status through, and the first line that tells only the branch.
_PASSING = ("cat", "head", "sort", "tail", "tee")
_BRANCH_ALONE = ("-1", "-n1")


class Status(Record):
    """One status: where, at which call and command of it, and the lines of files that it lists.

    ``files`` are pairs of how a file stands and the line that says so. Of several in one call only
    the last is read.
    """

    place: str
    index: int
    position: int
    call_id: str
    state: str
    files: tuple[tuple[str, str], ...] = ()
    part: bool = False


def git_words(command: Command) -> tuple[str, list[str]]:
    """Return the folder in which git works, and its words from the subcommand on; else no words."""
    if not command.argv or base_name(command.argv[0]) != "git":
        return "", []
    place, words = command.cwd, list(command.argv[1:])
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option in _WITH_VALUE and words:
            value = words.pop(0)
            place = join(place, value) if option == "-C" else place
    if "ssh" in command.wrappers:
        place = f"ssh:{place}"
    return place, words


def is_elsewhere(one: str, other: str) -> bool:
    """Tell whether two folders are surely not of one work tree."""
    if one.startswith("ssh:") != other.startswith("ssh:"):
        return True
    return bool(one and other) and not same_place(one, other)


def status_of(index: int, call_id: str, text: str, commands: Sequence[Command]) -> Status | None:
    """Return the last status that the commands of a shell call show; ``text`` is its output."""
    spots = [at for at, one in enumerate(commands) if git_words(one)[1][:1] == ["status"]]
    if not spots:
        return None
    command = commands[spots[-1]]
    place, words = git_words(command)
    options = [word for word in words[1:] if word.startswith("-")]
    found = Status(place, index, spots[-1], call_id, HIDDEN, part=len(options) < len(words) - 1)
    files = tuple(_files(_last_status(text) if len(spots) > 1 else text))
    shown = text.lower()
    if files:
        is_mixed = len(spots) > 1 and "On branch" not in text and "\n## " not in f"\n{text}"
        return found if is_mixed else found.replace(state=CHANGED, files=files)
    if any(words in shown for words in _CLEAN):
        return found.replace(state=CLEAN)
    is_short = any(option.startswith(_SHORT_OPTIONS) for option in options)
    if is_short and _lets_through(command, text) and len(spots) == 1:
        return found.replace(state=CLEAN)
    return found


def shows_clean(text: str) -> bool:
    """Tell whether an output says that nothing is changed, as that of a commit does."""
    return any(words in text.lower() for words in _CLEAN)


def path_in(line: str) -> str:
    """Return the path of a line of a status: "M a.py", "modified:   a.py", "?? b/"."""
    path = line.partition(":")[2] if ":" in line else line[2:] if line[2:3] == " " else line
    return path.rpartition(" -> ")[2].strip().strip('"')


def _lets_through(command: Command, text: str) -> bool:
    """Tell whether a short status that lists nothing shows that nothing is changed."""
    if command.stdout_file:
        return False
    for program in command.pipe_to:
        name = base_name(program[0]) if program else ""
        if name == "wc":
            counts = [line.strip() for line in text.split("\n") if line.strip().isdigit()]
            return counts == ["0"]
        is_branch = name == "head" and any(word in _BRANCH_ALONE for word in program)
        if name not in _PASSING or (is_branch and "\n## " in f"\n{text}"):
            return False
    return True


def _last_status(text: str) -> str:
    start = max(text.rfind("On branch "), f"\n{text}".rfind("\n## "))
    return text[start:] if start >= 0 else text


def _files(text: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in text.split("\n"):
        if line.strip() in _SECTIONS:
            section = _SECTIONS[line.strip()]
        elif not line.strip():
            section = ""
        elif section:
            if line[:1] in "\t " and not line.strip().startswith("("):
                yield section, line.strip()
        elif _is_short(line):
            how = UNTRACKED if line.startswith("??") else UNSTAGED if line[1] != " " else STAGED
            yield how, line.rstrip()


def _is_short(line: str) -> bool:
    marks = line[:2]
    if len(line) < 4 or line[2] != " " or line[3] == " " or marks == "  ":
        return False
    return _SHORT_MARKS.issuperset(marks) and ("?" not in marks or marks == "??")
