"""What ``doctor.console`` cannot say: hooks of others, the server, errors of earlier days."""

import json
import re
import sys
import time
from pathlib import Path

import pytest

from groundwire.base.version import __version__
from groundwire.commands.checks.finding import LEVELS, table
from groundwire_server.resident.token import ensure_token
from tests.cli.command import Command
from tests.server.resident import Resident, free_port
from tests.support.console import Steps, play, sessions
from tests.support.tables import table as rows_of


@sessions(Path(__file__).with_name("doctor.console"))
def test_session(steps: Steps, cli: Command) -> None:
    play(cli, steps)


def found(cli: Command) -> list[list[str]]:
    """Return level, text and remedy of each finding; nothing is changed, no control is shown."""
    files = {name: (cli.home / name).read_bytes() for name in cli.files()}
    printed = cli("doctor", "--format", "json").stdout
    assert b"\x1b" not in cli("doctor").stdout
    assert {name: (cli.home / name).read_bytes() for name in files} == files
    return [[one["level"], one["text"], one["remedy"]] for one in json.loads(printed)["findings"]]


def has(cli: Command, level: str, words: str, remedy: str = "") -> bool:
    return any(one == level and words in text and remedy in it for one, text, it in found(cli))


def register(cli: Command, code: str, version: str = "0.1.0") -> Path:
    """Register another file of the hook's name; return the settings."""
    cli.write("../other/groundwire/__init__.py", f'__version__ = "{version}"\n')
    file = cli.write("../other/groundwire/hook/run.py", code).resolve()
    cli.out("install")
    path = cli.home / ".claude/settings.json"
    settings = json.loads(path.read_bytes())
    for groups in settings["hooks"].values():
        groups[0]["hooks"][0] |= {"command": sys.executable, "args": ["-I", "-S", str(file)]}
    path.write_text(json.dumps(settings), encoding="utf-8")
    return path


@rows_of
def test_what_another_file_answers(
    version: str, code: str, level: str, words: str, cli: Command
) -> None:
    register(cli, f"import sys\nassert len(sys.argv) == 1\n{code}", version)
    assert has(cli, level, words, "groundwire install")


def test_what_a_project_names_is_not_started(cli: Command) -> None:
    settings = register(cli, f"open({str(cli.home / 'started')!r}, 'w')")
    cli.write(".claude/settings.json", settings.read_bytes())
    settings.unlink()
    assert has(cli, "note", "it was not tried, the project names it")
    assert "started" not in cli.files()


def test_the_resident_server(cli: Command) -> None:
    port = free_port()
    cli.out("install", "--http", "--port", str(port))
    assert has(cli, "broken", f"does not run at port {port}", f"groundwire serve --port {port}")
    server = Resident(cli.home)
    try:
        cli.out("install", "--http", "--port", str(server.port))
        said = f"the resident server answers at port {server.port}, version {__version__}"
        assert has(cli, "ok", said)
        assert has(cli, "ok", "starts and stops a sample turn")
        assert ensure_token(cli.env) == server.token
    finally:
        server.close()


@pytest.mark.parametrize(("last", "level"), [("disk full\x1b]0;x\x07", "warning"), ("", "note")])
def test_errors(cli: Command, last: str, level: str) -> None:
    lines = ""
    for days, error in ((2, "disk full"), (1, last)):
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - days * 86_400))
        row = {"id": f"{days}", "time": stamp, "event": "Stop", "decision": "pass", "matches": []}
        lines += json.dumps({**row, "error": error, "milliseconds": 20.0}) + "\n"
    cli.write("../.local/state/groundwire/decisions.jsonl", lines)
    cli("composite", "patcher", "p-1", "0.9", "1.0", "0.9", "--history", "0.9")
    [history] = (cli.home / ".claude/validation/history").iterdir()
    history.write_bytes(history.read_bytes() + b"null\n\xff\n")
    words = f"{2 if last else 1} {'turns' if last else 'turn'} of 2 ended unchecked, the last: "
    assert has(cli, level, f"{words}disk full", "end a turn" if last else "")
    assert has(cli, "note", "in the history, which are ignored: 2")


def test_each_row_of_the_table_is_found_somewhere() -> None:
    code = "".join(path.read_text("utf-8") for path in Path("src").rglob("*.py"))
    rows = {f"{area}.{name}": row for area, named in table().items() for name, row in named.items()}
    assert {name for name in rows if f'"{name}"' not in code} == set()
    assert set(re.findall(r'found\(\s*"([^"]+)"', code)) <= set(rows)
    assert {level for level, *_ in rows.values()} == {"", *LEVELS}
