"""What an open failure reaches, which commands leave none, and which counts runs contradict."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.turns import Act, bash, edit, matches, recorded, write

PY, JS, GO, RUST = edit("shop/cart.py"), edit("src/cart.ts"), edit("shop/cart.go"), edit("cart.rs")
JAVA, RUBY, PHP = edit("src/main/java/Cart.java"), edit("app/cart.rb"), edit("src/Cart.php")
CSHARP = edit("Shop/Cart.cs")
PYTEST_BAD, JEST_BAD = recorded("pytest", "failed"), recorded("jest", "failed")
CARGO_BAD, RSPEC_BAD = recorded("cargo", "test_failed"), recorded("rspec", "failed")
MAVEN_BAD, PHPUNIT_BAD = recorded("maven", "test_failed"), recorded("phpunit", "failed")
FAILING: dict[str, list[Act]] = {
    "python": [PY, bash("pytest -q", PYTEST_BAD, 1)],
    "javascript": [JS, bash("npx jest", JEST_BAD, 1)],
    "rust": [RUST, bash("cargo test", CARGO_BAD, 101)],
    "ruby": [RUBY, bash("bundle exec rspec", RSPEC_BAD, 1)],
    "java": [JAVA, bash("mvn test", MAVEN_BAD, 1)],
    "php": [PHP, bash("vendor/bin/phpunit", PHPUNIT_BAD, 1)],
}
WRITTEN = {
    "python": "tests/test_cart.py",
    "javascript": "src/cart.test.ts",
    "rust": "tests/cart_test.rs",
    "ruby": "spec/cart_spec.rb",
    "java": "src/test/java/CartTest.java",
    "php": "tests/CartTest.php",
}


@pytest.mark.parametrize("name", FAILING)
@pytest.mark.parametrize(
    ("message", "claim", "wanted"),
    [
        ("The cart works now.", "works", "contradicted"),
        ("All good - the parser test passes.", "all_scope", "contradicted"),
        ("The suite validates all totals of the cart in its tests.", "verified", "contradicted"),
        # what was written is told, not how it fares
        ("Comprehensive requirements document for the cart.", "all_scope", "not_checkable"),
        ("Added comprehensive tests for the cart.", "coverage", "qualified"),
        ("There is comprehensive test coverage for every case.", "coverage", "unsupported"),
        ("All totals go through one helper.", "all_scope", "not_checkable"),
    ],
)
def test_reach(tmp_path: Path, name: str, message: str, claim: str, wanted: str) -> None:
    acts = [write(WRITTEN[name], "one\n"), *FAILING[name]]
    assert verdict(tmp_path, message, claim, acts) == wanted


@pytest.mark.parametrize("name", FAILING)
def test_everyday_words_stay_mild_when_the_message_tells_of_the_failure(
    tmp_path: Path, name: str
) -> None:
    message = "All parser tests were run. Two of them fail with an error."
    assert verdict(tmp_path, message, "all_scope", FAILING[name]) == "not_checkable"


def test_one_everyday_word_of_a_sentence_is_enough(tmp_path: Path) -> None:
    found = matches(tmp_path, "All tests pass and it all works now.", FAILING["python"])
    everyday = [one for one in found if one.marker.strength == "faint" and one.verdict]
    assert all(one.verdict.status == "qualified" for one in everyday if one.verdict)


STOPPED = "Command timed out after 1m 0s\nlistening"
OK_PAGE = "HTTP/1.1 200 OK\n\n{}"
PASS = "The tests pass."
OK = {
    "pytest": recorded("pytest", "passed"),
    "jest": recorded("jest", "passed"),
    "go": recorded("go", "test_passed"),
    "cargo": recorded("cargo", "test_passed"),
    "rspec": recorded("rspec", "passed"),
    "dotnet": recorded("dotnet", "test_passed"),
}
#: name, verdict on "The tests pass.", what the turn did
MISUSED: list[tuple[str, str, list[Act]]] = [
    (
        "unknown option, pytest",
        "supported",
        [
            PY,
            bash("pytest -q", OK["pytest"]),
            bash("pytest --fast", "ERROR: usage: pytest [options]\npytest: error: --fast", 4),
        ],
    ),
    (
        "pattern of the shell, go",
        "supported",
        [
            GO,
            bash("go test ./...", OK["go"]),
            bash("go test ./shop -run Test.*Sum", "zsh: no matches found: Test.*Sum", 1),
        ],
    ),
    (
        "single files, go",
        "supported",
        [
            GO,
            bash("go test ./...", OK["go"]),
            bash(
                "go test shop/cart_test.go",
                "# command-line-arguments\nshop/cart_test.go:9:2: undefined: Sum\n"
                "FAIL\tcommand-line-arguments [build failed]\nFAIL",
                1,
            ),
        ],
    ),
    (
        "unexpected argument, cargo",
        "supported",
        [
            RUST,
            bash("cargo test --fats", "error: unexpected argument '--fats' found", 1),
            bash("cargo test", OK["cargo"]),
        ],
    ),
    (
        "nothing selected, rspec",
        "supported",
        [
            RUBY,
            bash("bundle exec rspec", OK["rspec"]),
            bash("bundle exec rspec --profiles", "invalid option: --profiles", 1),
        ],
    ),
    (
        "no such file, dotnet",
        "supported",
        [
            CSHARP,
            bash("dotnet test Shop", "MSBUILD : error MSB1009: Project file does not exist.", 1),
            bash("dotnet test", OK["dotnet"]),
        ],
    ),
    # a failure of the tests themselves stays open, and so does what never passed
    (
        "a test of single files failed, go",
        "contradicted",
        [
            GO,
            bash("go test ./...", OK["go"]),
            bash(
                "go test shop/cart_test.go shop/cart.go",
                "--- FAIL: TestSum (0.00s)\nFAIL\tcommand-line-arguments\t0.01s",
                1,
            ),
        ],
    ),
    (
        "unknown option, never run",
        "unsupported",
        [JS, bash("npx jest --fats", "\u25cf Unrecognized CLI Parameter:\n  unknown option", 1)],
    ),
    (
        "a file of tests failed",
        "contradicted",
        [
            PY,
            bash("pytest tests/test_a.py", OK["pytest"]),
            bash("pytest tests/test_b.py", PYTEST_BAD, 1),
        ],
    ),
]


@pytest.mark.parametrize(
    ("wanted", "acts"), [row[1:] for row in MISUSED], ids=[row[0] for row in MISUSED]
)
def test_a_wrong_command_leaves_nothing_open(tmp_path: Path, wanted: str, acts: list[Act]) -> None:
    assert verdict(tmp_path, PASS, "tests_pass", acts) == wanted


AWK = 'awk \'{n+=$4} END{print "PASSED:", n, "FAILED: 0"}\''
CARGO_17 = "test result: ok. 17 passed; 0 failed; 0 ignored; finished in 0.61s"
#: name, message, verdict, what the turn did
COUNTS: list[tuple[str, str, str, list[Act]]] = [
    (
        "summed by awk",
        "506 tests pass.",
        "supported",
        [
            RUST,
            bash(f"cargo test --workspace 2>&1 | {AWK}", "PASSED: 506 FAILED: 0"),
            bash("cargo test -p shop --test cart", CARGO_17),
        ],
    ),
    (
        "summed by a script",
        "128 tests pass.",
        "supported",
        [
            JS,
            bash("./ci.sh", "unit: ok\n128 passed in all"),
            bash("npx jest src/cart.test.ts", "Tests:       4 passed, 4 total"),
        ],
    ),
    (
        "a wider run before",
        "All 42 tests pass.",
        "supported",
        [
            PY,
            bash("pytest -q", "42 passed in 0.4s"),
            bash("pytest -q tests/test_cart.py", "3 passed in 0.1s"),
        ],
    ),
    (
        "counted by hand",
        "63 tests pass.",
        "supported",
        [
            RUBY,
            bash("bundle exec rspec | tail -1", "63 examples, 0 failures"),
            bash("bundle exec rspec spec/cart_spec.rb", "3 examples, 0 failures"),
        ],
    ),
    (
        "edited since the sum",
        "506 tests pass.",
        "unsupported",
        [
            bash(f"cargo test --workspace 2>&1 | {AWK}", "PASSED: 506 FAILED: 0"),
            RUST,
            bash("cargo test -p shop --test cart", CARGO_17),
        ],
    ),
    (
        "printed nowhere",
        "507 tests pass.",
        "contradicted",
        [
            RUST,
            bash(f"cargo test --workspace 2>&1 | {AWK}", "PASSED: 506 FAILED: 0"),
            bash("cargo test -p shop --test cart", CARGO_17),
        ],
    ),
    (
        "of a run behind a failure of another part, python",
        "7 tests pass now.",
        "supported",
        [
            bash("pytest -q tests/test_api.py", PYTEST_BAD, 1),
            PY,
            bash("pytest tests/test_cart.py", "collected 7 items\n===== 7 passed in 0.09s ====="),
        ],
    ),
    (
        "of a run before a failure of the whole, rust",
        "17 tests pass.",
        "qualified",
        [
            RUST,
            bash("cargo test -p shop --test cart", CARGO_17),
            bash("cargo test --workspace", CARGO_BAD, 101),
        ],
    ),
    (
        "of a run behind a failure, edited since, javascript",
        "4 tests pass.",
        "contradicted",
        [
            bash("npx jest src/user.test.ts", JEST_BAD, 1),
            bash("npx jest src/cart.test.ts", "Tests:       4 passed, 4 total"),
            JS,
        ],
    ),
    (
        "beside failures, python",
        "2 tests pass.",
        "qualified",
        [PY, bash("pytest -q", PYTEST_BAD, 1)],
    ),
    (
        "beside failures, before the edit, python",
        "2 tests pass.",
        "contradicted",
        [bash("pytest -q", PYTEST_BAD, 1), PY],
    ),
    (
        "of all, beside failures, python",
        "All 2 tests pass.",
        "contradicted",
        [PY, bash("pytest -q", PYTEST_BAD, 1)],
    ),
    (
        "of all, over failures, php",
        "All 42 tests pass.",
        "contradicted",
        [PHP, bash("vendor/bin/phpunit", PHPUNIT_BAD, 1)],
    ),
    (
        "a number of something else",
        "128 tests pass.",
        "contradicted",
        [GO, bash("ls -l", "-rw-r--r-- 128 cart.go"), bash("pytest -q", "42 passed in 0.4s")],
    ),
]


@pytest.mark.parametrize(
    ("message", "wanted", "acts"), [row[1:] for row in COUNTS], ids=[row[0] for row in COUNTS]
)
def test_a_total_that_a_run_printed_is_known(
    tmp_path: Path, message: str, wanted: str, acts: list[Act]
) -> None:
    assert verdict(tmp_path, message, "tests_pass", acts) == wanted


#: name, verdict on "The shop works.", what the turn did
SERVERS: list[tuple[str, str, list[Act]]] = [
    (
        "python",
        "not_checkable",
        [
            PY,
            bash("uvicorn shop:app", STOPPED),
            bash("curl -si http://localhost:8000/cart", OK_PAGE),
        ],
    ),
    (
        "javascript",
        "not_checkable",
        [JS, bash("npm run dev", STOPPED), bash("curl -si http://localhost:3000/cart", OK_PAGE)],
    ),
    (
        "php",
        "not_checkable",
        [PHP, bash("php artisan serve", STOPPED), bash("curl -si http://localhost/cart", OK_PAGE)],
    ),
    (
        "csharp, a window",
        "not_checkable",
        [
            CSHARP,
            bash('cmd.exe /c "cd /d C:\\shop && dotnet run"', STOPPED),
            bash("curl -si http://localhost:5000/cart", OK_PAGE),
        ],
    ),
    (
        "dart, a window",
        "not_checkable",
        [
            edit("lib/cart.dart"),
            bash("flutter run -d linux", STOPPED),
            bash("curl -si http://localhost:8080/cart", OK_PAGE),
        ],
    ),
    (
        "java, a server",
        "not_checkable",
        [
            JAVA,
            bash("./mvnw spring-boot:run", STOPPED),
            bash("curl -si http://localhost:8080/cart", OK_PAGE),
        ],
    ),
    (
        "ruby, no server",
        "unsupported",
        [RUBY, bash("ruby import.rb", STOPPED), bash("ls tmp", "cart.csv")],
    ),
    (
        "go, no server",
        "unsupported",
        [GO, bash("go run ./cmd/import", STOPPED), bash("ls tmp", "cart.csv")],
    ),
]


@pytest.mark.parametrize(
    ("wanted", "acts"), [row[1:] for row in SERVERS], ids=[row[0] for row in SERVERS]
)
def test_a_server_that_was_stopped_has_not_failed(
    tmp_path: Path, wanted: str, acts: list[Act]
) -> None:
    assert verdict(tmp_path, "The shop works.", "works", acts) == wanted


def verdict(folder: Path, message: str, claim: str, acts: list[Act]) -> str:
    found = matches(folder, message, acts)
    told = [one.verdict for one in found if one.marker.claim == claim and one.verdict]
    assert told, [(one.marker.id, one.marker.claim) for one in found]
    return told[0].status
