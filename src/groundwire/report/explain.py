"""Why each match has its confidence, why others were dropped, and what stopped a past turn."""

from __future__ import annotations

from math import exp
from unicodedata import combining, east_asian_width

from groundwire.base.model import BLOCK, REPORT, Analysis, Factor, Match, Suppressed
from groundwire.base.settings import Thresholds
from groundwire.language.safe import plain_signs, quoted, safe, without_secrets
from groundwire.report.prose import ELLIPSIS, JOINERS, Places, counted, one_line
from groundwire.report.sarif import marker_page
from groundwire.report.text import band
from groundwire.turn.page_lines import GAP
from groundwire.verdict.decision import MAY_STOP, blocking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from groundwire.base.model import Decision
    from groundwire.turn.page_lines import CallLine


WIDTH = 80
_EXCERPT_ROWS = 4
_EXCERPT_REACH = 2_000  # characters looked at on each side, so that a huge line costs little


def columns(text: str) -> int:
    """Return how many terminal columns a line takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    width = 0
    for character in text:
        if character in JOINERS or combining(character):
            continue
        width += 2 if east_asian_width(character) in "WF" else 1
    return width


def wrap(line: str, width: int) -> list[tuple[int, int]]:
    """Return the spans of the rows that a line breaks into, each at most ``width`` columns."""
    rows = []
    at = 0
    while at < len(line):
        end = _fitting_end(line, at, width)
        if end < len(line):
            space = line.rfind(" ", at, end + 1)
            end = space if space > at else end
        rows.append((at, end))
        at = end + 1 if line[end : end + 1] == " " else end
    return rows


def _fitting_end(line: str, start: int, width: int) -> int:
    """Return the end of the longest piece from ``start`` that fits, at least one character."""
    end = min(len(line), start + width)
    while end - start > 1 and columns(line[start:end]) > width:
        end -= 1
    return end


def excerpt(text: str, around: tuple[int, int], marked: tuple[int, int], width: int) -> list[str]:
    """Return the rows that show ``text[around]`` with ``text[marked]`` underlined.

    Both spans are code points of ``text``. A passage that is too long for four rows loses words
    at its ends, so that the marked part stays in sight.
    """
    start, end = marked
    middle = one_line(text[start:end], _EXCERPT_ROWS // 2 * width)
    first = max(min(around[0], start), start - _EXCERPT_REACH)
    last = min(max(around[1], end), end + _EXCERPT_REACH)
    before = _joined_part(text[first:start]).lstrip()
    after = _joined_part(text[end:last]).rstrip()
    room = width * _EXCERPT_ROWS - len(middle)
    before = _tail(before, max(room // 2, room - len(after)))
    after = _head(after, room - len(before))
    line = before + middle + after
    rows = []
    for row, row_end in wrap(line, width):
        rows.append(line[row:row_end])
        low, high = max(row, len(before)), min(row_end, len(before) + len(middle))
        underline = "~" * columns(line[low:high])
        if underline:
            rows.append(" " * columns(line[row:low]) + underline)
    return rows


def _joined_part(text: str) -> str:
    """Return ``one_line`` of a part, keeping a space where it touches its neighbour."""
    if not text.strip():
        return " " if text else ""
    left = " " if text[0].isspace() else ""
    return left + one_line(text) + (" " if text[-1].isspace() else "")


def _tail(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    cut = text[len(text) - max(0, limit - len(ELLIPSIS) - 1) :]
    return f"{ELLIPSIS} {cut.partition(' ')[2] or cut}"


def _head(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    cut = text[: max(0, limit - len(ELLIPSIS) - 1)]
    return f"{cut.rpartition(' ')[0] or cut} {ELLIPSIS}"


_INDENT = "  "
_QUOTED_INDENT = "      "
#: Characters of what a verdict or a point says.
_LONGEST = 300
#: The highest confidence; a threshold above it is reached by none.
_HIGHEST = 100
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
    gates = f"A fact about a turn blocks, bare text from {thresholds.words_block} on."
    if thresholds.stop_from <= _HIGHEST:
        gates += (
            f" Statements about a turn block from {thresholds.stop_from}, and those from "
            f"{thresholds.doubt} on together from {thresholds.message_block}."
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
    if match.accuser:
        right = "may stop a turn" if match.accuser in MAY_STOP else "only reports"
        fields.append(("accuser", f"{match.accuser}, which {right}"))
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


_MOST_LINES = 8
_LONGEST_WHY = 200


def head_text(line: Mapping[str, Any], project: str) -> str:
    """Return when and where the stop of this line of the decision log was."""
    why = one_line(line["why"])
    if why == f"mode is {REPORT}":
        why += ", by the settings, for the session or in a trial"
    outcome = "Stopped" if line["decision"] == BLOCK else f"Not stopped ({why})"
    return f"{outcome} {place_text(line, project)}"


def place_text(line: Mapping[str, Any], project: str) -> str:
    """Return when and where the turn of this line of the decision log was."""
    moment = f"{line['time'][:19].replace('T', ' ')} UTC"
    agent = f", agent {one_line(line['agent_type'])}" if line["agent_type"] else ""
    return f"{moment}, {one_line(project)}, session {one_line(line['session'])}{agent}"


def log_text(line: Mapping[str, Any]) -> str:
    """Return what the decision log has of a stop whose turn cannot be read any more."""
    return "\n".join(
        f"{one['confidence']:>3}  {one['kind']}  {quoted(one['evidence'])}\n"
        f"     marker {one['marker']}{_verdict(one)}"
        f"{', accuser ' + one['accuser'] if one.get('accuser') else ''}"
        for one in line["matches"]
    )


def stopping(analysis: Analysis, decision: Decision, thresholds: Thresholds) -> list[Match]:
    """Return the matches that stopped the turn, or would have, the worst first."""
    wanted = decision.blocking or blocking(analysis.matches, thresholds)
    return sorted(wanted, key=lambda match: (-match.confidence, match.offset))


def why_text(text: str, matches: Sequence[Match], calls: Iterable[tuple[str, CallLine]]) -> str:
    """Return the matches with their features, and the calls that these point to.

    ``calls`` are those of the turn by their id.
    """
    text = plain_signs(text)
    places = Places(text)
    blocks = [
        match_block(text, places, match, _page(match), first)
        for match, first in zip(matches, first_of_sentence(matches), strict=True)
    ]
    named = {one for match in matches for one in call_ids(match)}
    looked_at = [line for call_id, line in calls if call_id in named]
    said = {match.verdict.line for match in matches if match.verdict and match.verdict.line}
    blocks += call_blocks(looked_at, said)
    return without_secrets("\n\n".join(map("\n".join, blocks)))


def call_blocks(calls: Sequence[CallLine], said: Collection[str]) -> Iterator[list[str]]:
    """Yield the lines that show each of ``calls``, those that hold what was ``said`` first."""
    if calls:
        yield [f"Looked at {counted(len(calls), 'call')} of the turn"]
    for call in calls:
        rows = [f"  | {safe(line, _LONGEST)}" for line in _deciding_lines(call.lines, said)]
        parts = {name: safe(getattr(call, name)) for name in ("tool", "argument", "outcome")}
        yield [call.replace(**parts).title, *rows]


def _deciding_lines(lines: Sequence[str], said: Collection[str]) -> list[str]:
    """Return the lines that hold what was said, and of the others the last ones, in order."""
    quoted = [at for at, line in enumerate(lines) if any(one in line for one in said)]
    others = [at for at in range(len(lines)) if at not in quoted]
    room = max(0, _MOST_LINES - len(quoted))
    positions = sorted(quoted[:_MOST_LINES] + others[len(others) - room :][:room])
    shown: list[str] = []
    previous = -1
    for at in positions:
        if at > previous + 1 and lines[at] != GAP and shown[-1:] != [GAP]:
            shown.append(GAP)
        shown.append(lines[at])
        previous = at
    return shown


def call_ids(match: Match) -> Iterable[str]:
    """Yield the ids of the calls that a match points to, some of them empty."""
    if match.verdict:
        yield match.verdict.call_id
    yield from (factor.call_id for factor in match.factors)


def _page(match: Match) -> tuple[str, str]:
    page = marker_page(match.marker)
    return "page", f"groundwire patterns show {match.marker.id}, or {page} of the site"


def _verdict(logged: Mapping[str, Any]) -> str:
    call = f" ({logged['call_id']})" if logged["call_id"] else ""
    return f", {logged['verdict']}{call}" if logged["verdict"] else ""
