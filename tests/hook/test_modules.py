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


def changed(source: Path) -> None:
    source.write_text("value = 22\n", encoding="utf-8")


def older(source: Path) -> None:
    os.utime(source, (1_000_000_000, 1_000_000_000))


def of_another_version(source: Path) -> None:
    cached = compiled(source)
    cached.write_bytes(bytes(4) + cached.read_bytes()[4:])


def with_a_hash_of_the_source(source: Path) -> None:
    cached = compiled(source)
    data = cached.read_bytes()
    cached.write_bytes(data[:4] + struct.pack("<I", 3) + data[8:])


def cut_off(source: Path) -> None:
    cached = compiled(source)
    cached.write_bytes(cached.read_bytes()[:10])


def without_byte_code(source: Path) -> None:
    compiled(source).unlink()


def without_a_source(source: Path) -> None:
    source.unlink()


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
    assert (whole.origin, whole.submodule_search_locations) == (
        str(package),
        [str(package.parent)],
    )
    LOADER.exec_module(module := module_from_spec(part))
    assert module.__file__ == str(source)


@pytest.mark.parametrize(
    "spoil",
    [
        changed,
        older,
        of_another_version,
        with_a_hash_of_the_source,
        cut_off,
        without_byte_code,
        without_a_source,
    ],
)
def test_what_does_not_fit_is_left_to_other_finders(
    source: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(source)
    assert LOADER.find_spec("groundwire.part", [str(source.parent)]) is None


@pytest.mark.parametrize(("name", "path"), [("groundwire", None), ("json.part", ["."])])
def test_modules_of_others_are_left_alone(name: str, path: list[str] | None) -> None:
    assert LOADER.find_spec(name, path) is None
