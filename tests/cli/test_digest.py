"""``groundwire digest`` on a real transcript, as text, JSON and Markdown."""

import json
from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.support.tables import table
from tests.support.transcripts import Session


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    session = Session()
    session.prompt("count the users")
    session.bash("wc -l users.csv", "41 users.csv")
    session.say("There are 41 users.")
    session.prompt("delete the old ones")
    session.bash("./drop.sh --token=abcdef123456", "3 users dropped")
    session.say("All old users are gone.")
    return Path(session.write(tmp_path / "s.jsonl"))


def test_a_turn_as_text_data_and_markdown(cli: Command, transcript: Path) -> None:
    text = cli.out("digest", transcript)
    assert "#1 Bash `./drop.sh --token=[masked]` -> passed" in text
    assert "  | 3 users dropped" in text
    assert "[1]* All old users are gone." in text
    assert "--token=abcdef123456" in cli.out("digest", transcript, "--no-redact")
    first = json.loads(cli.out("digest", transcript, "--turn", "1", "--format", "json"))
    assert first["statements"][0]["text"] == "There are 41 users."
    assert first["calls"][0]["lines"] == ["41 users.csv"]
    page = cli.out("digest", "-", "--format", "md", stdin=transcript.read_bytes())
    assert page.startswith("# Turn\n\n> delete the old ones\n")


@table
def test_what_cannot_be_shown_is_said(
    arguments: tuple[str, ...], says: str, cli: Command, transcript: Path
) -> None:
    assert says in cli.refused("digest", transcript, *arguments)
