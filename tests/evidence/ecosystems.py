"""Projects of nine ecosystems with the commands of their tools and outputs that these printed."""

from __future__ import annotations

from groundwire.record import Record
from tests.evidence.runs.outputs.fixture import read


class Command(Record):
    """A command with a recorded output of a run that passed and of one that failed."""

    line: str
    good: str
    bad: str

    def passed(self) -> tuple[str, str, int]:
        """Return the command, its output and its exit code when it passes."""
        return self.line, read(*self.good.split("/")), 0

    def failed(self) -> tuple[str, str, int]:
        """Return the same when it fails."""
        return self.line, read(*self.bad.split("/")), 1


class Ecosystem(Record):
    """One project: where its source and its tests lie, and how it is tested and built."""

    name: str
    source: str
    test_file: str
    test: Command
    part: str  # the test command for one part only
    build: Command


ECOSYSTEMS = [
    Ecosystem(
        "python",
        "shop/cart.py",
        "tests/test_cart.py",
        Command("pytest", "pytest/passed", "pytest/failed"),
        "pytest tests/test_cart.py",
        Command("mypy src", "mypy/passed", "mypy/failed"),
    ),
    Ecosystem(
        "javascript",
        "src/cart.ts",
        "src/cart.test.ts",
        Command("npx jest", "jest/passed", "jest/failed"),
        "npx jest src/cart.test.ts",
        Command("npx tsc --noEmit", "tsc/passed", "tsc/failed"),
    ),
    Ecosystem(
        "go",
        "internal/cart/cart.go",
        "internal/cart/cart_test.go",
        Command("go test ./...", "go/test_passed", "go/test_failed"),
        "go test ./internal/cart -run TestTotal",
        Command("go build -v ./...", "go/build_verbose_passed", "go/build_failed"),
    ),
    Ecosystem(
        "rust",
        "src/cart.rs",
        "tests/cart.rs",
        Command("cargo test", "cargo/test_passed", "cargo/test_failed"),
        "cargo test cart::total",
        Command("cargo build", "cargo/build_verbose_passed", "cargo/build_failed"),
    ),
    Ecosystem(
        "java",
        "src/main/java/shop/Cart.java",
        "src/test/java/shop/CartTest.java",
        Command("mvn test", "maven/test_passed", "maven/test_failed"),
        "mvn test -Dtest=CartTest",
        Command("mvn compile", "maven/compile_passed", "maven/compile_failed"),
    ),
    Ecosystem(
        "ruby",
        "lib/cart.rb",
        "spec/cart_spec.rb",
        Command("bundle exec rspec", "rspec/passed", "rspec/failed"),
        "bundle exec rspec spec/cart_spec.rb",
        Command("bundle exec rubocop", "rubocop/passed", "rubocop/failed"),
    ),
    Ecosystem(
        "php",
        "src/Cart.php",
        "tests/CartTest.php",
        Command("vendor/bin/phpunit", "phpunit/passed", "phpunit/failed"),
        "vendor/bin/phpunit --filter testTotal",
        Command("php -l src/Cart.php", "phpunit/php_lint_passed", "phpunit/php_lint_failed"),
    ),
    Ecosystem(
        "csharp",
        "Shop/Cart.cs",
        "Shop.Tests/CartTests.cs",
        Command("dotnet test", "dotnet/test_passed", "dotnet/test_failed"),
        "dotnet test --filter CartTests",
        Command("dotnet build", "dotnet/build_passed", "dotnet/build_failed"),
    ),
    Ecosystem(
        "c",
        "src/cart.c",
        "tests/cart_test.c",
        Command("ctest --test-dir build", "ctest/passed", "ctest/failed"),
        "ctest --test-dir build -R cart",
        Command("cmake --build build", "cmake/build_passed", "cmake/build_failed"),
    ),
]
