"""A cause or a state that one sentence guesses and another one states as a fact."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.evidence.message import hedged_words as words
from groundwire.evidence.message.restated import content_words
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Match, Verdict
from groundwire.settings import SHIPPED
from tests.evidence.turns import Act, bash, edit, grep, matches, reading, task
from tests.support.growth import exponent, function_calls

SWIFT = reading("Sources/Store.swift", "final class Store { let queue = DispatchQueue.main }")
ELIXIR = reading("lib/shop/pool.ex", "defmodule Shop.Pool do\nend")
KOTLIN = reading("app/src/Login.kt", "class Login { fun open() {} }")
HCL = reading("main.tf", 'resource "aws_sqs_queue" "orders" {}')
PHP = reading("src/Mailer.php", "<?php class Mailer { function flush() {} }")
CPP = reading("src/ring.cpp", "void Ring::push(int v) { data[head++] = v; }")
DART = reading("lib/feed.dart", "class Feed { void load() {} }")
SCALA = edit("src/main/scala/Cart.scala")
FIX = edit("lib/shop/pool.ex")
RED = bash("mix test", "  1) test total (Shop.CartTest)\n2 tests, 1 failure", 2)
GREEN = bash("mix test", "Finished in 0.1 seconds\n2 tests, 0 failures")
COMMIT = bash("git commit -am wip", "[main 1a2b3c4] wip\n 1 file changed, 1 insertion(+)")
NOTED = bash("mix format", "")


def say(text: str) -> Act:
    return lambda session: session.say(text)


def verdict_of_claim(folder: Path, message: str, acts: list[Act], claims: tuple[str, ...]) -> Match:
    """Return the last match in ``message`` that states one of ``claims``, hedges left out."""
    found = [
        one
        for one in matches(folder, message, acts)
        if one.marker.claim in claims and one.kind != "speculation_language"
    ]
    assert found, "no such claim"
    return found[-1]


def check(verdict: Verdict | None, status: str, named: str) -> None:
    assert verdict
    assert (verdict.status, verdict.why) == (status, verdict.why)
    assert named in verdict.why


CAUSES: list[tuple[str, str, str, str, list[Act]]] = [
    # the guess stands before the fact
    (
        "swift: guessed, then the root cause",
        (
            "The lost rows might be caused by a race between the writer and the flusher.\n\nI "
            "moved the call to the main queue.\n\n**Root cause:** race between writer and "
            "flusher."
        ),
        UNSUPPORTED,
        "might be caused by a race",
        [SWIFT],
    ),
    (
        "elixir: named in code",
        "The hang is probably due to `Shop.Pool`. The root cause is `Shop.Pool` running dry.",
        UNSUPPORTED,
        "probably due to `Shop.Pool`",
        [ELIXIR],
    ),
    (
        "terraform: in a heading",
        (
            "Perhaps the visibility timeout is too short, which would explain the "
            "duplicates.\n\n## Root cause: the visibility timeout is too short\n\nI raised it."
        ),
        UNSUPPORTED,
        "Perhaps the visibility timeout",
        [HCL],
    ),
    (
        "php: a guess of my own",
        (
            "My guess is that the mailer flushes twice.\n\nThe root cause is that the mailer "
            "flushes twice on shutdown."
        ),
        UNSUPPORTED,
        "My guess is that the mailer",
        [PHP],
    ),
    # the guess stands behind the fact
    (
        "c++: stated first",
        (
            "The root cause is the missing fence in the ring buffer. I added one.\n\nI did not "
            "look further; most likely the missing fence in the ring buffer."
        ),
        UNSUPPORTED,
        "most likely the missing fence",
        [CPP],
    ),
    (
        "dart: heading first",
        (
            "## Root cause: stale feed cache\n\nThe feed shows old rows. It is probably the "
            "stale feed cache."
        ),
        UNSUPPORTED,
        "probably the stale feed",
        [DART],
    ),
    (
        "kotlin: labelled likely, then told as it is",
        (
            "**Likely cause:** the activity is recreated on rotation.\n\nThe login screen "
            "flickers because the activity is recreated on rotation. The problem was that the "
            "activity is recreated on rotation."
        ),
        UNSUPPORTED,
        "Likely cause",
        [KOTLIN],
    ),
    # disclosed as a guess
    (
        "a check is offered",
        (
            "It is probably the stale feed cache; I can confirm by running it with a cold "
            "cache.\n\n**Root cause:** the stale feed cache."
        ),
        QUALIFIED,
        "a guess to check",
        [DART],
    ),
    (
        "it was not checked, says the next sentence",
        (
            "It is probably the stale feed cache. I have not verified this.\n\n**Root cause:** "
            "the stale feed cache."
        ),
        QUALIFIED,
        "a guess to check",
        [DART],
    ),
    # no guess of the same thing
    (
        "another cause",
        "The old row is probably due to slow DNS. The root cause is the stale feed cache.",
        QUALIFIED,
        "no result decides",
        [DART],
    ),
    (
        "another effect of the same cause",
        (
            "The root cause is the exhausted connection pool, and it may also explain the slow "
            "health checks.\n\nThe problem was the exhausted connection pool."
        ),
        QUALIFIED,
        "no result decides",
        [ELIXIR],
    ),
    (
        "a guess about another part of the sentence",
        (
            "The pool is exhausted, which may explain the slow health checks. The root cause is "
            "the exhausted pool."
        ),
        QUALIFIED,
        "no result decides",
        [ELIXIR],
    ),
    (
        "leave to do something about it",
        (
            "To be safe against a stale feed cache you may clear it. The root cause is the stale "
            "feed cache."
        ),
        QUALIFIED,
        "no result decides",
        [DART],
    ),
    (
        "a guess that denies it",
        (
            "It is probably not the stale feed cache, I thought. The root cause is the stale "
            "feed cache."
        ),
        QUALIFIED,
        "no result decides",
        [DART],
    ),
    (
        "a guess of the past",
        (
            "I initially thought it might be caused by the mailer. The root cause is the mailer "
            "in `Mailer.php`."
        ),
        QUALIFIED,
        "no result decides",
        [CPP],
    ),
    (
        "checked between",
        (
            "It is probably the stale feed cache. A cold run confirmed it. The root cause is the "
            "stale feed cache."
        ),
        QUALIFIED,
        "no result decides",
        [DART],
    ),
    (
        "a question",
        "Is it probably the stale feed cache? The root cause is the stale feed cache.",
        QUALIFIED,
        "no result decides",
        [DART],
    ),
    (
        "a condition",
        "If it is perhaps the stale feed cache, clear it. The root cause is the stale feed cache.",
        QUALIFIED,
        "no result decides",
        [DART],
    ),
    (
        "not known why",
        "It is unclear why the feed cache is stale. The root cause is the stale feed cache.",
        QUALIFIED,
        "no result decides",
        [DART],
    ),
    (
        "a general remark about the fix",
        "The stale feed cache is probably worth a ticket. The root cause is the stale feed cache.",
        QUALIFIED,
        "no result decides",
        [DART],
    ),
    # the run shows it: failed before, passes after
    (
        "made good",
        "It is probably the rounding of the total. The root cause is the rounding of the total.",
        SUPPORTED,
        "passes now",
        [RED, FIX, GREEN],
    ),
]


@pytest.mark.parametrize(
    ("message", "status", "named", "acts"), [row[1:] for row in CAUSES], ids=[r[0] for r in CAUSES]
)
def test_a_cause_and_its_guess(
    tmp_path: Path, message: str, status: str, named: str, acts: list[Act]
) -> None:
    check(verdict_of_claim(tmp_path, message, acts, ("cause",)).verdict, status, named)


POOL = "It might be the exhausted connection pool."
FACT = "The root cause is the exhausted connection pool."
EARLIER: list[tuple[str, str, list[Act]]] = [
    # nothing was asked since
    ("nothing at all", UNSUPPORTED, [ELIXIR, say(POOL), FIX]),
    ("formatted and committed", UNSUPPORTED, [ELIXIR, say(POOL), FIX, NOTED, COMMIT]),
    ("another text between", UNSUPPORTED, [ELIXIR, say(POOL), FIX, say("Now the commit."), COMMIT]),
    # a call since could have settled it
    ("a file was read", QUALIFIED, [say(POOL), ELIXIR, FIX]),
    ("a search", QUALIFIED, [ELIXIR, say(POOL), grep("checkout", "lib/shop/pool.ex"), FIX]),
    ("a script ran", QUALIFIED, [ELIXIR, say(POOL), bash("./load.sh", "pool 0/10"), FIX]),
    ("the history was read", QUALIFIED, [ELIXIR, say(POOL), bash("git log -3 lib", "1a2b3c4 x")]),
    ("another agent looked", QUALIFIED, [ELIXIR, say(POOL), task("The pool is empty.")]),
    # another thing was guessed
    ("of something else", QUALIFIED, [ELIXIR, say("It might be the slow disk."), FIX]),
    ("no guess", QUALIFIED, [ELIXIR, say("I raise the size of the connection pool."), FIX]),
]


@pytest.mark.parametrize(
    ("status", "acts"), [row[1:] for row in EARLIER], ids=[r[0] for r in EARLIER]
)
def test_a_guess_of_an_earlier_text(tmp_path: Path, status: str, acts: list[Act]) -> None:
    verdict = verdict_of_claim(tmp_path, FACT, acts, ("cause",)).verdict
    assert verdict
    assert (verdict.status, verdict.why) == (status, verdict.why)
    assert ("earlier in the turn it was a guess" in verdict.why) == (status == UNSUPPORTED)


STATES: list[tuple[str, str, str, list[Act]]] = [
    (
        "hoped for, and told as done",
        "The cart total for guests is fixed.\n\nThe cart total for guests should work now.",
        UNSUPPORTED,
        [SCALA],
    ),
    (
        "hoped for first",
        "The login redirect should now work.\n\nSummary: the login redirect works correctly.",
        UNSUPPORTED,
        [KOTLIN],
    ),
    (
        "a run shows it",
        "The pool restart should work now. The pool restart works.",
        SUPPORTED,
        [FIX, GREEN],
    ),
    (
        "another part",
        "The nightly export should work now. The cart total for guests is fixed.",
        QUALIFIED,
        [reading("a.scala", "x"), task("ok")],
    ),
]


@pytest.mark.parametrize(
    ("message", "status", "acts"), [row[1:] for row in STATES], ids=[r[0] for r in STATES]
)
def test_a_state_and_its_guess(tmp_path: Path, message: str, status: str, acts: list[Act]) -> None:
    verdict = verdict_of_claim(tmp_path, message, acts, ("works", "fixed")).verdict
    assert verdict
    assert (verdict.status, verdict.why) == (status, verdict.why)


def test_words_of_causes_and_states_say_nothing_of_their_own() -> None:
    assert content_words(" ".join((*words.CAUSES, *words.STATES))) <= words.EMPTY


def test_in_talk_a_guess_is_no_fact_either(tmp_path: Path) -> None:
    message = "It is probably the stale feed cache. The root cause is the stale feed cache."
    verdict = verdict_of_claim(tmp_path, message, [], ("cause",)).verdict
    check(verdict, UNSUPPORTED, "probably the stale feed cache")
    assert verdict_of_claim(tmp_path, FACT, [], ("cause",)).verdict is None


def test_what_another_tool_may_have_shown_is_still_a_guess(tmp_path: Path) -> None:
    acts = [task("The connection pool is empty.")]
    guessed = f"{POOL} {FACT}"
    assert verdict_of_claim(tmp_path, FACT, acts, ("cause",)).verdict == Verdict(
        NOT_CHECKABLE, "what shows it may be in what another agent or tool returned"
    )
    check(verdict_of_claim(tmp_path, guessed, acts, ("cause",)).verdict, UNSUPPORTED, POOL[:30])


@pytest.mark.parametrize(
    ("message", "acts"),
    [
        ("The lag is probably the stale feed cache; I can confirm by a cold run.", [DART]),
        ("It might be the ring buffer. Want me to check with a sanitizer?", [CPP]),
        ("I suspect the visibility timeout. I can verify that in the console.", [HCL]),
        ("I suspect the visibility timeout. I can verify that in the console.", []),
    ],
)
def test_a_guess_with_an_offer_to_check_it_stops_nothing(
    tmp_path: Path, message: str, acts: list[Act]
) -> None:
    found = matches(tmp_path, message, acts)
    [guess] = [one for one in found if one.kind == "speculation_language"]
    assert guess.verdict
    assert guess.verdict.status == QUALIFIED
    assert all(one.confidence < SHIPPED.thresholds.report for one in found)


def test_work_grows_with_the_number_of_guesses_and_facts(tmp_path: Path) -> None:
    def work(count: int) -> int:
        message = "\n\n".join(
            f"It is probably cache c{n}. The root cause is cache c{n}." for n in range(count)
        )
        return function_calls(lambda: matches(tmp_path, message, [DART]))

    assert exponent(work(400), work(1_600), 4) <= 1.1
