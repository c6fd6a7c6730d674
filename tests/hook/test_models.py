"""What ``models.console`` cannot say of confidences in the hook: damage, copies, imports."""

import json
from pathlib import Path
from typing import Any

from tests.conftest import Hook
from tests.hook.messages import stop
from tests.hook.test_import_budget import HEAVY, modules_of_a_hook_run
from tests.hook.test_process import answers_at_once
from tests.support import tables
from tests.support.transcripts import Session

ON = "[composite]\nenabled = true\n"
SURE = "The log certainly ends with a stack trace."
BLOCKS = f"{ON}may_block = true\n"
REINFORCED = "[reinforcement]\nenabled = true\n"
HISTORY = ".claude/validation/history"


def rows(hook: Hook) -> list[dict[str, Any]]:
    files = sorted((hook.home / HISTORY).glob("confidences-*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("ascii").splitlines()]


def spared(event: dict[str, Any], settings: str, *, hook: Hook) -> bool:
    """What speaks against a block speaks against this one."""
    hook.start(f"{settings}{BLOCKS}default_threshold = 1.0\n")
    answer = hook(last_assistant_message=SURE, **event)
    return "decision" not in answer and len(rows(hook)) == 1


def unweighed(agent: dict[str, Any], *, hook: Hook) -> bool:
    """What answers nobody is not weighed."""
    hook.start(f"{ON}{REINFORCED}")
    event = {"hook_event_name": "SubagentStop", "agent_id": "a1", **agent}
    hook(last_assistant_message=SURE, **event)
    return rows(hook) == [] and not {"composite", "reinforcement"} & hook.log()[-1].keys()


test_row = tables.rows(__file__, spared=spared, unweighed=unweighed)


def test_copies_of_the_hook_write_one_row_and_block_once(hook: Hook) -> None:
    hook.start(f"{BLOCKS}{REINFORCED}")
    data = stop(SURE, prompt_id="1", cwd=str(hook.home))
    answers = [json.loads(answer or b"{}") for answer in answers_at_once(hook, data, data, data)]
    assert sum(answer.get("decision") == "block" for answer in answers) == 1
    assert len(rows(hook)) == 1


def test_a_damaged_memory_is_a_new_one(hook: Hook, tmp_path: Path) -> None:
    hook.start(f"{ON}{REINFORCED}")
    steps = [("prompt", "fix it"), ("read", "/home/dev/shop/src/pool.py", "..."), ("say", SURE)]
    session = Session().play(steps)
    event = {"last_assistant_message": SURE, "transcript_path": session.write(tmp_path / "s.jsonl")}
    hook(**event)
    [path] = (hook.state / "sessions").glob("*.json")
    memory = json.loads(path.read_text(encoding="utf-8"))
    damaged: list[Any] = [[], 3, {"reinforcement": {"": {"session": 3, "counted": {"calls": "x"}}}}]
    for broken in damaged:
        path.write_text(json.dumps({**memory, "models": broken}), encoding="utf-8")
        hook(**event)
        line = hook.log()[-1]
        assert (line["reinforcement"]["state"], line["notes"]) == ("OBSERVE", [])


def test_models_that_are_on_load_nothing_heavy(hook: Hook, transcript: Path) -> None:
    hook.start(f"{ON}{REINFORCED}")
    event = {"hook_event_name": "Stop", "session_id": "s", "cwd": str(hook.home)}
    event |= {"last_assistant_message": SURE, "transcript_path": str(transcript)}
    modules = modules_of_a_hook_run(hook.home, event)
    assert {"groundwire.history.append", "groundwire.confidence.reinforcement.session"} <= modules
    assert {name for name in modules if name in HEAVY or name.split(".")[0] in HEAVY} == set()
