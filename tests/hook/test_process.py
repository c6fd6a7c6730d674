"""The registered command as a process: its bytes, its streams, several of it at one moment."""

import json
import subprocess
import sys
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from groundwire.hook import memory as loop
from groundwire.hook.handle import handle_event
from groundwire.hook.memory import read_memory
from groundwire.inputs.event import HOST
from groundwire.inputs.transcript import CAP
from tests.cli.command import LONE, LONE_MATCH
from tests.conftest import RUN, Hook
from tests.hook.messages import CLEAN, FALSE, GUESS, OTHER, THIRD, stop, write_turn
from tests.support.decisions import json_lines
from tests.support.programs import run_program
from tests.support.transcripts import Session

COMMAND = [sys.executable, "-I", "-S", str(RUN)]


def test_what_is_printed(hook: Hook) -> None:
    report = hook.raw(stop(LONE))
    assert (report.returncode, report.stderr) == (0, b"")
    assert report.stdout == json.dumps({"matches": [LONE_MATCH]}).encode() + b"\n"
    clean = hook.raw(stop(CLEAN))
    assert (clean.returncode, clean.stdout, clean.stderr) == (0, b"", b"")
    strict = hook.raw(stop(CLEAN, turn_id="t1", model="gpt-5"))
    assert strict.stdout == b"{}\n"
    block = hook.raw(stop(GUESS.replace("race", "r\xe4ce"))).stdout
    assert (block.isascii(), block.count(b"\n")) == (True, 1)
    assert (list(json.loads(block))) == ["decision", "reason", "matches"]
    command = Path(sys.executable).with_name("groundwire-hook")  # the one for shells
    assert run_program([command], stop(LONE), hook.env, code=0).stdout == report.stdout


def test_no_warning_is_raised_and_no_order_is_random(hook: Hook, tmp_path: Path) -> None:
    """``-X dev`` warns about files left open; ``-I`` would ignore the seed."""
    message = "\n\n".join([GUESS, OTHER, THIRD, FALSE, "Nothing else uses it."])
    path = write_turn(tmp_path / "s.jsonl", "go on", message, failed=True)
    answers = set()
    for seed in ("0", "1"):
        event = stop(message, session_id=seed, transcript_path=path)
        env = {**hook.env, "PYTHONHASHSEED": seed}
        process = hook.raw(event, env, "-S", "-X", "dev", "-W", "error")
        assert process.stderr == b""
        answers.add(process.stdout)
    assert len(answers) == 1
    assert b"block" in answers.pop()


@pytest.mark.parametrize(
    ("event", "begins", "said"),
    [
        (stop(), b'{"decision": "block"', b""),
        (b'{"a": {}', b"", b"groundwire: turn not checked: EventError: stdin"),
    ],
    ids=["an event", "half an event, at the deadline"],
)
def test_stdin_that_never_closes(hook: Hook, event: bytes, begins: bytes, said: bytes) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, env=hook.env) as process:
        assert process.stdin
        for part in (event[:30], event[30:]):
            process.stdin.write(part)
            process.stdin.flush()
            time.sleep(0.05)
        assert process.wait(30) == 0  # its stdin is open all the time
        printed, told = process.communicate()
    assert (printed[: len(begins) or None], told[: len(said) or None]) == (begins, said)


# several at once


def blocks_at_once(hook: Hook, *events: bytes) -> int:
    """Start a hook for each, give them the events when all are there; count those that block."""
    pipe = subprocess.PIPE
    processes = [
        subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, env=hook.env)
        for _ in events
    ]
    for process, data in zip(processes, events, strict=True):
        assert process.stdin
        process.stdin.write(data)
        process.stdin.flush()
    blocks = 0
    for process in processes:
        out, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (0, b"")
        blocks += json.loads(out or b"{}").get("decision") == "block"
    return blocks


def test_of_several_hooks_at_once_exactly_one_blocks(hook: Hook) -> None:
    for number, count in enumerate([2, 2, 2, 2, 5]):
        assert blocks_at_once(hook, *[stop(session_id=f"s{number}")] * count) == 1
    assert len(hook.log()) == 13
    hook.start("[composite]\nenabled = true\nmay_block = true\n[reinforcement]\nenabled = true\n")
    sure = stop("The log certainly ends with a stack trace.", prompt_id="1", cwd=str(hook.home))
    assert blocks_at_once(hook, sure, sure, sure) == 1
    [history] = (hook.home / ".claude/validation/history").glob("confidences-*.jsonl")
    assert len(json_lines(history)) == 1


def test_many_at_once_stop_a_prompt_twice_and_lose_nothing(hook: Hook, tmp_path: Path) -> None:
    """Each waits a second for the result of a call; nobody waits for another one's wait."""
    events = []
    for number in range(16):
        session = Session(cwd=CWD)
        session.prompt("fix the cart")
        session.bash("pytest -q", "1 failed, 7 passed in 0.41s", exit_code=1)
        session.read(f"{CWD}/src/m{number}.py", "a = 1")
        del session.entries[-1]
        path = session.write(tmp_path / f"{number}.jsonl")
        said = f"All tests pass now, and the {chr(97 + number)}-cart is mended."
        events.append(stop(said, prompt_id="1", cwd=CWD, transcript_path=path))
    assert blocks_at_once(hook, *events) == 2
    memory = read_memory(str(hook.state), "s")
    assert memory.digest is not None
    assert set(memory.digest.paths) == {f"src/m{number}.py" for number in range(16)}
    assert [count for _, count in memory.blocks] == [2]
    assert not [line["notes"] for line in hook.log() if "session state" in str(line["notes"])]


