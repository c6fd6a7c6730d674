"""A module imports only from its own layer or the layers above it in this table."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "groundwire"
LAYERS = [
    {"record", "model", "errors", "settings", "event", "digest", "json_codec"},
    {"text"},
    {"rules"},
    {"scan", "transcript"},
    {"evidence"},
    {"bare", "scoring", "decision"},
    {"analysis", "render", "confidence"},
    {"config", "lexicon", "state", "history", "store", "files", "judge"},
    {"service"},
    {"hook", "cli", "replay", "stats", "install", "calibrate", "server", "doctor"},
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
#: The same within evidence; what stands in one row does not import from each other.
EVIDENCE = [
    {"ledger"},
    {"message", "runs"},
    {"pointing"},
    {"turn"},
    {"past"},
    {"reference"},
    {"absence", "cause", "figure", "looked", "passed"},
    {"work"},
    {"verdict"},
    {"judge"},
]
EVIDENCE_RANK = {name: rank for rank, names in enumerate(EVIDENCE) for name in names}
MODULES = sorted(
    path for path in SOURCE.rglob("*.py") if path.parent != SOURCE or path.stem in RANK
)
START = "if __name__ == '__main__':\n    raise SystemExit(main())"
JUDGING = sorted(
    path for path in (SOURCE / "evidence").rglob("*.py") if path != SOURCE / "evidence/__init__.py"
)
SHIM = sorted((SOURCE.parent / "claude").rglob("*.py"))
#: Only this module may import the automaton library.
AUTOMATON = SOURCE / "scan" / "automaton.py"


def imports(path: Path) -> set[str]:
    """Return the dotted names that a file imports, wherever in the file."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def package_of(path: Path, folder: Path = SOURCE) -> str:
    return path.relative_to(folder).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_upwards(path: Path) -> None:
    rank = RANK[package_of(path)]
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "groundwire" and len(parts) > 1 and parts[1] in RANK:
            assert RANK[parts[1]] <= rank, f"{package_of(path)} imports {name}"
        if parts[0] == "ahocorasick":
            assert path == AUTOMATON


@pytest.mark.parametrize("path", JUDGING, ids=lambda path: str(path.relative_to(SOURCE)))
def test_evidence_flows_one_way(path: Path) -> None:
    own = package_of(path, SOURCE / "evidence")
    for name in imports(path):
        parts = name.split(".")
        if parts[:2] == ["groundwire", "evidence"] and len(parts) > 2 and parts[2] != own:
            assert EVIDENCE_RANK[parts[2]] < EVIDENCE_RANK[own], f"{own} imports {name}"


def test_the_docstring_of_evidence_tells_the_rows() -> None:
    text = (SOURCE / "evidence" / "__init__.py").read_text(encoding="utf-8")
    rows = [set(line.split("``")[1::2]) - {"Facts"} for line in text.split("\n") if "``" in line]
    assert rows == EVIDENCE


@pytest.mark.parametrize("path", SHIM, ids=lambda path: str(path.relative_to(SOURCE.parent)))
def test_the_import_path_of_other_programs_holds_no_logic(path: Path) -> None:
    """Only imports, names, a docstring, and the start of a command."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        imported = isinstance(node, ast.ImportFrom) and str(node.module).startswith("groundwire.")
        exported = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        assert docstring or imported or exported or ast.unparse(node) == START, ast.unparse(node)


def test_every_module_has_a_layer() -> None:
    known = {*RANK, "__init__", "__main__", "patterns"}
    found = {
        path.name.removesuffix(".py") for path in SOURCE.iterdir() if path.suffix in (".py", "")
    }
    assert found - known - {"__pycache__"} == set()
