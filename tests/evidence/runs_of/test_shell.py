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

from groundwire.evidence.programs import classify
from groundwire.shell.commands import Command, read_commands, read_script

BASH = shutil.which("bash")


def table(text: str) -> list[list[str]]:
    """The rows of a table in a text: the columns stand between two bars, "\\n" is a line end."""
    rows = [line.strip().replace("\\n", "\n") for line in text.strip().split("\n")]
    return [[cell.strip(" ") for cell in row.split("||||")] for row in rows]


def command_of(text: str, program: str) -> Command:
    """The first command of ``text`` that runs ``program``."""
    return next(command for command in read_commands(text) if command.argv[0] == program)


QUOTED = r"""
plain 'single' "double quoted" "escaped \" quote and \\ and \n" back\ slash\'s $'tab\t\'q\' \\' ''
glued'to'\"gether\" it"'"s --option='a b'=c x#y {a} [a-z] = a=b
"""


@pytest.mark.parametrize("line", QUOTED.strip().split("\n"))
def test_words_are_what_bash_makes_of_them(line: str) -> None:
    assert BASH is not None, "bash is needed to compare with"
    script = f'show() {{ printf "%s\\n" "$@"; }}\nshow {line}'
    shown = subprocess.run([BASH, "-c", script], capture_output=True, text=True, check=True).stdout
    (command,) = read_commands(f"show {line}")
    assert "\n".join(command.argv[1:]) == shown[:-1]


@given(st.lists(st.text(min_size=1), max_size=6))
def test_quoted_words_come_back(words: list[str]) -> None:
    words = [word.replace("\r\n", "\n") for word in words]
    assert read_commands(shlex.join(["prog", *words]))[0].argv == ("prog", *words)


COMMANDS = r"""
a && b || c; d\ne & f |||| a/b/c/d/e/f
a | b |& c |||| a/b/c
a &&\n  b |\n  c |||| a/b/c
a \\n  --flag \\n  x # not b\nc |||| a --flag x/c
a 2>&1 >out.txt <in.txt &>all.txt >>more.txt 2>null x 3>file |||| a x
(a; b) && { c; d; } |||| a/b/c/d
if a; then b; elif c; then d; else e; fi; f |||| a/b/c/d/e/f
for x in 1 2 3; do a $x; done | b |||| a $x/b
while read -r x; do a; done < list |||| read -r x/a
case $x in a|b) c;; *) d;; esac; e |||| c/d/e
check() { a; }; function other { b; }; check |||| a/b/check
[[ -f x && $y == (a|b) ]] && c |||| [[ -f x $y == a b ]]/c
A=1 B='x y' a b=c |||| a b=c
out=$(pytest -q 2>&1); echo "$out" |||| pytest -q/echo $out
names=(a b c); d ${names[@]} |||| d ${names[@]}
diff <(a | b) <(c) |||| diff <(a | b) <(c)
cat > f.py <<'EOF'\npytest && it's\nEOF\na |||| cat/a
cat <<A <<B\n1\nA\n2\nB\nc |||| cat/c
cat <<EOF\nnever closed && a |||| cat
x="$(cat <<'EOF'\nfix: don't (ever\nEOF\n)" a && b |||| a/b
echo $((1 << 2)) && a |||| echo $((1 << 2))/a
a; } ) fi done && b |||| a/b
a 'never closed |||| a never closed
a\r\nb |||| a/b
"""


@pytest.mark.parametrize(("text", "commands"), table(COMMANDS))
def test_commands_of_a_text(text: str, commands: str) -> None:
    found = [" ".join(one.argv) for one in read_commands(text.replace("\\r", "\r"))]
    assert found == commands.split("/")


