"""The composite confidence: the rows of requirement 000, its laws, and bad input."""

from collections.abc import Sequence
from itertools import compress, product
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from groundwire.base.errors import ConfidenceError
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import Composite
from groundwire.language.automaton import Scanner
from groundwire_confidence.composite import certainty as reading
from groundwire_confidence.composite import factors, formula
from groundwire_confidence.composite.factors import CodeEvidence, code_evidence
from groundwire_confidence.composite.formula import CompositeScores, assess
from tests.confidence.acts import acts
from tests.evidence.turns import timeline
from tests.support.tables import rows, tables

SETTINGS = Composite()
SCANNER = Scanner(shipped_rules())


def of(given: Sequence[float | None]) -> CompositeScores:
    return CompositeScores(given[0], given[1], given[2], given[3])


def threshold(agent: str, value: float) -> tuple[object, ...]:
    at = assess(agent, of([value] * 4), SETTINGS)
    assert (at.threshold, at.met) == (value, True)
    return at.level, assess(agent, of([1.0, 0.85, 0.7, 0.9]), SETTINGS).met


def certainty(_name: str, text: str) -> tuple[object, ...]:
    found = reading.certainty_of(text, SCANNER)
    assert reading.certainty_of(text, Scanner(shipped_rules(), once=True)) == found
    signs = [hit.certain for hit in found.hits]
    return signs.count(False), signs.count(True), found.score


def shown(folder: Path, names: list[str]) -> CodeEvidence | None:
    return code_evidence(timeline(folder, acts(names)))


def flags(names: list[str], *, tmp_path: Path) -> str:
    """Return flags in the order exists, syntax, types, tests exist, tests pass."""
    found = shown(tmp_path, names)
    values = [getattr(found, name) for name in CodeEvidence._fields] if found else []
    return "".join(compress("estTP", values)) if found else "none"


def words(names: list[str], *, tmp_path: Path) -> tuple[object, ...]:
    found = shown(tmp_path, names)
    assert found
    return found.score, found.why()


test_row = rows(
    __file__,
    ConfidenceError,
    knowledge_base=lambda name, similarities: factors.knowledge_base_score(
        [{"similarity": one, "text": name} for one in similarities]
    ),
    results=lambda given: factors.knowledge_base_score(*given),
    code_validation=lambda _, facts: factors.code_validation_score(*facts),
    history=lambda runs: factors.agent_history_score(*runs),
    composite=lambda _, given, missing: assess("patcher", of(given), SETTINGS, missing).value,
    factors=lambda given: assess("planner", CompositeScores(**given), SETTINGS),
    level=formula.BANDS.level,
    threshold=threshold,
    agent_type_of_an_event=lambda name, mapped: formula.type_of_event(
        name, SETTINGS.replace(agents=mapped)
    ),
    agent_type=lambda name: formula.known_type(name, SETTINGS),
    certainty=certainty,
    why=lambda text: reading.certainty_of(text, SCANNER).why(),
    negators=lambda text: len(reading.certainty_of(text, SCANNER, ("not", "never")).hits),
    flags=flags,
    shown=words,
)


def test_v51_no_threshold_is_missed_by_float_error() -> None:
    """In steps of 5 %, 2607 inputs reach a threshold exactly; the plain sum misses it for 127."""
    exact, missed = 0, 0
    for percents in product(range(0, 101, 5), repeat=4):
        whole = 30 * (percents[0] + percents[1]) + 20 * (percents[2] + percents[3])
        for agent, threshold, _, _ in tables(__file__)["threshold"]:
            if whole == round(10_000 * threshold):
                exact += 1
                shares = [one / 100 for one in percents]
                plain = 0.0  # sum() makes up for lost digits since Python 3.12
                for share, (_, weight) in zip(shares, formula.WEIGHTS, strict=True):
                    plain += share * weight
                missed += plain < threshold
                assert assess(agent, of(shares), SETTINGS).met is True
    assert (exact, missed) == (2607, 127)


def test_what_would_lift_the_weakest_factor_does() -> None:
    given = CompositeScores(0.85, 0.90, 0.75, 0.5, (("agent_history_score", "5 of 10 runs"),))
    assert "50.00% (5 of 10 runs). 62.50% there" in assess("patcher", given, SETTINGS).why
    lifted = assess("patcher", given.replace(agent_history_score=0.625), SETTINGS)
    assert (lifted.met, lifted.why) == (True, "confident, proceed with caution")


MARKERS = (*reading.UNCERTAINTY_MARKERS, *reading.CERTAINTY_MARKERS)
SAID = st.sampled_from([*MARKERS, "un", "the", ".", "\n\n", "`x`"])


@given(st.lists(SAID, max_size=30).map(" ".join))
def test_the_score_follows_from_the_hits_and_these_are_in_the_text(text: str) -> None:
    found = reading.certainty_of(text, SCANNER)
    assert 0 <= found.score <= 1
    spots = [hit.offset for hit in found.hits]
    assert spots == sorted(set(spots))
    assert all(text[hit.offset :].startswith(hit.evidence) for hit in found.hits)
