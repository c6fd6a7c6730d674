"""Numbers in words, and the words that tell at a glance that a number counts something."""

from __future__ import annotations

from groundwire.rules.lists import COUNTED, OUTCOMES

NUMBER_WORDS = {
    **dict(zip(("zero", "one", "two", "three", "four", "five", "six"), range(7), strict=True)),
    **dict(zip(("seven", "eight", "nine", "ten", "eleven", "twelve"), range(7, 13), strict=True)),
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred": 100,
    "thousand": 1000,
}

SINGULARS = {
    **{word.removesuffix("s"): word for word in COUNTED},
    "class": "classes",
    "directory": "directories",
    "dependency": "dependencies",
    "vulnerability": "vulnerabilities",
    "crash": "crashes",
    "mismatch": "mismatches",
}

#: Seconds in a unit of time.
SECONDS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), 1e-3),
    **dict.fromkeys(("us", "\u00b5s", "\u03bcs", "microsecond", "microseconds"), 1e-6),
    **dict.fromkeys(("ns", "nanosecond", "nanoseconds"), 1e-9),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
}
#: A number in words is a quantity only with one of these shortly behind it.
COUNTING = (
    COUNTED
    | SINGULARS.keys()
    | OUTCOMES
    | SECONDS.keys()
    | frozenset("percent pct percentage cent times fold x".split())
)
