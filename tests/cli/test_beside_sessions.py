"""What the files ``*.console`` cannot say: terminals, pipes, odd files, several at once, labels."""

import json
import os
import subprocess
import tomllib

import pytest

from groundwire.commands import slash
from groundwire_lab.samples import read_samples
from tests.cli.command import GROUNDWIRE, LONE, Command
from tests.support.console import Client
from tests.support.inside import run_inside
from tests.support.judge_stub import Step, judge_stub, structured
from tests.support.terminal import Terminal, on_terminal
from tests.support.transcripts import Session

CLAIM = "All tests pass: 42 passed in 1.2s. The log is short."
AGAIN = "The whole test suite passes now."
FAILED = "3 failed, 39 passed in 1.31s"
LABELS = ".config/groundwire/labels/stops.jsonl"


@pytest.fixture
def client(cli: Command) -> Client:
    """Return Claude Code after a start of a session with the hook."""
    client = Client(cli)
    client.step("start", [])
    return client


def stop(client: Client, text: str) -> None:
    """End a turn in which tests failed, with a message that is stopped."""
    client.step("prompt mend it", [])
    client.step("bash pytest -q", [f"| {FAILED}", "? 1"])
    client.step(f"stop {text}", ['~ {"decision": "block"}'])


@pytest.mark.parametrize("text", ["--no-text", "--keep-text"])
def test_a_wrong_stop_is_a_label_that_calibrate_reads(
    client: Client, cli: Command, text: str
) -> None:
    stop(client, AGAIN)
    client.step('stop 3 tests fail. {"stop_hook_active": true}', [])
    for _ in range(2):  # the same label again
        assert f'not to be challenged: "{AGAIN}"' in cli.out("wrong", "last", text)
    path = cli.home / LABELS
    [line] = path.read_text("utf-8").splitlines()
    assert (AGAIN in line) == (text == "--keep-text")
    [sample] = read_samples(path)
    assert (sample.message.text, sample.turn.message) == (AGAIN, AGAIN)
    assert [FAILED in str(call.result) for call in sample.turn.calls] == [True]
    assert (sample.message.flag(1), sample.message.labels[1].answered) == (0, True)
    client.path.unlink()
    kept = "1 session; to leave one out needs two" in cli.refused("quality", path)
    assert kept == (text == "--keep-text")
    assert kept or "kept without text: left out" in cli.refused("quality", path)
    assert "nothing to keep: the transcript is gone" in cli.refused("wrong", "last")


@pytest.mark.parametrize("words", ["", "last", "{session}"])
def test_a_slash_command_is_answered_in_place_of_the_model(
    client: Client, cli: Command, words: str
) -> None:
    stop(client, CLAIM)
    session = client.session.session_id
    event = {"hook_event_name": "UserPromptExpansion", "session_id": session}
    event["command_args"] = f"{words.format(session=session)} --kind"
    for name in ("allow", "other"):
        data = json.dumps({**event, "command_name": f"groundwire:{name}"}).encode()
        env = {**cli.env, "CLAUDECODE": "1"}
        answer = json.loads(run_inside(slash.main, ["slash"], data, env, cli.folder).stdout or "{}")
        assert ("wrote to" in answer.get("reason", "")) == (name == "allow")
        assert ("decision" in answer) == (name == "allow")


def test_a_threshold_is_proposed_above_wrong_stops_and_below_right_ones(
    client: Client, cli: Command
) -> None:
    path = cli.home / LABELS
    cli.settings("[thresholds]\nstop_from = 64")
    client.step("start", [])
    for text in ("All unit tests pass.", "All browser tests pass.", CLAIM):
        stop(client, text)
        cli.out("wrong", "last", "--no-text")
    rows = path.read_text("utf-8").splitlines()
    rows[-1] = rows[-1].replace('"flag": 0', '"flag": 1')
    path.write_text("\n".join(rows), encoding="utf-8")
    printed = cli.out("wrong", "--learn", "--since", "2020-01-01", "--yes")
    settings = tomllib.loads((cli.home / ".config/groundwire/config.toml").read_text("utf-8"))
    assert 60 < settings["thresholds"]["stop_from"] <= 100
    first, *_, last = [line for line in printed.splitlines() if " stopped wrongly, " in line]
    assert "3 of 3 replayed turns stopped" in first
    assert "would be: 0 labelled findings" in last
    assert "1 of 3 replayed turns stopped" in last


@pytest.mark.parametrize(("typed", "turns"), [("\n", "20"), ("7\n", "7"), ("0\n", "")])
def test_an_installation_on_a_terminal_asks_for_a_trial(
    cli: Command, typed: str, turns: str
) -> None:
    shown = on_terminal(cli, "install", typed=f"{typed}n\n")
    assert "Your last 7 days hold no turn" in shown
    assert "groundwire second-look on does it later" in shown
    assert (f"the next {turns} turns are only reported" in shown) == bool(turns)
    assert (cli.home / ".local/state/groundwire/trial").exists() == bool(turns)
    assert "turns that are only reported" not in on_terminal(cli, "install")
    cli("uninstall")
    assert not (cli.home / ".local/state/groundwire/trial").exists()


KEYS = {"typed ahead": ["nq"], "ctrl-c": ["n", "\x03"], "ctrl-d": ["n", "\x04"]}


