"""``db migrate``, ``admin config`` and ``ab-report`` as processes with a database of their own."""

import json
import subprocess
import sys
from pathlib import Path

from groundwire_admin.service import open_admin
from tests.admin.logs import grouped
from tests.cli.command import Command
from tests.support.tables import tables

STATE = ".local/state/groundwire"
CONFIG = ("admin", "config")


REFUSED: list[tuple[list[str], list[str]]] = tables(__file__)["refused"]


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


def test_the_report_as_text_and_json(cli: Command) -> None:
    """Three chats of one session in the group hybrid, each with a vote."""
    admin = open_admin(None, cli.env)
    admin.experiment.save_shares(running=True, who="ann", formula=0, llm=0, hybrid=100)
    for score, vote in ((0.9, 1), (0.9, -1), (0.6, 1)):
        grouped(admin, "s", "hybrid", score, vote)
    admin.close()
    text = cli.out("ab-report", "--since", "1d")
    line = next(line for line in text.splitlines() if line.startswith("false positives"))
    assert line.split() == ["false", "positives", "-", "-", "1/2", "50%", "(9%-91%)"]
    assert "1 of 2, 50.0% (9.5% to 90.5%)" in text
    assert "The test has been running since " in text
    assert "; 14 are planned." in text
    report = json.loads(cli.out("ab-report", "--format", "json", "--threshold", "0.5"))
    hybrid = next(one for one in report["groups"] if one["method"] == "hybrid")
    assert (hybrid["judgements"], hybrid["false_positive"]["of"]) == (3, 3)
    assert [one["state"] for one in report["criteria"]] == ["not enough data"] * 3
    assert max(map(len, text.splitlines())) <= 100


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
