"""The rows of the A/B report as words, for the page and for the terminal."""

from __future__ import annotations

from collections.abc import Callable

from groundwire_server.admin.service.comparison import SelectiveView, ShadowView
from groundwire_server.admin.service.experiment_report import GroupView
from groundwire_server.admin.service.view import MeanView, ShareView

NOTHING = "-"


def percent(share: float | None) -> str:
    """Return a share from 0 to 1 as percent."""
    return NOTHING if share is None else f"{100 * share:.1f}%"


def share_words(view: ShareView) -> str:
    """Return a share with its 95 % interval and its counts."""
    if view.share is None:
        return "no cases"
    interval = f"{percent(view.low)} to {percent(view.high)}"
    return f"{percent(view.share)} ({interval}), {view.count} of {view.of}"


def mean_words(view: MeanView | None, form: str = "+.3f") -> str:
    """Return an average with its 95 % interval."""
    if view is None or view.mean is None:
        return NOTHING
    if view.low is None or view.high is None:
        return f"{view.mean:{form}}"
    return f"{view.mean:{form}} ({view.low:{form}} to {view.high:{form}})"


def number(value: float | None, unit: str = "", digits: int = 0) -> str:
    """Return a number with its unit, "-" for none."""
    return NOTHING if value is None else f"{value:,.{digits}f}{unit}"


def money(dollars: float | None) -> str:
    """Return a price as it is shown; None is one that is not known."""
    return "price unknown" if dollars is None else f"${dollars:.4f}"


GROUP_ROWS: tuple[tuple[str, Callable[[GroupView], str]], ...] = (
    ("Sessions", lambda one: f"{one.sessions:,}"),
    ("Scored answers", lambda one: f"{one.judgements:,}"),
    ("Fell back to the formula", lambda one: f"{one.fell_back:,}"),
    ("From the cache", lambda one: f"{one.cached:,}"),
    ("Mean score", lambda one: number(one.scores.mean, digits=3)),
    ("Escalation rate", lambda one: share_words(one.escalation)),
    ("Thumbs up / down", lambda one: f"{one.thumbs_up} / {one.thumbs_down}"),
    ("False positives (high score, wrong)", lambda one: share_words(one.false_positive)),
    ("False negatives (low score, right)", lambda one: share_words(one.false_negative)),
    ("Wrong answers detected", lambda one: share_words(one.detection)),
    ("Response time, median", lambda one: number(one.milliseconds_p50, " ms", 1)),
    ("Response time, 95th percentile", lambda one: number(one.milliseconds_p95, " ms", 1)),
    ("Tokens", lambda one: f"{one.tokens:,}"),
    ("Cost", lambda one: money(one.cost)),
)
SHADOW_ROWS: tuple[tuple[str, Callable[[ShadowView], str]], ...] = (
    ("Mean score", lambda one: mean_words(one.score, ".3f")),
    ("Difference from the formula", lambda one: mean_words(one.scores_off)),
    ("Escalation rate", lambda one: share_words(one.escalation)),
    ("Wrong verdicts", lambda one: share_words(one.wrong)),
    ("Squared error", lambda one: mean_words(one.squared_error, ".3f")),
    ("Its difference from the formula", lambda one: mean_words(one.error_off)),
    ("Votes that groups would need to know it as well", lambda one: number(one.votes_of_groups)),
)
SELECTIVE_ROWS: tuple[tuple[str, Callable[[SelectiveView], str]], ...] = (
    ("Answers", lambda one: f"{one.answers:,}"),
    ("Judged in the grey zone", lambda one: f"{one.grey:,}"),
    ("Judged as a sample beside it", lambda one: f"{one.sampled:,}"),
    ("Without an answer, or beyond the budget", lambda one: f"{one.unanswered:,}"),
    ("Cost", lambda one: money(one.cost)),
    ("Saved by not asking", lambda one: NOTHING if one.saved is None else money(one.saved)),
    ("Missed: sampled answers that the judge sees otherwise", lambda one: share_words(one.missed)),
)
