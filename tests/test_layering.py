"""A module imports only from its own layer or the layers above it, and the budgets of evidence."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.evidence.features import FEATURES
from groundwire.evidence.weigh import STRENGTH
from groundwire.lexicon.weights import load_model
from tests.support.tables import tables

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "groundwire"
ADMIN, FLEET = SOURCE.parent / "groundwire_admin", SOURCE.parent / "groundwire_fleet"
TABLES = tables(__file__)
PACKAGES = [(folder, TABLES[folder.name]) for folder in (SOURCE, ADMIN, FLEET)]
COMMANDS = SOURCE / "cli"
ENTRIES = ("__init__", "__main__")
#: Modules of a confidence model that need settings, files or judges, and so belong to ``service``.
WIRING = {"service", "result", "gates", "hook", "methods", "setup"}
MOST_MODULES, MOST_LINES, MOST_FEATURES = 25, 4_495, 20
#: Lines of Python in tests/, whose goal is 16,000; rows of TOML are data. It only shrinks.
MOST_TEST_LINES = 18_634
START = "if __name__ == '__main__':\n    raise SystemExit(main())"
SHIM = sorted((SOURCE.parent / "claude").rglob("*.py"))
#: Only this module may import the automaton library.
AUTOMATON = SOURCE / "scan" / "automaton.py"


def ranks(rows: list[list[str]]) -> dict[str, int]:
    return {name: rank for rank, names in enumerate(rows) for name in names}


def modules(folder: Path = SOURCE) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(node: ast.AST, path: Path) -> Iterator[str]:
    """Yield the dotted names of modules that a file imports, wherever in it."""
    for child in ast.walk(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"{path}: relative import"
            yield child.module or ""
            yield from (f"{child.module}.{alias.name}" for alias in child.names)


def package_of(path: Path, folder: Path = SOURCE) -> str:
    parts = path.relative_to(folder).with_suffix("").parts
    return "service" if parts[0] == "confidence" and parts[-1] in WIRING else parts[0]


def own_parts(name: str, *package: str) -> str:
    """Return the part of a dotted name behind ``package``; "" when it is of another one."""
    parts = name.split(".")
    if package == ("groundwire",) and parts[1:2] == ["confidence"] and WIRING & {*parts[3:4]}:
        return "service"
    return parts[len(package)] if parts[: len(package)] == list(package) != parts else ""


@pytest.mark.parametrize(("folder", "layers"), PACKAGES)
def test_imports_point_upwards(folder: Path, layers: list[list[str]]) -> None:
    rank = ranks(layers)
    assert {package_of(path, folder) for path in modules(folder)} <= {*rank, *ENTRIES}
    wrong = [
        f"{path.relative_to(folder)} imports {name}"
        for path in modules(folder)
        if package_of(path, folder) in rank
        for name in imports(tree_of(path), path)
        if rank.get(own_parts(name, folder.name), 0) > rank[package_of(path, folder)]
    ]
    assert wrong == []


def test_the_core_imports_nothing_of_its_siblings() -> None:
    """A command does when it runs, so that it can say which extra is missing."""
    wrong = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in modules()
        for node in tree_of(path).body
        if not (path.is_relative_to(COMMANDS) and isinstance(node, ast.FunctionDef))
        for name in imports(node, path)
        if name.startswith((ADMIN.name, FLEET.name)) and path != SOURCE / "fleet.py"
    ]
    assert wrong == []


def test_one_module_imports_the_automaton_library() -> None:
    found = [path for path in modules() if "ahocorasick" in [*imports(tree_of(path), path)]]
    assert found == [AUTOMATON]


def rows_of_evidence() -> list[list[str]]:
    """Return the rows that the docstring of evidence tells; a module imports those above it."""
    text = (SOURCE / "evidence" / "__init__.py").read_text(encoding="utf-8").partition("| ")[2]
    rows = f"\n| {text}".split("\n---")
    return [[line.split("``")[1] for line in row.split("\n| ")[1:]] for row in rows]


def test_evidence_flows_one_way() -> None:
    folder, rank = SOURCE / "evidence", ranks(rows_of_evidence())
    assert {path.stem for path in modules(folder)} == {*rank, "__init__"}
    wrong = []
    for path in modules(folder):
        for name in imports(tree_of(path), path):
            other = own_parts(name, "groundwire", "evidence")
            if other and rank[other] >= rank.get(path.stem, -1) and other != path.stem:
                wrong.append(f"{path.stem} imports {other}")
    assert wrong == []


def test_no_module_of_evidence_is_imported_by_a_computed_name_or_late() -> None:
    wrong = []
    for path in [*modules(SOURCE / "evidence"), *modules(SOURCE / "outcomes")]:
        tree = tree_of(path)
        if any(isinstance(node, ast.Name) and node.id == "__import__" for node in ast.walk(tree)):
            wrong.append(f"{path.stem}: __import__")
        if any(name.startswith("importlib") for name in imports(tree, path)):
            wrong.append(f"{path.stem}: importlib")
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        late = {".".join(name.split(".")[:3]) for one in functions for name in imports(one, path)}
        wrong += [f"{path.stem}: {name} late" for name in sorted(late - {*TABLES["lazy"]})]
    assert wrong == []


def test_evidence_stays_small() -> None:
    files = modules(SOURCE / "evidence")
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
    assert len(files) <= MOST_MODULES
    assert lines <= MOST_LINES


def test_tests_stay_small() -> None:
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in modules(TESTS))
    assert lines <= MOST_TEST_LINES


def test_every_feature_has_a_function_and_a_weight() -> None:
    written = {one.name: one for one in load_model().feature}
    assert {*FEATURES, STRENGTH} == set(written)
    assert len(written) <= MOST_FEATURES
    assert [name for name, one in written.items() if not one.doc.strip() or not one.sign] == []


def test_the_import_path_of_other_programs_holds_no_logic() -> None:
    """Only imports, names, a docstring, and the start of a command."""
    wrong = []
    for path in SHIM:
        for node in tree_of(path).body:
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            imported = isinstance(node, ast.ImportFrom) and str(node.module).startswith(
                "groundwire."
            )
            exported = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
            if not (docstring or imported or exported or ast.unparse(node) == START):
                wrong.append(f"{path}: {ast.unparse(node)}")
    assert wrong == []
