"""Changing a file of the user as a whole: whoever reads it sees the old or the new content."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from groundwire.errors import FileError
from groundwire.files.text_file import TextFile

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)


def replace_text(file: TextFile, text: str) -> None:
    """Give ``file`` the new ``text``; encoding, permissions and attributes stay.

    Through a link, the file that it names is changed. Raises FileError when the file has changed
    since it was read, is read-only, has other names, or cannot be written; it then stands as it
    was, and nothing is left behind.
    """
    target = Path(os.path.realpath(file.path))
    data = file.encoded(text)
    try:
        _check(file, target)
        _write(target, data, file.status)
    except OSError as error:
        raise FileError(f"{file.path}: {error.strerror}; nothing was changed") from None


def create_text(path: Path, text: str) -> None:
    """Write a new UTF-8 file as a whole; raises FileError, also when it exists by now."""
    temporary = _temporary(path)
    try:
        descriptor = os.open(temporary, _CREATE, 0o666)
        try:
            _fill(descriptor, text.encode())
            _rename_to_new(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}; nothing was changed") from None


def _rename_to_new(temporary: Path, path: Path) -> None:
    """Give a file its name unless there is one of that name already."""
    try:
        os.link(temporary, path)  # unlike a rename it does not put itself over another file
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
        if os.path.lexists(path):  # a file system without hard links
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path) from None
        os.replace(temporary, path)


def _check(file: TextFile, target: Path) -> None:
    """Raise FileError when ``target`` must not be replaced."""
    now = os.stat(target)
    before = file.status
    if (now.st_ino, now.st_size, now.st_mtime_ns) != (
        before.st_ino,
        before.st_size,
        before.st_mtime_ns,
    ):
        raise FileError(f"{file.path}: has changed since it was read; nothing was changed")
    if now.st_nlink > 1:
        raise FileError(f"{file.path}: has other names (hard links); nothing was changed")
    if not os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise FileError(f"{file.path}: is read-only; nothing was changed")


def _write(target: Path, data: bytes, status: os.stat_result) -> None:
    temporary = _temporary(target)
    descriptor = os.open(temporary, _CREATE, 0o600)
    try:
        _fill(descriptor, data)
        _keep_attributes(target, temporary, status)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _temporary(target: Path) -> Path:
    # a fixed length, so that a long name does not become too long
    return target.with_name(f".groundwire-{os.getpid()}-{os.urandom(6).hex()}.tmp")


def _fill(descriptor: int, data: bytes) -> None:
    with open(descriptor, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _keep_attributes(target: Path, temporary: Path, status: os.stat_result) -> None:
    """Give the new file owner, permissions and extended attributes of the old one."""
    made = os.stat(temporary)
    if (made.st_uid, made.st_gid) != (status.st_uid, status.st_gid):
        os.chown(temporary, status.st_uid, status.st_gid)
    os.chmod(temporary, stat.S_IMODE(status.st_mode))
    if hasattr(os, "listxattr"):
        for name in os.listxattr(target):
            os.setxattr(temporary, name, os.getxattr(target, name))
