"""SARIF against a schema and the rules between its objects, GitHub commands, full matches."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from groundwire.model import CONTRADICTED, UNSUPPORTED, Analysis, Factor, Match, Verdict
from groundwire.render.github import escape_data, escape_property, github
from groundwire.render.hook_json import match_fields
from groundwire.render.match_json import full_fields, utf16_offsets
from groundwire.render.sarif import sarif, sarif_log, uri
from tests.render.conftest import Matches
from tests.support.tables import rows, tables

TABLES = tables(__file__)

SCHEMA = json.loads(Path(__file__).with_name("sarif.schema.json").read_text("utf-8"))


def problems_of(log: dict[str, Any]) -> list[str]:
    """Say where a log leaves the schema, or breaks a rule between objects that no schema has."""
    found = [one.message for one in Draft202012Validator(SCHEMA).iter_errors(log)]
    if found:
        return found
    (run,) = log["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    checks = [(len(ids) == len(set(ids)), "rule ids are unique")]
    for result in run["results"]:
        region = result["locations"][0]["physicalLocation"]["region"]
        start, end = ((region[f"{at}Line"], region[f"{at}Column"]) for at in ("start", "end"))
        checks.append((ids[result["ruleIndex"]] == result["ruleId"], "ruleIndex"))
        checks.append((start <= end, "region runs forwards"))
    return [name for right, name in checks if not right]


TEXT = "Done.\n\U0001f600 I think it\nis fixed. I think so, 100 %."


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
    log = json.loads(sarif([(name, text, matches)], "https://docs.example.com/"))
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
    assert problems_of(log) == ["101 is greater than the maximum of 100"]
    assert problems_of(log_of(())) == []
    # numbers, references and contradictions come from scanners, not from pattern files
    log = log_of((a_match(TEXT, "100 %", marker="number.percent"),))
    assert problems_of(log) == []
    [rule] = log["runs"][0]["tool"]["driver"]["rules"]
    assert rule["id"] == "number.percent"
    assert rule["helpUri"] == "https://docs.example.com/kinds/speculation_language.html"
    found = [
        a_match(TEXT, "I think", note="A *guess*."),
        a_match(TEXT, "100 %", marker="n.percent"),
    ]
    both = json.loads(json.dumps(sarif_log([(name, TEXT, found) for name in ("a.md", "b.md")])))
    assert problems_of(both) == []
    assert len(both["runs"][0]["results"]) == 4
    rules = both["runs"][0]["tool"]["driver"]["rules"]
    for number, rule in enumerate(rules):  # without an address, a pointer into the log itself
        assert rule["helpUri"] == f"sarif:/runs/0/tool/driver/rules/{number}/help"
        assert f'"{rule["id"]}" = false' in rule["help"]["markdown"]
    assert "A \\*guess\\*." in rules[0]["help"]["markdown"]


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


def test_a_region_counts_in_utf16_units_and_says_so(a_match: Matches) -> None:
    log = log_of(example(a_match).matches)
    regions = [
        result["locations"][0]["physicalLocation"]["region"] for result in log["runs"][0]["results"]
    ]
    assert log["runs"][0]["columnKind"] == "utf16CodeUnits"
    assert regions[0] == TABLES["a_region_counts_in_utf16_units_and_says_so"]
    assert (regions[1]["startLine"], regions[1]["startColumn"]) == (2, 12)
    assert (regions[1]["endLine"], regions[1]["endColumn"]) == (3, 9)


def band(confidence: int, *, a_match: Matches) -> tuple[object, ...]:
    match = a_match(TEXT, "I think", confidence)
    (result,) = results_of((match,))
    assert result["rank"] == confidence
    command = github("a", TEXT, [match]).partition(" ")[0].removeprefix("::")
    return result["kind"], result["level"], command


test_row = rows(
    __file__,
    band=band,
    uri=uri,
    escapes=lambda text: [escape_data(text), escape_property(text)],
    utf16_offsets=utf16_offsets,
)


def test_a_file_name_that_is_not_utf8() -> None:
    assert uri("bad\udcff.md") == "bad%FF.md"


GRINNING = "\U0001f600 I think it is the parser."


def test_full_fields_begin_with_the_contract_and_hold_all_that_led_to_it(a_match: Matches) -> None:
    match = a_match(
        GRINNING,
        "I think",
        claim="cause",
        verdict=Verdict(UNSUPPORTED, "nothing ran", "toolu_1", "ls", "a.py"),
        factors=(
            Factor("unrun", 0.5, 0.48, 5, "nothing was run", "toolu_1"),
            Factor("base", 1, -3),
        ),
        context="permissive",
    )
    assert match_fields(match, 0)["offset"] == 0  # an offset, not "none given"
    plain = full_fields(a_match(GRINNING, "I think"), 3)
    assert (plain["verdict"], plain["factors"], plain["offset"]) == (None, [], 3)
    fields = full_fields(match)
    assert list(fields)[:4] == ["kind", "evidence", "offset", "confidence"]
    assert {key: fields[key] for key in list(fields)[4:]} == TABLES["full_fields"]


@pytest.mark.parametrize("offset", [-1, 4])
def test_an_offset_outside_the_text_is_an_error(offset: int) -> None:
    with pytest.raises(ValueError, match=f"offset {offset} is outside a text of 3 characters"):
        utf16_offsets("abc", [0, offset])
