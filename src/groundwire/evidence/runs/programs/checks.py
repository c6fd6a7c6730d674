"""Programs that check or format without running the code. See ``rows`` for the columns."""

from __future__ import annotations

from groundwire.evidence.runs.model import FORMAT, LINT, OTHER, TYPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.programs.rows import Row

_FORMAT = (
    "--check+ --diff+ -c+ -l: --line-length: -t: --target-version: --config: --exclude: --profile:"
)
_LINT = "-c:+ --config:+ -f: --format: -o: --output: --exclude: --ignore: -e: --rcfile:+"
_ESLINT = (
    "-c:+ --config:+ --ext: --max-warnings: -f: --format: --rule: --cache-location: --ignore-path: "
    "--ignore-pattern: --resolve-plugins-relative-to: -o: --output-file: --print-config:?"
)
_TYPES = (
    "-p:+ --project:+ -m:! --module:! --package:! --config-file:+ --python-version: --exclude: "
    "--pythonpath: --python: --python-executable: --cache-dir:"
)

ROWS: tuple[Row, ...] = (
    # Python
    (
        "ruff",
        "check",
        LINT,
        "ruff",
        "paths",
        (
            "--select:! --ignore: --extend-select: --config: --output-format: --line-length: "
            "--target-version: --exclude: --show-files? --show-settings?"
        ),
    ),
    ("ruff", "format", FORMAT, "ruff", "paths", _FORMAT),
    ("ruff", "rule|config|linter|version|server", OTHER, "", "none", ""),
    ("ruff", "", LINT, "ruff", "paths", "--select:! --ignore: --config:"),
    ("black", "", FORMAT, "black", "paths", _FORMAT),
    ("isort autopep8 yapf docformatter pyupgrade autoflake", "", FORMAT, "", "paths", _FORMAT),
    ("flake8", "", LINT, "flake8", "paths", _LINT + " --select:! --max-line-length:"),
    ("pylint", "", LINT, "pylint", "paths", "--rcfile:+ --disable: -d: -e:! --enable:! -j: -f:"),
    (
        "pycodestyle pydocstyle pyflakes bandit vulture interrogate deptry lint-imports djlint",
        "",
        LINT,
        "",
        "paths",
        _LINT,
    ),
    ("mypy", "", TYPES, "mypy", "paths", _TYPES),
    ("dmypy", "run|check", TYPES, "mypy", "paths", _TYPES),
    ("pyright basedpyright", "", TYPES, "pyright", "paths", _TYPES),
    ("ty pyrefly pyre pytype", "check", TYPES, "", "paths", _TYPES),
    ("pytype", "", TYPES, "", "paths", _TYPES),
    ("py_compile compileall", "", LINT, "", "paths", ""),
    # JavaScript
    (
        "tsc vue-tsc tsgo",
        "",
        TYPES,
        "tsc",
        "paths",
        (
            "-p:+ --project:+ -b+ --build+ --outDir: --target: -t: --module: -m: "
            "--moduleResolution: --lib: --jsx: --rootDir: --pretty: --init? --showConfig?"
        ),
    ),
    ("svelte-check", "", TYPES, "svelte-check", "none", "--tsconfig:+ --workspace:+ --threshold:"),
    ("astro flow", "check", TYPES, "", "none", ""),
    ("deno", "check", TYPES, "", "paths", ""),
    ("eslint", "", LINT, "eslint", "paths", _ESLINT),
    ("next ng vue-cli-service", "lint", LINT, "eslint", "free", "--dir:! -d:! --file:!"),
    ("oxlint standard xo tslint jshint semistandard", "", LINT, "", "paths", _ESLINT),
    ("stylelint", "", LINT, "stylelint", "paths", "--config:+ -f:"),
    ("biome rome", "check|lint|ci", LINT, "biome", "paths", "--config-path:+ --max-diagnostics:"),
    ("biome rome", "format", FORMAT, "biome", "paths", "--config-path:+"),
    (
        "prettier",
        "",
        FORMAT,
        "prettier",
        "paths",
        (
            "--check+ -c+ -l+ --list-different+ --config: --ignore-path: --parser: --log-level: "
            "--plugin:"
        ),
    ),
    ("dprint", "check|fmt", FORMAT, "", "paths", ""),
    ("deno", "lint", LINT, "", "paths", ""),
    ("deno", "fmt", FORMAT, "", "paths", "--check+"),
    ("node", "--check", LINT, "", "paths", ""),
    # Go, Rust
    (
        "golangci-lint",
        "run",
        LINT,
        "golangci-lint",
        "packages",
        (
            "--new! --new-from-rev:! -c:+ --config:+ --timeout: -E:+ --enable:+ -D: --disable: "
            "--out-format: --build-tags:+ -j: --concurrency: --path-prefix:"
        ),
    ),
    ("golangci-lint", "fmt", FORMAT, "", "packages", ""),
    ("go", "vet", LINT, "go vet", "packages", "-tags:+ -vettool:"),
    ("staticcheck revive gosec govulncheck errcheck nilaway", "", LINT, "", "packages", "-config:"),
    ("go", "fmt", FORMAT, "", "packages", ""),
    ("gofmt gofumpt goimports gci", "", FORMAT, "", "paths", "-l+ -local:"),
    (
        "cargo cross",
        "clippy",
        LINT,
        "cargo clippy",
        "none",
        "-p:! --package:! -F:+ --features:+ --all-features+ --release+ --target: -W: -D: -A: -j:",
    ),
    ("cargo", "fmt", FORMAT, "", "none", "--check+ -p:!"),
    ("rustfmt", "", FORMAT, "", "paths", "--check+ --edition:"),
    ("cargo", "deny|audit|machete|udeps", LINT, "", "none", ""),
    # shell, containers, infrastructure, text
    ("shellcheck", "", LINT, "shellcheck", "paths", "-s: -e: -f: -S: -o: -i:"),
    ("bash sh zsh", "-n", LINT, "", "paths", ""),
    ("shfmt", "", FORMAT, "", "paths", "-i: -d+ -l+"),
    ("hadolint", "", LINT, "hadolint", "paths", _LINT),
    ("yamllint", "", LINT, "yamllint", "paths", "-c: -d: -f:"),
    ("actionlint ansible-lint cfn-lint kube-linter kubeconform tflint", "", LINT, "", "paths", ""),
    ("checkov trivy semgrep gitleaks", "", LINT, "", "free", _LINT),
    ("markdownlint markdownlint-cli2 vale typos codespell", "", LINT, "", "paths", _LINT),
    ("sqlfluff buf protolint spectral redocly helm", "lint", LINT, "", "paths", _LINT),
    ("terraform tofu", "validate", LINT, "terraform", "none", ""),
    ("terraform tofu", "fmt", FORMAT, "terraform", "paths", "-check+ -recursive"),
    ("nix", "flake check", LINT, "", "free", ""),
    (
        "pre-commit prek",
        "run",
        LINT,
        "pre-commit",
        "names",
        "--files! --hook-stage:+ --from-ref:! --to-ref:",
    ),
    ("lint-staged", "", LINT, "", "none", ""),
    # other languages
    ("rubocop standardrb", "", LINT, "rubocop", "paths", "--only:! -f: --format: -c:+ --config:+"),
    ("reek brakeman erb_lint erblint haml-lint slim-lint", "", LINT, "", "paths", "-c: -f:"),
    ("srb", "tc", TYPES, "", "none", ""),
    ("steep", "check", TYPES, "", "paths", ""),
    (
        "phpstan psalm",
        "",
        TYPES,
        "phpstan",
        "paths",
        "-c:+ --configuration:+ -l: --level: --memory-limit: --error-format:",
    ),
    ("phpcs phpmd parallel-lint", "", LINT, "", "paths", "--standard:"),
    ("php-cs-fixer pint phpcbf", "", FORMAT, "", "paths", "--dry-run+ --test+ --config:"),
    ("php", "-l", LINT, "", "paths", ""),
    ("mix", "credo", LINT, "", "paths", ""),
    ("mix", "dialyzer", TYPES, "", "none", ""),
    ("mix", "format", FORMAT, "", "paths", "--check-formatted+"),
    ("clang-tidy cppcheck cpplint", "", LINT, "", "paths", "-p: --enable: --std:"),
    ("clang-format", "", FORMAT, "", "paths", "-n+ --dry-run+ --style: -style:"),
    ("ktlint detekt checkstyle scalafix swiftlint luacheck hlint", "", LINT, "", "paths", _LINT),
    ("swiftformat swift-format scalafmt ktfmt stylua ormolu fourmolu", "", FORMAT, "", "paths", ""),
    ("flutter dart", "analyze", LINT, "", "paths", ""),
    ("dart", "format", FORMAT, "", "paths", "-o: --output:"),
    ("dotnet", "format", FORMAT, "", "free", "--verify-no-changes+"),
)
