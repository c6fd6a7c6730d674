"""What commands are, of many ecosystems: kind, tool, how much they cover, which are the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.evidence.runs.classify import Classified, classify
from groundwire.evidence.runs.model import RUN_KINDS
from groundwire.evidence.runs.names import is_test_file, kind_by_name
from groundwire.evidence.runs.outputs import PARSERS
from groundwire.evidence.runs.places import join, same_place, within
from groundwire.evidence.runs.programs.rows import BY_NAME, ROWS, kinds_of_tool
from groundwire.evidence.runs.shell import read_commands
from groundwire.evidence.runs.signature import covers


def classified(text: str) -> Classified | None:
    """The last command of ``text`` that is a run."""
    found = [known for command in read_commands(text) if (known := classify(command))]
    return found[-1] if found else None


def signature(text: str) -> str:
    known = classified(text)
    assert known is not None, text
    return known.signature


# kind, tool and narrow, then the commands; "*" stands for a tool that only the output tells, "-"
# for one without a parser
TABLE = """
test pytest
    pytest | py.test -q | python -m pytest -x --tb=short | uv run pytest -n auto | pytest tests
    cd backend && pytest -vv | pytest -p no:cacheprovider --cov=shop --cov-report term | pytest .
    coverage run -m pytest | poetry run pytest --maxfail=1 -ra | pytest -q 2>&1 | tail -5
test pytest tests/test_cart.py
    pytest tests/test_cart.py | python3 -m pytest -vv ./tests/test_cart.py
test pytest tests/test_cart.py::test_total
    pytest tests/test_cart.py::test_total -x
test pytest tests/unit
    pytest tests/unit -q
test pytest -k total
    pytest -k total | pytest -ktotal | pytest -vk total | pytest -k=total
test pytest -m not slow
    pytest -m "not slow"
test pytest --lf
    pytest --lf
test pytest $(git diff --name-only)
    pytest $(git diff --name-only)
other pytest
    pytest --collect-only -q | pytest --version | pytest --help | pytest --co | pytest --fixtures
test unittest
    python -m unittest | python -m unittest discover -s tests -p "test_*.py" | python manage.py test
test unittest shop.tests.CartTests
    python -m unittest shop.tests.CartTests -v | python manage.py test shop.tests.CartTests
test tox
    tox | tox -e py312 | tox run -e py311,py312
lint tox
    tox -e lint
types tox
    tox -e type
test nox
    nox | nox -s tests-3.12 | nox -s lint tests
lint nox
    nox -s lint
lint ruff
    ruff check | ruff check . | ruff check src tests --fix | uvx ruff check --output-format=github
lint ruff src/shop/cart.py
    ruff check src/shop/cart.py
format ruff
    ruff format --check . | ruff format
format black
    black --check --diff src
lint flake8
    flake8 --max-line-length 100 src
lint pylint src/cart.py
    pylint -j 4 src/cart.py
types mypy
    mypy . | mypy --strict src/shop | python -m mypy -p shop
types mypy src/shop/cart.py
    mypy src/shop/cart.py
types pyright
    pyright | basedpyright src
test jest
    jest | npx jest --ci --coverage | yarn jest | pnpm exec jest -w 2 | react-scripts test --ci
    node node_modules/jest/bin/jest.js | ./node_modules/.bin/jest --runInBand
test jest src/cart.test.ts
    npx jest src/cart.test.ts | yarn jest src/cart.test.ts | yarn run jest src/cart.test.ts
test jest -t adds
    npx jest -t adds
test jest --onlyChanged
    jest --onlyChanged
test vitest
    npx vitest run | vitest --run | pnpm vitest run --reporter=dot
test vitest cart
    vitest run cart
test mocha
    mocha | npx mocha 'test/**/*.spec.js' --timeout 5000
test mocha -g total
    mocha -g total
test node_test
    node --test | node --test test/ | node --import tsx --test
test node_test test/cart.test.js
    node --test test/cart.test.js
test playwright
    npx playwright test | playwright test --workers=1 --reporter=list
test playwright e2e/cart.spec.ts, --project chromium
    npx playwright test e2e/cart.spec.ts --project=chromium
test cypress
    cypress run --browser chrome
test cypress --spec cypress/e2e/cart.cy.js
    npx cypress run --spec cypress/e2e/cart.cy.js
test npm
    npm test | npm t -- --coverage | npm run test | npm run test:unit --silent | yarn test
    pnpm test | pnpm run test | bun run test | yarn run test:ci
