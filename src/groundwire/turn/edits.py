"""What the calls of a turn changed: files, by the editing tools and by the shell, in order.

Only an edit of *source* makes a run stale: code, tests, build and runtime configuration, data that
a program reads. Text for readers, samples, notes, settings of editors and of remote pipelines,
files outside the project, and what the turn made and took away again are edits, but none of source,
and so are comments and the number of the project's version. What a formatter rewrites is no edit:
it leaves what the code does.
"""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.inputs.shell.commands import program_name, read_script
from groundwire.inputs.shell.paths import is_document, join, relative_path
from groundwire.turn.records import EDIT_TOOLS, KNOWN_TOOLS, SHELL_TOOLS, argument
from groundwire.turn.results import folder_after, read_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundwire.base.budget import Watch
    from groundwire.base.model import ToolCall
    from groundwire.inputs.shell.commands import Command

#: What becomes of a file; a ``COMMAND`` changes some without naming them.
FOUND, MADE, CHANGED, REMOVED, MOVED, COMMAND = range(6)
_PATHS = ("file_path", "notebook_path", "filePath", "relative_path", "path")
_NEW_TEXTS = ("new_string", "content", "new_source", "new_str", "file_text", "new_text", "body")
#: Beginning of what the writing tool returns of a file that was not there before.
_CREATED = "File created"
_LONGEST_PATH = 1000
_REMOVERS = ("rm", "unlink", "Remove-Item", "del")
_MOVERS = ("mv", "Move-Item")
_COPIERS = ("cp", "Copy-Item", *_MOVERS)
_WRITERS = ("tee", "Set-Content", "Add-Content", "Out-File")
#: Git commands that change files. To go to another branch, and to bring in what is committed
#: there (merge, rebase, pull), is no edit of what the turn worked on.
_GIT = frozenset("apply am cherry-pick revert stash".split())
_TAKING_BACK = ("git checkout", "git restore")
_GIT_NOTHING = frozenset(
    "list show drop clear branch --check --stat --cached --staged --continue".split()
)
#: Programs that fetch or show something, and suffixes of files that keep what they printed.
_FETCHING = frozenset("aws az curl docker gcloud gh glab helm http kubectl psql wget".split())
_CAPTURES = (".html", ".json", ".jsonl", ".ndjson", ".out", ".raw", ".tsv", ".xml")
#: Further files that no run here reads.
_UNREAD = frozenset(
    "todo notes .gitattributes .editorconfig .gitlab-ci.yml .travis.yml jenkinsfile .env.template "
    ".env.dist".split()
)
_SAMPLES = frozenset(("sample", "example"))
#: Folders of what tests read: any file in them is source.
_DATA = frozenset("testdata fixtures __fixtures__ __snapshots__ snapshots golden".split())
_OUTSIDE = ("/tmp/", "/var/tmp/", "/private/", "/var/folders/", "/dev/", "~/", "$", "%temp%", "&")  # noqa: S108
#: How lines of comments begin.
_COMMENTS = ("# ", "// ", "/*", "* ", "*/", "-- ", "<!--")
_SCRATCH = ("/scratchpad/", "/appdata/local/temp/", "/.claude/")


class Edit(Record):
    """One change of a file, tried by the call at ``index``; ``path`` is relative to the session's
    folder when it lies in it. A command that names no file stands for what it changed.
    """

    index: int
    call_id: str
    path: str
    succeeded: bool = True
    is_source: bool = True
    removed: bool = False


def edits_of(calls: Sequence[ToolCall], cwd: str, watch: Watch) -> tuple[Edit, ...]:
    """Return every change of a file that ``calls`` made or tried to make, in order. Linear."""
    edits: list[Edit] = []
    made: dict[str, list[int]] = {}  # by path, the numbers of its edits
    existing: set[str] = set()  # there before the turn
    by_folder: dict[str, set[str]] = {}  # by folder, what was made in it
    stashed: list[int] = []
    for what, edit in _changes(calls, cwd, watch):
        removed = _made_at(edit.path, made, by_folder) if what in (REMOVED, MOVED) else []
        undone = [number for path in removed for number in made.pop(path)]
        if edit.path == "git stash pop" and stashed:
            undone += [stashed.pop(), len(edits)]
        if edit.path in _TAKING_BACK:  # a call that takes back what it changed changes nothing
            same_call = [number for number, one in enumerate(edits) if one.index == edit.index]
            undone += [*same_call, len(edits)] if same_call else []
        if what == MADE and edit.path not in existing and edit.path not in made:
            made[edit.path] = []
            folder = edit.path[:_LONGEST_PATH]
            while folder:
                folder = folder.rpartition("/")[0]
                by_folder.setdefault(folder, set()).add(edit.path)
        elif edit.path not in made and not removed:
            existing.add(edit.path)
        if edit.path == "git stash":
            stashed.append(len(edits))
        if what != FOUND and not removed and (edit.succeeded or what == CHANGED):
            made.get(edit.path, []).append(len(edits))
            edits.append(edit)
        for number in undone:
            edits[number] = edits[number].replace(is_source=False)
    return tuple(edits)


def is_source(path: str) -> bool:
    """Tell whether a change of ``path`` can make a green run stale."""
    lowered = path.lower()
    *folders, name = lowered.split("/")
    if not name or lowered.startswith(_OUTSIDE) or any(it in lowered for it in _SCRATCH):
        return False
    if is_document(name) and not name.startswith("requirements"):
        return not _DATA.isdisjoint(folders)
    if name in _UNREAD or not _SAMPLES.isdisjoint(name.lstrip(".").split(".")[1:]):
        return False
    # a hidden folder keeps settings of tools and pipelines, and notes
    return not any(folder[:1] == "." and folder.strip(".") for folder in folders)


