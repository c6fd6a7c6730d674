"""What a score header says, and its texts (R004-18 to R004-20)."""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire_confidence.reinforcement.formulas import Modifiers, checked_base, clamped, full
from groundwire_confidence.reinforcement.milestones import milestone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The label is part of the published header; the number comes from the full formula (004-V12).
FORMULA = "compound_ema_qfa"
#: What is printed with three decimals can be off by this much in the sum.
_ROUNDING = 0.005 + 0.003
_MODIFIER_KEYS = {
    "validation": "VALIDATION",
    "aho_corasick": "AHO_CORASICK",
    "code_refactor": "CODE_REFACTOR",
    "vv_integration": "V&V_INTEGRATION",
    "non_md_penalty": "NON_MD_PENALTY",
    "data_decay": "DATA_DECAY",
}


class Score(Record):
    """The score of one file: base, one pair of evidence and observation, modifiers, milestone."""

    base: float | None = None
    evidence: float = 0.0
    observation: float = 0.0
    modifiers: Modifiers = Modifiers()
    milestone: str = "M1"

    def value(self) -> float:
        """Return the full formula's result, clamped to 0..1; raises ConfidenceError."""
        return full(self.base, [(self.evidence, self.observation)], self.modifiers)


def plain_lines(score: Score, updated: str) -> list[str]:
    """Return the six lines of the header for plain text; ``updated`` is a date."""
    parts = {key: _amount(value) for key, value in _named(score.modifiers).items()}
    base, evidence, observation = map(
        _number, (checked_base(score.base), score.evidence, score.observation)
    )
    first, second = list(parts)[:3], list(parts)[3:]
    return [
        f"CONFIDENCE SCORE: {two_decimals(score.value())}",
        f"BASE: {base} | EVIDENCE: {evidence} | OBSERVATION: {observation}",
        " | ".join(f"{key}: {parts[key]}" for key in first),
        " | ".join(f"{key}: {parts[key]}" for key in second),
        f"FORMULA: {FORMULA} | MILESTONE: {milestone(score.milestone).name}",
        f"LAST_UPDATED: {updated}",
    ]


def code_lines(score: Score) -> list[str]:
    """Return the three lines of the header for code."""
    parts = _named(score.modifiers)
    refactored, tested = parts["CODE_REFACTOR"], parts["V&V_INTEGRATION"]
    why = "code refactoring for coverage" if refactored else "no code refactoring"
    result = "tests passed" if tested else "no tests passed"
    return [
        f"CONFIDENCE: {_amount(refactored)} ({why})",
        f"V&V_INTEGRATION: {_amount(tested)} ({result})",
        f"MILESTONE: {milestone(score.milestone).name}",
    ]


def json_fields(score: Score, updated: str) -> dict[str, Any]:
    """Return the value of ``_confidence`` for JSON that is no data file."""
    return {
        "score": float(two_decimals(score.value())),
        "base": float(_number(checked_base(score.base))),
        "evidence": float(_number(score.evidence)),
        "observation": float(_number(score.observation)),
        **{key: float(_number(value)) for key, value in _parts(score.modifiers).items()},
        "formula": FORMULA,
        "milestone": milestone(score.milestone).name,
        "last_updated": updated,
    }


def header_problem(fields: dict[str, float]) -> str:
    """Return what is wrong with the numbers of a header, or "".

    ``fields`` hold score, base, evidence, observation and the modifiers by name.
    """
    parts = sum(fields[key] for key in _MODIFIER_KEYS)
    expected = clamped(fields["base"] + fields["evidence"] * fields["observation"] + parts)
    if abs(expected - fields["score"]) > _ROUNDING:
        return f"score {fields['score']:g} is not what its parts give, {two_decimals(expected)}"
    return ""


def two_decimals(value: float) -> str:
    """Return a value from 0 to 1 with two decimals, half up on paper: 0.815 is 0.82.

    As a float 0.815 lies a little below; so it is rounded to six decimals first.
    """
    hundredths = (round(value * 1_000_000) + 5_000) // 10_000
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def modifier_names() -> dict[str, str]:
    """Return the modifiers by name, with the keys that headers print for them."""
    return dict(_MODIFIER_KEYS)


def _parts(modifiers: Modifiers) -> dict[str, float]:
    parts = modifiers.parts()
    return {name: parts[name] for name in _MODIFIER_KEYS}


def _named(modifiers: Modifiers) -> dict[str, float]:
    return {_MODIFIER_KEYS[name]: value for name, value in _parts(modifiers).items()}


def _number(value: float) -> str:
    """Return a number with at most three decimals and at least one."""
    text = f"{value:.3f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def _amount(value: float) -> str:
    """Return an amount with its sign; 0.0 has none."""
    text = _number(abs(value))
    if text == "0.0":
        return text
    return ("+" if value > 0 else "-") + text
