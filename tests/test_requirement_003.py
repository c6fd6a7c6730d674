"""The rows of requirement 003 through the library, the filter and the hook."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.analysis import analyse
from groundwire.render.band import band
from groundwire.render.hook_json import match_fields
from groundwire.render.match_json import utf16_offsets
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.settings import SHIPPED
from tests.conftest import Hook

SCANNER = Scanner(shipped_rules())
FILLER = "The parser reads the header first. Then it reads each row of the table below it.\n\n"
Found = dict[str, tuple[int, int]]  # evidence -> offset, confidence
Way = Callable[[str], Found]


def words(count: int) -> str:
    """Return neutral prose of about ``count`` words, in paragraphs of its own."""
    return FILLER * (count // len(FILLER.split()))


def found(matches: list[dict[str, Any]]) -> Found:
    assert all(list(m) == ["kind", "evidence", "offset", "confidence"] for m in matches)
    return {m["evidence"]: (m["offset"], m["confidence"]) for m in matches}


@pytest.fixture(params=["library", "filter", "hook"])
def way(request: pytest.FixtureRequest, hook: Hook, tmp_path: Path) -> Way:
    def library(text: str) -> Found:
        matches = analyse(text, SCANNER, SHIPPED).matches
        return found([match_fields(m) for m in matches if m.confidence >= 50])

    def filter_(text: str) -> Found:
        process = subprocess.run(
            [Path(sys.executable).parent / "groundwire", "scan"],
            input=text.encode(),
            capture_output=True,
            check=True,
            env=hook.env,
            cwd=tmp_path,
        )
        return found(json.loads(process.stdout))

    def hooked(text: str) -> Found:
        return found(hook(last_assistant_message=text).get("matches", []))

    ways: dict[str, Way] = {"library": library, "filter": filter_, "hook": hooked}
    return ways[request.param]


CAUSE = "This is caused by the cache."
BANDS = [
    ("V01 I think, alone, short", "I think it is the parser.", "I think", 75, "HIGH"),
    ("V02 with a causal claim", "I think it is caused by the cache.", "I think", 92, "VERY_HIGH"),
    ("V03 one strong pattern, medium text", words(120) + CAUSE, "caused by", None, "HIGH"),
    ("V04 one strong pattern, short", CAUSE, "caused by", 83, "HIGH"),
    ("V05 evidence nearby", "This is caused by cache.py:12.", "caused by", 66, "MODERATE"),
    ("V06 long text", words(220) + "I think it is the parser.", "I think", 53, "MODERATE"),
    ("V09 cause", "This is definitely caused by X.", "caused by", 95, "VERY_HIGH"),
    ("V13 certainty", "This is definitely caused by X.", "definitely", 77, "HIGH"),
]


@pytest.mark.parametrize(
    ("text", "evidence", "confidence", "wanted"), [r[1:] for r in BANDS], ids=[r[0] for r in BANDS]
)
def test_bands(way: Way, text: str, evidence: str, confidence: int | None, wanted: str) -> None:
    offset, value = next(v for k, v in way(text).items() if k.lower().endswith(evidence.lower()))
    assert band(value) == wanted
    assert confidence in (None, value)
    assert text[offset:].lower().startswith(evidence.lower()) or evidence == "caused by"


SUPPRESSED = [
    ("V07 long text and evidence", words(220) + "I think it is parser.py:12."),
    ("V12 certainty alone", "That is definitely the plan."),
    ("nothing", "The parser reads the header first."),
]


@pytest.mark.parametrize("text", [r[1] for r in SUPPRESSED], ids=[r[0] for r in SUPPRESSED])
def test_below_50_is_not_reported(way: Way, text: str) -> None:
    assert way(text) == {}


def test_suppressed_ones_are_there_in_verbose_mode() -> None:
    confidences = {
        m.evidence: m.confidence
        for text in (SUPPRESSED[0][1], SUPPRESSED[1][1])
        for m in analyse(text, SCANNER, SHIPPED).matches
        if m.marker.strength != "faint"
    }
    assert confidences == {"I think": 32, "definitely": 47}


def test_offsets_count_code_points(way: Way) -> None:
    text = "\U0001f600 I think it is the parser."
    assert way(text)["I think"][0] == 2
    assert utf16_offsets(text, [2]) == [3]


def test_a_longer_lower_case_letter_shifts_nothing(way: Way) -> None:
    text = "In \u0130stanbul I think it is the parser."
    assert way(text)["I think"][0] == text.index("I think")
