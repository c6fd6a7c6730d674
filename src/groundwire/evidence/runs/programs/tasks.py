"""Runners of named tasks, and what the name of a task or script says about its kind."""

from __future__ import annotations

from groundwire.evidence.runs.model import BUILD, FORMAT, INSTALL, LINT, OTHER, TEST, TYPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.programs.rows import Row

#: Options of test runners, as they are passed on to a script: ``npm test -- -t "adds"``.
PASSED_ON = (
    "-t:! -k:! -g:! --grep:! --filter:! -run:! --run:! --testNamePattern:! --testPathPattern:! "
    "--testPathPatterns:! --tests:! --only:! --spec:! --project:! --quick! --lf! --changed! "
    "--onlyChanged! --related! -m:! --maxWorkers: --reporter: --timeout: -n: -j: --tb:"
)
_SCRIPTS = "-w:! --workspace:! --filter:! -F:! --scope:! --if-present --reporter: " + PASSED_ON

ROWS: tuple[Row, ...] = (
    ("npm", "test|t|tst", "task:test:test", "npm", "none", _SCRIPTS),
    ("npm", "run|run-script", "task:other:other", "npm", "task", _SCRIPTS),
    ("npm", "start|stop|restart", OTHER, "*", "none", ""),
    ("pnpm", "run", "task:other:other", "npm", "task", _SCRIPTS),
    ("pnpm", "", "task::", "npm", "task", _SCRIPTS),
    ("yarn", "run", "task:other:other", "npm", "task", _SCRIPTS),
    ("yarn", "", "task:install:", "npm", "task", _SCRIPTS),
    ("bun", "run", "task:other:other", "npm", "task", _SCRIPTS),
    ("npm-run-all npm-run-all2 run-s run-p", "", "task:other:other", "npm", "tasks", ""),
    ("turbo", "run", "task:other:other", "*", "tasks", "--filter:! --affected!"),
    ("turbo", "", "task:other:other", "*", "tasks", "--filter:! --affected!"),
    ("nx", "affected", "task:other:other", "*", "none", "-t:+ --target:+ --targets:+ --base:!"),
    ("nx", "run-many", "task:other:other", "*", "none", "-t:+ --target:+ --targets:+ -p:!"),
    ("nx", "run", "task:other:other", "*", "tasks", ""),
    ("nx", "", "task:other:other", "*", "task", ""),
    ("lerna rush moon", "run", "task:other:other", "*", "task", "--scope:!"),
    ("gulp grunt jake wireit", "", "task:other:other", "*", "tasks", ""),
    ("mise", "run|r|tasks", "task:other:other", "*", "task", PASSED_ON),
    ("mise", "", "task::", "*", "task", PASSED_ON),
    ("just", "", "task:other:other", "*", "task", "-f: --justfile: -l? --list? -n? " + PASSED_ON),
    ("task go-task", "", "task:other:other", "*", "tasks", "-t: -p -l? --list? -n? --status?"),
    ("rake", "", "task:other:other", "*", "tasks", "-f: -T? -n? -j:"),
    ("invoke inv fab doit poe taskipy", "", "task:other:other", "*", "task", "-l? --list?"),
    ("hatch", "run", "task:other:other", "*", "task", PASSED_ON),
    ("hatch", "fmt", FORMAT, "ruff", "none", "--check+"),
    ("composer", "run|run-script", "task:other:other", "*", "task", PASSED_ON),
    ("composer", "", "task::", "*", "task", PASSED_ON),
    ("cargo", "make|xtask", "task:other:other", "*", "task", PASSED_ON),
    ("mix", "", "task::", "*", "task", ""),
    (
        "gradle",
        "",
        "task:other:other",
        "gradle",
        "tasks",
        (
            "--tests:! -x: --exclude-task: -b: -c: --max-workers: --console: --init-script: "
            "--rerun-tasks -m? --dry-run? -P: -D:"
        ),
    ),
    (
        "mvn",
        "",
        "task:other:other",
        "maven",
        "tasks",
        (
            "-Dtest:! -Dit.test:! -pl:! --projects:! -rf:! -P:+ -DskipTests+ -Dmaven.test.skip+ "
            "-T: -s: --threads: --settings:"
        ),
    ),
    ("sbt", "", "task:other:other", "*", "tasks", ""),
    ("ant earthly dagger act fastlane lefthook", "", "task:other:other", "*", "tasks", ""),
)

