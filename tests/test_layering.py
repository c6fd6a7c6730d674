"""A module imports only from its own layer or the layers above it, and the budgets of evidence."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from groundwire import verdict
from groundwire.settings.patterns.weights import load_model
from groundwire.verdict.assess import STRENGTH
from groundwire.verdict.features import FEATURES
from tests.support.tables import tables

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src"
TABLES = tables(__file__)
PACKAGES = ("groundwire", "groundwire_admin", "groundwire_fleet")
ENTRIES = ("__init__", "__main__")
#: Modules of a confidence model that need settings, files or judges, and so belong to ``service``.
WIRING = {"service", "result", "gates", "hook", "methods", "setup"}
MOST_MODULES, MOST_LINES, MOST_FEATURES = 25, 4_495, 20
#: Lines of Python in tests/; rows of TOML are data. It only shrinks.
MOST_TEST_LINES = 17_050
START = "if __name__ == '__main__':\n    raise SystemExit(main())"


class Import(NamedTuple):
    """A module and a dotted name that it imports; ``late`` is within a function."""

    module: str
    name: str
    late: bool


def imports(package: str) -> Iterator[Import]:
    for path in sorted((SOURCE / package).rglob("*.py")):
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        yield Import(module, "", late=False)  # it is there
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        late = {node for one in functions for node in ast.walk(one)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: relative import"
                names = [f"{node.module}", *(f"{node.module}.{alias.name}" for alias in node.names)]
            else:
                continue
            yield from (Import(module, name, node in late) for name in names)


IMPORTS = [one for package in PACKAGES for one in imports(package)]


def part_of(name: str, package: str) -> str:
    """Return the part of ``package`` that a dotted name is in; "" when it is of another one."""
    first, *more = name.removeprefix(f"{package}.").split(".")
    if not name.startswith(f"{package}."):
        return ""
    return "service" if first == "confidence" and WIRING & {*more[1:2]} else first


def downwards(package: str, rows: list[list[str]], *, same: bool) -> list[Import]:
    """Return imports from rows further down, and unless ``same`` from the same row."""
    rank = {name: number for number, names in enumerate(rows) for name in names}
    found = [(part_of(one.module, package), part_of(one.name, package), one) for one in IMPORTS]
    assert {own for own, _, _ in found} - {"", *ENTRIES} == {*rank} - {*ENTRIES}
    return [
        one
        for own, other, one in found
        if own in rank and other != own and rank.get(other, -1) >= rank[own] + same
    ]


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_upwards(package: str) -> None:
    assert downwards(package, TABLES[package], same=True) == []


def test_evidence_flows_one_way() -> None:
    """Its docstring tells rows; a module imports those above it."""
    rows = [re.findall(r"^\| ``(\w+)``", row, re.M) for row in str(verdict.__doc__).split("\n---")]
    assert downwards("groundwire.verdict", [["__init__"], *rows], same=False) == []


def test_the_core_imports_nothing_of_its_siblings() -> None:
    """A command does when it runs, so that it can say which extra is missing."""
    found = [one for one in IMPORTS if one.name.startswith(PACKAGES[1:])]
    core = [one for one in found if one.module.startswith("groundwire.")]
    wrong = [
        one for one in core if not (one.late and one.module.startswith("groundwire.commands."))
    ]
    assert {one.module for one in wrong} <= {"groundwire.fleet"}


def test_one_module_imports_the_automaton_library() -> None:
    found = {one.module for one in IMPORTS if one.name == "ahocorasick"}
    assert found == {"groundwire.language.automaton"}


def test_no_module_of_evidence_is_imported_by_a_computed_name_or_late() -> None:
    wrong = [
        one
        for one in IMPORTS
        if one.module.startswith(("groundwire.verdict.", "groundwire.inputs.outcomes."))
        if one.late or one.name.startswith("importlib")
        if ".".join(one.name.split(".")[:3]) not in TABLES["lazy"]
    ]
    assert wrong == []
    for folder in ("evidence", "outcomes"):
        for path in (SOURCE / "groundwire" / folder).rglob("*.py"):
            assert "__import__" not in path.read_text(encoding="utf-8"), path


def lines_of(folder: Path) -> list[int]:
    """Return how many lines each module has."""
    return [len(path.read_bytes().splitlines()) for path in folder.rglob("*.py")]


def test_evidence_and_tests_stay_small() -> None:
    lines = lines_of(SOURCE / "groundwire" / "evidence")
    assert len(lines) <= MOST_MODULES
    assert sum(lines) <= MOST_LINES
    assert sum(lines_of(TESTS)) <= MOST_TEST_LINES


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
            plain = text.startswith(("from groundwire.", "__all__ = ")) or text == START
            assert docstring or plain, f"{path}: {text}"
