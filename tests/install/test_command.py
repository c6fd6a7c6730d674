"""``groundwire install`` and ``uninstall`` as commands."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.errors import InstallError
from groundwire.install import settings_file
from groundwire.install.settings_file import obstacles, plan, settings_path, write
from tests.cli.command import Command
from tests.support.tables import table


def test_scripts_at_the_paths_of_the_requirement(cli: Command, user: Path) -> None:
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
    code = (
        "import asyncio; from app.agents.nodes import calculate_confidence_node as node; "
        "state = {'query': 'q', 'response': 'r' * 150, 'context_text': '', "
        "'context_docs': [{'similarity': 0.9}, {'similarity': 0.85}]}; "
        "print(asyncio.run(node(state))['confidence_score'])"
    )
    command = [sys.executable, "-c", code]
    printed = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    assert printed == "0.818\n"
    cli.out("uninstall")
    assert not script.parent.exists()
    assert not (folder / "app").exists()
    nodes.parent.mkdir(parents=True)
    nodes.write_text("mine", encoding="utf-8")
    assert b"not made by groundwire" in cli("install", "--seed-paths").stderr
    assert nodes.read_text(encoding="utf-8") == "mine"


TEXT_SETTINGS_FILE = '{\n  "a": 1\n}\n'


def to_two(text: str) -> str:
    return text.replace("1", "2")


@table
def test_paths_of_the_scopes(scope: str, env: dict[str, str], expected: str) -> None:
    assert settings_path(scope, env, Path("/p")) == Path(expected)


def test_a_file_is_replaced_and_backed_up(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(TEXT_SETTINGS_FILE, encoding="utf-8")
    path.chmod(0o640)
    backup = write(plan(path, to_two))
    assert backup == tmp_path / "settings.json.groundwire-backup"
    assert backup.read_text(encoding="utf-8") == TEXT_SETTINGS_FILE
    assert path.read_text(encoding="utf-8") == to_two(TEXT_SETTINGS_FILE)
    assert [stat.S_IMODE(each.stat().st_mode) for each in (path, backup)] == [0o640, 0o640]
    assert sorted(tmp_path.iterdir()) == [path, backup]


@pytest.mark.parametrize(
    "content", [b'\xef\xbb\xbf{"a": 1}', b'{"a": 1}\r\n', b'{"a": 1}', '{"é\u2028": 1}'.encode()]
)
def test_mark_line_ends_and_scripts_stay(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    assert not plan(path, lambda text: text).needed
    write(plan(path, to_two))
    assert path.read_bytes() == content.replace(b"1", b"2")


def test_a_file_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(TEXT_SETTINGS_FILE, encoding="utf-8")
    change = plan(path, to_two)
    path.write_text('{"of": "another program"}', encoding="utf-8")
    with pytest.raises(InstallError, match="changed meanwhile"):
        write(change)
    assert path.read_text(encoding="utf-8") == '{"of": "another program"}'


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(InstallError, match=r"settings\.json: byte 7 is not UTF-8"):
        plan(path, to_two)
    assert obstacles({}, tmp_path) == []
    change = settings_file.Change(path / "settings.json", None, "{}", True)
    with pytest.raises(InstallError, match=r"settings\.json: File exists"):
        write(change)
    with pytest.raises(InstallError, match="HOME is not set"):
        settings_path("user", {}, tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(InstallError, match=r"settings\.json: Is a directory"):
        plan(path, to_two)


@table
def test_what_stands_in_the_way(
    files: dict[str, object], expected: list[str], tmp_path: Path
) -> None:
    env = {"HOME": str(tmp_path / "home")}
    for scope, content in files.items():
        path = settings_path(scope, env, tmp_path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    lines = obstacles(env, tmp_path)
    assert len(lines) == len(expected)
    assert all(word in line for word, line in zip(expected, lines, strict=True))