WRAPPED = """
timeout -k 5 --signal=INT 2m pytest -q |||| pytest -q |||| timeout
time -p nice -n 10 make |||| make |||| time nice
env -u X A=1 sudo -u dev -E npm test |||| npm test |||| env sudo
xvfb-run -a --server-args='-screen 0' npx playwright test |||| playwright test |||| xvfb-run npx
npx --yes -p typescript tsc --noEmit |||| tsc --noEmit |||| npx
npm exec -- jest --ci |||| jest --ci |||| npm exec
uv run --with hypothesis -p 3.12 pytest -q |||| pytest -q |||| uv run
uv run -m pytest -q |||| pytest -q |||| uv run
coverage run --branch -m pytest -q |||| pytest -q |||| coverage run
python -m coverage run -m pytest |||| pytest |||| python coverage run
python -W error -m pytest |||| pytest |||| python
.venv/bin/python3.12 -m mypy src |||| mypy src |||| python3.12
docker compose -f dev.yml exec -T web pytest |||| pytest |||| docker compose exec
docker-compose run --rm web pytest |||| pytest |||| docker compose run
podman run --rm -v .:/app img make test |||| make test |||| docker run
kubectl exec -n x pod -- pytest |||| pytest |||| kubectl exec
nix develop .#ci --command cargo test |||| cargo test |||| nix develop
direnv exec . make test |||| make test |||| direnv exec
find . -name '*.py' | xargs -n 1 ruff check |||| ruff check |||| xargs
timeout 60 |||| timeout 60 ||||
docker compose up -d |||| docker compose up -d ||||
python script.py -m x |||| python script.py -m x ||||
command -v shfmt |||| command -v shfmt ||||
"""


@pytest.mark.parametrize(("text", "argv", "wrappers"), table(WRAPPED))
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
        "su dev -c 'cd web; npm test'",
    ],
)
def test_shells_inside_are_read(text: str) -> None:
    command = read_commands(text)[-1]
    assert (command.argv, command.cwd) == (("npm", "test"), "web")


def test_a_script_is_not_the_text_of_a_shell() -> None:
    assert [one.argv[1] for one in read_commands("bash scripts/test.sh -c x")] == [
        "scripts/test.sh"
    ]


FOLDERS = """
RUN |||| ||||
cd web; cd src/../lib/ && RUN |||| web/lib |||| web/lib
cd a && cd ~/x && RUN |||| ~/x |||| ~/x
cd "$ROOT/web" && RUN |||| $ROOT/web |||| $ROOT/web
(cd web && RUN) |||| web ||||
(cd web && other); RUN |||| ||||
{ cd web; }; RUN |||| web |||| web
if cd web; then RUN; fi |||| web |||| web
cd web & RUN |||| ||||
cd web | RUN |||| ||||
bash -c 'cd web; other'; RUN |||| ||||
cd && RUN |||| ~ |||| ~
cd web && RUN && cd .. |||| web ||||
"""


@pytest.mark.parametrize(("text", "cwd", "at_end"), table(FOLDERS))
def test_the_folder_of_a_command(text: str, cwd: str, at_end: str) -> None:
    assert command_of(text, "RUN").cwd == cwd
    assert read_script(text).cwd == at_end
    assert read_script("cd sub && pytest", "web").commands[1].cwd == "web/sub"


HIDDEN = r"""
cd a && RUN && echo done ||||
a; RUN ||||
RUN || { echo no; exit 2; } ||||
RUN; rc=$?; cat log; exit $rc ||||
a | RUN ||||
set -e; RUN; b ||||
set -euo pipefail\nRUN | tail\nb ||||
bash -c 'RUN' ||||
out=$(RUN) ||||
RUN 2>&1 | /usr/bin/grep x |||| piped into grep
set -e; RUN | tail |||| piped into tail
(a && RUN) | tail |||| piped into tail
bash -c 'RUN' | tail |||| piped into tail
RUN || true |||| followed by || true
RUN && a || b |||| followed by || b
RUN || exit 0 |||| followed by || exit
RUN; echo done |||| followed by ; echo
RUN\nls |||| followed by ; ls
RUN & b |||| in the background
! RUN |||| its status is turned round
if RUN; then a; fi |||| in a condition
for x in 1 2; do RUN; done |||| in a loop
out=$(RUN); echo $out |||| followed by ; echo
"""


