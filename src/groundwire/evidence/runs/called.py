"""Which program a command calls, in which folder and with which arguments.

``node_modules/jest/bin/jest.js``, ``yarn jest`` and ``python3.11`` are called by other names.
"""

from __future__ import annotations

from groundwire.evidence.runs.places import join
from groundwire.evidence.runs.programs.rows import find_row, is_known
from groundwire.evidence.runs.programs.tasks import INTERPRETERS, TRIVIAL
from groundwire.evidence.runs.wrappers import base_name, strip_wrappers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.shell import Command

#: Options that name the folder or the project file to work in.
_FOLDER_OPTIONS = {
    "git": ("-C",),
    "make": ("-C", "--directory"),
    "ninja": ("-C",),
    "meson": ("-C",),
    "npm": ("--prefix", "-C"),
    "pnpm": ("-C", "--dir", "--prefix"),
    "yarn": ("--cwd",),
    "bun": ("--cwd",),
    "go": ("-C",),
    "uv": ("--directory",),
    "poetry": ("-C", "--directory"),
    "cargo": ("--manifest-path", "-C"),
    "gradle": ("-p", "--project-dir"),
    "mvn": ("-f", "--file"),
    "composer": ("-d", "--working-dir"),
    "just": ("-d", "--working-directory"),
    "task": ("-d", "--dir"),
    "mise": ("-C", "--cd"),
    "ctest": ("--test-dir",),
    "swift": ("--package-path",),
    "terraform": ("-chdir",),
    "tofu": ("-chdir",),
}
_PROJECT_FILES = ("Cargo.toml", "pom.xml", "Makefile")
_SAME_PROGRAM = {
    "gradlew": "gradle",
    "gradlew.bat": "gradle",
    "mvnw": "mvn",
    "mvnd": "mvn",
    "pip3": "pip",
    "nodejs": "node",
    "yarnpkg": "yarn",
    "bazelisk": "bazel",
    "podman": "docker",
    "gmake": "make",
    "python3": "python",
}
#: Words that only say which program or script of a package manager comes next.
_RUNNERS_OF_PROGRAMS = ("yarn", "pnpm", "bun", "composer", "hatch", "pdm")
_NAMES_OF_SCRIPTS = ("build", "task", "configure")


def called(command: Command) -> tuple[str, str, list[str]]:
    """Return program, folder and arguments of a command that has words.

    Options that name the folder are left out of the arguments.
    """
    program = program_of(command.argv[0])
    folder, arguments = _folder(program, command.cwd, list(command.argv[1:]))
    if program in _RUNNERS_OF_PROGRAMS:
        program, arguments = _run_directly(program, arguments)
    return program, folder, arguments


def program_of(word: str) -> str:
    """Return the program that the first word of a command calls, by the name that tables have."""
    name = base_name(word)
    if "node_modules/" in word and "/.bin/" not in word:  # node_modules/jest/bin/jest.js
        parts = word.partition("node_modules/")[2].split("/")
        name = parts[1] if parts[0].startswith("@") and len(parts) > 1 else parts[0]
    name = "go" if name.startswith("go1.") else _SAME_PROGRAM.get(name, name)
    if not is_known(name) and name not in TRIVIAL:
        plain = name.rstrip("0123456789.").rstrip("-")  # python3.11, clang-15
        if is_known(plain) or plain in INTERPRETERS:
            return plain
    return name


def _folder(program: str, cwd: str, arguments: list[str]) -> tuple[str, list[str]]:
    """Take the options that name a folder out of ``arguments``; return it and the rest."""
    options = _FOLDER_OPTIONS.get(program, ())
    rest: list[str] = []
    folder = cwd
    skip = False
    for position, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if skip:
            skip = False
        elif name in options and "--" not in rest:
            skip = not equals
            value = value or "".join(arguments[position + 1 : position + 2])
            path, _, last = value.rpartition("/")
            folder = join(folder, path if last in _PROJECT_FILES else value)
        else:
            rest.append(word)
    return folder, rest


def _run_directly(program: str, arguments: list[str]) -> tuple[str, list[str]]:
    """``yarn jest`` and ``pnpm vitest run`` are ``jest`` and ``vitest run``."""
    rest = arguments[1:] if arguments[:1] == ["run"] else arguments
    if rest and not rest[0].startswith("-"):
        argv, _ = strip_wrappers(rest)
        inner = program_of(argv[0]) if argv else ""
        if inner not in _NAMES_OF_SCRIPTS and find_row(inner, argv[1:]) is not None:
            return inner, list(argv[1:])
    if rest[:1] == ["workspace"] and len(rest) > 1:  # yarn workspace NAME test
        return program, ["--workspace", rest[1], *rest[2:]]
    return program, arguments


def without_toolchain(program: str, arguments: list[str]) -> list[str]:
    """``cargo +nightly test`` is ``cargo test``."""
    if program == "cargo" and arguments[:1] and arguments[0].startswith("+"):
        return arguments[1:]
    return arguments
