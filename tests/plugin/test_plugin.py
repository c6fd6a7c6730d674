"""The plugin: its launchers under real shells, and the building of its environment.

Real Python, venv and pip, and no network.
"""

import fcntl
import json
import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.version import __version__
from groundwire.commands import slash
from groundwire.hook.entry import EVENTS, NOTES_EVENT, STATUS_MESSAGE, TIMEOUT_SECONDS, Entry
from tests.plugin.support import EVENT, ODD, REPOSITORY, SHELLS, TOOLS, Plugin, wait_for
from tests.support.programs import process_of
from tests.support.tables import table, tables

NAME, NAME_SESSION_START = "stop.sh", "session-start.sh"
#: What uses the answer that is kept.
LAUNCHERS = (NAME, "command.sh", "second-look.sh", "notes.sh")


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    """Return the plugin under an odd path."""
    folder = tmp_path / ODD
    folder.mkdir()
    return Plugin(folder)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("name", [NAME, NAME_SESSION_START])
def test_the_ready_environment_gets_the_event(plugin: Plugin, name: str, shell: str) -> None:
    plugin.make_ready()
    done = plugin.run(name, shell=shell)
    assert json.loads(done.stdout) == [[1, 1], EVENT]
    assert (done.code, done.stderr) == (0, "")


QUIET: dict[str, Callable[[Plugin], object]] = {
    "no data folder given": lambda plugin: plugin.environment.pop("CLAUDE_PLUGIN_DATA"),
    "an empty one": lambda plugin: plugin.environment.update(CLAUDE_PLUGIN_DATA=""),
    "a relative one": lambda plugin: plugin.environment.update(CLAUDE_PLUGIN_DATA="data"),
    "the root": lambda plugin: plugin.environment.update(CLAUDE_PLUGIN_DATA="/"),
    "data folder not there yet": Plugin.files,
    "empty data folder": lambda plugin: plugin.data.mkdir(),
    "a file in its place": lambda plugin: plugin.data.write_text("x"),
    "marker of another version": lambda plugin: (
        plugin.make_ready() and plugin.marker.rename(plugin.data / "ready-0.0.1")
    ),
    "marker is a folder": lambda plugin: plugin.marker.mkdir(parents=True),
    "plugin without its package": lambda plugin: shutil.rmtree(plugin.package),
}


@pytest.mark.parametrize("situation", QUIET)
def test_without_an_environment_the_turn_ends_silently(plugin: Plugin, situation: str) -> None:
    QUIET[situation](plugin)
    before = plugin.files()
    for shell in SHELLS:
        assert plugin.run(NAME, shell=shell) == (0, "", "")
    assert plugin.files() == before


STALE: dict[str, Callable[[Plugin], object]] = {
    "interpreter gone": lambda plugin: plugin.mark("/nowhere/bin/python", str(plugin.make_ready())),
    "file gone": lambda plugin: plugin.make_ready().unlink(),
    "interpreter is a folder": lambda plugin: plugin.mark("/tmp", str(plugin.make_ready())),
    "not executable": lambda plugin: plugin.mark(*[str(plugin.make_ready())] * 2),
    "empty marker": lambda plugin: plugin.mark(),
    "one line": lambda plugin: plugin.mark("/bin/sh"),
    "empty lines": lambda plugin: plugin.mark("", ""),
}


@pytest.mark.parametrize(
    ("situation", "shell"), list(zip(STALE, [*SHELLS] * len(STALE), strict=False)), ids=str
)
def test_a_vanished_environment_is_said_once(plugin: Plugin, situation: str, shell: str) -> None:
    STALE[situation](plugin)
    done = plugin.run(NAME, shell=shell)
    assert (done.code, done.stdout) == (0, "")
    assert done.stderr == (
        f"groundwire: the environment of {plugin.marker} cannot be used; "
        "the next session mends it\n"
    )
    assert plugin.run(NAME, shell=shell) == (0, "", "")


def add_looks(plugin: Plugin) -> None:
    """Switch the second look on, with a note that is kept."""
    looks = plugin.home / ".local/state/groundwire/second-look"
    (looks / "notes").mkdir(parents=True)
    for name in ("on", "notes/one"):
        (looks / name).touch()