@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
def test_labels_by_single_keys_are_kept_when_a_rater_leaves(cli: Command, keys: list[str]) -> None:
    said = f"{LONE}\n\nIt is probably the cache.\n\nI think it is not."
    Session().play([["prompt", "why?"], ["say", said]]).write(cli.folder / "one.jsonl")
    with Terminal(cli, "label", "one.jsonl") as terminal:
        terminal.wait_for("q quit >")
        assert b"\x1b[1;31m" in terminal.shown  # the match stands out
        terminal.type("Y")  # no line feed is needed, and capitals count
        terminal.wait_for("[2/3]")
        [line] = (cli.folder / "labels.jsonl").read_text().splitlines()
        assert json.loads(line)["labels"]["1"]["flag"] == 1  # before the next one is asked
        for number, typed in enumerate(keys, 2):
            terminal.wait_for(f"[{number}/3]")
            terminal.type(typed)
        assert "1 flagged, 1 not flagged in this run, 1 left" in terminal.rest()
        assert b"Traceback" not in terminal.shown


def test_a_scan_on_a_terminal_waits_aloud_and_answers_in_colour(cli: Command) -> None:
    shown = on_terminal(cli, "scan", typed=f"{LONE}\n\x04")
    assert "type or paste the text; Ctrl-D ends it" in shown
    assert '\x1b[31mspeculation_language 75\x1b[0m "I think"' in shown


def test_a_long_text_shows_on_a_terminal_that_it_is_at_work(cli: Command) -> None:
    text = f"{LONE}\n\n" * 5_000
    told = cli("scan", stdin=text, env={"FORCE_COLOR": "1"}).stderr
    assert b"scanning 135,000 characters" in told
    assert len(cli.scan(text)) == 5_000


def test_a_pipe_is_passed_over_and_a_file_with_two_names_is_left_alone(cli: Command) -> None:
    path = cli.write("a.md", "text\n")
    os.mkfifo(cli.folder / "pipe.md")
    os.link(path, cli.folder / "b.txt")
    process = cli("annotate", ".", "--write")
    assert process.returncode == 1
    assert b"a.md: has other names (hard links); nothing was changed" in process.stderr
    assert b"pipe.md: not a regular file" in process.stderr
    assert path.read_text(encoding="utf-8") == "text\n"


HOSTILE = "</script><b onclick=x>\x1b[2J&"


def test_names_are_text(cli: Command) -> None:
    cli("composite", "patcher", HOSTILE, "0.5", "0.9", "0.8", "--history", "1")
    assert "\x1b" not in cli.out("stats")
    found = json.loads(cli.out("stats", "--format", "json"))
    assert found["composite"]["last_blocked"][0]["agent_name"] == HOSTILE


STATE = {
    "query": "Which port?",
    "context_text": "The server listens on 8080.",
    "context_docs": [{"similarity": 0.85}, {"similarity": 0.9}],
    "response": "8080. " * 25,
    "chunks": [],
}
#: With the limit of a judge that answers at once, on a machine that is busy.
BY_JUDGE = ("confidence", "--method", "llm", "--timeout", "20000")


def lines(*documents: object) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in documents)


@pytest.mark.parametrize("command", ["confidence", "rag"])
def test_results_come_as_lines_come(cli: Command, command: str) -> None:
    """A pipe that stays open gets its answers at once."""
    pipe = subprocess.PIPE
    words = [str(GROUNDWIRE), command]
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, env=cli.env) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3):
            process.stdin.write(lines(STATE))
            process.stdin.flush()
            assert "error" not in json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.wait(30) == 0


def test_the_cache_of_judgements_holds_no_text(cli: Command) -> None:
    with judge_stub("openai", structured(0.9)) as stub:
        cli.out(*BY_JUDGE, stdin=lines(STATE), env=stub.env)
    kept = b"".join(path.read_bytes() for path in cli.home.rglob("judgements.db*"))
    assert kept
    assert b"The server listens" not in kept


def test_many_judgements_at_once_keep_their_order(cli: Command) -> None:
    states = [{**STATE, "query": str(number)} for number in range(8)]
    replies = [Step("text", f"0.{number}") for number in range(1, 8)]
    with judge_stub("openai", Step("slow", "0.4"), *replies) as stub:
        printed = cli.out(*BY_JUDGE, "--jobs", "3", stdin=lines(*states), env=stub.env)
        assert 1 < stub.most_at_once <= 3
        asked = {request.body["messages"][1]["content"] for request in stub.requests}
    scores = sorted(json.loads(line)["confidence_score"] for line in printed.splitlines())
    assert (len(asked), scores) == (8, [0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7])


def test_many_processes_append_whole_lines_to_the_audit_file(cli: Command) -> None:
    path = cli.write("audit.jsonl", '{"torn')
    pipe = subprocess.PIPE
    command = [str(GROUNDWIRE), "rag", "--audit", str(path)]
    running = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, env=cli.env, cwd=cli.folder)
        for _ in range(2)
    ]
    for process in running:
        process.communicate(lines({"response": "no JSON", "chunks": []}) * 40, timeout=60)
    torn, *events = path.read_text(encoding="utf-8").splitlines()
    assert (torn, len(events)) == ('{"torn', 80)
    payload = {"confidence": 0.0, "threshold": 0.7, "summary": None}
    wanted = {"eventType": "RAG_ADVISORY_LOW_CONFIDENCE", "payload": payload}
    assert all(json.loads(event).items() >= wanted.items() for event in events)


def test_a_pipe_among_own_patterns_holds_nothing_up(cli: Command) -> None:
    os.mkfifo(cli.folder / "a.toml")
    done = cli("patterns", "check", ".")
    assert done.returncode == 2
    assert b"a.toml: -: is not a regular file" in done.stderr
