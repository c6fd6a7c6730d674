"""Whole sessions of the hook, and what they cannot say: variables, folders, packs."""

import os
from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.config.place import PACK
from tests.conftest import Hook
from tests.hook.messages import GUESS, LONE, LONE_MATCH
from tests.support.console import Steps, play, sessions
from tests.support.tables import rows


@sessions(*Path(__file__).parent.glob("*.console"))
def test_console(steps: Steps, cli: Command) -> None:
    play(cli, steps)


def with_variable(name: str, value: str, *, hook: Hook) -> str:
    """Return how the reason of a stop ends for Claude; "" without a stop."""
    hook.env[name] = value
    reason = hook(last_assistant_message=GUESS).get("reason", "")
    return "\n".join(reason.splitlines()[-2:-1])


test_row = rows(__file__, with_variable=with_variable)


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
