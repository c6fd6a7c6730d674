"""``groundwire milestones``, ``data-age`` and ``annotate``: files, folders, bad input."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import GROUNDWIRE, Command

BY_HAND = ["--base", "0.707", "--evidence", "0.08", "--observation", "0.05", "--validation"]
DAY = ["--today", "2026-06-20"]


def rows(printed: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in printed.splitlines()]


def site(cli: Command) -> Path:
    """Write a small site with everything that can go wrong in it."""
    cli.write("site/a.md", "---\ntitle: x\n---\nFort Hood, test\n")
    cli.write("site/b.py", "import os\n")
    cli.write("site/bin.md", b"\0")
    cli.write("site/latin.txt", b"\xfc")
    cli.write("site/_data/c.json", '{"k": 1}')
    (cli.folder / "site" / "loop").symlink_to(".")
    (cli.folder / "site" / "self").symlink_to("self")
    os.mkfifo(cli.folder / "site" / "pipe.md")
    return cli.folder / "site"


PASSED = [b"bin.md: binary", b"latin.txt: not UTF-8 at byte 0", b"loop: symbolic link"]
PASSED += [b"self: symbolic link", b"pipe.md: not a regular file"]


def test_milestones(cli: Command) -> None:
    site(cli)
    process = cli("milestones", "site", "--format", "jsonl", "--base", "0.6")
    found = {row["path"]: row for row in rows(process.stdout.decode())}
    assert process.returncode == 0
    assert [text for text in PASSED if text not in process.stderr] == []
    assert set(found) == {"site/a.md", "site/b.py", "site/_data/c.json"}
    assert found["site/a.md"] == {
        "path": "site/a.md",
        "confidence": 0.68,
        "boost": 0.08,
        "bonus": 0.0,
        "category_bonus": 0.0,
        "milestones": {"M1_INIT": 0.04, "M2_VERIFY": 0.02, "M3_COVERAGE": 0.02, "M4_VV": 0.0},
        "categories": ["content", "metadata", "structure", "testing"],
        "highest": "M3_COVERAGE",
        "patterns": [
            {"id": "milestone.m1.metadata.title", "form": "title:", "line": 2},
            {"id": "milestone.m1.structure.front-matter", "form": "---", "line": 1},
            {"id": "milestone.m2.content.fort-hood", "form": "Fort Hood", "line": 4},
            {"id": "milestone.m3.testing.test", "form": "test", "line": 4},
        ],
    }


def test_milestones_as_text(cli: Command) -> None:
    site(cli)
    first, *_, last = cli("milestones", "site").stdout.decode().splitlines()
    assert first == "0.580  M1 2  M2 1  M3 1  M4 0  site/a.md"
    assert last == (
        "3 files, 5 passed over: 5 patterns in 5 categories, highest milestone M3 Code Coverage"
    )


def test_own_patterns_and_weights(cli: Command) -> None:
    pattern = (
        'schema = 1\nmode = "file"\n[[pattern]]\nid = "milestone.own.risk"\nform = "risk:"\n'
        'category = "tracking"\nmilestone = "M4_VV"\nboundary = "word"\nweight = 0.05\n'
        'note = "n"\nsource = "s"\nhits = ["{risk:} low"]\nmisses = ["asterisk: x"]\n'
    )
    cli.write("packs/own.toml", pattern)
    cli.write("a.md", "risk: low\ntest\n")
    arguments = ["a.md", "--patterns", "packs", "--weight", "0.1", "--format", "jsonl"]
    [row] = rows(cli.out("milestones", *arguments, "--category-bonus", "0.01"))
    assert (row["boost"], row["bonus"], row["category_bonus"]) == (0.15, 0.04, 0.01)
    assert row["confidence"] == 0.7
    assert "milestone.own.risk" in cli.out("patterns", "list", "packs", "--kind", "milestone")
    assert "asterisk: x" in cli.out("patterns", "show", "milestone.own.risk", "packs")


def test_settings_of_a_project(cli: Command) -> None:
    cli.settings("[reinforcement]\npattern_weight = 0.1\ncontent_suffixes = ['.txt']\n")
    cli.write("a.md", "test\n")
    assert cli.out("milestones", "a.md").startswith("0.600  M1 0  M2 0  M3 1  M4 0")
    cli.out("annotate", "a.md", "--write", "--created")
    text = (cli.folder / "a.md").read_text(encoding="utf-8")
    assert "NON_MD_PENALTY: -0.01 |" in text
    cli.out(
        "annotate",
        "a.md",
        "--write",
        "--created",
        "--set",
        "reinforcement.content_suffixes=['.md']",
    )
    text = (cli.folder / "a.md").read_text(encoding="utf-8")
    assert "NON_MD_PENALTY: 0.0 |" in text


def test_a_file_counts_once(cli: Command) -> None:
    cli.write("d/a.md", "test")
    assert len(rows(cli.out("milestones", "d", "d/a.md", "d", "--format", "jsonl"))) == 1


def test_a_progress_bar_on_a_terminal(cli: Command) -> None:
    for number in range(30):
        cli.write(f"d/{number}.md", "test\n")
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [GROUNDWIRE, "milestones", "d"],
        stdout=subprocess.PIPE,
        stderr=follower,
        env={**cli.env, "TERM": "xterm"},
        cwd=cli.folder,
    )
    os.close(follower)
    printed, _ = process.communicate(timeout=60)
    shown = os.read(leader, 65536).decode(errors="replace")
    os.close(leader)
    assert "scanning" in shown
    assert "30" in shown
    assert len(printed.decode().splitlines()) == 31


def test_annotate_shows_writes_and_checks(cli: Command) -> None:
    folder = site(cli)
    before = {path: path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}
    process = cli("annotate", "site", *BY_HAND, *DAY)
    assert process.stdout.decode().splitlines() == [
        "would write site/a.md",
        "would write site/b.py",
        "2 to write with --write, 6 passed over",
    ]
    assert [text for text in PASSED if text not in process.stderr] == []
    assert {path: path.read_bytes() for path in before} == before
    assert cli("annotate", "site", "--check").returncode == 1
    arguments = [*BY_HAND, *DAY, "--integration", "--validated", "2026-03-20"]
    written = cli("annotate", "site", "--write", *arguments)
    assert written.returncode == 0
    assert "wrote site/_data/c.json\n" in written.stdout.decode()
    again = cli("annotate", "site", "--write", *arguments)
    assert "3 unchanged" in again.stdout.decode()
    checked = cli("annotate", "site", "--check", *DAY)
    assert (checked.returncode, "3 in order" in checked.stdout.decode()) == (0, True)
    text = (folder / "a.md").read_text(encoding="utf-8")
    assert text.startswith("---\ntitle: x\n---\n<!--\n  CONFIDENCE SCORE: 0.82\n")
    assert [(folder / name).read_bytes() for name in ("bin.md", "latin.txt")] == [b"\0", b"\xfc"]


def test_what_could_not_be_written(cli: Command) -> None:
    path = cli.write("a.md", "text\n")
    os.link(path, cli.folder / "b.txt")
    process = cli("annotate", "a.md", "--write")
    assert process.returncode == 1
    assert b"a.md: has other names (hard links); nothing was changed" in process.stderr
    assert path.read_text(encoding="utf-8") == "text\n"


def test_problems_are_told_with_their_file(cli: Command) -> None:
    cli.write("a.md", "text\n")
    process = cli("annotate", "a.md", "--check")
    assert process.stdout.decode().splitlines() == [
        "a.md: has no score header",
        "1 with problems",
    ]
    assert process.returncode == 1


DATA = """---
data_metadata:
  created: 2026-03-20
  validated: 2026-03-20
  next_review: 2027-03-20
  confidence: 1.0
  reviewed_by: human_agent
