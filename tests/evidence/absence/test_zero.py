"""A printed zero carries "no X is left" when its line names X."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.model import NOT_CHECKABLE, SUPPORTED, UNSUPPORTED
from tests.evidence.turns import Act, bash, call, edit, matches

#: name, message, what the turn did, verdict
ROWS: list[tuple[str, str, list[Act], str]] = [
    ("a script", "No leftover session tokens.", [
        bash("python probe.py", "users: 12\nSESSION TOKENS left over: 0"),
    ], SUPPORTED),
    ("a query", "**No leftover invoices.**", [
        bash("rails runner 'puts Invoice.stats'", "orders = 4\nstale invoices = 0"),
    ], SUPPORTED),
    ("a map", "There are no remaining worker leases.", [
        bash("go run ./cmd/leases", "worker leases: {}"),
    ], SUPPORTED),
    ("a table", "No stray containers.", [
        bash("./gradlew report", "| volumes | 3 |\n| stray containers | 0 |"),
    ], SUPPORTED),
    ("a list", "No remaining migrations.", [
        bash("node list.js", "Open migrations: []"),
    ], SUPPORTED),
    # the line counts some, or another thing, or nothing printed it
    ("some", "No leftover session tokens.", [
        bash("python probe.py", "SESSION TOKENS left over: 3"),
    ], UNSUPPORTED),
    ("ten", "No stray containers.", [bash("./report", "stray containers: 10")], UNSUPPORTED),
    ("another", "No leftover session tokens.", [
        bash("cargo run -- stats", "session keys: 0\napi tokens: 4"),
    ], UNSUPPORTED),
    ("not printed", "No leftover invoices.", [edit("app/invoice.rb")], UNSUPPORTED),
    ("no thing", "None are left.", [bash("php stats.php", "errors: 0")], UNSUPPORTED),
    ("told by an agent", "No leftover invoices.", [
        call("Task", "stale invoices: 0"),
    ], NOT_CHECKABLE),
]  # fmt: skip


@pytest.mark.parametrize(
    ("message", "acts", "status"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_a_printed_zero(tmp_path: Path, message: str, acts: list[Act], status: str) -> None:
    [found] = [one.verdict for one in matches(tmp_path, message, acts) if one.verdict]
    assert found.status == status
