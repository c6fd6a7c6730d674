"""When the hook stops a turn and when it never does, through whole sessions: ``sessions.toml``."""

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from groundwire.config.compiled import compile_to_cache
from groundwire.service.start import FRAMING
from tests.cli.command import Command
from tests.config.place import PACK
from tests.conftest import Hook
from tests.hook import messages
from tests.hook.messages import LONE, LONE_MATCH, write_turn
from tests.support.console import Steps, play, sessions
from tests.support.tables import tables

CASES = tomllib.loads(Path(__file__).with_name("sessions.toml").read_text("utf-8"))["case"]
ANSWERS = tables(__file__)["answers"]


def event_of(step: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the event of a step, with its transcript written."""
    event: dict[str, Any] = {}
    if "say" in step:
        event["last_assistant_message"] = getattr(messages, step["say"], step["say"])
    if "turn" in step:
        turn = {"prompt": "go on", "message": event.get("last_assistant_message"), **step["turn"]}
        place = "agent_transcript_path" if turn.get("agent") else "transcript_path"
        event[place] = write_turn(folder / "s.jsonl", **turn)
    return {**event, **step.get("event", {})}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_session(hook: Hook, case: dict[str, Any], tmp_path: Path) -> None:
    hook.env |= case.get("env", {})
    for number, step in enumerate(case["step"]):
        event = {**case.get("event", {}), **event_of(step, tmp_path)}
        if case.get("fresh"):
            event["session_id"] = str(number)
        if "settings" in step:
            hook.start(step["settings"], session_id=event.get("session_id", "s"))
        if "changed" in step:
            hook.configure(step["changed"])
            compile_to_cache(hook.env, str(hook.home))
        before = len(hook.log())
        answer = hook(**event)
        told = answer.pop("systemMessage", "")
        assert (list(answer), bool(told)) == (ANSWERS[step["answer"]], "told" in step), step
        assert step.get("told", "") in told
        assert step.get("reason", "") in answer.get("reason", "")
        if step["answer"] == "framing":
            context = {"hookEventName": "SessionStart", "additionalContext": FRAMING}
            assert answer["hookSpecificOutput"] == context
        elif event.get("hook_event_name") != "SessionStart":
            assert len(hook.log()) - before == step.get("logged", True)


@sessions(*Path(__file__).parent.glob("*.console"))
def test_console(steps: Steps, cli: Command) -> None:
    play(cli, steps)


def test_the_folder_of_the_project_counts_more_than_where_the_model_went(hook: Hook) -> None:
    folder = hook.home / "shop"
    folder.mkdir()
    (folder / ".groundwire.toml").write_text("thresholds.words_block = 70\n", encoding="utf-8")
    hook.env["CLAUDE_PROJECT_DIR"] = str(folder)
    hook.start(cwd="/")
    assert hook(last_assistant_message=LONE, cwd="/")["decision"] == "block"


def test_an_own_pack_reaches_the_hook(hook: Hook, tmp_path: Path) -> None:
    """Compiled by the process that the hook starts, here and nowhere else in this module."""
    pack = tmp_path / "packs" / "mine.toml"
    pack.parent.mkdir()
    pack.write_text(PACK, encoding="utf-8")
    hook.configure(f'patterns.folders = ["{pack.parent}"]\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("groundwire.service.start.START_WAIT", 60.0)  # on a machine that is busy
        hook(hook_event_name="SessionStart", source="startup")
    assert len(os.listdir(hook.home / ".cache" / "groundwire")) >= 2  # and a note
    [match] = hook(last_assistant_message="It is zorble likely the parser.")["matches"]
    assert match["evidence"] == "zorble likely"
    assert hook(last_assistant_message=LONE) == {"matches": [LONE_MATCH]}
