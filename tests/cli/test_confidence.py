"""``groundwire confidence``: real command, stub judge on loopback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundwire_admin.service import open_admin
from tests.cli.command import Command
from tests.support.judge_stub import KEY, PROVIDERS, Step, judge_stub, status, structured, text

STATE = {
    "query": "Which port?",
    "context_text": "The server listens on 8080.",
    "context_docs": [{"similarity": 0.85}, {"similarity": 0.9}],
    "response": "8080. " * 25,
}
FORMULA = {
    "confidence_score": 0.818,
    "confidence_method": "formula",
    "confidence_breakdown": {"similarity_score": 0.885, "source_boost": 0.6, "length_boost": 0.5},
}


def lines(*documents: Any) -> str:
    return "".join(json.dumps(one) + "\n" for one in documents)


def test_one_document_of_a_file(cli: Command) -> None:
    path = cli.write("answer.json", json.dumps(STATE, indent=1))
    assert json.loads(cli.out("confidence", path)) == FORMULA
    assert {name for name in cli.files() if "judgement" in name or name.endswith(".db")} == set()


def test_lines_of_a_pipe_and_text(cli: Command) -> None:
    printed = cli.out("confidence", "-", stdin=lines(STATE, STATE)).splitlines()
    assert [json.loads(line) for line in printed] == [FORMULA, FORMULA]
    assert cli.out("confidence", "--text", stdin=lines(STATE)).splitlines() == [
        "confidence 0.818 by formula, CONFIDENT: good context, minor gaps acceptable",
        "  similarity_score  0.885 x 0.80  0.708",
        "  source_boost      0.600 x 0.10  0.060",
        "  length_boost      0.500 x 0.10  0.050",
    ]


@pytest.mark.parametrize("bad", ["xx", "[1]", '{"response": 5}', '{"context_docs": [{"a"}]}'])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_bad_line_costs_only_itself(cli: Command, bad: str, at: int) -> None:
    rows = [json.dumps(STATE), json.dumps(STATE)]
    rows.insert(at, bad)
    process = cli("confidence", stdin="\n".join(rows))
    printed = [json.loads(line) for line in process.stdout.decode().splitlines()]
    assert process.returncode == 1
    assert [number for number, one in enumerate(printed) if "error" in one] == [at]
    assert all("confidence_score" in one and "confidence_breakdown" in one for one in printed)
    assert f"groundwire: stdin:{at + 1}: ".encode() in process.stderr


def test_results_come_as_lines_come(cli: Command) -> None:
    assert cli.as_they_come("confidence", [STATE] * 6) == [FORMULA] * 6


@pytest.mark.parametrize("provider", PROVIDERS)
def test_hybrid_asks_the_judge_once_and_keeps_the_answer(cli: Command, provider: str) -> None:
    arguments = ("confidence", "--method", "hybrid", "--provider", provider, "--timeout", "20000")
    with judge_stub(provider, structured(0.9)) as stub:
        first = json.loads(cli.out(*arguments, stdin=lines(STATE), env=stub.env))
        again = json.loads(cli.out(*arguments, stdin=lines(STATE), env=stub.env))
        assert len(stub.requests) == 1
        anew = json.loads(cli.out(*arguments, "--no-cache", stdin=lines(STATE), env=stub.env))
        assert len(stub.requests) == 2
    assert first["confidence_score"] == again["confidence_score"] == 0.8508
    breakdowns = [one["confidence_breakdown"] for one in (first, again, anew)]
    assert [one["cached"] for one in breakdowns] == [False, True, False]
    assert breakdowns[0]["llm_provider"] == provider
    assert b"The server listens" not in b"".join(
        path.read_bytes() for path in cli.home.rglob("judgements.db*")
    )


def test_a_price_of_the_settings_is_the_cost(cli: Command) -> None:
    arguments = ["confidence", "--method", "llm", "--timeout", "20000", "--no-cache"]
    with judge_stub("openai", structured(0.9)) as stub:
        shipped = json.loads(cli.out(*arguments, stdin=lines(STATE), env=stub.env))
        arguments += ["--set", 'judge.prices."openai/gpt-4o-mini"=0.25']
        own = json.loads(cli.out(*arguments, stdin=lines(STATE), env=stub.env))
    costs = [one["confidence_breakdown"]["cost"] for one in (shipped, own)]
    assert costs == [0.0002, 0.25]


def test_many_judgements_at_once_keep_their_order(cli: Command) -> None:
    states = [{**STATE, "query": str(number)} for number in range(8)]
    replies = (Step("slow", "0.4"), *(text(f"0.{number}") for number in range(1, 8)))
    with judge_stub("openai", *replies) as stub:
        arguments = ("confidence", "--method", "llm", "--timeout", "20000", "--jobs", "3")
        printed = cli.out(*arguments, stdin=lines(*states), env=stub.env).splitlines()
        assert 1 < stub.most_at_once <= 3
        asked = {request.body["messages"][1]["content"] for request in stub.requests}
    assert len(printed) == len(asked) == 8
    scores = sorted(json.loads(line)["confidence_score"] for line in printed)
    assert scores == [0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7]


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (status(401), "openai: HTTP 401: the key is not accepted"),
        (Step("slow"), "no answer within 1500 ms"),
    ],
)
def test_without_an_answer_the_formula_counts_and_it_is_told(
    cli: Command, step: Step, reason: str
) -> None:
    with judge_stub("openai", step) as stub:
        arguments = ("confidence", "--method", "llm", "--timeout", "1500")
        process = cli(*arguments, stdin=lines(STATE), env=stub.env)
    result = json.loads(process.stdout)
    assert process.returncode == 0
    assert (result["confidence_score"], result["confidence_method"]) == (0.818, "formula")
    assert result["confidence_breakdown"]["fallback_reason"] == reason
    told = f"groundwire: warning: stdin:1: {reason}; the formula is used\n"
    assert process.stderr.decode() == told
    assert KEY not in told


def test_a_missing_key_is_told(cli: Command) -> None:
    process = cli("confidence", "--method", "hybrid", stdin=lines(STATE))
    assert process.returncode == 0
    assert b"OPENAI_API_KEY is not set in the environment" in process.stderr
    assert json.loads(process.stdout)["confidence_score"] == 0.818


def test_what_is_odd_about_a_score_is_told(cli: Command) -> None:
    with judge_stub("openai", text("no idea"), text("1.5")) as stub:
        arguments = ("confidence", "--method", "llm", "--timeout", "20000", "--jobs", "1")
        process = cli(*arguments, stdin=lines(STATE, STATE), env=stub.env)
    first, second = (json.loads(line) for line in process.stdout.splitlines())
    assert (first["confidence_score"], second["confidence_score"]) == (0.5, 1.0)
    assert process.stderr.decode().splitlines() == [
        "groundwire: warning: stdin:1: the judge's reply holds no score; 0.5 is used",
        "groundwire: warning: stdin:2: the judge's score is beyond 0 to 1 and was clamped",
    ]


@pytest.mark.parametrize(
    ("arguments", "weights"),
    [
        (("--environment", "development"), (0.5, 0.5)),
        (("--environment", "UAT"), (0.6, 0.4)),
        (("--profile", "production-validated"), (0.4, 0.6)),
        (("--environment", "production", "--profile", "production-validated"), (0.4, 0.6)),
        (("--environment", "production", "--method", "hybrid"), (0.7, 0.3)),
    ],
)
def test_shipped_settings_of_an_environment(
    cli: Command, arguments: tuple[str, ...], weights: tuple[float, float]
) -> None:
    process = cli("confidence", *arguments, stdin=lines(STATE))
    result = json.loads(process.stdout)
    breakdown = result["confidence_breakdown"]
    assert result["confidence_method"] == "hybrid"
    assert (breakdown["formula_weight"], breakdown["llm_weight"]) == weights


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_document_of_settings(cli: Command, wrapped: bool) -> None:
    weights = {"similarity": 1, "source_quality": 0, "response_length": 0}
    document: dict[str, Any] = {"method": "hybrid", "formula_weights": weights}
    if wrapped:
        document = {"confidence_calculation": document}
    path = cli.write("settings.json", json.dumps(document))
    printed = cli.out("confidence", "--config", path, "--method", "formula", stdin=lines(STATE))
    assert json.loads(printed)["confidence_score"] == 0.885


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("{", "settings.json: Expecting property name"),
        ("[]", "settings.json: allowed: one JSON object"),
        ('{"method": "x"}', 'settings.json: method: value "x": formula or llm or hybrid'),
        ('{"x": 1}', "settings.json: x: unknown key: allowed: method"),
        (
            '{"hybrid_settings": {"llm_weight": 0.9}}',
            "settings.json: hybrid_settings: formula_weight 0.6 + llm_weight 0.9 = 1.5: allowed: ",
        ),
    ],
)
def test_a_bad_document_of_settings_is_refused(cli: Command, settings: str, message: str) -> None:
    cli.write("settings.json", settings)
    error = cli.refused("confidence", "--config", "settings.json", stdin=lines(STATE))
    assert error.startswith(f"groundwire: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--method", "magic"), 'flags: method: value "magic": formula or llm or hybrid'),
        (("--provider", "x"), 'flags: llm_settings.provider: value "x": openai or anthropic'),
        (("--timeout", "0"), "flags: llm_settings.timeout_ms: value 0: a whole number from 1"),
        (("--profile", "uta"), "--profile: value 'uta': allowed: uat"),
        (
            ("--environment", "uat", "--profile", "production"),
            "--profile: value 'production': it belongs to the environment production, not to 'uat'",
        ),
        (("--config", "none.json"), "none.json: No such file or directory; expected a readable"),
        (("none.json",), "none.json: No such file or directory; expected a readable file"),
        (("--db", "mysql://127.0.0.1/x"), "--db: unknown database 'mysql': allowed: sqlite:///"),
    ],
)
def test_bad_arguments_are_refused(cli: Command, arguments: tuple[str, ...], message: str) -> None:
    error = cli.refused("confidence", *arguments, stdin=lines(STATE))
    assert error.startswith(f"groundwire: {message}")


def test_no_input_is_refused(cli: Command) -> None:
    assert cli.refused("confidence").startswith("groundwire: stdin: empty")


@pytest.mark.parametrize("named", [True, False])
def test_settings_and_prompt_of_the_admin_database(
    cli: Command, tmp_path: Path, named: bool
) -> None:
    """A database that is named, or the one in the state folder."""
    url = f"sqlite:///{tmp_path}/admin.db" if named else None
    admin = open_admin(url, cli.env)
    weights = {"formula_weight": 0.2, "llm_weight": 0.8}
    changes = {"confidence_calculation": {"method": "hybrid", "hybrid_settings": weights}}
    version = admin.configuration.get("production").version
    admin.configuration.save(changes, who="test", environment="production", version=version)
    admin.prompts.create("Rate {response} to {query} by {context}.", who="test", activate=True)
    admin.close()
    arguments = ["confidence", "--environment", "production", "--timeout", "20000"]
    arguments += ["--db", url] if url else []
    with judge_stub("openai", structured(0.5)) as stub:
        result = json.loads(cli.out(*arguments, stdin=lines(STATE), env=stub.env))
        [request] = stub.requests
    assert result["confidence_score"] == pytest.approx(0.5636)
    assert result["confidence_breakdown"]["prompt_version"] == 2
    assert request.body["messages"][1]["content"].startswith("Rate 8080.")
    assert request.body["max_tokens"] == 80
