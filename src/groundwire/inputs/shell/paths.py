"""Folders and files as a command names them, by their names alone; nothing is looked up on disk."""

from __future__ import annotations

_LONGEST = 1000
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
#: Suffixes and names of files that no test or build reads.
_DOCUMENTS = frozenset(
    "md markdown mdx rst txt adoc org log png jpg jpeg gif svg webp ico pdf csv "
    "1 5 7 8 man".split()  # pages of manuals
)
_DOCUMENT_NAMES = frozenset(
    "license licence notice authors changelog contributing readme codeowners .gitignore".split()
)


def join(folder: str, path: str) -> str:
    """Return ``path`` as seen from where ``folder`` is seen: without ``./``, ``..`` and end slash.

    An absolute path, ``~`` and ``$VARIABLE`` stand for themselves; "" is the starting folder, and
    an endlessly long one is none.
    """
    path = path.replace("\\", "/")
    if not is_absolute(path) and 0 < len(folder) < _LONGEST:
        path = f"{folder}/{path}"
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return ("/" if path.startswith("/") else "") + "/".join(parts)


def file_name(path: str) -> str:
    """Return the last part of a path, with slashes of either kind."""
    return path.replace("\\", "/").rpartition("/")[2]


def is_absolute(path: str) -> bool:
    """Tell whether ``path`` does not depend on the current folder, as far as can be seen."""
    return path.startswith(("/", "~", "$")) or path[1:3] in (":/", ":\\")


def relative_path(path: str, root: str) -> str:
    """Return an absolute ``path`` relative to ``root`` when it lies in it, else ``path``."""
    root = root.replace("\\", "/").rstrip("/")
    if root and (path == root or path.startswith(root + "/")):
        return path[len(root) + 1 :]
    return path


def is_test_file(path: str) -> bool:
    """Tell whether ``path`` is a file of tests by its name or folder."""
    *folders, name = path.replace("\\", "/").split("/")
    stem, _, suffix = name.rpartition(".")
    if not stem or suffix not in _CODE_SUFFIXES:
        return False
    if stem.startswith("test_") or stem.endswith((*_TEST_ENDINGS, *_TEST_CAMEL_ENDINGS)):
        return True
    return bool(_TEST_FOLDERS.intersection(folders))


def is_code(path: str) -> bool:
    """Tell whether ``path`` is a file of code by its suffix."""
    return path.rpartition(".")[2] in _CODE_SUFFIXES


def is_document(path: str) -> bool:
    """Tell whether a file is text for readers, or a picture, which no test or build reads."""
    name = file_name(path).lower()
    stem, dot, suffix = name.rpartition(".")
    if dot and stem and suffix in _DOCUMENTS:
        return name != "requirements.txt" and not name.startswith("cmakelists")
    return name in _DOCUMENT_NAMES
