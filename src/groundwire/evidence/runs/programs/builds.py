"""Programs that build, install, publish or keep versions. See ``rows`` for the columns."""

from __future__ import annotations

from groundwire.evidence.runs.model import BUILD, FORMAT, GIT, INSTALL, OTHER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.programs.rows import Row

_CARGO = (
    "-p:! --package:! --bin:! --lib! --example:! --tests+ --all-targets+ -F:+ --features:+ "
    "--all-features+ --no-default-features+ --release+ -r+ --profile:+ --target:+ -j: --jobs: "
    "--message-format: --color:"
)
_GO_BUILD = "-o: -tags:+ -race+ -ldflags: -gcflags: -mod: -buildmode:+ -p: -trimpath"
_COMPILE = "-o: -I: -L: -l: -D: -U: -x: -isystem: -include: -MF: -MT: -arch: -cp: -classpath: -d:"
_DOTNET = "-c:+ --configuration:+ -f:+ --framework:+ -o: --output: -v: --verbosity: -r: --runtime:"
_BUNDLE = "--mode:+ -c:+ --config:+ -o: --outDir: --outfile: -d:"
_PACKAGES = "-r: --requirement: -c: -e: --editable: -t: -i: --group:"

ROWS: tuple[Row, ...] = (
    # compilers
    ("gcc g++ cc c++ clang clang++ nvcc gfortran emcc em++", "", BUILD, "gcc", "free", _COMPILE),
    ("rustc javac kotlinc scalac ghc swiftc fpc dmd", "", BUILD, "", "free", _COMPILE),
    ("go", "test -c", BUILD, "go build", "packages", _GO_BUILD),
    ("go", "build", BUILD, "go build", "packages", _GO_BUILD),
    ("go", "install|get|mod", INSTALL, "", "free", ""),
    ("go", "generate", OTHER, "", "packages", ""),
    ("tinygo goreleaser ko", "build", BUILD, "", "free", "-o:"),
    ("cargo cross", "build|b", BUILD, "cargo build", "none", _CARGO),
    ("cargo cross", "check|c", BUILD, "cargo check", "none", _CARGO),
    ("cargo", "doc|rustc", BUILD, "cargo build", "none", _CARGO),
    ("cargo", "install|add|update|fetch|remove", INSTALL, "", "free", ""),
    ("cargo", "publish|release", OTHER, "", "none", "-p:!"),
    ("wasm-pack trunk maturin", "build|develop", BUILD, "", "free", ""),
    # make and its kind: targets by name
    (
        "make gmake remake",
        "",
        "task:build:build",
        "make",
        "tasks",
        (
            "-f: --file: --makefile: -j# --jobs# -l: -o: -I: -W: -n? --dry-run? --just-print? "
            "--recon? -q? -p?"
        ),
    ),
    ("ninja samu", "", "task:build:build", "ninja", "tasks", "-f: -j# -k: -l: -d: -t:? -n?"),
    (
        "cmake",
        "--build",
        "task:build:build",
        "cmake",
        "none",
        "--build:+ --target:+ -t:+ --config:+ --preset:+ -j# --parallel#",
    ),
    ("cmake", "--install", INSTALL, "", "none", "--install:+ --prefix:"),
    ("cmake", "-E", OTHER, "", "free", ""),
    ("cmake", "-P", OTHER, "", "free", ""),
    ("cmake", "", BUILD, "cmake", "free", "-S:+ -B:+ -G: -T: -A: -C: -D: --preset:+ -N?"),
    ("meson", "compile|install", BUILD, "ninja", "free", "-j:"),
    ("meson", "setup|configure", BUILD, "", "free", ""),
    ("configure autogen.sh autoreconf qmake scons waf", "", BUILD, "", "free", ""),
    ("bazel pants buck2", "build", BUILD, "bazel", "labels", "--config:+ -c:+"),
    (
        "xcodebuild",
        "test|test-without-building",
        "task:test:test",
        "xcodebuild",
        "none",
        (
            "-only-testing:! -skip-testing:! -scheme:+ -destination: -workspace: -project: -sdk: "
            "-configuration:+ -testPlan:+ -derivedDataPath: -resultBundlePath: -arch: -target:+"
        ),
    ),
    ("xcodebuild", "-list|-showBuildSettings|-version", OTHER, "", "none", ""),
    (
        "xcodebuild",
        "",
        BUILD,
        "xcodebuild",
        "none",
        (
            "-scheme:+ -destination: -workspace: -project: "
            "-sdk: -configuration:+ -derivedDataPath: -resultBundlePath: -arch: -target:+"
        ),
    ),
    ("swift", "build", BUILD, "swift build", "none", "--product:! --target:! -c:+"),
    ("swift", "package", INSTALL, "", "free", ""),
    ("zig", "build", "task:build:build", "zig", "tasks", "-j: --summary: -D: -Doptimize:"),
    ("zig", "build-exe|build-lib", BUILD, "zig", "free", ""),
    ("dotnet", "build|publish|pack", BUILD, "dotnet build", "free", _DOTNET),
    ("msbuild", "", BUILD, "dotnet build", "free", ""),
    ("dotnet", "restore|add|tool", INSTALL, "", "free", ""),
    ("mix", "compile", BUILD, "mix", "none", ""),
    ("mix", "deps.get|deps.compile|deps.update", INSTALL, "", "none", ""),
    ("stack cabal dune lein rebar3", "build|compile|uberjar", BUILD, "", "free", ""),
    ("flutter", "build", BUILD, "", "free", ""),
    ("forge hardhat anchor truffle", "build|compile", BUILD, "", "none", ""),
    # bundlers and site builders
    (
        (
            "vite next nuxt nuxi astro gatsby remix parcel ng react-scripts vue-cli-service expo "
            "docusaurus storybook eas react-router"
        ),
        "build",
        BUILD,
        "",
        "free",
        _BUNDLE,
    ),
    (
        "webpack rollup esbuild tsup tsdown swc babel electron-builder unbuild microbundle",
        "",
        BUILD,
        "",
        "free",
        _BUNDLE,
    ),
    ("bun", "build", BUILD, "", "free", _BUNDLE),
    ("mkdocs jekyll mdbook zola", "build", BUILD, "", "free", ""),
    ("hugo sphinx-build", "", BUILD, "", "free", "-b: -d:"),
    (
        "latexmk pdflatex xelatex lualatex latex tectonic",
        "",
        BUILD,
        "latex",
        "free",
        "-output-directory: -jobname: -interaction:",
    ),
    ("bibtex biber", "", BUILD, "", "free", ""),
    ("typst", "compile", BUILD, "", "free", ""),
    ("build", "", BUILD, "", "free", ""),  # python -m build
    ("hatch poetry uv pdm flit", "build", BUILD, "", "free", "-t: --out-dir: -o:"),
    ("setup.py", "build|build_ext|sdist|bdist_wheel", BUILD, "", "none", ""),
    ("pyinstaller nuitka cx_freeze", "", BUILD, "", "free", "-n: --name:"),
    # images and infrastructure
    (
        "docker",
        "build",
        BUILD,
        "docker build",
        "free",
        "-t: --tag: -f:+ --file:+ --target:+ --build-arg: --platform:+ --progress: --cache-from:",
    ),
    (
        "docker",
        "buildx build",
        BUILD,
        "docker build",
        "free",
        "-t: --tag: -f:+ --file:+ --target:+ --build-arg: --platform:+ --progress: --cache-from:",
    ),
    ("docker", "compose build", BUILD, "docker build", "free", "-f: --file: --build-arg:"),
    ("docker", "push", OTHER, "docker push", "free", ""),
    ("nix", "build", BUILD, "", "free", ""),
    ("nix-build packer", "", BUILD, "", "free", ""),
    (
        "terraform tofu",
        "plan|apply|destroy",
        OTHER,
        "terraform",
        "none",
        "-target:! -var: -var-file:+ -out:",
    ),
    ("terraform tofu", "init", INSTALL, "terraform", "none", ""),
    ("kubectl", "rollout status|history", OTHER, "kubectl wait", "free", ""),
    ("kubectl", "wait", OTHER, "kubectl wait", "free", "--for:"),
    (
        "kubectl",
        "apply|create|delete|rollout|scale|patch|set",
        OTHER,
        "kubectl",
        "free",
        "-f:+ -k:+",
    ),
    ("helm", "install|upgrade|uninstall|rollback", OTHER, "helm", "free", "-f: --set:"),
    ("helm", "dependency|repo", INSTALL, "", "free", ""),
    ("ansible-playbook serverless sls cdk pulumi sam", "", OTHER, "deploy", "free", "-i:"),
    (
        "vercel netlify fly flyctl wrangler firebase gcloud heroku railway surge eb",
        "deploy",
        OTHER,
        "deploy",
        "free",
        "",
    ),
    ("npm pnpm yarn bun", "publish", OTHER, "deploy", "free", "--tag:"),
    ("twine", "upload", OTHER, "deploy", "free", ""),
    # installers
    ("pip", "install", INSTALL, "pip", "free", _PACKAGES),
    ("pip", "uninstall|download|wheel", INSTALL, "", "free", _PACKAGES),
    ("uv", "pip install", INSTALL, "pip", "free", _PACKAGES),
    ("uv", "sync|add|remove|lock", INSTALL, "", "free", _PACKAGES),
    (
        "poetry pdm pipenv rye pixi",
        "install|add|update|lock|sync|remove",
        INSTALL,
        "",
        "free",
        "-G: --group: --with: --without:",
    ),
    ("conda mamba micromamba", "install|create|update", INSTALL, "", "free", "-n: --name: -c:"),
    ("npm", "install|i|ci|add|update|uninstall|un|rm|dedupe", INSTALL, "npm", "free", ""),
    ("pnpm", "install|i|add|update|up|remove|rm|fetch", INSTALL, "npm", "free", "--filter:"),
    ("yarn", "install|add|upgrade|up|remove", INSTALL, "npm", "free", ""),
    ("bun", "install|i|add|update|remove", INSTALL, "", "free", ""),
    ("bundle", "install|update", INSTALL, "", "free", "--jobs: --path:"),
    (
        "gem pod brew snap flatpak winget choco",
        "install|upgrade|uninstall|update",
        INSTALL,
        "",
        "free",
        "",
    ),
    (
        "apt apt-get aptitude dnf yum apk pacman zypper",
        "install|update|upgrade|add|remove",
        INSTALL,
        "",
        "free",
        "-t:",
    ),
    ("pacman", "-S|-Syu", INSTALL, "", "free", ""),
    ("dpkg", "-i|--install|--purge|-r|--remove", INSTALL, "", "free", ""),
    ("composer", "install|update|require|remove|dump-autoload", INSTALL, "", "free", ""),
    (
        "rustup nvm pyenv rbenv asdf mise volta corepack",
        "install|update|use|add",
        INSTALL,
        "",
        "free",
        "",
    ),
    ("playwright", "install", INSTALL, "", "free", ""),
    ("flutter dart", "pub", INSTALL, "", "free", ""),
    ("mvn", "dependency:resolve", INSTALL, "maven", "none", ""),
    # versions
    ("git", "commit", GIT, "git commit", "none", "--dry-run?"),
    ("git", "push", GIT, "git push", "none", "--dry-run? -n?"),
    ("git", "status", GIT, "git status", "none", ""),
    ("git", "log", GIT, "git log", "none", ""),
    ("git", "diff", GIT, "git diff", "none", ""),
    ("git", "add", GIT, "git add", "none", "-n? --dry-run?"),
    ("git", "merge", GIT, "git merge", "none", ""),
    ("git", "rebase", GIT, "git rebase", "none", ""),
    ("git", "tag", GIT, "git tag", "none", "-l? --list?"),
    ("git", "pull", GIT, "git pull", "none", ""),
    ("git", "cherry-pick|revert|am", GIT, "git cherry-pick", "none", ""),
    ("git", "checkout|switch|restore", GIT, "git checkout", "free", ""),
    ("git", "stash", GIT, "git stash", "none", ""),
    ("git", "reset", GIT, "git reset", "none", ""),
    ("git", "apply", GIT, "git apply", "free", ""),
    ("git", "clone|fetch|rm|mv", GIT, "git", "free", ""),
    ("gh", "repo create --push", GIT, "git push", "none", ""),
    ("hub", "push", GIT, "git push", "none", "--dry-run? -n?"),
    ("hub", "pull-request --push|-p", GIT, "git push", "none", ""),
    ("jj", "git push", GIT, "", "none", "--dry-run?"),
    ("gh", "pr create", GIT, "gh pr create", "none", "--dry-run?"),
    ("gh", "pr merge", GIT, "gh pr merge", "none", ""),
    ("gh", "pr edit", GIT, "gh pr edit", "none", ""),
    ("gh", "pr comment", GIT, "gh pr comment", "none", ""),
    ("gh", "pr checks", OTHER, "gh", "none", ""),
    ("gh", "run watch", OTHER, "gh", "none", ""),
    ("gh", "release create", OTHER, "gh", "none", ""),
    ("glab", "mr create", GIT, "gh pr create", "none", ""),
    ("hg jj", "commit|push", GIT, "", "none", ""),
    # programs of the project itself
    ("go", "run", OTHER, "*", "free", "-tags: -ldflags:"),
    ("cargo", "run|r|bench", OTHER, "*", "free", "-p: --bin: --features: --example:"),
    ("dotnet", "run", OTHER, "*", "free", "--project:"),
    ("swift zig", "run", OTHER, "*", "free", ""),
    ("docker", "compose up|run", OTHER, "*", "free", "-f: --file:"),
    ("docker", "run", OTHER, "*", "free", ""),
    ("rails artisan mix manage.py", "db:migrate|migrate|ecto.migrate", OTHER, "", "free", ""),
    ("rails", "db:setup|db:reset|db:prepare|db:drop|db:create", OTHER, "", "free", ""),
    ("rails", "runner|r", OTHER, "*", "none", ""),
    ("mix", "run", OTHER, "*", "none", ""),
    ("sqlfluff", "fix", FORMAT, "", "paths", ""),
)