---
"""
#: 004-V22 with the actions: today, months, confidence, action, exit code of --fail-on validation.
AGES = [
    ("2026-03-20", 0, 1.0, "None", 0),
    ("2026-06-20", 3, 0.997, "None", 0),
    ("2026-06-21", 3, 0.997, "Review recommended", 0),
    ("2026-09-20", 6, 0.994, "Review recommended", 0),
    ("2027-03-20", 12, 0.988, "Human validation required", 1),
    ("2027-04-20", 13, 0.987, "Must refresh or remove", 1),
]


@pytest.mark.parametrize(("today", "months", "confidence", "action", "code"), AGES)
def test_data_age(
    cli: Command, today: str, months: int, confidence: float, action: str, code: int
) -> None:
    cli.write("_data/a.md", DATA)
    cli.write("other.md", "no data file\n")
    process = cli("data-age", ".", "--format", "jsonl", "--today", today, "--fail-on", "validation")
    [row] = rows(process.stdout.decode())
    assert (row["months"], row["confidence"], row["action"]) == (months, confidence, action)
    assert (row["problems"], row["record"], process.returncode) == ([], "front matter", code)


def test_data_without_a_record(cli: Command) -> None:
    cli.write("_data/a.csv", "1\n")
    process = cli("data-age", "_data", "--fail-on", "refresh")
    assert process.returncode == 1
    lines = process.stdout.decode().splitlines()
    assert lines[0].split() == ["Cannot", "be", "told", "_data/a.csv"]
    assert lines[1:] == [
        "    no validation record (sidecar)",
        "1 data file: 1 Cannot be told",
    ]
    assert cli("data-age", "_data").returncode == 0


def test_no_data_files(cli: Command) -> None:
    cli.write("a.md", "x")
    assert cli.out("data-age", ".") == "no data files\n"


REFUSED = [
    ("no path", ["milestones", "none"], ["none: No such file", "a file or folder"]),
    ("a loop", ["milestones", "self"], ["self: Too many levels of symbolic links"]),
    ("base", ["milestones", ".", "--base", "0.9"], ["base: value 0.9", "0.5 to 0.707107"]),
    ("weight", ["milestones", ".", "--weight", "2"], ["pattern_weight: value 2.0"]),
    ("weight NaN", ["milestones", ".", "--weight", "nan"], ["pattern_weight: value nan"]),
    (
        "packs",
        ["milestones", ".", "--patterns", "none"],
        ["patterns.folders[1]", "a folder that exists"],
    ),
    ("no data path", ["data-age", "none"], ["none: No such file"]),
    ("today", ["data-age", ".", "--today", "1 May"], ["--today: value '1 May'", "2026-03-20"]),
    ("fail on", ["data-age", ".", "--fail-on", "age"], ["--fail-on", "validation"]),
    ("both", ["annotate", ".", "--check", "--write"], ["--check goes with no --write"]),
    ("evidence", ["annotate", ".", "--evidence", "2"], ["evidence: value 2.0"]),
    ("infinite", ["annotate", ".", "--observation", "inf"], ["observation: value inf"]),
    ("milestone", ["annotate", ".", "--milestone", "M9"], ["milestone: value 'M9'", "M1"]),
    ("validated", ["annotate", ".", "--validated", "2026-13-01"], ["--validated: value"]),
    ("future", ["annotate", "_data", "--validated", "2999-01-01"], ["2999-01-01: allowed: a day"]),
]


@pytest.mark.parametrize(
    ("arguments", "causes"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED]
)
def test_bad_input(cli: Command, arguments: list[str], causes: list[str]) -> None:
    cli.write("_data/a.md", "x\n")
    (cli.folder / "self").symlink_to("self")
    said = cli.refused(*arguments)
    assert [cause for cause in causes if cause not in said] == []
    assert (cli.folder / "_data" / "a.md").read_text(encoding="utf-8") == "x\n"
