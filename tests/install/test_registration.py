"""The settings text before and after: placing, recognising, updating, taking out, refusing."""

import json
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import groundwire
from groundwire.errors import InstallError
from groundwire.install.entry import (
    EVENTS,
    Entry,
    current_entry,
    real_interpreter,
)
from groundwire.install.registration import (
    is_ours,
    plan_install,
    plan_uninstall,
    registered_port,
)
from groundwire.install.resident import Resident
from groundwire.server.token import default_port, ensure_token
from groundwire.state.sources import TOKEN_VARIABLE
from tests.cli.command import Command
from tests.support.tables import table, tables

TABLES = tables(__file__)
ENTRY = Entry(
    "/opt/venv/bin/python", "/opt/venv/lib/python3.11/site-packages/groundwire/hook/run.py"
)
OTHER = Entry("/usr/bin/python3.12", "/home/u/src/groundwire/hook/run.py")
#: Settings of other people's hands: indentation, order, spacing, escapes, line ends.
TEXTS = TABLES["texts"]


def handlers(text: str) -> list[tuple[str, dict[str, Any]]]:
    hooks = json.loads(text).get("hooks", {})
    return [
        (event, handler)
        for event, groups in hooks.items()
        for group in groups
        for handler in group["hooks"]
    ]


def ours(text: str) -> list[tuple[str, dict[str, Any]]]:
    return [(event, handler) for event, handler in handlers(text) if is_ours(handler)]


@table
def test_own_handlers_are_recognised(handler: dict[str, Any], expected: bool) -> None:
    assert is_ours(handler) is expected


@pytest.mark.parametrize(
    ("text", "message"),
    [*TABLES["other_shapes_are_refused_with_their_line"], ("[" * 100_000, "nested too deeply")],
)
def test_other_shapes_are_refused_with_their_line(text: str, message: str) -> None:
    for planner in (lambda text: plan_install(text, ENTRY), plan_uninstall):
        with pytest.raises(InstallError) as caught:
            planner(text)
        assert message in str(caught.value)


RESIDENT, OTHER_RESIDENT = Resident(23_000, "7f" * 32), Resident(23_001, "00" * 32)
HTTP = TABLES["http"]
STARTING = {**ENTRY.handler(), "args": [*ENTRY.handler()["args"], "--resident", "23000"]}
#: A way to answer, the same by others, and what it registers.
WAYS = {
    "process": (None, (OTHER, None), dict.fromkeys(EVENTS, ENTRY.handler())),
    "server": (
        RESIDENT,
        (ENTRY, OTHER_RESIDENT),
        {"Stop": HTTP, "SubagentStop": HTTP, "SessionStart": STARTING},
    ),
}


@pytest.mark.parametrize(("resident", "others", "expected"), WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_install_registers_once_for_each_event(
    text: str, resident: Resident | None, others: Any, expected: dict[str, Any]
) -> None:
    planned = plan_install(text, ENTRY, resident)
    assert sorted(ours(planned)) == sorted(expected.items())
    assert registered_port(planned) == (resident.port if resident else 0)
    token = json.loads(planned).get("env", {}).get(TOKEN_VARIABLE)
    assert token == (resident.token if resident else None)
    assert plan_install(planned, ENTRY, resident) == planned
    assert plan_install(plan_install(text, *others), ENTRY, resident) == planned
    assert plan_uninstall(planned) == plan_uninstall(text) == text
    from_the_other = plan_install(text, ENTRY, None if resident else RESIDENT)
    switched = plan_install(from_the_other, ENTRY, resident)
    assert json.loads(switched) == json.loads(planned)
    assert plan_uninstall(switched) == text


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
HANDLERS = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.sampled_from(["a", "b -c", "echo 'x'"])},
    optional={"timeout": st.integers(1, 600)},
)
GROUPS = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLERS, min_size=1, max_size=2)}, optional={"matcher": st.just("*")}
)
HOOKS = st.dictionaries(
    st.sampled_from(["Stop", "SessionStart", "PreToolUse"]),
    st.lists(GROUPS, min_size=1, max_size=2),
    min_size=1,
)
SETTINGS = st.dictionaries(st.text(max_size=5).filter(lambda key: key != "hooks"), VALUES).flatmap(
    lambda rest: st.none().map(lambda _: rest) | HOOKS.map(lambda hooks: {**rest, "hooks": hooks})
)
STYLES = st.fixed_dictionaries(
    {"indent": st.sampled_from([None, 0, 1, 2, 4, "\t"]), "ensure_ascii": st.booleans()},
    optional={"separators": st.just((",", ":"))},
)


@given(settings=SETTINGS, style=STYLES)
def test_any_settings_survive_the_round_trip(
    settings: dict[str, Any], style: dict[str, Any]
) -> None:
    text = json.dumps(settings, **style)
    planned = plan_install(text, ENTRY)
    assert len(ours(planned)) == len(EVENTS)
    assert [one for one in handlers(planned) if not is_ours(one[1])] == handlers(text)
    assert plan_install(planned, ENTRY) == planned
    assert plan_uninstall(planned) == text


def test_the_command_registers_keeps_the_secret_and_gives_all_back(
    cli: Command, user: Path
) -> None:
    said = cli.refused("install", "--http", "--project")
    assert "--http puts a secret into the settings" in " ".join(said.split())
    printed = cli.out("install", "--http", "--dry-run")
    assert f'"{TOKEN_VARIABLE}": "(a new token)"' in printed
    assert not (cli.home / ".local").exists()
    user.parent.mkdir(parents=True, exist_ok=True)
    user.write_text('{\n"env": []}', encoding="utf-8")
    assert 'line 2: "env" must be an object' in cli.refused("install", "--http")
    text = '{\n    "model": "opus"\n}\n'
    user.write_text(text, encoding="utf-8")
    user.chmod(0o644)
    printed = cli.out("install", "--http")
    assert f"starts the server at port {default_port()}" in printed
    token = ensure_token({"HOME": str(cli.home)})
    written = user.read_text(encoding="utf-8")
    assert json.loads(written)["env"] == {TOKEN_VARIABLE: token}
    assert written == plan_install(text, current_entry(), Resident(default_port(), token))
    assert stat.S_IMODE(user.stat().st_mode) == 0o600
    assert token not in printed
    cli.out("uninstall")
    assert user.read_text(encoding="utf-8") == text


def test_the_running_interpreter_and_the_hook_file() -> None:
    entry = current_entry()
    assert entry.interpreter == sys.executable
    assert Path(entry.file) == Path(groundwire.__file__).parent / "hook" / "run.py"


def test_a_shim_is_replaced_by_what_it_stands_for(tmp_path: Path) -> None:
    shim = tmp_path / "python"
    shim.write_text("#!/bin/sh\nexec something\n", encoding="utf-8")
    real = tmp_path / "versions" / "bin" / "python3.11"
    real.parent.mkdir(parents=True)
    real.symlink_to(sys.executable)
    assert real_interpreter(str(real), (), "3.11") == str(real)  # links are not followed
    prefixes = (str(tmp_path / "gone"), str(tmp_path / "versions"))
    assert real_interpreter(str(shim), prefixes, "3.11") == str(real)
    with pytest.raises(InstallError, match="shim"):
        real_interpreter(str(shim), (), "3.11")


def test_the_hook_command_prints_the_same() -> None:
    command = [str(Path(sys.executable).with_name("groundwire-hook")), "--where"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    [version, interpreter, file] = done.stdout.splitlines()
    assert (version, file) == (groundwire.__version__, current_entry().file)
    # The command's first line may name the environment's Python by another of its names.
    assert Path(interpreter).parent == Path(sys.executable).parent