#: What becomes of which file of plugin or environment.
FAILING = {
    "data/env/groundwire/hook/run.py": ("(", "raise SystemExit(1)", "import os; os.abort()"),
    "data/python": ("exit 127", "exit 2"),
    "plugin/hooks/path.sh": ("if (",),
    "plugin/hooks/launch.sh": ("if (",),
}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(("name", "text"), [(it, one) for it in FAILING for one in FAILING[it]])
def test_whatever_fails_the_turn_ends_and_the_cause_is_told(
    plugin: Plugin, name: str, text: str, shell: str
) -> None:
    file = plugin.make_ready()
    add_looks(plugin)
    if name == "data/python":
        plugin.script(plugin.data / "python", text)
        plugin.mark(str(plugin.data / "python"), str(file))
    else:
        (plugin.root.parent / name).write_text(text, encoding="utf-8")
    for launcher in (NAME, "notes.sh", NAME_SESSION_START):
        done = plugin.run(launcher, shell=shell)
        assert (done.code, done.stdout) == (0, "")
        assert done.stderr
    done = plugin.run("command.sh", shell=shell)
    assert (done.code, "groundwire failed" in done.stdout) == (0, name == "data/python")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("status", [0, 1, 2, 3])
def test_a_second_look_ends_with_0_or_wakes_with_2(plugin: Plugin, status: int, shell: str) -> None:
    """Its words alone, and it knows the client as its own parent would."""
    plugin.make_ready().write_text(
        f"import os, sys; sys.stderr.write(os.environ['CLAUDE_PID']); sys.exit({status})"
    )
    add_looks(plugin)
    done = plugin.run("second-look.sh", shell=shell)
    assert done.code == (2 if status == 2 else 0)
    assert (done.stderr == str(os.getpid())) == (status in (0, 2))
    assert plugin.run(NAME, shell=shell).code == 0


@pytest.mark.parametrize("name", ["second-look.sh", "notes.sh", NAME, NAME_SESSION_START])
def test_a_relative_folder_is_none(plugin: Plugin, name: str) -> None:
    """What lies in the folder that somebody works in switches no look on."""
    plugin.make_ready()
    add_looks(plugin)
    variables = ("HOME", "XDG_STATE_HOME", "GROUNDWIRE_STATE_DIR")
    plugin.environment |= dict.fromkeys(variables, ".")
    shutil.copytree(plugin.home / ".local/state/groundwire", plugin.home, dirs_exist_ok=True)
    before = plugin.files()
    answers = name in (NAME, NAME_SESSION_START)
    done = plugin.run(name)
    assert (done.code, done.stderr, bool(done.stdout)) == (0, "", answers)
    assert plugin.files() == before


OVER_AN_HOUR = 61 * 60


#: How an installed command begins: usually, and where the path is long or has blanks.
FIRST_LINES = ("#!{}\n", "#!/bin/sh\n'''exec' \"{}\" \"$0\" \"$@\"\n' '''\n")


def add_installed(plugin: Plugin, first: str, folder: Path) -> None:
    """Put a ``groundwire-hook`` of an environment in ``folder`` on the PATH."""
    package = folder / "lib/python3.11/site-packages/groundwire"
    shutil.move(plugin.make_ready().parents[1], package)
    plugin.marker.unlink()
    (folder / "bin").mkdir()
    (folder / "bin/python").symlink_to(sys.executable)
    script = folder / "bin/groundwire-hook"
    script.write_text(first.format(folder / "bin/python"), encoding="utf-8")
    script.chmod(0o755)
    (plugin.tools / "groundwire-hook").symlink_to(script)


@pytest.mark.parametrize(
    ("shell", "first"), list(zip(SHELLS, FIRST_LINES * len(SHELLS), strict=False))
)
def test_an_installed_groundwire_of_this_version_is_taken(
    plugin: Plugin, shell: str, first: str
) -> None:
    add_installed(plugin, first, plugin.home / "tool")
    done = plugin.run(NAME_SESSION_START, shell=shell)
    assert json.loads(done.stdout) == [[1, 1], EVENT]
    assert json.loads(plugin.run("stop.sh").stdout) == [[1, 1], EVENT]


