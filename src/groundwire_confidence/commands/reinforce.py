"""A reinforcement session in a file of the user, for ``groundwire reinforce --session``."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

from groundwire.base import json_codec
from groundwire.base.errors import ConfidenceError, FileError
from groundwire.base.files import Skipped, TextFile, create_text, read_text_file, replace_text
from groundwire.commands.options import OldJson, Set, TextOrJson, given, refuse_given, runtime_for
from groundwire_confidence.assessment import Assessment, AssessmentFactor, rounded, unit
from groundwire_confidence.reinforcement.formulas import (
    CODE_REFACTOR_PER_FILE,
    DECAY_PER_MONTH,
    NO_MODIFIERS,
    NON_MD_PER_FILE,
    SYMBOLS,
    enhanced,
    limit,
    simplified_as_published,
)
from groundwire_confidence.reinforcement.milestones import milestone, milestone_bonus
from groundwire_confidence.reinforcement.scorer import ConfidenceScorer
from groundwire_confidence.reinforcement.session import (
    Event,
    Session,
    advance_all,
    assess_session,
    new_session,
    read_session,
    session_fields,
)


class SessionFile:
    """Reads, advances and keeps one session; another file than a session is left alone."""

    def __init__(self, path: Path, base: float | None) -> None:
        """Read the session, or begin one at ``base``; raises FileError and ConfidenceError."""
        self._path = path
        self._file: TextFile | None = None
        if not os.path.lexists(path):
            self.session = new_session(base)
            return
        if base is not None:
            raise ConfidenceError(f"base: value {base:g}: {path} holds a session that began")
        file = read_text_file(path)
        if isinstance(file, Skipped):
            raise FileError(f"{path}: {file.reason}; expected a session")
        try:
            session = read_session(json_codec.loads(file.text))
        except ValueError:
            session = None
        if session is None:
            raise FileError(f"{path}: holds no session of groundwire; expected one, or a new name")
        self._file, self.session = file, session

    def advance(self, events: Iterable[Event], alpha: float, delta: float) -> Session:
        """Apply ``events``, write the session and return it; raises FileError."""
        self.session = advance_all(self.session, events, alpha, delta)
        text = json_codec.dumps(session_fields(self.session)) + "\n"
        if self._file is None:
            create_text(self._path, text)
        else:
            replace_text(self._file, text)
        return self.session


Pairs = Sequence[tuple[float, float]]
Computed = tuple[float, dict[str, float]]
_MODIFIERS = (
    *("--symbol", "--validation", "--aho-corasick", "--integration", "--refactored", "--created"),
    "--data-months",
)
#: The options that each formula uses, besides --base.
_USES = {
    "primary": ("--evidence", "--alpha", "--delta", *_MODIFIERS, "--milestone"),
    "full": ("--evidence", *_MODIFIERS),
    "simplified-as-published": ("--evidence", "--alpha"),
    "enhanced": ("--contribution",),
}
_FORMULA_OPTIONS = {option for used in _USES.values() for option in used}
Symbol = StrEnum("Symbol", {symbol.upper(): symbol for symbol in SYMBOLS})  # type: ignore[misc]


def reinforce(  # noqa: PLR0913, PLR0917
    ctx: typer.Context,
    formula: Literal["primary", "full", "simplified-as-published", "enhanced"] = "primary",
    base: float | None = None,
    evidence: list[str] | None = None,
    alpha: float | None = None,
    delta: float | None = None,
    symbol: list[Symbol] | None = None,
    validation: bool = False,
    matched: Annotated[bool, typer.Option("--aho-corasick")] = False,
    integration: bool = False,
    refactored: Annotated[int, typer.Option(min=0)] = 0,
    created: Annotated[int, typer.Option(min=0)] = 0,
    data_months: Annotated[int, typer.Option(min=0)] = 0,
    contribution: list[str] | None = None,
    reached: Annotated[list[str] | None, typer.Option("--milestone")] = None,
    session: Path | None = None,
    format_: TextOrJson = "text",
    json_: OldJson = False,
    set_: Set = None,
) -> None:
    """Compute the reinforced confidence: evidence compounds, modifiers count once each.

    An option that the formula does not use is refused; --format json shows every factor.

    Examples:

        groundwire reinforce --evidence 1:1 --evidence 0.8:0.5 --symbol visit --symbol confirm

        groundwire reinforce --formula full --base 0.707 --evidence 0.08:0.05 --validation

        groundwire reinforce --session session.json --symbol visit --evidence 0.8

    Options:
        --formula: Which formula.
        --base: 0.5 to 0.707107; 0.5 when not given.
        --evidence E[:O]: Evidence and observation, 0 to 1; may be repeated.
        --alpha: Gain of a step, 0.1 to 0.3.
        --delta: Decay of a step, 0.05 to 0.15.
        --symbol: What happened; may be repeated, in order.
        --validation: Verified content.
        --aho-corasick: The automaton found patterns.
        --integration: The tests passed.
        --refactored: Files refactored.
        --created: Files created that are no content.
        --data-months: Age of the data used.
        --contribution M=SUM: What a milestone's patterns add, as in M2=0.1.
        --milestone: A milestone reached; its boost counts.
        --session: Continue the session in this file, and save it there.
    """
    as_json = json_ or format_ == "json"
    unused = [one for one in given(ctx) if one in _FORMULA_OPTIONS and one not in _USES[formula]]
    if unused:
        raise typer.BadParameter(f"the {formula} formula does not use {', '.join(unused)}")
    settings = runtime_for(set_).settings.reinforcement
    gain = settings.alpha if alpha is None else alpha
    decay = settings.delta if delta is None else delta
    pairs = [_pair(text) for text in evidence or ()]
    symbols = [str(one) for one in symbol or ()]
    if session:
        other = () if formula == "primary" else ("--formula",)
        excluded = (*other, "--validation", "--integration", "--milestone")
        refuse_given(ctx, excluded, "cannot be combined with --session")
        counts = Event("", None, None, refactored, created, data_months, matched)
        events = [*(Event("", *pair) for pair in pairs), *map(Event, symbols), counts]
        state = SessionFile(session, base).advance(events, gain, decay)
        boosted = settings.apply_milestone_boost
        _print(assess_session(state, apply_milestone_boost=boosted), [], as_json)
        return
    scorer = ConfidenceScorer(base, apply_milestone_boost=bool(reached))
    for name in reached or ():
        scorer.reach(name)
    for happened in symbols:
        scorer.advance(happened)
    scorer.apply_modifiers(
        validation,
        matched,
        CODE_REFACTOR_PER_FILE * refactored,
        integration,
        NON_MD_PER_FILE * created,
        DECAY_PER_MONTH * data_months,
    )
    if formula == "primary":
        steps = _steps(scorer, pairs, gain, decay)
        _print(scorer.assessment(), steps, as_json)
        return
    value, parts = _COMPUTED[formula](scorer, pairs, gain, contribution or ())
    named = {"base": scorer.base, **parts}.items()
    factors = tuple(AssessmentFactor(name, one, 1.0, rounded(one)) for name, one in named)
    why = f"{formula} formula"
    result = Assessment("reinforcement", rounded(value), scorer.state, None, None, factors, why)
    _print(result, [], as_json)


def _full(scorer: ConfidenceScorer, pairs: Pairs, *_: object) -> Computed:
    evidence = sum(one * two for one, two in pairs)
    return scorer.full(pairs), {"evidence": evidence, **scorer.modifiers.parts()}


def _simplified(scorer: ConfidenceScorer, pairs: Pairs, alpha: float, *_: object) -> Computed:
    value = scorer.base
    for pair in pairs:
        if pair != (1.0, 1.0):
            raise ConfidenceError(
                f"evidence: value {pair[0]:g}:{pair[1]:g}: allowed: 1:1, which this formula takes "
                "for granted"
            )
        value = simplified_as_published(value, alpha)
    return value, {"evidence": value - scorer.base}


def _enhanced(
    scorer: ConfidenceScorer, _pairs: Pairs, _alpha: float, contributions: Sequence[str]
) -> Computed:
    sums = _contributions(contributions)
    bonus = milestone_bonus(sums)
    return enhanced(scorer.base, sum(sums.values()), bonus), {**sums, "milestone_bonus": bonus}


#: What each formula but the primary one gives: the value, and its parts besides the base.
_COMPUTED: dict[str, Callable[[ConfidenceScorer, Pairs, float, Sequence[str]], Computed]] = {
    "full": _full,
    "simplified-as-published": _simplified,
    "enhanced": _enhanced,
}


def _steps(scorer: ConfidenceScorer, pairs: Pairs, alpha: float, delta: float) -> list[str]:
    """Take a step for each pair; return a line for each with the core after it."""
    lines = [f"{scorer.core:.6f}  base"]
    for evidence, observation in pairs:
        scorer.add_evidence(evidence, observation, alpha, delta)
        lines.append(f"{scorer.core:.6f}  evidence {evidence:g}, observation {observation:g}")
    return [*lines, f"{limit(alpha, delta):.6f}  limit with alpha {alpha:g}, delta {delta:g}"]


def _pair(text: str) -> tuple[float, float]:
    """Return evidence and observation; the observation is 1 when it is left out."""
    one, _, two = text.partition(":")
    return _number("evidence", one, text), _number("evidence", two or "1", text)


def _contributions(texts: Sequence[str]) -> dict[str, float]:
    """Return what each milestone adds; each is named once, with a number from 0 to 1."""
    sums: dict[str, float] = {}
    for text in texts:
        name, _, value = text.partition("=")
        key = milestone(name).key
        if key in sums:
            raise ConfidenceError(f"contribution: value {text!r:.60}: {key} stands there twice")
        sums[key] = unit("contribution", _number("contribution", value, text))
    return sums


def _number(name: str, part: str, text: str) -> float:
    try:
        return float(part)
    except ValueError:
        shape = "M2=0.1" if name == "contribution" else "0.8 or 0.8:0.5"
        raise ConfidenceError(f"{name}: value {text!r:.60}: allowed: such as {shape}") from None


def _all_factors(assessment: Assessment) -> dict[str, float]:
    """Return the parts of a confidence, 0 for those of the primary formula without any."""
    parts = {factor.name: factor.contribution for factor in assessment.factors}
    if "core" not in parts:
        return parts
    return {**dict.fromkeys(("core", *NO_MODIFIERS.parts(), "milestone_boost"), 0.0), **parts}


def _print(assessment: Assessment, steps: Sequence[str], as_json: bool) -> None:
    if as_json:
        fields = {"model": assessment.model, "value": assessment.value, "state": assessment.level}
        factors = {"factors": _all_factors(assessment), "why": assessment.why}
        typer.echo(json.dumps({**fields, **factors}))
        return
    for step in steps:
        typer.echo(step)
    for factor in assessment.factors:
        if factor.contribution and factor.name not in ("core", "base"):
            typer.echo(f"{factor.contribution:+.6f}  {factor.name.replace('_', ' ')}")
    typer.echo(f"{assessment.value:.6f}  reinforced confidence: {assessment.why}")
