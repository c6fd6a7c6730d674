"""The words that tell what a number in a message counts, and what it merely labels."""

from __future__ import annotations


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


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

#: Counted things by the group that decides how a count is checked.
TESTS = _words("tests specs testcases assertions checks suites subtests doctests")
TEST_HEADS = _words("test spec unit integration e2e regression doc")
FILES = _words(
    "files modules packages functions methods classes lines components endpoints occurrences "
    "usages references commits directories folders callers callsites imports migrations crates "
    "routes dependencies scripts documents structs interfaces places locations sites"
)
ERRORS = _words(
    "errors warnings failures issues bugs vulnerabilities problems violations conflicts "
    "regressions diagnostics offenses panics crashes mismatches"
)
COUNTED = TESTS | FILES | ERRORS
SINGULARS = {
    **{word.removesuffix("s"): word for word in COUNTED},
    "class": "classes",
    "directory": "directories",
    "dependency": "dependencies",
    "vulnerability": "vulnerabilities",
    "crash": "crashes",
    "mismatch": "mismatches",
}

PASSED = _words("pass passes passed passing green succeed succeeds succeeded succeeding")
FAILED = _words("fail fails failed failing broken red error errored errors")
SKIPPED = _words("skipped skip ignored pending todo xfailed deselected")
OUTCOMES = PASSED | FAILED | SKIPPED
#: Words that may stand between the counted noun and its outcome.
OUTCOME_FILLERS = _words(
    "now all are is have been currently still successfully also again ran run and that which "
    "were was of them found executed"
)
#: Seconds in a unit of time, and units of size.
SECONDS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), 1e-3),
    **dict.fromkeys(("us", "\u00b5s", "\u03bcs", "microsecond", "microseconds"), 1e-6),
    **dict.fromkeys(("ns", "nanosecond", "nanoseconds"), 1e-9),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
}
SIZES = _words("b bytes kb kib mb mib gb gib tb loc px tokens chars")
#: A number in words is a quantity only with one of these shortly behind it.
COUNTING = (
    COUNTED
    | SINGULARS.keys()
    | OUTCOMES
    | SECONDS.keys()
    | _words("percent pct percentage cent times fold x")
)
#: Behind one of these, and "in", a time is that of a run; behind these and "to", and never so.
RAN = _words(
    "passed completed finished ran built compiled succeeded executed done loaded responded "
    "returned started installed generated deployed green clean"
)
SHRUNK = _words(
    "reduced improved cut dropped went fell decreased brought shortened increased rose grew"
)
LIMITS = _words("timeout timed limit budget interval delay deadline every after per")

#: Words that end a noun phrase: "3 of the files", "5 seconds per test".
STOP_WORDS = _words(
    "a about after again against all an and any are as at be because been before but by can "
    "could did do does during for from had has have if in into is it its may might more most no "
    "not of off on once only or our out over per should since so than that the their them then "
    "there these they this those through time times to too under until up was we were when "
    "where which while who will with within without would you your ms second seconds minute "
    "minutes min sec hour hours day days week weeks month months year years kb mb gb tb bytes "
    "bit bits percent percentage x"
)

#: A number right behind one of these is a name, a place or a date: "line 42", "PR 45", "Node 20".
LABELS = _words(
    "line lines step steps part phase stage version pr prs issue issues bug ticket code status "
    "http error exit signal pid node python java php ruby go rust dotnet swift kotlin postgres "
    "option page section figure fig table rule chapter layer level test task milestone round "
    "iteration item number no column col port pull rfc adr commit batch case scenario example "
    "question sprint wave group tier priority attempt release build utf es ecma row unit "
    "january february march april june july august september october november december jan feb "
    "mar apr jun jul aug sep sept oct nov dec chunk bullet point finding fix change turn"
)
#: Behind these, ``3/10`` is a day.
DATE_WORDS = _words(
    "on since until till by before after dated due monday tuesday wednesday thursday friday "
    "saturday sunday mon tue wed thu fri sat sun january february march april june july august "
    "september october november december"
)
SCORE_WORDS = _words(
    "score scores scored scoring rating rated rate grade graded quality confidence coverage "
    "health readability maintainability"
)

APPROXIMATE_WORDS = _words(
    "about around roughly approximately nearly almost over under circa some approx"
)

COMPARATIVES = _words(
    "faster slower quicker better worse smaller larger bigger cheaper higher lower fewer less "
    "more longer shorter greater leaner lighter simpler safer cleaner"
)
CHANGES = COMPARATIVES | _words(
    "improvement improvements reduction reductions increase increases decrease decreases "
    "speedup speedups speed-up boost gain gains drop growth decline saving savings jump uplift "
    "acceleration slowdown overhead"
)

#: "an 80% threshold", "set the opacity to 50%": a setting, not a finding.
SETTING_WORDS = _words(
    "threshold thresholds limit limits target targets cap tolerance width height opacity zoom "
    "margin padding scale discount tax vat rollout quota sampling interval gate budget"
)
#: "100% sure" belongs to certainty_language.
CERTAINTY_WORDS = _words("sure certain confident confidence certainty guaranteed positive")
#: A count behind one of these names a known set, a limit or a plan, and claims nothing.
KNOWN_SET_WORDS = _words(
    "the these those your my our their its his her first last next other another any each every "
    "per than limit max maximum minimum min least most if when only both no top same following "
    "remaining previous above below would could should need needs want up"
)
#: Response codes, so that "404 errors" is no count.
STATUS_CODES = _words(
    "400 401 403 404 405 408 409 410 413 415 418 422 425 429 451 500 501 502 503 504"
)
