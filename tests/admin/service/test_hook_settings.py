"""admin.toml through the facade, and what the next command hook makes of it."""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from groundwire.errors import ConfigError, ConflictError, NotFoundError, StoreError
from groundwire.settings import SHIPPED
from groundwire_admin.service import Admin
from groundwire_admin.store.database import Store
from tests.conftest import Hook
from tests.hook.conftest import start

__all__ = ["start"]

GUESS = "I think the crash is probably caused by a race condition."


@pytest.fixture
def admin(store: Store, hook: Hook) -> Admin:
    return Admin(store, hook.env)


@pytest.fixture
def path(hook: Hook) -> Path:
    return hook.home / ".config/groundwire/admin.toml"


def test_at_first_the_shipped_settings_hold(admin: Admin, path: Path) -> None:
    view = admin.hook.get()
    assert view.settings["thresholds"]["block"] == SHIPPED.thresholds.block
    assert (view.admin, view.version, view.problems) == ({}, "", [])
    assert set(view.origins.values()) == {"default"}
    assert view.path == str(path)
    assert not path.exists()


def test_a_threshold_changes_what_the_next_hook_does(
    admin: Admin, hook: Hook, start: Callable[..., Any]
) -> None:
    before = hook(session_id="a", last_assistant_message=GUESS)
    assert before["decision"] == "block"
    admin.hook.save({"thresholds": {"words_block": 100, "message_block": 100}}, who="ann")
    start(session_id="b")
    after = hook(session_id="b", last_assistant_message=GUESS)
    assert "decision" not in after
    assert after["matches"] == before["matches"]
    admin.hook.save({"thresholds": None}, who="ann")
    start(session_id="c")
    assert hook(session_id="c", last_assistant_message=GUESS)["decision"] == "block"


def test_a_part_is_merged_into_the_file(admin: Admin, path: Path) -> None:
    first = admin.hook.save({"thresholds": {"report": 40}, "notify": True}, who="ann", version="")
    second = admin.hook.save(
        {"thresholds": {"block": 75}, "kinds": {"certainty_language": False}},
        who="bob",
        version=first.version,
    )
    assert second.admin == {
        "notify": True,
        "thresholds": {"report": 40, "block": 75},
        "kinds": {"certainty_language": False},
    }
    assert tomllib.loads(path.read_text()) == second.admin
    assert second.settings["thresholds"]["report"] == 40
    assert second.origins["thresholds.report"] == f"admin: {path}"
    assert path.stat().st_mode & 0o777 == 0o600
    assert (path.parent / "admin.lock").exists()


def test_keys_of_an_earlier_release_go_with_the_next_change(admin: Admin, path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("notify = true\n[verdicts]\nsupported = -3\n")
    view = admin.hook.get()
    assert (view.admin, view.problems) == ({"notify": True}, [])
    admin.hook.save({"features": {"unrun": 2}}, who="ann")
    assert tomllib.loads(path.read_text()) == {"notify": True, "features": {"unrun": 2}}
    with pytest.raises(ConfigError, match=r"features\.unrunn: unknown feature: allowed: unrun"):
        admin.hook.save({"features": {"unrunn": 2}}, who="ann")


def test_null_takes_a_key_out(admin: Admin) -> None:
    admin.hook.save({"thresholds": {"report": 40, "block": 75}, "notify": True}, who="ann")
    view = admin.hook.save({"thresholds": {"report": None, "block": None}}, who="ann")
    assert view.admin == {"notify": True}
    assert view.origins["thresholds.report"] == "default"


def test_the_users_own_file_is_below(admin: Admin, path: Path) -> None:
    path.parent.mkdir(parents=True)
    (path.parent / "config.toml").write_text("notify = true\nblocks_per_prompt = 3\n")
    view = admin.hook.save({"blocks_per_prompt": 4}, who="ann")
    assert (view.settings["notify"], view.settings["blocks_per_prompt"]) == (True, 4)
    assert view.origins["notify"].startswith("user: ")
    assert view.origins["blocks_per_prompt"].startswith("admin: ")


def test_variables_of_the_server_are_not_the_hooks(store: Store, hook: Hook) -> None:
    admin = Admin(store, {**hook.env, "GROUNDWIRE_NOTIFY": "true"})
    assert admin.hook.get().settings["notify"] is False


def test_a_lost_update_is_refused(admin: Admin) -> None:
    view = admin.hook.get()
    admin.hook.save({"notify": True}, who="ann", version=view.version)
    with pytest.raises(ConflictError, match=r"admin.toml: it was changed in the meantime"):
        admin.hook.save({"notify": False}, who="bob", version=view.version)
    assert admin.hook.get().settings["notify"] is True


def test_a_change_by_hand_is_a_change_too(admin: Admin, path: Path) -> None:
    view = admin.hook.save({"notify": True}, who="ann")
    path.write_text("notify = false\n")
    with pytest.raises(ConflictError):
        admin.hook.save({"mode": "report"}, who="ann", version=view.version)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"thresholds": {"block": 700}}, "admin.toml: thresholds.block: value 700: a whole number"),
    ({"thresholds": {"blok": 7}}, "admin.toml: thresholds.blok: unknown key: allowed: block"),
    ({"mode": "loud"}, 'admin.toml: mode: value "loud": one of "enforce"'),
    ({"thresholds": 5}, "admin.toml: thresholds: value 5: a table"),
    ({"kinds": {"guess": False}}, "admin.toml: kinds.guess: unknown kind"),
    ({"markers": {"x.y": False}}, "admin.toml: markers.x.y: unknown marker|unknown marker"),
    ({"patterns": {"folders": ["/nowhere"]}}, "a folder that exists"),
    ({"allow": [{"marker": None}]}, "admin.toml: allow"),
    ({"a\0b": 1}, "unknown key"),
]


