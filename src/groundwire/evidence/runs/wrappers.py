"""Words that stand before a command and only run it: ``timeout 60``, ``npx``, ``uv run`` ..."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Words of the wrapper; its options that take a value; how many words of its own follow.
_ROWS = (
    ("timeout", "-s --signal -k --kill-after", 1),
    ("gtimeout", "-s --signal -k --kill-after", 1),
    ("time", "-f --format -o --output", 0),
    ("nice", "-n --adjustment", 0),
    ("ionice", "-c -n", 0),
    ("nohup", "", 0),
    ("setsid", "", 0),
    ("stdbuf", "-i -o -e", 0),
    ("unbuffer", "", 0),
    ("caffeinate", "-t -w", 0),
    ("chronic", "", 0),
    ("command", "", 0),
    ("builtin", "", 0),
    ("exec", "-a", 0),
    ("env", "-u --unset -C --chdir", 0),
    ("cross-env", "", 0),
    ("sudo", "-u --user -g --group -h --host -D -C -p", 0),
    ("doas", "-u -C", 0),
    ("xvfb-run", "-s --server-args -n --server-num -e -f -w", 0),
    ("xargs", "-I -n -P -d -L -E -s -a --max-args --max-procs --delimiter --replace", 0),
    ("parallel", "-j --jobs -N", 0),
    ("strace", "-e -o -p -s -P", 0),
    ("ltrace", "-e -o", 0),
    ("valgrind", "", 0),
    ("catchsegv", "", 0),
    ("dotenv", "-e -f -c", 0),
    ("dotenvx run", "-f --env-file", 0),
    ("doppler run", "-p -c --project --config", 0),
    ("op run", "--env-file", 0),
    ("aws-vault exec", "-d --duration", 1),
    ("npx", "-p --package -w --workspace", 0),
    ("pnpx", "-p --package", 0),
    ("bunx", "-p --package", 0),
    ("bun x", "", 0),
    ("npm exec", "-p --package -w --workspace", 0),
    ("npm x", "-p --package -w --workspace", 0),
    ("pnpm dlx", "--package", 0),
    ("pnpm exec", "-C --dir --filter -F", 0),
    ("yarn dlx", "-p --package", 0),
    ("yarn exec", "", 0),
    ("uvx", "--from --with -p --python", 0),
    ("uv tool run", "--from --with -p --python", 0),
    (
        "uv run",
        (
            "--with --with-requirements --with-editable -p --python --project --directory "
            "--package --extra --group --only-group --env-file --index --index-url"
        ),
        0,
    ),
    ("poetry run", "-C --directory -P --project", 0),
    ("pdm run", "-p --project", 0),
    ("pipenv run", "", 0),
    ("rye run", "", 0),
    ("pixi run", "-e --environment --manifest-path", 0),
    ("conda run", "-n --name -p --prefix --cwd", 0),
    ("mamba run", "-n --name -p --prefix --cwd", 0),
    ("micromamba run", "-n --name -p --prefix --cwd", 0),
    ("coverage run", "--source --omit --include --rcfile --data-file --context", 0),
    ("mise exec", "-C --cd -E --env -j --jobs", 0),
    ("mise x", "-C --cd -E --env -j --jobs", 0),
    ("asdf exec", "", 0),
    ("rbenv exec", "", 0),
    ("pyenv exec", "", 0),
    ("direnv exec", "", 1),
    ("devbox run", "-c --config -e --env", 0),
    ("bundle exec", "--gemfile", 0),
    ("composer exec", "-d --working-dir", 0),
    ("rustup run", "", 1),
    ("dotnet tool run", "", 0),
    ("nix develop", "--argstr --arg", -1),
    ("nix shell", "--argstr --arg", -1),
    ("docker exec", "-e --env --env-file -u --user -w --workdir --detach-keys", 1),
    (
        "docker run",
        (
            "-e --env --env-file -u --user -w --workdir -v --volume --mount --name --network --net "
            "-p --publish --entrypoint --platform -h --hostname -m --memory --cpus --gpus "
            "--shm-size "
            "--add-host --cap-add --security-opt --ulimit -l --label --pull"
        ),
        1,
    ),
    (
        "docker compose exec",
        "-f --file -p --project-name --profile --env-file -e --env -u --user -w --workdir --index",
        1,
    ),
    (
        "docker compose run",
        (
            "-f --file -p --project-name --profile --env-file -e --env -u --user -w --workdir -v "
            "--volume --name --entrypoint --publish -l --label"
        ),
        1,
    ),
    ("kubectl exec", "-n --namespace -c --container --context", -1),
    ("ssh", "-p -i -o -l -L -R -F -J", 1),
    ("vendor/bin/sail", "", 0),
)
_SAME = {"podman": "docker", "nerdctl": "docker", "docker-compose": "docker compose"}
#: Wrappers whose command is what follows these options, or "--".
_COMMAND_OPTIONS = ("--", "-c", "--command")
_TABLE: dict[str, list[tuple[tuple[str, ...], frozenset[str], int]]] = {}
for _words, _values, _own in _ROWS:
    _parts = tuple(_words.split())
    _TABLE.setdefault(_parts[0].rpartition("/")[2], []).append(
        (_parts[1:], frozenset(_values.split()), _own)
    )
_SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh", "fish", "pwsh", "powershell"))
_SCRIPT_OPTIONS = {
    "su": ("-c", "--command"),
    "nix-shell": ("--run", "--command"),
    "script": ("-c",),
}
_PYTHONS = ("python", "pypy", "py")
_PYTHON_VALUES = ("-W", "-X")
#: Options of ``uv run`` and ``coverage run`` that name a Python module to run.
_MODULE_OPTIONS = ("-m", "--module")
_MOST_WRAPPERS = 10


def strip_wrappers(argv: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Take the wrappers off ``argv``; return what they run, and their names.

    ``python -m pytest`` is ``pytest``. A wrapper that runs nothing stays.
    """
    words = list(argv)
    names: list[str] = []
    for _ in range(_MOST_WRAPPERS):
        words = [*_split_name(words[0]), *words[1:]] if words else words
        inner, name = _inner(words)
        if not inner:
            break
        words = _without_assignments(inner)
        names.append(name)
    return tuple(words), tuple(names)


