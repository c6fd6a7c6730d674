"""The modules that are built from patterns/, outcomes/, programs/ and model/."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.base import rules
from groundwire.base.rules import BUILT
from groundwire.settings.patterns.compile import build
from tests.support.programs import run_program

REPOSITORY = Path(__file__).parents[2]
RULES = Path(rules.__file__).parent
PACKAGE = RULES.parents[1]
FOLDERS = ("patterns", "outcomes", "programs", "model")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source tree as git has it: without the built modules."""
    root = tmp_path_factory.mktemp("tree")
    for folder in FOLDERS:
        shutil.copytree(REPOSITORY / folder, root / folder)
    names = [f"{name}.py" for name in BUILT]

    def left_out(folder: str, files: list[str]) -> set[str]:
        built = Path(folder) == RULES
        return {"__pycache__", *(names if built else ())} & set(files)

    shutil.copytree(PACKAGE, root / "src" / "groundwire", ignore=left_out)
    return root


def run(tree: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run Python on the package of ``tree``."""
    env = {**os.environ, "PYTHONPATH": str(tree / "src")}
    return run_program([sys.executable, "-B", *arguments], env=env)


def test_what_is_built_is_of_these_files(tmp_path: Path) -> None:
    """Run `make patterns` after a change in one of the folders; the other targets do it, too."""
    for path in build(tmp_path):
        assert (RULES / path.name).read_bytes() == path.read_bytes(), path.name
    assert {path.stem for path in tmp_path.iterdir()} == set(BUILT)


def test_git_has_none_of_them() -> None:
    ignored = (REPOSITORY / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {f"/src/groundwire/base/rules/{name}.py" for name in BUILT} <= {*ignored}


def test_it_compiles_before_anything_is_compiled(tree: Path) -> None:
    for statement in (
        "import groundwire.verdict.assess",
        "from groundwire.base.rules import shipped",
    ):
        missing = run(tree, "-c", statement)
        assert b"is not built; in a source tree, run `make patterns`" in missing.stderr
    assert run(tree, "-m", "groundwire.settings.patterns.compile").stderr == b""
    assert run(tree, "-c", statement).stderr == b""
    for name in BUILT:
        built, ours = tree / f"src/groundwire/base/rules/{name}.py", RULES / f"{name}.py"
        assert built.read_bytes() == ours.read_bytes()


def test_what_is_wrong_is_told(tree: Path) -> None:
    with (tree / "patterns" / "causality_language.toml").open("a", encoding="utf-8") as file:
        file.write("\nodd = 1\n")
    done = run(tree, "-m", "groundwire.settings.patterns.compile")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"causality_language.toml: " in done.stderr
    assert b"Traceback" not in done.stderr
