"""What ``models.console`` cannot say of the models: lines, many at once, the admin database."""

import json
import subprocess
from typing import Any

import pytest

from tests.cli.command import GROUNDWIRE, Command
from tests.support.judge_stub import Step, judge_stub, structured, text

STATE = {
    "query": "Which port?",
    "context_text": "The server listens on 8080.",
    "context_docs": [{"similarity": 0.85}, {"similarity": 0.9}],
    "response": "8080. " * 25,
}
#: The limit of a judge that answers at once, on a machine that is busy.
PATIENT = ("--timeout", "20000")


def lines(*documents: Any) -> str:
    return "".join(json.dumps(one) + "\n" for one in documents)


def read(printed: str | bytes) -> list[Any]:
    return [json.loads(line) for line in printed.splitlines()]


@pytest.mark.parametrize("command", ["confidence", "rag"])
def test_results_come_as_lines_come(cli: Command, command: str) -> None:
    """A pipe that stays open gets its answers at once."""
    answers = cli.as_they_come(command, [{**STATE, "chunks": []}] * 3)
    assert len(answers) == 3
    assert not any("error" in answer for answer in answers)


def test_the_cache_of_judgements_holds_no_text(cli: Command) -> None:
    with judge_stub("openai", structured(0.9)) as stub:
        cli.out("confidence", "--method", "llm", *PATIENT, stdin=lines(STATE), env=stub.env)
    kept = [path.read_bytes() for path in cli.home.rglob("judgements.db*")]
    assert kept
    assert b"The server listens" not in b"".join(kept)


def test_many_judgements_at_once_keep_their_order(cli: Command) -> None:
    states = [{**STATE, "query": str(number)} for number in range(8)]
    replies = (Step("slow", "0.4"), *(text(f"0.{number}") for number in range(1, 8)))
    with judge_stub("openai", *replies) as stub:
        arguments = ("confidence", "--method", "llm", *PATIENT, "--jobs", "3")
        printed = cli.out(*arguments, stdin=lines(*states), env=stub.env)
        assert 1 < stub.most_at_once <= 3
        asked = {request.body["messages"][1]["content"] for request in stub.requests}
    scores = sorted(one["confidence_score"] for one in read(printed))
    assert (len(asked), scores) == (8, [0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7])


POOR = {"response": "no JSON", "chunks": []}


def test_many_processes_append_whole_lines_to_the_audit_file(cli: Command) -> None:
    path = cli.write("audit.jsonl", '{"torn')
    command = [str(GROUNDWIRE), "rag", "--audit", str(path)]
    pipe = subprocess.PIPE
    running = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, env=cli.env, cwd=cli.folder)
        for _ in range(2)
    ]
    for process in running:
        process.communicate(lines(*[POOR] * 40).encode(), timeout=60)
    torn, *events = path.read_text(encoding="utf-8").splitlines()
    assert (torn, len(events)) == ('{"torn', 80)
    assert {json.loads(event)["eventType"] for event in events} == {"RAG_ADVISORY_LOW_CONFIDENCE"}
    payload = {"confidence": 0.0, "threshold": 0.7, "summary": None}
    assert all(json.loads(event)["payload"] == payload for event in events)
