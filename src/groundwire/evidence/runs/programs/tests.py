"""Programs that run tests. See ``rows`` for the columns."""

from __future__ import annotations

from groundwire.evidence.runs.model import OTHER, TEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.programs.rows import Row

_PYTEST = (
    "-k:! -m:! --lf! --last-failed! --sw! --stepwise! --testmon! --picked! --deselect:! --ignore:! "
    "--ignore-glob:! --co? --collect-only? --fixtures? --markers? --setup-plan? --cache-show? "
    "-p: -n: -c: -o: -W: -r: --tb: --rootdir: --maxfail: --durations: --cov: --cov-report: "
    "--cov-config: --cov-fail-under: --junitxml: --junit-xml: --log-level: --log-cli-level: "
    "--timeout: --basetemp: --confcutdir: --import-mode: --color: --reruns: --dist: --numprocesses:"
)
_JEST = (
    "-t:! --testNamePattern:! --testPathPattern:! --testPathPatterns:! --testPathIgnorePatterns:! "
    "--findRelatedTests! --onlyChanged! -o! --onlyFailures! -f! --changedSince:! --lastCommit! "
    "--shard:! --selectProjects:! --listTests? --showConfig? --clearCache? -c:+ --config:+ "
    "--maxWorkers: -w: --coverageReporters: --reporters: --env: --testEnvironment: --testTimeout: "
    "--rootDir: --roots: --forceExit --watchAll"
)
_VITEST = (
    "-t:! --testNamePattern:! --changed! --project:! --shard:! --dir:! --exclude:! -c:+ --config:+ "
    "-r: --root: --reporter: --pool: --environment: --mode: --maxWorkers: --outputFile: --bail: "
    "--retry: --testTimeout: --run"
)
_GO_TEST = (
    "-run:! -skip:! -bench:! -fuzz:! -short! -list:? -tags:+ -race+ -count: -timeout: -parallel: "
    "-p: -cpu: -coverprofile: -coverpkg: -covermode: -vet: -mod: -ldflags: -gcflags: -o: -exec: "
    "-benchtime: -shuffle: -test.run:!"
)
_CARGO_TEST = (
    "-p:! --package:! --lib! --bins! --bin:! --test:! --tests! --example:! --doc! --exclude:! "
    "--skip:! --ignored! --no-run? --list? --include-ignored+ -F:+ --features:+ --all-features+ "
    "--no-default-features+ --release+ --profile:+ --target: -j: --jobs: --color: "
    "--message-format: --test-threads: --toolchain: -E:! --filter-expr:! --cargo-profile:+"
)
_PHPUNIT = (
    "--filter:! --group:! --exclude-group:! --testsuite:! --dirty! --list-tests? -c:+ "
    "--configuration:+ --bootstrap: --columns: --log-junit: --coverage-html: --coverage-clover: -d:"
)

