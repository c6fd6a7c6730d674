"""The score in a judge's reply: strict first, then what a person would read (A002-2).

In this order: JSON, a number alone, a labelled decimal, the low end of a range, the last decimal
that stands alone, a ratio, a percentage, 0 or 1 alone in a line. Anything else is a parse error.
``re`` is imported where it is needed, because this layer is within reach of the hook.
"""

from __future__ import annotations

from math import isfinite

from groundwire.base import json_codec
from groundwire.base.record import Record
from groundwire_confidence.formula import clamped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

#: R002-10: what a reply without a readable score is worth.
UNPARSED_SCORE = 0.5
_LONGEST = 10_000
_KEYS = ("confidence", "confidence_score", "score")

_DECIMAL = r"(?:(?<![0-9])[0-9]+\.[0-9]+|\.[0-9]+|0,[0-9]+)"
#: Behind a decimal that is no part of a version, a ratio or a percentage.
_STANDS_ALONE = r"(?![0-9A-Za-z_%]|[.,][0-9]|\s*(?:%|/|per ?cent\b|out of\b|of\s+[0-9]))"
_IN_FRONT = r"(?<![0-9A-Za-z_.,/-])"
_LABELLED = r"(?<![A-Za-z])(?i:score|confidence)\b[^0-9.\n-]{0,40}"
_NUMBER_ALONE = r"[+-]?(?:[0-9]++\.?[0-9]*+(?!,)|\.[0-9]+|[0-9]+,[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_LABELLED_DECIMAL = rf"{_LABELLED}(-?{_DECIMAL}){_STANDS_ALONE}"
_LABELLED_BIT = rf"{_LABELLED}([01])(?![0-9A-Za-z_]|[.,][0-9]|\s*(?:[%/-]|per ?cent\b|out\b|of\b))"
_RANGE = rf"{_IN_FRONT}({_DECIMAL})\s*(?:-|\bto\b|\band\b)\s*{_DECIMAL}{_STANDS_ALONE}"
_ALONE = rf"(?<!version ){_IN_FRONT}({_DECIMAL}){_STANDS_ALONE}"
_RATIO = (
    r"(?<![0-9A-Za-z_.,/-])([0-9]+(?:\.[0-9]+)?)\s*(?:/|\bout of\b|\bof\b)\s*"
    r"([0-9]+(?:\.[0-9]+)?)(?![0-9A-Za-z_/]|\.[0-9])"
)
_PERCENT = r"(?<![0-9A-Za-z_.,-])([0-9]+(?:[.,][0-9]+)?)\s*(?:%|per ?cent\b)"
_BIT_IN_A_LINE = r"(?m)^[^\w\n-]*([01])[^\w\n]*$"


class JudgeScore(Record):
    """A score from 0 to 1. ``how`` is the rule that read it; "" with ``parse_error``.

    ``clamped`` tells that the reply's own value lay beyond 0..1.
    """

    score: float
    how: str = ""
    parse_error: bool = False
    clamped: bool = False


def parse_score(reply: object) -> JudgeScore:
    """Return the score in the text of a reply; never raises."""
    if not isinstance(reply, str):
        return JudgeScore(UNPARSED_SCORE, parse_error=True)
    text = reply[-_LONGEST:].translate(_SIGNS).strip()
    for how, rule in _RULES:
        value = rule(text)
        if value is not None and isfinite(value):
            score = clamped(value)
            return JudgeScore(score, how, clamped=score != value)
    return JudgeScore(UNPARSED_SCORE, parse_error=True)


#: Minus signs and dashes that models write for a hyphen.
_SIGNS = {0x2010: "-", 0x2011: "-", 0x2012: "-", 0x2013: "-", 0x2014: "-", 0x2212: "-"}


def _json(text: str) -> float | None:
    """Return the confidence of a JSON object: of the whole text, else of the last one in it."""
    import re

    candidates = [text, *reversed(re.findall(r"\{[^{}]*\}", text))]
    for candidate in candidates:
        try:
            fields = json_codec.loads(candidate)
        except ValueError:
            continue
        if not isinstance(fields, dict):
            continue
        for key in _KEYS:
            value = _json_number(fields.get(key))
            if value is not None:
                return value
    return None


def _json_number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str):
        text = value.strip()
        for rule in (_number, _ratio, _percent):
            found = rule(text)
            if found is not None:
                return found
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def _number(text: str) -> float | None:
    import re

    return _float(text) if re.fullmatch(_NUMBER_ALONE, text) else None


def _ratio(text: str) -> float | None:
    """Return the last ratio whose whole is not 0."""
    import re

    for part, whole in reversed(re.findall(_RATIO, text)):
        if _float(whole):
            return _float(part) / _float(whole)
    return None


def _percent(text: str) -> float | None:
    found = _last(_PERCENT, text)
    return None if found is None else found / 100


def _labelled_decimal(text: str) -> float | None:
    return _last(_LABELLED_DECIMAL, text)


def _range(text: str) -> float | None:
    found = _last(_RANGE, text)
    return found if found is not None and found <= 1 else None


def _decimal(text: str) -> float | None:
    """Return the last decimal from 0 to 1 that is no version and no part of another number."""
    import re

    values = [_float(found) for found in re.findall(_ALONE, text)]
    return next((value for value in reversed(values) if value <= 1), None)


def _bit(text: str) -> float | None:
    found = _last(_LABELLED_BIT, text)
    return found if found is not None else _last(_BIT_IN_A_LINE, text)


def _last(pattern: str, text: str) -> float | None:
    import re

    found: list[str] = re.findall(pattern, text)
    return _float(found[-1]) if found else None


def _float(text: str) -> float:
    return float(text.replace(",", "."))


_RULES: tuple[tuple[str, Callable[[str], float | None]], ...] = (
    ("json", _json),
    ("number", _number),
    ("labelled", _labelled_decimal),
    ("range", _range),
    ("decimal", _decimal),
    ("ratio", _ratio),
    ("percent", _percent),
    ("bit", _bit),
)
