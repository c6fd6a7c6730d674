"""The ledger: what the turn's tools did and returned, and which paths the harness knows."""

from __future__ import annotations

from groundwire.model import Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.model import ToolCall, Turn

#: Tools whose ``command`` is run by a shell.
SHELL_TOOLS = ("Bash", "PowerShell")
#: Inputs that name a path as a whole, so that blanks in it are part of it.
_PATH_INPUTS = ("file_path", "path", "notebook_path", "filePath", "directory")
#: Inputs in which the model points at things; what it *writes* (``content``, ``new_string``, a
#: sub-agent's ``prompt``) makes nothing known.
_POINTING_INPUTS = (*_PATH_INPUTS, "command", "pattern", "glob", "paths", "files")
#: Characters that end a path in running text, in code and in the output of tools.
_DELIMITERS = "\"'`()[]{}<>,;:|=*!?&$#%^"
#: What may cling to either end of a path in a sentence; a leading dot belongs to it.
_CLINGING = ".,-_@+~/\\"
_LONGEST_PATH = 512
#: Names that are looked for one by one before all paths of the turn are read.
_MOST_SEARCHES = 12
_LONGEST_SUFFIX = 12
#: Names of files that go without a suffix, lower case.
_PLAIN_NAMES = frozenset(
    {
        "makefile",
        "dockerfile",
        "gemfile",
        "rakefile",
        "procfile",
        "justfile",
        "jenkinsfile",
        "codeowners",
        "license",
        "readme",
        "changelog",
    }
)


def build_ledger(turn: Turn) -> Ledger:
    """Collect what the tools of ``turn`` did.

    ``commands`` are those given to a shell, in order. ``paths`` is every path in what the harness
    knows; it is read when it is first asked for, linear in the length of the texts.
    """
    return Ledger(
        calls=turn.calls,
        paths=_KnownPaths(turn),
        commands=tuple(command for command in map(_command, turn.calls) if command),
        known=turn.known,
        cwd=turn.cwd,
        partial=turn.partial,
        prompt=turn.prompt,
    )


class _KnownPaths:
    """The paths of a turn, read at the first question: most messages ask none.

    Holds the inputs that name a path, and what looks like one in results, in shell commands, in the
    prompt and in the known texts, as ``_normal`` writes them. It is generous: "and/or" is a path,
    too, and does no harm.
    """

    __slots__ = ("_found", "_searches", "_turn")

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._found: frozenset[str] | None = None
        self._searches = 0

    def with_name(self, name: str) -> frozenset[str]:
        """Return at least all paths that hold ``name``, which has no slashes.

        Looking for the first few names takes less time than reading all paths.
        """
        self._searches += 1
        if self._found is not None or self._searches > _MOST_SEARCHES:
            return self._all()
        whole = (_normal(path) for call in self._turn.calls for path in whole_paths(call))
        words = {word for text in _texts(self._turn) for word in _words_with(text, name)}
        return frozenset(path for path in whole if name in path) | _paths_among(words)

    def _all(self) -> frozenset[str]:
        if self._found is None:
            paths = {_normal(path) for call in self._turn.calls for path in whole_paths(call)}
            words: set[str] = set()
            for text in _texts(self._turn):  # one by one: all words at once would take gigabytes
                words.update(text.split())
            self._found = frozenset((paths | _paths_among(words)) - {""})
        return self._found

    def __contains__(self, path: object) -> bool:
        return path in self._all()

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def _words_with(text: str, name: str) -> Iterator[str]:
    """Yield the words between blanks that hold ``name``; reads the lines in which it stands."""
    at = text.find(name)
    while at >= 0:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[text.rfind("\n", 0, at) + 1 : end]
        yield from (word for word in line.split() if name in word)
        at = text.find(name, end)


def knows_path(ledger: Ledger, path: str) -> bool:
    """Whether the harness knows ``path`` (without line number).

    It does when one of the two, cut at a slash, ends with the other: ``src/app.py`` is known by
    ``/home/dev/shop/src/app.py``, and by a listing of ``src`` that shows ``app.py``. So are the
    folders of a known path; and a path with blanks or brackets in it, which no text gives as a
    whole, when all of its parts are.
    """
    wanted = _normal(path)
    if _knows(ledger, wanted):
        return True
    pieces = [piece for piece in _pieces(wanted) if piece != wanted and _is_path(piece)]
    return bool(pieces) and all(_knows(ledger, _normal(piece)) for piece in pieces)


def _knows(ledger: Ledger, wanted: str) -> bool:
    parts = wanted.strip("/").split("/")
    if parts == [""]:
        return False
    paths = ledger.paths
    if isinstance(paths, _KnownPaths):  # what makes a path known holds its name
        paths = paths.with_name(parts[-1])
    if wanted in paths or any("/".join(parts[index:]) in paths for index in range(len(parts))):
        return True
    ending = "/" + "/".join(parts)
    folder = ending + "/"
    return any(
        known.endswith(ending) or folder in known or known.startswith(folder[1:]) for known in paths
    )


def paths_in(text: str) -> set[str]:
    """What looks like a path in ``text``: it has a slash, a suffix, or a name known to be one."""
    return _paths_among(set(text.split()))


def _paths_among(words: set[str]) -> set[str]:
    # Dropping repeated words first leaves little for the slower steps.
    return {
        _normal(piece)
        for piece in set(_pieces(" ".join(words)))
        if "/" in piece or "." in piece or "\\" in piece or piece.lower() in _PLAIN_NAMES
        if _is_path(piece)
    }


def _pieces(text: str) -> list[str]:
    # One replacement after the other is ten times as fast as str.translate on non-ASCII text.
    for delimiter in _DELIMITERS:
        text = text.replace(delimiter, " ")
    return text.split()


def _texts(turn: Turn) -> Iterator[str]:
    yield turn.prompt
    yield from turn.known
    for call in turn.calls:
        if call.result:
            yield call.result
        for name in _POINTING_INPUTS:
            value = call.input.get(name)
            if isinstance(value, str):
                yield value
            elif isinstance(value, list):
                yield from (item for item in value if isinstance(item, str))


def whole_paths(call: ToolCall) -> Iterator[str]:
    """Paths that stand alone, so that a blank in them is part of them."""
    values = (call.input.get(name) for name in _PATH_INPUTS)
    return (value for value in values if isinstance(value, str) and len(value) <= _LONGEST_PATH)


def _command(call: ToolCall) -> str:
    command = call.input.get("command") if call.name in SHELL_TOOLS else None
    return command if isinstance(command, str) else ""


def _is_path(piece: str) -> bool:
    if len(piece) > _LONGEST_PATH or not piece.strip(_CLINGING):
        return False
    if "/" in piece or "\\" in piece:
        return not piece.startswith("//")
    stem, dot, suffix = piece.rstrip(_CLINGING).rpartition(".")
    if not dot:
        return piece.lower() in _PLAIN_NAMES
    is_suffix = suffix.isalnum() and suffix[0].isalpha() and len(suffix) <= _LONGEST_SUFFIX
    return is_suffix if stem else suffix[0].isalpha()


def _normal(path: str) -> str:
    """One spelling: forward slashes, no ``./``, ``~/`` or ``@`` before it, no slash behind it."""
    path = path.strip().replace("\\", "/").rstrip(".,-").rstrip("/")
    while path.startswith(("./", "~/")):
        path = path[2:]
    return path.lstrip("@")
