"""``groundwire rag``: one document, many lines, formats, the audit file, bad input."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from tests.cli.command import GROUNDWIRE, Command

GOOD = {
    "response": {"summary": "up", "confidence": 0.2, "market_context": "calm"},
    "chunks": [{"similarity": 0.9, "source_type": "government"}],
}
POOR = {"response": "no JSON", "chunks": []}


def lines(*documents: Any) -> str:
    return "".join(json.dumps(one) + "\n" for one in documents)


def test_one_document(cli: Command) -> None:
    path = cli.write("answer.json", json.dumps(GOOD, indent=1))
    fields = json.loads(cli.out("rag", path))
    assert (fields["confidence"], fields["flag"], fields["met"]) == (0.95, "HIGH_CONFIDENCE", True)
    assert fields["marketInfo"] == "calm"
    assert (fields["event"], fields["warning"]) == (None, "")


def test_many_lines(cli: Command) -> None:
    printed = cli.out("rag", stdin=lines(GOOD, {}, POOR) + "\n").splitlines()
    flags = [json.loads(line)["flag"] for line in printed]
    assert flags == ["HIGH_CONFIDENCE", "LOW_CONFIDENCE", "VERY_LOW_CONFIDENCE"]


@pytest.mark.parametrize("bad", ["xx", "[1]", '{"response": 1, "chunks": 3}', '{"a": NaN}'])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_bad_line_costs_only_itself(cli: Command, bad: str, at: int) -> None:
    rows = [json.dumps(GOOD), json.dumps(GOOD)]
    rows.insert(at, bad)
    process = cli("rag", stdin="\n".join(rows))
    printed = [json.loads(line) for line in process.stdout.decode().splitlines()]
    assert process.returncode == 1
    assert [number for number, one in enumerate(printed) if "error" in one] == [at]
    assert f"groundwire: stdin:{at + 1}: ".encode() in process.stderr


def test_results_come_as_lines_come(cli: Command) -> None:
    """A pipe that stays open gets its answers at once."""
    assert all("flag" in answer for answer in cli.as_they_come("rag", [GOOD, POOR]))


def test_text(cli: Command) -> None:
    printed = cli.out("rag", "--format", "text", stdin=json.dumps(POOR))
    assert printed.splitlines()[:2] == [
        "[⚠ Low Confidence - Verify Required] VERY_LOW_CONFIDENCE",
        "⚠️ Advisory only — Confidence: 0%. Verify information with primary sources.",
    ]
    assert "[RAG Adapter] Low confidence (0.00 < 0.7). Advisory-only.\n" in printed
    assert "unparsed" in printed


def test_html(cli: Command) -> None:
    printed = cli.out("rag", "--format", "html", stdin=lines(GOOD, POOR)).splitlines()
    assert len(printed) == 2
    assert "#2E7D32" in printed[0]
    assert "<div" not in printed[0]
    assert "#C62828" in printed[1]
    assert "Confidence: 0%." in printed[1]


def test_the_audit_file(cli: Command) -> None:
    path = cli.write("audit.jsonl", '{"torn')
    for _ in range(2):
        cli.out("rag", "--audit", path, stdin=lines(GOOD, POOR))
    torn, *events = path.read_text(encoding="utf-8").splitlines()
    assert torn == '{"torn'
    assert [json.loads(event)["eventType"] for event in events] == [
        "RAG_ADVISORY_LOW_CONFIDENCE",
        "RAG_ADVISORY_LOW_CONFIDENCE",
    ]
    payload = {"confidence": 0.0, "threshold": 0.7, "summary": None}
    assert json.loads(events[0])["payload"] == payload


def test_options_of_the_rubric(cli: Command) -> None:
    arguments = ["--threshold", "0.9", "--required", "summary", "--optional", ""]
    document = json.dumps({**GOOD, "response": {"summary": "a"}})
    scored = json.loads(cli.out("rag", *arguments, "--high-relevance", "0.95", stdin=document))
    assert scored["factors"]["retrieval"]["points"] == pytest.approx(0.285714, abs=1e-6)
    assert scored["factors"]["response"]["points"] == 0.3
    assert (scored["threshold"], scored["met"]) == (0.9, False)


def test_settings_of_a_user(cli: Command) -> None:
    cli.settings("[advisory]\nthreshold = 0.8\nrequired = ['answer']\n")
    document = json.dumps({"confidence": 0.75})
    assert json.loads(cli.out("rag", stdin=document))["flag"] == "LOW_CONFIDENCE"
    lower = ["--set", "advisory.threshold=0.7"]
    assert json.loads(cli.out("rag", *lower, stdin=document))["flag"] == "MEDIUM_CONFIDENCE"
    fields = json.loads(cli.out("rag", stdin=json.dumps(GOOD)))
    assert fields["factors"]["response"]["why"] == "missing required: answer"


REFUSED: list[tuple[str, list[str], str, list[str]]] = [
    ("nothing", [], "", ["stdin: empty", "one JSON object"]),
    ("no JSON", [], "{", ["stdin: ", "allowed: one JSON object"]),
    ("not UTF-8", [], "\udcff", ["stdin"]),
    ("a list", [], "[1]", ["stdin:1: found a JSON list; allowed: an object"]),
    ("threshold", ["--threshold", "0.95"], "{}", ["threshold: value 0.95", "0.5 to 0.9"]),
    ("threshold NaN", ["--threshold", "nan"], "{}", ["threshold: value nan"]),
    ("cut-offs", ["--medium-relevance", "0.9"], "{}", ["medium_relevance < high_relevance"]),
    ("no file", ["none.json"], "", ["none.json: No such file", "a readable file"]),
    ("a folder", ["."], "", [".: Is a directory"]),
    (
        "nowhere to append",
        ["--audit", "none/audit.jsonl"],
        '{"confidence": 0}',
        ["none/audit.jsonl: No such file", "to append to"],
    ),
]


@pytest.mark.parametrize(
    ("arguments", "stdin", "causes"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED]
)
def test_bad_input(cli: Command, arguments: list[str], stdin: str, causes: list[str]) -> None:
    said = cli.refused("rag", *arguments, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert [cause for cause in causes if cause not in said] == []


def test_many_processes_append_whole_lines(cli: Command) -> None:
    path = cli.folder / "audit.jsonl"
    running = [
        subprocess.Popen(
            [GROUNDWIRE, "rag", "--audit", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env={**cli.env, "PATH": os.defpath},
            cwd=cli.folder,
        )
        for _ in range(3)
    ]
    for process in running:
        process.communicate(lines(*[POOR] * 40).encode(), timeout=60)
    events = path.read_text(encoding="utf-8").splitlines()
    assert len(events) == 120
    assert all(json.loads(event)["payload"]["confidence"] == 0 for event in events)
