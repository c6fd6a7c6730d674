"""SARIF 2.1.0, held against the constraints of its schema and of its text.

The checks below are written out by hand from the standard: names allowed and required in every
object that groundwire writes, types, ranges, and the rules between objects that no schema has.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import __version__
from groundwire.model import CONTRADICTED, Analysis, Marker, Match, Verdict
from groundwire.render.sarif import FINGERPRINT, sarif, sarif_log, uri
from tests.support.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.render.conftest import Matches
#: Object -> name -> (type or object, required). A list stands for an array of its element.
SHAPES: dict[str, dict[str, tuple[Any, bool]]] = {
    "log": {"$schema": (str, False), "version": (str, True), "runs": (["run"], True)},
    "run": {
        "tool": ("tool", True),
        "columnKind": (str, False),
        "newlineSequences": ([str], False),
        "results": (["result"], False),
    },
    "tool": {"driver": ("driver", True)},
    "driver": {
        "name": (str, True),
        "version": (str, False),
        "semanticVersion": (str, False),
        "rules": (["rule"], False),
    },
    "rule": {
        "id": (str, True),
        "shortDescription": ("message", False),
        "fullDescription": ("message", False),
        "help": ("message", False),
        "properties": (dict, False),
    },
    "message": {"text": (str, True)},
    "result": {
        "ruleId": (str, False),
        "ruleIndex": (int, False),
        "kind": (str, False),
        "level": (str, False),
        "rank": (int, False),
        "message": ("message", True),
        "locations": (["location"], False),
        "partialFingerprints": (dict, False),
        "properties": (dict, False),
    },
    "location": {"physicalLocation": ("physicalLocation", False)},
    "physicalLocation": {"artifactLocation": ("artifact", True), "region": ("region", False)},
    "artifact": {"uri": (str, True)},
    "region": {
        "startLine": (int, True),
        "startColumn": (int, True),
        "endLine": (int, True),
        "endColumn": (int, True),
        "charOffset": (int, True),
        "charLength": (int, True),
        "snippet": ("message", False),
    },
}
URI_REFERENCE = re.compile(r"(file:///?)?([A-Za-z0-9\-._~/]|%[0-9A-F]{2})*")


def shape_problems(value: Any, shape: Any, path: str = "log") -> list[str]:
    """Say where a value leaves the allowed names and types."""
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{path} is no array"]
        found = [shape_problems(each, shape[0], f"{path}[{n}]") for n, each in enumerate(value)]
        return [problem for problems in found for problem in problems]
    if isinstance(shape, type):
        right = isinstance(value, shape) and not isinstance(value, bool)
        return [] if right else [f"{path} is no {shape.__name__}"]
    fields = SHAPES[shape]
    if not isinstance(value, dict):
        return [f"{path} is no object"]
    problems = [f"{path}.{name} is not allowed" for name in value if name not in fields]
    for name, (inner, required) in fields.items():
        if name in value:
            problems += shape_problems(value[name], inner, f"{path}.{name}")
        elif required:
            problems.append(f"{path}.{name} is missing")
    return problems


def rule_problems(log: dict[str, Any]) -> list[str]:
    """Say where a log of the right shape breaks a rule of the standard."""
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    ids = [rule["id"] for rule in rules]
    checks = [
        (log["version"] == "2.1.0", "version"),
        (run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints"), "columnKind"),
        (len(ids) == len(set(ids)), "rule ids are unique"),
        (all(rule["help"]["text"] for rule in rules), "descriptions are not empty"),
    ]
    for result in run["results"]:
        region = result["locations"][0]["physicalLocation"]["region"]
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        later = (region["endLine"], region["endColumn"])
        checks += [
            (ids[result["ruleIndex"]] == result["ruleId"], "ruleIndex"),
            (result["kind"] in ("fail", "informational"), "kind"),
            (result["level"] in ("none", "note", "warning", "error"), "level"),
            ((result["level"] == "none") == (result["kind"] != "fail"), "level without failure"),
            (0 <= result["rank"] <= 100, "rank"),
            (len(result["message"]["text"]) > 0, "message"),
            (URI_REFERENCE.fullmatch(place) is not None, "uri"),
            (min(region["startLine"], region["startColumn"], *later) >= 1, "counted from 1"),
            ((region["startLine"], region["startColumn"]) <= later, "region runs forwards"),
            (min(region["charOffset"], region["charLength"]) >= 0, "offset"),
            (all(isinstance(v, str) for v in result["partialFingerprints"].values()), "prints"),
        ]
    return [name for right, name in checks if not right]


def problems_of(log: dict[str, Any]) -> list[str]:
    return shape_problems(log, "log") or rule_problems(log)


TEXT = "Done.\n\U0001f600 I think it\nis fixed. I think so, 100 %."
RULES = (
    Marker("completeness.fixed", "completeness_claim", "strong", "fixed", note="Says fixed."),
    Marker("speculation.i_think", "speculation_language", "weak"),
    Marker("certainty.surely", "certainty_language", "certainty"),
)


def example(a_match: Matches) -> Analysis:
    fixed = a_match(
        TEXT,
        "it\nis fixed",
        95,
        kind="completeness_claim",
        marker="completeness.fixed",
        verdict=Verdict(CONTRADICTED, "the build failed"),
        note="Says fixed.",
    )
    second = a_match(TEXT, "I think", 45, start=20)
    return Analysis(TEXT, (a_match(TEXT, "I think", 75), fixed, second))


def log_of(matches: tuple[Match, ...], text: str = TEXT, name: str = "a.md") -> dict[str, Any]:
    log = json.loads(sarif(name, text, matches, RULES))
    assert isinstance(log, dict)
    return log


def results_of(matches: tuple[Match, ...], text: str = TEXT) -> list[dict[str, Any]]:
    results = log_of(matches, text)["runs"][0]["results"]
    assert isinstance(results, list)
    return results


def test_the_log_keeps_to_the_standard(a_match: Matches) -> None:
    log = log_of(example(a_match).matches)
    assert problems_of(log) == []
    log["runs"][0]["results"][0]["rank"] = 101
    assert problems_of(log) == ["rank"]  # the checks find what is wrong
    assert problems_of(log_of(())) == []
    # numbers, references and contradictions come from scanners, not from pattern files
    log = log_of((a_match(TEXT, "100 %", marker="number.percent"),))
    assert problems_of(log) == []
    assert log["runs"][0]["tool"]["driver"]["rules"][-1]["id"] == "number.percent"
    texts = [(name, TEXT, [a_match(TEXT, "I think")]) for name in ("a.md", "b.md")]
    both = json.loads(json.dumps(sarif_log(texts, RULES)))
    assert problems_of(both) == []
    assert len(both["runs"][0]["results"]) == 2


def test_a_result_says_what_why_and_the_verdict(a_match: Matches) -> None:
    first, second, _ = results_of(example(a_match).matches)
    assert first["properties"]["offset"] == 8  # groundwire's own
    assert second["message"]["text"] == (
        '"it is fixed": completeness_claim, 95 of 100 (VERY_HIGH). Says fixed. '
        "Verdict contradicted: the build failed"
    )
    text = "See [it](a.py) \ud83d there."  # what looks like a link stays text
    (result,) = results_of((a_match(text, "[it](a.py) \ud83d"),), text)
    assert '"\\[it\\](a.py) ' in result["message"]["text"]
    assert result["message"]["text"].encode()
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region["snippet"]["text"] == "[it](a.py) \ufffd"


def test_the_driver_declares_every_rule(a_match: Matches) -> None:
    driver = log_of(example(a_match).matches)["runs"][0]["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("groundwire", __version__)
    assert [rule["id"] for rule in driver["rules"]] == [marker.id for marker in RULES]
    assert driver["rules"][0] == {
        "id": "completeness.fixed",
        "shortDescription": {"text": "Completeness claim: completeness.fixed"},
        "fullDescription": {"text": "Says fixed."},
        "help": {"text": "Says fixed."},
        "properties": {"kind": "completeness_claim", "strength": "strong", "claim": "fixed"},
    }


def test_a_region_counts_in_utf16_units_and_says_so(a_match: Matches) -> None:
    log = log_of(example(a_match).matches)
    regions = [
        result["locations"][0]["physicalLocation"]["region"] for result in log["runs"][0]["results"]
    ]
    assert log["runs"][0]["columnKind"] == "utf16CodeUnits"
    assert regions[0] == {
        "startLine": 2,
        "startColumn": 4,  # the emoji before it takes two
        "endLine": 2,
        "endColumn": 11,
        "charOffset": 9,
        "charLength": 7,
        "snippet": {"text": "I think"},
    }
    assert (regions[1]["startLine"], regions[1]["startColumn"]) == (2, 12)
    assert (regions[1]["endLine"], regions[1]["endColumn"]) == (3, 9)


@given(st.text(st.sampled_from("ab\n\r\U0001f600\u4e16"), min_size=1, max_size=40), st.data())
def test_both_ways_to_name_a_region_select_the_evidence(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    match = Match("k", text[start:end], start, 60, RULES[1], (0, len(text)))
    (result,) = results_of((match,), text)
    region = result["locations"][0]["physicalLocation"]["region"]
    units = text.encode("utf-16-le")
    starts = [0] + [at + 2 for at in range(0, len(units), 2) if units[at : at + 2] == b"\n\0"]
    first = starts[region["startLine"] - 1] + 2 * (region["startColumn"] - 1)
    last = starts[region["endLine"] - 1] + 2 * (region["endColumn"] - 1)
    offset, length = region["charOffset"], region["charLength"]
    assert units[first:last].decode("utf-16-le") == match.evidence
    assert units[2 * offset : 2 * (offset + length)].decode("utf-16-le") == match.evidence


@table
def test_level_and_rank_of_a_band(confidence: int, kind: str, level: str, a_match: Matches) -> None:
    (result,) = results_of((a_match(TEXT, "I think", confidence),))
    assert (result["kind"], result["level"], result["rank"]) == (kind, level, confidence)


def prints(matches: tuple[Match, ...], text: str) -> list[str]:
    return [result["partialFingerprints"][FINGERPRINT] for result in results_of(matches, text)]


def test_fingerprints_stay_when_the_statement_moves_and_is_broken_anew(a_match: Matches) -> None:
    before, after = "I think it is.", "New first lines.\n\nI  think\nit is."
    moved = a_match(after, "I  think", sentence=(18, len(after)))
    assert prints((a_match(before, "I think"),), before) == prints((moved,), after)


def test_fingerprints_tell_statements_apart(a_match: Matches) -> None:
    text = "I think so. I think not. I think so."
    spans = [(0, 11), (12, 24), (25, 36)]
    found = prints(
        tuple(a_match(text, "I think", start=span[0], sentence=span) for span in spans), text
    )
    assert len(set(found)) == 3
    assert found[2] == found[0].removesuffix(":1") + ":2"  # the same statement once more


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("-", "stdin"),
        ("docs/a.md", "docs/a.md"),
        ("a b#c?.md", "a%20b%23c%3F.md"),
        ("a:b.md", "a%3Ab.md"),  # a colon would make "a" a scheme
        ("caf\u00e9/\u4e16.md", "caf%C3%A9/%E4%B8%96.md"),
        ("/home/me/a b.md", "file:///home/me/a%20b.md"),
        ("bad\udcff.md", "bad%FF.md"),  # a file name that is not UTF-8
        ("100%.md", "100%25.md"),
    ],
)
def test_uri(name: str, reference: str) -> None:
    assert uri(name) == reference
