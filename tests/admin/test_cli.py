"""``db migrate``, ``admin config`` and ``ab-report`` as processes with a database of their own."""

import json
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Command

STATE = ".local/state/groundwire"
CONFIG = ("admin", "config")


@pytest.fixture
def file(cli: Command) -> Path:
    return cli.home / STATE / "groundwire.db"


def get(cli: Command, *options: str) -> Any:
    return json.loads(cli.out("admin", "config", "get", *options))


def put(cli: Command, *arguments: str, **more: Any) -> Any:
    return json.loads(cli.out("admin", "config", "set", *arguments, **more))


def test_migrate_makes_a_private_file_and_goes_up_and_down(cli: Command, file: Path) -> None:
    assert cli.out("db", "migrate") == f"sqlite:///{file}: at revision 007, was empty\n"
    assert cli.out("db", "migrate") == f"sqlite:///{file}: at revision 007, nothing to do\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    with sqlite3.connect(file) as database:
        assert database.execute("SELECT count(*) FROM agent_configs").fetchone() == (6,)
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    database.close()
    said = cli.out("db", "migrate", "--downgrade", "004")
    assert said == f"sqlite:///{file}: at revision 004, was 007\n"
    assert cli.out("db", "migrate", "--downgrade", "base").endswith("at revision none, was 004\n")


