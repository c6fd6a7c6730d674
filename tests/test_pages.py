"""README, CONTRIBUTING and docs: their commands run, their options exist, their files hold.

A ``console`` block is executed line by line and its output compared; ``...`` stands for anything.
What a page shows as ``sh`` or names in a text (`groundwire scan --format text`) is not executed,
but its commands and options have to exist.
"""

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import typer

from docs import rooms
from docs.generate import marker_pages
from groundwire.base.model import KINDS
from groundwire.base.settings import SHIPPED
from groundwire.commands.application import application
from groundwire.settings.patterns.load import load_lexicon
from groundwire.settings.patterns.weights import feature_table, load_model
from tests.cli.command import Command
from tests.server.resident import free_port

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
MARK = "-- the next command --"
PORT = "23000"
_LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
_SPAN = re.compile(r"`([^`\n]+)`")


def blocks(page: Path, language: str) -> list[str]:
    found = re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    return [text for name, text in found if name == language]


def with_blocks(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


def steps(block: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block with the output that is shown below it."""
    command, output = "", ""
    for line in [*block.splitlines(), "$ "]:
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output = line[2:], ""
        elif line.startswith("> ") and not output:
            command += f"\n{line[2:]}"
        else:
            output += f"{line}\n"


def pattern_of(output: str) -> re.Pattern[str]:
    """Return what matches ``output``, with ``...`` for anything."""
    escaped = re.escape(output).replace(re.escape("...\n"), ".*?")
    return re.compile(escaped.replace(re.escape("..."), ".*?"), re.S)


@pytest.fixture
def place(tmp_path: Path) -> dict[str, Any]:
    """Give the arguments of a process in an empty home, with what the pages speak of beside it."""
    folder = tmp_path / "work"
    (folder / "team-patterns").mkdir(parents=True)
    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    own = next(block for block in blocks(ROOT / "docs/own-markers.md", "toml"))
    (folder / "team-patterns" / "own.toml").write_text(own, encoding="utf-8")
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    env = {"HOME": str(tmp_path), "PATH": path, "LANG": "C.UTF-8", "COLUMNS": "200"}
    return {"cwd": folder, "env": env}


@pytest.mark.parametrize("page", with_blocks("console"), ids=lambda page: page.stem)
def test_the_commands_of_a_page_print_what_it_shows(page: Path, place: dict[str, Any]) -> None:
    port = str(free_port())
    for block in blocks(page, "console"):
        shown = [(command.replace(PORT, port), output) for command, output in steps(block)]
        script = "".join(f"{command}\necho '{MARK}'$?\n" for command, _ in shown)
        with (place["cwd"] / "printed").open("w+", encoding="utf-8") as out:
            subprocess.run(
                ["bash", "-c", script], stdout=out, stderr=out, timeout=120, check=True, **place
            )
            out.seek(0)
            printed = re.split(rf"{MARK}(\d+)\n", out.read())
        for (command, output), text, code in zip(shown, printed[::2], printed[1::2], strict=False):
            assert code == "0", f"{command}\n{text}"
            assert "Traceback" not in text
            if output:
                assert pattern_of(output).fullmatch(text), f"{command}\n{text}"
        assert len(printed) == 2 * len(shown) + 1


@pytest.mark.parametrize("page", with_blocks("python"), ids=lambda page: page.stem)
def test_the_python_of_a_page_runs(page: Path, place: dict[str, Any]) -> None:
    for block in blocks(page, "python"):
        run = [sys.executable, "-c", block]
        assert subprocess.run(run, capture_output=True, check=True, **place).stdout


@pytest.mark.parametrize("page", with_blocks("toml"), ids=lambda page: page.stem)
def test_the_files_of_a_page_are_valid(page: Path, cli: Command) -> None:
    own = blocks(ROOT / "docs/own-markers.md", "toml")[0]
    for block in [own, *blocks(page, "toml")]:
        if "schema" in tomllib.loads(block):
            cli.write("../team-patterns/own.toml", block)
            cli.out("patterns", "check", "../team-patterns")
        else:
            cli.write("config.toml", block)
            cli.out("config", "check", "config.toml")


def known_options(node: click.Command) -> set[str]:
    both = (param.opts + param.secondary_opts for param in node.params)
    return {"--help", "-h", *(name for names in both for name in names)}


def command_of(words: list[str]) -> tuple[click.Command, list[str]]:
    """Return the command that the words behind ``groundwire`` call, and its arguments."""
    node: Any = typer.main.get_command(application())
    while words and hasattr(node, "list_commands") and not words[0].startswith("-"):
        context = click.Context(node)
        child = node.get_command(context, words[0])
        assert child is not None, f"no command {words[0]!r}"
        node, words = child, words[1:]
    return node, words


def check_options(node: click.Command, words: list[str], of: str) -> None:
    named = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert named <= known_options(node), of


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_that_a_page_names_exist(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    shell = "".join(blocks(page, "sh")).splitlines()
    for line in [*text.splitlines(), *(f"`{line}`" for line in shell)]:
        node = None
        for span in _SPAN.findall(line.replace("\\|", " ")):
            words = shlex.split(re.split(r"[|;&]", span)[0], comments=True)
            if words[:1] == ["groundwire"] and len(words) > 1:
                node, arguments = command_of(words[1:])
                check_options(node, arguments, span)
            elif words and words[0].startswith("--") and line.startswith("| `groundwire") and node:
                check_options(node, words[:1], line)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    for target, anchor in _LINK.findall(page.read_text(encoding="utf-8")):
        path = (page.parent / target) if target else page
        assert path.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
            assert anchor in {
                re.sub(r"[^\w-]", "", one.lower().replace(" ", "-")) for one in titles
            }


def test_the_files_that_the_guide_names_exist() -> None:
    """Of the walk of a message and of where code goes."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name in re.findall(r"`([\w./-]+(?:/|\.py|\.toml|\.sh))`", text):
        assert (ROOT / name).exists() or (ROOT / "src/groundwire" / name).exists(), name


def test_the_pictures_are_what_the_demo_prints(tmp_path: Path) -> None:
    """After a change of what it shows, ``make picture`` takes them again."""
    run = [sys.executable, str(ROOT / "fixtures/demo.py"), "--svg", str(tmp_path)]
    subprocess.run(run, capture_output=True, check=True)
    for name in ("demo.svg", "second-look.svg"):
        assert (tmp_path / name).read_bytes() == (ROOT / "docs" / name).read_bytes()


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 160


@pytest.mark.parametrize("table", ["thresholds", "weights", "strengths", "context"])
def test_the_settings_of_the_docs_are_the_shipped_ones(table: str) -> None:
    shown = tomllib.loads(blocks(ROOT / "docs/settings.md", "toml")[0])
    record = getattr(SHIPPED, table)
    assert shown[table] == {name: getattr(record, name) for name in type(record)._fields}


def test_every_kind_and_marker_has_a_short_page(cli: Command) -> None:
    pages = marker_pages()
    names = {item.entry.id for item in load_lexicon() if item.kind in KINDS}
    assert {f"markers/{name}.md" for name in names} <= set(pages)
    assert {f"kinds/{kind}.md" for kind in KINDS} == {name for name in pages if "kinds/" in name}
    assert max(len(pages[f"markers/{name}.md"].splitlines()) for name in names) < 80
    switched_off = "".join(f'"{name}" = false\n' for name in sorted(names))
    assert all(f'"{name}" = false' in pages[f"markers/{name}.md"] for name in names)
    cli.write("off.toml", f"[markers]\n{switched_off}")
    cli.out("config", "check", "off.toml")


def test_what_is_generated_is_of_now() -> None:
    """After a change of weights, features or imports, ``make patterns`` writes it."""
    text = (ROOT / "docs/evidence.md").read_text(encoding="utf-8")
    assert feature_table(load_model()) in text
    assert rooms.table() in (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    assert rooms.picture() == (ROOT / "docs/rooms.svg").read_text(encoding="utf-8")