test npm src/cart.test.js
    npm test -- src/cart.test.js | npm test src/cart.test.js
test npm -t adds
    npm run test -- -t adds
test npm --workspace web
    npm test --workspace web | npm test --workspace=web | yarn workspace web test
test npm --filter web
    pnpm --filter web test | pnpm --filter=web run test
build npm
    npm run build | yarn build | pnpm build | npm --prefix web run build:prod
lint npm
    npm run lint | yarn lint:fix | pnpm lint
types npm
    npm run typecheck | yarn type-check | npm run check-types
format npm
    npm run format:check
install npm
    npm ci | npm install --save-dev vitest | yarn | yarn add left-pad | pnpm i
other npm
    npm run dev | npm run deploy | yarn start
test bun
    bun test
test deno
    deno test --allow-read
types tsc
    npx tsc --noEmit | tsc -b | tsc -p tsconfig.json | vue-tsc --noEmit | yarn tsc
lint eslint
    npx eslint . --ext .ts,.tsx | eslint src --max-warnings 0 | next lint
lint eslint src/cart.ts
    eslint --fix src/cart.ts
lint biome
    npx biome check . | biome ci | npx @biomejs/biome lint src
format biome
    biome format --write .
format prettier
    npx prettier --check . | prettier -w "src/**/*.ts"
build
    vite build | next build | webpack --mode production | npx tsup | ng build
test go test
    go test ./... | go test -race -count=1 ./... | CGO_ENABLED=0 go test -v ./... 2>&1 | tail
    go test -timeout 5m -tags integration ./...
test go test one package
    go test | cd journal && go test -v
test go test internal/journal
    go test ./internal/journal | go test ./internal/journal/... -v
test go test -run TestReplay
    go test -run TestReplay ./... | go test ./... -run=TestReplay
test gotestsum
    gotestsum -- ./... | gotestsum --format testname ./...
build go build
    go build ./... | go build | go test -c ./... | go build -o bin/shop .
lint go vet
    go vet ./...
lint golangci-lint
    golangci-lint run | golangci-lint run ./... --timeout 5m
lint golangci-lint internal/journal
    golangci-lint run ./internal/journal/...
format
    gofmt -l . | go fmt ./...
format - main.go
    goimports -w main.go
test cargo test
    cargo test | cargo t --workspace | cargo +nightly test --all-features -- --nocapture
    cargo test -- --test-threads=1 | cross test --target aarch64-unknown-linux-gnu
test cargo test parser
    cargo test parser | cargo test parser -- --exact
test cargo test -p shop-core
    cargo test -p shop-core
test nextest
    cargo nextest run
build cargo build
    cargo build --release
build cargo check
    cargo check --all-targets
lint cargo clippy
    cargo clippy --all-targets -- -D warnings
test maven
    mvn test | ./mvnw -q clean verify | mvn -B -T 4 clean test
test maven -Dtest CartTest
    mvn test -Dtest=CartTest
test maven -pl core
    mvn -pl core test
build maven
    mvn clean package -DskipTests | mvn -q compile | mvn install
test gradle
    ./gradlew test | gradle check --no-daemon | ./gradlew testDebugUnitTest
test gradle --tests CartTest
    ./gradlew test --tests CartTest
test gradle project :core
    ./gradlew :core:test
build gradle
    ./gradlew assembleDebug | gradle build -x test
test *
    sbt test | sbt "testOnly shop.CartSpec"
test swift test
    swift test | swift test --parallel
test swift test --filter CartTests
    swift test --filter CartTests
build swift build
    swift build -c release
test xcodebuild
    xcodebuild -scheme Shop -destination 'platform=macOS' test | xcrun xcodebuild test -scheme Shop
test xcodebuild -only-testing ShopTests/CartTests
    xcodebuild test -scheme Shop -only-testing:ShopTests/CartTests
build xcodebuild
    xcodebuild -scheme Shop -configuration Release build | xcodebuild build
test ctest
    ctest | ctest --test-dir build --output-on-failure -j 8
test ctest -R cart
    cd build && ctest -R cart
build cmake
    cmake --build build -j 8 | cmake -S . -B build | cmake .. | cmake --build . --parallel
test cmake
    cmake --build build --target test
build ninja
    ninja -C build | ninja
build make
    make | make -j8 all | make -C lib | make shop | gmake
