"""``groundwire patterns``: list, check, show."""

from __future__ import annotations

import pytest

from tests.cli.command import Command
from tests.config.place import PACK

OWN = "speculation.config-test"


def test_list_has_one_line_for_each_entry(cli: Command) -> None:
    *lines, total = cli.out("patterns", "list").splitlines()
    assert total == f"{len(lines)} entries"
    ids = [line.split()[0] for line in lines]
    assert len(set(ids)) == len(ids) > 300
    assert {"speculation.i-think", "causality.caused-by"} <= set(ids)


def test_list_one_kind(cli: Command) -> None:
    *lines, _ = cli.out("patterns", "list", "--kind", "causality_language").splitlines()
    assert {line.split(".")[0] for line in lines} == {"causality"}


def test_an_own_pack_is_listed_checked_and_shown(cli: Command) -> None:
    cli.write("packs/speculation.toml", PACK)
    assert OWN not in cli.out("patterns", "list")
    assert OWN in cli.out("patterns", "list", "packs")
    assert "all hold" in cli.out("patterns", "check", "packs")
    assert "zorble likely" in cli.out("patterns", "show", OWN, "packs")


def test_check_holds_for_what_is_shipped(cli: Command) -> None:
    assert cli.out("patterns", "check").endswith("all hold\n")


CHECKED = [
    ("a hit that is none", "{zorble likely}", "{likely zorble}", "wanted 'likely zorble'"),
    ("a miss that is a hit", "The zorble is", "It is zorble likely", "miss 'It is zorble"),
    ("an unknown key", "source =", "sauce =", "sauce"),
    ("an unfolded form", '["zorble likely"]', '["Zorble likely"]', "allowed: 'zorble likely'"),
    ("an unknown kind", "speculation_language", "guessing", "guessing"),
    ("no hits", 'hits = ["It is {zorble likely} the parser."]', "hits = []", "hits"),
    ("no TOML", "schema = 1", "schema =", "line 1"),
]


@pytest.mark.parametrize(
    ("old", "new", "cause"), [row[1:] for row in CHECKED], ids=[row[0] for row in CHECKED]
)
def test_check_names_file_entry_and_cause(cli: Command, old: str, new: str, cause: str) -> None:
    assert PACK.count(old) == 1
    cli.write("packs/mine.toml", PACK.replace(old, new))
    said = cli.refused("patterns", "check", "packs")
    assert said.startswith("groundwire: packs/mine.toml: ")
    assert cause in said


def test_show_has_all_of_an_entry(cli: Command) -> None:
    printed = cli.out("patterns", "show", "speculation.i-think")
    assert printed.startswith("speculation.i-think  (speculation_language, ")
    lines = printed.splitlines()
    assert "  forms: i think" in lines
    assert [line for line in lines if line.startswith(("  note: ", "  source: "))]
    assert "  hits: {I think} it is the tokenizer." in lines


NEAR = [
    ("speculation.i-thnk", "speculation.i-think"),
    ("causality.caused_by", "causality.caused-by"),
    ("i-think", "speculation.i-think"),
]


@pytest.mark.parametrize(("wrong", "near"), NEAR)
def test_show_proposes_what_was_meant(cli: Command, wrong: str, near: str) -> None:
    said = cli.refused("patterns", "show", wrong)
    assert near in said.partition("; near: ")[2]
