"""The older files of the decision log, which are numbered: 1 is the youngest."""

from __future__ import annotations

import os

from groundwire.state.log_files import CURRENT

_PREFIX, _SUFFIX = "decisions.", ".jsonl"


def rotated_name(number: int) -> str:
    """Return the name of an older file; 1 is the youngest of them."""
    return f"{_PREFIX}{number}{_SUFFIX}"


def rotated_numbers(folder_fd: int) -> list[int]:
    """Return the numbers of the older files that are there, ascending."""
    numbers = []
    for name in os.listdir(folder_fd):
        digits = name[len(_PREFIX) : -len(_SUFFIX)]
        if digits.isdecimal() and len(digits) < 10 and name == rotated_name(int(digits)):
            numbers.append(int(digits))
    return sorted(number for number in numbers if number)


def rotate(folder_fd: int, keep: int) -> None:
    """Make the current file number 1 and keep at most ``keep`` older ones. Raises OSError.

    Only under the lock. The current file goes last: when something fails or the process is
    killed before, lines are at most in a file with a higher number.
    """
    numbers = rotated_numbers(folder_fd)
    for number in numbers:
        if number > keep:
            os.unlink(rotated_name(number), dir_fd=folder_fd)
    if keep < 1:
        os.unlink(CURRENT, dir_fd=folder_fd)
        return
    free = next((number for number in range(1, keep) if number not in numbers), keep)
    for number in range(free - 1, 0, -1):
        _rename(folder_fd, rotated_name(number), rotated_name(number + 1))
    _rename(folder_fd, CURRENT, rotated_name(1))


def _rename(folder_fd: int, old: str, new: str) -> None:
    os.replace(old, new, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)
