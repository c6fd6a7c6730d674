"""``groundwire milestones``, ``data-age`` and ``annotate``: files, folders, bad input."""

import json
import os
from pathlib import Path

from tests.cli.command import Command

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
    arguments = ("milestones", "site", "site/a.md", "--base", "0.6")  # a file counts once
    process = cli(*arguments, "--format", "jsonl")
    found = {row["path"]: row for row in rows(process.stdout.decode())}
    assert process.returncode == 0
    assert [text for text in PASSED if text not in process.stderr] == []
    assert set(found) == {"site/a.md", "site/b.py", "site/_data/c.json"}
    first = found["site/a.md"]
    assert (first["confidence"], first["boost"], first["highest"]) == (0.68, 0.08, "M3_COVERAGE")
    assert first["categories"] == ["content", "metadata", "structure", "testing"]
    assert first["patterns"][0] == {  # type: ignore[index]
        "id": "milestone.m1.metadata.title",
        "form": "title:",
        "line": 2,
    }
    text, *_, last = cli(*arguments).stdout.decode().splitlines()
    assert text == "0.680  M1 2  M2 1  M3 1  M4 0  site/a.md"
    assert last == (
        "3 files, 5 passed over: 5 patterns in 5 categories, highest milestone M3 Code Coverage"
    )


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
    checked = cli("annotate", "site", "--check")
    assert checked.returncode == 1
    assert "site/a.md: has no score header\n" in checked.stdout.decode()
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
    # neither a link that is named, nor a sidecar that is one, without --follow
    score = cli.write("../other/score.json", '{"_confidence": {}}')
    cli.write("../other/real.md", "text\n")
    cli.write("c.csv", "a,b\n")
    (cli.folder / "c.md").symlink_to("../other/real.md")
    (cli.folder / "c.csv.confidence.json").symlink_to("../other/score.json")
    for named, code in (("c.md", 2), ("c.csv", 1)):
        process = cli("annotate", named, "--write")
        assert (process.returncode, b"a symbolic link; --follow" in process.stderr) == (code, True)
    assert score.read_text(encoding="utf-8") == '{"_confidence": {}}'
    cli.out("annotate", "c.csv", "c.md", "--write", "--follow")
    assert "last_updated" in score.read_text(encoding="utf-8")
    assert "CONFIDENCE" in (score.parent / "real.md").read_text(encoding="utf-8")
