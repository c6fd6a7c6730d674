"""Commands and what they print, as sessions of a shell: the files ``*.console`` beside this one."""

from pathlib import Path

from tests.cli.command import Command
from tests.support.console import Steps, play, sessions


@sessions(*sorted(Path(__file__).parent.glob("*.console")))
def test_session(steps: Steps, cli: Command) -> None:
    play(cli, steps)
