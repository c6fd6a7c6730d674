"""All claims of a message against its turn: the confidence of each, its label and its reasons.

confidence = round_half_up(100 * sigmoid(base + sum of weight * value))

The numbers are those of ``model/*.toml``, compiled to ``base/rules/weights.py``. What speaks
loudest among the facts gives the claim its label; a label has no number of its own.
"""

from __future__ import annotations

from groundwire.base.budget import UNWATCHED
from groundwire.base.model import FAINT, QUALIFIED, TOLD, Factor, Verdict, logit, percent
from groundwire.base.record import Record
from groundwire.base.rules import weights as shipped
from groundwire.language.words import stems_of
from groundwire.verdict.claims import GUARANTEE, PRAISE, SCOPE, STATUS, Claim
from groundwire.verdict.disclosures import admitted_by
from groundwire.verdict.features import Scene, is_denied, read_facts
from groundwire.verdict.mentions import Acts, claimed_runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from groundwire.base.budget import Watch
    from groundwire.base.model import Marker
    from groundwire.base.settings import Settings
    from groundwire.language.candidates import Kept
    from groundwire.language.find import Findings
    from groundwire.turn.records import Fact
    from groundwire.turn.session import Digest
    from groundwire.turn.timeline import Timeline


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


#: Signs that celebrate or rate: check marks, crosses, and the pictures above this code point.
_SIGNS = "\u2705\u2713\u2714\u274c\u26a0\u2728"
_PICTURES = "\U0001f300"


def assess(  # noqa: PLR0913 - what is known of a message and its session
    findings: Findings,
    kept: Sequence[Kept],
    claims: Mapping[int, Claim],
    turn: Timeline,
    settings: Settings,
    digest: Digest | None = None,
    stopped: tuple[frozenset[str], ...] = (),
    *,
    watch: Watch = UNWATCHED,
) -> list[Weighed | None]:
    """Return what each kept candidate weighs; those of one sentence weigh the same.

    None: a word of mere telling, in a sentence that nothing in the turn denies; or a sentence that
    ``watch`` had no time for.

    ``digest`` holds the earlier turns of the session, ``stopped`` the content words of statements
    that were sent back since the last tool call. Linear in the message and the turn.
    """
    markers: dict[int, list[Marker]] = {}
    for one in kept:
        markers.setdefault(one.sentence, []).append(one.candidate.marker)
    scene = scene_of(findings, claims, turn, digest, stopped).replace(watch=watch)
    weighed: dict[int, Weighed] = {}
    by_key: dict[Hashable, Weighed] = {}
    denied = set()
    for number, claim in claims.items():
        if watch.is_over("the last statements"):
            break
        told = tuple(watch.attempt("the runs of a statement", claimed_runs, (), claim, turn))
        own_scene = scene.replace(around=scene.around - _boasts(claim), told=told)
        facts = read_facts(claim, own_scene)
        if is_denied(facts):
            denied.add(number)
        own = _telling_markers(markers[number])
        key = (claim.groups, tuple([marker.id for marker in own]), tuple(facts.items()))
        weighed[number] = by_key.get(key) or weigh(claim, own, facts, settings)
        by_key[key] = weighed[number]
    return [
        weighed.get(one.sentence)
        if one.candidate.marker.claim != TOLD or one.sentence in denied
        else None
        for one in kept
    ]


def _telling_markers(markers: list[Marker]) -> list[Marker]:
    """Leave out the words of mere telling where others stand beside them."""
    return [marker for marker in markers if marker.claim != TOLD] or markers


def scene_of(
    findings: Findings,
    claims: Mapping[int, Claim],
    turn: Timeline,
    digest: Digest | None = None,
    stopped: tuple[frozenset[str], ...] = (),
) -> Scene:
    """Return what all claims of a message share."""
    text = findings.folded.original
    return Scene(
        turn,
        Acts(turn),
        digest,
        admitted_by(findings.sentences, findings.folded),
        stopped,
        sum(map(_boasts, claims.values())),
        sum(map(text.count, filter(_celebrates, set(text)))),
        text,
        _new_stems(text, turn) if claims and not findings.language else frozenset(),
    )


def _new_stems(text: str, turn: Timeline) -> frozenset[bytes]:
    """Return the stems of words that stand once in a text, and nowhere in its turn."""
    seen: set[bytes] = set()
    again: set[bytes] = set()
    for stem in stems_of(text):
        (again if stem in seen else seen).add(stem)
    return frozenset(seen - again - turn.texts.recent_stems())


def _celebrates(char: str) -> bool:
    return char > "\u2600" and (char in _SIGNS or char >= _PICTURES)


def _boasts(claim: Claim) -> bool:
    return claim.strong > 0 and claim.of(STATUS, SCOPE, GUARANTEE, PRAISE)
