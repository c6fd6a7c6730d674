"""Words that stand before a command and only run it: ``timeout 60``, ``npx``, ``uv run`` ..."""

from __future__ import annotations

from groundwire.evidence.runs.programs.wrapper_rows import ROWS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SAME = {"podman": "docker", "nerdctl": "docker", "docker-compose": "docker compose"}
#: Wrappers whose command is what follows these options, or "--".
_COMMAND_OPTIONS = ("--", "-c", "--command")
_TABLE: dict[str, list[tuple[tuple[str, ...], frozenset[str], int]]] = {}
for _words, _values, _own in ROWS:
    _parts = tuple(_words.split())
    _TABLE.setdefault(_parts[0].rpartition("/")[2], []).append(
        (_parts[1:], frozenset(_values.split()), _own)
    )
_SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh", "fish", "pwsh", "powershell"))
_SCRIPT_OPTIONS = {
    "su": ("-c", "--command"),
    "nix-shell": ("--run", "--command"),
    "script": ("-c",),
}
_PYTHONS = ("python", "pypy", "py")
_PYTHON_VALUES = ("-W", "-X")
#: Options of ``uv run`` and ``coverage run`` that name a Python module to run.
_MODULE_OPTIONS = ("-m", "--module")
_MOST_WRAPPERS = 10
#: With these ``command`` tells where a program is, and runs nothing.
_WHERE = ("-v", "-V", "-pv")


def strip_wrappers(argv: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Take the wrappers off ``argv``; return what they run, and their names.

    ``python -m pytest`` is ``pytest``. A wrapper that runs nothing stays.
    """
    words = list(argv)
    names: list[str] = []
    for _ in range(_MOST_WRAPPERS):
        words = [*_split_name(words[0]), *words[1:]] if words else words
        inner, name = _inner(words)
        if not inner:
            break
        words = _without_assignments(inner)
        names.append(name)
    return tuple(words), tuple(names)


def inner_script(argv: Sequence[str], input_text: str, wrapped: str = "") -> str:
    """Return the shell text that ``argv`` runs: of ``bash -c "..."`` and the like; else "".

    ``input_text`` is its here-document, ``wrapped`` the last wrapper that was taken off it.
    """
    name = base_name(argv[0]) if argv else ""
    if name in _SHELLS:
        for position, word in enumerate(argv[1:], 1):
            is_command = word.startswith("-") and not word.startswith("--") and "c" in word
            if is_command or word == "-Command":
                return argv[position + 1] if position + 1 < len(argv) else ""
            takes_value = argv[position - 1][:1] in "-+" and argv[position - 1].endswith("o")
            if not word.startswith(("-", "+")) and not takes_value:
                return ""
        return input_text
    if len(argv) == 1 and wrapped == "ssh":
        return argv[0]
    if name == "eval":
        return " ".join(argv[1:])
    for position, word in enumerate(argv[1:-1], 1):
        if word in _SCRIPT_OPTIONS.get(name, ()):
            return argv[position + 1]
    return ""


def base_name(path: str) -> str:
    """Return the name of a program without its folder and ``.exe``/``.cmd``."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.removesuffix(".exe").removesuffix(".cmd")


def _split_name(word: str) -> list[str]:
    name = base_name(word)
    return _SAME[name].split() if name in _SAME else [word]


def _inner(words: list[str]) -> tuple[list[str], str]:
    """Return the command that the first wrapper of ``words`` runs, and the wrapper's name."""
    if not words:
        return [], ""
    name = base_name(words[0])
    if name == "command" and words[1:2] and words[1] in _WHERE:
        return [], ""
    if name.rstrip("0123456789.") in _PYTHONS:
        return _module(words, name)
    for more, values, own in _TABLE.get(name, ()):
        rest = _behind(words[1:], more, values)
        if rest is None:
            continue
        if own < 0:
            rest = _behind_command_option(words[1:])
        elif rest[:1] and rest[0] in _MODULE_OPTIONS:
            rest = rest[1:]
        else:
            rest = _without_options(rest[own:], frozenset()) if own else rest
        return rest, " ".join((name, *more))
    return [], ""


def _behind(words: list[str], more: Sequence[str], values: frozenset[str]) -> list[str] | None:
    """Return what follows ``more`` and the wrapper's options; None when ``more`` is not there."""
    rest = _without_options(words, values)
    for word in more:
        if rest[:1] != [word]:
            return None
        rest = _without_options(rest[1:], values)
    return rest


def _without_options(words: list[str], values: frozenset[str]) -> list[str]:
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            at += 1
            break
        is_assignment = "=" in word and word.partition("=")[0].isidentifier()
        if word in _MODULE_OPTIONS and word not in values:
            break
        if not is_assignment and (not word.startswith("-") or word == "-"):
            break
        at += 2 if word in values else 1
    return words[at:]


def _behind_command_option(words: list[str]) -> list[str]:
    for position, word in enumerate(words):
        if word in _COMMAND_OPTIONS:
            return words[position + 1 :]
    return []


def _module(words: list[str], name: str) -> tuple[list[str], str]:
    at = 1
    while at < len(words) and words[at].startswith("-") and words[at] not in ("-c", "-"):
        if words[at] == "-m":
            return words[at + 1 :], f"{name} -m"
        at += 2 if words[at] in _PYTHON_VALUES else 1
    return [], ""


def _without_assignments(words: list[str]) -> list[str]:
    return list(_drop_leading(words))


def _drop_leading(words: list[str]) -> Iterator[str]:
    leading = True
    for word in words:
        leading = leading and "=" in word and word.partition("=")[0].isidentifier()
        if not leading:
            yield word