@pytest.mark.parametrize(("text", "hidden"), table(HIDDEN))
def test_what_hides_the_exit_status(text: str, hidden: str) -> None:
    assert command_of(text, "RUN").exit.hidden == hidden


PRINTED = """
RUN; echo "exit: $?" |||| exit: $? |||| ||||
RUN; rc=$?; tail log; echo "rc ${rc}" |||| rc $? |||| ||||
rc=0; RUN || rc=$?; echo "rc=$rc" |||| rc=$? |||| ||||
RUN | tail; echo "${PIPESTATUS[0]}" |||| ${PIPESTATUS[0]} |||| ||||
RUN | tail; echo "$?" |||| |||| ||||
RUN && echo "it is fine" |||| |||| it is fine ||||
RUN && echo GOOD || echo BAD |||| |||| GOOD |||| BAD
if RUN; then echo GOOD; else echo BAD; fi |||| |||| GOOD |||| BAD
RUN && echo "$x" |||| |||| ||||
RUN && echo GOOD > file |||| |||| ||||
"""


@pytest.mark.parametrize(("text", "status", "good", "bad"), table(PRINTED))
def test_where_the_result_is_printed(text: str, status: str, good: str, bad: str) -> None:
    shown = command_of(text, "RUN").exit
    assert (shown.status_text, shown.on_success, shown.on_failure) == (status, good, bad)


STREAMS = """
RUN >> log 2>&1 |||| log ||||
RUN &> log |||| log ||||
RUN 2>/dev/null |||| |||| hidden
RUN > /dev/null 2>&1 |||| /dev/null ||||
RUN &>/dev/null |||| /dev/null |||| hidden
RUN 2> errors < in |||| ||||
(a; RUN) > log |||| log ||||
"""


@pytest.mark.parametrize(("text", "file", "errors"), table(STREAMS))
def test_where_the_output_goes(text: str, file: str, errors: str) -> None:
    command = command_of(text, "RUN")
    assert (command.stdout_file, command.stderr_hidden) == (file, bool(errors))


def test_what_stands_around_a_command() -> None:
    first, second, third, fourth = read_commands("a && b -x | tail -3 & c")
    assert [one.connector for one in (first, second, third, fourth)] == ["", "&&", "|", "&"]
    assert second.pipe_to == (("tail", "-3"),)
    assert [one.background for one in (first, second, fourth)] == [False, True, False]
    (command, _) = read_commands("CI=1  timeout 60   npx jest -t 'a b' 2>&1 | tail")
    assert command.text == "timeout 60 npx jest -t 'a b'"
    assert read_commands("python - <<'X'\nx\nX")[0].input_text == "x\n"


PIECES = st.sampled_from(
    "a b -c 'd' \"e $(f)\" ; && || | |& & ( ) { } [[ ]] $( ${ ` ' \" \\ $' <<EOF EOF < > 2>&1 "
    "> f &> # if then else fi for x in do done case esac while ! cd .. bash -c set -e timeout 1 "
    "A=1 A=$( npx eval yarn -m echo $? \n \t éà \x00".split(" ")
)


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=40), st.sampled_from([" ", "", "\n"]))
def test_broken_text_gives_commands(pieces: list[str], joint: str) -> None:
    for command in read_commands(joint.join(pieces)):
        assert command.argv
        classify(command)


HOSTILE = (
    "$(;\"$(;(;{ ;a | ;(a | ;a && ;a || exit 1~ ;`;<<X ;<<X\n;$(<<X ;';\\;if ;if a~ then ;"
    "case x in ;for x in a~ do ;bash -c ';bash -c \";x=$(;$';${;> f ;[[ ;cd a && ;timeout 1 ;"
    "A=1 ;a~ echo $x$?~ ;# x\n;foo() ;a a a ;eval ;-x "
).split(";")


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


@pytest.mark.parametrize("piece", [piece.replace("~", ";") for piece in HOSTILE])
def test_reading_is_linear(piece: str) -> None:
    once, twice = lines_run(piece * 1000), lines_run(piece * 2000)
    assert twice < 2.3 * once + 500
    read_commands(piece * 8_000)  # copying, which no line count shows, would take minutes