#: Maven's ``install`` builds, and runs the tests on its way.
MAVEN_GOALS = {"install": BUILD, "verify": TEST, "package": BUILD, "deploy": OTHER}

#: A word of a name, lower case -> kind. The first one that stands here decides, the weak ones last.
KINDS_BY_WORD = {
    **dict.fromkeys(
        "test tests testing spec specs e2e unit integration smoke pytest jest vitest coverage cov "
        "cover playwright cypress phpunit rspec unittest unittests acceptance regression".split(),
        TEST,
    ),
    **dict.fromkeys(
        "lint linter lints linting eslint clippy vet ruff flake8 pylint rubocop shellcheck "
        "stylelint detekt ktlint checkstyle golangci precommit audit".split(),
        LINT,
    ),
    **dict.fromkeys("format fmt prettier black gofmt rustfmt formatting spotless".split(), FORMAT),
    **dict.fromkeys("typecheck types type typing mypy tsc pyright dialyzer".split(), TYPES),
    **dict.fromkeys(
        "build compile bundle dist package assemble rebuild make webpack image docker".split(),
        BUILD,
    ),
    **dict.fromkeys("install setup bootstrap deps restore".split(), INSTALL),
    **dict.fromkeys(
        "clean deploy publish release start serve server dev watch preview generate codegen docs "
        "doc migrate seed help benchmark bench storybook up down logs".split(),
        OTHER,
    ),
}
WEAK_KINDS_BY_WORD = {"check": LINT, "checks": LINT, "verify": TEST, "ci": TEST, "validate": LINT}
#: ``make check`` runs the tests of a C project, and so do "check" of gradle and ninja.
CHECK_IS_TEST = ("make", "ninja", "gradle", "zig")

#: Programs that look, print, move files or set the shell up; their status is no result.
TRIVIAL = frozenset(
    """
    : . [ [[ alias awk base64 basename bat bc break cal case cat cd chmod chown clear cmp code
    column comm command continue cp curl cut date dd declare df diff difft dig dirname dirs du echo
    eval exa exit export expr eza fd fdfind fg bg jobs file find free getent glow grep egrep fgrep
    rg ag ack gunzip gzip hash head help hexdump history host hostname id ifconfig ip jq yq join
    kill killall pkill pgrep less let ln local locate ls lsd lsof man md5sum mkdir mktemp more mv
    nano netstat nl nproc open od paste ping popd pr printenv printf ps pushd pwd read readlink
    readonly realpath return rev rm rmdir rsync scp sed seq set sha1sum sha256sum shasum shift shopt
    sleep sort source split ss stat strings tac tail tar tee test top touch tput tr trap tree true
    false tty type typeset ulimit umask uname uniq unset unzip uptime vi vim wait watch wc wget
    whereis which who whoami xxd yes zcat zip nvidia-smi systemctl journalctl service sw_vers lscpu
    lsblk dmesg gdb lldb objdump nm ldd readelf perf hyperfine json.tool http.server venv pdb
    sqlite3 psql mysql redis-cli mongosh nc openssl pbcopy xdg-open osascript claude Get-ChildItem
    Get-Content Select-String Select-Object Write-Host Write-Output Out-File Out-Null Out-String
    Set-Location Get-Location Test-Path Remove-Item Copy-Item Move-Item New-Item Where-Object
    ForEach-Object Measure-Object Get-Process Stop-Process Start-Sleep Get-Command
    """.split()
)
#: Programs of which only the uses in the table are runs; all others look or talk to a service.
ONLY_AS_LISTED = frozenset(
    """
    git gh glab docker kubectl helm terraform tofu npm pip uv poetry pdm pipenv conda cargo go
    rustup nvm pyenv apt apt-get apt-cache apt-key dpkg dpkg-query brew dnf yum snap gem bundle
    node-gyp aws gcloud az vercel netlify fly heroku firebase playwright cypress nix mise swift
    dotnet meson zig corepack flatpak xcrun rbenv asdf volta winget flutter dart deno hg jj ng
    golangci-lint pre-commit bazel stack cabal hatch rails artisan next vite biome
    """.split()
)
#: Programs that run a script which is their first argument.
INTERPRETERS = frozenset(
    "python pypy py node nodejs ruby php perl deno bun ts-node tsx Rscript julia lua java bash sh "
    "zsh dash ksh fish pwsh powershell groovy elixir escript swift".split()
)
