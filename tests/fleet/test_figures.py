"""The report: what is said of which groups, and the page that says it."""

from typing import Any

from groundwire_fleet.figures import THRESHOLDS, figures
from groundwire_fleet.page import page
from tests.support.console import part
from tests.support.tables import rows, tables

COUNTS: dict[str, Any] = {f"at_{it}": 100 - it for it in THRESHOLDS} | tables(__file__)["counts"]


def figures_hold(group: int, changes: dict[str, Any], wanted: dict[str, Any]) -> bool:
    found = part(figures({**COUNTS, **changes}, group), wanted)
    assert found == wanted
    return True


test_figures = rows(__file__, figures_hold=figures_hold)


def test_the_page_holds_all_of_it_and_nothing_from_elsewhere() -> None:
    quote = {"sentence": "<b>All tests pass.", "kind": "k", "confidence": 91, "people": 7}
    html = page(figures({**COUNTS, "statements": [quote]}, 5))
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
    empty: Any = {name: [] if isinstance(it, list) else 0 for name, it in COUNTS.items()}
    assert "<h2>Weeks</h2>" not in page(figures(empty, 5))
