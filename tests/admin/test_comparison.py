"""All methods on the same answers, and what the selective one leaves out, with a real judge."""

import asyncio
import json
from io import StringIO

import pytest
from rich.console import Console

from groundwire.settings.choices import KEY
from groundwire_server.admin.cli.ab_text import print_report
from groundwire_server.admin.service import Admin, Answer
from groundwire_server.admin.store.database import Store
from tests.conftest import Hook
from tests.support.console import part
from tests.support.judge_stub import Step, judge_stub, structured
from tests.support.loopback import Request
from tests.support.tables import tables

TABLES = tables(__file__)


def judge(request: Request) -> Step:
    said = json.dumps(request.body)
    return structured(next(score for _, score, _, query in TABLES["answers"] if query in said))


async def chats(admin: Admin) -> None:
    for similarity, _, vote, query in TABLES["answers"]:
        view = await admin.samples.chat(Answer(query, "8080.", [{"similarity": similarity}]), "s")
        if vote:
            admin.samples.vote(view.judgement_id or 0, vote, who="ann")
    await admin.samples.close()


@pytest.mark.parametrize("method", ["formula", "selective"])
def test_methods_are_compared(store: Store, hook: Hook, method: str) -> None:
    wanted = TABLES[method]
    with judge_stub("openai", judge) as stub:
        admin = Admin(store, {**hook.env, **stub.env})
        admin.configuration.save({KEY: wanted["config"]}, who="ann", environment="all")
        admin.experiment.save_shares(running=False, who="ann", shadow=wanted["shadow"])
        asyncio.run(chats(admin))
        assert len(stub.requests) == wanted["asked"]
    report, out = admin.experiment.report(), StringIO()
    assert part(report.model_dump(), wanted["report"]) == wanted["report"]
    print_report(Console(file=out, width=200), report)
    assert [line for line in wanted["printed"] if line not in out.getvalue()] == [], out.getvalue()
