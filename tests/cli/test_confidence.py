"""``groundwire confidence``, ``rag``, ``composite``, ``gate`` and ``reinforce``: the models."""

import json
import subprocess
from typing import Any

import pytest

from groundwire_admin.service import open_admin
from tests.cli.command import GROUNDWIRE, Command
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
#: The limit of a judge that answers at once, on a machine that is busy.
PATIENT = ("--timeout", "20000")


def lines(*documents: Any) -> str:
    return "".join(json.dumps(one) + "\n" for one in documents)


def read(printed: str | bytes) -> list[Any]:
    return [json.loads(line) for line in printed.splitlines()]


# documents
def test_documents_of_a_file_and_a_pipe(cli: Command) -> None:
    path = cli.write("answer.json", json.dumps(STATE, indent=1))
    assert json.loads(cli.out("confidence", path)) == FORMULA
    assert {name for name in cli.files() if "judgement" in name or name.endswith(".db")} == set()
    assert read(cli.out("confidence", "-", stdin=lines(STATE, STATE))) == [FORMULA, FORMULA]
    assert cli.out("confidence", "--text", stdin=lines(STATE)).splitlines() == [
        "confidence 0.818 by formula, CONFIDENT: good context, minor gaps acceptable",
        "  similarity_score  0.885 x 0.80  0.708",
        "  source_boost      0.600 x 0.10  0.060",
        "  length_boost      0.500 x 0.10  0.050",
    ]


BAD_LINES = [("xx", 0), ("[1]", 1), ('{"response": 5, "chunks": 3}', 2), ('{"a": [{"b"}]}', 1)]


@pytest.mark.parametrize("command", ["confidence", "rag"])
@pytest.mark.parametrize(("bad", "at"), BAD_LINES)
def test_a_bad_line_costs_only_itself(cli: Command, command: str, bad: str, at: int) -> None:
    rows = [json.dumps({**STATE, "chunks": []})] * 2
    rows.insert(at, bad)
    process = cli(command, stdin="\n".join(rows))
    assert process.returncode == 1
    assert [number for number, one in enumerate(read(process.stdout)) if "error" in one] == [at]
    assert f"groundwire: stdin:{at + 1}: ".encode() in process.stderr


@pytest.mark.parametrize("command", ["confidence", "rag"])
def test_results_come_as_lines_come(cli: Command, command: str) -> None:
    """A pipe that stays open gets its answers at once."""
    answers = cli.as_they_come(command, [{**STATE, "chunks": []}] * 3)
    assert len(answers) == 3
    assert not any("error" in answer for answer in answers)


# confidence: a judge, settings
@pytest.mark.parametrize("provider", PROVIDERS)
def test_hybrid_asks_the_judge_once_and_keeps_the_answer(cli: Command, provider: str) -> None:
    arguments = ["confidence", "--method", "hybrid", "--provider", provider, *PATIENT]
    with judge_stub(provider, structured(0.9)) as stub:
        first = json.loads(cli.out(*arguments, stdin=lines(STATE), env=stub.env))
        again = json.loads(cli.out(*arguments, stdin=lines(STATE), env=stub.env))
        assert len(stub.requests) == 1
        arguments += ["--no-cache", "--set", 'judge.prices."openai/gpt-4o-mini"=0.25']
        anew = json.loads(cli.out(*arguments, stdin=lines(STATE), env=stub.env))
        assert len(stub.requests) == 2
    assert first["confidence_score"] == again["confidence_score"] == 0.8508
    breakdowns = [one["confidence_breakdown"] for one in (first, again, anew)]
    assert [one["cached"] for one in breakdowns] == [False, True, False]
    assert breakdowns[0]["llm_provider"] == provider
    assert provider != "openai" or [one["cost"] for one in breakdowns[::2]] == [0.0002, 0.25]
    assert b"The server listens" not in b"".join(
        path.read_bytes() for path in cli.home.rglob("judgements.db*")
    )


