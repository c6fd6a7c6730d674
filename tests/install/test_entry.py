"""Which interpreter and file are registered."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import groundwire
from groundwire.errors import InstallError
from groundwire.install.entry import current_entry, is_shim, real_interpreter


def test_the_running_interpreter_and_the_hook_file() -> None:
    entry = current_entry()
    assert entry.interpreter == sys.executable
    assert Path(entry.file) == Path(groundwire.__file__).parent / "hook" / "run.py"


def test_a_shim_is_replaced_by_what_it_stands_for(tmp_path: Path) -> None:
    shim = tmp_path / "python"
    shim.write_text("#!/bin/sh\nexec something\n", encoding="utf-8")
    real = tmp_path / "versions" / "bin" / "python3.11"
    real.parent.mkdir(parents=True)
    real.symlink_to(sys.executable)
    assert real_interpreter(str(real), (), "3.11") == str(real)  # links are not followed
    prefixes = (str(tmp_path / "gone"), str(tmp_path / "versions"))
    assert real_interpreter(str(shim), prefixes, "3.11") == str(real)
    with pytest.raises(InstallError, match="shim"):
        real_interpreter(str(shim), (), "3.11")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/home/u/.pyenv/shims/python3", True),
        ("C:\\Users\\u\\.pyenv\\pyenv-win\\shims\\python.exe", True),
        (sys.executable, False),
    ],
)
def test_shims_are_known_by_their_folder(path: str, expected: bool) -> None:
    assert is_shim(path) is expected


def test_the_hook_command_prints_the_same() -> None:
    command = [str(Path(sys.executable).with_name("groundwire-hook")), "--where"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    [version, interpreter, file] = done.stdout.splitlines()
    assert (version, file) == (groundwire.__version__, current_entry().file)
    # The command's first line may name the environment's Python by another of its names.
    assert Path(interpreter).parent == Path(sys.executable).parent
