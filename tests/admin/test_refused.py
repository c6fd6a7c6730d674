"""What is refused, by the service and over HTTP: it is named, and nothing is changed."""

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from groundwire.config.calculation import ConfidenceCalculationConfig
from groundwire.config.choices import KEY
from groundwire.errors import ConfigError, GroundwireError, NotFoundError
from groundwire_admin.service import Admin, Answer, Filter
from groundwire_admin.service.experiment_groups import checked_shares
from groundwire_admin.service.prompts import Prompts
from tests.admin.logs import a_record, write
from tests.admin.server import AdminServer, is_problem
from tests.conftest import Hook

Act = Callable[[Admin], object]
DAY, DAY_BEFORE = (datetime(2026, 11, day, tzinfo=UTC) for day in (4, 3))
CALCULATION = ConfidenceCalculationConfig()


def saved(**values: Any) -> Act:
    return whole({KEY: values})


def whole(changes: dict[str, Any]) -> Act:
    return lambda admin: admin.configuration.save(changes, who="ann", version=1)


def created(content: str = "x", **more: Any) -> Act:
    return lambda admin: admin.prompts.create(content, who="ann", **more)


def priced(**model: Any) -> Act:
    row = {"provider": "openai", "value": "x", **model}
    return lambda admin: admin.models.save_prices([row], who="ann")


def hooked(**changes: Any) -> Act:
    return lambda admin: admin.hook.save(changes, who="ann")


def chatted(message: str = "m", environment: str = "all", **more: Any) -> Act:
    answer = Answer(message, **more)
    return lambda admin: asyncio.run(admin.samples.chat(answer, "s", environment=environment))


def tried(**judge: Any) -> Act:
    answer, changes = Answer("q", "r"), {"llm_settings": judge}
    return lambda admin: asyncio.run(admin.samples.try_out(answer, changes=changes))


def shared(*shares: Any) -> Act:
    return lambda _: checked_shares(*shares)


def first(admin: Admin) -> str:
    return admin.decisions.page().decisions[0].id


