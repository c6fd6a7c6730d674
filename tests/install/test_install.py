"""The settings text before and after, the file that it stands in, and the commands."""

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
from groundwire.base.errors import InstallError
from groundwire.commands.registration import (
    Resident,
    is_ours,
    plan_install,
    plan_uninstall,
    registered_port,
    registered_token,
)
from groundwire.commands.settings_file import Change, obstacles, plan, settings_path, write
from groundwire.hook.entry import EVENTS, Entry, current_entry, real_interpreter
from groundwire.hook.sources import TOKEN_VARIABLE
from groundwire_server.resident.token import default_port, ensure_token
from tests.cli.command import Command
from tests.support.judge_stub import judge_stub, text
from tests.support.tables import rows, tables

TABLES = tables(__file__)
ENTRY = Entry("/opt/venv/bin/python", "/opt/venv/lib/groundwire/hook/run.py")
OTHER = Entry("/usr/bin/python3.12", "/home/u/src/groundwire/hook/run.py")
TEXTS = {**TABLES["texts"], **TABLES["odd"]}


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


def no_settings(text: str, said: str) -> bool:
    for planner in (lambda text: plan_install(text, ENTRY), plan_uninstall):
        with pytest.raises(InstallError) as caught:
            planner(text)
        assert said in str(caught.value)
    return True


def test_settings_that_are_too_deep_or_too_large() -> None:
    assert no_settings("[" * 100_000, "nested too deeply")
    with pytest.raises(InstallError, match="cannot be written again"):
        plan_install('{"a": 1e999}', ENTRY)


