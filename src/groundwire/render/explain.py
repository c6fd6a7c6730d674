"""``--explain``: why each match has its confidence, and why other candidates were dropped."""

from __future__ import annotations

from math import exp

from groundwire.decision import blocking
from groundwire.model import Analysis, Factor, Match, Suppressed
from groundwire.render.band import band
from groundwire.render.excerpt import WIDTH, excerpt, wrap
from groundwire.render.place import Places
from groundwire.render.prose import one_line
from groundwire.settings import Thresholds
from groundwire.text.safe import quoted, safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_INDENT = "  "
_QUOTED_INDENT = "      "
#: Characters of what a verdict or a point says.
_LONGEST = 300
_LABEL = 11  # columns of the field names
_NO_VERDICT = "none; no tool call is known, so the words alone decide"


def explain(analysis: Analysis, thresholds: Thresholds) -> str:
    """Return the explanation of every match and every dropped candidate as plain text.

    Rows keep to 80 columns, without colours and without a final line feed.
    """
    places = Places(analysis.text)
    blocks = [_overview(analysis, thresholds)]
    results = _results(analysis.matches, thresholds)
    first = first_of_sentence(analysis.matches)
    blocks += [
        match_block(analysis.text, places, match, ("result", result), first[at])
        for at, (match, result) in enumerate(zip(analysis.matches, results, strict=True))
    ]
    if analysis.suppressed:
        blocks.append(["Dropped by a filter"])
        blocks += [_dropped_block(analysis.text, places, each) for each in analysis.suppressed]
    return "\n\n".join("\n".join(block) for block in blocks)


def _overview(analysis: Analysis, thresholds: Thresholds) -> list[str]:
    if not analysis.matches and not analysis.suppressed:
        return ["Nothing found."]
    reported = sum(match.confidence >= thresholds.report for match in analysis.matches)
    below = len(analysis.matches) - reported
    numbers = f"{reported} reported, {below} below {thresholds.report}"
    counts = f"{numbers}, {len(analysis.suppressed)} dropped by a filter."
    gates = (
        f"A statement about a turn blocks from {thresholds.block}, bare text from "
        f"{thresholds.words_block}, and statements from {thresholds.doubt} on together from "
        f"{thresholds.message_block}."
    )
    return [counts, *_rows(gates, "")]


def first_of_sentence(matches: Sequence[Match]) -> list[Match]:
    """Return for each match the first of its sentence with the same verdict and points.

    Matches that speak for one claim are weighed together.
    """
    firsts: list[Match] = []
    for match in matches:
        decided = (match.sentence, match.verdict, match.factors)
        same = (one for one in firsts if (one.sentence, one.verdict, one.factors) == decided)
        firsts.append(next(same, match))
    return firsts


def match_block(
    text: str, places: Places, match: Match, last: tuple[str, str], first: Match
) -> list[str]:
    """Return the lines about one match; ``last`` is the name and the text of its last field.

    Verdict and points are left out when ``first``, another match, has the same.
    """
    line, column = places.line_column(match.offset)
    label = band(match.confidence)
    sentence = _excerpt(text, match.sentence, match.offset, match.evidence)
    fields = [("evidence", quoted(match.evidence)), ("marker", _marker(match))]
    if match.marker.note:
        fields.append(("note", match.marker.note))
    if match is first:
        fields += _verdict_fields(match)
    if match.context:
        fields.append(("milder by", f"the context filter {match.context}"))
    fields.append(last)
    points = ["", *_factor_rows(match)]
    if match is not first:
        at = ":".join(map(str, places.line_column(first.offset)))
        fields.append(("points", f"the same as those of {quoted(first.evidence)} at {at}"))
        points = []
    return [
        f"{line}:{column}  {match.kind}  {match.confidence} {label}",
        "",
        *sentence,
        "",
        *_field_rows(fields),
        *points,
    ]


