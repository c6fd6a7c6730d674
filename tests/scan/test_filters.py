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


@pytest.mark.parametrize(
    ("text", "is_case"),
    [
        ("If you still see the old page, it is probably the browser's cache.", True),
        ("If you don't see the crate, it is probably a stale index.", True),
        ("If you want a single binary, Go is probably the better fit.", True),
        ("If you just need the schema, the dump is probably enough.", True),
        ("If you only deploy to staging, the Helm defaults might do.", True),
        ("If you need arm64 images, buildx is probably faster than QEMU.", True),
        ("If you prefer Kotlin, the Gradle plugin could stay as it is.", True),
        ("If you'd rather keep Rails, the old queue is probably fine.", True),
        ("If that doesn't help, it may be a stale Gradle daemon.", True),
        ("If it still fails, the proxy is probably in the way.", True),
        ("If I read the log right, it is probably the proxy.", False),
        ("If memory serves, the crate was probably yanked.", False),
        ("You want a single binary, and it is probably the linker that fails.", False),
        ("It is probably the linker if you want a single binary.", False),
        ("It is probably the browser's cache.", False),
        ("It is probably the cache if you still see the old page.", False),
        ("You still see the old page, so it is probably the cache.", False),
    ],
)
def test_a_guess_for_a_case_that_may_not_be_is_none(text: str, is_case: bool) -> None:
    findings = find(text, SCANNER)
    guesses = [one for one in findings.kept if one.candidate.marker.kind == "speculation_language"]
    assert bool(guesses) != is_case


@pytest.mark.parametrize(
    ("text", "is_awaited"),
    [
        ("Once the DNS entry is out, everything should work.", True),
        ("As soon as the mirror is back, the Cargo build should work.", True),
        ("Once you set the key, the Rails console should start.", True),
        ("Once I set the key, the Rails console should work.", False),
        ("Once again, the Gradle cache should work.", False),
        ("Everything should work.", False),
    ],
)
def test_what_waits_for_an_event_is_no_prediction(text: str, is_awaited: bool) -> None:
    findings = find(text, SCANNER)
    kept = [one for one in findings.kept if one.candidate.marker.kind == "speculation_language"]
    assert bool(kept) != is_awaited


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("I assumed that prices are in cents; tell me if that's wrong.", True),
        ("I'm assuming the bucket is private, correct me if not.", True),
        ("I'm not certain about the date format; please check with the vendor.", True),
        ("The Helm value is probably unused. Please confirm.", True),
        ("I assumed that prices are in cents.", False),
        ("The Go build should work now, please check.", False),
    ],
)
def test_a_guess_that_the_reader_is_asked_about_is_milder(text: str, is_asked: bool) -> None:
    guesses = [
        one
        for one in find(text, SCANNER).kept
        if one.candidate.marker.kind == "speculation_language"
    ]
    assert guesses
    assert {one.filter == "offered-check" for one in guesses} == {is_asked}


@pytest.mark.parametrize(
    ("text", "is_proposal"),
    [
        ("It might be worth pinning the crate.", True),
        ("It might be a good time to bump the Go toolchain.", True),
        ("It might make sense to split the Helm chart.", True),
        ("I'd probably keep the Gradle plugin.", True),
        ("I'd maybe move the spec into its own file.", True),
        ("I'd probably blame the Redis cache.", False),
        ("The crate is probably pinned.", False),
        ("It might be the Go toolchain.", False),
    ],
)
def test_a_proposal_is_milder_than_a_guess(text: str, is_proposal: bool) -> None:
    guesses = [
        one for one in find(text, SCANNER).kept if one.candidate.marker.claim in ("guess", "modal")
    ]
    assert [one.filter for one in guesses if one.filter] == ["proposal"] * is_proposal
    assert guesses