def test_many_judgements_at_once_keep_their_order(cli: Command) -> None:
    states = [{**STATE, "query": str(number)} for number in range(8)]
    replies = (Step("slow", "0.4"), *(text(f"0.{number}") for number in range(1, 8)))
    with judge_stub("openai", *replies) as stub:
        arguments = ("confidence", "--method", "llm", *PATIENT, "--jobs", "3")
        printed = cli.out(*arguments, stdin=lines(*states), env=stub.env)
        assert 1 < stub.most_at_once <= 3
        asked = {request.body["messages"][1]["content"] for request in stub.requests}
    scores = sorted(one["confidence_score"] for one in read(printed))
    assert (len(asked), scores) == (8, [0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7])


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
    [result] = read(process.stdout)
    assert process.returncode == 0
    assert (result["confidence_score"], result["confidence_method"]) == (0.818, "formula")
    assert result["confidence_breakdown"]["fallback_reason"] == reason
    told = f"groundwire: warning: stdin:1: {reason}; the formula is used\n"
    assert process.stderr.decode() == told
    assert KEY not in told


BAD_SETTINGS = [
    ("{", "Expecting property name"),
    ("[]", "allowed: one JSON object"),
    ('{"method": "x"}', 'method: value "x": formula or llm or hybrid'),
    ('{"x": 1}', "x: unknown key: allowed: method"),
    ('{"hybrid_settings": {"llm_weight": 0.9}}', "hybrid_settings: formula_weight 0.6 + llm"),
]


def test_a_document_of_settings(cli: Command) -> None:
    weights = {"similarity": 1, "source_quality": 0, "response_length": 0}
    document: dict[str, Any] = {"method": "hybrid", "formula_weights": weights}
    arguments = ("confidence", "--config", "settings.json")
    for given in (document, {"confidence_calculation": document}):
        cli.write("settings.json", json.dumps(given))
        printed = cli.out(*arguments, "--method", "formula", stdin=lines(STATE))
        assert json.loads(printed)["confidence_score"] == 0.885
    for broken, message in BAD_SETTINGS:
        cli.write("settings.json", broken)
        said = cli.refused(*arguments, stdin=lines(STATE))
        assert said.startswith(f"groundwire: settings.json: {message}")


@pytest.mark.parametrize("named", [True, False])
def test_settings_and_prompt_of_the_admin_database(cli: Command, named: bool) -> None:
    """A database that is named, or the one in the state folder."""
    url = f"sqlite:///{cli.home}/admin.db" if named else None
    admin = open_admin(url, cli.env)
    weights = {"formula_weight": 0.2, "llm_weight": 0.8}
    changes = {"confidence_calculation": {"method": "hybrid", "hybrid_settings": weights}}
    version = admin.configuration.get("production").version
    admin.configuration.save(changes, who="test", environment="production", version=version)
    admin.prompts.create("Rate {response} to {query} by {context}.", who="test", activate=True)
    admin.close()
    arguments = ["confidence", "--environment", "production", *PATIENT]
    arguments += ["--db", url] if url else []
    with judge_stub("openai", structured(0.5)) as stub:
        result = json.loads(cli.out(*arguments, stdin=lines(STATE), env=stub.env))
        [request] = stub.requests
    assert result["confidence_score"] == pytest.approx(0.5636)
    assert result["confidence_breakdown"]["prompt_version"] == 2
    assert request.body["messages"][1]["content"].startswith("Rate 8080.")
    assert request.body["max_tokens"] == 80


# rag
GOOD = {
    "response": {"summary": "up", "confidence": 0.2, "market_context": "calm"},
    "chunks": [{"similarity": 0.9, "source_type": "government"}],
}
POOR = {"response": "no JSON", "chunks": []}


def test_rag_in_its_formats(cli: Command) -> None:
    good, middle, poor = read(cli.out("rag", stdin=lines(GOOD, {}, POOR) + "\n"))
    assert (good["confidence"], good["flag"], good["met"]) == (0.95, "HIGH_CONFIDENCE", True)
    assert (good["marketInfo"], good["event"], good["warning"]) == ("calm", None, "")
    assert (middle["flag"], poor["flag"]) == ("LOW_CONFIDENCE", "VERY_LOW_CONFIDENCE")
    printed = cli.out("rag", "--format", "text", stdin=json.dumps(POOR))
    assert printed.startswith("[\u26a0 Low Confidence - Verify Required] VERY_LOW_CONFIDENCE\n")
    assert "[RAG Adapter] Low confidence (0.00 < 0.7). Advisory-only.\n" in printed
    assert "unparsed" in printed
    first, second = cli.out("rag", "--format", "html", stdin=lines(GOOD, POOR)).splitlines()
    assert ("#2E7D32" in first, "<div" in first, "#C62828" in second) == (True, False, True)


