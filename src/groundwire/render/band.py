"""Names for ranges of confidence, as reports show them."""

from __future__ import annotations

VERY_HIGH = "VERY_HIGH"
HIGH = "HIGH"
MODERATE = "MODERATE"
SUPPRESSED = "SUPPRESSED"

#: Each band with the lowest confidence in it: R003-05 to R003-08 of the requirements. They are
#: names for numbers and do not move with the thresholds of a configuration.
BANDS = ((VERY_HIGH, 90), (HIGH, 70), (MODERATE, 50), (SUPPRESSED, 0))


def band(confidence: int) -> str:
    """Return the name of the band that a confidence (0-100, high is bad) lies in."""
    for name, lowest in BANDS:
        if confidence >= lowest:
            return name
    return SUPPRESSED