def test_another_file(cli: Command, tmp_path: Path, file: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a folder' / 'x.db'}"
    assert "there is no folder" in cli.refused("db", "migrate", "--db", url)
    (tmp_path / "a folder").mkdir()
    assert "at revision 007" in cli.out("db", "migrate", "--db", url)
    assert put(cli, "method=llm", "--db", url)["version"] == 2
    assert get(cli, "--db", url)["config"]["confidence_calculation"]["method"] == "llm"
    assert not file.exists()


def test_get_and_set(cli: Command) -> None:
    first = get(cli, "--environment", "production")
    assert (first["profile"], first["version"], first["active"]) == ("production", 1, True)
    weights = ["hybrid_settings.formula_weight=0.7", "hybrid_settings.llm_weight=0.3"]
    second = put(cli, "method=hybrid", *weights)
    document = second["config"]["confidence_calculation"]
    assert document["method"] == "hybrid"
    assert document["hybrid_settings"] == {"formula_weight": 0.7, "llm_weight": 0.3}
    assert document["formula_weights"]["similarity"] == 0.8
    assert get(cli) == second
    assert put(cli, "method=llm", "--environment", "staging", "--create")["source"] == "staging"
    assert get(cli, "--environment", "staging")["profile"] == "staging"


def test_every_way_to_write_a_change(cli: Command) -> None:
    document = '{"method": "llm"}'
    ways = [document, f'{{"confidence_calculation": {document}}}', "method=llm", 'method="llm"']
    for way in (*ways, "confidence_calculation.method=llm", "-"):
        before = put(cli, "method=formula")["version"]
        view = put(cli, way, stdin=document if way == "-" else "")
        assert view["config"]["confidence_calculation"]["method"] == "llm"
        assert view["version"] == before + 1


def test_a_new_profile_is_made_and_activated(cli: Command) -> None:
    made = put(cli, "method=llm", "--environment", "uat", "--profile", "trial")
    assert (made["profile"], made["active"], made["version"]) == ("trial", False, 1)
    assert get(cli, "--environment", "uat")["profile"] == "uat"
    made = put(cli, "method=llm", "--environment", "uat", "--profile", "trial", "--activate")
    assert made["active"] is True
    assert get(cli, "--environment", "uat")["profile"] == "trial"


REFUSED: list[tuple[list[str], list[str]]] = [
    ([*CONFIG, "set", "method"], ["admin config set: 'method'", "KEY=VALUE"]),
    ([*CONFIG, "set", "{"], ["admin config set: not JSON"]),
    ([*CONFIG, "set", "{}", "a=1"], ["one JSON object, or KEY=VALUE"]),
    ([*CONFIG, "set", "method=magic"], ['method: value "magic"', "formula or llm"]),
    ([*CONFIG, "set", "metod=llm"], ["metod: unknown key", "allowed: method"]),
    ([*CONFIG, "set", "a=1", "a.b=2"], ["a.b", "'a' is a value already"]),
    ([*CONFIG, "set", "llm_settings.temperature=3"], ["temperature: value 3", "0 to 2"]),
    (
        [*CONFIG, "set", "hybrid_settings.llm_weight=0.9"],
        ["formula_weight 0.6 + llm_weight 0.9 = 1.5"],
    ),
    ([*CONFIG, "get", "--profile", "x"], ["all/x: does not exist", "all/default"]),
    ([*CONFIG, "get", "--environment", "a b"], ["--environment: value 'a b'"]),
    ([*CONFIG, "get", "--environment", "prodution"], ["'prodution': allowed: production, all"]),
    ([*CONFIG, "set", "method=llm", "--environment", "prodution"], ["'prodution': allowed"]),
    (["confidence", "--environment", "prodution"], ["'prodution': allowed: production, all"]),
    (["db", "migrate", "--downgrade", "099"], ["'099'", "allowed: base, 001"]),
    (["db", "migrate", "--db", "mysql://u:secret@h/x"], ["unknown database 'mysql'", "postgresql"]),
    (["db", "migrate", "--db", "nonsense"], ["not a database URL", "sqlite:///PATH"]),
    (["db", "migrate", "--db", "sqlite://"], ["in memory is lost"]),
    (["db", "migrate", "--db", "sqlite:////proc/x/y.db"], ["sqlite:////proc/x/y.db: "]),
    (
        [*CONFIG, "get", "--db", "postgresql://u:secret@127.0.0.1:1/x"],
        ["postgresql+psycopg://u:***@127.0.0.1:1/x", "onnection"],
    ),
    (["ab-report", "--threshold", "2"], ["threshold: value 2", "from 0 to 1"]),
    (["ab-report", "--since", "soon"], ["--since: 'soon'", "7d"]),
]


def test_bad_input_is_named_with_what_is_allowed(cli: Command, tmp_path: Path) -> None:
    for arguments, causes in REFUSED:
        said = cli.refused(*arguments)
        assert [cause for cause in causes if cause not in said] == [], said
        assert "secret" not in said
        assert "sqlalche.me" not in said
    path = tmp_path / "x.db"
    path.write_text("hello " * 1_000)
    said = cli.refused("db", "migrate", "--db", f"sqlite:///{path}")
    assert said == f"groundwire: sqlite:///{path}: file is not a database\n"
    said = cli.refused("db", "migrate", env={"HOME": ""})
    assert "HOME is not set: name a database with --db" in said


def test_the_report_as_text_and_json(cli: Command, file: Path) -> None:
    text = cli.out("ab-report")
    assert "formula/llm/hybrid 33/33/34 percent" in text
    assert text.count("not enough data") == 3
    assert "The test is not running." in text
    fill(file)
    text = cli.out("ab-report", "--since", "1d")
    line = next(line for line in text.splitlines() if line.startswith("false positives"))
    assert line.split() == ["false", "positives", "-", "-", "1/2", "50%", "(9%-91%)"]
    assert "1 of 2, 50.0% (9.5% to 90.5%)" in text
    assert "The test has been running since 2026-11-01 00:00 UTC, for " in text
    assert " of 14 days." in text
    report = json.loads(cli.out("ab-report", "--format", "json", "--threshold", "0.5"))
    hybrid = next(one for one in report["groups"] if one["method"] == "hybrid")
    assert (hybrid["judgements"], hybrid["false_positive"]["of"]) == (3, 3)
    assert [one["state"] for one in report["criteria"]] == ["not enough data"] * 3
    assert max(map(len, text.splitlines())) <= 100


def fill(file: Path) -> None:
    """Three chats of one session in the group hybrid, each with a vote."""
    database = sqlite3.connect(file)
    now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
    shares = '{"running": true, "started": "2026-11-01T00:00:00+00:00", "formula": 0, "llm": 0}'
    shares = shares.replace('"llm": 0', '"llm": 0, "hybrid": 100')
    with database:
        database.execute(f"INSERT INTO options VALUES ('shares', ?, 1, {now}, 'ann')", (shares,))
        database.execute(f"INSERT INTO assignments VALUES ('s', 'hybrid', 70, {now})")
        for number, (score, vote) in enumerate([(0.9, 1), (0.9, -1), (0.6, 1)], start=1):
            database.execute(
                "INSERT INTO judgements VALUES (?, "
                f"{now}, 'chat', 's', 'all', 'hybrid', 'hybrid', ?, 0.8, ?, '{{}}', 'openai', 'm', "
                "1, 90, 10, 0.0002, 700.0, 'x', 0, '')",
                (number, score, score),
            )
            database.execute(
                f"INSERT INTO feedback VALUES (?, {now}, 'ann', ?, NULL, ?, '')",
                (number, number, vote),
            )
    database.close()


def test_without_the_extra_one_line_says_what_to_install(tmp_path: Path) -> None:
    """As in an environment with the core packages only: those of the extra cannot be found."""
    program = (
        "import sys\n"
        "class Gone:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.partition('.')[0] in ('sqlalchemy', 'alembic', 'fastapi', 'uvicorn'):\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Gone())\n"
        "from groundwire.cli.main import main\n"
        "sys.argv[0] = 'groundwire'\n"
        "sys.exit(main())\n"
    )
    env = Command(tmp_path).env
    for command in (["db", "migrate"], [*CONFIG, "get"], ["ab-report"], ["serve", "--admin"]):
        started = [sys.executable, "-c", program, *command]
        done = subprocess.run(started, env=env, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, ""), command
        [line] = done.stderr.splitlines()
        assert line.endswith("is not installed; this needs: pip install 'groundwire[server]'")