def _made_at(path: str, made: dict[str, list[int]], by_folder: dict[str, set[str]]) -> list[str]:
    """Return what the turn made at ``path``: a file, a folder, or names with one ``*``."""
    folder, _, name = path.rpartition("/")
    start, star, end = name.partition("*")
    if not star:
        return [one for one in {path, *by_folder.get(path, ())} if one in made]
    start = f"{folder}/{start}" if folder else start
    here = (one for one in by_folder.get(folder, ()) if one.rpartition("/")[0] == folder)
    return [one for one in here if one in made and one.startswith(start) and one.endswith(end)]


def _changes(calls: Sequence[ToolCall], cwd: str, watch: Watch) -> Iterator[tuple[int, Edit]]:
    """Yield what became of each file, also of those that were only read, in order.

    Of a script that failed it is not known how far it came: it made what it redirects, when
    nothing before could stop it, and what it made may be gone.
    """
    folder = ""
    for index, call in enumerate(calls):
        if watch.is_late("the last edits"):
            return
        path = relative_path(join("", argument(call, *_PATHS)), cwd)
        succeeded = call.result is not None and not call.is_error
        if call.name in SHELL_TOOLS:
            result = read_result(call)
            if not result.ran or call.result is None:
                continue
            script = read_script(argument(call, "command"), folder)
            folder = folder_after(script, result, folder, cwd)
            is_cut = result.timed_out or result.interrupted
            for command in script.commands:
                reached = not (result.failed and (is_cut or command.connector not in ("", ";")))
                for what, name in _command_changes(command):
                    path = name if what == COMMAND else relative_path(join(command.cwd, name), cwd)
                    sure = reached and (not result.failed or what == MADE)
                    counts = what == COMMAND or is_source(path)
                    counts = counts and (what != REMOVED or _is_file(path))
                    if sure or what == MADE or (reached and what in (REMOVED, MOVED)):
                        yield what, Edit(index, call.id, path, sure, counts, what == REMOVED)
        elif path:
            is_unknown = call.name not in KNOWN_TOOLS and argument(call, *_NEW_TEXTS)
            is_new = call.name == "Write" and (call.result or "").startswith(_CREATED)
            what = CHANGED if call.name in EDIT_TOOLS or is_unknown else FOUND
            counts = is_source(path) and not _is_idle(call)
            edit = Edit(index, call.id, path, succeeded, counts)
            yield MADE if is_new else what, edit


def _is_idle(call: ToolCall) -> bool:
    """Tell whether an edit changes comments alone, or lines that give the number of a version."""
    old, new = (argument(call, key).lower().split("\n") for key in ("old_string", "new_string"))
    changed = [line.strip() for line in {*old} ^ {*new}]
    names = ("".join(filter(str.isalpha, line)) for line in changed)
    comments = all(not line or line.startswith(_COMMENTS) for line in changed)
    return bool(changed) and (comments or {*names} == {"version"})


def _command_changes(command: Command) -> Iterator[tuple[int, str]]:
    argv, target = command.argv, command.stdout_file
    name = program_name(argv[0])
    words = [word for word in argv[1:] if word[:1] != "-"]
    if target and not (name in _FETCHING and target.endswith(_CAPTURES)):
        yield MADE, target
    if "ssh" in command.wrappers:  # what follows is done elsewhere
        return
    if name == "git" and words[:1] in (["rm"], ["mv"]) and "--cached" not in argv:
        name, *words = words
    if name == "git" and words:
        yield from _git_changes(argv, words[argv[1] == "-C" :])
    elif name in _REMOVERS:
        unsure = command.connector == "||" or (command.connector == "&&" and command.exit.hidden)
        yield from ((CHANGED if unsure else REMOVED, word) for word in words)
    elif name in _COPIERS and words:
        yield from _copy_changes(words, name in _MOVERS)
    elif name in _WRITERS:
        what = CHANGED if "-a" in argv else MADE
        yield from ((what, word) for word in (words if name == "tee" else words[:1]))
    elif name in ("sed", "perl"):
        in_place = any(word.startswith(("-i", "-pi", "--in-place")) for word in argv)
        yield from ((CHANGED, word) for word in words if in_place and _is_file(word))
    elif name == "patch":
        yield COMMAND, name


def _copy_changes(words: Iterable[str], moves: bool) -> Iterator[tuple[int, str]]:
    *sources, target = words
    for source in filter(_is_file, sources):
        if moves:
            yield MOVED, source
        yield MADE, target if _is_file(target) else f"{target}/{source.rpartition('/')[2]}"


def _git_changes(argv: tuple[str, ...], words: list[str]) -> Iterator[tuple[int, str]]:
    task, named = words[0], words[1:]
    if not _GIT_NOTHING.isdisjoint(argv):
        return
    if task in ("checkout", "restore"):
        named = list(argv[argv.index("--") + 1 :]) if "--" in argv else named
        for word in named:
            if word in (".", "./", ":/", "*"):
                yield COMMAND, f"git {task}"
            elif _is_file(word) and not word.rpartition(".")[2].isdigit():  # v1.2 is a tag
                yield CHANGED, word
    elif task in _GIT or (task == "reset" and "--hard" in argv):
        is_back = task == "stash" and named[:1] in (["pop"], ["apply"])
        yield COMMAND, "git stash pop" if is_back else f"git {task}"


def _is_file(word: str) -> bool:
    """Tell a path with a suffix from a folder and from the text of ``sed``."""
    name = word.rpartition("/")[2]
    return "." in name.lstrip(".") and name.rpartition(".")[2].isalnum() and " " not in word
