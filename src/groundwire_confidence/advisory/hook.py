"""The advisory confidence in the hook: a turn's retrieval results, in the decision log.

Imported only when its setting is on. It stops nothing.
"""

from __future__ import annotations

from collections import Counter

from groundwire_confidence.advisory.formula import USAGE
from groundwire_confidence.advisory.retrieved import MODEL, assess_passages, passages
from groundwire_confidence.advisory.rubric import Rubric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.base.settings import Settings
    from groundwire.hook.session import Session
    from groundwire.verdict.examine import Examined


def advisory_step(
    examined: Examined,
    _session: Session,
    settings: Settings,
    _env: Mapping[str, str],
    _now: float,
) -> Examined:
    """Return the decided turn with its advisory flag; as it was when nothing was retrieved."""
    table = settings.advisory
    calls = examined.timeline.calls if examined.timeline else ()
    found = passages(calls, dict(table.domains))
    if not found or examined.findings is None:
        return examined
    rubric = Rubric(table.high_relevance, table.medium_relevance)
    known = [one for one in found if one.known]
    assessment = assess_passages(known, table.threshold, rubric) if known else None
    fields = {
        "results": len(found),
        "with_similarity": len(known),
        "sources": dict(Counter(one.source_type for one in found if one.source_type)),
        "value": assessment.value if assessment else None,
        "flag": assessment.level if assessment else None,
        "usage": USAGE[assessment.level] if assessment else None,
        "threshold": table.threshold,
        "factors": {one.name: one.value for one in assessment.factors} if assessment else {},
        "why": assessment.why if assessment else "no retrieval result has a similarity",
    }
    return examined.replace(models={**examined.models, MODEL: fields})
