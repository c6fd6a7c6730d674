"""What the texts of a turn show: names, numbers, paths; and what a sentence names."""

from __future__ import annotations

from groundwire.evidence.records import Shown
from groundwire.evidence.texts import Texts, names_in
from groundwire.model import ToolCall, Turn
from tests.support.calls import Calls, calls_of
from tests.support.tables import table


def printed(*results: str) -> Texts:
    return Texts(Turn(calls=calls_of([["Bash", "run", result] for result in results])))


@table
def test_a_name_stands_as_a_word(result: str, name: str, known: bool) -> None:
    assert (printed(result).shows(name) is not None) is known


@table
def test_a_number_stands_for_itself(result: str, number: float, unit: str, known: bool) -> None:
    assert (printed(result).prints(number, unit) is not None) is known


def test_the_latest_result_is_shown_with_its_line() -> None:
    calls = (
        ToolCall("t-1", "Bash", {"command": "pytest -q"}, "start\n41 passed"),
        ToolCall("t-2", "Read", {"file_path": "/p/a.py"}, "1\u2192total = 41\n2\u2192other"),
        ToolCall("t-3", "Edit", {"file_path": "/p/a.py", "new_string": "41 seats"}, "ok: 41 seats"),
    )
    texts = Texts(Turn(calls=calls))
    assert texts.prints(41) == Shown("t-2", "Read /p/a.py", "total = 41")
    assert texts.shows("passed") == Shown("t-1", "pytest -q", "41 passed")
    assert texts.shows("seats") is None  # what an edit returns is what the turn wrote


@table
def test_whole(calls: Calls, whole: bool) -> None:
    assert Texts(Turn(calls=calls_of(calls))).whole is whole
    assert Texts(Turn(calls=calls_of(calls), partial=True)).whole is False


def test_what_is_not_there_or_too_long_is_not_whole() -> None:
    for result, background in ((None, ""), ("started", "b1"), ("x\n" * 150_000, "")):
        call = ToolCall("t", "Bash", {"command": "ls"}, result, background_id=background)
        assert not Texts(Turn(calls=(call,))).whole


@table
def test_paths(known: str, path: str, wanted: bool) -> None:
    assert printed(known).knows_path(path) is wanted
    assert Texts(Turn(prompt=known)).knows_path(path) is wanted


@table
def test_inputs_point_at_paths(name: str, arguments: dict[str, object], wanted: bool) -> None:
    call = ToolCall("t", name, arguments, "ok")
    assert Texts(Turn(calls=(call,))).knows_path("src/cart.py") is wanted


@table
def test_names_in_a_sentence(sentence: str, names: list[str]) -> None:
    assert [*names_in(sentence)] == names