def test_rag_options_and_settings(cli: Command) -> None:
    arguments = ["--threshold", "0.9", "--required", "summary", "--optional", ""]
    document = json.dumps({**GOOD, "response": {"summary": "a"}})
    scored = json.loads(cli.out("rag", *arguments, "--high-relevance", "0.95", stdin=document))
    assert scored["factors"]["retrieval"]["points"] == pytest.approx(0.285714, abs=1e-6)
    assert (scored["factors"]["response"]["points"], scored["met"]) == (0.3, False)
    cli.settings("[advisory]\nthreshold = 0.8\nrequired = ['answer']\n")
    document = json.dumps({"confidence": 0.75})
    assert json.loads(cli.out("rag", stdin=document))["flag"] == "LOW_CONFIDENCE"
    lower = ["--set", "advisory.threshold=0.7"]
    assert json.loads(cli.out("rag", *lower, stdin=document))["flag"] == "MEDIUM_CONFIDENCE"
    fields = json.loads(cli.out("rag", stdin=json.dumps(GOOD)))
    assert fields["factors"]["response"]["why"] == "missing required: answer"


def test_many_processes_append_whole_lines_to_the_audit_file(cli: Command) -> None:
    path = cli.write("audit.jsonl", '{"torn')
    command = [str(GROUNDWIRE), "rag", "--audit", str(path)]
    pipe = subprocess.PIPE
    running = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, env=cli.env, cwd=cli.folder)
        for _ in range(2)
    ]
    for process in running:
        process.communicate(lines(*[POOR] * 40).encode(), timeout=60)
    torn, *events = path.read_text(encoding="utf-8").splitlines()
    assert (torn, len(events)) == ('{"torn', 80)
    assert {json.loads(event)["eventType"] for event in events} == {"RAG_ADVISORY_LOW_CONFIDENCE"}
    payload = {"confidence": 0.0, "threshold": 0.7, "summary": None}
    assert all(json.loads(event)["payload"] == payload for event in events)


# composite and gate
PLANNER = ("composite", "planner", "archon-planner-1", "0.8", "0.9", "0.7")
LINES = """Composite Confidence: 82.50%
Confidence Level: MODERATE
Threshold: 75.00%
Threshold Met: True
Should Block: False

Factor Scores:
  Knowledge Base: 80.00%
  Code Validation: 90.00%
  Response Certainty: 70.00%
  Agent History: 87.50%
"""


def history(cli: Command) -> list[dict[str, Any]]:
    """Return the rows that the command has written."""
    names = [name for name in cli.files() if name.startswith(".claude/validation/history/")]
    return [row for name in sorted(names) for row in read((cli.home / name).read_text("ascii"))]


def test_composite(cli: Command) -> None:
    assert cli.out(*PLANNER, "--history", "0.875") == LINES
    found = json.loads(cli.out(*PLANNER, "--history", "0.875", "--task-id", "T-17", "--json"))
    assert found["composite_confidence"] == 0.825
    assert (found["task_id"], found["weakest_factor"]) == ("T-17", "knowledge_base_score")
    row = history(cli)[-1]
    assert {key: found[key] for key in row} == row
    assert cli.out(*PLANNER).endswith("Agent History: 100.00%\n")  # looked up
    process = cli("composite", "patcher", "p", "0.85", "0.9", "0.75")
    assert (process.returncode, b"Should Block: True\n" in process.stdout) == (0, True)
    assert b"Weakest factor: Agent History 50.00%" in process.stderr


GATE = ("gate", "patcher", "p", "--kb", "1", "--code", "1")


