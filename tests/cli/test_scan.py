"""``groundwire scan`` and ``explain`` on prose, as a person or a script calls them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.cli.command import GUESS, LONE, LONE_MATCH, Command

EMOJI = "\U0001f600\U0001f680 I think it is the parser \U0001f600. I think so. \u4f60 I think not."


@pytest.mark.parametrize("arguments", [(), ("-",), ("answer.md",), ("./answer.md",)], ids=str)
def test_from_stdin_and_from_a_file(cli: Command, arguments: tuple[str, ...]) -> None:
    cli.write("answer.md", LONE)
    printed = cli.out("scan", *arguments, stdin=LONE)
    assert json.loads(printed) == [LONE_MATCH]
    assert list(json.loads(printed)[0]) == ["kind", "evidence", "offset", "confidence"]


def test_the_file_is_read_and_not_stdin(cli: Command) -> None:
    path = cli.write("answer.md", LONE)
    assert cli.scan("Hello.", path) == [LONE_MATCH]
    assert cli.scan(LONE) == [LONE_MATCH]


NOTHING = [
    ("empty", b""),
    ("blank", b" \n\n"),
    ("clean", b"The log ends with a stack trace."),
    ("only code", b"```\nI think it is the parser.\n```\n"),
    ("byte order mark alone", b"\xef\xbb\xbf"),
]


@pytest.mark.parametrize("text", [row[1] for row in NOTHING], ids=[row[0] for row in NOTHING])
def test_nothing_to_report_is_an_empty_array(cli: Command, text: bytes) -> None:
    assert cli.out("scan", stdin=text) == "[]\n"


def test_a_byte_order_mark_shifts_no_offset(cli: Command) -> None:
    assert cli.scan(b"\xef\xbb\xbf" + LONE.encode()) == [LONE_MATCH]


def test_windows_line_ends_count_as_they_stand(cli: Command) -> None:
    [match] = cli.scan("One line.\r\n\r\nI think it is the parser.")
    assert match["offset"] == 13


def test_every_offset_points_at_its_evidence(cli: Command) -> None:
    matches = cli.scan(EMOJI)
    assert [EMOJI[m["offset"] : m["offset"] + 7] for m in matches] == ["I think"] * 3


def test_utf16_offsets_are_those_of_javascript(cli: Command) -> None:
    units = EMOJI.encode("utf-16-le")
    matches = cli.scan(EMOJI, "--offset-unit", "utf16")
    starts = [2 * match["offset"] for match in matches]
    assert [units[at : at + 14].decode("utf-16-le") for at in starts] == ["I think"] * 3
    codepoints = cli.scan(EMOJI, "--offset-unit", "codepoint")
    assert [m["offset"] - c["offset"] for m, c in zip(matches, codepoints, strict=True)] == [
        2,
        3,
        3,
    ]


def test_threshold_and_verbose(cli: Command) -> None:
    assert cli.scan(LONE, "--threshold", "75") == [LONE_MATCH]
    assert cli.scan(LONE, "--threshold", "76") == []
    assert cli.scan(LONE, "--threshold", "76", "--verbose") == [LONE_MATCH]


def test_full_adds_what_led_to_the_number(cli: Command) -> None:
    [match] = cli.scan(LONE, "--format", "full")
    assert {key: match[key] for key in LONE_MATCH} == LONE_MATCH
    assert (match["marker"], match["strength"]) == ("speculation.i-think", "weak")
    assert match["verdict"] is None
    names = [factor["name"] for factor in match["factors"]]
    assert names[:3] == ["pattern_strength", "text_length", "evidence_proximity"]


def test_full_takes_utf16_too(cli: Command) -> None:
    first = cli.scan(EMOJI, "--format", "full", "--offset-unit", "utf16")[0]
    assert first["offset"] == 5


PLACES = [((), "<stdin>"), (("-",), "<stdin>"), (("answer.md",), "answer.md")]


@pytest.mark.parametrize(("arguments", "name"), PLACES)
def test_text_names_file_line_and_column(
    cli: Command, arguments: tuple[str, ...], name: str
) -> None:
    text = f"Hello.\n\nSo {LONE}"
    cli.write("answer.md", text)
    lines = cli.out("scan", *arguments, "--format", "text", stdin=text).splitlines()
    assert lines[0].startswith(f'{name}:3:4: speculation_language 75 "I think"')
    assert lines[1:] == ["1 match: 1 HIGH"]


def test_text_counts_what_is_below_the_threshold(cli: Command) -> None:
    printed = cli.out("scan", "--format", "text", "--threshold", "80", stdin=LONE)
    assert printed == "no matches; 1 below the report threshold\n"


@pytest.mark.parametrize(("arguments", "name"), [((), "stdin"), (("answer.md",), "answer.md")])
def test_sarif(cli: Command, arguments: tuple[str, ...], name: str) -> None:
    cli.write("answer.md", LONE)
    [run] = cli.scan(LONE, *arguments, "--format", "sarif")["runs"]
    [result] = run["results"]
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": name}
    assert (location["region"]["startColumn"], location["region"]["endColumn"]) == (1, 8)
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == result["ruleId"] == "speculation.i-think"


def test_github_annotates_a_file(cli: Command) -> None:
    cli.write("answer.md", LONE)
    printed = cli.out("scan", "answer.md", "--format", "github")
    assert printed.startswith("::warning file=answer.md,line=1,col=1,endColumn=8,title=")


def test_github_invents_no_file_for_stdin(cli: Command) -> None:
    printed = cli.out("scan", "--format", "github", stdin=LONE)
    assert printed.startswith("::warning title=speculation_language 75 (HIGH)::line 1, column 1:")


EXPLAIN = [("scan", "--explain"), ("explain",), ("explain", "-"), ("explain", "answer.md")]


@pytest.mark.parametrize("command", EXPLAIN, ids=" ".join)
def test_explain_says_why_and_why_not(cli: Command, command: tuple[str, ...]) -> None:
    text = f"{LONE} I think so?"
    cli.write("answer.md", text)
    printed = cli.out(*command, stdin=text)
    assert "1 reported, 0 below 50, " in printed
    assert "speculation.i-think, weak" in printed
    assert "pattern_strength" in printed
    assert "question: " in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_explain_names_the_gates_in_effect(cli: Command) -> None:
    printed = cli.out("explain", "--set", "thresholds.words_block=60", stdin=LONE)
    assert "bare text from 60" in " ".join(printed.split())
    assert "reported, and enough to block" in printed


def test_what_the_encoding_cannot_show_is_escaped(cli: Command) -> None:
    narrow = {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    printed = cli.out("explain", stdin=EMOJI, env=narrow)
    assert "\\U0001f600" in printed


def test_as_a_module(cli: Command) -> None:
    module = [sys.executable, "-m", "groundwire", "scan", "--format", "text"]
    process = subprocess.run(module, input=LONE.encode(), capture_output=True, check=True)
    assert process.stdout.decode() == cli.out("scan", "--format", "text", stdin=LONE)


def test_a_long_text_takes_linear_time(cli: Command) -> None:
    """A quadratic step would need hours for these 350 kB; the time limit of a call is a minute."""
    matches = cli.scan(f"{GUESS} The build log is long.\n\n" * 4_000)
    assert matches[-1]["offset"] > 300_000
