"""Files of the user: read as they are, replaced as a whole, appended to, and walked in order."""

from __future__ import annotations

import codecs
import errno
import fcntl
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from groundwire.base.errors import FileError
from groundwire.base.record import Record

#: Larger files are not looked at; none that a person wrote comes near it.
LARGEST = 16 * 1024 * 1024
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: PEP 263: the first or second line of a Python file may name its encoding.
_DECLARED = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_LINE_END = re.compile(r"\r\n|\n|\r")
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


class TextFile(Record):
    """A text file as it was read; ``mark`` is its byte order mark, ``status`` its ``os.stat``."""

    path: Path
    text: str
    codec: str
    mark: bytes
    line_end: str
    status: os.stat_result

    def encoded(self, text: str) -> bytes:
        """Return ``text`` as the bytes that this file would hold; raises FileError."""
        try:
            return self.mark + text.encode(self.codec)
        except UnicodeEncodeError:
            raise FileError(f"{self.path}: cannot be written as {self.codec}") from None


class Skipped(Record):
    """A file or folder that is passed over, and why."""

    path: Path
    reason: str


def read_text_file(path: Path) -> TextFile | Skipped:
    """Read a text file; what is none, or cannot be read, is skipped with the reason."""
    try:
        descriptor = os.open(path, _READ)  # a pipe without a writer does not stop it
        with open(descriptor, "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                return Skipped(path, "not a regular file")
            if status.st_size > LARGEST:
                return Skipped(path, f"larger than {LARGEST // (1024 * 1024)} MiB")
            data = stream.read()
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL character
        return Skipped(path, getattr(error, "strerror", None) or str(error))
    mark, codec = _encoding(data, path)
    try:
        text = data[len(mark) :].decode(codec)
    except (UnicodeDecodeError, LookupError) as error:
        place = f" at byte {error.start + len(mark)}" if isinstance(error, UnicodeError) else ""
        return Skipped(path, f"not {codec.upper()}{place}")
    if "\0" in text:
        return Skipped(path, "binary")
    file = TextFile(path, text, codec, mark, _line_end(text), status)
    return file if file.encoded(text) == data else Skipped(path, f"not clean {codec.upper()}")


def _encoding(data: bytes, path: Path) -> tuple[bytes, str]:
    """Return byte order mark and codec; UTF-8 unless the file says something else."""
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return mark, codec
    if path.suffix == ".py":
        for line in data.split(b"\n", 2)[:2]:
            declared = _DECLARED.match(line)
            if declared:
                return b"", declared[1].decode("ascii", "replace")
    return b"", "utf-8"


def _line_end(text: str) -> str:
    """Return the first line end of a text; a line feed when it has none."""
    found = _LINE_END.search(text)
    return found[0] if found else "\n"


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


def append_line(path: Path, line: str) -> None:
    """Append ``line`` and a line feed, under a lock; a torn last line is closed first.

    Raises OSError, also when not the whole line could be written.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        size = os.fstat(descriptor).st_size
        torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
        data = ("\n" if torn else "").encode() + line.encode() + b"\n"
        if os.write(descriptor, data) != len(data):
            raise OSError(0, "not the whole line could be written", str(path))
    finally:
        os.close(descriptor)


#: Folders that hold no work of the user: version control, environments, caches.
PASSED_OVER = frozenset(
    (
        ".git .hg .svn .venv venv node_modules __pycache__ .tox .nox .mypy_cache .ruff_cache "
        ".pytest_cache .hypothesis .eggs .idea"
    ).split()
)


def walk(path: Path) -> Iterator[Path | Skipped]:
    """Yield a file, or all files below a folder, sorted by name within each folder.

    ``path`` itself may be a link; links below it are not followed, so no loop and nothing outside
    is entered. Raises FileError when ``path`` does not exist or cannot be looked at.
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"{path}: {reason}; expected a file or folder") from None
    if not stat.S_ISDIR(mode):
        yield path
        return
    waiting = [path]
    while waiting:
        folder = waiting.pop()
        folders: list[Path] = []
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield Skipped(folder, error.strerror or str(error))
            continue
        for entry in entries:
            below = folder / entry.name
            if entry.is_symlink():
                yield Skipped(below, "symbolic link")
            elif entry.is_dir():
                if entry.name not in PASSED_OVER:
                    folders.append(below)
            elif entry.is_file():
                yield below
            else:
                yield Skipped(below, "not a regular file")
        waiting.extend(reversed(folders))


def is_data_file(path: Path) -> bool:
    """Tell whether a file lies in a ``_data`` folder, at any depth."""
    return "_data" in path.absolute().parts[:-1]
