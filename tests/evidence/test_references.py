"""Commands, quotations, commits, lines and edits that a message names, against the turn."""

from __future__ import annotations

from groundwire.evidence.references import knows
from groundwire.evidence.session import Digest
from groundwire.evidence.timeline import timeline_of
from groundwire.model import Turn
from groundwire.scan.references import COMMAND, EDIT, PATH, QUOTE, Reference
from tests.support.calls import Calls, calls_of
from tests.support.tables import table


def asked(
    kind: str, named: str, calls: Calls, prompt: str = "", partial: bool = False,
    digest: Digest | None = None, own: bool = False,
) -> bool | None:  # fmt: skip
    turn = timeline_of(Turn(prompt=prompt, calls=calls_of(calls), partial=partial, cwd="/p"))
    reference = Reference(0, 1, kind, named, line=3, claimed=own)
    return knows(reference, turn, lambda *_: False, lambda _: False, digest)


@table
def test_commands(claimed: str, commands: list[str], known: bool | None) -> None:
    calls = [["Bash", command] for command in commands]
    assert asked(COMMAND, claimed, calls) is known
    if known is False:
        assert asked(COMMAND, claimed, calls, partial=True) is None
        assert asked(COMMAND, claimed, [*calls, ["Bash", "ls", claimed]]) is None
        assert asked(COMMAND, claimed, [["Agent", {}, "done"]]) is None


@table
def test_references(kind: str, named: str, calls: Calls, known: bool | None) -> None:
    assert asked(kind, named, calls) is known


def test_a_turn_without_calls_knows_less() -> None:
    assert asked(COMMAND, "npm test", []) is False
    assert asked(COMMAND, "npm test", [], prompt="npm test fails") is None
    assert asked(PATH, "a.py", []) is False
    assert asked(QUOTE, "permission denied for orders", []) is None


def test_edits_of_earlier_turns_count() -> None:
    look = [["Bash", "git status"]]
    assert asked(EDIT, "c.yml", look, digest=Digest(edited=("src/c.yml",)), own=True) is True
    assert asked(EDIT, "c.yml", look, digest=Digest(), own=True) is False
    assert asked(EDIT, "c.yml", look, digest=Digest(whole=False), own=True) is None
    assert asked(EDIT, "c.yml", [["Edit", "a.py"]], prompt="I have updated c.yml, look") is None
