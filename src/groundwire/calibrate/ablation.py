"""What each part of the model brings: the left-out figures without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from groundwire.calibrate.crossval import left_out
from groundwire.calibrate.design import Case
from groundwire.calibrate.figures import figures
from groundwire.calibrate.fit import Plan
from groundwire.evidence.weigh import GROUP, MARKER
from groundwire.rules import weights as shipped
from groundwire.settings import Settings

#: The figures that are compared.
COMPARED = (
    "average_precision", "auroc_judged", "brier_skill", "gap_from_30",
    "blocked", "block_precision", "block_recall", "false_block_rate",
)  # fmt: skip
WHOLE = "everything"
_WORDS = ("strength", "company", "whole")
_MESSAGE = ("close", "around", "cheer")


def parts() -> dict[str, tuple[str, ...]]:
    """Return what is taken away in turn: sets of terms, then every feature by itself."""
    turn = [name for name in shipped.FEATURES if name not in (*_WORDS, *_MESSAGE)]
    return {
        "words of the sentence": _WORDS,
        "the message": _MESSAGE,
        "facts of the turn": tuple(turn),
        "groups of claims": (GROUP,),
        "single markers": (MARKER,),
        **{name: (name,) for name in shipped.FEATURES},
    }


def ablation(
    cases: Sequence[Case], plan: Plan, settings: Settings
) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Yield the left-out figures of everything, then without each part."""
    report = settings.thresholds.report
    yield WHOLE, figures(left_out(cases, plan, settings), report)
    for name, gone in parts().items():
        yield f"- {name}", figures(left_out(cases, plan.without(gone), settings), report)
