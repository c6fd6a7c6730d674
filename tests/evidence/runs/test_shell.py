"""Reading shell text: words, joints, groups, wrappers, and what becomes of an exit status."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.evidence.runs.classify import classify
from groundwire.evidence.runs.shell import Command, read_commands, read_script

BASH = shutil.which("bash")


def argvs(text: str) -> list[str]:
    """Each command as one string, for tables that are easy to read."""
    return [" ".join(command.argv) for command in read_commands(text)]


def command_of(text: str, program: str) -> Command:
    """The first command of ``text`` that runs ``program``."""
    return next(command for command in read_commands(text) if command.argv[0] == program)


QUOTED = [
    "plain",
    "'single quoted $x'",
    '"double $(echo x) quoted"',
    r'"escaped \" quote and \\ and \n"',
    r"back\ slash\'s",
    "glued'to'\"gether\"",
    r"$'tab\there \'quoted\' \\'",
    "''",
    'it"\'"s',
    "a\\\nb",
    "--option='a b'=c",
    "x#y",
    "{a}",
    "[a-z]",
    "=",
    "a=b",
]


@pytest.mark.parametrize("word", QUOTED)
def test_a_word_is_what_bash_makes_of_it(word: str) -> None:
    assert BASH is not None, "bash is needed to compare with"
    plain = word.replace("$(echo x)", "x").replace("'single quoted $x'", "'single quoted $x'")
    shown = subprocess.run(
        [BASH, "-c", f'show() {{ printf "%s\\n" "$@"; }}\nshow {plain}'],
        capture_output=True,
        text=True,
        check=True,
    ).stdout[:-1]
    (command,) = read_commands(f"show {plain}")
    assert command.argv == ("show", shown)


@given(st.lists(st.text(min_size=1), max_size=6))
def test_quoted_words_come_back(words: list[str]) -> None:
    words = [word.replace("\r\n", "\n") for word in words]
    assert read_commands(shlex.join(["prog", *words]))[0].argv == ("prog", *words)


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("", []),
        ("   \n\n  # only a comment\n", []),
        ("pytest -q", ["pytest -q"]),
        ("a && b || c; d\ne & f", ["a", "b", "c", "d", "e", "f"]),
        ("a | b |& c", ["a", "b", "c"]),
        ("a &&\n  b |\n  c", ["a", "b", "c"]),
        ("a \\\n  --flag \\\n  x", ["a --flag x"]),
        ("a # not b\nc", ["a", "c"]),
        ("a 2>&1 >out.txt <in.txt &>all.txt >>more.txt 2>/dev/null x", ["a x"]),
        ("a 3>file 10>&2 b2>c", ["a b2"]),
        ("(a; b) && { c; d; }", ["a", "b", "c", "d"]),
        ("((a))", ["a"]),
        ("if a; then b; elif c; then d; else e; fi; f", ["a", "b", "c", "d", "e", "f"]),
        ("for x in 1 2 3; do a $x; done | b", ["a $x", "b"]),
        ("for x in 1 2\ndo\n  a\ndone", ["a"]),
        ("while read -r x; do a; done < list", ["read -r x", "a"]),
        ("until a; do b; done", ["a", "b"]),
        ("case $x in a|b) c;; *) d;; esac; e", ["c", "d", "e"]),
        ("check() { a; }; function other { b; }; check", ["a", "b", "check"]),
        ("! a", ["a"]),
        ("[[ -f x && $y == (a|b) ]] && c", ["[[ -f x $y == a b ]]", "c"]),
        ("A=1 B='x y' a b=c", ["a b=c"]),
        ("A=1", []),
        ('out=$(pytest -q 2>&1); echo "$out"', ["pytest -q", "echo $out"]),
        ('out="$(a | b)" c', ["c"]),
        ("names=(a b c); d ${names[@]}", ["d ${names[@]}"]),
        ("a $(b; c) `d`", ["a $(b; c) `d`"]),
        ("diff <(a | b) <(c)", ["diff <(a | b) <(c)"]),
        ("cat > f.py <<'EOF'\npytest && it's\nEOF\na", ["cat", "a"]),
        ("cat <<-EOF | b\n\tx\n\tEOF\nc", ["cat", "b", "c"]),
        ("cat <<A <<B\n1\nA\n2\nB\nc", ["cat", "c"]),
        ("cat <<EOF\nnever closed && a", ["cat"]),
        ("cat <<< word && a", ["cat", "a"]),
        ("git commit -m \"$(cat <<'EOF'\nfix: don't (ever\nEOF\n)\" && b", None),
        ("echo $((1 << 2)) && a", ["echo $((1 << 2))", "a"]),
        ("a; } ) fi done && b", ["a", "b"]),
        ("&& a", ["a"]),
        ("| a", ["a"]),
        ("a 'never closed", ["a never closed"]),
        ("a\r\nb\r\n", ["a", "b"]),
    ],
)
def test_commands_of_a_text(text: str, commands: list[str] | None) -> None:
    found = argvs(text)
    if commands is None:  # a message that is better not repeated here
        assert [words.split()[0] for words in found] == ["git", "b"]
    else:
        assert found == commands


@pytest.mark.parametrize(
    ("text", "argv", "wrappers"),
    [
        ("timeout 60 pytest", "pytest", "timeout"),
        ("timeout -k 5 --signal=INT 2m pytest -q", "pytest -q", "timeout"),
        ("time -p make", "make", "time"),
        ("nice -n 10 make", "make", "nice"),
        ("env -u X A=1 npm test", "npm test", "env"),
        ("sudo -u dev -E make install", "make install", "sudo"),
        ("nohup ./run.sh", "./run.sh", "nohup"),
        (
            "xvfb-run -a --server-args='-screen 0' npx playwright test",
            "playwright test",
            "xvfb-run npx",
        ),
        ("npx --yes -p typescript tsc --noEmit", "tsc --noEmit", "npx"),
        ("npm exec -- jest --ci", "jest --ci", "npm exec"),
        ("pnpm dlx vitest run", "vitest run", "pnpm dlx"),
        ("pnpm exec eslint .", "eslint .", "pnpm exec"),
        ("yarn dlx eslint .", "eslint .", "yarn dlx"),
        ("bunx vitest", "vitest", "bunx"),
        ("uv run --with hypothesis -p 3.12 pytest -q", "pytest -q", "uv run"),
        ("uv run -m pytest -q", "pytest -q", "uv run"),
        ("uv run python -m pytest", "pytest", "uv run python -m"),
        ("uvx ruff check", "ruff check", "uvx"),
        ("poetry run pytest", "pytest", "poetry run"),
        ("pdm run pytest", "pytest", "pdm run"),
        ("pipenv run pytest", "pytest", "pipenv run"),
        ("rye run pytest", "pytest", "rye run"),
        ("conda run -n dev pytest", "pytest", "conda run"),
        ("coverage run --branch -m pytest -q", "pytest -q", "coverage run"),
        ("python -m coverage run -m pytest", "pytest", "python -m coverage run"),
        ("mise exec node@22 -- npm test", "node@22 -- npm test", "mise exec"),
        ("mise x -- npm test", "npm test", "mise x"),
        ("bundle exec rspec", "rspec", "bundle exec"),
        ("python -W error -m pytest", "pytest", "python -m"),
        ("python3.12 -m unittest", "unittest", "python3.12 -m"),
        (".venv/bin/python -m mypy src", "mypy src", "python -m"),
        ("docker exec -it -w /app web pytest", "pytest", "docker exec"),
        ("docker compose -f dev.yml exec -T web pytest", "pytest", "docker compose exec"),
        ("docker-compose run --rm web pytest", "pytest", "docker compose run"),
        ("docker run --rm -v .:/app img pytest", "pytest", "docker run"),
        ("podman run --rm img make test", "make test", "docker run"),
        ("kubectl exec -n x pod -- pytest", "pytest", "kubectl exec"),
        ("nix develop -c cargo test", "cargo test", "nix develop"),
        ("nix develop .#ci --command cargo test", "cargo test", "nix develop"),
        ("direnv exec . make test", "make test", "direnv exec"),
        ("rustup run nightly cargo test", "cargo test", "rustup run"),
        ("find . -name '*.py' | xargs -n 1 ruff check", "ruff check", "xargs"),
        ("stdbuf -oL make", "make", "stdbuf"),
        ("timeout 60", "timeout 60", ""),
        ("uv sync", "uv sync", ""),
        ("docker compose up -d", "docker compose up -d", ""),
        ("python script.py -m x", "python script.py -m x", ""),
    ],
)
def test_wrappers_come_off(text: str, argv: str, wrappers: str) -> None:
    command = read_commands(text)[-1]
    assert (" ".join(command.argv), " ".join(command.wrappers)) == (argv, wrappers)


@pytest.mark.parametrize(
    "text",
    [
        "bash -c 'cd web && npm test'",
        'sh -lc "cd web && npm test"',
        "bash -euo pipefail -c 'cd web && npm test'",
        "docker exec app sh -c 'cd web && npm test'",
        "ssh host 'bash -lc \"cd web && npm test\"'",
        "bash <<'EOF'\ncd web && npm test\nEOF",
        "eval 'cd web && npm test'",
        "nix-shell --run 'cd web && npm test'",
        "timeout 60 bash -c 'cd web; npm test'",
    ],
)
def test_shells_inside_are_read(text: str) -> None:
    command = read_commands(text)[-1]
    assert (command.argv, command.cwd) == (("npm", "test"), "web")


def test_a_script_is_not_the_text_of_a_shell() -> None:
    assert argvs("bash scripts/test.sh -c x") == ["bash scripts/test.sh -c x"]


@pytest.mark.parametrize(
    ("text", "cwd", "at_end"),
    [
        ("here", "", ""),
        ("cd web && here", "web", "web"),
        ("cd web; cd src/../lib/ && here", "web/lib", "web/lib"),
        ("cd /srv/app && here", "/srv/app", "/srv/app"),
        ("cd a && cd ~/x && here", "~/x", "~/x"),
        ('cd "$ROOT/web" && here', "$ROOT/web", "$ROOT/web"),
        ("(cd web && here)", "web", ""),
        ("(cd web && other); here", "", ""),
        ("{ cd web; }; here", "web", "web"),
        ("if cd web; then here; fi", "web", "web"),
        ("cd web & here", "", ""),
        ("cd web | here", "", ""),
        ("bash -c 'cd web; other'; here", "", ""),
        ("pushd web && here", "web", "web"),
        ("cd && here", "~", "~"),
        ("cd web && here && cd ..", "web", ""),
    ],
)
def test_the_folder_of_a_command(text: str, cwd: str, at_end: str) -> None:
    script = read_script(text)
    assert next(one.cwd for one in script.commands if one.argv == ("here",)) == cwd
    assert script.cwd == at_end


def test_a_shell_that_stands_in_a_folder() -> None:
    script = read_script("cd sub && pytest", "web")
    assert (script.commands[1].cwd, script.cwd) == ("web/sub", "web/sub")


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("RUN", ""),
        ("cd a && RUN", ""),
        ("RUN && echo done", ""),
        ("a; RUN", ""),
        ("RUN || exit 1", ""),
        ("RUN || { echo no; exit 2; }", ""),
        ("RUN; exit $?", ""),
        ("RUN; rc=$?; cat log; exit $rc", ""),
        ("a | RUN", ""),
        ("set -e; RUN; b", ""),
        ("set -euo pipefail\nRUN | tail\nb", ""),
        ("set -o pipefail; RUN | tee log", ""),
        ("(RUN)", ""),
        ("bash -c 'RUN'", ""),
        ("RUN | tail -5", "piped into tail"),
        ("RUN 2>&1 | /usr/bin/grep x", "piped into grep"),
        ("set -e; RUN | tail", "piped into tail"),
        ("(a && RUN) | tail", "piped into tail"),
        ("{ RUN; } 2>&1 | tail", "piped into tail"),
        ("bash -c 'RUN' | tail", "piped into tail"),
        ("RUN || true", "followed by || true"),
        ("RUN && a || b", "followed by || b"),
        ("RUN || exit 0", "followed by || exit"),
        ("RUN; echo done", "followed by ; echo"),
        ("RUN\nls", "followed by ; ls"),
        ("RUN & b", "in the background"),
        ("RUN &", "in the background"),
        ("! RUN", "its status is turned round"),
        ("if RUN; then a; fi", "in a condition"),
        ("if [ -f x ]; then RUN; fi", "in a condition"),
        ("for x in 1 2; do RUN; done", "in a loop"),
        ("out=$(RUN); echo $out", "followed by ; echo"),
        ("out=$(RUN)", ""),
    ],
)
def test_what_hides_the_exit_status(text: str, hidden: str) -> None:
    assert command_of(text, "RUN").hidden == hidden


@pytest.mark.parametrize(
    ("text", "status_text"),
    [
        ('RUN; echo "exit: $?"', "exit: $?"),
        ("RUN > log 2>&1; echo EXIT=$?; tail log", "EXIT=$?"),
        ('RUN; rc=$?; tail log; echo "rc ${rc}"', "rc $?"),
        ('rc=0; RUN || rc=$?; echo "rc=$rc"', "rc=$?"),
        ('RUN | tail; echo "${PIPESTATUS[0]}"', "${PIPESTATUS[0]}"),
        ('RUN | tail; echo "$?"', ""),
        ("RUN; echo done", ""),
    ],
)
def test_where_the_exit_status_is_printed(text: str, status_text: str) -> None:
    assert command_of(text, "RUN").status_text == status_text


@pytest.mark.parametrize(
    ("text", "on_success", "on_failure"),
    [
        ('RUN && echo "it is fine"', "it is fine", ""),
        ("RUN && echo GOOD || echo BAD", "GOOD", "BAD"),
        ("RUN || echo BAD", "", "BAD"),
        ("if RUN; then echo GOOD; else echo BAD; fi", "GOOD", "BAD"),
        ('RUN && echo "$x"', "", ""),
        ("RUN && echo GOOD > file", "", ""),
    ],
)
def test_texts_that_show_the_result(text: str, on_success: str, on_failure: str) -> None:
    command = command_of(text, "RUN")
    assert (command.on_success, command.on_failure) == (on_success, on_failure)


@pytest.mark.parametrize(
    ("text", "stdout_file", "stderr_hidden"),
    [
        ("RUN > log", "log", False),
        ("RUN >> log 2>&1", "log", False),
        ("RUN &> log", "log", False),
        ("RUN 2>/dev/null", "", True),
        ("RUN > /dev/null 2>&1", "/dev/null", False),
        ("RUN &>/dev/null", "/dev/null", True),
        ("RUN 2> errors", "", False),
        ("RUN 2>$null", "", True),
        ("(a; RUN) > log", "log", False),
        ("RUN < in", "", False),
    ],
)
def test_where_the_output_goes(text: str, stdout_file: str, stderr_hidden: bool) -> None:
    command = command_of(text, "RUN")
    assert (command.stdout_file, command.stderr_hidden) == (stdout_file, stderr_hidden)


def test_connectors_pipes_and_background() -> None:
    first, second, third, fourth = read_commands("a && b -x | tail -3 & c")
    assert [one.connector for one in (first, second, third, fourth)] == ["", "&&", "|", "&"]
    assert second.pipe_to == (("tail", "-3"),)
    assert [one.background for one in (first, second, fourth)] == [False, True, False]


def test_text_is_as_written_without_redirections() -> None:
    (command, _) = read_commands("CI=1  timeout 60   npx jest -t 'a b' 2>&1 | tail")
    assert command.text == "timeout 60 npx jest -t 'a b'"


@pytest.mark.parametrize("text", ["cat <<EOF\nx\nEOF", "python - <<'X'\nx\nX"])
def test_a_here_document_is_the_input(text: str) -> None:
    assert read_commands(text)[0].input_text == "x\n"


PIECES = st.sampled_from(
    "a b -c 'd' \"e $(f)\" ; && || | |& & ( ) { } [[ ]] $( ${ ` ' \" \\ $' <<EOF EOF < > 2>&1 "
    "> f &> # if then else fi for x in do done case esac while ! cd .. bash -c set -e timeout 1 "
    "A=1 A=$( npx echo $? \n \t éà \x00".split(" ")
)


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=40), st.sampled_from([" ", "", "\n"]))
def test_broken_text_gives_commands(pieces: list[str], joint: str) -> None:
    for command in read_commands(joint.join(pieces)):
        assert command.argv
        classify(command)


@given(st.text(max_size=200))
def test_any_text_gives_commands(text: str) -> None:
    assert all(command.argv for command in read_commands(text))


HOSTILE = [
    "$(",
    '"$(',
    "(",
    "{ ",
    "a | ",
    "(a | ",
    "a && ",
    "a || exit 1; ",
    "`",
    "<<X ",
    "<<X\n",
    "$(<<X ",
    "'",
    "\\",
    "if ",
    "if a; then ",
    "case x in ",
    "for x in a; do ",
    "bash -c '",
    'bash -c "',
    "x=$(",
    "$'",
    "${",
    "> f ",
    "[[ ",
    "cd a && ",
    "timeout 1 ",
    "A=1 ",
    "a; echo $x$?; ",
    "# x\n",
    "foo() ",
    "a a a ",
]


def lines_run(text: str) -> int:
    """Count the lines of Python that reading takes: the same number on every machine."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        read_commands(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("piece", HOSTILE)
def test_reading_is_linear(piece: str) -> None:
    once, twice = lines_run(piece * 1000), lines_run(piece * 2000)
    assert twice < 2.3 * once + 500


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_long_text_is_read_at_once(piece: str) -> None:
    # The cost that no line count shows: copying. A quadratic reader would take minutes.
    read_commands(piece * 8_000)
