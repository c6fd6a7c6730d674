"""admin.toml through the facade, and what the next command hook makes of it."""

import json
import tomllib
from pathlib import Path

import pytest
from sqlalchemy import text

from groundwire.errors import ConfigError, ConflictError, StoreError
from groundwire_admin.service import Admin
from groundwire_admin.service.consequences import count, kept_turns
from groundwire_admin.store.database import Store
from tests.admin.databases import at_once
from tests.admin.logs import a_match, a_record, write
from tests.admin.server import AdminServer
from tests.conftest import Hook
from tests.support.tables import tables


@pytest.fixture
def path(hook: Hook) -> Path:
    return hook.home / ".config/groundwire/admin.toml"


TURNS = [
    a_record(1, decision="block", matches=[a_match(confidence=60, verdict="unsupported")]),
    a_record(2, decision="report", matches=[a_match(confidence=60)]),
    a_record(3, decision="pass", matches=[]),
    a_record(
        4,
        why="background work is still running",
        matches=[a_match(confidence=99, verdict="contradicted")],
    ),
    a_record(5, why="mode is report", matches=[a_match(confidence=99, verdict="contradicted")]),
    a_record(6, error="no space", matches=[]),
    # all of a message that is gone counts as one sentence, so these do not add up
    a_record(7, matches=[a_match(confidence=52, offset=at, verdict="earlier") for at in (0, 40)]),
]
COUNTS = tables(__file__)["counts"]


def test_a_session_that_runs_has_them_at_its_next_turn(server: AdminServer) -> None:
    hook, url = Hook(server.home), "/api/v1/admin/hook-config"
    (server.home / ".groundwire.toml").write_text("thresholds.report = 40\n")
    own = {**hook.env, "CLAUDE_PROJECT_DIR": str(server.home)}
    for name, env in (("in a project", own), ("nowhere", hook.env)):
        event = {"session_id": name, "cwd": "/", "source": "startup"}
        hook.raw(json.dumps({**event, "hook_event_name": "SessionStart"}).encode(), env)
        for turn, mode in {"leak": "enforce", "crash": "report", "delay": "enforce"}.items():
            saved = server.client.put(url, json={"settings": {"mode": mode}}).json()
            assert (saved["settings"]["mode"], saved["late"]) == (mode, "")
            said = {"last_assistant_message": f"I think the {turn} is caused by the {name} pool."}
            stop = {**event, **said, "hook_event_name": "Stop", "prompt_id": turn}
            answer = json.loads(hook.raw(json.dumps(stop).encode(), env).stdout or b"{}")
            assert ("decision" in answer) == (mode == "enforce"), answer
            assert "systemMessage" not in answer


def test_what_other_thresholds_would_have_done(admin: Admin, hook: Hook) -> None:
    write(hook.state, *TURNS)
    admin.decisions.take_in()
    turns, limits = kept_turns(admin.store), admin.hook.get().settings["thresholds"]
    for changes, mode, expected in COUNTS:
        found = count(turns, limits | changes, mode)
        assert (found.turns, found.stopped, found.reported) == (6, *expected), (changes, mode)


def test_keys_of_an_earlier_release_go_with_the_next_change(admin: Admin, path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("notify = true\n[verdicts]\nsupported = -3\n")
    view = admin.hook.get()
    assert (view.admin, view.problems) == ({"notify": True}, [])
    admin.hook.save({"features": {"unrun": 2}}, who="ann")
    assert tomllib.loads(path.read_text()) == {"notify": True, "features": {"unrun": 2}}


def test_the_users_own_file_is_below(admin: Admin, path: Path, hook: Hook) -> None:
    path.parent.mkdir(parents=True)
    (path.parent / "config.toml").write_text("notify = true\nblocks_per_prompt = 3\n")
    view = admin.hook.save({"blocks_per_prompt": 4}, who="ann")
    assert (view.settings["notify"], view.settings["blocks_per_prompt"]) == (True, 4)
    assert view.origins["notify"].startswith("user: ")
    assert view.origins["blocks_per_prompt"].startswith("admin: ")
    with_variable = Admin(admin.store, {**hook.env, "GROUNDWIRE_NOTIFY": "false"})
    assert with_variable.hook.get().settings["notify"] is True  # it is the server's, not the hook's


def test_a_broken_file_is_told_and_not_written_over(admin: Admin, path: Path) -> None:
    good = admin.hook.save({"notify": True}, who="ann")
    change = admin.hook.history()[0]
    path.write_text("notify = \n")
    view = admin.hook.get()
    assert "line 1" in view.problems[0]
    with pytest.raises(ConfigError, match="fix or restore it first"):
        admin.hook.save({"mode": "report"}, who="ann")
    assert path.read_text() == "notify = \n"
    assert admin.hook.restore(change.id, who="ann").admin == good.admin


def test_of_many_at_once_exactly_one_wins_and_readers_see_whole_files(
    admin: Admin, path: Path
) -> None:
    version = admin.hook.save({"thresholds": {"report": 50}}, who="ann").version
    read: list[int] = []

    def act(number: int) -> str:
        if number:
            admin.hook.save({"thresholds": {"report": number}}, who="ann", version=version)
            return "saved"
        while len(read) < 200:
            read.append(tomllib.loads(path.read_text())["thresholds"]["report"])
        return "read"

    assert sorted(map(str, at_once(7, act))) == [str(ConflictError)] * 5 + ["read", "saved"]


def test_without_the_history_the_file_stays(admin: Admin, store: Store, path: Path) -> None:
    admin.hook.save({"notify": True}, who="ann")
    before = path.read_bytes()
    with store.write() as session:
        session.execute(text("DROP TABLE history"))
    with pytest.raises(StoreError):
        admin.hook.save({"mode": "report"}, who="ann")
    assert path.read_bytes() == before


def test_folders_that_cannot_be_used_are_told(admin: Admin, path: Path) -> None:
    path.parent.parent.mkdir(parents=True, exist_ok=True)
    path.parent.write_text("a file where the folder should be")
    with pytest.raises(StoreError, match=r"admin\.lock"):
        admin.hook.save({"mode": "report"}, who="ann")
    with pytest.raises(StoreError, match="HOME is not set"):
        Admin(admin.store, {}).hook.get()