@pytest.mark.parametrize(("changes", "said"), REFUSED, ids=[str(row[0]) for row in REFUSED])
def test_what_is_not_allowed_is_named_and_nothing_changes(
    admin: Admin, path: Path, changes: dict[str, Any], said: str
) -> None:
    admin.hook.save({"notify": True}, who="ann")
    before = path.read_bytes()
    with pytest.raises(ConfigError, match=said):
        admin.hook.save(changes, who="ann")
    assert path.read_bytes() == before
    assert len(admin.hook.history()) == 1


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


def test_the_history_and_restore(admin: Admin) -> None:
    first = admin.hook.save({"notify": True}, who="ann")
    admin.hook.save({"mode": "report"}, who="bob")
    newest, oldest = admin.hook.history()
    assert (oldest.who, oldest.before, oldest.after) == ("ann", None, {"notify": True})
    assert (newest.before, newest.after) == (
        {"notify": True},
        {"notify": True, "mode": "report"},
    )
    with pytest.raises(ConflictError):
        admin.hook.restore(oldest.id, who="eve", version=first.version)
    assert admin.hook.restore(oldest.id, who="eve").admin == {"notify": True}
    row = admin.hook.history()[0]
    assert (row.action, row.restored, row.version, row.who) == ("restore", oldest.id, 3, "eve")
    with pytest.raises(NotFoundError):
        admin.hook.restore(999, who="eve")


def test_of_many_at_once_exactly_one_wins_and_readers_see_whole_files(
    admin: Admin, path: Path
) -> None:
    version = admin.hook.save({"thresholds": {"report": 1}}, who="ann").version
    outcomes: list[str] = []
    torn: list[str] = []
    ended = threading.Event()

    def change(number: int) -> None:
        try:
            admin.hook.save({"thresholds": {"report": number}}, who="ann", version=version)
            outcomes.append("saved")
        except ConflictError:
            outcomes.append("refused")

    def read() -> None:
        while not ended.is_set():
            try:
                tomllib.loads(path.read_text())["thresholds"]["report"]
            except (ValueError, KeyError) as error:
                torn.append(str(error))

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=change, args=(number,)) for number in range(2, 8)]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    ended.set()
    reader.join()
    assert sorted(outcomes) == ["refused"] * 5 + ["saved"]
    assert torn == []


def test_without_the_history_the_file_stays(admin: Admin, store: Store, path: Path) -> None:
    admin.hook.save({"notify": True}, who="ann")
    before = path.read_bytes()
    with store.write() as session:
        session.execute(text("DROP TABLE history"))
    with pytest.raises(StoreError):
        admin.hook.save({"mode": "report"}, who="ann")
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_told(admin: Admin, path: Path) -> None:
    path.parent.parent.mkdir(parents=True, exist_ok=True)
    path.parent.write_text("a file where the folder should be")
    with pytest.raises(StoreError, match=r"admin\.lock"):
        admin.hook.save({"mode": "report"}, who="ann")


def test_no_home(store: Store) -> None:
    with pytest.raises(StoreError, match="HOME is not set"):
        Admin(store, {}).hook.get()
