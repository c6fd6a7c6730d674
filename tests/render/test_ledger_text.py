"""What a judge is shown of a turn's tools."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundwire.model import ToolCall
from groundwire.render.ledger_text import NO_CALLS, ledger_text


def call(number: int, result: str | None = "ok", **more: object) -> ToolCall:
    return ToolCall(f"c{number}", "Bash", {"command": f"run {number}", **more}, result)


def test_calls_stand_in_order_with_what_was_asked_and_returned() -> None:
    calls = (
        call(1),
        ToolCall("c2", "Read", {"file_path": "src/a.py"}, "x = 1"),
        ToolCall("c3", "Grep", {"pattern": "def f"}, "", is_error=True),
        call(4, None),
        ToolCall("c5", "mcp__odd", {}, "yes"),
    )
    assert ledger_text(calls, "", 4000) == (
        "$ Bash: run 1\nok\n\n"
        "$ Read: src/a.py\nx = 1\n\n"
        "$ Grep: def f\nerror: \n\n"
        "$ Bash: run 4\n(no result)\n\n"
        "$ mcp__odd: \nyes"
    )


def test_no_call_is_said() -> None:
    assert ledger_text((), "", 4000) == NO_CALLS


def test_a_long_result_keeps_its_beginning_and_its_end() -> None:
    text = ledger_text((call(1, "BEGIN " + "x" * 9000 + " 1 failed"),), "", 1000)
    assert len(text) <= 1000
    assert "BEGIN x" in text
    assert text.endswith("x 1 failed")
    assert "\n[...]\n" in text


def test_the_call_of_the_verdict_stays_and_then_the_latest() -> None:
    calls = tuple(call(number, f"result {number} " + "y" * 500) for number in range(40))
    text = ledger_text(calls, "c3", 2000)
    assert len(text) <= 2000
    assert "$ Bash: run 3\n" in text
    assert "$ Bash: run 39\n" in text
    assert "$ Bash: run 4\n" not in text
    assert text.index("run 3\n") < text.index("run 39\n")


@given(
    st.lists(
        st.tuples(st.text(max_size=400), st.none() | st.text(max_size=3000), st.booleans()),
        min_size=1,
        max_size=30,
    ),
    st.integers(500, 5000),
    st.integers(0, 29),
)
def test_the_limit_holds_and_the_call_of_the_verdict_is_there(
    rows: list[tuple[str, str | None, bool]], limit: int, first: int
) -> None:
    calls = tuple(
        ToolCall(f"c{at}", f"Tool{at}.{'n' * 90}", {"command": asked}, result, is_error=error)
        for at, (asked, result, error) in enumerate(rows)
    )
    at = first % len(rows)
    text = ledger_text(calls, f"c{at}", limit)
    assert len(text) <= limit
    assert f"$ Tool{at}." in text
