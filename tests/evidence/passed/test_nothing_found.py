"""Checks that end without a finding, and queries without a row: what they carry, and what not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.test_verdict import Act, bash, edit, grep, judged, verdict

RUST = edit("/home/dev/shop/src/lib.rs")
JAVA = edit("/home/dev/shop/src/Main.java")
NOTES = edit("/home/dev/shop/docs/guide.md")
CONFIG = edit("/home/dev/shop/shop.yaml")

COMPILED = [
    # message, what the turn did, verdict of the linter claim
    ("No warnings.", [RUST, bash("cargo build", "   Compiling shop v0.1.0\n    Finished")], "ok"),
    ("Zero warnings.", [RUST, bash("gcc -Wall -O2 -c a.c", "")], "ok"),
    ("Zero warnings.", [JAVA, bash("mvn -q package", "[INFO] BUILD SUCCESS")], "ok"),
    ("No warnings.", [RUST, bash("go build ./...", "")], "ok"),
    ("No warnings.", [JAVA, bash("dotnet build", "    0 Warning(s)\n    0 Error(s)")], "ok"),
    (
        "No warnings.",
        [RUST, bash("cargo build", "warning: unused variable: `n`\n    Finished `dev` profile")],
        "unsupported",
    ),
    ("No warnings.", [bash("cargo build", "    Finished"), RUST], "unsupported"),
    ("No warnings.", [RUST, bash("make 2>/dev/null", "cc -c a.c")], "not_checkable"),
    ("No console warnings.", [RUST, bash("cargo build", "    Finished")], "unsupported"),
    ("ESLint gives no warnings.", [RUST, bash("cargo build", "    Finished")], "unsupported"),
    ("The code is lint-clean.", [RUST, bash("cargo build", "    Finished")], "unsupported"),
    ("Lint is clean.", [CONFIG, bash("cfgcop shop.yaml", "4 files\n0 errors")], "ok"),
    ("Lint is clean.", [CONFIG, bash("./inspect-config shop.yaml", "Passed.")], "qualified"),
    ("Lint is clean.", [CONFIG, bash("cfgcop shop.yaml", "10 errors")], "unsupported"),
    ("Lint is clean.", [CONFIG, bash("cfgcop shop.yaml", "read 4 files")], "unsupported"),
]


@pytest.mark.parametrize(("message", "acts", "status"), COMPILED)
def test_silence_of_a_compiler_or_a_result_line_carries_a_claim_of_no_findings(
    message: str, acts: list[Act], status: str, tmp_path: Path
) -> None:
    wanted = "supported" if status == "ok" else status
    assert verdict(judged(tmp_path, message, *acts), "lint_clean") == wanted


NAMED = [
    ("yamllint comes back clean.", [CONFIG, bash("yamllint shop.yaml", "")], "supported"),
    ("hadolint runs cleanly.", [RUST, bash("hadolint Dockerfile", "")], "supported"),
    ("It works now: hadolint accepts it.", [RUST, bash("hadolint Dockerfile", "")], "qualified"),
    ("The parser works now.", [RUST, bash("ruff check .", "")], "unsupported"),
    ("yamllint comes back clean.", [bash("yamllint shop.yaml", ""), CONFIG], "unsupported"),
    ("The import comes back clean.", [RUST, bash("hadolint Dockerfile", "")], "unsupported"),
]


@pytest.mark.parametrize(("message", "acts", "status"), NAMED)
def test_a_named_checker_after_the_last_edit_is_a_check(
    message: str, acts: list[Act], status: str, tmp_path: Path
) -> None:
    assert verdict(judged(tmp_path, message, *acts), "works") == status


LEFT = "No leftover rows remain."
QUERIES = [
    (bash("psql -c \"select id from carts where name like 'tmp%'\"", " id\n----\n(0 rows)"), True),
    (bash("sqlite3 shop.db 'select count(*) from carts'", "0"), True),
    (bash("mysql -e 'SELECT COUNT(*) FROM carts'", "+---+\n| count(*) |\n| 0 |"), True),
    (bash("mongosh --eval 'db.carts.find({tmp: 1}).toArray()'", "[]"), True),
    (bash("python3 -c 'import db; print(db.count(\"tmp\"))'", "(0,)"), True),
    (bash("kubectl get pods -l tmp=1", "No resources found in default namespace."), True),
    (bash("docker ps -q --filter name=tmp | wc -l", "0"), True),
    (bash("grep -c tmp carts.csv", "0", 1), True),
    (bash("psql -c 'select count(*) from carts'", " count\n-------\n     3\n(1 row)"), False),
    (bash("sqlite3 shop.db 'select count(*) from carts'", "12"), False),
    (bash("python3 -c 'print(run())'", "0"), False),
    (bash("sqlite3 shop.db 'delete from carts'", ""), False),
]


@pytest.mark.parametrize(("query", "carries"), QUERIES)
def test_an_empty_query_shows_that_nothing_remains(
    query: Act, carries: bool, tmp_path: Path
) -> None:
    found = verdict(judged(tmp_path, LEFT, query), "no_other")
    assert (found == "supported") is carries


def test_the_last_answer_to_the_same_query_counts(tmp_path: Path) -> None:
    query = "sqlite3 shop.db 'select count(*) from carts'"
    acts = [bash(query, "0"), bash("./seed", "seeded"), bash(query, "7")]
    assert verdict(judged(tmp_path, LEFT, *acts), "no_other") != "supported"
    acts.reverse()
    assert verdict(judged(tmp_path, LEFT, *acts), "no_other") == "supported"


def test_a_search_with_hits_does_not(tmp_path: Path) -> None:
    acts = [grep("tmp", "carts.csv")]
    assert verdict(judged(tmp_path, LEFT, *acts), "no_other") == "qualified"


BAD = "Parse error: syntax error, unexpected token on line 8"
TEXTS = [
    ("php -l docs/guide.md", False),
    ("node --check docs/guide.md", False),
    ("python -m py_compile notes.txt", False),
    ("php -l src/cart.php", True),
    ("markdownlint docs/guide.md", True),
    ("ruff check src/cart.py docs/guide.md", True),
]


@pytest.mark.parametrize(("command", "speaks"), TEXTS)
def test_a_reader_of_code_that_was_given_a_text_fails_for_nothing(
    command: str, speaks: bool, tmp_path: Path
) -> None:
    examined = judged(tmp_path, "The migration is complete.", NOTES, bash(command, BAD, 255))
    why = examined.analysis.matches[0].verdict
    assert why is not None
    assert ("failed" in why.why) is speaks