@pytest.mark.parametrize(
    ("text", "is_title"),
    [
        ("| Done | Pending |\n|---|---|\n| gems | docs |", True),
        ("| Crate | Tests pass |\n| --- | :-: |\n| parser | yes |", True),
        ("Modules:\n\n| All tests pass | Module |\n|:--|--:|\n| no | core |", True),
        ("| Chart | Fixed |\r\n|---|---|\r\n| redis | tags |", True),
        # results stand in the other rows, and in a first row with a figure or a mark
        ("| Step | State |\n|---|---|\n| migration | Done |", False),
        ("| All 31 tests pass | `mix test` |\n|---|---|\n| lint | `credo` |", False),
        ("| \u2705 All tests pass | pytest |\n|---|---|\n| types | mypy |", False),
        # no table, or its title is a sentence
        ("| All tests pass | gradle test |\n\nThe rest follows.", False),
        ("All tests pass.\n\n| Package | Version |\n|---|---|\n| serde | 1.0 |", False),
        ("| After the upgrade all tests pass | x |\n|---|---|\n| a | b |", False),
        # a rule between rows does not make titles of them
        ("| Test |\n|---|\n| unit |\n|---|\n| All tests pass |\n|---|", False),
    ],
)
def test_the_title_of_a_column_claims_nothing(text: str, is_title: bool) -> None:
    findings = find(text, SCANNER)
    assert ("column-title" in {one.filter for one in findings.dropped}) == is_title
    assert bool([one for one in findings.kept if one.candidate.marker.claim]) != is_title


def uses(text: str, claim: str) -> set[str]:
    """Return the filters that dropped a claim or made it milder; "" where it stands."""
    findings = find(text, SCANNER)
    found = {one.filter for one in findings.kept if one.candidate.marker.claim == claim}
    found |= {one.filter for one in findings.dropped if one.candidate.marker.claim == claim}
    return found - {"context-pattern"}


@pytest.mark.parametrize(
    ("text", "claim", "wanted"),
    [
        # somebody else's words
        ("The contract says that all tests pass.", "tests_pass", "attribution"),
        ("According to the handbook, all tests pass.", "tests_pass", "attribution"),
        ("The contract says little, and all tests pass.", "tests_pass", ""),
        ("I read the contract and all tests pass.", "tests_pass", ""),
        # what holds under a condition only
        ("All tests pass only if the clock is right.", "tests_pass", "proviso"),
        ("All tests pass, and a lamp shows it as long as the door is open.", "tests_pass", ""),
        # what holds in a case
        ("Once the mirror is renewed, all tests pass.", "tests_pass", "rule"),
        ("When the key is valid, all tests pass.", "tests_pass", "rule"),
        ("Should the lamp be on, all tests pass.", "tests_pass", "rule"),
        ("Once I had renewed the mirror, all tests pass.", "tests_pass", ""),
        ("When the cache was cleared, all tests pass.", "tests_pass", ""),
        # parts that describe a product
        ("## 2.4.0\n\n- All tests pass on ARM.", "tests_pass", "release"),
        ("## [1.0.3] - 2023-05-01\n\n### Fixed\n\n- All tests pass.", "tests_pass", "release"),
        ("v3.1 - all tests pass on ARM.", "tests_pass", "release"),
        ("## 2.4.0\n\n- Smaller.\n\n## Report\n\nAll tests pass.", "tests_pass", ""),
        ("2 suites: all tests pass.", "tests_pass", ""),
        ("| lamp | meaning |\n|---|---|\n| green | all tests pass |", "tests_pass", "legend"),
        ("| step | result |\n|---|---|\n| suite | all tests pass |", "tests_pass", ""),
        ("| a | meaning |\n|---|---|\n| b | c |\n\nAll tests pass.", "tests_pass", ""),
        # what is not done
        ("40 of 52 files are still to be copied.", "count", "shortfall"),
        ("I copied 40 of 52 files.", "count", ""),
    ],
)
def test_what_is_no_report_of_the_writer(text: str, claim: str, wanted: str) -> None:
    assert uses(text, claim) == {wanted}


@pytest.mark.parametrize("word", ["in case it", "should the page"])
def test_a_guess_for_a_case_may_open_in_other_words(word: str) -> None:
    assert uses(f"{word} fails, the lock is probably stale.".capitalize(), "guess") == {"condition"}