def _dropped_block(text: str, places: Places, dropped: Suppressed) -> list[str]:
    line, column = places.line_column(dropped.offset)
    first = places.line_start(dropped.offset)
    behind = text.find("\n", dropped.offset + len(dropped.evidence))
    around = (first, len(text) if behind < 0 else behind)
    reason = f"{dropped.filter}: {dropped.reason}" if dropped.reason else dropped.filter
    fields = [("marker", dropped.marker.id), ("filter", reason)]
    return [
        f"{line}:{column}  {dropped.kind}",
        "",
        *_excerpt(text, around, dropped.offset, dropped.evidence),
        "",
        *_field_rows(fields),
    ]


def _excerpt(text: str, around: tuple[int, int], offset: int, evidence: str) -> list[str]:
    marked = (offset, offset + len(evidence))
    width = WIDTH - len(_QUOTED_INDENT)
    return [_QUOTED_INDENT + row for row in excerpt(text, around, marked, width)]


def _marker(match: Match) -> str:
    strength = match.marker.strength
    return f"{match.marker.id}, {strength}" if strength else match.marker.id


def _verdict_fields(match: Match) -> list[tuple[str, str]]:
    verdict = match.verdict
    if verdict is None:
        return [("verdict", _NO_VERDICT)]
    why = f"{verdict.status}: {safe(verdict.why, _LONGEST)}" if verdict.why else verdict.status
    call = f"{safe(verdict.command)}  ({verdict.call_id})" if verdict.command else verdict.call_id
    fields = [("verdict", why), ("tool call", call), ("output", safe(verdict.line, _LONGEST))]
    return [(name, value) for name, value in fields if value]


def _results(matches: tuple[Match, ...], thresholds: Thresholds) -> list[str]:
    """Say of each match what the thresholds make of it; the state of the session may hold it."""
    together = {id(match) for match in blocking(matches, thresholds)}
    results = []
    for match in matches:
        if blocking((match,), thresholds):
            results.append("reported, and enough to block")
        elif id(match) in together:
            results.append("reported, and enough to block together with the others")
        elif match.confidence >= thresholds.report:
            results.append("reported")
        else:
            results.append(f"not reported, it is below {thresholds.report}")
    return results


def _field_rows(fields: Sequence[tuple[str, str]]) -> list[str]:
    lines = []
    for name, value in fields:
        rows = _rows(one_line(value), _INDENT + " " * _LABEL)
        rows[0] = f"{_INDENT}{name:<{_LABEL}}{rows[0].lstrip()}"
        lines += rows
    return lines


def _rows(line: str, indent: str) -> list[str]:
    return [indent + line[first:last] for first, last in wrap(line, WIDTH - len(indent))]


def _factor_rows(match: Match) -> list[str]:
    if not match.factors:
        return [f"{_INDENT}no factors were recorded"]
    name_width = max(len(factor.name) for factor in match.factors)
    total = sum(factor.weight * factor.value for factor in match.factors)
    return [
        f"{_INDENT}{'factor':<{name_width}}   weight    value   logits   points",
        *(row for factor in match.factors for row in _rows_of_factor(factor, name_width)),
        f"{_INDENT}{'sum':<{name_width}}   {'':17}{total:>+7.2f}{_conclusion(total)}",
    ]


def _rows_of_factor(factor: Factor, name_width: int) -> list[str]:
    """Return the numbers of a factor, and below them what it found and in which call."""
    logits = factor.weight * factor.value
    points = f"{factor.points:+d}" if factor.points else "0"
    numbers = f"{factor.weight:>6.2f}  {factor.value:>+7.2f}  {logits:>+7.2f}  {points:>7}"
    row = f"{_INDENT}{factor.name:<{name_width}}   {numbers}"
    call = f"({factor.call_id})" if factor.call_id else ""
    shown = safe(f"{factor.says} {call}", _LONGEST)
    return [row, *_rows(shown, _INDENT * 2)] if shown else [row]


def _conclusion(total: float) -> str:
    """Say which confidence the sum gives."""
    return f"  gives {int(100 / (1 + exp(-max(-50.0, min(50.0, total)))) + 0.5)}"
