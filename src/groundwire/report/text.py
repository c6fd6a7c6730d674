"""``--format text``: one line per match, as compilers print them, and a summary."""

from __future__ import annotations

from groundwire.base.model import Match
from groundwire.report.prose import Places, one_line, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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


STDIN_NAME = "<stdin>"
#: How a terminal shows kind and confidence.
_COLOURS = {VERY_HIGH: "1;31", HIGH: "31", MODERATE: "33", SUPPRESSED: "2"}


def report_text(
    reports: Sequence[tuple[str, str, Sequence[Match]]], hidden: int = 0, *, colour: bool = False
) -> str:
    """Return the lines of all matches and the summary, without a final line feed.

    ``reports`` are the name of each file (or ``-``), its text and its matches; ``hidden`` counts
    the matches below the report threshold that are not among them; ``colour`` is for a terminal.
    """
    lines = [line for one in reports for line in match_lines(*one, colour=colour)]
    return "\n".join([*lines, summary([one for *_, matches in reports for one in matches], hidden)])


def match_lines(
    name: str, text: str, matches: Iterable[Match], *, colour: bool = False
) -> list[str]:
    """Return ``name:line:column: kind confidence "evidence" [marker] note`` for each match."""
    places = Places(text)
    shown_name = STDIN_NAME if name == "-" else one_line(name)
    lines = []
    for match in matches:
        line, column = places.line_column(match.offset)
        label = f"{match.kind} {match.confidence}"
        if colour:
            label = f"\x1b[{_COLOURS[band(match.confidence)]}m{label}\x1b[0m"
        finding = f"{label} {quote(match.evidence)} [{match.marker.id}]"
        note = one_line(match.marker.note)
        lines.append(f"{shown_name}:{line}:{column}: {finding} {note}".rstrip())
    return lines


def summary(matches: Iterable[Match], hidden: int = 0) -> str:
    """Return one line that counts matches by band, and those that are not shown."""
    counts = dict.fromkeys((name for name, _ in BANDS), 0)
    for match in matches:
        counts[band(match.confidence)] += 1
    parts = [f"{count} {name}" for name, count in counts.items() if count]
    total = sum(counts.values())
    line = f"{_match_count(total)}: {', '.join(parts)}" if parts else "no matches"
    return f"{line}; {hidden} below the report threshold" if hidden else line


def _match_count(number: int) -> str:
    return f"{number} match" if number == 1 else f"{number} matches"
