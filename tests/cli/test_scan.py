"""``groundwire scan``, ``explain`` and ``patterns`` as a person or a script calls them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import GUESS, LONE, LONE_MATCH, Command
from tests.config.place import PACK as OTHER_PACK
from tests.conftest import Hook
from tests.support.transcripts import Session

EMOJI = "\U0001f600\U0001f680 I think it is the parser \U0001f600. I think so. \u4f60 I think not."


def evidence(matches: list[dict[str, str]]) -> list[str]:
    return [match["evidence"] for match in matches]


@pytest.mark.parametrize("arguments", [(), ("-",), ("answer.md",), ("./answer.md",)], ids=str)
def test_from_stdin_and_from_a_file(cli: Command, arguments: tuple[str, ...]) -> None:
    cli.write("answer.md", LONE)
    printed = json.loads(cli.out("scan", *arguments, stdin="Hello." if arguments[1:] else LONE))
    assert printed == [LONE_MATCH]
    assert list(printed[0]) == ["kind", "evidence", "offset", "confidence"]


@pytest.mark.parametrize(
    "text", [b"", b" \n\n", b"It ends.", b"```\nI think it is the parser.\n```\n", b"\xef\xbb\xbf"]
)
def test_nothing_to_report_is_an_empty_array(cli: Command, text: bytes) -> None:
    assert cli.out("scan", stdin=text) == "[]\n"


def test_offsets(cli: Command) -> None:
    """Of code points as they stand, or of JavaScript; a byte order mark shifts none."""
    assert cli.scan(b"\xef\xbb\xbf" + LONE.encode()) == [LONE_MATCH]
    assert cli.scan(f"One line.\r\n\r\n{LONE}")[0]["offset"] == 13
    matches = cli.scan(EMOJI)
    assert [EMOJI[m["offset"] : m["offset"] + 7] for m in matches] == ["I think"] * 3
    units = EMOJI.encode("utf-16-le")
    for more in ((), ("--format", "full")):
        starts = [2 * m["offset"] for m in cli.scan(EMOJI, "--offset-unit", "utf16", *more)]
        assert [units[at : at + 14].decode("utf-16-le") for at in starts] == ["I think"] * 3


def test_threshold_and_verbose(cli: Command) -> None:
    assert cli.scan(LONE, "--threshold", "75") == [LONE_MATCH]
    assert cli.scan(LONE, "--threshold", "76") == []
    assert cli.scan(LONE, "--threshold", "76", "--verbose") == [LONE_MATCH]
    printed = cli.out("scan", "--format", "text", "--threshold", "80", stdin=LONE)
    assert printed == "no matches; 1 below the report threshold\n"


def test_full_adds_what_led_to_the_number(cli: Command) -> None:
    [match] = cli.scan(LONE, "--format", "full")
    assert {key: match[key] for key in LONE_MATCH} == LONE_MATCH
    assert (match["marker"], match["strength"]) == ("speculation.i-think", "weak")
    assert match["verdict"] is None
    names = [factor["name"] for factor in match["factors"]]
    assert names[:3] == ["pattern_strength", "text_length", "evidence_proximity"]


@pytest.mark.parametrize("arguments", [(), ("answer.md",)])
def test_formats_with_places(cli: Command, arguments: tuple[str, ...]) -> None:
    text = f"Hello.\n\nSo {LONE}"
    cli.write("answer.md", text)
    name = arguments[0] if arguments else "<stdin>"
    printed = cli.out("scan", *arguments, "--format", "text", stdin=text).splitlines()
    assert printed[0].startswith(f'{name}:3:4: speculation_language 75 "I think"')
    assert printed[1:] == ["1 match: 1 HIGH"]
    [run] = cli.scan(text, *arguments, "--format", "sarif")["runs"]
    location = run["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": name.strip("<>")}
    assert (location["region"]["startColumn"], location["region"]["endColumn"]) == (4, 11)
    github = cli.out("scan", *arguments, "--format", "github", stdin=text)
    place = "file=answer.md,line=3,col=4,endColumn=11," if arguments else ""
    assert github.startswith(f"::warning {place}title=speculation_language 75 (HIGH)::")
    assert arguments or "::line 3, column 4:" in github


EXPLAIN = [("scan", "--explain"), ("explain",), ("explain", "-"), ("explain", "answer.md")]


@pytest.mark.parametrize("command", EXPLAIN, ids=" ".join)
def test_explain_says_why_and_why_not(cli: Command, command: tuple[str, ...]) -> None:
    text = f"{LONE} I think so?"
    cli.write("answer.md", text)
    printed = cli.out(*command, "--set", "thresholds.words_block=60", stdin=text)
    assert "1 reported, 0 below 50, " in printed
    assert "speculation.i-think, weak" in printed
    assert "pattern_strength" in printed
    assert "question: " in printed
    assert max(map(len, printed.splitlines())) <= 80
    assert "bare text from 60" in " ".join(printed.split())
    assert "reported, and enough to block" in printed


# settings by file, environment and flag
def test_the_flag_beats_the_environment_beats_the_file(cli: Command) -> None:
    environment = {"GROUNDWIRE_THRESHOLDS__REPORT": "70"}
    cli.settings("[thresholds]\nreport = 80\nblock = 80\n")
    assert cli.scan(LONE) == []
    assert cli.scan(LONE, env=environment) == [LONE_MATCH]
    assert cli.scan(LONE, "--threshold", "90", env=environment) == []
    assert cli.scan(LONE, "--set", "thresholds.report=90", env=environment) == []


def test_a_project_tightens_freely_and_loosens_when_trusted(cli: Command) -> None:
    cli.settings("thresholds = {report = 80, block = 80}\n")
    cli.write("pyproject.toml", "[tool.groundwire]\nthresholds.report = 60\n")
    assert cli.scan(LONE) == [LONE_MATCH]
    (cli.folder / "pyproject.toml").unlink()
    cli.settings("")
    path = cli.write(".groundwire.toml", "kinds.speculation_language = false\n")
    for command in ("scan", "explain"):
        process = cli(command, stdin=LONE)
        assert b"I think" in process.stdout
        assert process.stderr.startswith(f"groundwire: warning: {path}: kinds.spec".encode())
    assert "trusted: " in cli.out("trust", "--yes")
    assert cli.scan(LONE) == []


SET = [
    (["thresholds.report=76"], []),
    ([" thresholds . report = 76 "], []),
    (["thresholds.report=76", "thresholds.report=75"], ["I think"]),  # the last one counts
    (["thresholds={report=76}"], []),
    (["kinds.speculation_language=false"], []),
    (["kinds.causality_language=false"], ["I think"]),
    (['markers."speculation.i-think"=false'], []),
    (['markers={"speculation.i-think"=false}'], []),
    (['markers."speculation.i-think"=true'], ["I think"]),
    (["strengths.weak=0.2"], []),
    (["weights.text_length=0", "thresholds.report=66"], []),
    (["weights.text_length=0", "thresholds.report=65"], ["I think"]),
    (["thresholds.report=0", "filters.question=false"], ["I think"]),
]


@pytest.mark.parametrize(("settings", "found"), SET)
def test_set(cli: Command, settings: list[str], found: list[str]) -> None:
    arguments = [part for setting in settings for part in ("--set", setting)]
    text = LONE.replace(".", "?") if "filters" in settings[-1] else LONE
    assert evidence(cli.scan(text, *arguments)) == found


ALLOW = [
    ("marker", "speculation.i-think", []),
    ("marker", "speculation.probably", ["I think"]),
    ("phrase", "i THINK", []),
    ("phrase", "I think it is the parser", []),  # a longer phrase around it
    ("phrase", "think", ["I think"]),  # a part of it
    ("phrase", "I think it is the pars", ["I think"]),  # a part of a word behind it
    ("phrase", "it is the parser", ["I think"]),
    ("phrase", "I think it was the parser", ["I think"]),
]


@pytest.mark.parametrize(("key", "value", "found"), ALLOW)
def test_allowlist(cli: Command, key: str, value: str, found: list[str]) -> None:
    cli.settings(f'[[allow]]\n{key} = "{value}"\nreason = "house style"\n')
    assert evidence(cli.scan(LONE)) == found
    assert ("allowlist: house style" in cli.out("explain", stdin=LONE)) is (not found)


# patterns
OWN = "It is zorbly the parser."
PACK = OTHER_PACK.replace("zorble likely", "zorbly")  # a word that no shipped marker has


def test_an_own_pack(cli: Command) -> None:
    """By flag and by file, beside the shipped rules; listed, checked and shown."""
    cli.write("packs/speculation.toml", PACK)
    assert evidence(cli.scan(f"{LONE} {OWN}", "--patterns", "packs")) == ["I think", "zorbly"]
    cli.settings('patterns.folders = ["../../shop/packs"]\n')  # relative to the settings file
    assert evidence(cli.scan(OWN)) == ["zorbly"]
    assert "speculation.config-test" in cli.out("patterns", "list", "packs")
    assert "all hold" in cli.out("patterns", "check", "packs")
    assert "zorbly" in cli.out("patterns", "show", "speculation.config-test", "packs")


EXPRESSION = """[[expression]]
id = "speculation.own-{0}"
kind = "speculation_language"
strength = "medium"
pattern = '{1}'
hits = ["{{Zorbs}} are the parser, I hear."]
misses = ["A zorb."]
"""
ZORB = EXPRESSION.format("zorb", r"(?i)\bzorbs?(?! is)(?<!a zorb)\b")


@pytest.mark.parametrize("place", ["pack", "settings", "project"])
def test_an_expression(cli: Command, place: str) -> None:
    """It is found, filtered, switched off and allowed as a marker is, and its examples hold."""
    pack = () if place != "pack" else ("packs",)
    if place == "pack":
        cli.write("packs/own.toml", f"schema = 1\n{ZORB}")
        cli.settings('patterns.folders = ["../../shop/packs"]\n')
    elif place == "settings":
        cli.settings(ZORB)
    else:
        cli.write(".groundwire.toml", ZORB)
        assert "it is not trusted" in cli("scan", stdin="Zorbs.").stderr.decode()
        cli.out("trust", "--yes")
    assert "all hold" in cli.out("patterns", "check", *pack)
    assert "(expression)" in cli.out("patterns", "list", *pack)
    text = "It may be `zorbs`. If zorbs are it, wait. Zorbs are the parser. Zorb is not."
    assert [(m["evidence"], m["offset"]) for m in cli.scan(text)] == [
        ("Zorbs", text.index("Zorbs"))
    ]
    assert cli.scan(text, "--set", 'markers."speculation.own-zorb"=false') == []
    allow = 'allow=[{marker = "speculation.own-zorb", reason = "a name"}]'
    assert cli.scan(text, "--set", allow) == []


def test_an_expression_that_takes_too_long_is_off_for_the_text(
    cli: Command, tmp_path: Path
) -> None:
    hook = Hook(tmp_path)
    slow = ZORB + EXPRESSION.format("slow", "(z+)+$")
    text = f"Zorbs are the parser. {'z' * 4000}!"
    cli.settings(slow)
    process = cli("scan", stdin=text)
    assert evidence(json.loads(process.stdout)) == ["Zorbs"]
    assert b"speculation.own-slow: took more than 50 ms" in process.stderr
    hook.configure(slow)
    hook.start()
    hook(last_assistant_message=text)
    assert "speculation.own-slow" in hook.log()[-1]["notes"][0]
    assert hook.log()[-1]["matches"][0]["marker"] == "speculation.own-zorb"


def test_examples_of_an_expression_that_do_not_hold(cli: Command) -> None:
    path = cli.settings(ZORB.replace("A zorb.", "Two zorbs."))
    process = cli("patterns", "check")
    assert process.returncode == 2
    assert f"{path}: speculation.own-zorb: miss 'Two zorbs.'" in process.stderr.decode()


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('id = "speculation.i-think"', "speculation.i-think: already defined in "),
        ('forms = ["i think"]', "form 'i think' already belongs to speculation.i-think"),
    ],
)
def test_a_pack_that_redefines_is_refused(cli: Command, line: str, cause: str) -> None:
    key = line.partition(" ")[0]
    lines = [line if row.startswith(key) else row for row in PACK.splitlines()]
    path = cli.write("packs/speculation.toml", "\n".join(lines) + "\n")
    said = cli.refused("scan", "--patterns", "packs", stdin=LONE)
    assert said.startswith(f"groundwire: {path}: ")
    assert cause in said


def test_show(cli: Command) -> None:
    printed = cli.out("patterns", "show", "speculation.i-think")
    assert printed.startswith("speculation.i-think  (speculation_language, ")
    lines = printed.splitlines()
    assert "  forms: i think" in lines
    assert [line for line in lines if line.startswith(("  note: ", "  source: "))]
    assert "  hits: {I think} it is the tokenizer." in lines
    for wrong, near in (("i-think", "speculation.i-think"), ("causality.caused_by", "caused-by")):
        said = cli.refused("patterns", "show", wrong)
        assert near in said.partition("; near: ")[2]


#: A turn of ``write_transcript`` contradicts it; as bare text it is one claim among others.
FALSE = "All tests pass."


def event(message: str = GUESS, session: str = "s1", **fields: Any) -> bytes:
    common = {"session_id": session, "hook_event_name": "Stop", "last_assistant_message": message}
    return json.dumps({**common, **fields}).encode() + b"\n"


def results(printed: str | bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines()]


def write_transcript(cli: Command, name: str, message: str = FALSE, **more: Any) -> None:
    session = Session(**more)
    session.prompt("why does the pool crash?")
    session.bash("pytest -q", "1 failed, 7 passed", exit_code=1)
    session.say(message)
    cli.write(name, session.data())


def test_one_result_a_line_in_the_order_of_the_input(cli: Command) -> None:
    odd = f"{LONE} \ud800 \u2028 The end."  # half a pair and a separator are legal in JSON
    data = event(LONE, "a") + b"\n" + event(GUESS, "b") + event("Hello.", "c") + event(odd) + b"{}"
    cli.write("e.jsonl", data)
    first, second, third, fourth, fifth = results(cli.out("scan", "--events", "e.jsonl"))
    assert first == {"session_id": "a", "decision": "report", "matches": [LONE_MATCH]}
    assert list(first) == ["session_id", "decision", "matches"]
    assert list(first["matches"][0]) == list(LONE_MATCH)
    assert (second["session_id"], second["decision"]) == ("b", "block")
    assert third == {"session_id": "c", "decision": "pass", "matches": []}
    assert (fourth["matches"], fifth["decision"]) == ([LONE_MATCH], "pass")


def test_nothing_is_remembered(cli: Command) -> None:
    """The hook would let the second one through; here each is the first of its session."""
    before = cli.files()
    printed = cli.out("scan", "--events", "-", stdin=event() * 3)
    assert [result["decision"] for result in results(printed)] == ["block"] * 3
    reported = cli.out("scan", "--events", "-", "--set", "mode=report", stdin=event())
    assert results(reported)[0]["decision"] == "report"
    assert cli.files() == before


def test_transcripts_are_read_from_the_current_folder(cli: Command) -> None:
    write_transcript(cli, "transcripts/one.jsonl")
    write_transcript(cli, "two.jsonl", GUESS)
    there = event(FALSE, "there", transcript_path="transcripts/one.jsonl")
    cli.write("e.jsonl", there + event(FALSE) + event("", transcript_path="two.jsonl"))
    decisions = [result["decision"] for result in results(cli.out("scan", "--events", "e.jsonl"))]
    assert decisions == ["block", "report", "block"]


@pytest.mark.parametrize("mode", ["report", "block"])
def test_a_sub_agent_is_judged_by_its_own_transcript(cli: Command, mode: str) -> None:
    write_transcript(cli, "agent-1.jsonl", agent=True)
    fields = {"hook_event_name": "SubagentStop", "agent_type": "Explore"}
    cli.write("e.jsonl", event(FALSE, **fields, agent_transcript_path="agent-1.jsonl"))
    setting = "subagents.mode=" + mode.replace("block", "enforce")
    [result] = results(cli.out("scan", "--events", "e.jsonl", "--set", setting))
    assert result["decision"] == mode


def test_threshold_and_verbose_events(cli: Command) -> None:
    cli.write("e.jsonl", event(LONE))
    arguments = ("scan", "--events", "e.jsonl", "--threshold", "80")
    assert results(cli.out(*arguments)) == [{"session_id": "s1", "decision": "pass", "matches": []}]
    assert results(cli.out(*arguments, "--verbose"))[0]["matches"] == [LONE_MATCH]


MALFORMED = [
    (b'{"session_id": "x"', "expected one JSON object a line"),
    (b"[1]", "found a JSON list; expected an object"),
    (b'{"a": "\xff"}', "expected one JSON object a line"),
]


@pytest.mark.parametrize(("line", "cause"), MALFORMED)
def test_a_malformed_line_is_named_and_the_others_are_answered(
    cli: Command, line: bytes, cause: str
) -> None:
    cli.write("e.jsonl", event(LONE) + line + b"\n" + event(GUESS))
    process = cli("scan", "--events", "e.jsonl")
    assert process.returncode == 1
    first, second, third = results(process.stdout)
    assert (first["decision"], third["decision"]) == ("report", "block")
    assert second == {"session_id": None, "decision": "error", "matches": []}
    [said] = process.stderr.decode().splitlines()
    assert said.startswith("groundwire: e.jsonl:2: ")
    assert cause in said
