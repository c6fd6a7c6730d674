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
#: Git commands that change files, and words with which they do not.
_GIT_CHANGES = frozenset(
    "checkout switch restore stash reset merge rebase pull cherry-pick revert apply am".split()
)
_GIT_NO_CHANGE = ("-b", "-B", "-c", "-C", "--soft", "list", "show", "--staged", "--check", "HEAD")
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
    elif words[0] not in _GIT_CHANGES:
        return
    elif "--" in argv:
        yield from ((CHANGED, word) for word in argv[argv.index("--") + 1 :])
    elif words[0] == "reset":
        yield from ((UNNAMED, "git reset"),) if "--hard" in argv else ()
    elif not any(word in argv for word in _GIT_NO_CHANGE):
        yield UNNAMED, f"git {words[0]}"


def looks_like_file(word: str) -> bool:
    """Tell a path with a suffix from a folder and from the text of ``sed``."""
    name = word.rpartition("/")[2]
    suffix = name.rpartition(".")[2]
    is_suffix = suffix.isalnum() and len(suffix) < _LONGEST_SUFFIX
    return "." in name.lstrip(".") and is_suffix and " " not in word