@pytest.mark.parametrize("shell", SHELLS)
def test_nothing_of_the_project_is_run(plugin: Plugin, tmp_path: Path, shell: str) -> None:
    """Whatever the PATH says, from a folder of it, too."""
    project = plugin.home / "project"
    (project / ".git").mkdir(parents=True)
    (project / "deep").mkdir()
    (tmp_path / "link").symlink_to(project)
    ran = tmp_path / "ran"
    for name in (*TOOLS, "groundwire-hook", "python3", "python", "uname", "readlink"):
        for folder in (project, project / "deep"):
            plugin.script(folder / name, f": >'{ran}'")
    plugin.environment["PATH"] = f":.:deep:{project}:{tmp_path}/link:{plugin.tools}:"
    told = plugin.run(NAME_SESSION_START, shell=shell, folder=project / "deep").told()
    assert "prepares its Python environment" in told
    wait_for(plugin.of("failed"))
    assert not ran.exists()
    assert not plugin.marker.exists()


@pytest.mark.parametrize("place", ["here", "named", "linked", "above"])
def test_an_environment_of_the_project_is_not_taken(plugin: Plugin, place: str) -> None:
    project = plugin.home / "project"
    add_installed(plugin, FIRST_LINES[0], project / ".venv")
    (project / "deep").mkdir()
    if place == "named":
        plugin.environment["CLAUDE_PROJECT_DIR"] = str(project)
    elif place == "linked":
        (plugin.home / "link").symlink_to(project / ".venv")
        (plugin.tools / "groundwire-hook").unlink()
        (plugin.tools / "groundwire-hook").symlink_to(plugin.home / "link/bin/groundwire-hook")
    elif place == "above":
        (project / ".git").mkdir()
    folder = {"named": plugin.home, "above": project / "deep"}.get(place, project)
    add_looks(plugin)
    kept = [str(next(project.rglob(name))) for name in ("python", "run.py")]
    assert "prepares" in plugin.run(NAME_SESSION_START, folder=folder).told()
    wait_for(plugin.of("failed"))
    for name in LAUNCHERS:
        plugin.mark(*kept)
        done = plugin.run(name, folder=folder)
        assert "[[1, 1]" not in done.stdout
        assert "cannot be used" in done.stderr
        assert not plugin.marker.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="gives files to another user")
@pytest.mark.parametrize("name", ["bin/python", "lib/*/*/*/hook/run.py", "bin/groundwire-hook"])
def test_what_another_user_owns_is_not_run(plugin: Plugin, name: str) -> None:
    add_installed(plugin, FIRST_LINES[0], plugin.home / "tool")
    python = plugin.home / "tool/bin/python"
    python.unlink()
    plugin.script(python, f'exec {sys.executable} "$@"')
    [path] = (plugin.home / "tool").glob(name)
    os.chown(path, 12345, 12345)
    assert "prepares" in plugin.run(NAME_SESSION_START).told()
    os.chown(path, 0, 0)
    assert json.loads(plugin.run(NAME_SESSION_START).stdout) == [[1, 1], EVENT]
    os.chown(path, 12345, 12345)
    assert plugin.run(NAME).stdout == "" or name == "bin/groundwire-hook"


def test_the_command_that_is_told_can_be_run(plugin: Plugin) -> None:
    """The next session says so, once."""
    assert "prepares its Python environment" in plugin.run(NAME_SESSION_START).told()
    wait_for(plugin.of("failed"))
    text = plugin.run(NAME_SESSION_START).told()
    assert "it needs Python 3.11 or newer, and there is none on the PATH" in text
    assert plugin.run(NAME_SESSION_START) == plugin.run("stop.sh") == (0, "", "")
    command = text.split("then run: ", 1)[1]
    plugin.script(plugin.root / "hooks" / "again.sh", command)
    done = plugin.run("again.sh")
    assert done.code == 1
    assert "it needs Python 3.11 or newer" in done.stderr
    assert plugin.of("failed").exists()


