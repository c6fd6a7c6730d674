"""The program files: every example is what its row says; mistakes in them are named."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.base.errors import LexiconError
from groundwire.inputs.shell.commands import read_commands
from groundwire.inputs.shell.paths import is_document, is_test_file
from groundwire.settings.patterns.programs import Program, load_programs
from groundwire.turn.programs import Classified, classify, covers, scope_of
from groundwire.turn.records import OTHER
from tests.support.tables import rows, table

TABLES = load_programs()


def classified(text: str) -> Classified | None:
    found = [known for command in read_commands(text) if (known := classify(command))]
    return found[-1] if found else None


def signature(text: str) -> str:
    known = classified(text)
    assert known is not None, text
    return known.signature


def examples(row: Program) -> Iterator[tuple[str, str, str]]:
    by_kind = row.runs if isinstance(row.runs, dict) else {row.kind: row.runs}
    yield from ((text, kind, "whole") for kind, it in by_kind.items() for text in it)
    yield from ((text, "", "narrow") for text in row.narrow)
    yield from ((text, OTHER, "idle") for text in row.idle)


@pytest.mark.parametrize("row", [row for _, row in TABLES.programs], ids=lambda row: row.names)
def test_examples(row: Program) -> None:
    for text, kind, part in examples(row):
        known = classified(text)
        assert known is not None, text
        assert kind in (known.kind, ""), text
        assert known.tool == row.tool.removeprefix("*"), text
        assert bool(known.narrow) is (part == "narrow"), text
        assert known.opaque is (row.kind == "task" or row.tool == "*"), text
        if row.kind != "task":
            assert row.kind == known.kind or part == "idle", text
            assert known.silent is row.silent, text
            assert known.changes is (row.changes and part != "idle"), text


@table
def test_mistakes_are_named(row: str, named: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(f"[[program]]\n{row}")
    with pytest.raises(LexiconError) as error:
        load_programs(tmp_path)
    assert all(text in str(error.value) for text in ["a.toml: ", *named]), error.value


def covered(later: str, earlier: str) -> bool:
    """What covers another run and is covered by it is the same run."""
    answer = covers(signature(later), signature(earlier))
    assert answer or signature(later) != signature(earlier)
    return answer


test_row = rows(
    __file__,
    what_is_known_of_a_command=lambda text, field: getattr(classified(text), field),
    what_is_no_run=lambda text: not any(map(classified, text.split("; "))),
    spellings_of_the_same_run=lambda group: len({*map(signature, group.split(" | "))}) == 1,
    covers=covered,
    files_of_tests=is_test_file,
)


def test_parts_of_a_signature() -> None:
    assert scope_of(signature("make lint")) == "lint"
    assert signature("cd web && make").split("|")[2] == "web"
    assert not covers("x", "y")


def test_documents() -> None:
    paths = ("docs/a.md", "LICENSE", "a.py", "requirements.txt")
    assert [path for path in paths if is_document(path)] == ["docs/a.md", "LICENSE"]
    with pytest.raises(LexiconError, match=r"names\.toml: is missing"):
        load_programs(Path("/nowhere"))
