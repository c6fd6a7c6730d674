"""The composite confidence as the lines that its command prints (requirement R000-15)."""

from __future__ import annotations

from groundwire.confidence.composite.reason import TITLES, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def composite_text(row: Mapping[str, Any]) -> str:
    """Return the printed form of one row of the history; its lines and decimals are fixed."""
    factors = "\n".join(
        f"  {title}: {percent(row['factors'][name])}" for name, title in TITLES.items()
    )
    return (
        f"Composite Confidence: {percent(row['composite_confidence'])}\n"
        f"Confidence Level: {row['confidence_level']}\n"
        f"Threshold: {percent(row['agent_threshold'])}\n"
        f"Threshold Met: {row['threshold_met']}\n"
        f"Should Block: {row['should_block']}\n"
        f"\nFactor Scores:\n{factors}"
    )
