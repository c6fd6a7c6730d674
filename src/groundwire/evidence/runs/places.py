"""Folders and files as a command names them, in one spelling; nothing is looked up on disk."""

from __future__ import annotations

_LONGEST = 1000


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


def is_absolute(path: str) -> bool:
    """Tell whether ``path`` does not depend on the current folder, as far as can be seen."""
    return path.startswith(("/", "~", "$")) or path[1:3] in (":/", ":\\")


def within(path: str, root: str) -> str:
    """Return an absolute ``path`` relative to ``root`` when it lies in it, else ``path``."""
    root = root.replace("\\", "/").rstrip("/")
    if root and (path == root or path.startswith(root + "/")):
        return path[len(root) + 1 :]
    return path


def same_place(one: str, other: str) -> bool:
    """Tell whether two spellings can mean the same place.

    An absolute and a relative one do when the absolute one ends with the other; the starting
    folder, whose name is not known, can be any absolute one.
    """
    if one == other:
        return True
    if is_absolute(one) == is_absolute(other):
        return False
    whole, part = (one, other) if is_absolute(one) else (other, one)
    return not part or whole.endswith("/" + part)
