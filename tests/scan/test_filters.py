"""Context filters: where a statement stands decides whether it is one."""

from __future__ import annotations

import pytest

from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.scan.find import find

SCANNER = Scanner(shipped_rules())


@pytest.mark.parametrize(
    ("text", "waits"),
    [
        # what is still to come
        ("After the test passes, restart the worker.", True),
        ("Tag it after all tests pass.", True),
        ("After your tests pass, run `cargo publish`.", True),
        # what has come about
        ("After the fix, all tests pass.", False),
        ("After the change the tests pass.", False),
        ("After the tests passed, I pushed the branch.", False),
        ("After the rename of the whole Gradle module all tests pass.", False),
    ],
)
def test_after_a_result_in_the_present_is_a_condition(text: str, waits: bool) -> None:
    findings = find(text, SCANNER)
    dropped = {one.filter for one in findings.dropped if one.candidate.marker.claim == "tests_pass"}
    kept = [one for one in findings.kept if one.candidate.marker.claim == "tests_pass"]
    assert ("condition" in dropped) == waits
    assert bool(kept) != waits