def test_a_failure_is_tried_again_after_an_hour_and_told_only_when_new(plugin: Plugin) -> None:
    plugin.run(NAME_SESSION_START)
    wait_for(plugin.of("failed"))
    plugin.run(NAME_SESSION_START)
    past = time.time() - OVER_AN_HOUR
    os.utime(plugin.of("told"), (past, past))
    assert plugin.run(NAME_SESSION_START) == (0, "", "")
    wait_for(plugin.of("failed"))
    assert plugin.run(NAME_SESSION_START) == (0, "", "")
    plugin.of("failed").write_text('a\tb\x01\x7f "c" \\d\ne\n', encoding="utf-8")
    assert plugin.run(NAME_SESSION_START).told() == 'a b "c" \\d e'
    plugin.of("build").write_text("$ python -m venv", encoding="utf-8")  # a build runs
    assert plugin.run(NAME_SESSION_START) == (0, "", "")


TABLES = tables(__file__)
#: A build backend without dependencies, so that pip can install the plugin folder offline. The
#: project's own one is used by the end-to-end tests.
BACKEND = """
import base64, hashlib, pathlib, zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    name, info = "groundwire-{v}-py3-none-any.whl", "groundwire-{v}.dist-info/"
    files = {{str(p.relative_to("src")): p.read_bytes() for p in pathlib.Path("src").rglob("*.py")}}
    files[info + "METADATA"] = b"Metadata-Version: 2.1\\nName: groundwire\\nVersion: {v}\\n"
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    rows = "".join(f"{{name}},,\\n" for name in [*files, info + "RECORD"])
    with zipfile.ZipFile(pathlib.Path(folder, name), "w") as archive:
        for path, content in [*files.items(), (info + "RECORD", rows)]:
            archive.writestr(path, content)
    return name
"""
PROJECT = TABLES["project"]


