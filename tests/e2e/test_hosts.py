"""Other hosts, each the released package, with groundwire by ``install --host``."""

from __future__ import annotations

import json
import subprocess
import time
import tomllib
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.client import REPOSITORY, ClaudeCode
from tests.e2e.conftest import Installation
from tests.e2e.models import model_stub
from tests.e2e.stub import FAILING, FALSE, HONEST, Answer, Use

pytestmark = pytest.mark.e2e
HOSTS = tomllib.loads(Path(__file__).with_name("hosts.toml").read_text(encoding="utf-8"))
PROMPT = "Run the tests."
SECONDS = 90


@pytest.mark.parametrize("name", HOSTS)
def test_a_false_report_is_sent_back_and_an_honest_one_ends_the_turn(
    name: str, installation: Installation, tmp_path: Path
) -> None:
    place, row = ClaudeCode(tmp_path), HOSTS[name]  # its folders and its clean environment
    gives = [Use(**one) for one in row.get("gives", [])]  # the task to a sub-agent
    answers: list[Answer] = [*gives, FAILING, FALSE, HONEST, *[HONEST] * len(gives)]
    name = name.partition("_")[0]
    requests: list[str] = []
    with model_stub(answers, requests) as url:
        row = json.loads(json.dumps(row).replace("@url", url).replace("PROMPT", PROMPT))
        for file, text in row["files"].items():
            (place.home / file).parent.mkdir(parents=True)
            (place.home / file).write_text(text, encoding="utf-8")
        env = {**place.environment, **row["env"]}
        installed = [str(installation.command), "install", "--host", name]
        subprocess.run(installed, env=env, capture_output=True, check=True)
        start, *rest = row["command"]
        words = [str(REPOSITORY / f".e2e/hosts/{name}/node_modules/.bin/{start}"), *rest]
        if "serve" in words:
            ask_server(words, env, place, answers)
        else:
            done = subprocess.run(
                words,
                cwd=place.project,
                env=env,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            assert HONEST.text in done.stdout
    assert not answers
    told = [f"{FAILING.command} failed last" in body for body in requests]
    assert told == ([False, False, False, True, False] if gives else [False, False, True])
    assert [line["decision"] for line in place.decisions()][:2] == ["block", "pass"]


def ask_server(
    words: list[str], env: dict[str, str], place: ClaudeCode, answers: list[Any]
) -> None:
    """Send the prompt to a host that listens, and wait until it has come to its end."""
    with subprocess.Popen(
        words, cwd=place.project, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as server:
        try:
            assert server.stdout
            lines = (line.decode() for line in server.stdout)
            base = next(it.split()[-1] for it in lines if "listening on http" in it)

            def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
                data, kind = json.dumps(body).encode(), {"Content-Type": "application/json"}
                request = urllib.request.Request(base + path, data=data, headers=kind)
                with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                    found: dict[str, Any] = json.load(answer)
                return found

            session = post("/session", {})["id"]
            post(f"/session/{session}/message", {"parts": [{"type": "text", "text": PROMPT}]})
            log = place.home / ".local/state/groundwire/decisions.jsonl"
            end = time.monotonic() + SECONDS
            while answers or len(place.decisions() if log.exists() else []) < 2:
                assert time.monotonic() < end
                time.sleep(0.1)
        finally:
            server.kill()
