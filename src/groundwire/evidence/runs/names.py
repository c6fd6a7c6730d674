"""What the name of a task, a script or a file tells."""

from __future__ import annotations

from groundwire.evidence.runs.model import OTHER, TEST
from groundwire.evidence.runs.programs.tasks import (
    CHECK_IS_TEST,
    KINDS_BY_WORD,
    MAVEN_GOALS,
    WEAK_KINDS_BY_WORD,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.arguments import Arguments

_SEPARATORS = "-_:./@+~^*"
_IGNORED_TASKS = ("clean",)
#: Variables of make that choose what is run.
_CHOOSING_VARIABLES = frozenset(
    "TEST TESTS T ARGS TESTARGS TEST_ARGS PYTEST_ARGS RUN FILTER PKG PACKAGE PACKAGES SUITE FILE "
    "FILES ONLY CASE WHAT TESTFILES GO_TEST_ARGS FLAGS".split()
)
_TEST_FOLDERS = frozenset(
    "test tests spec specs __tests__ e2e testing it integration_test integration-tests cypress "
    "unittests test_suite".split()
)
_TEST_ENDINGS = ("_test", ".test", ".spec", "_spec", "-test", "-spec", ".cy", ".e2e")
_TEST_CAMEL_ENDINGS = ("Test", "Tests", "Spec", "TestCase", "IT")
_CODE_SUFFIXES = frozenset(
    "py js ts jsx tsx mjs cjs mts cts go rs rb php java kt kts scala cs fs vb swift c cc cpp cxx h "
    "hpp m mm ex exs erl clj cljs cljc hs ml elm lua pl t sh bash bats zig dart jl r R sol vue "
    "svelte feature robot groovy ps1".split()
)

_PIPELINE_FOLDERS = frozenset(".buildkite .circleci .github .gitlab .woodpecker".split())
_PIPELINES = frozenset(
    ".drone.yml .gitlab-ci.yml .travis.yml .woodpecker.yml appveyor.yml azure-pipelines.yml "
    "bitbucket-pipelines.yml cloudbuild.yaml jenkinsfile".split()
)


def kind_by_name(name: str, certain: bool = False) -> str:
    """Return the kind that the words of a name tell: "test:unit", "run-lint.sh"; else "".

    ``certain`` leaves out words such as "check", which tell a task but hardly a program.
    """
    words = name_words(name)
    for table in (KINDS_BY_WORD,) if certain else (KINDS_BY_WORD, WEAK_KINDS_BY_WORD):
        for word in words:
            if word in table:
                return table[word]
    return ""


def name_words(name: str) -> list[str]:
    """Split a name at signs and at capitals, lower case: "runUnitTests" is run, unit, tests."""
    pieces = "".join(" " if char in _SEPARATORS else char for char in name)
    spaced = [
        " " + char if char.isupper() and before.islower() else char
        for before, char in zip(" " + pieces, pieces, strict=False)
    ]
    return "".join(spaced).lower().split()


def kind_of_tasks(
    program: str, words: str, kind: str, meaning: str, read: Arguments
) -> tuple[str, tuple[str, ...], Arguments]:
    """Return kind and names of the tasks among the arguments, and the arguments without them.

    ``kind`` and ``meaning`` are those columns of the row. What is passed on to a task, and a
    variable of make that chooses, run a part only.
    """
    _, none, unknown = kind.split(":")
    names = [word for word in read.plain if "=" not in word]
    passed_on = [*read.passed_on]
    if meaning == "task":
        passed_on = [*names[1:], *passed_on]
        names = names[:1]
    elif meaning == "none":
        passed_on, names = [*names, *passed_on], []
    chosen = [word for word in read.plain if word.partition("=")[0] in _CHOOSING_VARIABLES]
    modules = [f"project {name.rpartition(':')[0]}" for name in names if name.rfind(":") > 0]
    parts = (*read.parts, *(modules if program == "gradle" else ()), *chosen, *passed_on)
    tasks = tuple(name.rpartition(":")[2] if program == "gradle" else name for name in names)
    if tasks and all(name in _IGNORED_TASKS for name in tasks):
        none = unknown = ""  # to clean up is no run
    tasks = tuple(name for name in tasks if name not in _IGNORED_TASKS)
    if (
        meaning == "none" and kind_by_name(words.partition("|")[0]) == TEST
    ):  # npm test is npm run test
        tasks = (words.partition("|")[0],)
    usual = "" if unknown == OTHER else unknown
    known = [found for name in (*tasks, *_values(read)) if (found := _kind(program, name) or usual)]
    decided = TEST if TEST in known else known[0] if known else unknown if tasks else none
    return decided, tasks, read.replace(plain=(), passed_on=(), parts=parts)


def is_test_file(path: str) -> bool:
    """Tell whether ``path`` is a file of tests by its name or folder."""
    *folders, name = path.replace("\\", "/").split("/")
    stem, _, suffix = name.rpartition(".")
    if not stem or suffix not in _CODE_SUFFIXES:
        return False
    if stem.startswith("test_") or stem.endswith(_TEST_ENDINGS):
        return True
    return stem.endswith(_TEST_CAMEL_ENDINGS) or bool(_TEST_FOLDERS.intersection(folders))


def is_of_pipeline(path: str) -> bool:
    """Tell whether a file only tells a remote pipeline what to run: no run here reads it."""
    *folders, name = path.replace("\\", "/").lower().split("/")
    return name in _PIPELINES or not _PIPELINE_FOLDERS.isdisjoint(folders)


def is_code(path: str) -> bool:
    """Tell whether ``path`` is a file of code by its suffix."""
    return path.rpartition(".")[2] in _CODE_SUFFIXES


def _values(read: Arguments) -> list[str]:
    """The values of options that make another run: ``nox -s lint``, ``nx run-many -t test``."""
    return [part for text in read.variants for part in text.partition(" ")[2].split(",") if part]


def _kind(program: str, name: str) -> str:
    if program == "mvn" and name in MAVEN_GOALS:
        return MAVEN_GOALS[name]
    if name == "check" and program in CHECK_IS_TEST:
        return TEST
    return kind_by_name(name)
