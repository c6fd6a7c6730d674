"""Whether a repository holds an object of git, read within bounds; no program is started.

A path may lead to a pipe, a device or a folder; opening these can block for ever or have effects.

Formats: gitrepository-layout(5) and gitformat-pack(5), pack index version 2.
"""

from __future__ import annotations

import os
from stat import S_ISREG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


_READ = os.O_RDONLY
for _flag in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
    _READ |= getattr(os, _flag, 0)  # not every system has each of them


def open_regular(path: str) -> int:
    """Return a descriptor of a regular file, to be closed. Raises OSError, also for any other."""
    descriptor = os.open(path, _READ)
    try:
        if not S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path}: no regular file")
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def read_start(path: str, most: int) -> bytes:
    """Return at most ``most`` bytes from the beginning of a regular file. Raises OSError."""
    descriptor = open_regular(path)
    try:
        pieces = []
        while most > 0 and (piece := os.read(descriptor, min(most, 1 << 20))):
            pieces.append(piece)
            most -= len(piece)
        return b"".join(pieces)
    finally:
        os.close(descriptor)


def count_lines(path: str, most: int) -> int:
    """Return the number of lines in the first ``most`` bytes of a file, 0 for one not readable."""
    try:
        data = read_start(path, most)
    except OSError:
        return 0
    return data.count(b"\n") + (not data.endswith(b"\n"))


_INDEX_HEAD = b"\xfftOc\x00\x00\x00\x02"
_FANOUT = 256 * 4
_NAME = 20  # bytes of an object's name
_DEEPEST = 40
_LONGEST_TEXT = 1 << 16
#: Names behind the first one that begins as wanted; they differ in the next half byte at most.
_MOST_ALIKE = 64


def has_commit(cwd: str, name: str) -> bool | None:
    """Tell whether the repository around ``cwd`` holds a commit, by 7 to 40 hex digits.

    None means that it cannot be told: no repository here, one whose objects lie elsewhere too, one
    with names of another length, or one that cannot be read.
    """
    try:
        folder = _git_folder(cwd)
        if not folder:
            return None
        objects = os.path.join(folder, "objects")
        if _is_loose(objects, name) or _is_packed(objects, name):
            return True
        return False if _is_whole(folder) else None
    except (OSError, ValueError):
        return None


def _git_folder(cwd: str) -> str:
    """Return the folder with the objects of the repository around ``cwd``; "" without one."""
    folder = cwd
    for _ in range(_DEEPEST):
        git = os.path.join(folder, ".git")
        if folder and os.path.isdir(git):
            return git
        if folder and os.path.isfile(git):  # a work tree beside the repository
            own = os.path.join(folder, _text(git).partition("gitdir:")[2].strip())
            common = os.path.join(own, "commondir")
            return os.path.join(own, _text(common).strip()) if os.path.isfile(common) else own
        folder = os.path.dirname(folder)
    return ""


def _text(path: str) -> str:
    return read_start(path, _LONGEST_TEXT).decode("utf-8", "replace")


def _is_loose(objects: str, name: str) -> bool:
    folder = os.path.join(objects, name[:2])
    return os.path.isdir(folder) and any(rest.startswith(name[2:]) for rest in os.listdir(folder))


def _is_packed(objects: str, name: str) -> bool:
    folder = os.path.join(objects, "pack")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return any(
        _is_listed(os.path.join(folder, index), name) for index in names if index.endswith(".idx")
    )


def _is_listed(index: str, name: str) -> bool:
    """Search the sorted names of a pack index for one that begins with ``name``."""
    prefix = bytes.fromhex(name[: len(name) & ~1])
    with open(open_regular(index), "rb") as file:
        if file.read(len(_INDEX_HEAD)) != _INDEX_HEAD:
            raise ValueError(index)
        fanout = file.read(_FANOUT)
        first = prefix[0]
        low = int.from_bytes(fanout[first * 4 - 4 : first * 4], "big") if first else 0
        high = end = int.from_bytes(fanout[first * 4 : first * 4 + 4], "big")
        while low < high:
            middle = (low + high) // 2
            if _name_at(file, middle) < prefix:
                low = middle + 1
            else:
                high = middle
        alike = range(low, min(end, low + _MOST_ALIKE))
        return any(_name_at(file, number).hex().startswith(name) for number in alike)


def _name_at(file: BinaryIO, number: int) -> bytes:
    file.seek(len(_INDEX_HEAD) + _FANOUT + number * _NAME)
    return file.read(_NAME)


def _is_whole(folder: str) -> bool:
    """Tell whether all objects are here, under names of 40 digits."""
    elsewhere = os.path.join(folder, "objects", "info", "alternates")
    config = os.path.join(folder, "config")
    return not os.path.exists(elsewhere) and "sha256" not in _text(config).lower()
