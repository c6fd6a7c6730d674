"""The files that a turn made and took away again, however many there are."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs import tree as module
from groundwire.evidence.runs.tree import Tree

REMOVALS = [
    ("itself", "src/a.go", "src/a.go", True),
    ("in its folder", "src/cart/a.go", "src", True),
    ("any in its folder", "src/a_test.py", "src/*.py", True),
    ("all", "a.rs", "*", True),
    ("in any folder of one level", "src/cart/a.js", "src/*/a.js", True),
    ("written absolutely", "/home/dev/shop/src/a.rb", "src/a.rb", True),
    ("taken away absolutely", "src/a.rb", "/home/dev/shop/src/a.rb", True),
    ("at the top", "a.php", "*.php", True),
    ("another", "src/a.go", "src/b.go", False),
    ("another folder", "src/a.go", "lib", False),
    ("a folder with a longer name", "src2/a.go", "src", False),
    ("the same name elsewhere", "src/a.go", "a.go", False),
    ("two levels below", "src/cart/a.py", "src/*.py", False),
    ("another suffix", "a.php", "*.phps", False),
    ("an absolute path of another", "a.rb", "/home/dev/shop/ba.rb", False),
]


@pytest.mark.parametrize(
    ("made", "removed", "is_gone"), [r[1:] for r in REMOVALS], ids=[r[0] for r in REMOVALS]
)
def test_removals(made: str, removed: str, is_gone: bool) -> None:
    tree = Tree()
    tree.write(0, made, counts=True)
    assert tree.remove(removed) == is_gone
    assert tree.changes() == (() if is_gone else ((0, made),))


def test_a_removed_file_that_is_made_again_is_a_change() -> None:
    tree = Tree()
    tree.write(0, "src/a.kt", counts=True)
    assert tree.remove("src")
    tree.write(1, "src/a.kt", counts=True)
    assert not tree.remove("lib")
    assert tree.changes() == ((1, "src/a.kt"),)


@pytest.mark.parametrize("removed", ["build/{}.o", "/tmp/x/{}.o", "gen{}", "out/{}*.o"])
def test_a_removal_looks_only_at_files_that_it_can_mean(
    monkeypatch: pytest.MonkeyPatch, removed: str
) -> None:
    looked: list[str] = []
    is_meant = module._is_meant

    def counted(path: str, made: str) -> bool:
        looked.append(made)
        return is_meant(path, made)

    monkeypatch.setattr(module, "_is_meant", counted)
    tree = Tree()
    for number in range(500):
        tree.write(number, f"src/gen/file{number}.py", counts=True)
    for number in range(500):
        tree.remove(removed.format(number))
    assert not looked
    assert tree.remove("src/gen/file7.py")
    assert looked == ["src/gen/file7.py"]
    assert len(tree.changes()) == 499
