"""What runs in CI: reports for GitLab and JUnit, the Action and pre-commit's hooks."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from docs.generate import marker_pages
from tests.cli.command import GROUNDWIRE, GUESS, LONE, Command
from tests.e2e.conftest import OFFLINE
from tests.support.transcripts import Session

ROOT = Path(__file__).parents[2]
#: What the readers of reports ask for.
REPORTS = tomllib.loads(Path(__file__).with_name("reports.toml").read_text(encoding="utf-8"))


def session(cli: Command, *messages: str) -> None:
    """Write a session in which each of ``messages`` stands behind tests that fail."""
    one = Session()
    for message in messages:
        one.prompt("go on")
        one.bash("pytest -q", "1 failed, 7 passed in 0.4s", exit_code=1)
        one.say(message)
    cli.write("sessions/one.jsonl", one.data())


def issues(printed: str) -> list[dict[str, Any]]:
    """Return a GitLab report after a look at what its documentation asks for."""
    rows: list[dict[str, Any]] = json.loads(printed)
    for row in rows:
        path, lines = row["location"]["path"], row["location"]["lines"]
        assert all([path, row["description"], row["check_name"], row["fingerprint"]])
        assert not path.startswith(("/", "./"))
        assert row["severity"] in REPORTS["gitlab"]["severities"]
        assert lines["begin"] >= 1
    assert len({row["fingerprint"] for row in rows}) == len(rows)
    return rows


def suites(printed: str) -> ElementTree.Element:
    """Return a JUnit report after a look at its schema, and at its counts."""
    root = ElementTree.fromstring(printed)
    assert root.tag == "testsuites"
    for one in root.iter():
        may, must, children = (set(words.split()) for words in REPORTS["junit"][one.tag])
        assert must <= set(one.attrib) <= may, one.tag
        assert {child.tag for child in one} <= children
    for suite in root:
        failed = len(suite.findall("testcase/failure"))
        counts = [suite.get(name) for name in ("tests", "failures", "errors")]
        assert counts == [str(len(suite)), str(failed), "0"]
    return root


def test_reports_for_gitlab_and_junit(cli: Command) -> None:
    cli.write("a.md", f'Fine.\n\n{LONE} "A < B & C" \x07\n{LONE}\n')
    cli.write("b.md", "The log ends here.\n")
    rows = issues(cli.out("scan", "a.md", "./b.md", "--format", "gitlab"))
    assert [row["location"] for row in rows] == [
        {"path": "a.md", "lines": {"begin": line, "end": line}} for line in (3, 4)
    ]
    found = suites(cli.out("scan", "a.md", "b.md", "--format", "junit"))
    failures = {one.get("name"): one.get("failures") for one in found}
    assert failures == {"a.md": "2", "b.md": "0"}
    session(cli, "All tests pass, see `a & < b`.", "1 test failed.")
    path = "sessions/one.jsonl"
    [row] = issues(cli.out("replay", path, "--format", "gitlab"))
    assert row["description"].startswith('turn 1: "All tests pass"')
    [suite] = suites(cli.out("replay", path, "--format", "junit"))
    failed = [case.find("failure") is not None for case in suite]
    assert (failed, suite.get("tests"), suite.get("failures")) == ([True, False], "2", "1")


def test_the_rules_of_sarif_are_those_used_with_their_pages(cli: Command) -> None:
    more = ("--format", "sarif", "--docs-url", "https://docs.example.com/gw/")
    [run] = cli.scan(LONE, *more)["runs"]
    [rule] = run["tool"]["driver"]["rules"]
    page = rule["helpUri"].removeprefix("https://docs.example.com/gw/")
    assert page.replace(".html", ".md") in marker_pages()
    assert "--docs-url: 'x': allowed: " in cli.refused("scan", "--docs-url", "x", stdin=LONE)


def test_a_commit_message_is_read_as_git_takes_it(cli: Command) -> None:
    text = f"Fix it\n\n{LONE}\n# {GUESS}\n# {'-' * 24} >8 {'-' * 24}\n+{GUESS}\n"
    [found] = cli.scan(text, "--commit-message")
    assert text[found["offset"] :].startswith("I think it is the parser")


def git(*arguments: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    words = "-c user.name=a -c user.email=a@example.com -c commit.gpgsign=false".split()
    done = subprocess.run(
        ["git", *words, *arguments], cwd=cwd, env=env, capture_output=True, check=env is None
    )
    return (done.stdout + done.stderr).decode().strip()


def of_pull_request(cli: Command, title: str, commit: str, news: str) -> dict[str, str]:
    """Make the folder a checkout of a pull request; return the environment of a step in it."""
    folder = cli.folder
    (folder / ".git").rmdir()
    git("init", "-q", cwd=folder)
    shas = []
    for message in (GUESS, commit):
        git("commit", "-q", "--allow-empty", "-m", message, cwd=folder)
        shas.append(git("rev-parse", "HEAD", cwd=folder))
    cli.write("CHANGELOG.md", news)
    request = {"title": title, "body": None, "base": {"sha": shas[0]}, "head": {"sha": shas[1]}}
    event = cli.write("event.json", json.dumps({"pull_request": request}))
    return {**cli.env, "GITHUB_EVENT_PATH": str(event), "PATH": os.environ["PATH"]}


def bash(cli: Command, env: dict[str, str], *words: object) -> subprocess.CompletedProcess[str]:
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", *map(str, words)]
    return subprocess.run(
        command, env=env, cwd=cli.folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("title", "commit", "news", "code"),
    [
        ("Add a cache", "Add a cache", "A cache.", 0),
        (GUESS, "Add a cache", "A cache.", 1),
        ("Add a cache", GUESS, "A cache.", 1),
        ("Add a cache", "Add a cache", GUESS, 1),
    ],
)
def test_the_action(cli: Command, title: str, commit: str, news: str, code: int) -> None:
    env = of_pull_request(cli, title, commit, news) | {"GW_FILES": "CHANGE*\n"}
    env["PATH"] = f"{GROUNDWIRE.parent}:{env['PATH']}"
    done = bash(cli, env, ROOT / "hooks/action.sh")
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.count("::group::") == 3
    assert ("\n::error " in done.stdout) is bool(code)


@pytest.mark.e2e
def test_the_steps_of_the_action_as_they_are_written(cli: Command) -> None:
    """As a runner does: `${{ inputs.x }}` has its default or what the job gives."""
    code = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))"
    python = ROOT / ".e2e/pre-commit/bin/python"
    read = [str(python), "-c", code, str(ROOT / "action.yml")]
    action = json.loads(subprocess.run(read, capture_output=True, check=True).stdout)
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
        done = bash(cli, env | given, script)
        codes.append(done.returncode)
    assert codes == [0, 1], done.stderr
    assert done.stdout.count("::group::") == 3
    assert "\n::error " in done.stdout


@pytest.mark.e2e
def test_what_was_guessed_is_not_committed_with_pre_commit(cli: Command) -> None:
    (cli.folder / ".git").rmdir()
    env = {**cli.env, **OFFLINE, "PATH": os.environ["PATH"]}
    hooks = [{"id": f"groundwire-{it}"} for it in ("commit-message", "changelog", "pull-request")]
    repo = {"repo": str(ROOT), "rev": git("rev-parse", "HEAD", cwd=ROOT), "hooks": hooks}
    cli.write(".pre-commit-config.yaml", json.dumps({"repos": [repo]}))
    git("init", "-q", cwd=cli.folder)
    words = (".e2e/pre-commit/bin/pre-commit", "install", "-t", "commit-msg", "-t", "pre-commit")
    subprocess.run([ROOT / words[0], *words[1:]], cwd=cli.folder, env=env, check=True)
    git("add", "-A", cwd=cli.folder)
    assert "COMMIT_EDITMSG:1:" in git("commit", "-m", GUESS, cwd=cli.folder, env=env)
    assert "1 file" in git("commit", "-m", f"Add it\n\n# {GUESS}", cwd=cli.folder, env=env)
    names = [cli.write(name, GUESS).name for name in ("CHANGELOG.md", "pull_request.md")]
    git("add", "-A", cwd=cli.folder)
    said = git("commit", "-m", "Add news", cwd=cli.folder, env=env)
    assert [f"{name}:1:" in said for name in names] == [True, True]
