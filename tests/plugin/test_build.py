"""Building the plugin's environment: real Python, venv and pip, and no network."""

import fcntl
import json
import os
import re
import runpy
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from groundwire import __version__
from groundwire.cli import slash
from groundwire.install.entry import EVENTS, STATUS_MESSAGE, TIMEOUT_SECONDS
from tests.plugin.support import REPOSITORY, Plugin, wait_for
from tests.support.tables import table, tables

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


def builder_of(plugin: Plugin) -> int:
    """The process that holds the build's lock, found by its command line."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            words = (entry / "cmdline").read_bytes().split(b"\0")
            is_builder = any(word.endswith(b"build.py") for word in words)
            if is_builder and str(plugin.data).encode() in words:
                return int(entry.name)
    raise AssertionError("no builder is running")


def environments(plugin: Plugin) -> list[Path]:
    return sorted(plugin.data.glob("env-*"))


def test_a_killed_build_is_begun_again_and_outlives_its_session(plugin: Plugin) -> None:
    prepare(plugin)
    before = plugin.files()
    with start_session(plugin) as first:
        wait_for(plugin.of("build"))
        os.killpg(builder_of(plugin), signal.SIGKILL)
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


def test_the_plugin_registers_what_install_registers() -> None:
    hooks = load("hooks/hooks.json")
    # Claude Code reports any other key at every start.
    assert set(hooks) == {"description", "hooks"}
    [answers] = hooks["hooks"].pop("UserPromptExpansion")
    names = [path.stem for path in (REPOSITORY / "commands").glob("*.md")]
    assert sorted(re.findall(r"\w+", answers["matcher"])) == sorted(["groundwire", *names])
    assert sorted(names) == sorted((*slash.STOPS, *slash.MODES))
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