def inner_script(argv: Sequence[str], input_text: str) -> str:
    """Return the shell text that ``argv`` runs: of ``bash -c "..."`` and the like; else ""."""
    name = base_name(argv[0]) if argv else ""
    if name in _SHELLS:
        for position, word in enumerate(argv[1:], 1):
            is_command = word.startswith("-") and not word.startswith("--") and "c" in word
            if is_command or word == "-Command":
                return argv[position + 1] if position + 1 < len(argv) else ""
            if not word.startswith(("-", "+")) and argv[position - 1] not in ("-o", "+o"):
                return ""
        return input_text
    if name == "eval":
        return " ".join(argv[1:])
    for position, word in enumerate(argv[1:-1], 1):
        if word in _SCRIPT_OPTIONS.get(name, ()):
            return argv[position + 1]
    return ""


def base_name(path: str) -> str:
    """Return the name of a program without its folder and ``.exe``/``.cmd``."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.removesuffix(".exe").removesuffix(".cmd")


def _split_name(word: str) -> list[str]:
    name = base_name(word)
    return _SAME[name].split() if name in _SAME else [word]


def _inner(words: list[str]) -> tuple[list[str], str]:
    """Return the command that the first wrapper of ``words`` runs, and the wrapper's name."""
    if not words:
        return [], ""
    name = base_name(words[0])
    if name.rstrip("0123456789.") in _PYTHONS:
        return _module(words, name)
    for more, values, own in _TABLE.get(name, ()):
        rest = _behind(words[1:], more, values)
        if rest is None:
            continue
        if own < 0:
            rest = _behind_command_option(words[1:])
        elif rest[:1] and rest[0] in _MODULE_OPTIONS:
            rest = rest[1:]
        else:
            rest = _without_options(rest[own:], frozenset()) if own else rest
        return rest, " ".join((name, *more))
    return [], ""


def _behind(words: list[str], more: Sequence[str], values: frozenset[str]) -> list[str] | None:
    """Return what follows ``more`` and the wrapper's options; None when ``more`` is not there."""
    rest = _without_options(words, values)
    for word in more:
        if rest[:1] != [word]:
            return None
        rest = _without_options(rest[1:], values)
    return rest


def _without_options(words: list[str], values: frozenset[str]) -> list[str]:
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            at += 1
            break
        is_assignment = "=" in word and word.partition("=")[0].isidentifier()
        if word in _MODULE_OPTIONS and word not in values:
            break
        if not is_assignment and (not word.startswith("-") or word == "-"):
            break
        at += 2 if word in values else 1
    return words[at:]


def _behind_command_option(words: list[str]) -> list[str]:
    for position, word in enumerate(words):
        if word in _COMMAND_OPTIONS:
            return words[position + 1 :]
    return []


def _module(words: list[str], name: str) -> tuple[list[str], str]:
    at = 1
    while at < len(words) and words[at].startswith("-") and words[at] not in ("-c", "-"):
        if words[at] == "-m":
            return words[at + 1 :], f"{name} -m"
        at += 2 if words[at] in _PYTHON_VALUES else 1
    return [], ""


def _without_assignments(words: list[str]) -> list[str]:
    return list(_drop_leading(words))


def _drop_leading(words: list[str]) -> Iterator[str]:
    leading = True
    for word in words:
        leading = leading and "=" in word and word.partition("=")[0].isidentifier()
        if not leading:
            yield word