def test_gate_lets_an_answer_out_or_stops_it(cli: Command) -> None:
    assert cli.out(*GATE, "-", stdin="It is fixed.\n") == (
        "PASSED  CONFIDENCE_REQUIREMENTS: confidence 80.00%, threshold 80.00%\n"
        "  Knowledge Base: 100.00%\n  Code Validation: 100.00%\n"
        "  Response Certainty: 50.00% (no markers)\n"
        "  Agent History: 50.00% (no runs of this agent in the last 24 hours)\n\nIt is fixed.\n"
    )
    process = cli("gate", "patcher", "q", *GATE[3:], "-", stdin="I think it is fixed.\n")
    told, _, answer = process.stdout.decode().partition("\n\n")
    assert (process.returncode, process.stderr) == (1, b"")
    assert told.startswith("FAILED  CONFIDENCE_REQUIREMENTS: Confidence ")
    assert answer == "I don't know - my confidence is too low to answer this accurately.\n"
    again = ("gate", "patcher", "r", "--kb", "1", "--code", "0.9", "-", "--json")
    stopped = json.loads(cli(*again, stdin="Maybe fixed.").stdout)
    assert stopped["factors"]["code_validation_score"] == 0.9
    assert stopped["factor_sources"]["response_certainty_score"] == 'lowered by "Maybe"'


def test_gate_from_facts_and_from_the_last_calculation(cli: Command) -> None:
    cli.write("found.json", json.dumps([{"similarity": 0.92}, {"similarity": 0.85}]))
    facts = ("--code-exists", "--syntax-valid", "--type-valid", "--tests-exist", "--tests-pass")
    printed = cli.out("gate", "patcher", "p", "--retrieval", "found.json", *facts)
    assert printed.startswith("PASSED  CONFIDENCE_REQUIREMENTS: confidence 80.00%")
    (row,) = history(cli)
    assert list(row["factors"].values()) == [1.0, 1.0, 0.5, 0.5]
    assert cli.out("gate", "planner", "archon-planner-1").startswith("SKIPPED")
    cli.out(*PLANNER)
    assert cli.out("gate", "planner", "archon-planner-1").startswith("PASSED")


# reinforce
def value(cli: Command, *arguments: str) -> float:
    return float(json.loads(cli.out("reinforce", "--json", *arguments))["value"])


HEADER = "--formula full --base 0.707 --evidence 0.08:0.05 --validation --aho-corasick"
HEADER += " --integration"
#: Vectors of group 004 through the command.
VALUES = [
    ("", 0.5),
    ("--evidence 1:1", 0.541421),
    ("--base 0.6 --evidence 0:1", 0.59),
    ("--symbol visit --symbol confirm --validation", 0.6),
    ("--refactored 2 --created 1", 0.496),
    ("--data-months 12", 0.488),
    ("--milestone M1 --milestone M3", 0.68),
    (HEADER, 0.815),
    ("--formula simplified-as-published --evidence 1", 0.520711),
    ("--formula enhanced --contribution M2=0.1 --contribution M4_VV=0.06", 0.75),
]


@pytest.mark.parametrize(("arguments", "wanted"), VALUES)
def test_reinforced_value(cli: Command, arguments: str, wanted: float) -> None:
    assert value(cli, *arguments.split()) == pytest.approx(wanted)


def test_json_shows_every_factor(cli: Command) -> None:
    shown = json.loads(cli.out("reinforce", "--json", "--symbol", "visit"))["factors"]
    assert (shown["core"], shown["observed"], shown["validation"]) == (0.5, 0.05, 0)
    for arguments in (HEADER, VALUES[-2][0], VALUES[-1][0]):
        fields = json.loads(cli.out("reinforce", "--json", *arguments.split()))
        assert fields["value"] == pytest.approx(sum(fields["factors"].values()))


def test_the_steps_as_text(cli: Command) -> None:
    printed = cli.out("reinforce", "--evidence", "1:1", "--symbol", "visit")
    assert printed.splitlines() == [
        "0.500000  base",
        "0.541421  evidence 1, observation 1",
        "0.638071  limit with alpha 0.2, delta 0.1",
        "+0.050000  observed",
        "0.591421  reinforced confidence: state OBSERVE, base 0.500, evidence brought it to 0.541",
    ]


def test_a_session_goes_on(cli: Command) -> None:
    session = ("reinforce", "--session", "s.json")
    for symbol in ("visit", "confirm", "test", "merge"):
        last = cli.out(*session, "--symbol", symbol, "--json")
    fields = json.loads(last)
    assert (fields["state"], fields["value"]) == ("REFRESH", pytest.approx(0.614))
    stored = json.loads((cli.folder / "s.json").read_text(encoding="utf-8"))
    assert stored["entered"] == ["OBSERVE", "VALIDATE", "INTEGRATE", "REFRESH"]
    assert "holds a session that began" in cli.refused(*session, "--base", "0.7")
