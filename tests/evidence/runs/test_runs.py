"""From tool calls to runs: outcomes of real commands and of recorded outputs, order, edits."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.evidence.runs import (
    last_outcomes,
    open_failures,
    runs_of,
    source_edits,
    stale,
    weakened_tests,
)
from groundwire.evidence.runs.model import Run
from groundwire.model import ToolCall
from groundwire.transcript.read import all_entries
from groundwire.transcript.turn import split_turns
from tests.evidence.runs.outputs.fixture import read
from tests.support.transcripts import Session

Write = Callable[[Session], object]
Call = Callable[[str], ToolCall]


def calls_of(tmp_path: Path, write: Write) -> tuple[ToolCall, ...]:
    """The calls of a turn that was written to a session file and read back."""
    session = Session()
    session.prompt("go on")
    write(session)
    session.say("Done.")
    (turn,) = split_turns(all_entries(session.write(tmp_path / "s.jsonl")))
    return turn.calls


def runs(tmp_path: Path, write: Write) -> list[Run]:
    return list(runs_of(calls_of(tmp_path, write)))


def bash(command: str, result: str | None, **fields: Any) -> ToolCall:
    return ToolCall("toolu_1", "Bash", {"command": command}, result, **fields)


def short(run: Run) -> str:
    """Kind, tool and outcome of a run in words."""
    outcome = run.outcome
    counts = [
        f"{name} {value}"
        for name in ("passed", "failed", "skipped")
        if (value := getattr(outcome, name)) is not None
    ]
    return " ".join([run.kind, run.tool or "-", outcome.status, *counts])


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small project whose commands are really run."""
    folder = tmp_path_factory.mktemp("project")
    files = {
        "good/test_good.py": "def test_a():\n    assert 1\n\ndef test_b():\n    assert 2\n",
        "bad/test_bad.py": "def test_a():\n    assert 1\n\ndef test_c():\n    assert 0\n",
        "slow/test_slow.py": "import time\n\ndef test_d():\n    time.sleep(60)\n",
        "empty/readme.txt": "nothing\n",
        "clean.py": "x = 1\n",
        "messy.py": "import os\n",
        "Makefile": (
            "test:\n\t@pytest -q good\nlint:\n\t@ruff check messy.py\ncheck:\nclean:\n\t@true\n"
        ),
        "run.sh": "exit 3\n",
        "tests.sh": "pytest -q bad\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture(scope="module")
def shell(project: Path) -> Call:
    """Runs a command as the client does, and gives the tool call that its transcript would hold."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {"PATH": path, "HOME": str(project), "PYTHONDONTWRITEBYTECODE": "1"}

    def run(command: str) -> ToolCall:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=project,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        output = done.stdout.rstrip()
        if done.returncode:
            return bash(command, f"Exit code {done.returncode}\n{output}", is_error=True)
        return bash(command, output or "(Bash completed with no output)")

    return run


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest -q good", ["test pytest passed passed 2"]),
        ("pytest -q bad", ["test pytest failed passed 1 failed 1"]),
        ("pytest -q bad | tail -1", ["test pytest failed passed 1 failed 1"]),
        ("pytest -q bad > out.txt 2>&1; tail -3 out.txt", ["test pytest failed passed 1 failed 1"]),
        # the summary is not shown, and the end of the call says nothing, or says it elsewhere
        ("pytest -q bad | head -1", ["test pytest unknown"]),
        ("pytest -q good > /dev/null || true", ["test pytest unknown"]),
        ("pytest -q good > /dev/null", ["test pytest passed"]),
        ("pytest -q bad > /dev/null 2>&1", ["test pytest failed"]),
        ("pytest -q bad > /dev/null; echo exit: $?", ["test pytest failed"]),
        ("pytest -q good > /dev/null; rc=$?; ls > /dev/null; echo rc=$rc", ["test pytest passed"]),
        ("pytest -q bad > /dev/null && echo FINE || echo BROKEN", ["test pytest failed"]),
        ("if pytest -q good > /dev/null; then echo FINE; fi", ["test pytest passed"]),
        # nothing was run
        ("pytest -q empty", ["test pytest unknown"]),
        ("pytest -q good -k nothing", ["test pytest unknown"]),
        ("make check", ["test make unknown"]),
        # lists: who failed, and who was not run at all
        (
            "ruff check clean.py && pytest -q good",
            ["lint ruff passed", "test pytest passed passed 2"],
        ),
        ("ruff check messy.py && pytest -q good", ["lint ruff failed"]),
        (
            "ruff check clean.py > /dev/null && pytest -q bad",
            ["lint ruff passed", "test pytest failed passed 1 failed 1"],
        ),
        (
            "pytest -q bad; pytest -q good",
            ["test pytest failed passed 1 failed 1", "test pytest passed passed 2"],
        ),
        (
            "pytest -q good; pytest -q bad",
            ["test pytest passed passed 2", "test pytest failed passed 1 failed 1"],
        ),
        ("cd nowhere && pytest -q", ["test pytest failed"]),
        # both parsers see the one failure: only the second surely did not pass
        ("make lint && make test", ["lint ruff failed"]),
        ("make nothing && make test", ["build make failed"]),
        ("make clean; make check", ["test make unknown"]),  # to clean up is no run
        # tasks and scripts
        ("make test", ["test pytest passed passed 2"]),
        ("make lint 2>&1 | tail -20", ["lint ruff failed"]),
        ("bash tests.sh", ["test pytest failed passed 1 failed 1"]),
        ("bash run.sh", ["other - failed"]),
        ("bash run.sh; true", ["other - unknown"]),
        ("python -c 'raise ValueError(1)' 2>&1 | tail -1; true", None),
        # what does not exist
        ("some-tool run", ["other - failed"]),
        ("./none.sh 2>&1 | head", ["other - failed"]),
        ("timeout 1 pytest -q slow", ["test pytest failed"]),
    ],
)
def test_real_commands(shell: Call, command: str, expected: list[str] | None) -> None:
    found = [short(run) for run in runs_of([shell(command)])]
    if expected is None:  # a crash that only the last line shows may be seen or not
        assert found[0].split()[2] in ("failed", "unknown")
    else:
        assert [
            " ".join(one.split()[: len(want.split())])
            for one, want in zip(found, expected, strict=True)
        ] == expected


@pytest.mark.parametrize(
    ("command", "distrust"),
    [
        ("pytest -q bad | head -1", "piped into head"),
        ("pytest -q good > /dev/null || true", "followed by || true"),
        ("pytest -q good > /dev/null; echo done", "followed by ; echo"),
        ("pytest -q bad | tail -1", ""),  # the output shows it
        ("pytest -q good || true", ""),
        ("pytest -q good > /dev/null", ""),
    ],
)
def test_distrust_is_for_outcomes_that_do_not_show(
    shell: Call, command: str, distrust: str
) -> None:
    assert [run.distrust for run in runs_of([shell(command)])] == [distrust]


def test_git_for_real(shell: Call) -> None:
    setup = "git init -q -b main repo && cd repo && git config user.email a@b.c && "
    calls = [
        shell(setup + "git config user.name dev && echo 1 > a.txt && git add a.txt"),
        shell("cd repo && git commit -m 'first'"),
        shell("cd repo && git commit -m 'again'"),
        shell("cd repo && git push origin main 2>&1 | tail -6"),
    ]
    found = [short(run) for run in runs_of(calls) if run.tool != "git"]
    assert found[-3:] == [
        "git git commit passed",
        "git git commit failed",
        "git git push failed",
    ]


# recorded outputs of tools that are not installed here

RECORDED = [
    ("npx jest", "jest", "failed", 1, "test jest failed"),
    ("npm test 2>&1 | tail -8", "jest", "failed_tail", 0, "test jest failed"),
    ("yarn test", "vitest", "passed", 0, "test vitest passed"),
    ("npx tsc --noEmit | head -20", "tsc", "failed", 0, "types tsc failed"),
    ("npm run lint", "eslint", "failed", 1, "lint eslint failed"),
    ("mypy src", "mypy", "failed", 1, "types mypy failed"),
    ("tox", "tox", "failed", 1, "test tox failed"),
]


@pytest.mark.parametrize(("command", "tool", "case", "code", "expected"), RECORDED)
def test_recorded_outputs(
    tmp_path: Path, command: str, tool: str, case: str, code: int, expected: str
) -> None:
    (run,) = runs(tmp_path, lambda s: s.bash(command, read(tool, case), exit_code=code))
    assert short(run).startswith(expected)


def test_two_tasks_with_one_output_get_what_is_theirs(tmp_path: Path) -> None:
    output = read("ruff", "passed") + "\n" + read("pytest", "failed")
    lint, test = runs(tmp_path, lambda s: s.bash("just lint; just test | tail -50", output))
    assert (lint.tool, lint.outcome.status) == ("ruff", "passed")
    assert (test.tool, test.outcome.status) == ("pytest", "failed")


@pytest.mark.parametrize(
    "counted",
    [
        "npx tsc --noEmit 2>&1 | grep -c 'error TS'",
        "mypy shop | wc -l",
        "cargo clippy 2>&1 | rg --count warning",
        "golangci-lint run | grep -ic error",
        "npx eslint src | egrep -c problem",
    ],
)
def test_lines_are_not_those_of_a_run_whose_lines_were_counted(
    tmp_path: Path, counted: str
) -> None:
    command = f"npx biome check src | grep Found; {counted}"
    output = "Found 4 errors.\n94"
    biome, other = runs(tmp_path, lambda s: s.bash(command, output))
    assert (biome.outcome.status, other.outcome.status) == ("failed", "unknown")


def test_a_linter_that_passes_says_nothing_about_tests(tmp_path: Path) -> None:
    output = read("ruff", "passed")
    (run,) = runs(tmp_path, lambda s: s.bash("just test 2>&1 | tail", output))
    assert (run.outcome.status, run.distrust) == ("unknown", "piped into tail")


def test_logs_of_other_places_are_no_runs(tmp_path: Path) -> None:
    def write(session: Session) -> None:
        for command in ("gh run view 7 --log", "cat test.log", "docker logs ci", "kubectl logs x"):
            session.bash(command, read("pytest", "failed"))

    assert runs(tmp_path, write) == []


@pytest.mark.parametrize(
    ("result", "fields", "status", "line"),
    [
        (None, {}, "unknown", "no result"),
        ("", {}, "passed", "exit status 0"),
        ("(Bash completed with no output)", {}, "passed", "exit status 0"),
        ("Exit code 1", {"is_error": True}, "failed", "exit code 1"),
        ("no such thing", {"is_error": True}, "failed", "no such thing"),  # older clients
        ("x\n[Request interrupted by user]", {"is_error": True}, "unknown", "interrupted"),
        ("", {"interrupted": True}, "unknown", "interrupted"),
        (
            "Exit code 143\nCommand timed out after 2m 0.0s",
            {"is_error": True},
            "failed",
            "timed out (exit code 143)",
        ),
        ("Exit code 124", {"is_error": True}, "failed", "timed out (exit code 124)"),
        ("Exit code 137\nKilled", {"is_error": True}, "failed", "timed out (exit code 137)"),
        (
            "Exit code 127\nbash: line 1: go: command not found",
            {"is_error": True},
            "failed",
            "bash: line 1: go: command not found",
        ),
        ("Shell cwd was reset to /home/dev/shop", {}, "passed", "exit status 0"),
    ],
)
def test_ends_of_a_call(result: str | None, fields: dict[str, Any], status: str, line: str) -> None:
    (run,) = runs_of([bash("go build ./...", result, **fields)])
    assert (run.outcome.status, run.outcome.line) == (status, line)


@pytest.mark.parametrize(
    "refusal",
    [
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. ...",
        "Permission to use Bash with command npm test has been denied.",
        "Claude requested permissions to use Bash, but you haven't granted it yet.",
        "This command requires approval",
        "<tool_use_error>InputValidationError: Bash failed</tool_use_error>",
        "PreToolUse:Bash hook error: [guard.sh]: not here",
    ],
)
def test_what_was_refused_did_not_run(refusal: str) -> None:
    assert runs_of([bash("npm test", refusal, is_error=True)]) == ()


def test_a_server_that_is_stopped_has_not_failed() -> None:
    (run,) = runs_of([bash("timeout 5 ./server", "Exit code 124\nlistening", is_error=True)])
    assert run.outcome.status == "unknown"


def test_a_summary_that_looks_well_against_the_exit_code(tmp_path: Path) -> None:
    output = read("pytest", "passed")
    (run,) = runs(tmp_path, lambda s: s.bash("pytest", output, exit_code=1))
    assert run.outcome.status == "unknown"
    assert run.distrust.startswith("exit code 1")


def test_silence_of_a_checker_is_success_even_through_a_pipe() -> None:
    (run,) = runs_of([bash("npx tsc --noEmit 2>&1 | head -20", "")])
    assert (run.outcome.status, run.outcome.line) == ("passed", "no output")
    (run,) = runs_of([bash("npx tsc --noEmit 2>/dev/null | grep error", "")])
    assert run.outcome.status == "unknown"


def test_other_tools_are_no_shell() -> None:
    assert runs_of([ToolCall("t", "Read", {"command": "npm test"}, "ok")]) == ()
    assert runs_of([ToolCall("t", "Bash", {"command": 7}, "ok")]) == ()
    assert runs_of([]) == ()


def test_power_shell() -> None:
    command = "Set-Location web; npm test 2>&1 | Select-Object -Last 20"
    call = ToolCall("t", "PowerShell", {"command": command}, read("jest", "failed_tail"))
    assert [short(run).split()[2] for run in runs_of([call])] == ["failed"]


# background


def started(session: Session, command: str, task: str) -> str:
    return session.call(
        "Bash",
        {"command": command, "run_in_background": True},
        f"Command running in background with ID: {task}. Output is being written to: "
        f"/tmp/tasks/{task}.output",
        details={"stdout": "", "stderr": "", "backgroundTaskId": task},
    )


def task_output(status: str, code: str, output: str) -> str:
    exit_code = f"<exit_code>{code}</exit_code>\n\n" if code else ""
    return (
        "<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n"
        f"<task_type>local_bash</task_type>\n\n<status>{status}</status>\n\n{exit_code}"
        f"<output>\n{output}\n</output>"
    )


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        (lambda s: s.say("It runs."), "test pytest unknown"),
        (
            lambda s: s.call(
                "TaskOutput",
                {"task_id": "b1"},
                task_output("completed", "1", read("pytest", "failed")),
            ),
            "test pytest failed",
        ),
        (
            lambda s: s.call("TaskOutput", {"task_id": "b1"}, task_output("completed", "0", "")),
            "test pytest passed",
        ),
        (
            lambda s: s.call("TaskOutput", {"task_id": "b1"}, task_output("running", "", "...")),
            "test pytest unknown",
        ),
        (
            lambda s: s.call("TaskOutput", {"task_id": "b2"}, task_output("completed", "1", "x")),
            "test pytest unknown",  # another task
        ),
        (
            lambda s: s.call(
                "BashOutput",
                {"bash_id": "b1"},
                f"<status>completed</status>\n\n<exit_code>1</exit_code>\n\n<stdout>\n"
                f"{read('pytest', 'failed')}\n</stdout>\n\n<timestamp>2026-03-02</timestamp>",
            ),
            "test pytest failed",
        ),
        (lambda s: s.read("/tmp/tasks/b1.output", read("pytest", "failed")), "test pytest failed"),
        (
            lambda s: s.bash("tail -5 /tmp/tasks/b1.output", read("pytest", "passed_tail")),
            "test pytest passed",
        ),
        (lambda s: s.call("KillShell", {"shell_id": "b1"}, "killed"), "test pytest unknown"),
    ],
)
def test_background_runs_and_their_later_output(
    tmp_path: Path, later: Write, expected: str
) -> None:
    def write(session: Session) -> None:
        started(session, "pytest", "b1")
        later(session)

    (run,) = runs(tmp_path, write)
    assert short(run).startswith(expected)
    assert run.background
    assert run.index == 0


def test_a_task_whose_id_is_only_in_the_text() -> None:
    texts = (
        "Command did not complete within its 9s timeout and was moved to the background (ID: b1).",
        "Command was manually backgrounded by user with ID: b1. Output is being written to: x",
    )
    for text in texts:
        output = task_output("completed", "1", "")
        later = ToolCall("t2", "TaskOutput", {"task_id": "b1"}, output)
        (run,) = runs_of([bash("pytest", text), later])
        assert (run.outcome.status, run.background) == ("failed", True)


def test_a_note_of_the_harness_ends_a_task() -> None:
    note = (
        "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n"
        '<summary>Background command "Tests" completed (exit code 2)</summary>\n'
        "</task-notification>"
    )
    call = bash("pytest", "Command running in background with ID: b1.")
    (run,) = runs_of([call], known=[note])
    assert (run.outcome.status, run.outcome.line) == ("failed", "exit code 2")


def test_output_in_a_file_that_is_read_later(tmp_path: Path) -> None:
    def write(session: Session) -> None:
        session.bash("pytest > out.txt 2>&1 || true", "")
        session.bash("tail -3 out.txt", read("pytest", "failed_tail"))

    (run,) = runs(tmp_path, write)
    assert run.outcome.status == "failed"


def test_a_shell_job_in_the_background() -> None:
    (run,) = runs_of([bash("npm test > log 2>&1 &", "")])
    assert (run.outcome.status, run.distrust, run.background) == (
        "unknown",
        "in the background",
        True,
    )


# the folder of the shell


def signatures(calls: list[ToolCall], cwd: str = "") -> list[str]:
    return [run.signature for run in runs_of(calls, cwd)]


def test_the_shell_keeps_its_folder() -> None:
    calls = [bash("cd web && npm test", ""), bash("npm test", ""), bash("cd .. && npm test", "")]
    first, second, third = signatures(calls)
    assert first == second != third


def test_a_call_that_failed_leaves_the_shell_where_it_was() -> None:
    failed = bash("cd web && npm test", "Exit code 1\nx", is_error=True)
    first, second = signatures([failed, bash("cd web && npm test", "")])
    assert first == second


def test_the_client_puts_the_shell_back() -> None:
    reset = bash("cd /tmp && make", "Shell cwd was reset to /home/dev/shop")
    plain = signatures([bash("pytest", "")])
    assert signatures([reset, bash("pytest", "")])[1:] == plain
    assert signatures([reset, bash("pytest", "")], "/home/dev/shop")[1:] == plain


def test_absolute_folders_of_the_session() -> None:
    there = bash("cd /home/dev/shop/web && npm test", "")
    assert signatures([there], "/home/dev/shop") == signatures([bash("cd web && npm test", "")])


# order: last outcomes, open failures


def test_the_last_outcome_counts(tmp_path: Path) -> None:
    def write(session: Session) -> None:
        session.bash("pytest -x", read("pytest", "failed"), exit_code=1)
        session.bash("ruff check .", read("ruff", "passed"))
        session.bash("pytest -q", read("pytest", "passed"))
        session.bash("pytest | head -1", "")

    found = last_outcomes(runs(tmp_path, write))
    assert [(run.tool, run.outcome.status) for run in found.values()] == [
        ("ruff", "passed"),
        ("pytest", "passed"),
    ]


FAILED = ("failed", 1)
PASSED = ("passed", 0)


@pytest.mark.parametrize(
    ("first", "second", "is_open"),
    [
        (("pytest", FAILED), ("pytest -q", PASSED), False),
        (("pytest tests/a.py", FAILED), ("pytest", PASSED), False),
        (("pytest -k a", FAILED), ("pytest", PASSED), False),
        (("pytest", FAILED), ("pytest tests/a.py", PASSED), True),
        (("pytest", FAILED), ("pytest -k a", PASSED), True),
        (("pytest", FAILED), ("cd web && pytest", PASSED), True),
        (("pytest tests/a.py", FAILED), ("make test", PASSED), False),  # the same tool behind it
        (("make test", FAILED), ("pytest", PASSED), False),
        (("make test", FAILED), ("pytest tests/a.py", PASSED), True),
        (("make test", FAILED), ("make test-unit", PASSED), True),
        (("pytest", FAILED), ("pytest | head -1", ("", 0)), True),  # nothing is known of this
        (("pytest", PASSED), ("pytest", FAILED), False),  # see below: the second is open
    ],
)
def test_open_failures(
    tmp_path: Path,
    first: tuple[str, tuple[str, int]],
    second: tuple[str, tuple[str, int]],
    is_open: bool,
) -> None:
    def write(session: Session) -> None:
        for command, (case, code) in (first, second):
            session.bash(command, read("pytest", case) if case else "", exit_code=code)

    found = open_failures(runs(tmp_path, write))
    assert any(run.index == 0 for run in found) is is_open
    assert any(run.index == 1 for run in found) is (second[1] == FAILED)


def test_of_one_signature_only_the_last_failure_is_open(tmp_path: Path) -> None:
    def write(session: Session) -> None:
        for _ in range(3):
            session.bash("pytest", read("pytest", "failed"), exit_code=1)

    assert [run.index for run in open_failures(runs(tmp_path, write))] == [2]


@pytest.mark.parametrize(
    ("first", "again", "is_open"),
    [
        ("bash: line 1: ./bench.sh: No such file or directory", "cd .. && ./bench.sh --all", False),
        ("bench failed", "cd .. && ./bench.sh --all", True),
    ],
)
def test_what_could_not_start_may_be_tried_in_another_spelling(
    first: str, again: str, is_open: bool
) -> None:
    calls = [bash("./bench.sh", f"Exit code 1\n{first}", is_error=True), bash(again, "ok")]
    assert bool(open_failures(runs_of(calls))) is is_open


@pytest.mark.parametrize(
    ("result", "is_open"),
    [
        ("Exit code 143\nCommand timed out after 10m 0.0s", True),
        ("[Request interrupted by user for the command]", True),
        ("Exit code 1\nerror", True),
    ],
)
def test_what_was_cut_short_is_open(result: str, is_open: bool) -> None:
    found = open_failures(runs_of([bash("make", result, is_error=True)]))
    assert bool(found) is is_open


def test_looking_and_versions_leave_nothing_open() -> None:
    calls = [
        bash("git status", "Exit code 128\nfatal: not a git repository", is_error=True),
        bash("gcc-12 --version", "Exit code 127\ngcc-12: command not found", is_error=True),
    ]
    assert open_failures(runs_of(calls)) == ()


# edits after a run


@pytest.mark.parametrize(
    ("write", "paths"),
    [
        (lambda s: s.edit("/home/dev/shop/src/cart.py", "a", "b"), ["/home/dev/shop/src/cart.py"]),
        (lambda s: s.create("/home/dev/shop/src/new.py", "a"), ["/home/dev/shop/src/new.py"]),
        (lambda s: s.call("NotebookEdit", {"notebook_path": "a.ipynb"}, "ok"), ["a.ipynb"]),
        (lambda s: s.create("/home/dev/shop/package.json", "{}"), ["/home/dev/shop/package.json"]),
        (lambda s: s.bash("sed -i 's/a.b/c.d/' src/cart.py", ""), ["src/cart.py"]),
        (lambda s: s.bash("sed -i '' -e 's/a/b/' src/cart.py", ""), ["src/cart.py"]),
        (lambda s: s.bash("perl -pi -e 's/a/b/' src/cart.pl", ""), ["src/cart.pl"]),
        (lambda s: s.bash("cat > src/cart.py <<'EOF'\nx = 1\nEOF", ""), ["src/cart.py"]),
        (lambda s: s.bash("echo 'x = 1' >> src/cart.py", ""), ["src/cart.py"]),
        (lambda s: s.bash("echo x | tee src/cart.py", "x"), ["src/cart.py"]),
        (lambda s: s.bash("mv src/a.py src/b.py", ""), ["src/a.py", "src/b.py"]),
        (lambda s: s.bash("rm src/a.py", ""), ["src/a.py"]),
        (lambda s: s.bash("git checkout -- src/cart.py", ""), ["src/cart.py"]),
        (lambda s: s.bash("git checkout a.py b.py", ""), ["a.py", "b.py"]),
        (lambda s: s.bash("git checkout .", ""), ["git checkout"]),
        (lambda s: s.bash("git restore src", ""), ["src"]),
        (lambda s: s.bash("git cherry-pick 1a2b3c4", ""), ["git cherry-pick"]),
        (lambda s: s.bash("git stash", ""), ["git stash"]),
        (lambda s: s.bash("git reset --hard HEAD~1", ""), ["git reset"]),
        (lambda s: s.bash("patch -p1 < fix.diff", ""), ["patch"]),
        (lambda s: s.create("/home/dev/shop/requirements.txt", "x"), None),
        # none of these makes a run stale
        (lambda s: s.edit("/home/dev/shop/README.md", "a", "b"), []),
        (lambda s: s.create("/home/dev/shop/docs/guide.rst", "b"), []),
        (lambda s: s.create("/tmp/probe.py", "b"), []),
        (lambda s: s.create("/home/dev/shop/.claude/plans/plan.json", "b"), []),
        (lambda s: s.call("Edit", {"file_path": "src/a.py"}, "not found", error=True), []),
        (lambda s: s.use("Edit", {"file_path": "src/a.py"}), []),
        (lambda s: s.bash("sed -i 's/a/b/' src/cart.py", "no such file", exit_code=2), []),
        (lambda s: s.bash("sed -n 1,5p src/cart.py > /dev/null", ""), []),
        (lambda s: s.bash("git checkout -b feature", ""), []),
        (lambda s: s.bash("git checkout main", ""), []),
        (lambda s: s.bash("git checkout v1.2.3", ""), []),
        (lambda s: s.bash("git switch release/1.2 && git merge feature", ""), []),
        (lambda s: s.bash("git fetch -q && git rebase origin/main", ""), []),
        (lambda s: s.bash("git pull --rebase -q origin main && git push -q", ""), []),
        (lambda s: s.bash("git restore --staged src/cart.py", ""), []),
        (lambda s: s.bash("git stash drop", ""), []),
        (lambda s: s.bash("git stash list", ""), []),
        (lambda s: s.bash("git reset HEAD src/cart.py", ""), []),
        (lambda s: s.bash("pytest > out.log 2>&1", ""), []),
        (lambda s: s.bash("rm -rf build", ""), []),
        (lambda s: s.read("/home/dev/shop/src/cart.py", "x"), []),
    ],
)
def test_stale(tmp_path: Path, write: Write, paths: list[str] | None) -> None:
    def turn(session: Session) -> None:
        session.edit("/home/dev/shop/src/before.py", "a", "b")
        session.bash("pytest", read("pytest", "passed"))
        write(session)

    calls = calls_of(tmp_path, turn)
    run = runs_of(calls)[0]
    found = stale(run, source_edits(calls))
    assert list(found) == (["/home/dev/shop/requirements.txt"] if paths is None else paths)


def test_source_edits_name_their_calls(tmp_path: Path) -> None:
    def turn(session: Session) -> None:
        session.edit("a.py", "x", "y")
        session.read("b.py", "x")
        session.edit("a.py", "y", "z")

    assert source_edits(calls_of(tmp_path, turn)) == ((0, "a.py"), (2, "a.py"))


# tests that were taken away

ONE = "def test_a():\n    assert total() == 3\n"
TWO = ONE + "\n\ndef test_b():\n    assert total() == 4\n"


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (lambda s: s.edit("tests/test_a.py", ONE, "@pytest.mark.skip\n" + ONE), "skipped"),
        (lambda s: s.edit("tests/test_a.py", ONE, "@pytest.mark.xfail\n" + ONE), "skipped"),
        (lambda s: s.edit("cart_test.go", "x", 't.Skip("flaky")'), "skipped"),
        (lambda s: s.edit("src/lib.rs", "#[test]\nfn a", "#[test]\n#[ignore]\nfn a"), "skipped"),
        (lambda s: s.edit("a.test.ts", "  it('adds'", "  it.skip('adds'"), "skipped"),
        (lambda s: s.edit("a.test.ts", "  it('adds'", "  it.only('adds'"), "skipped"),
        (lambda s: s.edit("spec/a_spec.rb", "  it 'adds'", "  xit 'adds'"), "skipped"),
        (lambda s: s.edit("CartTest.java", "@Test", "@Disabled @Test"), "skipped"),
        (lambda s: s.edit("tests/CartTest.php", "x", "$this->markTestSkipped();"), "skipped"),
        (lambda s: s.edit("tests/test_a.py", TWO, ONE), "tests removed"),
        (lambda s: s.edit("tests/test_a.py", "assert x == 3", "print(x)"), "assertions removed"),
        (lambda s: s.edit("a.spec.ts", "expect(a).toBe(3)", "a"), "assertions removed"),
        (lambda s: s.bash("rm tests/test_a.py", ""), "deleted"),
        (lambda s: s.bash("git rm -q tests/test_a.py", ""), "deleted"),
        (
            lambda s: (s.read("tests/test_a.py", TWO), s.create("tests/test_a.py", ONE)),
            "tests removed",
        ),
        # none of these takes anything away
        (lambda s: s.edit("tests/test_a.py", ONE, TWO), ""),
        (lambda s: s.edit("tests/test_a.py", "@pytest.mark.skip\n" + ONE, ONE), ""),
        (lambda s: s.create("tests/test_a.py", ONE), ""),
        (lambda s: s.edit("src/a.py", "assert x", "x"), ""),
        (lambda s: s.edit("src/iter.rs", "x", "names.iter().skip(1)"), ""),
        (lambda s: s.edit("tests/test_a.py", "x", "sys.exit(1)"), ""),
        (lambda s: (s.edit("tests/test_a.py", ONE, ""), s.edit("tests/test_a.py", "", ONE)), ""),
        (lambda s: (s.edit("tests/test_a.py", ONE, ""), s.create("tests/test_b.py", ONE)), ""),
        (lambda s: s.bash("rm tests/test_a.py", "no such file", exit_code=1), ""),
        (lambda s: s.bash("rm src/a.py", ""), ""),
        (lambda s: s.call("Edit", {"file_path": "tests/test_a.py"}, "x", error=True), ""),
    ],
)
def test_weakened_tests(tmp_path: Path, write: Write, expected: str) -> None:
    found = {what for _, what in weakened_tests(calls_of(tmp_path, write))}
    assert found == ({expected} if expected else set())


def test_several_edits_in_one_call() -> None:
    edits = [{"old_string": ONE, "new_string": ""}, {"old_string": "", "new_string": "x"}, 7]
    call = ToolCall("t", "MultiEdit", {"file_path": "tests/test_a.py", "edits": edits}, "ok")
    assert weakened_tests([call]) == (("tests/test_a.py", "tests removed"),)


# size


def test_a_turn_of_two_thousand_calls_is_read_in_reasonable_time() -> None:
    output = read("pytest", "failed") + "x = 1\n" * 4000
    calls = [bash(f"pytest -q tests/t{n}.py 2>&1 | tail -40", output) for n in range(2000)]
    found = runs_of(calls)
    assert len(found) == 2000
    assert len(open_failures(found)) == 2000
    assert len(last_outcomes(found)) == 2000
