"""``groundwire stats`` as a process, after real turns and real calculations."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from groundwire.service.hook import handle_event, log_reply
from tests.cli.command import GUESS, Command

HOSTILE = "</script><b onclick=x>\x1b[2J&"


def turn(cli: Command, text: str, project: str = "-home-ana-shop") -> None:
    """Let the hook decide about one message."""
    event = {
        "hook_event_name": "Stop",
        "session_id": text[:20],
        "last_assistant_message": text,
        "transcript_path": f"{cli.home}/.claude/projects/{project}/s.jsonl",
    }
    reply = handle_event(event, cli.env, time.time())
    assert log_reply(reply, cli.env) == ""


@pytest.fixture
def used(cli: Command) -> Command:
    """Return a home in which two turns ended and two agents were weighed."""
    turn(cli, GUESS)
    turn(cli, "The parser reads the header.", "-home-ana-infra")
    cli("composite", "planner", "plan-1", "0.9", "0.9", "0.4", "--history", "1")
    cli("composite", "patcher", HOSTILE, "0.5", "0.9", "0.8", "--history", "1")
    return cli


def test_text(used: Command) -> None:
    printed = used.out("stats")
    for words in (
        "2 turns: 1 stopped (50.00%), 0 reported, 1 clean, 0 with errors",
        "speculation_language",
        "-home-ana-infra",
        "speculation.i-think",
        "2 executions: success rate 50.00%, average 80.00%, 1 blocked",
        "weakest factor: Knowledge Base, 70.00% on average",
        "plan-1",
    ):
        assert words in printed
    assert "\x1b" not in printed


def test_json(used: Command) -> None:
    one = json.loads(used.out("stats", "--agent", "plan-1", "--format", "json"))
    assert (one["decisions"]["turns"], one["composite"]["executions"]) == (0, 1)
    assert one["composite"]["weakest_factor"] == "response_certainty_score"
    found = json.loads(used.out("stats", "--format", "json", "--since", "1d"))
    assert found["decisions"]["blocked"] == 1
    kinds = {row["kind"] for row in found["decisions"]["per_kind"]}
    assert {"speculation_language", "causality_language"} <= kinds
    assert found["composite"]["executions"] == 2
    assert found["composite"]["last_blocked"][0]["agent_name"] == HOSTILE


def plots(html: str) -> dict[str, list[dict[str, Any]]]:
    """Return the traces of each plot of the page."""
    found = {}
    for place in re.finditer(r'Plotly\.newPlot\(\s*"([a-z-]+)",\s*', html):
        found[place[1]], _ = json.JSONDecoder().raw_decode(html, place.end())
    return found


def test_html_has_its_plots_and_all_it_needs(used: Command) -> None:
    html = used.out("stats", "--format", "html")
    drawn = plots(html)
    assert list(drawn) == [
        *("turns-per-day", "projects", "kinds", "markers", "confidence-per-day", "factors")
    ]
    assert [(trace["name"], trace["y"]) for trace in drawn["turns-per-day"]] == [
        ("stopped", [1]),
        ("reported", [0]),
        ("clean", [1]),
    ]
    assert drawn["factors"][0]["x"] == pytest.approx([0.7, 0.9, 0.6, 1.0])
    assert drawn["factors"][0]["marker"]["color"][0] != drawn["factors"][0]["marker"]["color"][1]
    # the library is inside, nothing is loaded from elsewhere
    assert len(html) > 1_000_000
    head = html[: html.index("<script>")]
    body = html[html.rindex("<body>") :]
    for part in (head, body):
        assert not re.search(r"<script[^>]+src=|<link|@import|url\(|<img|<iframe", part)
    assert "prefers-color-scheme: dark" in head
    assert 'name="viewport"' in head
    assert HOSTILE not in html  # names are text
    assert "&lt;/script&gt;&lt;b onclick=x&gt;" in html


def test_nothing_happened_yet(cli: Command) -> None:
    printed = cli.out("stats")
    assert "no decisions in this period" in printed
    assert "no executions in this period" in printed
    html = cli.out("stats", "--format", "html")
    assert plots(html) == {}
    assert "has no executions in this period" in html


def test_lines_that_are_none_are_told(used: Command) -> None:
    for name in used.files():
        if name.endswith(".jsonl"):
            with (used.home / name).open("a", encoding="ascii") as file:
                file.write("torn\n")
    printed = used.out("stats")
    assert "decision log: skipped 1 unreadable line" in printed
    assert "confidence history: skipped 1 unreadable line" in printed
    assert "skipped 1 unreadable line" in used.out("stats", "--format", "html")


def test_without_plotly_the_error_names_the_extra(tmp_path: Path) -> None:
    (tmp_path / "plotly.py").write_text("raise ModuleNotFoundError(name='plotly')")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv = ['groundwire', 'stats', "
        "'--format', 'html']\nfrom groundwire.cli.main import main\nsys.exit(main())"
    )
    env = {"HOME": str(tmp_path)}
    process = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, check=False
    )
    assert process.returncode == 2
    assert b"pip install 'groundwire[report]'" in process.stderr