def test_hooks_wait_for_each_other_and_not_for_one_that_stands_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "_LOCK_SECONDS", 0.8)

    def remember(name: str, seconds: float = 0.1) -> str:
        state = loop.SessionState(str(tmp_path), "s")
        time.sleep(seconds)  # as on a machine that is slow
        state.save(state.memory.replace(told=(*state.memory.told, name)))
        state.close()
        return state.problem

    with ThreadPoolExecutor(12) as pool:
        assert set(pool.map(remember, "abcdefghijkl")) == {""}
    assert sorted(read_memory(str(tmp_path), "s").told) == [*"abcdefghijkl"]
    still = loop.SessionState(str(tmp_path), "s")
    assert remember("m", 0) == "session state: another process holds its lock"
    still.close()


def test_while_settings_are_compiled_exactly_one_blocks(hook: Hook, tmp_path: Path) -> None:
    """A large pack takes longer to compile than a hook waits for the other one's lock."""
    words = ["".join(chr(97 + n // 26**p % 26) for p in range(4)) for n in range(4_000)]
    entries = [
        f'[[marker]]\nid = "speculation.zz-{number:05}"\nforms = ["zq {word}"]\n'
        'strength = "weak"\nclaim = "guess"\nnote = "n"\nsource = "s"\n'
        f'hits = ["{{zq {word}}} x"]\nmisses = ["x"]\n'
        for number, word in enumerate(words)
    ]
    pack = tmp_path / "packs" / "large.toml"
    pack.parent.mkdir()
    pack.write_text('schema = 1\nkind = "speculation_language"\n' + "".join(entries), "utf-8")
    hook.configure(f'patterns.folders = ["{pack.parent}"]\n')
    assert blocks_at_once(hook, *[stop(f"{GUESS} {THIRD}")] * 2) == 1


# long turns
CWD = "/home/dev/shop"


def test_a_turn_beyond_the_cap_takes_bounded_memory(hook: Hook, tmp_path: Path) -> None:
    """Its ledger is partial and says so; what the end shows is reported and stops nothing."""
    message = "All tests pass now. I also ran `terraform validate`. The build succeeds."
    session = Session(cwd=CWD)
    session.prompt("fix the cart")
    session.bash("terraform validate", "Success! The configuration is valid.")
    session.bash("npm run build", "\u2713 built in 2.32s")
    for number in range(300):
        session.read(f"{CWD}/data/{number}.csv", "1;2;3\n" * 6_000)
    session.edit(f"{CWD}/src/cart.ts", "a", "b")
    session.bash("pytest", "=== 1 failed, 41 passed in 3.10s ===", exit_code=1)
    session.say(message)
    path = Path(session.write(tmp_path / "long.jsonl"))
    assert path.stat().st_size > 4 * CAP
    event = json.loads(stop(message, cwd=CWD, transcript_path=str(path)))
    tracemalloc.start()
    record = handle_event(event, hook.env, time.time()).record
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60 * 2**20  # the cap as bytes, the texts in them, and the shipped markers
    assert record
    assert record["decision"] == "report"
    assert "its ledger is partial" in record["notes"][-1]
    verdicts = {match["marker"]: match["verdict"] for match in record["matches"]}
    assert verdicts.pop("behavior.tests.all-pass") == "contradicted"
    # what ran before the part that was read is not said to have not run
    assert set(verdicts.values()) <= {"qualified"}


@pytest.mark.parametrize("line", ["{", "{}", "", '{"type":"user"}', '{"type":"user","message":{}}'])
@pytest.mark.parametrize("host", ["", "codex"])
def test_a_tail_of_short_lines_stands_under_the_time_budget(
    hook: Hook, tmp_path: Path, line: str, host: str
) -> None:
    session = Session(cwd=CWD)
    session.prompt("run the tests")
    session.bash("pytest", "=== 1 failed, 41 passed in 3.10s ===", exit_code=1)
    message = "All tests pass now."
    path = tmp_path / "s.jsonl"
    path.write_bytes(session.data() + f"{line}\n".encode() * (CAP // (len(line) + 1)))
    hook.start("[limits]\ncpu_ms = 500")
    event = json.loads(stop(message, cwd=str(hook.home), transcript_path=str(path)))
    started = time.thread_time()
    record = handle_event({**event, HOST: host}, hook.env, time.time()).record
    assert time.thread_time() - started < 1.5
    assert record
    assert record["decision"] == "pass"  # what came before these lines is not known
    assert "the time was up: the beginning of the turn not checked" in record["notes"]
    assert any("its ledger is partial" in note for note in record["notes"])
