"""Reading text files and replacing them: what is passed over, what is kept, what is refused."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.errors import FileError
from groundwire.files.replace import replace_text
from groundwire.files.text_file import Skipped, TextFile, read_text_file
from groundwire.files.walk import is_data_file, walk
from tests.files.put import put
from tests.support.tables import rows, tables

TABLES = tables(__file__)


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


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # nobody writes to it
    (tmp_path / "loop").symlink_to("loop")
    reasons = {
        name: read_text_file(tmp_path / name)
        for name in ("pipe", "loop", "none", ".", "a\0b", "n" * 300)
    }
    reason = reasons.pop("a\0b")
    assert isinstance(reason, Skipped)
    assert "embedded null" in reason.reason  # the rest is that of the version of Python
    assert {name: one.reason for name, one in reasons.items() if isinstance(one, Skipped)} == {
        "pipe": "not a regular file",
        "loop": "Too many levels of symbolic links",
        "none": "No such file or directory",
        ".": "Is a directory",
        "n" * 300: "File name too long",
    }


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
    """With a limit on the size of files, as a process of its own."""
    path = put(tmp_path, data="old")
    script = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from groundwire.files.replace import replace_text\n"
        "from groundwire.files.text_file import read_text_file\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "file = read_text_file(Path(sys.argv[1]))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "replace_text(file, 'x' * 5000)\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", script, path], capture_output=True, check=False, timeout=60
    )
    assert b"FileError" in process.stderr
    assert b"File too large; nothing was changed" in process.stderr
    assert path.read_text(encoding="utf-8") == "old"
    assert [*path.parent.iterdir()] == [path]


def found(folder: Path) -> list[str]:
    """Return relative names; what is passed over with its reason."""
    rows = []
    for item in walk(folder):
        path = item.path if isinstance(item, Skipped) else item
        reason = f": {item.reason}" if isinstance(item, Skipped) else ""
        rows.append(f"{path.relative_to(folder)}{reason}")
    return rows


def test_links_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path, "a/x")
    put(tmp_path, "f")
    (tmp_path / "a" / "up").symlink_to("..")
    (tmp_path / "a" / "self").symlink_to("self")
    (tmp_path / "g").symlink_to("f")
    (tmp_path / "out").symlink_to("/")
    assert found(tmp_path) == TABLES["links_are_not_followed"]


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


def walked(names: list[str], *, tmp_path: Path) -> list[str]:
    for name in names:
        put(tmp_path, name)
    return found(tmp_path)


test_row = rows(
    __file__,
    kept=kept,
    passed_over=passed_over,
    walked=walked,
    line_ends=lambda text, *, tmp_path: read(put(tmp_path, data=text)).line_end,
    data_files=lambda path: is_data_file(Path("/site") / path),
)
