"""The hook's finder takes compiled code that fits its source, and leaves all else to others."""

import os
import py_compile
import struct
from collections.abc import Callable
from importlib.util import module_from_spec
from pathlib import Path

import pytest

from groundwire.hook.modules import LOADER


def compiled(source: Path) -> Path:
    return Path(str(py_compile.compile(str(source), doraise=True)))


SPOILS: dict[str, Callable[[Path, Path], object]] = {
    "changed": lambda source, _: source.write_text("value = 22\n", encoding="utf-8"),
    "older": lambda source, _: os.utime(source, (1_000_000_000, 1_000_000_000)),
    "of another version": lambda _, code: code.write_bytes(bytes(4) + code.read_bytes()[4:]),
    "with a hash of the source": lambda _, code: code.write_bytes(
        code.read_bytes()[:4] + struct.pack("<I", 3) + code.read_bytes()[8:]
    ),
    "cut off": lambda _, code: code.write_bytes(code.read_bytes()[:10]),
    "without byte code": lambda _, code: code.unlink(),
    "without a source": lambda source, _: source.unlink(),
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "part.py"
    path.write_text("value = 1\n", encoding="utf-8")
    compiled(path)
    return path


def test_a_module_and_a_package_are_found_with_their_places(source: Path) -> None:
    package = source.parent / "whole" / "__init__.py"
    package.parent.mkdir()
    package.write_text("value = 2\n", encoding="utf-8")
    compiled(package)
    part, whole = (
        LOADER.find_spec(f"groundwire.{name}", [str(source.parent)]) for name in ("part", "whole")
    )
    assert (part.origin, part.submodule_search_locations) == (str(source), None)
    assert (whole.origin, whole.submodule_search_locations) == (str(package), [str(package.parent)])
    LOADER.exec_module(module := module_from_spec(part))
    assert module.__file__ == str(source)


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS)
def test_what_does_not_fit_is_left_to_other_finders(
    source: Path, spoil: Callable[[Path, Path], object]
) -> None:
    spoil(source, compiled(source))
    assert LOADER.find_spec("groundwire.part", [str(source.parent)]) is None


@pytest.mark.parametrize(("name", "path"), [("groundwire", None), ("json.part", ["."])])
def test_modules_of_others_are_left_alone(name: str, path: list[str] | None) -> None:
    assert LOADER.find_spec(name, path) is None
