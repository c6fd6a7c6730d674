"""What one shell command does to the files that its words name."""

from __future__ import annotations

from groundwire.evidence.runs.places import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.runs.shell import Command

#: A file is written as a whole, changed in part, or taken away; ``UNNAMED`` is a command that
#: changes files without naming them, ``CLEANED`` one that takes away what git does not know, and
#: ``STAGED`` one that tells git of files.
WRITTEN, CHANGED, REMOVED = "written", "changed", "removed"
UNNAMED, CLEANED, STAGED = "unnamed", "cleaned", "staged"
REMOVERS = ("rm", "unlink", "Remove-Item", "del")
_COPIERS = ("cp", "Copy-Item")
_MOVERS = ("mv", "Move-Item")
#: Git commands that change files, and words with which they do not. To go to another branch, and
#: to bring in what is committed (merge, rebase, pull), is no edit of what the turn worked on.
_GIT_CHANGES = frozenset("stash reset cherry-pick revert apply am".split())
_GIT_NO_CHANGE = ("list", "show", "drop", "clear", "--check")
#: Those that take back the changes of the files that they name.
_GIT_TAKES_BACK = ("checkout", "restore")
_EVERYTHING = (".", "./", ":/", "*")
#: Programs that fetch or show something, and suffixes of files that keep what they printed.
_FETCHING = frozenset(
    "aws az crictl curl docker gcloud gh glab helm http journalctl kubectl mysql nomad oc podman "
    "ps psql redis-cli sqlite3 wget xh".split()
)
_CAPTURES = (".html", ".json", ".jsonl", ".ndjson", ".out", ".raw", ".tsv", ".xml")
_IN_PLACE = ("-i", "-pi", "--in-place")
_LONGEST_SUFFIX = 12
#: A command that changes a file has one of these in it somewhere.
CHANGING = (">", "tee", "sed", "perl", "patch", "git", *REMOVERS, *_COPIERS, *_MOVERS)


def file_words(command: Command) -> list[str]:
    """Return the arguments of a command that are no options."""
    return [word for word in command.argv[1:] if not word.startswith("-")]


def file_changes(command: Command) -> Iterator[tuple[str, str]]:
    """Yield what becomes of which file, seen from where the shell of the command started.

    A path that ``cp`` only reads is none of them.
    """
    for what, path in _as_written(command):
        yield what, path if what == UNNAMED else join(command.cwd, path)


def _as_written(command: Command) -> Iterator[tuple[str, str]]:
    name = command.argv[0].rpartition("/")[2]
    words = file_words(command)
    if command.stdout_file and not _captures(name, command.stdout_file):
        yield WRITTEN, command.stdout_file
    if "ssh" in command.wrappers and (name == "git" or name in REMOVERS):
        return
    if name in REMOVERS:
        yield from ((REMOVED if is_sure(command) else CHANGED, word) for word in words)
    elif name in (*_COPIERS, *_MOVERS):
        yield from _of_copy(words, name in _MOVERS)
    elif name == "tee":
        yield from ((CHANGED if "-a" in command.argv else WRITTEN, word) for word in words)
    elif name in ("sed", "perl"):
        if any(word.startswith(_IN_PLACE) for word in command.argv):
            yield from ((CHANGED, word) for word in words if looks_like_file(word))
    elif name == "patch":
        yield UNNAMED, "patch"
    elif name == "git" and words:
        yield from _of_git(command.argv, words)


def _captures(name: str, path: str) -> bool:
    """Tell whether what a program fetched is only kept: ``kubectl get pods -o json > p.json``."""
    return name in _FETCHING and path.endswith(_CAPTURES)


def is_sure(command: Command) -> bool:
    """Tell whether a command ran, given that the text which it stands in ended well."""
    return command.connector != "||" and not (command.connector == "&&" and command.hidden)


def _of_copy(words: list[str], moves: bool) -> Iterator[tuple[str, str]]:
    """Yield the files that ``cp`` and ``mv`` take, when they do not stay, and those they make."""
    target = words[-1] if words else ""
    for source in words[:-1]:
        if not looks_like_file(source):
            continue
        if moves:
            yield REMOVED, source
        is_file = looks_like_file(target)
        yield WRITTEN, target if is_file else join(target, source.rpartition("/")[2])


def _of_git(argv: tuple[str, ...], words: list[str]) -> Iterator[tuple[str, str]]:
    if words[0] == "add":
        yield STAGED, "."
    elif words[0] == "clean" and not any(word in argv for word in ("-n", "--dry-run")):
        yield from ((CLEANED, word) for word in words[1:] or ["."])
    elif words[0] in _GIT_TAKES_BACK and "--staged" not in argv:
        yield from _of_taking_back(argv, words)
    elif words[0] == "reset":
        yield from ((UNNAMED, "git reset"),) if "--hard" in argv else ()
    elif words[0] in _GIT_CHANGES and not any(word in argv for word in _GIT_NO_CHANGE):
        yield UNNAMED, f"git {words[0]}"


def _of_taking_back(argv: tuple[str, ...], words: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the files whose changes are taken back; ``git checkout`` may name a branch instead."""
    if "--" in argv:
        named = list(argv[argv.index("--") + 1 :])
    elif words[0] == "restore":
        named = words[1:]
    else:
        named = [word for word in words[1:] if word in _EVERYTHING or _is_no_branch(word)]
    for word in named:
        yield (UNNAMED, f"git {words[0]}") if word in _EVERYTHING else (CHANGED, word)


def _is_no_branch(word: str) -> bool:
    """Tell the name of a file from that of a branch or a tag, as ``v1.2`` is one."""
    return looks_like_file(word) and not word.rpartition(".")[2].isdigit()


def looks_like_file(word: str) -> bool:
    """Tell a path with a suffix from a folder and from the text of ``sed``."""
    name = word.rpartition("/")[2]
    suffix = name.rpartition(".")[2]
    is_suffix = suffix.isalnum() and len(suffix) < _LONGEST_SUFFIX
    return "." in name.lstrip(".") and is_suffix and " " not in word
