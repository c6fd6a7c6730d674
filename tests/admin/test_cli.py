"""``db migrate``, ``admin config`` and ``ab-report`` as processes with a database of their own."""

import subprocess
import sys
from pathlib import Path

from tests.cli.command import Command
from tests.support.tables import tables

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


def test_without_the_extra_one_line_says_what_to_install(tmp_path: Path) -> None:
    """As in an environment with the core packages only: those of the extra cannot be found."""
    program = (
        "import sys\n"
        "class Gone:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.partition('.')[0] in ('sqlalchemy', 'alembic', 'fastapi', 'uvicorn'):\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Gone())\n"
        "from groundwire.commands.main import main\n"
        "sys.argv[0] = 'groundwire'\n"
        "sys.exit(main())\n"
    )
    env = Command(tmp_path).env
    for command in (
        ["db", "migrate"],
        ["admin", "config", "get"],
        ["ab-report"],
        ["serve", "--admin"],
    ):
        started = [sys.executable, "-c", program, *command]
        done = subprocess.run(started, env=env, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, ""), command
        [line] = done.stderr.splitlines()
        assert line.endswith("is not installed; this needs: pip install 'groundwire[server]'")
