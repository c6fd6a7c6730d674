"""What ``stats.console`` cannot say of the figures: hostile names, a page, lines that are none."""

import json
import re
import time

import pytest

from groundwire.service.hook import handle_event, log_reply
from tests.cli.command import GUESS, Command

HOSTILE = "</script><b onclick=x>\x1b[2J&"


def turn(cli: Command, text: str, project: str = "-home-ana-shop") -> None:
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


def test_text_has_no_controls_and_data_has_all(used: Command) -> None:
    assert "\x1b" not in used.out("stats")
    found = json.loads(used.out("stats", "--format", "json"))
    assert found["composite"]["last_blocked"][0]["agent_name"] == HOSTILE


def test_html_is_one_small_page_with_a_place_for_every_day(used: Command) -> None:
    for number in range(25):
        turn(used, "It is so.", f"-p-{number}")
    html = used.out("stats", "--format", "html", "--since", "9d")
    assert len(html) < 400_000
    assert re.findall(r"<h2>(.*?)</h2>", html) == ["Turns", "Composite confidence"]
    charts = re.findall(r"<figcaption>(.*?)<", html)
    assert charts[:2] == ["Turns per day", "Projects: the 20 of 27 with the most turns"]
    assert charts[2:4] == ["Matches by kind", "Most frequent markers"]
    assert charts[4:] == ["Confidence per day", "Average of each factor"]
    assert html.count('<div title="-p-') == 18
    assert html.count('viewBox="0 0 10 100"') == 2  # ten days, of which one has turns
    assert "1 stopped, 0 reported, 26 clean</title>" in html
    assert "&quot;I think&quot;" in html  # of what was stopped, as its transcript is gone
    # nothing is loaded, and names are text
    assert not re.search(r"<script|<link|@import|url\(|<img|<iframe", html)
    assert "prefers-color-scheme: dark" in html
    assert "&lt;/script&gt;&lt;b onclick=x&gt;" in html
