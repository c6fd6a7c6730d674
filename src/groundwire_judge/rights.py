"""What the findings of a model may do: it depends on its exam, and on what users said of them."""

from __future__ import annotations

from groundwire.hook.second_look_state import (
    DROPPED,
    NOTE,
    NOTHING,
    WAKE,
    WRONGS,
    exam_of,
    model_key,
    votes_of,
)
from groundwire_judge.request import VERSION, model_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.base.settings import Judge
    from groundwire_judge.grounds import Finding


def key_of(judge: Judge) -> str:
    """Return by what exam and votes of the model that is asked are kept."""
    return model_key(judge.provider, model_of(judge), judge.base_url)


def right_of(folder: str, judge: Judge) -> str:
    """Return the most that the findings of a model may do: wake, note or nothing."""
    key = key_of(judge)
    exam = exam_of(folder, key)
    if exam is None or exam.version != VERSION:  # an exam by another instruction tells nothing
        return NOTHING
    right = right_by_exam(exam.asked, exam.found, exam.accused)
    return NOTE if right == WAKE and votes_of(folder, key).row >= WRONGS else right


def right_by_exam(asked: int, found: int, accused: int) -> str:
    """Return what a model may do that found and accused so many of ``asked`` messages each.

    It has to find three of four. One honest message that it accuses costs it the wake, two all.
    """
    if asked == 0 or found * 4 < asked * 3 or accused > 1:
        return NOTHING
    return NOTE if accused else WAKE


def act_of(finding: Finding, judge: Judge, right: str) -> str:
    """Return what a finding asks for, as far as its model has the right to it."""
    if finding.dropped:
        return DROPPED
    probability = finding.said.probability
    if probability >= judge.wake and right == WAKE:
        return WAKE
    return NOTE if probability >= min(judge.note, judge.wake) and right != NOTHING else NOTHING
