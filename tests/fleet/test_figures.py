"""The report: what is said of which groups, and the page that says it."""

from typing import Any

import pytest

from groundwire_fleet.figures import OTHERS, THRESHOLDS, drift, figures, rate
from groundwire_fleet.page import page


def row(name: str, turns: int, stopped: int, people: int = 9, **more: Any) -> dict[str, Any]:
    return {"name": name, "turns": turns, "stopped": stopped, "people": people, **more}


def counts(**changes: Any) -> dict[str, Any]:
    at = {f"at_{it}": 100 - it for it in THRESHOLDS}
    total = {"turns": 100, "stopped": 20, "reported": 10, "people": 12, "sessions": 30}
    read = {"files": 31, "bytes": 5_000_000_000, "errors": 2}
    groups: dict[str, Any] = {
        "week": [row("2026-03-02", 40, 4), row("2026-03-09", 60, 16)],
        "model": [row("claude-<opus>", 90, 19), row("small", 10, 1, 1)],
        "repository": [row("shop", 50, 9), row("a", 20, 1, 3), row("b", 30, 10, 3)],
        "agent": [row("main", 100, 20)],
        "kind": [row("causality_language", 30, 12), row("certainty_language", 4, 1, 2)],
        "marker": [row("cause.root", 30, 12, kind="causality_language")],
        "recent": [
            row("causality_language", 5, 2, sort="kind", week="2026-03-02"),
            row("causality_language", 25, 20, sort="kind", week="2026-03-09"),
            row("small", 5, 2, 1, sort="model", week="2026-03-02"),
            row("small", 25, 20, 1, sort="model", week="2026-03-09"),
        ],
        "statements": [],
    }
    return {**at, **total, **read, **groups, **changes}


def names(found: dict[str, Any], sort: str) -> list[str]:
    return [it["name"] for it in found["by"][sort]]


def test_small_groups_are_added_up_or_left_out() -> None:
    found = figures(counts(), 5)
    assert names(found, "model") == ["claude-<opus>"]
    assert names(found, "repository") == ["shop", OTHERS]
    others = found["by"]["repository"][1]
    assert (others["turns"], others["count"]) == (50, 11)
    assert names(found, "kind") == ["causality_language"]
    assert names(figures(counts(), 1), "model") == ["claude-<opus>", "small"]
    assert figures(counts(), 13)["people"] is None
    assert names(figures(counts(), 10), "week") == []


def test_rates_have_intervals() -> None:
    found = figures(counts(), 5)
    fifth = {"count": 20, "of": 100, "share": 0.2, "low": 0.13337, "high": 0.28883}
    assert found["stopped"] == rate(20, 100) == fifth
    assert rate(0, 0)["share"] is None
    assert found["by"]["kind"][0]["of"] == 100
    stops = {it["threshold"]: it["count"] for it in found["thresholds"]}
    assert (stops[40], stops[45], max(stops)) == (60, 55, 95)


def test_drift_tells_chance_from_change() -> None:
    given = counts()
    found = drift(given["week"], given["recent"], 5)
    assert found is not None
    assert (found["before"], found["week"]) == ("2026-03-02", "2026-03-09")
    total, kind = found["rows"]
    assert (total["name"], total["change"], total["clear"]) == ("all turns", 0.16667, True)
    assert (kind["before"], kind["share"], kind["clear"]) == (0.05, 0.33333, True)
    assert total["low"] < total["change"] < total["high"]
    same = [row("a", 40, 4), row("b", 60, 7)]
    again = drift(same, [], 5)
    assert again is not None
    assert again["rows"][0]["clear"] is False


@pytest.mark.parametrize("weeks", [[], [row("a", 9, 1)], [row("a", 9, 1), row("b", 9, 1, 2)]])
def test_no_drift_without_two_weeks_of_enough_people(weeks: list[dict[str, Any]]) -> None:
    assert drift(weeks, [], 5) is None


def test_the_page_holds_all_of_it_and_nothing_from_elsewhere() -> None:
    quote = {"sentence": "<b>All tests pass.", "kind": "k", "confidence": 91, "people": 7}
    html = page(figures(counts(statements=[quote]), 5))
    for title in ("Weeks", "Drift", "Kinds", "Models", "Repositories", "Markers", "Thresholds"):
        assert f"<h2>{title}</h2>" in html
    assert "&lt;b&gt;All tests pass." in html
    assert "claude-&lt;opus&gt;" in html
    assert "prefers-color-scheme: dark" in html
    assert '"ends"><span>20' in html
    for elsewhere in ("http://", "https://", "<script", "<link", "url("):
        assert elsewhere not in html
    assert len(html) < 30_000


def test_a_page_of_nothing() -> None:
    empty: Any = {name: [] if isinstance(it, list) else 0 for name, it in counts().items()}
    assert "<h2>Weeks</h2>" not in page(figures(empty, 5))