def in_the_way(files: dict[str, object], *, tmp_path: Path) -> list[str]:
    env = {"HOME": str(tmp_path / "home")}
    for scope, content in files.items():
        path = settings_path(scope, env, tmp_path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return [line.partition(": ")[2] for line in obstacles(env, tmp_path)]


def to_two(text: str) -> str:
    return text.replace("1", "2")


def stays(text: str, *, tmp_path: Path) -> bool:
    """Tell whether a mark, line ends and other scripts stay what they are."""
    path = tmp_path / "settings.json"
    path.write_bytes(text.encode())
    assert not plan(path, lambda text: text).needed
    write(plan(path, to_two))
    return path.read_bytes() == to_two(text).encode()


test_row = rows(
    __file__,
    stays=stays,
    own_handlers_are_recognised=is_ours,
    other_shapes_are_refused=no_settings,
    paths_of_the_scopes=lambda scope, env: str(settings_path(scope, env, Path("/p"))),
    what_stands_in_the_way=in_the_way,
)


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
    wanted = [*expected.items(), ("Stop", ENTRY.look_handler())]
    assert sorted(ours(planned), key=str) == sorted(wanted, key=str)
    assert registered_port(planned) == (resident.port if resident else 0)
    assert registered_token(planned) == (resident.token if resident else "")
    assert TOKEN_VARIABLE not in planned
    assert plan_install(planned, ENTRY, resident) == planned
    assert plan_install(plan_install(text, *others), ENTRY, resident) == planned
    assert plan_uninstall(text) == text
    assert json.loads(plan_uninstall(planned)) == json.loads(text)
    from_the_other = plan_install(text, ENTRY, None if resident else RESIDENT)
    switched = plan_install(from_the_other, ENTRY, resident)
    assert json.loads(switched) == json.loads(planned)
    assert plan_uninstall(switched) == plan_uninstall(planned)
    assert plan_uninstall(planned) == text or text in TABLES["odd"].values()


def test_no_tool_inherits_the_token_of_an_older_registration() -> None:
    older = TABLES["older"]["text"]
    assert (registered_port(older), registered_token(older)) == (23_000, "00")
    planned = json.loads(plan_install(older, ENTRY, RESIDENT))
    assert planned == json.loads(plan_install("{}", ENTRY, RESIDENT))
    assert plan_uninstall(older).strip() == "{}"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
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
NAMES = st.sampled_from(["Stop", "SessionStart", "PreToolUse"])
HOOKS = st.dictionaries(NAMES, st.lists(GROUPS, min_size=1, max_size=2), min_size=1)
KEYS = st.text(max_size=5).filter(lambda key: key != "hooks")
HOOKED: st.SearchStrategy[dict[str, Any]] = st.just({}) | st.fixed_dictionaries({"hooks": HOOKS})
SETTINGS = st.builds(lambda rest, hooked: rest | hooked, st.dictionaries(KEYS, VALUES), HOOKED)
STYLES = st.fixed_dictionaries(
    {"indent": st.sampled_from([None, 0, 1, 2, 4, "\t"]), "ensure_ascii": st.booleans()},
    optional={"separators": st.just((",", ":"))},
)


@given(settings=SETTINGS, style=STYLES)
def test_any_settings_survive_the_round_trip(
    settings: dict[str, Any], style: dict[str, Any]
) -> None:
    text = json.dumps(settings, **style)
    is_ordinary = style["indent"] in (1, 2, 4, "\t") and "separators" not in style
    planned = plan_install(text, ENTRY)
    assert len(ours(planned)) == len(EVENTS) + 1
    assert [one for one in handlers(planned) if not is_ours(one[1])] == handlers(text)
    assert plan_install(planned, ENTRY) == planned
    given_back = plan_uninstall(planned)
    assert json.loads(given_back) == settings
    assert given_back == text or not is_ordinary


def test_the_command_registers_keeps_the_secret_and_gives_all_back(cli: Command) -> None:
    user = cli.home / ".claude/settings.json"
    printed = cli.out("install", "--http", "--dry-run")
    assert '"Authorization": "Bearer (a new token)"' in printed
    assert not (cli.home / ".local").exists()
    user.parent.mkdir(parents=True, exist_ok=True)
    text = '{\n    "model": "opus"\n}\n'
    user.write_text(text, encoding="utf-8")
    user.chmod(0o644)
    printed = cli.out("install", "--http")
    assert f"starts the server at port {default_port()}" in printed
    token = ensure_token({"HOME": str(cli.home)})
    written = user.read_text(encoding="utf-8")
    assert "env" not in json.loads(written)
    assert written == plan_install(text, current_entry(), Resident(default_port(), token))
    assert stat.S_IMODE(user.stat().st_mode) == 0o600
    assert token not in printed
    cli.out("uninstall")
    assert user.read_text(encoding="utf-8") == text


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


def test_the_hook_command_prints_the_running_interpreter_and_the_hook_file() -> None:
    entry = current_entry()
    assert entry == Entry(sys.executable, str(Path(groundwire.__file__).parent / "hook/run.py"))
    command = [str(Path(sys.executable).with_name("groundwire-hook")), "--where"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    [version, interpreter, file] = done.stdout.splitlines()
    assert (version, file) == (groundwire.__version__, entry.file)
    # The command's first line may name the environment's Python by another of its names.
    assert Path(interpreter).parent == Path(sys.executable).parent


def test_scripts_at_the_paths_of_the_requirement(cli: Command) -> None:
    printed = cli.out("install", "--seed-paths")
    folder = cli.home / ".claude" / "validation"
    script, nodes = folder / "nlnh/confidence_calculator.py", folder / "app/agents/nodes.py"
    assert "FormulaWeights" in (folder / "app/models/config.py").read_text(encoding="utf-8")
    assert f"wrote {script}\nwrote {nodes}\n" in printed
    env = {"HOME": str(cli.home), "PYTHONPATH": str(folder)}
    composite = ["planner", "archon-planner-1", "0.8", "0.9", "0.7"]
    # with an interpreter that has no groundwire
    command = [sys.executable, "-I", "-S", str(script), *composite]
    printed = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    assert printed.startswith("Composite Confidence: 75.00%\nConfidence Level: MODERATE\n")
    script_of_tests = Path(__file__).with_name("requirement_002.py")
    with judge_stub("openai", text("0.7")) as stub:
        command = [sys.executable, str(script_of_tests)]
        subprocess.run(command, env={**env, **stub.env}, check=True)
    cli.out("uninstall")
    assert not script.parent.exists()
    assert not (folder / "app").exists()
    nodes.parent.mkdir(parents=True)
    nodes.write_text("mine", encoding="utf-8")
    assert b"not made by groundwire" in cli("install", "--seed-paths").stderr
    assert nodes.read_text(encoding="utf-8") == "mine"


BEFORE = '{\n  "a": 1\n}\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "settings.json"
    path.write_text(BEFORE, encoding="utf-8")
    return path


def test_a_file_is_replaced_and_backed_up(file: Path, tmp_path: Path) -> None:
    file.chmod(0o640)
    backup = write(plan(file, to_two))
    assert backup == tmp_path / "settings.json.groundwire-backup"
    assert backup.read_text(encoding="utf-8") == BEFORE
    assert file.read_text(encoding="utf-8") == to_two(BEFORE)
    assert [stat.S_IMODE(each.stat().st_mode) for each in (file, backup)] == [0o640, 0o640]
    assert sorted(tmp_path.iterdir()) == [file, backup]


def test_a_file_changed_meanwhile_is_not_overwritten(file: Path) -> None:
    change = plan(file, to_two)
    file.write_text('{"of": "another program"}', encoding="utf-8")
    with pytest.raises(InstallError, match="changed meanwhile"):
        write(change)
    assert file.read_text(encoding="utf-8") == '{"of": "another program"}'


def test_errors_name_the_file(file: Path, tmp_path: Path) -> None:
    file.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(InstallError, match=r"settings\.json: byte 7 is not UTF-8"):
        plan(file, to_two)
    assert obstacles({}, tmp_path) == []
    change = Change(file / "settings.json", None, "{}", True)
    with pytest.raises(InstallError, match=r"settings\.json: File exists"):
        write(change)
    with pytest.raises(InstallError, match="HOME is not set"):
        settings_path("user", {}, tmp_path)
    file.unlink()
    file.mkdir()
    with pytest.raises(InstallError, match=r"settings\.json: Is a directory"):
        plan(file, to_two)
