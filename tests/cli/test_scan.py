"""``groundwire scan``, ``explain`` and ``patterns`` as a person or a script calls them."""

import json
from pathlib import Path

from tests.cli.command import LONE, Command
from tests.config.place import PACK as OTHER_PACK
from tests.conftest import Hook
from tests.support.tables import table


def evidence(matches: list[dict[str, str]]) -> list[str]:
    return [match["evidence"] for match in matches]


# settings by file, environment and flag
@table
def test_set(settings: list[str], found: list[str], cli: Command) -> None:
    arguments = [part for setting in settings for part in ("--set", setting)]
    text = LONE.replace(".", "?") if "filters" in settings[-1] else LONE
    assert evidence(cli.scan(text, *arguments)) == found


@table
def test_allowlist(key: str, value: str, found: list[str], cli: Command) -> None:
    cli.settings(f'[[allow]]\n{key} = "{value}"\nreason = "house style"\n')
    assert evidence(cli.scan(LONE)) == found
    assert ("allowlist: house style" in cli.out("explain", stdin=LONE)) is (not found)


PACK = OTHER_PACK.replace("zorble likely", "zorbly")  # a word that no shipped marker has


EXPRESSION = """[[expression]]
id = "speculation.own-{0}"
kind = "speculation_language"
strength = "medium"
pattern = '{1}'
hits = ["{{Zorbs}} are the parser, I hear."]
misses = ["A zorb."]
"""
ZORB = EXPRESSION.format("zorb", r"(?i)\bzorbs?(?! is)(?<!a zorb)\b")


def test_a_project_that_is_trusted_is_compiled_for_its_next_session(cli: Command) -> None:
    cli.write(".groundwire.toml", ZORB)
    cli.out("trust", "--yes")
    assert any("/settings-" in name for name in cli.files())


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


@table
def test_a_pack_that_redefines_is_refused(line: str, cause: str, cli: Command) -> None:
    key = line.partition(" ")[0]
    lines = [line if row.startswith(key) else row for row in PACK.splitlines()]
    path = cli.write("packs/speculation.toml", "\n".join(lines) + "\n")
    said = cli.refused("scan", "--patterns", "packs", stdin=LONE)
    assert said.startswith(f"groundwire: {path}: ")
    assert cause in said


def test_a_long_text_shows_on_a_terminal_that_it_is_at_work(cli: Command) -> None:
    text = f"{LONE}\n\n" * 5_000
    told = cli("scan", stdin=text, env={"FORCE_COLOR": "1"}).stderr
    assert b"scanning 135,000 characters" in told
    assert len(cli.scan(text)) == 5_000
