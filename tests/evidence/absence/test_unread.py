"""What is said not to be used, and what code is said to do already, against what was looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED
from tests.evidence.turns import Act, bash, call, edit, grep, reading, task, verdict_on

LISTED = bash("kubectl get deploy", "NAME   READY   AGE\nshop   1/1     4d\ncart   1/1     4d")
DUMPED = bash("kubectl get cm shop", "data:\n  level: info\n  port: 80\n  strict: no\n  cache: on")
VALUES = reading("chart/values.yaml", "image: shop\nreplicas: 2")
FIELDS = call("mcp__docs__fields", "fields that go away: [legacy_mode, old_port]")

UNUSED: list[tuple[str, list[Act], str]] = [
    # nothing that holds it was looked at
    ("Your Helm configuration is not using any old fields.", [LISTED], UNSUPPORTED),
    ("`legacy_mode` is not used by your nginx configuration.", [FIELDS], UNSUPPORTED),
    ("Your Gradle settings are set up with no deprecated flags.", [LISTED], UNSUPPORTED),
    ("The Rails app doesn't use this: `LegacyMailer`.", [edit("app/cart.rb")], UNSUPPORTED),
    ("The Elixir release does not rely on `OldRepo`.", [LISTED], UNSUPPORTED),
    ("The Swift package doesn't depend on `CShimKit`.", [edit("Sources/Cart.swift")], UNSUPPORTED),
    # it was read or searched
    ("Your Helm configuration is not using any old fields.", [VALUES], QUALIFIED),
    ("`legacy_mode` is not used by your nginx configuration.", [FIELDS, DUMPED], QUALIFIED),
    (
        "Your Gradle settings are set up with no deprecated flags.",
        [bash("cat settings.gradle", "include 'app'")],
        QUALIFIED,
    ),
    ("The Rails app doesn't use this: `LegacyMailer`.", [grep("LegacyMailer")], SUPPORTED),
    ("The Elixir release does not rely on `OldRepo`.", [grep("OldRepo", "lib/a.ex")], QUALIFIED),
    (
        "The Swift package doesn't depend on `CShimKit`.",
        [reading("Package.swift", "// CShimKit went away")],
        QUALIFIED,
    ),
    # an empty search for something else shows nothing of it
    ("The Go module does not rely on `OldQueue`.", [grep("Cart")], UNSUPPORTED),
    # whatever the words
    ("`old_total` is no longer used.", [grep("old_total")], SUPPORTED),
    ("`OldReducer` is never called.", [grep("OldReduc", "src/a.ts")], QUALIFIED),
    ("Nothing imports `legacy_cart` any more.", [edit("lib/a.ex", "use legacy_cart")], QUALIFIED),
    ("`CartV1` is not used anywhere.", [edit("src/lib.rs")], UNSUPPORTED),
    ("`TotalHelper` is no longer referenced.", [LISTED], UNSUPPORTED),
    # others may have looked
    ("Your Helm configuration is not using any old fields.", [task("I looked.")], NOT_CHECKABLE),
]


@pytest.mark.parametrize(("message", "acts", "status"), UNUSED)
def test_absence_of_use(tmp_path: Path, message: str, acts: list[Act], status: str) -> None:
    assert verdict_on(tmp_path, message, "unsupported_absence", acts).status == status


OTHER_SEARCH = grep("price_of")
ABSENT: list[tuple[str, list[Act], str]] = [
    # the very thing was looked at
    (
        "There is no `[tool.mypy]` in `pyproject.toml`.",
        [reading("pyproject.toml", "[project]")],
        SUPPORTED,
    ),
    ("There's no folder `~/.m2/cart`.", [bash("ls ~/.m2/cart", "No such file", 2)], SUPPORTED),
    ("There is no `retry` in `src/cart.rs`.", [reading("src/cart.rs", "fn total() {}")], SUPPORTED),
    ("There's no command `shop resume`.", [bash("./shop resume --help", "unknown", 1)], SUPPORTED),
    ("There is no `Dockerfile.dev`.", [bash("git ls-files Dockerfile.dev", "")], SUPPORTED),
    # it was searched for
    ("There is no `LegacyMailer` in the app.", [grep("LegacyMailer")], SUPPORTED),
    ("There is no `OldRepo` left in lib.", [grep("OldRepo", "lib/a.ex")], QUALIFIED),
    # a search for something else, or a look at something else
    ("There is no `LegacyMailer` in the app.", [OTHER_SEARCH], NOT_CHECKABLE),
    ("There is no `cart_total` in the schema.", [reading("shop/views.py", "x = 1")], NOT_CHECKABLE),
    (
        "There is no `CShimKit` in the package.",
        [bash("swift build", "Build complete!")],
        NOT_CHECKABLE,
    ),
    # nothing of the kind
    ("There is no `LegacyMailer` in the app.", [edit("app/cart.rb")], UNSUPPORTED),
    ("There is no `on_hold` in the enum.", [edit("Shop/Order.cs")], UNSUPPORTED),
]


@pytest.mark.parametrize(("message", "acts", "status"), ABSENT)
def test_absence(tmp_path: Path, message: str, acts: list[Act], status: str) -> None:
    assert verdict_on(tmp_path, message, "unsupported_absence", acts).status == status


UNREAD: list[tuple[str, list[Act], str]] = [
    ("The route handler already handles this properly.", [edit("app/schema.py")], UNSUPPORTED),
    ("The Kotlin store already supports merges correctly.", [], NOT_CHECKABLE),
    ("The upload client already retries as expected.", [edit("src/cart.rs")], UNSUPPORTED),
    ("The session middleware already validates it properly.", [edit("main.go")], UNSUPPORTED),
    ("`CartPolicy` already rejects guests correctly.", [edit("app/order.php")], UNSUPPORTED),
    # the file was read, searched or edited
    (
        "The route handler already handles this properly.",
        [reading("app/routes/cart.py", "x = 1")],
        QUALIFIED,
    ),
    ("The upload client already retries as expected.", [edit("src/upload.rs")], QUALIFIED),
    (
        "The session middleware already validates it properly.",
        [bash("sed -n 1,40p middleware.go", "package main")],
        QUALIFIED,
    ),
    ("`CartPolicy` already rejects guests correctly.", [grep("CartPolicy", "a.php")], QUALIFIED),
    ("The Kotlin store already supports merges correctly.", [task("It does.")], NOT_CHECKABLE),
]


@pytest.mark.parametrize(("message", "acts", "status"), UNREAD)
def test_what_code_does_already(tmp_path: Path, message: str, acts: list[Act], status: str) -> None:
    kind = "ungrounded_behavioral_assertion"
    assert verdict_on(tmp_path, message, kind, acts).status == status
