"""Other hosts, each the released package, with groundwire by ``install --host``."""

import json
import subprocess
import urllib.request
from typing import Any

import pytest

from tests.e2e.client import REPOSITORY, ClaudeCode
from tests.e2e.models import Model
from tests.support.decisions import decisions
from tests.support.tables import tables
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e
HOSTS = tables(__file__)
PROMPT = "Run the tests."
HONEST = "One test module could not be loaded. I have not found out why it crashes."
FAILING = "python3 -m unittest test_server"
SECONDS = 90


@pytest.mark.parametrize("name", HOSTS)
def test_a_false_report_is_sent_back_and_an_honest_one_ends_the_turn(
    name: str, claude: ClaudeCode
) -> None:
    row = HOSTS[name]
    gives = [f"use {one}" for one in row.get("gives", [])]  # the task to a sub-agent
    said = [f"run {FAILING}", "say All 8 tests pass now.", f"say {HONEST}"]
    with Model([*gives, *said, *said[2:] * len(gives)]) as model:
        row = json.loads(json.dumps(row).replace("@url", model.url).replace("PROMPT", PROMPT))
        for file, text in row["files"].items():
            claude.write(f"../{file}", text)
        claude.env |= row["env"]
        name = name.partition("_")[0]
        claude.out("install", "--host", name)
        start, *words = row["command"]
        program = REPOSITORY / f".e2e/hosts/{name}/node_modules/.bin/{start}"
        if "serve" in words:
            ask_server([str(program), *words], claude, model)
        else:
            assert HONEST in claude.run(*words, other=program)
    assert not model.steps
    told = [f'{FAILING}\\" failed last' in json.dumps(body) for body in model.requests]
    assert told == ([False, False, False, True, False] if gives else [False, False, True])
    assert [line["decision"] for line in decisions(claude.home)][:2] == ["block", "pass"]


def ask_server(words: list[str], place: ClaudeCode, model: Model) -> None:
    """Send the prompt to a host that listens, and wait until it has come to its end."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, cwd=place.folder, env=place.env, stdout=pipe, stderr=subprocess.STDOUT
    ) as server:
        try:
            assert server.stdout
            lines = (line.decode() for line in server.stdout)
            base = next(it.split()[-1] for it in lines if "listening on http" in it)

            def post(path: str, body: dict[str, Any]) -> Any:
                data, kind = json.dumps(body).encode(), {"Content-Type": "application/json"}
                request = urllib.request.Request(base + path, data=data, headers=kind)
                with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                    return json.load(answer)

            session = post("/session", {})["id"]
            post(f"/session/{session}/message", {"parts": [{"type": "text", "text": PROMPT}]})
            wait_until(lambda: not model.steps and len(decisions(place.home)) > 1, seconds=SECONDS)
        finally:
            server.kill()
