"""All claims of a message against its turn: the one entrance to the evidence."""

from __future__ import annotations

from groundwire.evidence.acts import Acts
from groundwire.evidence.admitted import admitted_by
from groundwire.evidence.claims import GUARANTEE, PRAISE, SCOPE, STATUS, claims_of
from groundwire.evidence.features import Scene, is_denied, read_facts
from groundwire.evidence.told import claimed_runs
from groundwire.evidence.weigh import Weighed, weigh
from groundwire.model import TOLD
from groundwire.scan.words import stems_of
from groundwire.watch import UNWATCHED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from groundwire.evidence.claims import Claim
    from groundwire.evidence.session import Digest
    from groundwire.evidence.timeline import Timeline
    from groundwire.model import Marker
    from groundwire.scan.find import Findings, Kept
    from groundwire.settings import Settings
    from groundwire.watch import Watch

#: Signs that celebrate or rate: check marks, crosses, and the pictures above this code point.
_SIGNS = "\u2705\u2713\u2714\u274c\u26a0\u2728"
_PICTURES = "\U0001f300"


def assess(
    findings: Findings,
    kept: Sequence[Kept],
    turn: Timeline,
    settings: Settings,
    digest: Digest | None = None,
    stopped: tuple[frozenset[str], ...] = (),
    watch: Watch = UNWATCHED,
) -> list[Weighed | None]:
    """Return what each kept candidate weighs; those of one sentence weigh the same.

    None: a word of mere telling, in a sentence that nothing in the turn denies; or a sentence that
    ``watch`` had no time for.

    ``digest`` holds the earlier turns of the session, ``stopped`` the content words of statements
    that were sent back since the last tool call. Linear in the message and the turn.
    """
    claims = claims_of(findings, kept, watch)
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
    claims: dict[int, Claim],
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
