"""Kinds that the labelled messages hardly have: found where nothing carries them, and only there.

Every kind has cases of its own on both sides, each at the end of a turn that did something.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from groundwire.analysis import analyse
from groundwire.settings import SHIPPED
from tests.evidence.turns import SCANNER, Act, bash, edit, grep, matches, reading

READ = [reading("shop/cart.py", "def total(lines):\n    return sum(lines)")]
EDIT = [edit("shop/cart.py")]
RUN = [*EDIT, bash("pytest -q", "42 passed in 1.20s")]
NOGREP = [grep("old_total")]
LINTED = [bash("ruff check .", "All checks passed!")]
LOG = [bash("cat app.log", "ERROR 17 connection refused by peer\nWARN retry 3 of 5")]
BENCH = [
    bash(
        "hyperfine ./a ./b",
        "  ./a ran\n    2.31 +- 0.02 times faster than ./b\nTime (mean): 412.3 ms",
    )
]
COV = [bash("pytest --cov", "TOTAL  1200  156  87%\n42 passed in 1.20s")]
WC = [bash("wc -l src/*.rs", "  120 src/a.rs\n  389 src/b.rs\n  509 total")]
FEWEST = 15
REPORTED = 50
Cases = list[tuple[str, list[Act]]]

CLAIMED: dict[str, Cases] = {
    "unsupported_absence": [
        ("There are no other callers of `old_total`.", READ),
        ("Nothing else uses this flag.", EDIT),
        ("No other module imports it.", READ),
        ("`parse_line` is never called.", EDIT),
        ("There is no other place that sets the header.", READ),
        ("No remaining references exist.", EDIT),
        ("This is the only place where the token is read.", EDIT),
        ("Nobody calls `old_total` any more.", EDIT),
        ("There are no usages of `Cart::legacy` left.", EDIT),
        ("No other file depends on it.", READ),
        ("The function is not used anywhere.", EDIT),
        ("There is no dead code left.", EDIT),
        ("There are no other occurrences of the typo.", READ),
        ("No other tests touch the table.", READ),
        ("There are no circular imports.", EDIT),
        ("Nothing else in the codebase refers to `PriceList`.", READ),
        ("There are no hardcoded secrets in the repository.", EDIT),
    ],
    "pseudo_quantification": [
        ("This makes the import 3x faster.", EDIT),
        ("Memory use dropped by 40%.", EDIT),
        ("The build is 25% faster now.", RUN),
        ("Coverage rose to 93%.", RUN),
        ("Test coverage is now 95%.", RUN),
        ("Latency went down by 30 percent.", EDIT),
        ("The cold start dropped from 900 ms to 120 ms.", EDIT),
        ("It handles ten times more requests.", EDIT),
        ("The import took 4.2 s.", EDIT),
        ("The suite finished in 38 seconds.", RUN),
        ("This cuts the bundle size by 60%.", EDIT),
        ("The query is twice as fast: a 50% improvement.", EDIT),
        ("It exited with code 3.", RUN),
        ("The new parser is 5x faster than the old one.", RUN),
        ("Response times improved by 80%.", EDIT),
        ("CPU usage fell by 15%.", RUN),
        ("All 50 tests pass.", RUN),
    ],
    "unsupported_reference": [
        ("The header is set in `src/nope.py:118`.", READ),
        ("The eviction stands in `lib/cache.rb:57`.", READ),
        ("The lock is taken in src/lock.c:230.", READ),
        ("I ran `cargo test` and nothing broke.", READ),
        ("Verified with `mix test`.", EDIT),
        ("`npm run lint` passed.", EDIT),
        ("Then I executed `dotnet build`.", EDIT),
        ("The log says `disk quota exceeded on volume data`.", LOG),
        ('It printed "migration 0042 applied cleanly".', LOG),
        ("The job failed with `permission denied for relation orders`.", LOG),
        ("The fix is in commit `9f8e7d6`.", LOG),
        ("It was introduced by commit 4c5d6e7a.", READ),
        ("Running `make check` shows no warnings.", EDIT),
        ("The output was: `Compiled 14 modules without warnings`.", LOG),
        ("I ran `go vet ./...` and it found nothing.", EDIT),
        ("I ran `phpunit` again.", EDIT),
        ("The console shows `Segmentation fault in worker thread 3`.", LOG),
    ],
    "evaluative_design_claim": [
        ("This is the cleanest solution.", EDIT),
        ("This is the best approach for this code base.", EDIT),
        ("The design is far more robust than before.", EDIT),
        ("It is the most elegant fix.", EDIT),
        ("The new architecture is superior.", EDIT),
        ("This is the optimal solution.", EDIT),
        ("It is a production-grade implementation.", EDIT),
        ("The code is now much more maintainable.", EDIT),
        ("This follows all best practices.", EDIT),
        ("This is the right way to do it.", EDIT),
        ("It is the ideal solution.", EDIT),
        ("The result is enterprise-grade.", EDIT),
        ("This is a world-class implementation.", EDIT),
        ("It is the perfect solution.", EDIT),
        ("The new code is significantly cleaner and more efficient.", EDIT),
        ("The API is now highly scalable.", EDIT),
        ("It is a robust and scalable architecture.", EDIT),
    ],
    "internal_contradiction": [
        ("All tests pass. Two tests still fail.", RUN),
        ("The build succeeds. The build does not succeed.", RUN),
        ("The migration is complete. The migration is not complete.", EDIT),
        ("`Cart.total` is called twice. `Cart.total` is not called twice.", READ),
        ("`parse_line` accepts empty lines. `parse_line` does not accept empty lines.", READ),
        ("The cache is cleared on logout. The cache is not cleared on logout.", READ),
        ("The parser accepts empty lines. The parser does not accept empty lines.", READ),
        ("No errors remain. There are 3 errors.", RUN),
        ("There are no warnings. There are 2 warnings left.", RUN),
        ("All 12 tests pass. 3 of 12 tests fail.", RUN),
        ("The suite has 12 tests. The suite has 15 tests.", RUN),
        ("I changed the schema file. I did not change the schema file.", EDIT),
        ("`retry_count` is checked. `retry_count` is not checked.", READ),
        ("The login bug is fixed. The login bug is still broken.", EDIT),
        ("The server works. The server crashes.", EDIT),
        ("`Outbox.send` stores the order. `Outbox.send` never stores the order.", READ),
        ("The deployment is done. The deployment is not done.", EDIT),
        ("The pipeline is green. The pipeline is red.", RUN),
    ],
}
SOUND: dict[str, Cases] = {
    "unsupported_absence": [
        ("There are no other callers of `old_total`.", NOGREP),
        ("`old_total` is never called.", NOGREP),
        ("Nothing else uses `old_total`.", NOGREP),
        ("No remaining references to `old_total` exist.", NOGREP),
        ("The search for `old_total` found nothing.", NOGREP),
        ("I did not search for other callers.", READ),
        ("There may be other callers; I have not looked.", READ),
        ("Are there no other callers?", READ),
        ("If there are no other callers, delete it.", READ),
        ("There is no need to restart.", READ),
        ("`total` has no default argument.", READ),
        ("I found no other callers of `old_total`.", NOGREP),
        ("No changes were made.", READ),
        ("There is no return type on `total`.", READ),
        ("There is one other caller, in `shop/tax.py`.", READ),
        ("The user asked whether nothing else uses it.", READ),
    ],
    "pseudo_quantification": [
        ("`./a` is 2.31 times faster than `./b`.", BENCH),
        ("It is about 2.3x faster.", BENCH),
        ("The run took 412.3 ms.", BENCH),
        ("The run took 0.41 s.", BENCH),
        ("Coverage is at 87%.", COV),
        ("42 tests pass.", COV),
        ("The suite finished in 1.2 s.", COV),
        ("The two files have 509 lines.", WC),
        ("The timeout is 30 seconds.", READ),
        ("It retries 5 times.", READ),
        ("The threshold is 80%.", READ),
        ("This should make it about 2x faster; I have not measured it.", EDIT),
        ("Version 3.2 of the library is needed.", READ),
        ("On 3/10 the release went out.", READ),
        ("I changed 1 file.", EDIT),
        ("Is it 3x faster?", EDIT),
        ("The log has 17 as the error code.", LOG),
        ("Step 2 of 3 is next.", READ),
    ],
    "unsupported_reference": [
        ("The sum is in `shop/cart.py:2`.", READ),
        ("I ran `pytest -q` and it passes.", RUN),
        ("The log says `connection refused by peer`.", LOG),
        ("I updated `shop/cart.py`.", EDIT),
        ("Run `cargo test` before you push.", READ),
        ("You can check it with `mix test`.", READ),
        ("I did not run `dotnet build`.", EDIT),
        ("If `npm run lint` passed, merge it.", EDIT),
        ("CI ran `make check` on the branch.", READ),
        ("I ran `go vet ./...` earlier.", READ),
        ("Create `src/cache.py` for it.", READ),
        ("I could move it to `shop/price.py`.", READ),
        ("It prints `Usage: shop [options]` without arguments.", READ),
        ("The header is set in `shop/cart.py`.", READ),
        ("The user reported `the page stays white forever`.", READ),
        ("A test in `tests/test_cart.py` would help.", READ),
    ],
    "evaluative_design_claim": [
        ("This is shorter than the version before: 3 lines instead of 9.", EDIT),
        ("Which approach is the best?", READ),
        ("What would be the cleanest solution?", READ),
        ("I prefer the second option, since it needs no lock.", READ),
        ("The function is called `best_match`.", READ),
        ("It uses the optimal path flag `-O2`.", READ),
        ("The first option is simpler, the second one faster; I measured neither.", READ),
        ("I did not compare it with other designs.", EDIT),
        ("A cleaner solution could be a queue.", READ),
        ("`clean` removes the build folder.", READ),
        ("The linter reports no style issues.", LINTED),
        ("If it is the best approach, keep it.", READ),
        ("The helper is private.", READ),
        ("The change touches one function.", EDIT),
        ("I moved the sum into `total`.", EDIT),
        ("It is one possible design.", EDIT),
    ],
    "internal_contradiction": [
        ("Use the cache flag in production. Do not use the cache flag in tests.", READ),
        ("Step 1 of 3 is done. Step 2 is not done.", EDIT),
        ("Before the change the parser failed. Now the parser does not fail.", EDIT),
        ("The tests pass on Linux. The tests do not pass on Windows.", RUN),
        ("`total` returns a number. `count` does not return a number.", READ),
        ("The old API is sync. The new API is not sync.", READ),
        ("It was broken. It is not broken any more.", EDIT),
        ("If the flag is set, the cache is cleared. If not, the cache is not cleared.", READ),
        ("The first job is queued. The second job is not queued.", READ),
        ("The user sees the page. An anonymous user does not see the page.", READ),
        ("The docs say it is cached. The code shows that it is not cached.", READ),
        ("Is it cached? It is not cached.", READ),
        ("Option A is safe. Option B is not safe.", READ),
        ("In v1 the header is sent. In v2 the header is not sent.", READ),
        ("The unit tests pass. The integration tests do not pass.", RUN),
        ("I edited `a.py`. I did not edit `b.py`.", EDIT),
    ],
}


def highest(folder: Path, kind: str, message: str, acts: list[Act]) -> int:
    """Return the highest confidence of a match of this kind, 0 for none.

    What is said of the quality of a design no tool result bears on: there the words speak, as they
    do without a transcript.
    """
    if kind == "evaluative_design_claim":
        found = analyse(message, SCANNER, SHIPPED).matches
    else:
        subprocess.run(["git", "init", "-q", str(folder)], check=True)  # one without commits
        found = tuple(matches(folder, message, acts))
    return max((match.confidence for match in found if match.kind == kind), default=0)


def rows(table: dict[str, Cases]) -> list[tuple[str, str, list[Act]]]:
    return [(kind, *case) for kind, cases in table.items() for case in cases]


@pytest.mark.parametrize(("kind", "message", "acts"), rows(CLAIMED))
def test_reported(tmp_path: Path, kind: str, message: str, acts: list[Act]) -> None:
    assert highest(tmp_path, kind, message, acts) >= REPORTED


@pytest.mark.parametrize(("kind", "message", "acts"), rows(SOUND))
def test_not_reported(tmp_path: Path, kind: str, message: str, acts: list[Act]) -> None:
    assert highest(tmp_path, kind, message, acts) < REPORTED


@pytest.mark.parametrize("table", [CLAIMED, SOUND], ids=["claimed", "sound"])
def test_every_rare_kind_has_enough_cases_of_its_own(table: dict[str, Cases]) -> None:
    counts = {kind: len({message for message, _ in cases}) for kind, cases in table.items()}
    assert set(counts) == {
        "unsupported_absence",
        "pseudo_quantification",
        "unsupported_reference",
        "evaluative_design_claim",
        "internal_contradiction",
    }
    assert min(counts.values()) >= FEWEST, counts