def prepare(plugin: Plugin) -> None:
    """Give the plugin folder a build backend and its launchers a Python."""
    plugin.add_python()
    (plugin.root / "backend.py").write_text(BACKEND.format(v=__version__), encoding="utf-8")
    (plugin.root / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    plugin.environment |= {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1"}


def start_session(plugin: Plugin) -> subprocess.Popen[bytes]:
    """A SessionStart in a process group of its own, as Claude Code starts it."""
    return subprocess.Popen(
        [str(plugin.root / "hooks" / "session-start.sh")],
        env=plugin.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def environments(plugin: Plugin) -> list[Path]:
    return sorted(plugin.data.glob("env-*"))


def test_a_killed_build_is_begun_again_and_outlives_its_session(plugin: Plugin) -> None:
    prepare(plugin)
    before = plugin.files()
    with start_session(plugin) as first:
        wait_for(plugin.of("build"))
        builder = process_of(plugin.data, "--detached")
        os.killpg(int(builder.name), signal.SIGKILL)
        assert first.wait() == 0
    assert not plugin.marker.exists()
    [left_behind] = environments(plugin)
    (plugin.of("build")).unlink()

    begun = time.monotonic()
    with start_session(plugin) as second:
        assert b"prepares its Python environment" in second.communicate()[0]
        waited = time.monotonic() - begun
        assert not plugin.marker.exists(), "the session waited for the build"
    wait_for(plugin.of("build"))
    # By now no process is left in the session's group that could be ended together with it.
    with pytest.raises(ProcessLookupError):
        os.killpg(second.pid, signal.SIGKILL)
    wait_for(plugin.marker)
    assert waited < time.monotonic() - begun

    with (plugin.data / "build.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # when it has ended
    [environment] = environments(plugin)
    assert environment != left_behind
    interpreter, file = plugin.marker.read_text(encoding="utf-8").splitlines()
    assert interpreter == str(environment / "bin/python")
    assert Path(file).is_relative_to(environment)
    assert Path(file).read_bytes() == (plugin.package / "hook" / "run.py").read_bytes()
    assert not (environment / "tmp").exists()
    changed = before.items() ^ plugin.files().items()
    assert all("__pycache__" in path for path, _ in changed)
    assert plugin.run("build.sh", str(plugin.data)).code == 0
    assert environments(plugin) == [environment]


def test_without_network_the_failure_names_cause_and_command(tmp_path: Path) -> None:
    plugin = Plugin(tmp_path)
    prepare(plugin)
    project = PROJECT.replace("[]", '["hatchling"]')
    (plugin.root / "pyproject.toml").write_text(project, encoding="utf-8")
    del plugin.environment["PIP_NO_INDEX"]
    plugin.environment |= {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0"}
    done = plugin.run("build.sh", str(plugin.data))
    assert done.code == 1
    assert done.stderr == (
        "groundwire checks nothing: pip could not get the packages from the package index; "
        f"check the network. Then run: sh {plugin.root}/hooks/build.sh {plugin.data}\n"
    )
    assert plugin.of("failed").read_text(encoding="utf-8") == done.stderr
    assert not environments(plugin)
    assert not plugin.marker.exists()


def test_the_build_is_constrained(plugin: Plugin) -> None:
    prepare(plugin)
    (plugin.root / "constraints.txt").write_text("groundwire==0.0.7", encoding="utf-8")
    done = plugin.run("build.sh", str(plugin.data))
    assert done.code == 1
    assert "(constraint) groundwire==0.0.7" in plugin.of("build").read_text(encoding="utf-8")


BUILDER = runpy.run_path(str(REPOSITORY / "hooks" / "build.py"))


@table
def test_causes_are_told_in_words(log: str, expected: str) -> None:
    assert expected in BUILDER["explain"](log)


def test_the_tools_see_nothing_of_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CLAUDE_CODE_MESSAGING_TOKEN", "ANTHROPIC_API_KEY", "PIP_USER"):
        monkeypatch.setenv(name, "1")
    env = BUILDER["child_environment"](tmp_path)
    assert {"CLAUDE_CODE_MESSAGING_TOKEN", "ANTHROPIC_API_KEY"}.isdisjoint(env)
    assert (env["PIP_USER"], env["TMPDIR"]) == ("0", str(tmp_path))


def load(path: str) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads((REPOSITORY / path).read_bytes())
    return fields


def test_the_marketplace_lists_the_folder_itself() -> None:
    plugin = load(".claude-plugin/plugin.json")
    [entry] = load(".claude-plugin/marketplace.json")["plugins"]
    assert entry["source"] == "./"
    assert entry["name"] == plugin["name"] == "groundwire"
    # The version stands in plugin.json alone, which wins over an entry's.
    assert plugin["version"] == __version__
    assert "version" not in entry


ENTRY = Entry("python", "run.py")


def test_the_plugin_registers_what_install_registers() -> None:
    hooks = load("hooks/hooks.json")
    # Claude Code reports any other key at every start.
    assert set(hooks) == {"description", "hooks"}
    [answers] = hooks["hooks"].pop("UserPromptExpansion")
    names = [path.stem for path in (REPOSITORY / "commands").glob("*.md")]
    assert sorted(re.findall(r"[\w-]+", answers["matcher"])) == sorted(["groundwire", *names])
    assert sorted(names) == sorted((*slash.STOPS, *slash.MODES, slash.LOOK))
    looks = [
        group["hooks"][0]
        for group in (hooks["hooks"]["Stop"].pop(1), *hooks["hooks"].pop(NOTES_EVENT))
    ]
    wanted = (ENTRY.look_handler(), ENTRY.notes_handler())
    for name, handler, installed in zip(("second-look", "notes"), looks, wanted, strict=True):
        script = f"hooks/{name}.sh"
        assert handler == {**installed, "command": f"${{CLAUDE_PLUGIN_ROOT}}/{script}", "args": []}
        assert os.access(REPOSITORY / script, os.X_OK)
    assert tuple(hooks["hooks"]) == EVENTS
    for groups in hooks["hooks"].values():
        [[handler]] = [group.pop("hooks") for group in groups]
        assert groups == [{}]
        assert set(handler) == {"type", "command", "args", "timeout", "statusMessage"}
        assert handler["timeout"] == TIMEOUT_SECONDS
        assert handler["statusMessage"] == STATUS_MESSAGE
        # With "sh" as command and the script in "args", a Claude Code that does not know "args"
        # would feed the event, and with it the model's text, to a shell.
        found = re.fullmatch(r"\$\{CLAUDE_PLUGIN_ROOT\}/(hooks/[a-z-]+\.sh)", handler["command"])
        assert found
        assert handler["args"] == []
        assert os.access(REPOSITORY / found.group(1), os.X_OK)
