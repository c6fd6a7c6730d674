"""What is refused, by the service and over HTTP: it is named, and nothing is changed."""

import re
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

from groundwire.config.choices import KEY
from groundwire.errors import ConfigError, GroundwireError, NotFoundError
from groundwire_admin.service import Admin
from tests.admin.exchange import play, sections
from tests.admin.logs import a_record, write
from tests.admin.server import AdminServer, is_problem
from tests.conftest import Hook
from tests.support.tables import tables

Act = Callable[[Admin], object]
TABLES = tables(__file__)


def called(row: list[Any]) -> tuple[str, Act]:
    """Return what the refusal of a row says, and its call."""
    said, name, *more = row
    arguments, named = [*more, {}, {}][:2]
    return said, lambda admin: attrgetter(name)(admin)(*arguments, **named)


def state(admin: Admin) -> list[object]:
    """Return everything that a change could have changed."""
    reads: list[Callable[[], object]] = [admin.configuration.history, admin.configuration.profiles]
    reads += [admin.prompts.versions, admin.models.prices, admin.experiment.shares, admin.hook.get]
    return [read() for read in [*reads, admin.samples.recent, admin.decisions.page]]


def test_the_service_names_what_is_not_allowed(admin: Admin, hook: Hook) -> None:
    write(hook.state, a_record(1))
    admin.decisions.take_in()
    admin.hook.save({"notify": True}, who="ann")
    before, wrong = state(admin), []
    for error, rows in (
        (ConfigError, map(called, TABLES["by_service"])),
        (NotFoundError, map(called, TABLES["not_there"])),
    ):
        for said, act in rows:
            try:
                act(admin)
            except GroundwireError as refusal:
                if type(refusal) is error and re.search(said, str(refusal)):
                    continue
                wrong.append(f"{said}: {refusal!r}")
            else:
                wrong.append(f"{said}: not refused")
    assert wrong == []
    assert state(admin) == before


ADMIN = "/api/v1/admin"
CONFIG = f"{ADMIN}/agent-config"
PROMPT = f"{ADMIN}/prompts/confidence_evaluation_prompt"
DECISIONS = f"{ADMIN}/decisions"
PART = b'{"config": {"confidence_calculation": %s}}'
#: Bodies of PUT agent-config that stand in no line; the answer is 400 or 422.
BODIES = [
    *(b'"\xff"', b"[" * 200_000, PART % (b'{"a":' * 900 + b"1" + b"}" * 900)),
    PART % (b'{"method": 1%s}' % (b"0" * 4000)),
]


def test_the_api_names_what_is_not_allowed(server: AdminServer) -> None:
    ask, put = server.client.request, server.client.put
    before = ask("GET", CONFIG).json()
    for exchanges in sections(Path(__file__).with_name("refused.http")).values():
        play(server, exchanges)
    for content in BODIES:
        answer = put(CONFIG, content=content, headers={"Content-Type": "application/json"})
        is_problem(answer, 400 if answer.status_code == 400 else 422)
    for tag in ("x", '"1.5"', '"-1"', '"99999999999999"', '"1", "2"'):
        is_problem(put(CONFIG, json={"config": {KEY: {}}}, headers={"If-Match": tag}), 422)
    is_problem(ask("POST", PROMPT, json={"content": "x" * 20_001}), 422)
    note = {"vote": 1, "note": "x" * 2_001}
    is_problem(ask("POST", f"{DECISIONS}/none/feedback", json=note), 422)
    assert not (server.home / ".config/groundwire/admin.toml").exists()
    assert ask("GET", CONFIG).json() == before
    assert len(ask("GET", PROMPT).json()) == 1
