"""The program files: every example is what its row says; mistakes in them are named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.errors import LexiconError
from groundwire.evidence.programs import Classified, classify
from groundwire.evidence.records import OTHER, RUN_KINDS
from groundwire.evidence.signature import covers, places_of, scope_of
from groundwire.lexicon.programs import Program, load_programs
from groundwire.rules import programs as tables
from groundwire.shell.commands import read_commands
from groundwire.shell.places import is_document, is_test_file

TABLES = load_programs()


def classified(text: str) -> Classified | None:
    """The last command of ``text`` that is a run."""
    found = [known for command in read_commands(text) if (known := classify(command))]
    return found[-1] if found else None


def signature(text: str) -> str:
    known = classified(text)
    assert known is not None, text
    return known.signature


def examples() -> Iterator[tuple[str, Program, str, str]]:
    for _, row in TABLES.programs:
        by_kind = row.runs if isinstance(row.runs, dict) else {row.kind: row.runs}
        yield from ((text, row, kind, "whole") for kind, it in by_kind.items() for text in it)
        yield from ((text, row, "", "narrow") for text in row.narrow)
        yield from ((text, row, OTHER, "idle") for text in row.idle)


@pytest.mark.parametrize(("text", "row", "kind", "part"), list(examples()))
def test_examples(text: str, row: Program, kind: str, part: str) -> None:
    known = classified(text)
    assert known is not None
    assert kind in (known.kind, "")
    assert known.tool == row.tool.removeprefix("*")
    assert bool(known.narrow) is (part == "narrow")
    assert known.opaque is (row.kind == "task" or row.tool == "*")
    if row.kind != "task":
        assert row.kind == known.kind or part == "idle"
        assert known.silent is row.silent
        runs = part != "idle"
        assert (known.changes, known.deploys) == (row.changes and runs, row.deploys and runs)


ROW = 'names = "x"\nkind = "test"\narguments = "paths"\nruns = ["x"]\n'


@pytest.mark.parametrize(
    ("row", "named"),
    [
        (ROW.replace("test", "tset"), ["x: kind", "'test'", "found 'tset'"]),
        (ROW + 'colour = "red"\n', ["x: colour", "not permitted"]),
        (ROW.replace('runs = ["x"]', ""), ["x: runs: needs an example"]),
        (ROW + 'options = "-k"\n', ["x: options: '-k'; allowed: -name with marks"]),
        (ROW + 'options = "@jest"\n', ["x: options: '@jest'; allowed: @ with none in this file"]),
        (ROW + 'alone = "test"\n', ["x: kind: 'test' has no tasks; allowed: 'task'"]),
        (ROW.replace('"test"', '"task"'), ["x: runs: ['x']; allowed: a table of kinds"]),
        ("names = ", ["-: Invalid value"]),
    ],
)
def test_mistakes_are_named(tmp_path: Path, row: str, named: list[str]) -> None:
    (tmp_path / "a.toml").write_text(f"[[program]]\n{row}")
    with pytest.raises(LexiconError) as error:
        load_programs(tmp_path)
    assert all(text in str(error.value) for text in ["a.toml: ", *named]), error.value


def test_a_folder_without_names(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=r"names\.toml: is missing"):
        load_programs(tmp_path)


# what the text of the narrowing says, of one command of each way of writing it
@pytest.mark.parametrize(
    ("text", "narrow"),
    [
        ("python3 -m pytest -vv ./tests/test_cart.py", "tests/test_cart.py"),
        ("pytest -vk total", "-k total"),
        ("pytest -k=total", "-k total"),
        ("pytest $(git diff --name-only)", "$(git diff --name-only)"),
        ("cd web && pytest tests/a.py", "web/tests/a.py"),
        ("playwright test e2e/a.spec.ts --project=chromium", "e2e/a.spec.ts, --project chromium"),
        ("npm test -- src/cart.test.js", "src/cart.test.js"),
        ("npm run test -- -t adds", "-t adds"),
        ("cd journal && go test -v", "one package"),
        ("go test ./internal/journal/... -v", "internal/journal"),
        ("go test ./... -run=TestReplay", "-run TestReplay"),
        ("cargo test parser -- --exact", "parser"),
        ("mvn -pl core test", "-pl core"),
        ("./gradlew :core:test", "project :core"),
        ("make test TESTS=cart", "TESTS=cart"),
        ("xcodebuild test -only-testing:ShopTests/Cart", "-only-testing ShopTests/Cart"),
        ("find . -name '*.py' | xargs ruff check", "files of a list"),
        ("python tests/test_cart.py", "tests/test_cart.py"),
        ("./scripts/test.sh --quick", "--quick"),
    ],
)
def test_what_narrows(text: str, narrow: str) -> None:
    known = classified(text)
    assert known is not None
    assert known.narrow == narrow


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("./scripts/test.sh", "test"),
        ("bash scripts/run-tests.sh", "test"),
        ("python run_tests.py", "test"),
        ("./build/cart_tests", "test"),
        ("./lint.sh", "lint"),
        ("scripts/build.sh", "build"),
        ("pdm run lint", "lint"),
        ("python manage.py test", "test"),
        ("php vendor/bin/phpunit", "test"),
        ("node server.js", "other"),
        ("./shop --port 8080", "other"),
        ("python -c 'print(1)'", "other"),
        ("python3 - < probe.py", "other"),
        ("./attestation.sh", "other"),  # "test" is no word of it
    ],
)
def test_what_no_row_has(text: str, kind: str) -> None:
    known = classified(text)
    assert known is not None
    assert known.kind == kind


@pytest.mark.parametrize(
    "text",
    """
    ls -la src; cat a.py | head -5; grep -rn "pytest" . | wc -l; find . -name 'test_*.py'
    cd web; export CI=1; source .venv/bin/activate; rm -rf dist; mv a b; echo pytest; sleep 5
    git show HEAD; git rev-parse HEAD; git branch -a; git blame a.py; which npm; command -v shfmt
    npm ls; npm view jest version; pip list; cargo tree; gh pr view 12; terraform show
    docker logs web; mise ls; pnpm why react; brew list; node --version; python --version; kill 123
    curl -sO example.org/a.tgz; gh run view 7 --log; jq .name package.json; test -f x; [[ -f x ]]
    make clean; ./shop --help; ./run.sh --version; go list ./...; cargo metadata; vite; bash; python
    """.replace("\n", ";").split(";"),
)
def test_what_is_no_run(text: str) -> None:
    assert classified(text) is None


@pytest.mark.parametrize(
    ("text", "changes", "deploys"),
    [
        ("npm run deploy", True, True),
        ("./deploy.sh", True, True),
        ("rake db:migrate", True, False),
        ("python scripts/seed.py", True, False),
        ("./scripts/upload.py", False, True),
        ("python main.py", False, False),
    ],
)
def test_names_of_changes(text: str, changes: bool, deploys: bool) -> None:
    known = classified(text)
    assert known is not None
    assert (known.changes, known.deploys) == (changes, deploys)


@pytest.mark.parametrize(
    "group",
    [
        "pytest | pytest -x -q | python -m pytest -vv --tb=short | CI=1 uv run pytest | pytest .",
        "pytest tests/a.py | pytest -q ./tests/a.py | python3 -m pytest tests/a.py --color=no",
        "cd web && npm test | npm --prefix web test | npm --prefix=web run test",
        "go test ./... | go test -v -count=1 ./... | timeout 60 go test ./...",
        "cargo test | cargo t | cargo +nightly test -- --nocapture | RUST_LOG=x cargo test -q",
        "ruff check . | ruff check --fix | uvx ruff check --output-format=json",
        "npx tsc --noEmit | yarn tsc --noEmit --pretty false | ./node_modules/.bin/tsc --noEmit",
        "make -C web test | cd web && make -j8 test | (cd web; make test V=1)",
        "mvn test | ./mvnw -q clean test | mvn -B test",
        "git commit -m a | git commit -m b --no-verify | git commit -am c",
        "mise run test | mise r test | mise test",
        "./run.py --size 3 | python3 run.py --size 3 -v | timeout 9 ./run.py --size 3",
        "docker compose exec web pytest -q | docker-compose exec -T web python -m pytest | pytest",
    ],
)
def test_spellings_of_the_same_run(group: str) -> None:
    assert len({signature(text) for text in group.split(" | ")}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest", "pytest -k a"),
        ("pytest", "pytest --collect-only"),
        ("pytest", "cd web && pytest"),
        ("go test ./...", "go test -race ./..."),
        ("npm test", "npm run test:e2e"),
        ("npm test", "npm test -w web"),
        ("ruff check .", "ruff format ."),
        ("cargo build", "cargo build --release"),
        ("make", "make test"),
        ("terraform plan", "terraform apply"),
        ("tsc", "tsc -p tsconfig.build.json"),
        ("mypy a.py", "mypy b.py"),
        ("pip install a", "pip install b"),
        ("tox -e py311", "tox -e py312"),
        ("./run.py --size 3", "./run.py --size 4"),
        ("black --check .", "black ."),
    ],
)
def test_other_runs(one: str, other: str) -> None:
    assert signature(one) != signature(other)


@pytest.mark.parametrize(
    ("later", "earlier", "answer"),
    [
        ("pytest", "pytest tests/a.py", True),
        ("pytest", "pytest -k a", True),
        ("pytest tests", "pytest tests/a.py::test_x", True),
        ("pytest tests/a.py -k x", "pytest tests/a.py -k x -m slow", True),
        ("pytest", "cd web && pytest", True),
        ("pytest tests/a.py", "pytest", False),
        ("pytest tests/a.py", "pytest tests/a.pyx", False),
        ("pytest -k a", "pytest -k b", False),
        ("cd web && pytest", "pytest", False),
        ("pytest --collect-only", "pytest", False),
        ("go test ./...", "go test ./journal -run TestX", True),
        ("go test ./journal/...", "go test ./journal/log", True),
        ("go vet ./...", "go test ./...", False),
        ("npm test", "npm test -- src/a.test.js", True),
        ("npm test", "npm run test:e2e", False),
        ("cargo test -p core", "cargo test", False),
        ("cd web && make", "cd lib && make", False),
        ("ctest --test-dir build", "cd build && ctest -R cart", True),
        ("git push", "git commit -m x", False),
    ],
)
def test_covers(later: str, earlier: str, answer: bool) -> None:
    assert covers(signature(later), signature(earlier)) is answer


def test_parts_of_a_signature() -> None:
    assert (scope_of(signature("make lint")), places_of(signature("cd web && make"))) == (
        "lint",
        "web",
    )
    assert not covers("x", "y")


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("tests/test_cart.py", True),
        ("shop/cart_test.go", True),
        ("src/cart.spec.ts", True),
        ("src/test/java/CartTest.java", True),
        ("tests/helpers.py", True),
        ("src/latest.py", False),
        ("tests/data.json", False),
        ("tests/README.md", False),
        ("", False),
    ],
)
def test_files_of_tests(path: str, is_test: bool) -> None:
    assert is_test_file(path) is is_test


def test_documents() -> None:
    assert [is_document(path) for path in ("docs/a.md", "LICENSE", "a.py", "requirements.txt")] == [
        True,
        True,
        False,
        False,
    ]


def test_every_kind_is_one_of_runs() -> None:
    assert {kind for row in tables.ROWS for kind in row[1].removeprefix("task:").split(":")} <= {
        *RUN_KINDS,
        "",
    }
