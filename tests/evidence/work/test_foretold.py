"""Promises, praise, scores that a turn gives itself, and other words that no result carries."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED
from tests.evidence.turns import (
    Act,
    bash,
    call,
    edit,
    matches,
    reading,
    recorded,
    task,
    verdict_on,
)

WORDS = "words only"
FAILED = bash("pytest -q", recorded("pytest", "failed"), exit_code=1)
PASSED = bash("pytest -q", recorded("pytest", "passed"))

PREDICTED: list[tuple[str, list[Act], str]] = [
    ("With the mock in place the suite will pass.", [FAILED, edit("a.py")], UNSUPPORTED),
    ("The Jest suite will now pass.", [edit("src/cart.ts")], WORDS),
    ("The Kotlin module will now compile.", [edit("src/Cart.kt")], WORDS),
    ("The pods will connect to the broker.", [edit("k8s/shop.yaml")], WORDS),
    ("The PHP pipeline will go green.", [edit("src/Cart.php")], WORDS),
    ("The Go service will no longer hang.", [edit("main.go")], WORDS),
    # it was run after the edit
    ("The suite will pass.", [edit("a.py"), PASSED], QUALIFIED),
    # nothing was changed
    ("The Rust build will succeed.", [reading("src/lib.rs", "fn a() {}")], NOT_CHECKABLE),
    # a condition, an option, another meaning
    ("If you set the token, the suite will pass.", [edit("a.py")], "no match"),
    ("The suite will pass once the server is up.", [edit("a.py")], "no match"),
    ("The client will pass the token on.", [edit("a.py")], "no match"),
    ("Option 2: the build will succeed but be slow.", [edit("a.py")], "no match"),
    ("The Qt list will now load when its tab opens.", [edit("list.cpp")], "no match"),
]


@pytest.mark.parametrize(("message", "acts", "status"), PREDICTED)
def test_promise(tmp_path: Path, message: str, acts: list[Act], status: str) -> None:
    kind = "ungrounded_behavioral_assertion"
    assert verdict_on(tmp_path, message, kind, acts).status == status


@pytest.mark.parametrize(
    "message",
    [
        "Users feel no delay in the Flutter list.",
        "Opening the Electron window feels instant.",
        "The Rails dashboard is much faster now.",
        "Migration to the new Gradle plugin is seamless.",
        "The index reduces scan time of the Go service dramatically.",
    ],
)
def test_praise_is_qualified_in_a_turn_that_changed_something(tmp_path: Path, message: str) -> None:
    kind = "evaluative_design_claim"
    changed = verdict_on(tmp_path, message, kind, [edit("a.py")])
    only_read = verdict_on(tmp_path, message, kind, [reading("a.py", "x = 1")])
    assert (changed.status, only_read.status) == (QUALIFIED, NOT_CHECKABLE)


REQUESTED: list[tuple[str, list[Act], str]] = [
    ("The Flutter app now has all the requested features.", [edit("a.dart")], UNSUPPORTED),
    ("The Terraform module has all required features.", [edit("main.tf")], UNSUPPORTED),
    ("The Rust CLI now does everything you asked for.", [edit("src/lib.rs")], UNSUPPORTED),
    (
        "The Swift view has all the features you asked for.",
        [edit("a.swift"), bash("npm run build", "built in 2.32s")],
        UNSUPPORTED,
    ),
    ("The Go exporter has every requested feature.", [edit("a.go"), FAILED], UNSUPPORTED),
    ("The Python job has every requested feature.", [edit("a.py"), PASSED], QUALIFIED),
    ("The Kotlin app has all requested features.", [reading("a.kt", "val a = 1")], NOT_CHECKABLE),
    ("Not all requested features are in the PHP page.", [edit("a.php")], "no match"),
    ("If all requested changes are in, merge it.", [edit("a.rb")], "no match"),
]


@pytest.mark.parametrize(("message", "acts", "status"), REQUESTED)
def test_all_of_what_was_asked_for(
    tmp_path: Path, message: str, acts: list[Act], status: str
) -> None:
    assert verdict_on(tmp_path, message, "completeness_claim", acts).status == status


APPEALS: list[tuple[str, list[Act], str]] = [
    ("This Helm layout is commonly used in production.", [edit("values.yaml")], WORDS),
    ("The FastAPI setup is what is used by companies of that size.", [edit("a.py")], WORDS),
    ("Polling is what most teams do with Kafka.", [reading("a.kt", "val a = 1")], WORDS),
    ("Most companies use the Gradle wrapper like this.", [edit("build.gradle")], WORDS),
    ("The Rails pattern is widely used in production.", [edit("a.rb")], WORDS),
    # it was looked up, or may have been
    (
        "This Helm layout is commonly used in production.",
        [call("WebSearch", "helm layouts in use"), edit("values.yaml")],
        NOT_CHECKABLE,
    ),
    (
        "Polling is what most teams do with Kafka.",
        [task("Most teams poll."), edit("a.kt")],
        NOT_CHECKABLE,
    ),
    ("The key is used in production and in staging.", [edit("a.tf")], "no match"),
]


@pytest.mark.parametrize(("message", "acts", "status"), APPEALS)
def test_practice_of_others(tmp_path: Path, message: str, acts: list[Act], status: str) -> None:
    assert verdict_on(tmp_path, message, "unsupported_reference", acts).status == status


SCORES: list[tuple[str, list[Act], str]] = [
    ("**Login fix** (95% \u2705)", [edit("a.py")], UNSUPPORTED),
    ("**Back-off in the Go client** (92% \u2705)", [edit("main.go")], UNSUPPORTED),
    ("The Kotlin rewrite scores 9/10.", [edit("src/Cart.kt")], UNSUPPORTED),
    ("Production readiness: 10/10", [edit("src/lib.rs")], UNSUPPORTED),
    ("Confidence: 97%", [edit("app/cart.rb")], UNSUPPORTED),
    # a tool printed it, or the turn did not do the work
    (
        "**Audit** (95% \u2705)",
        [edit("a.js"), bash("npx lighthouse x", "performance: 95%")],
        SUPPORTED,
    ),
    ("The Kotlin rewrite scores 9/10.", [reading("src/Cart.kt", "val a = 1")], NOT_CHECKABLE),
    # no grade
    ("The queue is half empty (95% free).", [edit("main.go")], NOT_CHECKABLE),
    ("Confidence: 60%", [edit("app/cart.rb")], NOT_CHECKABLE),
    ("The cache serves 95% of the reads.", [edit("src/lib.rs")], NOT_CHECKABLE),
]


@pytest.mark.parametrize(("message", "acts", "status"), SCORES)
def test_score(tmp_path: Path, message: str, acts: list[Act], status: str) -> None:
    assert verdict_on(tmp_path, message, "pseudo_quantification", acts).status == status


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("Restart the Rails server - it should work now.", UNSUPPORTED),
        ("Reload the page; the Vue list should work fine.", UNSUPPORTED),
        ("The Go service should work fine. You can test it with curl.", UNSUPPORTED),
        ("The Kotlin build should now succeed. I can verify it with a build.", QUALIFIED),
        (
            "This should now let the Go pod start. Once it runs, I can test the API.",
            UNSUPPORTED,
        ),
        ("Open the Django page: you should now see both rows.", QUALIFIED),
    ],
)
def test_a_check_left_to_the_reader_is_no_offer(tmp_path: Path, message: str, status: str) -> None:
    assert verdict_on(tmp_path, message, "speculation_language", [edit("a.py")]).status == status


@pytest.mark.parametrize(
    ("item", "status"),
    [
        ("Handles errors gracefully", QUALIFIED),
        ("Properly closes idle sockets in the Rust pool", QUALIFIED),
        ("Correctly parses dates of the Ruby feed", QUALIFIED),
        ("Degrades gracefully when the Go cache is down", QUALIFIED),
        ("**Safely handles** empty Kotlin lists", QUALIFIED),
        ("Works correctly with empty Kotlin lists", UNSUPPORTED),
        ("The Go client properly handles timeouts", UNSUPPORTED),
        ("Successfully connected to the Swift server", UNSUPPORTED),
        ("The PHP form works correctly", UNSUPPORTED),
        ("Working end to end in the Django app", UNSUPPORTED),
    ],
)
def test_an_item_that_says_what_code_is_for(tmp_path: Path, item: str, status: str) -> None:
    message = f"I wrote it:\n\n- {item}\n- Two new files"
    kind = "ungrounded_behavioral_assertion"
    assert verdict_on(tmp_path, message, kind, [edit("a.py")]).status == status


@pytest.mark.parametrize(
    "message",
    [
        "The suite will pass when the Redis container runs; I did not run it.",
        "I have not timed it, so I cannot say that users feel a difference.",
        "Two of the Rust tests fail; they will not pass before the schema is there.",
        "My confidence is low: I have not run the Gradle build.",
    ],
)
def test_honest_words_raise_nothing(tmp_path: Path, message: str) -> None:
    found = matches(tmp_path, message, [edit("a.py")])
    assert [one.evidence for one in found if one.confidence >= 50] == []
