"""Words by which a guess and a fact are recognised as the same statement."""

from __future__ import annotations

#: Markers that tell of not knowing, of a rule of thumb or of a sign that was seen, and guess no
#: cause or state of their own.
NO_GUESS = frozenset(
    f"speculation.{name}"
    for name in (
        "for-some-reason for-whatever hard-to-say hints-at i-am-not-sure i-dont-know i-doubt "
        "i-have-no-idea in-most-cases in-my-opinion indicates kind-of must-be must-have "
        "not-clear not-sure points-to pretty-much rule-out some-kind-of something-broke "
        "something-like sort-of suggests tends-to typically-means uncertain unclear "
        "unknown-cause unsure"
    ).split()
)
#: A guess told of the past, and words of the check that followed it.
TOLD_BACK = frozenset(
    "suspected thought assumed guessed believed initially originally hypothesized".split()
)
CHECKED = frozenset(
    "confirmed confirms confirming verified verifies indeed turned checked shows showed proved "
    "proves reproduced traced".split()
)
#: Words of a guess about one more thing.
ADDED = frozenset(("also", "another", "other", "too."))
#: Words that make a clause one about a cause, and one about the state of the work.
CAUSES = frozenset(
    "because behind blame cause caused causes causing culprit due explain explained explains "
    "explanation fault reason reasons responsible root source triggered triggering triggers "
    "trigger why".split()
)
STATES = frozenset(
    "complete completed correct done finished fix fixed fixes good ready resolve resolved resolves "
    "safe solved solves succeed succeeds work working works".split()
)
#: Stems that say what kind of statement it is, and not what it states: those of the two sets above
#: and of words that go with any cause ("problem", "still").
EMPTY = frozenset(
    "actual actually again behind blame bug caus complet complete correct crash culprit done "
    "due error explain explanation fail failur failure fault finish fix good happen here "
    "hypothesi issu issue like look occur problem ready real really reason resolv resolve "
    "responsible root safe solv source still succe succeed successfully symptom theory "
    "trigger underly well why work".split()
)
#: Words between a hedge and the thing that it names.
FILLERS = frozenset(
    "a an and are as be been being by caused causing coming due from going in is it just of on "
    "simply some something still that the this to was were with".split()
)
#: What opens and ends the clause that a hedge is about.
CLAUSE_OPENINGS = (", ", "; ", ": ", " but ", " - ", "(", "\u2014", "\u2013")
CLAUSE_ENDS = (", ", "; ", " but ", " - ", "(", ")", "\u2014", "\u2013")
