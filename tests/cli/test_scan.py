"""``groundwire scan``, ``explain`` and ``patterns`` as a person or a script calls them."""

from __future__ import annotations

import json

import pytest

from tests.cli.command import GUESS, LONE, LONE_MATCH, Command
from tests.config.place import PACK as OTHER_PACK

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
    cli.settings("[thresholds]\nreport = 80\n")
    assert cli.scan(LONE) == []
    assert cli.scan(LONE, env=environment) == [LONE_MATCH]
    assert cli.scan(LONE, "--threshold", "90", env=environment) == []
    assert cli.scan(LONE, "--set", "thresholds.report=90", env=environment) == []


def test_a_project_tightens_freely_and_loosens_when_trusted(cli: Command) -> None:
    cli.settings("thresholds.report = 80\n")
    cli.write("pyproject.toml", "[tool.groundwire]\nthresholds.report = 60\n")
    assert cli.scan(LONE) == [LONE_MATCH]
    (cli.folder / "pyproject.toml").unlink()
    cli.settings("")
    path = cli.write(".groundwire.toml", "kinds.speculation_language = false\n")
    for command in ("scan", "explain"):
        process = cli(command, stdin=LONE)
        assert b"I think" in process.stdout
        assert process.stderr.startswith(f"groundwire: warning: {path}: kinds.spec".encode())
    assert "trusted: " in cli.out("trust")
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


def test_all_weights_off_leave_every_match_at_50(cli: Command) -> None:
    names = "pattern_strength text_length evidence_proximity context_density category_stacking"
    off = ",".join(f"{name}=0" for name in [*names.split(), "context"])
    matches = cli.scan(GUESS, "--set", f"weights={{{off}}}")
    assert {match["confidence"] for match in matches} == {50}


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


def test_list_has_one_line_for_each_entry(cli: Command) -> None:
    *lines, total = cli.out("patterns", "list").splitlines()
    assert total == f"{len(lines)} entries"
    ids = [line.split()[0] for line in lines]
    assert len(set(ids)) == len(ids) > 300
    assert {"speculation.i-think", "causality.caused-by"} <= set(ids)
    *lines, _ = cli.out("patterns", "list", "--kind", "causality_language").splitlines()
    assert {line.split(".")[0] for line in lines} == {"causality"}


CHECKED = [
    ("{zorble likely}", "{likely zorble}", "wanted 'likely zorble'"),
    ("The zorble is", "It is zorble likely", "miss 'It is zorble"),
    ("source =", "sauce =", "sauce"),
    ('["zorble likely"]', '["Zorble likely"]', "allowed: 'zorble likely'"),
    ("speculation_language", "guessing", "guessing"),
    ('hits = ["It is {zorble likely} the parser."]', "hits = []", "hits"),
    ("schema = 1", "schema =", "line 1"),
]


@pytest.mark.parametrize(("old", "new", "cause"), CHECKED)
def test_check_names_file_entry_and_cause(cli: Command, old: str, new: str, cause: str) -> None:
    assert OTHER_PACK.count(old) == 1
    cli.write("packs/mine.toml", OTHER_PACK.replace(old, new))
    said = cli.refused("patterns", "check", "packs")
    assert said.startswith("groundwire: packs/mine.toml: ")
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
