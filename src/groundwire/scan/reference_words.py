"""What tells a file, a commit or a command from an ordinary word with a dot or slash in it."""

from __future__ import annotations


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


EXTENSIONS = _words(
    "py pyi pyx ipynb js jsx mjs cjs ts tsx mts cts vue svelte go rs java kt kts scala groovy "
    "gradle clj rb erb php c h cc cpp cxx hpp hh cs fs vb swift m mm dart ex exs erl hs ml lua pl "
    "pm r jl zig nim sh bash zsh fish ps1 bat cmd sql proto graphql html htm css scss sass less "
    "json jsonl json5 yaml yml toml ini cfg conf xml csv tsv md mdx rst txt log lock env tf tfvars "
    "hcl nix cmake mk bzl bazel csproj sln gemspec podspec mod sum diff patch snap svg png jpg pdf "
    "ejs hbs j2 tmpl tpl prisma sol v sv wat wasm db sqlite"
)
#: Files that have a name instead of an extension.
BARE_FILES = _words(
    "Makefile Dockerfile Containerfile Jenkinsfile Vagrantfile Gemfile Rakefile Procfile Justfile "
    "justfile BUILD WORKSPACE CMakeLists LICENSE CODEOWNERS .gitignore .env .editorconfig "
    ".dockerignore .npmrc .eslintrc .prettierrc .babelrc .gitattributes"
)
#: Names of products, sites and objects that end like a file.
NO_FILES = _words(
    "node.js next.js vue.js nuxt.js react.js express.js three.js d3.js chart.js moment.js "
    "angular.js backbone.js ember.js nest.js socket.js alpine.js solid.js discord.js deno.js "
    "docs.rs crates.rs bun.sh brew.sh astral.sh get.sh console.log math.log np.log numpy.log "
    "torch.log logger.log tf.log res.json req.json request.json response.json resp.json r.json "
    "process.env import.meta.env meta.env module.exports os.env e.g i.e q.v a.m p.m "
    "asp.net"
)
#: First parts of a path that is written without an extension.
ROOTS = _words(
    "src lib libs test tests spec specs app apps cmd pkg internal docs packages crates bin scripts "
    "tools examples benches benchmarks build dist config configs migrations components modules "
    "server client web api core common utils vendor node_modules target public static assets "
    "fixtures hooks patterns include .github .claude .vscode .config"
)
#: First parts of what looks like a path and names a media type.
MEDIA_TYPES = _words("application text image audio video multipart font message model")
SITE_ENDS = _words("com org net io dev ai app co")

COMMIT_WORDS = ("commit", "sha", "revision", "changeset", "hash", "head", "reverted", "pushed")
#: Words that may stand between "commit" and the hash.
COMMIT_FILLERS = _words("s ted hash id sha as at is now in the to of was detached")
#: Words before "commit" with which it stands for one that was there before.
PAST_COMMITS = _words("base earlier former initial original parent previous prior upstream")

#: Verbs of an edit, of a file as a whole and of something in it.
DIRECT_VERBS = _words(
    "updated edited modified changed rewrote refactored created wrote added removed deleted "
    "renamed extended adjusted patched simplified reformatted rewritten"
)
EDIT_VERBS = tuple(
    sorted(DIRECT_VERBS)
    + "appended inserted introduced dropped extracted moved replaced bumped".split()
)
#: Marks around a quotation, and words of which one stands in every line that presents output.
QUOTES = {"`": "`", '"': '"', "\u201c": "\u201d"}
INTRODUCED = tuple(
    "says said shows showed reads read printed reports reported logged contained contains was "
    "states stated failed crashed errored died aborted".split()
)

COMMANDS = _words(
    "npm npx yarn pnpm bun deno node python python3 pytest tox nox uv pip pipx poetry hatch pdm "
    "ruff mypy pyright black flake8 pylint tsc eslint prettier biome jest vitest mocha playwright "
    "cypress go gofmt golangci-lint cargo rustc make cmake ctest ninja bazel mvn gradle gradlew "
    "./gradlew ./mvnw dotnet swift xcodebuild bundle rake rspec rails rubocop gem php composer "
    "phpunit mix elixir git gh docker docker-compose kubectl helm terraform ansible curl wget ls "
    "cat grep rg find sed awk head tail wc diff bash sh zsh mise just psql sqlite3 pre-commit "
    "./run dart flutter sbt zig ghc cabal lein julia Rscript perl lua nim crystal turbo nx ng vite "
    "shellcheck yamllint hadolint stylelint markdownlint swiftlint ktlint tflint bats phpstan "
    "psalm credo dialyzer clang-tidy clang-format rustfmt meson hyperfine valgrind ./gradlew melos"
)
#: Commands that say something without an argument.
SOLE_COMMANDS = _words(
    "pytest tox nox mypy pyright tsc eslint jest vitest mocha phpunit rspec rubocop make ctest"
)

#: Languages of a fence that holds output, and those that may.
OUTPUT_LANGUAGES = _words("console output log terminal shell-session stdout stderr")
OPEN_LANGUAGES = _words("text txt plaintext plain bash sh shell zsh none")
#: What tools print; one of these in a fence of an open language makes it output.
OUTPUT_SIGNS = (
    " passed", " failed", " passing\n", " failing\n", "--- PASS", "--- FAIL", "=== RUN", "PASS\n",
    "FAIL\n", "Traceback (most recent", "Error: ", "error: ", "error[", "ERROR: ", "warning: ",
    "exit code", "exit status", "BUILD SUCCESS", "BUILD FAILED", "test result:", "Tests:  ",
    "\nRan ", "npm ERR!", " ms)", "panicked at", "files changed", "0 problems", "\n$ ",
    "    Finished ", "   Compiling ", "ok  \t",
)  # fmt: skip
