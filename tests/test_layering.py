"""A module imports only from its own room or those above it, and the budgets of the house."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks.weight import lines_of_code
from groundwire.base.rules import BUILT
from groundwire.settings.patterns.weights import load_model
from groundwire.verdict.assess import STRENGTH
from groundwire.verdict.features import FEATURES
from tests.support.tables import tables

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src"
TABLES = tables(__file__)
CORE, EXTRAS = TABLES["core"], TABLES["extras"]
MOST_FEATURES = 20
#: Lines of Python in tests/; rows of TOML are data. It only shrinks.
MOST_TEST_LINES = 17_050
START = "if __name__ == '__main__':\n    raise SystemExit(main())"


class Import(NamedTuple):
    """A module, a dotted name that it imports, and the module that this is in."""

    module: str
    name: str
    target: str


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


FILES = {dotted(path): path for path in sorted(SOURCE.rglob("*.py"))}


def imports() -> Iterator[Import]:
    """Yield every import: at the top of a module, within functions, and for types alone."""
    for module, path in FILES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: relative import"
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            for name in names:
                parent = name.rpartition(".")[0]
                yield Import(module, name, name if name in FILES or not parent else parent)


IMPORTS = list(imports())


def room_of(module: str) -> str:
    """Return the room of the core or the extra that a module is in; "" for the package itself."""
    first, *more = module.split(".")
    return first if first in EXTRAS else more[0] if first == "groundwire" and more else ""


def test_a_room_imports_only_rooms_above_it() -> None:
    rooms = [*CORE, *EXTRAS]
    wrong = []
    for one in IMPORTS:
        own, other = room_of(one.module), room_of(one.target)
        if own in rooms and other in rooms and rooms.index(other) > rooms.index(own):
            above = ", ".join(rooms[: rooms.index(own)])
            wrong.append(f"{one.module} imports {one.name}; {own} may use {above}")
    assert wrong == []
    assert {room_of(name) for name in FILES} - {"", "__main__"} == set(rooms)


@pytest.mark.parametrize("package", TABLES["rooms"])
def test_the_rooms_of_an_extra_flow_one_way(package: str) -> None:
    def place(module: str) -> int | None:
        if not module.startswith(f"{package}."):
            return None
        return rank.get(module.removeprefix(f"{package}.").split(".")[0])

    rank = {name: at for at, names in enumerate(TABLES["rooms"][package]) for name in names}
    pairs = [(place(one.module), place(one.target), one) for one in IMPORTS]
    assert [one for own, other, one in pairs if None not in (own, other) and other > own] == []  # type: ignore[operator]


def test_no_modules_import_each_other() -> None:
    """No circle of any length, imports within functions and for types included."""
    needs = {name: {one.target for one in IMPORTS if one.module == name} for name in FILES}
    while True:
        needed = {other for name, others in needs.items() for other in others - {name}}
        left = {name: others & needs.keys() - {name} for name, others in needs.items()}
        left = {name: others for name, others in left.items() if others and name in needed}
        if left.keys() == needs.keys():
            break
        needs = left
    assert sorted(left) == []


def test_one_module_imports_the_automaton_library() -> None:
    found = {one.module for one in IMPORTS if one.name == "ahocorasick"}
    assert found == {"groundwire.base.automaton"}


def within(module: str, package: str) -> bool:
    return package == "src" or f"{module}.".startswith(f"{package}.")


def test_budgets() -> None:
    """Lines of code as ``python -m benchmarks.weight`` counts them."""
    written = [one for one in FILES if one.removeprefix("groundwire.base.rules.") not in BUILT]
    for name, most in TABLES["most_lines"].items():
        texts = [FILES[one].read_text(encoding="utf-8") for one in written if within(one, name)]
        assert sum(map(lines_of_code, texts)) <= most, name
    assert len([one for one in written if within(one, "groundwire")]) <= TABLES["most_modules"]
    lines = [len(path.read_bytes().splitlines()) for path in TESTS.rglob("*.py")]
    assert sum(lines) <= MOST_TEST_LINES


def test_every_feature_has_a_function_and_a_weight() -> None:
    written = {one.name: one for one in load_model().feature}
    assert {*FEATURES, STRENGTH} == set(written)
    assert len(written) <= MOST_FEATURES
    assert [name for name, one in written.items() if not one.doc.strip() or not one.sign] == []


def test_the_import_path_of_other_programs_holds_no_logic() -> None:
    """Only imports, names, a docstring, and the start of a command."""
    for path in (SOURCE / "claude").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            text = ast.unparse(node)
            plain = text.startswith(("from groundwire", "__all__ = ")) or text == START
            assert docstring or plain, f"{path}: {text}"
