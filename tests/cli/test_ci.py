"""What runs in CI: the rules of SARIF, the Action, pre-commit's hooks; reports: ``ci.console``."""

import json
import os
import sys
from pathlib import Path

import pytest

from docs.generate import marker_pages
from tests.cli.command import GROUNDWIRE, GUESS, LONE, Command
from tests.e2e.conftest import OFFLINE
from tests.support.programs import git, run_program

ROOT = Path(__file__).parents[2]


def test_the_rules_of_sarif_are_those_used_with_their_pages(cli: Command) -> None:
    more = ("--format", "sarif", "--docs-url", "https://docs.example.com/gw/")
    [run] = cli.scan(LONE, *more)["runs"]
    [rule] = run["tool"]["driver"]["rules"]
    page = rule["helpUri"].removeprefix("https://docs.example.com/gw/")
    assert page.replace(".html", ".md") in marker_pages()


def of_pull_request(cli: Command, title: str, commit: str, news: str) -> dict[str, str]:
    """Make the folder a checkout of a pull request; return the environment of a step in it."""
    folder = cli.folder
    (folder / ".git").rmdir()
    git(folder, "init", "-q")
    shas = []
    for message in (GUESS, commit):
        git(folder, "commit", "-q", "--allow-empty", "-m", message)
        shas.append(git(folder, "rev-parse", "HEAD"))
    cli.write("CHANGELOG.md", news)
    request = {"title": title, "body": None, "base": {"sha": shas[0]}, "head": {"sha": shas[1]}}
    # As the event of a push to it ("synchronize") has them.
    ends = {"before": shas[0], "after": shas[1]}
    event = cli.write("event.json", json.dumps({"pull_request": request, **ends}))
    return {**cli.env, "GITHUB_EVENT_PATH": str(event), "PATH": os.environ["PATH"]}


def bash(cli: Command, env: dict[str, str], script: Path) -> tuple[int, str, str]:
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    done = run_program(command, b"", env, cli.folder)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("guessed", ["title", "commit", "news", ""])
def test_the_action(cli: Command, guessed: str) -> None:
    parts = dict.fromkeys(("title", "commit", "news"), "Add a cache.")
    env = of_pull_request(cli, **(parts | ({guessed: GUESS} if guessed else {})))
    env |= {"GW_FILES": "CHANGE*\n", "PATH": f"{GROUNDWIRE.parent}:{env['PATH']}"}
    code, printed, told = bash(cli, env, ROOT / "hooks/action.sh")
    assert (code, told, printed.count("::group::")) == (bool(guessed), "", 3)
    assert ("\n::error " in printed) is bool(guessed)


def test_the_action_runs_nothing_of_the_checkout(cli: Command) -> None:
    env = of_pull_request(cli, *["Add a cache."] * 3)
    ran = cli.folder / "ran"
    for name in ("json.py", "sys.py", "sitecustomize.py", "groundwire.py"):
        cli.write(name, f"open({str(ran)!r}, 'w')")
    folder = cli.folder / "bin"
    folder.mkdir()
    for path in (folder / "git", cli.folder / "git", cli.folder / "cat"):
        path.write_text(f"#!/bin/sh\n: >'{ran}'\n")
        path.chmod(0o755)
    env["PATH"] = f":.:{folder}:{GROUNDWIRE.parent}:{env['PATH']}"
    env |= {"PYTHONPATH": str(cli.folder), "GW_FILES": "*.md"}
    code, printed, told = bash(cli, env, ROOT / "hooks/action.sh")
    assert (code, told, printed.count("::group::")) == (0, "", 3)
    assert not ran.exists()


NO_EVENT = "::error title=groundwire::the event cannot be read\n"


@pytest.mark.parametrize(
    ("event", "printed"),
    [("{}", ""), ('{"pull_request": [], "after": 1}', ""), *((it, NO_EVENT) for it in ("", "[]"))],
)
def test_the_action_fails_on_what_is_no_event(cli: Command, event: str, printed: str) -> None:
    env = of_pull_request(cli, *[GUESS] * 3)
    cli.write("event.json", event)
    env |= {"GW_FILES": "", "PATH": f"{GROUNDWIRE.parent}:{env['PATH']}"}
    assert bash(cli, env, ROOT / "hooks/action.sh")[:2] == (2 if printed else 0, printed)


def test_no_file_name_is_an_option_of_the_action(cli: Command) -> None:
    env = of_pull_request(cli, *["Add a cache."] * 3)
    for name in ("--help", "-", "--fail-on=nothing"):
        cli.write(name, GUESS)
    env |= {"GW_FILES": "-*", "PATH": f"{GROUNDWIRE.parent}:{env['PATH']}"}
    code, printed, told = bash(cli, env, ROOT / "hooks/action.sh")
    assert (code, told, printed.count("\n::error ")) == (1, "", 9)


@pytest.mark.e2e
def test_the_steps_of_the_action_as_they_are_written(cli: Command) -> None:
    """As a runner does: `${{ inputs.x }}` has its default or what the job gives."""
    code = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))"
    python = ROOT / ".e2e/pre-commit/bin/python"
    read = [str(python), "-c", code, str(ROOT / "action.yml")]
    action = json.loads(run_program(read, code=0).stdout)
    inputs = {name: str(one["default"]) for name, one in action["inputs"].items()}
    inputs["python"] = sys.executable
    env = of_pull_request(cli, "Add a cache", GUESS, "A cache.") | OFFLINE
    env |= {"RUNNER_TEMP": str(cli.home), "GITHUB_ACTION_PATH": str(ROOT)}
    codes = []
    for step in action["runs"]["steps"]:
        assert (set(step), step["shell"]) == ({"shell", "run", "env"}, "bash")
        given = {
            name: inputs[text.removeprefix("${{ inputs.").removesuffix(" }}")]
            for name, text in step["env"].items()
        }
        script = cli.write("step.sh", step["run"])
        exit_code, printed, told = bash(cli, env | given, script)
        codes.append(exit_code)
    assert codes == [0, 1], told
    assert printed.count("::group::") == 3
    assert "\n::error " in printed


@pytest.mark.e2e
def test_what_was_guessed_is_not_committed_with_pre_commit(cli: Command) -> None:
    (cli.folder / ".git").rmdir()
    env = {**cli.env, **OFFLINE, "PATH": os.environ["PATH"]}
    hooks = [{"id": f"groundwire-{it}"} for it in ("commit-message", "changelog", "pull-request")]
    repo = {"repo": str(ROOT), "rev": git(ROOT, "rev-parse", "HEAD"), "hooks": hooks}
    cli.write(".pre-commit-config.yaml", json.dumps({"repos": [repo]}))
    git(cli.folder, "init", "-q")
    words = ("install", "-t", "commit-msg", "-t", "pre-commit")
    run_program([ROOT / ".e2e/pre-commit/bin/pre-commit", *words], b"", env, cli.folder, 0)
    git(cli.folder, "add", "-A")
    assert "COMMIT_EDITMSG:1:" in git(cli.folder, "commit", "-m", GUESS, env=env)
    assert "1 file" in git(cli.folder, "commit", "-m", f"Add it\n\n# {GUESS}", env=env)
    names = [cli.write(name, GUESS).name for name in ("CHANGELOG.md", "pull_request.md")]
    git(cli.folder, "add", "-A")
    said = git(cli.folder, "commit", "-m", "Add news", env=env)
    assert [f"{name}:1:" in said for name in names] == [True, True]
