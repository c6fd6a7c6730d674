"""The endpoints over HTTP: what they answer, what they refuse, and that the store keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.admin.server import AdminServer, is_problem
from tests.hook.messages import GUESS

ADMIN = "/api/v1/admin"
CONFIG = f"{ADMIN}/agent-config"
PROMPT = f"{ADMIN}/prompts/confidence_evaluation_prompt"
HOOK = f"{ADMIN}/hook-config"
PRICES = f"{ADMIN}/llm/prices"


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminServer]:
    """Return a server of this test alone."""
    admin = AdminServer(tmp_path_factory.mktemp("fresh") / "home")
    yield admin
    admin.close()


def calculation(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["config"]["confidence_calculation"]
    return found


def put(server: AdminServer, part: Any, path: str = CONFIG, **more: Any) -> httpx.Response:
    body = {"config": {"confidence_calculation": part}, **more.pop("body", {})}
    return server.client.put(path, json=body, **more)


def test_the_configuration_is_merged_and_kept(fresh: AdminServer) -> None:
    before = fresh.client.get(CONFIG)
    assert calculation(before)["method"] == "formula"
    assert before.headers["etag"] == f'"{before.json()["version"]}"'
    part = {"method": "hybrid", "hybrid_settings": {"formula_weight": 0.7, "llm_weight": 0.3}}
    saved = put(fresh, part, headers={"If-Match": before.headers["etag"]})
    expected = {**calculation(before), **part}  # the body left formula_weights out
    assert calculation(saved) == expected
    assert calculation(fresh.client.get(CONFIG)) == expected
    assert saved.headers["etag"] == f'"{before.json()["version"] + 1}"'


def test_environments_fall_back_to_all(fresh: AdminServer) -> None:
    answer = fresh.client.get(CONFIG, params={"environment": "staging"})
    assert (answer.json()["source"], answer.json()["version"]) == ("all", 0)
    put(fresh, {"method": "llm"}, params={"environment": "staging"})
    answer = fresh.client.get(CONFIG, params={"environment": "staging"})
    assert (answer.json()["source"], calculation(answer)["method"]) == ("staging", "llm")
    assert calculation(fresh.client.get(CONFIG))["method"] == "formula"
    assert "staging" in fresh.client.get(f"{CONFIG}/environments").json()


def test_the_shipped_profiles(server: AdminServer) -> None:
    found = {
        (row["environment"], row["profile"]): row["config"]["confidence_calculation"]["method"]
        for row in server.client.get(f"{CONFIG}/profiles").json()
    }
    assert len(found) >= 6
    methods = {environment: method for (environment, _), method in found.items()}
    assert methods.keys() == {"all", "development", "uat", "production"}
    production = server.client.get(CONFIG, params={"environment": "production"})
    assert calculation(production)["llm_settings"]["max_tokens"] == 80


def test_a_lost_update_is_refused(fresh: AdminServer) -> None:
    version = fresh.client.get(CONFIG).json()["version"]
    assert put(fresh, {"method": "hybrid"}, body={"version": version}).status_code == 200
    for more in ({"body": {"version": version}}, {"headers": {"If-Match": f'"{version}"'}}):
        is_problem(put(fresh, {"method": "llm"}, **more), 409)
    assert calculation(fresh.client.get(CONFIG))["method"] == "hybrid"
    assert put(fresh, {"method": "llm"}).status_code == 200


def test_of_many_at_once_one_is_kept(fresh: AdminServer) -> None:
    version = fresh.client.get(CONFIG).json()["version"]
    parts = [{"llm_settings": {"max_tokens": 100 + number}} for number in range(8)]

    def save(part: dict[str, Any]) -> int:
        return put(fresh, part, body={"version": version}).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(save, parts))
    assert sorted(statuses) == [200] + [409] * 7
    kept = calculation(fresh.client.get(CONFIG))["llm_settings"]["max_tokens"]
    assert kept == 100 + statuses.index(200)


REFUSED = [
    ({"method": "guess"}, "method", "formula or llm or hybrid"),
    ({"hybrid_settings": {"formula_weight": 0.7}}, "hybrid_settings", "sum"),
    ({"formula_weights": {"similarity": 0.9}}, "formula_weights", "sum"),
    ({"llm_settings": {"temperature": 2.1}}, "llm_settings.temperature", "from 0 to 2"),
    ({"llm_settings": {"max_tokens": 0}}, "llm_settings.max_tokens", "from 1"),
    ({"llm_settings": {"timeout_ms": 0}}, "llm_settings.timeout_ms", "from 1"),
    ({"llm_settings": {"provider": "other"}}, "llm_settings.provider", "openai or anthropic"),
    ({"unknown": 1}, "unknown", "method"),
]


@pytest.mark.parametrize(("part", "key", "allowed"), REFUSED, ids=[row[1] for row in REFUSED])
def test_refused_configurations(server: AdminServer, part: Any, key: str, allowed: str) -> None:
    before = calculation(server.client.get(CONFIG))
    fields = is_problem(put(server, part), 422)
    [error] = fields["errors"]
    assert (error["file"], error["key"]) == ("confidence_calculation", key)
    assert allowed in error["allowed"]
    assert calculation(server.client.get(CONFIG)) == before


BAD_BODIES: list[tuple[str, Any]] = [
    ("no JSON", b"{"),
    ("not UTF-8", b'"\xff"'),
    ("an array", b"[]"),
    ("nothing", b""),
    ("no config", b"{}"),
    ("unknown key", b'{"config": {"confidence_calculation": {}}, "x": 1}'),
    ("other key", b'{"config": {"other": {}}}'),
    ("a number", b'{"config": {"confidence_calculation": 1}}'),
    ("not a number", b'{"config": {"confidence_calculation": {"x": NaN}}}'),
    ("half a character", b'{"config": {"confidence_calculation": {"method": "\\ud800"}}}'),
    ("half a key", b'{"config": {"confidence_calculation": {"\\ud800": 1}}}'),
    ("NUL", b'{"config": {"confidence_calculation": {"method": "\\u0000"}}}'),
    ("huge", b'{"config": {"confidence_calculation": {"method": 1%s}}}' % (b"0" * 4000)),
    ("deep", b'{"config": {"confidence_calculation": %s1%s}}' % (b'{"a":' * 900, b"}" * 900)),
    ("very deep", b"[" * 200_000),
    ("version", b'{"config": {"confidence_calculation": {}}, "version": -1}'),
    ("large version", b'{"config": {"confidence_calculation": {}}, "version": 99999999999}'),
]


@pytest.mark.parametrize(("_name", "body"), BAD_BODIES, ids=[row[0] for row in BAD_BODIES])
def test_bad_bodies(server: AdminServer, _name: str, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    answer = server.client.put(CONFIG, content=body, headers=headers)
    assert answer.status_code in (400, 422), answer.text
    is_problem(answer, answer.status_code)


@pytest.mark.parametrize("tag", ["x", '"1.5"', '"-1"', '"99999999999999"', '"1", "2"'])
def test_bad_tags(server: AdminServer, tag: str) -> None:
    is_problem(put(server, {}, headers={"If-Match": tag}), 422)


def test_history_and_restore(fresh: AdminServer) -> None:
    first = calculation(put(fresh, {"method": "hybrid"}, headers={"X-Groundwire-User": "ada"}))
    put(fresh, {"method": "llm"})
    params = {"environment": "all"}
    changes = fresh.client.get(f"{CONFIG}/history", params=params).json()
    assert [change["who"] for change in changes[:2]] == ["api", "ada"]
    path = f"{CONFIG}/history/{changes[1]['id']}/restore"
    is_problem(fresh.client.post(path, json={"version": 1}), 409)
    assert calculation(fresh.client.post(path)) == first
    assert (
        fresh.client.get(f"{CONFIG}/history", params=params).json()[0]["restored"]
        == (changes[1]["id"])
    )
    is_problem(fresh.client.post(f"{CONFIG}/history/99999/restore"), 404)


def test_a_profile_is_activated(fresh: AdminServer) -> None:
    path, params = f"{CONFIG}/activate", {"environment": "production"}
    rows = fresh.client.get(f"{CONFIG}/profiles", params=params).json()
    assert [row["active"] for row in rows] == [True, False]
    answer = fresh.client.post(path, json={"profile": rows[1]["profile"]}, params=params)
    assert calculation(answer)["method"] == "hybrid"
    assert calculation(fresh.client.get(CONFIG, params=params)) == calculation(answer)
    is_problem(fresh.client.post(path, json={"profile": "none"}, params=params), 404)


def test_models(server: AdminServer) -> None:
    providers = server.client.get(f"{ADMIN}/llm/providers").json()["providers"]
    assert {row["value"]: row["default_model"] for row in providers} == {
        "openai": "gpt-4o-mini",
        "anthropic": "claude-3-haiku-20240307",
        "azure": "gpt-4o-mini",
    }
    for row in providers:
        answer = server.client.get(f"{ADMIN}/llm/models", params={"provider": row["value"]})
        models = answer.json()["models"]
        assert row["default_model"] in [model["value"] for model in models]
        assert {"value", "label", "cost"} == models[0].keys()
    [error] = is_problem(
        server.client.get(f"{ADMIN}/llm/models", params={"provider": "other"}), 422
    )["errors"]
    assert (error["file"], error["key"], error["value"]) == ("query", "provider", "other")
    is_problem(server.client.get(f"{ADMIN}/llm/models"), 422)


def test_prices_and_the_month(fresh: AdminServer) -> None:
    answer = fresh.client.get(PRICES)
    month = fresh.client.get(f"{ADMIN}/cost").json()
    assert (month["queries"], month["formula"], month["llm"], month["hybrid"]) == (10_000, 0, 2, 2)
    assert month["configured"] == 0
    models = answer.json()["models"]
    for model in models:
        if (model["provider"], model["value"]) == ("openai", "gpt-4o-mini"):
            model["per_query"] = 0.0005
    tag = {"If-Match": answer.headers["etag"]}
    assert fresh.client.put(PRICES, json={"models": models}, headers=tag).status_code == 200
    is_problem(fresh.client.put(PRICES, json={"models": models}, headers=tag), 409)
    assert fresh.client.get(f"{ADMIN}/cost", params={"queries": 20_000}).json()["llm"] == 10
    models[0]["per_query"] = -1
    [error] = is_problem(fresh.client.put(PRICES, json={"models": models}), 422)["errors"]
    assert "per_query" in error["key"]


@pytest.mark.parametrize("queries", ["-1", "x", "1e99", "99999999999"])
def test_a_month_of_impossible_size(server: AdminServer, queries: str) -> None:
    is_problem(server.client.get(f"{ADMIN}/cost", params={"queries": queries}), 422)


def test_prompts(fresh: AdminServer) -> None:
    [shipped] = fresh.client.get(PROMPT).json()
    assert fresh.client.get(f"{PROMPT}/active").json() == shipped
    new = {"content": "Rate {response} for {query}.", "notes": "short", "tags": ["a", "b"]}
    answer = fresh.client.post(PROMPT, json=new, headers={"X-Groundwire-User": "ada"})
    assert answer.status_code == 201
    second = answer.json()
    assert (second["version"], second["active"], second["created_by"]) == (2, False, "ada")
    assert second["missing_variables"] == ["context"]
    assert fresh.client.get(f"{PROMPT}/active").json()["version"] == 1
    assert fresh.client.put(f"{PROMPT}/{second['id']}/activate").json()["active"]
    assert fresh.client.get(f"{PROMPT}/active").json()["version"] == 2
    third = fresh.client.post(PROMPT, json={**new, "activate_immediately": True}).json()
    versions = fresh.client.get(PROMPT).json()
    assert [(row["version"], row["active"]) for row in versions] == [
        (3, True),
        (2, False),
        (1, False),
    ]
    assert third["version"] == 3
    is_problem(fresh.client.put(f"{PROMPT}/9999/activate"), 404)
    actions = [row["version"] for row in fresh.client.get(f"{PROMPT}/history").json()]
    assert actions[0] == 3


BAD_PROMPTS: list[dict[str, Any]] = [
    {},
    {"content": " "},
    {"content": "x" * 20_001},
    {"content": "a\0b"},
    {"content": "x", "tags": ["y" * 41]},
    {"content": "x", "tags": "y"},
    {"content": "x", "activate_immediately": "perhaps"},
    {"content": "x", "id": 7},
]


@pytest.mark.parametrize("body", BAD_PROMPTS, ids=lambda body: str(body)[:40])
def test_bad_prompts(server: AdminServer, body: dict[str, Any]) -> None:
    assert is_problem(server.client.post(PROMPT, json=body), 422)["errors"]
    assert len(server.client.get(PROMPT).json()) == 1


def test_unknown_prompts_and_ids(server: AdminServer) -> None:
    is_problem(server.client.get(f"{ADMIN}/prompts/other"), 404)
    is_problem(server.client.put(f"{PROMPT}/x/activate"), 422)
    is_problem(server.client.put(f"{PROMPT}/99999999999999999999/activate"), 422)


def test_the_hooks_settings(fresh: AdminServer) -> None:
    before = fresh.client.get(HOOK).json()
    assert (before["admin"], before["version"]) == ({}, "")
    body = {"settings": {"thresholds": {"block": 80}}, "version": ""}
    saved = fresh.client.put(HOOK, json=body)
    assert saved.json()["settings"]["thresholds"]["block"] == 80
    assert saved.json()["origins"]["thresholds.block"].startswith("admin")
    written = fresh.home / ".config/groundwire/admin.toml"
    assert "block = 80" in written.read_text(encoding="utf-8")
    is_problem(fresh.client.put(HOOK, json=body), 409)
    nothing = {"settings": {"mode": "off"}}
    is_problem(fresh.client.put(HOOK, json=nothing, headers={"If-Match": '""'}), 409)
    tag = {"If-Match": saved.headers["etag"]}
    gone = fresh.client.put(HOOK, json={"settings": {"thresholds": None}}, headers=tag)
    assert gone.json()["admin"] == {}
    is_problem(fresh.client.put(HOOK, json=body | {"version": "x"}, headers=tag), 409)
    changes = fresh.client.get(f"{HOOK}/history").json()
    back = fresh.client.post(f"{HOOK}/history/{changes[-1]['id']}/restore", json={})
    assert back.json()["admin"] == {"thresholds": {"block": 80}}
    is_problem(fresh.client.post(f"{HOOK}/history/4711/restore"), 404)


def test_refused_settings_of_the_hook(server: AdminServer) -> None:
    for settings, key in (
        ({"thresholds": {"block": 101}}, "thresholds.block"),
        ({"mode": "loud"}, "mode"),
        ({"unknown": 1}, "unknown"),
    ):
        fields = is_problem(server.client.put(HOOK, json={"settings": settings}), 422)
        assert [error["key"] for error in fields["errors"]] == [key]
        assert fields["errors"][0]["file"] == "admin.toml"
    assert not (server.home / ".config/groundwire/admin.toml").exists()


def test_scan(server: AdminServer) -> None:
    text = f"\U0001f600 {GUESS}"
    answer = server.client.post("/api/v1/scan", json={"text": text}).json()
    assert answer["threshold"] == 50
    assert [list(match) for match in answer["matches"]] == [
        ["kind", "evidence", "offset", "confidence"]
    ] * 3
    for match in answer["matches"]:
        place = slice(match["offset"], match["offset"] + len(match["evidence"]))
        assert text[place] == match["evidence"]
    more = {"text": text, "offset_unit": "utf16", "format": "full", "verbose": True}
    full = server.client.post("/api/v1/scan", json=more).json()["matches"]
    reported = [match for match in full if match["confidence"] >= answer["threshold"]]
    assert [match["offset"] - 1 for match in reported] == [m["offset"] for m in answer["matches"]]
    assert full[0]["factors"]
    none = server.client.post("/api/v1/scan", json={"text": text, "threshold": 100}).json()
    assert none == {"matches": [], "threshold": 100}


BAD_SCANS: list[dict[str, Any]] = [
    {},
    {"text": 1},
    {"text": "a", "threshold": 101},
    {"text": "a", "format": "xml"},
    {"text": "a", "x": 1},
]


@pytest.mark.parametrize("body", BAD_SCANS, ids=str)
def test_bad_scans(server: AdminServer, body: dict[str, Any]) -> None:
    is_problem(server.client.post("/api/v1/scan", json=body), 422)
    half = b'{"text": "\\ud800"}'
    answer = server.client.post("/api/v1/scan", content=half)
    is_problem(answer, 422)


def test_methods_and_paths(server: AdminServer) -> None:
    answer = server.client.delete(CONFIG)
    is_problem(answer, 405)
    assert "PUT" in answer.headers["allow"] or "GET" in answer.headers["allow"]
    is_problem(server.client.get(f"{CONFIG}/none"), 404)


WRITES = [
    ("POST", "/api/v1/chat"),
    ("POST", f"{CONFIG}/test"),
    ("POST", f"{PROMPT}/preview"),
    ("PUT", f"{ADMIN}/ab-report/shares"),
    ("POST", f"{ADMIN}/judgements/1/feedback"),
    ("POST", "/api/v1/admin/decisions/intake"),
    ("POST", "/api/v1/admin/decisions/1/feedback"),
    ("PUT", CONFIG),
    ("POST", f"{CONFIG}/activate"),
    ("POST", f"{CONFIG}/history/1/restore"),
    ("PUT", PRICES),
    ("POST", PROMPT),
    ("PUT", f"{PROMPT}/1/activate"),
    ("PUT", HOOK),
    ("POST", f"{HOOK}/history/1/restore"),
    ("POST", "/api/v1/scan"),
    ("POST", "/hook"),
    ("POST", "/stop"),
    ("POST", "/logout"),
]


def test_the_writes_are_all_of_them(server: AdminServer) -> None:
    known = {
        (method.upper(), path.replace("{id}", "1").replace("{change}", "1"))
        for path, operations in server.client.get("/openapi.json").json()["paths"].items()
        for method in operations
        if method != "get"
    }
    assert known | {("POST", "/logout")} == set(WRITES)


@pytest.mark.parametrize(("method", "path"), WRITES, ids=" ".join)
def test_every_write_is_guarded(server: AdminServer, method: str, path: str) -> None:
    assert server.stranger.request(method, path, json={}).status_code == 401
    wrong = {"Authorization": "Bearer wrong"}
    assert server.stranger.request(method, path, json={}, headers=wrong).status_code == 401
    evil = {"Host": f"evil.example:{server.port}"}
    is_problem(server.client.request(method, path, json={}, headers=evil), 421)
    foreign = {"Origin": "http://evil.example"}
    is_problem(server.client.request(method, path, json={}, headers=foreign), 403)
    if path not in ("/hook", "/stop"):
        with server.browser() as browser:
            del browser.headers["Origin"]
            is_problem(browser.request(method, path, json={}), 403)
