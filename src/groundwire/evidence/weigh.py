"""From the facts about a claim to its confidence, its label and its reason.

    confidence = round_half_up(100 * sigmoid(base + sum of weight * value))

The numbers are those of ``model/*.toml``, compiled to ``rules/weights.py``. What speaks loudest
among the facts gives the claim its label; a label has no number of its own.
"""

from __future__ import annotations

from groundwire.evidence.claims import Claim
from groundwire.model import FAINT, QUALIFIED, Factor, Verdict, logit, percent
from groundwire.record import Record
from groundwire.rules import weights as shipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundwire.evidence.records import Fact
    from groundwire.model import Marker
    from groundwire.settings import Settings

#: The feature that is no fact: what the words weigh by their class.
STRENGTH = "strength"
#: Names of what is added beside the features.
BASE, GROUP, MARKER = "base", "group ", "marker "
_NOTHING_SAYS = Verdict(QUALIFIED, "nothing but its wording to go by")


class Weighed(Record):
    """A claim with its confidence; ``factors`` add up to it, ``verdict`` is for the reader."""

    confidence: int
    logit: float
    factors: tuple[Factor, ...]
    verdict: Verdict


def weigh(
    claim: Claim, markers: Iterable[Marker], facts: Mapping[str, Fact], settings: Settings
) -> Weighed:
    """Add up what ``facts`` (by feature) and ``markers`` say of ``claim``."""
    own = dict(settings.features)
    parts: list[tuple[str, float, float, Fact | None]] = [(BASE, shipped.BASE, 1.0, None)]
    parts += [(f"{GROUP}{group}", shipped.GROUPS[group], 1.0, None) for group in _ordered(claim)]
    known = telling(markers)
    strongest = max(logit(getattr(settings.strengths, one.strength)) for one in known)
    weight = own.get(STRENGTH, shipped.FEATURES[STRENGTH][0])
    parts.append((STRENGTH, weight, strongest, None))
    parts += [
        (f"{MARKER}{one.id}", shipped.MARKERS[one.id], 1.0, None)
        for one in known
        if one.id in shipped.MARKERS
    ]
    parts += [
        (name, own.get(name, shipped.FEATURES[name][0]), fact.value, fact)
        for name, fact in facts.items()
    ]
    total = sum(weight * value for _, weight, value, _ in parts)
    return Weighed(percent(total), total, _factors(parts, total), _verdict(parts))


def telling(markers: Iterable[Marker]) -> list[Marker]:
    """Return the markers of a sentence that count: everyday words only where there is no other."""
    known = {marker.id: marker for marker in markers}
    return [one for one in known.values() if one.strength != FAINT] or list(known.values())


def _ordered(claim: Claim) -> list[str]:
    return [group for group in shipped.GROUPS if group in claim.groups]


def _factors(
    parts: list[tuple[str, float, float, Fact | None]], total: float
) -> tuple[Factor, ...]:
    whole = percent(total)
    return tuple(
        Factor(
            name,
            weight,
            value,
            whole - percent(total - weight * value),
            fact.says if fact else "",
            fact.shown.call_id if fact and fact.shown else "",
        )
        for name, weight, value, fact in parts
        if weight * value
    )


def _verdict(parts: list[tuple[str, float, float, Fact | None]]) -> Verdict:
    """Return the label of the fact that speaks loudest, with the call that shows it."""
    labelled = [
        (abs(weight * value), label, fact)
        for name, weight, value, fact in parts
        if fact is not None and (label := shipped.FEATURES[name][1]) and weight
    ]
    if not labelled:
        return _NOTHING_SAYS
    _, label, fact = max(labelled, key=lambda item: item[0])
    shown = fact.shown
    if shown is None:
        return Verdict(label, fact.says)
    why = " ".join(part for part in (shown.command, fact.says) if part)
    if shown.line:
        why = f'{why}: "{shown.line}"'
    return Verdict(label, why, shown.call_id, shown.command, shown.line)
