"""Reading text files and replacing them: what is passed over, what is kept, what is refused."""

import os
import resource
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.base.errors import FileError
from groundwire.base.files import (
    Skipped,
    TextFile,
    is_data_file,
    read_text_file,
    replace_text,
    walk,
)
from tests.files.put import put
from tests.support.tables import rows


def read(path: Path) -> TextFile:
    file = read_text_file(path)
    assert isinstance(file, TextFile), file
    return file


@settings(deadline=None)  # it writes files, and the disk may be busy
@given(st.binary(max_size=30), st.sampled_from([".md", ".py"]))
def test_any_bytes_are_read_back_or_passed_over(data: bytes, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        path.write_bytes(data)
        file = read_text_file(path)
        assert isinstance(file, Skipped) or file.encoded(file.text) == data


def no_file(name: str, said: str, *, tmp_path: Path) -> bool:
    os.mkfifo(tmp_path / "pipe")  # nobody writes to it
    (tmp_path / "loop").symlink_to("loop")
    found = read_text_file(tmp_path / name)
    return isinstance(found, Skipped) and found.reason.startswith(said)


@pytest.mark.parametrize("mode", [0o755, 0o644, 0o600, 0o664])
def test_permissions_and_extended_attributes_are_kept(tmp_path: Path, mode: int) -> None:
    path = put(tmp_path, data="echo\n")
    path.chmod(mode)
    os.setxattr(path, "user.note", b"mine")
    replace_text(read(path), "echo 2\n")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert os.getxattr(path, "user.note") == b"mine"
    assert [*path.parent.iterdir()] == [path]


def test_a_file_that_has_changed_or_is_gone_is_refused(tmp_path: Path) -> None:
    path = put(tmp_path, data="a")
    file = read(path)
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(FileError, match="has changed since it was read"):
        replace_text(file, "b")
    assert path.read_text(encoding="utf-8") == "mine"
    path.unlink()
    with pytest.raises(FileError, match="No such file"):
        replace_text(file, "b")
    assert [*path.parent.iterdir()] == []


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """With a limit on the size of files."""
    path = put(tmp_path, data="old")
    file = read(path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(FileError, match="File too large; nothing was changed"):
            replace_text(file, "x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text(encoding="utf-8") == "old"
    assert [*path.parent.iterdir()] == [path]


def walked(names: list[str], *, tmp_path: Path) -> list[str]:
    """Return relative names; what is passed over with its reason."""
    for name, _, target in (one.partition(" -> ") for one in names):
        if target:
            (tmp_path / name).symlink_to(target)
        else:
            put(tmp_path, name)
    found = []
    for item in walk(tmp_path):
        path, reason = (item.path, f": {item.reason}") if isinstance(item, Skipped) else (item, "")
        found.append(f"{path.relative_to(tmp_path)}{reason}")
    return found


def kept(encoded: str, text: str, *, tmp_path: Path) -> bool:
    """Tell whether a file of these bytes, given as latin-1, keeps its encoding."""
    path = put(tmp_path, data=encoded.encode("latin-1"))
    file = read(path)
    assert file.text == text
    replace_text(file, "+" + text)
    assert read(path).text == "+" + text
    replace_text(read(path), text)
    return path.read_bytes() == encoded.encode("latin-1")


def passed_over(name: str, encoded: str, *, tmp_path: Path) -> str:
    path = put(tmp_path, name, encoded.encode("latin-1"))
    file = read_text_file(path)
    assert isinstance(file, Skipped)
    return file.reason


test_row = rows(
    __file__,
    kept=kept,
    no_file=no_file,
    passed_over=passed_over,
    walked=walked,
    line_ends=lambda text, *, tmp_path: read(put(tmp_path, data=text)).line_end,
    data_files=lambda path: is_data_file(Path("/site") / path),
)