test make
    make test | make check | make -j 4 test | make lint test | make test-unit V=1
test make TESTS=cart
    make test TESTS=cart
lint make
    make lint
install make
    sudo make install
other make
    make deploy | make -n test
build gcc
    gcc -Wall -O2 -I include cart.c -o cart -lm | clang++-15 -std=c++20 main.cpp | nvcc a.cu
test phpunit
    vendor/bin/phpunit | ./vendor/bin/phpunit --testdox | phpunit tests
test phpunit tests/CartTest.php
    php vendor/bin/phpunit tests/CartTest.php
test pest --filter cart
    ./vendor/bin/pest --filter cart | php artisan test --filter=cart
test *
    composer test | composer run test
install
    composer install | bundle install | pip install -r requirements.txt | uv sync
    apt-get install -y jq | brew install jq | poetry add httpx | cargo add serde | go mod tidy
    gem install rspec | npx playwright install
test rspec
    bundle exec rspec | rspec spec -f d
test rspec spec/cart_spec.rb:12
    bin/rspec spec/cart_spec.rb:12
test minitest
    bin/rails test | bundle exec rails test
test *
    bundle exec rake test | rake spec
lint rubocop
    bundle exec rubocop -a
test bats
    bats test | bats --jobs 4 test
test bats test/cart.bats
    bats test/cart.bats
test dotnet test
    dotnet test | dotnet test --no-build -c Release Shop.sln
test dotnet test --filter Category=Fast
    dotnet test --filter Category=Fast
build dotnet build
    dotnet build -c Release
test mix test
    mix test | mix test --seed 0
test mix test test/cart_test.exs:7
    mix test test/cart_test.exs:7
format
    mix format --check-formatted
test zig
    zig build test
build zig
    zig build
