"""``groundwire why``: what stopped a turn, with everything that decided it."""

from __future__ import annotations

from groundwire.decision import blocking
from groundwire.model import BLOCK, REPORT
from groundwire.render.explain import first_of_sentence, match_block
from groundwire.render.place import Places
from groundwire.render.prose import counted, one_line
from groundwire.render.sarif import marker_page
from groundwire.text.safe import plain_signs, quoted, safe, without_secrets
from groundwire.turn_page.excerpt import GAP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from groundwire.model import Analysis, Decision, Match
    from groundwire.settings import Thresholds
    from groundwire.turn_page.call_lines import CallLine

_MOST_LINES = 8
_LONGEST = 200


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
    named = {one for match in matches for one in _call_ids(match)}
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


def _call_ids(match: Match) -> Iterable[str]:
    if match.verdict:
        yield match.verdict.call_id
    yield from (factor.call_id for factor in match.factors)


def _page(match: Match) -> tuple[str, str]:
    page = marker_page(match.marker)
    return "page", f"groundwire patterns show {match.marker.id}, or {page} of the site"


def _verdict(logged: Mapping[str, Any]) -> str:
    call = f" ({logged['call_id']})" if logged["call_id"] else ""
    return f", {logged['verdict']}{call}" if logged["verdict"] else ""