ROWS: tuple[Row, ...] = (
    # Python
    ("pytest py.test pytest-3", "", TEST, "pytest", "paths", _PYTEST),
    ("unittest", "discover", TEST, "unittest", "free", "-s:+ --start-directory:+ -p:+ -t: -k:!"),
    ("unittest", "", TEST, "unittest", "names", "-k:!"),
    ("trial nose2 nosetests ward", "", TEST, "", "names", ""),
    ("behave", "", TEST, "behave", "paths", "--tags:! -t:! -n:! --name:! -f: --dry-run? -d?"),
    ("robot", "", TEST, "robot", "paths", "-t:! --test:! -s:! --suite:! -i:! -e:! -d: -v:"),
    ("doctest", "", TEST, "", "paths", ""),
    ("tox", "run", "task:test:test", "tox", "none", "-e:+ -f:! -c: --workdir: --result-json:"),
    ("tox", "list|config|devenv", OTHER, "", "none", ""),
    ("tox", "", "task:test:test", "tox", "none", "-e:+ -f:! -c: -p: --workdir: -l? --listenvs?"),
    (
        "nox",
        "",
        "task:test:test",
        "nox",
        "tasks",
        "-s:+ --session:+ --sessions:+ -e:+ -k:! -t:! --tags:! -f: -l? --list? -p: --python:",
    ),
    (
        "manage.py",
        "test",
        TEST,
        "unittest",
        "names",
        "-k:! --tag:! --exclude-tag:! --settings: -v:",
    ),
    ("setup.py", "test", TEST, "unittest", "none", ""),
    ("hatch", "test", TEST, "pytest", "paths", "-k:! -m:! -py: -i: -x:"),
    # JavaScript
    ("jest", "", TEST, "jest", "names", _JEST),
    ("react-scripts craco react-app-rewired", "test", TEST, "jest", "names", _JEST),
    ("vitest", "list|init", OTHER, "", "none", ""),
    ("vitest", "run|watch|dev|related|bench", TEST, "vitest", "names", _VITEST),
    ("vitest", "", TEST, "vitest", "names", _VITEST),
    (
        "mocha",
        "",
        TEST,
        "mocha",
        "paths",
        (
            "-g:! --grep:! -f:! --fgrep:! --spec:! --ignore:! -R: --reporter: -r: --require: -t: "
            "--timeout: --config:+ --extension: -u: --ui: --dry-run?"
        ),
    ),
    (
        "node",
        "--test",
        TEST,
        "node_test",
        "paths",
        (
            "--test-name-pattern:! --test-skip-pattern:! --test-only! --test-shard:! --import: "
            "--require: -r: --loader: --experimental-loader: --env-file: --test-reporter: "
            "--test-concurrency: --test-reporter-destination:"
        ),
    ),
    (
        "ava",
        "",
        TEST,
        "ava",
        "paths",
        "-m:! --match:! --config:+ -T: --timeout: -c: --concurrency:",
    ),
    ("tap", "", TEST, "tap", "paths", "-g:! --grep:! -R: -j:"),
    ("tape uvu japa c8 zora qunit testem", "", TEST, "", "paths", "-r: --require: -i:"),
    (
        "playwright",
        "test",
        TEST,
        "playwright",
        "names",
        (
            "-g:! --grep:! --grep-invert:! --project:! --last-failed! --only-changed! "
            "--shard:! --list? -c:+ --config:+ --reporter: --workers: -j: --timeout: --retries: "
            "--repeat-each: --trace: --output: --max-failures: --ui"
        ),
    ),
    (
        "cypress",
        "run",
        TEST,
        "cypress",
        "none",
        (
            "--spec:! -s:! --component+ --e2e+ -b: --browser: -c: --config: -C: --config-file: -e: "
            "--env: -P: --project: -k: --key: -r: --reporter:"
        ),
    ),
    ("karma", "start|run", TEST, "karma", "free", "--grep:! --browsers: --reporters:"),
    ("ng", "test", TEST, "karma", "free", "--include:! --browsers: -c:+ --configuration:+"),
    ("ng", "e2e", TEST, "", "free", "-c:+ --configuration:+"),
    ("vue-cli-service", "test:unit|test:e2e", TEST, "jest", "names", _JEST),
    ("wtr web-test-runner testcafe wdio nightwatch test-storybook", "", TEST, "", "names", ""),
    (
        "bun",
        "test",
        TEST,
        "bun",
        "names",
        "-t:! --test-name-pattern:! --timeout: --bail: --preload:",
    ),
    ("deno", "test", TEST, "deno", "paths", "--filter:! -c: --config:+ --ignore:! --no-run?"),
    # Go, Rust
    ("go", "test", TEST, "go test", "packages", _GO_TEST),
    ("gotestsum", "", TEST, "gotestsum", "packages", _GO_TEST + " -f: --format: --junitfile:"),
    ("ginkgo", "", TEST, "ginkgo", "packages", "--focus:! --skip:! --label-filter:! --procs:"),
    ("cargo cross", "test|t", TEST, "cargo test", "names", _CARGO_TEST),
    ("cargo cross", "nextest run", TEST, "nextest", "names", _CARGO_TEST),
    ("cargo cross", "nextest", OTHER, "", "none", ""),
    ("cargo", "tarpaulin|llvm-cov|miri|hack", TEST, "cargo test", "names", _CARGO_TEST),
    ("wasm-pack", "test", TEST, "cargo test", "free", ""),
    # C, C++, Swift, Zig
    (
        "ctest",
        "",
        TEST,
        "ctest",
        "none",
        (
            "-R:! --tests-regex:! -E:! -L:! -LE:! -I:! --rerun-failed! -N? --show-only? -j: "
            "--timeout: -C:+ --preset:+ -S: -D: -M: -T: --output-junit: --repeat:"
        ),
    ),
    ("meson", "test", TEST, "meson", "names", "--suite:! --no-suite:! -t: --timeout-multiplier:"),
    ("swift", "test", TEST, "swift test", "none", "--filter:! --skip:! --test-product:! -c:+"),
    ("zig", "test", TEST, "zig", "paths", "--test-filter:!"),
    # PHP, Ruby, shell, Perl
    ("phpunit paratest simple-phpunit", "", TEST, "phpunit", "paths", _PHPUNIT),
    ("pest", "", TEST, "pest", "paths", _PHPUNIT),
    ("artisan sail", "test", TEST, "pest", "paths", _PHPUNIT),
    ("codecept behat", "", TEST, "", "names", ""),
    (
        "rspec",
        "",
        TEST,
        "rspec",
        "paths",
        (
            "-e:! --example:! -t:! --tag:! -P:! --pattern:! --only-failures! --next-failure! "
            "--dry-run? -f: --format: -o: --out: -r: --require: -I: --seed: --order:"
        ),
    ),
    ("rails", "test|test:system|test:all", TEST, "minitest", "paths", "-n:! --name:! --seed:"),
    ("cucumber", "", TEST, "cucumber", "paths", "-t:! --tags:! -n:! --name:! -f: --dry-run? -d?"),
    ("bats", "", TEST, "bats", "paths", "-f:! --filter:! --filter-tags:! -c? --count? -j: -F:"),
    ("shellspec", "", TEST, "shellspec", "paths", "-e:! --example:!"),
    ("prove", "", TEST, "prove", "paths", "-j: -I: -P:"),
    # .NET, Erlang VM, functional, mobile, contracts
    (
        "dotnet",
        "test",
        TEST,
        "dotnet test",
        "free",
        (
            "--filter:! -t? --list-tests? -c:+ --configuration:+ -f:+ --framework:+ -v: "
            "--verbosity: -l: --logger: --results-directory: -r: -s: --settings: --collect:"
        ),
    ),
    (
        "mix",
        "test",
        TEST,
        "mix test",
        "paths",
        "--only:! --failed! --stale! --exclude:! --include:+ --seed: --max-failures: --slowest:",
    ),
    ("rebar3", "eunit|ct", TEST, "", "none", "--module:! --suite:! --case:!"),
    ("stack cabal", "test", TEST, "", "free", "--test-arguments: --ta: -p:! --match:!"),
    ("dune", "test|runtest", TEST, "", "paths", ""),
    ("lein", "test", TEST, "", "names", ""),
    ("elm-test", "", TEST, "", "paths", ""),
    ("flutter dart", "test", TEST, "flutter", "paths", "--name:! --plain-name:! --tags:! -r: -j:"),
    (
        "forge",
        "test",
        TEST,
        "forge",
        "none",
        (
            "--match-test:! --mt:! --match-contract:! --mc:! "
            "--match-path:! --mp:! --fork-url: --rpc-url:"
        ),
    ),
    ("hardhat", "test", TEST, "mocha", "paths", "--grep:! --network:+"),
    ("anchor truffle", "test", TEST, "mocha", "paths", ""),
    ("bazel pants buck2", "test", TEST, "bazel", "labels", "--test_filter:! --config:+ -c:"),
    ("helm", "test", TEST, "", "free", "-n: --namespace:"),
)