lint shellcheck
    shellcheck scripts/*.sh
lint hadolint Dockerfile.prod
    hadolint Dockerfile.prod
lint yamllint
    yamllint .
lint pre-commit
    pre-commit run --all-files
lint terraform
    terraform validate
format terraform
    terraform fmt -check -recursive
other terraform
    terraform plan -out=tf.plan | terraform apply -auto-approve
build docker build
    docker build -t shop:dev . | docker buildx build --platform linux/amd64 . | docker compose build
build latex
    latexmk -pdf main.tex | pdflatex -interaction=nonstopmode main.tex
other deploy
    wrangler deploy | firebase deploy --only hosting | npm publish | cdk deploy
other kubectl
    kubectl apply -f k8s/
other helm
    helm upgrade shop ./chart
git git commit
    git commit -m "x" | git -C web commit -am y | git -c user.name=dev commit --amend --no-edit
git git push
    git push -u origin main --force-with-lease
git git status
    git status --short
git git add
    git add -A
git git rebase
    git rebase origin/main
git gh pr create
    gh pr create --title x --body y
test *
    mise run test | mise r test:integration | just test | task test | ./scripts/test.sh | bin/test
    bash scripts/run-tests.sh | python run_tests.py | hatch run test | poe test | turbo run test
    nx run-many -t test | lerna run test | ./build/cart_tests | node scripts/test.js | invoke test
test * tests/test_cart.py
    python tests/test_cart.py
test * -run TestReplay
    mise run test -- -run TestReplay
test * --quick
    ./scripts/test.sh --quick
test * --filter web
    turbo run test --filter=web
lint *
    mise run lint | just lint | ./lint.sh | pdm run lint | task lint
build *
    just build | scripts/build.sh | turbo build | nx run-many -t build
build * shop
    nx build shop
other *
    ./shop --port 8080 | python main.py | go run ./cmd/shop | cargo run --release | node server.js
    python -c 'print(1)' | node -e 'x()' | python3 - < probe.py | rake db:migrate
"""


def rows() -> list[tuple[str, str, str, str]]:
    """The table as (command, kind, tool, narrow)."""
    found = []
    known = {tool for row in ROWS if (tool := row[3])} - {"*"}
    kind = tool = narrow = ""
    for line in TABLE.strip().split("\n"):
        if line.startswith(" "):
            # " | " parts commands; one of them pipes into tail, which is no run
            pieces = [piece.strip() for piece in line.split(" | ")]
            found += [
                (piece, kind, tool, narrow) for piece in pieces if not piece.startswith("tail")
            ]
        else:
            kind, _, rest = line.partition(" ")
            names = [name for name in known if rest == name or rest.startswith(name + " ")]
            tool = max(names, key=len) if names else rest[:1]  # "*", or "-" for none
            narrow = rest[len(tool) :].strip()
    return found


@pytest.mark.parametrize(("text", "kind", "tool", "narrow"), rows())
def test_what_a_command_is(text: str, kind: str, tool: str, narrow: str) -> None:
    known = classified(text)
    assert known is not None
    assert (known.kind, known.narrow) == (kind, narrow)
    assert known.tool == (tool if tool not in ("*", "-") else "") or not tool
    assert known.opaque or tool != "*"


@pytest.mark.parametrize(
    "text",
    """
    ls -la src; cat a.py | head -5; grep -rn "pytest" . | wc -l; find . -name 'test_*.py'
    cd web; export CI=1; source .venv/bin/activate; mkdir -p build; rm -rf dist; mv a b; echo pytest
    git show HEAD; git rev-parse HEAD; git branch -a; git blame a.py; git ls-files
    which npm; command -v shfmt; command -V cargo; hash jest
    npm ls; npm view jest version; pip list; pip show pytest; cargo tree; go env GOPATH
    docker ps; docker logs web; kubectl get pods; gh pr view 12; gh run list; terraform show
    mise ls; pnpm why react; yarn why react; brew list; apt-cache search jq; node --version
    python --version; sleep 5; kill 123; curl -s localhost:8080; jq .name package.json; test -f x
    [[ -f x ]]; true; tail -f server.log; sed -n 1,20p a.py; psql -c 'select 1'; vite; bash; python
    make clean; ./shop --help; ./run.sh --version; tee log; xargs rm; go list ./...; cargo metadata
    """.replace("\n", ";").split(";"),
)
def test_what_only_looks_is_no_run(text: str) -> None:
    assert classified(text) is None


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
        "./gradlew test | gradle test --info",
        "mise run test | mise r test | mise test",
        "./run.py --size 3 | python3 run.py --size 3 -v | timeout 9 ./run.py --size 3",
        "bash scripts/test.sh | ./scripts/test.sh -v",
        "docker compose exec web pytest -q | docker-compose exec -T web python -m pytest | pytest",
        "mypy src | mypy --no-color-output src/",
    ],
)
def test_spellings_of_the_same_run(group: str) -> None:
    assert len({signature(text) for text in group.split(" | ")}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest", "pytest tests/a.py"),
        ("pytest", "pytest -k a"),
        ("pytest", "pytest --collect-only"),
        ("pytest -k a", "pytest -k b"),
        ("pytest", "cd web && pytest"),
        ("go test ./...", "go test ./a/..."),
        ("go test ./...", "go test"),
        ("go test ./...", "go test -race ./..."),
        ("go test ./...", "go test -tags=integration ./..."),
        ("npm test", "npm run test:e2e"),
        ("npm test", "npm run build"),
        ("npm test", "npm test -w web"),
        ("ruff check .", "ruff format ."),
        ("cargo build", "cargo build --release"),
        ("cargo test", "cargo test --all-features"),
        ("make", "make test"),
        ("terraform plan", "terraform apply"),
        ("git commit -m x", "git push"),
        ("tsc", "tsc -p tsconfig.build.json"),
        ("mypy a.py", "mypy b.py"),
        ("pip install a", "pip install b"),
        ("gcc a.c", "gcc b.c"),
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
        ("pytest tests/a.py", "pytest tests/a.py::test_x", True),
        ("pytest tests/a.py -k x", "pytest tests/a.py -k x -m slow", True),
        ("pytest", "cd web && pytest", True),
        ("pytest tests/a.py", "pytest", False),
        ("pytest tests/a.py", "pytest tests/b.py", False),
        ("pytest tests/a.py", "pytest tests/a.pyx", False),
        ("pytest -k a", "pytest", False),
        ("pytest -k a", "pytest -k b", False),
        ("cd web && pytest", "pytest", False),
        ("pytest --collect-only", "pytest", False),
        ("go test ./...", "go test ./journal -run TestX", True),
        ("go test ./journal/...", "go test ./journal/log", True),
        ("go test ./journal", "go test ./...", False),
        ("go vet ./...", "go test ./...", False),
        ("npm test", "npm test -- src/a.test.js", True),
        ("npm test", "npm run test:e2e", False),
        ("npm test -w web", "npm test", False),
        ("ruff check", "ruff check src/a.py", True),
        ("ruff format", "ruff check src/a.py", False),
        ("cargo test", "cargo test parser", True),
        ("cargo test -p core", "cargo test", False),
        ("cd /home/dev/shop && make", "make", True),  # the folder in which the session began
        ("cd /home/dev/shop/web && make", "cd web && make", True),
        ("cd /home/dev/shop/web && make", "cd lib && make", True),  # may be: not known
        ("cd web && make", "cd lib && make", False),
        ("ctest --test-dir build", "cd build && ctest -R cart", True),
        ("git push", "git commit -m x", False),
    ],
)
def test_covers(later: str, earlier: str, answer: bool) -> None:
    assert covers(signature(later), signature(earlier)) is answer


def test_odd_signatures_cover_nothing_else() -> None:
    assert covers("x", "x")
    assert not covers("x", "y")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("test", "test"),
        ("test:unit", "test"),
        ("runUnitTests", "test"),
        ("e2e-ci", "test"),
        ("lint", "lint"),
        ("check", "lint"),
        ("check-types", "types"),
        ("format:check", "format"),
        ("build.sh", "build"),
        ("deploy-prod", "other"),
        ("latest", ""),  # "test" is no word of it
        ("attestation", ""),
        ("contest", ""),
        ("", ""),
    ],
)
def test_kind_by_name(name: str, kind: str) -> None:
    assert kind_by_name(name) == kind


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("tests/test_cart.py", True),
        ("shop/cart_test.go", True),
        ("src/cart.test.tsx", True),
        ("src/cart.spec.ts", True),
        ("spec/cart_spec.rb", True),
        ("src/test/java/CartTest.java", True),
        ("Shop.Tests/CartTests.cs", True),
        ("tests/helpers.py", True),
        ("test/cart.bats", True),
        ("src/__tests__/cart.js", True),
        ("src/cart.py", False),
        ("src/latest.py", False),
        ("src/contest.ts", False),
        ("tests/data.json", False),
        ("tests/README.md", False),
        ("Makefile", False),
        ("", False),
    ],
)
def test_is_test_file(path: str, answer: bool) -> None:
    assert is_test_file(path) is answer


@pytest.mark.parametrize(
    ("folder", "path", "joined"),
    [
        ("", "a/./b/../c/", "a/c"),
        ("web", "../lib", "lib"),
        ("web", "/srv", "/srv"),
        ("", "../x", "../x"),
        ("..", "../x", "../../x"),
        ("web", "~/x", "~/x"),
        ("", ".", ""),
        ("a", "src\\b", "a/src/b"),
    ],
)
def test_join(folder: str, path: str, joined: str) -> None:
    assert join(folder, path) == joined


def test_within_and_same_place() -> None:
    assert within("/home/dev/shop/src", "/home/dev/shop/") == "src"
    assert within("/home/dev/shop", "/home/dev/shop") == ""
    assert within("/home/dev/shopping", "/home/dev/shop") == "/home/dev/shopping"
    assert same_place("/home/dev/shop/web", "web")
    assert not same_place("/home/dev/shop/web", "b")
    assert not same_place("/a", "/b")


@given(
    st.lists(st.sampled_from("pytest go test npm run -k -- x=y ./... . -n 4 make -j cargo".split()))
)
def test_every_argument_list_is_read(words: list[str]) -> None:
    for command in read_commands(" ".join(words)):
        known = classify(command)
        assert known is None or known.kind in RUN_KINDS


def test_every_row_is_well_formed() -> None:
    meanings = {"paths", "packages", "labels", "names", "task", "tasks", "free", "none"}
    for programs, words, kind, _, meaning, _ in ROWS:
        assert programs.split(), words
        assert meaning in meanings, programs
        kinds = kind.removeprefix(BY_NAME).split(":") if kind.startswith(BY_NAME) else [kind]
        assert set(kinds) <= {*RUN_KINDS, ""}, programs


def test_every_parser_is_reached_by_a_command() -> None:
    # what runs scripts is told by its output alone, and three installers share npm's or pip's row
    told_by_output = {"node", "python", "pnpm", "yarn", "uv"}
    assert set(PARSERS) - {row[3] for row in ROWS} == told_by_output


def test_kinds_of_tools() -> None:
    assert kinds_of_tool("pytest") == ("test",)
    assert kinds_of_tool("ruff") == ("lint", "format")
    assert kinds_of_tool("gradle") == ()  # tests, builds and checks
    assert kinds_of_tool("no such tool") == ()
