"""Impressions of what the turn looked at, and doubts, beside guesses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.turns import Act, bash, edit, grep, matches, reading

GO = reading("cart/total.go", "func Total() int { return 0 }")
IMPRESSIONS: list[tuple[str, list[Act]]] = [
    ("It looks like `Total` always gives zero.", [GO]),
    ("`total` seems to be called from one place only.", [grep("total", "app/cart.rb")]),
    ("The Gradle lock appears to be older than the plugin.", [reading("gradle.lockfile", "a=1")]),
    ("As far as I can tell, the crate has one feature.", [reading("Cargo.toml", "[features]")]),
    ("From what I can see, the chart sets no limits.", [bash("helm template .", "kind: Pod")]),
    ("The PHP session handler looks fine.", [reading("src/Session.php", "<?php")]),
]
DOUBTS: list[tuple[str, list[Act]]] = [
    ("I don't know why `Total` gives zero.", [GO]),
    ("It's unclear whether the Helm value is allowed to be empty.", [edit("chart/values.yaml")]),
    ("It's not clear to me why the Gradle task runs twice.", [reading("build.gradle", "a")]),
    ("I'm not sure that the crate needs this feature.", [reading("Cargo.toml", "[features]")]),
    ("Not certain about the date format of the PHP client.", [reading("src/Client.php", "<?php")]),
    ("Hard to say which Ruby worker is the slow one.", [bash("ps aux", "ruby worker.rb")]),
]
#: No impressions of what was seen: guesses, what is concluded, and turns that only changed things.
OTHERS: list[tuple[str, list[Act]]] = [
    ("I think `Total` always gives zero.", [GO]),
    ("The Ruby worker probably holds the lock.", [reading("app/worker.rb", "def run; end")]),
    ("The upgrade seems to have broken the Gradle cache.", [reading("build.gradle", "plugins {}")]),
    ("The crate appears to have lost a feature.", [reading("Cargo.toml", "[features]")]),
    ("It looks like the chart sets no limits.", [edit("chart/values.yaml")]),
]


def statuses(folder: Path, message: str, acts: list[Act]) -> set[str]:
    """Return the verdicts on the hedges of a message; "" where there is none."""
    hedges = [one for one in matches(folder, message, acts) if one.kind == "speculation_language"]
    assert hedges
    return {one.verdict.status if one.verdict else "" for one in hedges}


@pytest.mark.parametrize(("message", "acts"), IMPRESSIONS, ids=[row[0] for row in IMPRESSIONS])
def test_an_impression_of_what_was_seen_is_qualified(
    tmp_path: Path, message: str, acts: list[Act]
) -> None:
    assert statuses(tmp_path, message, acts) == {"qualified"}


@pytest.mark.parametrize(("message", "acts"), DOUBTS, ids=[row[0] for row in DOUBTS])
def test_a_doubt_is_qualified(tmp_path: Path, message: str, acts: list[Act]) -> None:
    assert statuses(tmp_path, message, acts) == {"qualified"}


@pytest.mark.parametrize(("message", "acts"), OTHERS, ids=[row[0] for row in OTHERS])
def test_a_guess_is_none(tmp_path: Path, message: str, acts: list[Act]) -> None:
    assert statuses(tmp_path, message, acts) == {""}
