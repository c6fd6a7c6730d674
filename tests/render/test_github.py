"""Workflow commands, read back the way GitHub's runner reads them."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.model import UNSUPPORTED, Verdict
from groundwire.render.github import escape_data, escape_property, github
from tests.support.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.render.conftest import Matches
SPECIAL = st.text(st.one_of(st.sampled_from("%:,\r\n025ADC="), st.characters()), max_size=30)


def unescape(text: str, *more: tuple[str, str]) -> str:
    """The runner's own order: the percent sign comes last."""
    for escaped, character in (("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")):
        text = text.replace(escaped, character)
    return text


def read_command(line: str) -> tuple[str, dict[str, str], str]:
    """Split one line into command, properties and message, as the runner does."""
    assert line.startswith("::")
    head, _, message = line[2:].partition("::")
    command, _, listed = head.partition(" ")
    properties = dict(pair.split("=", 1) for pair in listed.split(",") if pair)
    values = {key: unescape(value, ("%3A", ":"), ("%2C", ",")) for key, value in properties.items()}
    return command, values, unescape(message)


@given(SPECIAL)
def test_a_message_comes_back_from_its_escapes(text: str) -> None:
    escaped = escape_data(text)
    assert unescape(escaped) == text
    assert "\n" not in escaped
    assert "\r" not in escaped
    escaped = escape_property(text)
    assert unescape(escaped, ("%3A", ":"), ("%2C", ",")) == text
    assert set(escaped).isdisjoint("\r\n:,")


@table
def test_escapes(text: str, data: str, value: str) -> None:
    assert (escape_data(text), escape_property(text)) == (data, value)


def test_a_whole_command(a_match: Matches) -> None:
    text = "Done.\nNow I think so."
    match = a_match(
        text, "I think", 75, note="A guess.", verdict=Verdict(UNSUPPORTED, "nothing ran")
    )
    assert github("docs/a,b.md", text, [match]) == (
        "::warning file=docs/a%2Cb.md,line=2,col=5,endColumn=12,"
        'title=speculation_language 75 (HIGH)::"I think" [speculation.i_think]%0A'
        "A guess.%0AVerdict unsupported: nothing ran"
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # it holds no state
@given(name=SPECIAL.filter(lambda name: name.strip() == name and name not in ("", "-")))
def test_a_strange_file_name_changes_nothing_else(a_match: Matches, name: str) -> None:
    match = a_match("I think: 5 %, ok", "I think: 5 %", note="::error::injected")
    command, properties, message = read_command(github(name, "I think: 5 %, ok", [match]))
    assert command == "warning"
    assert properties.pop("file") == name
    assert properties == {
        "line": "1",
        "col": "1",
        "endColumn": "13",
        "title": "speculation_language 75 (HIGH)",
    }
    assert message == '"I think: 5 %" [speculation.i_think]\n::error::injected'


@table
def test_command_of_a_band(confidence: int, command: str, a_match: Matches) -> None:
    assert read_command(github("a", "I think", [a_match("I think", "I think", confidence)]))[0] == (
        command
    )


def test_evidence_over_two_lines_has_no_columns(a_match: Matches) -> None:
    """GitHub refuses columns of an annotation that spans lines."""
    _, properties, _ = read_command(github("a", "I\nthink", [a_match("I\nthink", "I\nthink")]))
    properties.pop("title")
    assert properties == {"file": "a", "line": "1", "endLine": "2"}


def test_standard_input_has_no_file_to_point_at(a_match: Matches) -> None:
    _, properties, message = read_command(github("-", "So I think", [a_match("So I think", "I")]))
    assert list(properties) == ["title"]
    assert message.startswith('line 1, column 4: "I" ')