NAMES = ["", "a b", "ä", "x" * 41, "../x", "a/b", "a\0b"]
BY_SERVICE: list[tuple[str, Act]] = [
    ("config: x: unknown key: allowed: confidence_calculation", whole({"x": 1})),
    ("config: confidence_calculation: value null: allowed: an object", whole({})),
    ("config: confidence_calculation: value 3: allowed: an object", whole({KEY: 3})),
    ("metod: unknown key: allowed: method", saved(metod="llm")),
    ('method: value "magic": formula or llm or hybrid', saved(method="magic")),
    ("llm_settings.temperature: value 3", saved(llm_settings={"temperature": 3})),
    ("whole number from 1", saved(llm_settings={"timeout_ms": "fast"})),
    ("openai or anthropic or azure", saved(llm_settings={"provider": "acme"})),
    (r"0.7 \+ llm_weight 0.4 = 1.1", saved(hybrid_settings={"formula_weight": 0.7})),
    ("allowed: weights that sum to 1", saved(formula_weights={"similarity": 1})),
    ("value null: an object", saved(formula_weights=None)),
    (r"method.*\n.*\n.*", saved(method="magic", llm_settings={"temperature": 3, "max_tokens": 0})),
    *(("environment: value", lambda one, n=name: one.configuration.get(n)) for name in NAMES),
    *(
        ("profile: value", lambda one, n=name: one.configuration.activate("all", n, who="ann"))
        for name in NAMES
    ),
    ("content: 0 characters", created("")),
    ("content: 2 characters", created(" \n")),
    ("content: 20001 characters", created("x" * 20_001)),
    ("notes: 2001 characters", created(notes="n" * 2_001)),
    ("tags: 21 of them", created(tags=["t"] * 21)),
    ('tags: value "": allowed: 1 to 40 characters', created(tags=[""])),
    ("a NUL character", created("x\0")),
    (
        "content: 0 characters",
        lambda one: one.prompts.preview("", query="", context="", response=""),
    ),
    ('"acme": allowed: openai, anthropic, azure', lambda one: one.models.of("acme")),
    (r"prices: models\[1\].provider: value \"acme\"", priced(provider="acme")),
    (r"models\[1\].value: value \"\": a text", priced(value="")),
    ("per_query: value -1: a number", priced(per_query=-1)),
    ("prize: unknown key: allowed: pr", priced(prize=1)),
    ("queries: value", lambda one: one.models.monthly(CALCULATION, -1)),
    ("queries: value", lambda one: one.models.monthly(CALCULATION, 10**10)),
    (r"value 33 \+ 33 \+ 33 = 99: allowed: a sum of 100", shared(33, 33, 33)),
    ("formula: value -1", shared(-1, 50, 51)),
    ("formula: value 50.0: allowed: a whole number", shared(50.0, 25, 25)),
    ("formula: value True", shared(True, 50, 49)),
    ("hybrid: value 101", shared("a", None, 101)),
    (r"threshold: value 1\.5", lambda one: one.experiment.report(threshold=1.5)),
    ("until: value", lambda one: one.experiment.report(until=datetime(2026, 1, 1))),
    (r"since: .* allowed: a time before", lambda one: one.figures.trends(DAY, DAY_BEFORE)),
    (r"until: .* with its zone", lambda one: one.figures.trends(DAY, datetime(2026, 11, 5))),
    (
        'decision: value "maybe": allowed: block, report, pass',
        lambda one: one.decisions.page(Filter(decision="maybe")),
    ),
    ("kind: value", lambda one: one.decisions.page(Filter(kind="x"))),
    ("limit: value 0", lambda one: one.decisions.page(limit=0)),
    ("limit: value 201", lambda one: one.decisions.page(limit=201)),
    ("vote: value 2: .* 1, -1, or 0", lambda one: one.decisions.vote(first(one), 2, who="ann")),
    (
        "note: 2001 characters",
        lambda one: one.decisions.vote(first(one), 1, who="ann", note="n" * 2_001),
    ),
    ("vote: value 5", lambda one: one.samples.vote(1, 5, who="ann")),
    ("limit: value 0", lambda one: one.samples.recent(limit=0)),
    ("message: 1000001 characters", chatted("m" * 1_000_001)),
    ("response: 1000001 characters", chatted(response="r" * 1_000_001)),
    ("context_docs: 1001 of them", chatted(context_docs=[{}] * 1_001)),
    (r"context_docs\[1\]: allowed: an object", chatted(context_docs=[{}, 3])),
    ("environment: value", chatted(environment="a b")),
    (r"llm_settings\.temperature: value 9", tried(temperature=9)),
    ("admin.toml: thresholds.block: value 700: a whole number", hooked(thresholds={"block": 700})),
    ("thresholds.blok: unknown key: allowed: block", hooked(thresholds={"blok": 7})),
    ('admin.toml: mode: value "loud": one of "enforce"', hooked(mode="loud")),
    ("admin.toml: thresholds: value 5: a table", hooked(thresholds=5)),
    ("admin.toml: kinds.guess: unknown kind", hooked(kinds={"guess": False})),
    ("unknown marker", hooked(markers={"x.y": False})),
    ("a folder that exists", hooked(patterns={"folders": ["/nowhere"]})),
    ("admin.toml: allow", hooked(allow=[{"marker": None}])),
    ("unknown key", hooked(**{"a\0b": 1})),
    ("features.unrunn: unknown feature: allowed: unrun", hooked(features={"unrunn": 2})),
]
NOT_THERE: list[tuple[str, Act]] = [
    (
        r"all/x: does not exist: allowed: all/default, dev",
        lambda one: one.configuration.get("all", "x"),
    ),
    ("history: 999", lambda one: one.configuration.restore(999, who="ann")),
    ("history: 999", lambda one: one.hook.restore(999, who="ann")),
    ("prompt: 99", lambda one: one.prompts.activate(99, who="ann")),
    ("another: no version is active", lambda one: Prompts(one.store, "another").active()),
    (
        "no version of another",
        lambda one: Prompts(one.store, "another").activate(one.prompts.active().id, who="ann"),
    ),
    ("judgement: 99", lambda one: one.samples.vote(99, 1, who="ann")),
    ("does not exist", lambda one: one.decisions.detail("x\0")),
    ("does not exist", lambda one: one.decisions.vote("x\0", 1, who="ann")),
]


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
    for error, rows in ((ConfigError, BY_SERVICE), (NotFoundError, NOT_THERE)):
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
CONFIG, HOOK = f"{ADMIN}/agent-config", f"{ADMIN}/hook-config"
PROMPT = f"{ADMIN}/prompts/confidence_evaluation_prompt"
CHAT, SCAN, DECISIONS = "/api/v1/chat", "/api/v1/scan", f"{ADMIN}/decisions"
PART = b'{"config": {"confidence_calculation": %s}}'
TURN = {"message": "m", "session_id": "s"}
SAMPLE = {"query": "q", "response": "r"}
BAD_DOCS: list[Any] = [[{"similarity": "high"}], [1], {}]
#: Key, value and what is allowed, as three parts that hold nothing of each other.
PUTS: list[tuple[Any, str, Any, str]] = [
    ({"method": "guess"}, "method", "guess", "formula or llm or hybrid"),
    ({"method": None}, "method", None, "formula or llm or hybrid"),
    ({"method": {"a: b": 1}}, "method", '{"a: b": 1}', "formula or llm or hybrid"),
    (
        {"hybrid_settings": {"formula_weight": 0.7}},
        "hybrid_settings",
        "formula_weight 0.7 + llm_weight 0.4 = 1.1",
        "weights that sum to 1",
    ),
    ({"llm_settings": {"temperature": 2.1}}, "llm_settings.temperature", 2.1, "a number from 0"),
    ({"llm_settings": {"max_tokens": 0}}, "llm_settings.max_tokens", 0, "a whole number from 1"),
    ({"llm_settings": {"timeout_ms": True}}, "llm_settings.timeout_ms", True, "a whole number"),
    ({"llm_settings": {"provider": "x" * 99}}, "llm_settings.provider", '"' + 76 * "x", "openai"),
    ({"unknown": 1}, "unknown", "unknown", "method, "),
]
#: Bodies that the framework refuses, likewise.
MALFORMED: list[tuple[bytes, str, Any, str]] = [
    (b"{", "body", "{", "JSON; at character 2: "),
    (b'{"config": tru}', "body", '{"config": tru}', "JSON; at character 12: "),
    (b"", "body", None, "a value; it is required"),
    (b"[1]", "body", "[1]", "an object"),
    (b"{}", "config", None, "a value; it is required"),
    (b'{"config": 3}', "config", 3, "an object"),
    (b'{"config": {}, "x": {"a": 1}}', "x", '{"a": 1}', "no such key"),
    (b'{"config": {"a": [1, NaN]}}', "config.a.1", "NaN", "a finite number"),
    (b'{"config": {"a": {"b": -Infinity}}}', "config.a.b", "-Infinity", "a finite number"),
    (b'{"config": {"a": "\\u0000"}}', "config.a", "\0", "text without NUL"),
    (b'{"config": {}, "version": NaN}', "version", "NaN", "a finite number"),
]
#: Paths and all methods that they take.
METHODS = {
    "/api/v1/admin/agent-config": "GET, PUT",
    "/api/v1/admin/prompts/confidence_evaluation_prompt": "GET, POST",
    "/api/v1/admin/llm/prices": "GET, PUT",
    "/api/v1/admin/decisions/x/feedback": "POST",
    "/login": "GET, POST",
}
#: Bodies of PUT agent-config that are no JSON of its kind; the answer is 400 or 422.
BODIES = [
    *(b"{", b'"\xff"', b"[]", b"", b"{}", b"[" * 200_000),
    b'{"config": {"confidence_calculation": {}}, "x": 1}',
    b'{"config": {"other": {}}}',
    PART % b"1",
    PART % b'{"x": NaN}',
    PART % b'{"method": "\\ud800"}',
    PART % b'{"\\ud800": 1}',
    PART % b'{"method": "\\u0000"}',
    PART % (b'{"method": 1%s}' % (b"0" * 4000)),
    PART % (b'{"a":' * 900 + b"1" + b"}" * 900),
    b'{"config": {"confidence_calculation": {}}, "version": -1}',
    b'{"config": {"confidence_calculation": {}}, "version": 99999999999}',
]
#: Bodies in JSON that are refused with 422.
POSTS: list[tuple[str, list[dict[str, Any]]]] = [
    (CHAT, [{"message": "m"}, {"session_id": "s"}, {**TURN, "session_id": ""}]),
    (CHAT, [{**TURN, "context_docs": docs} for docs in BAD_DOCS]),
    (CHAT, [{**TURN, "environment": "a b"}, {**TURN, "model": "x"}]),
    (f"{CONFIG}/test", [{"response": "r"}, {**SAMPLE, "config": {"other": {}}}]),
    (f"{CONFIG}/test", [{**SAMPLE, "config": {KEY: part}} for part in (1, {"method": "x"})]),
    (PROMPT, [{}, *({"content": text} for text in (" ", "x" * 20_001, "a\0b"))]),
    (PROMPT, [{"content": "x", **more} for more in ({"tags": ["y" * 41]}, {"tags": "y"})]),
    (PROMPT, [{"content": "x", "activate_immediately": "perhaps"}, {"content": "x", "id": 7}]),
    (f"{PROMPT}/preview", [{}, {"content": ""}]),
    (SCAN, [{}, {"text": 1}, {"text": "a", "x": 1}]),
    (SCAN, [{"text": "a", **more} for more in ({"threshold": 101}, {"format": "xml"})]),
]
#: Queries that are refused with 422, in the name of their first key.
GETS: list[tuple[str, list[dict[str, str]]]] = [
    (f"{ADMIN}/llm/models", [{"provider": "other"}]),
    (f"{ADMIN}/cost", [{"queries": value} for value in ("-1", "x", "1e99", "99999999999")]),
    *(
        (f"{ADMIN}/{name}", [{key: time} for key in ("since", "until")])
        for name in ("trends", "ab-report")
        for time in ("x", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00")
    ),
    (f"{ADMIN}/trends", [{"since": "2990-01-01"}]),
    (f"{ADMIN}/reliability", [{"source": "x"}]),
    (DECISIONS, [{"decision": "stop"}, {"kind": "guess"}, {"limit": "0"}, {"limit": "201"}]),
    (DECISIONS, [{"since": "yesterday"}, {"since": "0001-01-01T00:00:00+14:00"}]),
    (DECISIONS, [{"below": "x" * 65}, {"color": "red"}]),
]
#: Requests of any kind with their status.
OTHERS: list[tuple[str, str, Any, int]] = [
    ("GET", f"{ADMIN}/llm/models", None, 422),
    ("GET", f"{ADMIN}/prompts/other", None, 404),
    ("GET", f"{CONFIG}/none", None, 404),
    ("DELETE", CONFIG, None, 405),
    ("PUT", f"{PROMPT}/x/activate", {}, 422),
    ("PUT", f"{PROMPT}/99999999999999999999/activate", {}, 422),
    ("PUT", f"{PROMPT}/9999/activate", {}, 404),
    ("POST", f"{CONFIG}/test?profile=none", SAMPLE, 404),
    ("POST", f"{CONFIG}/activate", {"profile": "none"}, 404),
    ("POST", f"{CONFIG}/history/99999/restore", {}, 404),
    ("POST", f"{HOOK}/history/4711/restore", {}, 404),
    ("POST", f"{ADMIN}/judgements/99/feedback", {"vote": 1}, 404),
    ("POST", f"{ADMIN}/judgements/99/feedback", {"vote": "up"}, 422),
    ("GET", f"{DECISIONS}/none", None, 404),
    ("GET", f"{DECISIONS}/{'x' * 65}", None, 422),
    ("POST", f"{DECISIONS}/none/feedback", {"vote": 1}, 404),
    *(
        ("POST", f"{DECISIONS}/none/feedback", body, 422)
        for body in ({}, {"vote": 2}, {"vote": 1, "note": "x" * 2_001}, {"vote": 1, "note": "\0"})
    ),
]


def test_the_api_names_what_is_not_allowed(server: AdminServer) -> None:
    ask, put = server.client.request, server.client.put
    before = ask("GET", CONFIG).json()
    for part, key, value, allowed in PUTS:
        [error] = is_problem(put(CONFIG, json={"config": {KEY: part}}), 422)["errors"]
        assert (error["file"], error["key"]) == (KEY, key)
        cut = str(value) if len(str(value)) > 70 else None
        assert error["value"].startswith(cut) if cut else error["value"] == value
        assert error["allowed"].startswith(allowed)
    for content, key, value, allowed in MALFORMED:
        answer = put(CONFIG, content=content, headers={"Content-Type": "application/json"})
        [error] = is_problem(answer, 422)["errors"]
        assert (error["file"], error["key"], error["value"]) == ("body", key, value), content
        assert error["allowed"].startswith(allowed), content
    for path, methods in METHODS.items():
        answer = ask("DELETE", path)
        said = is_problem(answer, 405)["detail"]
        assert (answer.headers["Allow"], said) == (methods, f"{path} takes {methods}")
    for content in BODIES:
        answer = put(CONFIG, content=content, headers={"Content-Type": "application/json"})
        is_problem(answer, 400 if answer.status_code == 400 else 422)
    for tag in ("x", '"1.5"', '"-1"', '"99999999999999"', '"1", "2"'):
        is_problem(put(CONFIG, json={"config": {KEY: {}}}, headers={"If-Match": tag}), 422)
    for path, bodies in POSTS:
        for body in bodies:
            assert is_problem(ask("POST", path, json=body), 422)["errors"], body
    is_problem(ask("POST", SCAN, content=b'{"text": "\\ud800"}'), 422)
    for path, queries in GETS:
        for query in queries:
            [error] = is_problem(ask("GET", path, params=query), 422)["errors"]
            assert error["key"] == next(iter(query)), query
    for method, path, body, status in OTHERS:
        is_problem(ask(method, path, json=body), status)
    hook: list[tuple[dict[str, Any], str]] = [
        ({"thresholds": {"block": 101}}, "thresholds.block"),
        ({"mode": "loud"}, "mode"),
        ({"unknown": 1}, "unknown"),
    ]
    for settings, key in hook:
        [error] = is_problem(put(HOOK, json={"settings": settings}), 422)["errors"]
        assert (error["file"], error["key"]) == ("admin.toml", key)
    assert not (server.home / ".config/groundwire/admin.toml").exists()
    assert ask("GET", CONFIG).json() == before
    assert len(ask("GET", PROMPT).json()) == 1
