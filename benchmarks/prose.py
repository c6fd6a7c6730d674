"""Plain English prose of any length: paragraphs without code, lists or marks.

The words of claims stand in it about as often as in articles on software, so a run shows what the
language stages cost where there is little to find.
"""

from __future__ import annotations

import random

_SUBJECTS = (
    "The parser|The scheduler|A client|A worker|The second table|The older format|The reader|"
    "This chapter|The author|A careful reviewer|The first release|The library|One connection|"
    "The committee|The night shift|The harbour|A small team|The city council|The archive|The river"
).split("|")
_VERBS = (
    "describes|keeps|takes|returns|moves|writes|holds|opens|follows|carries|names|offers|sends|"
    "replaces|stores|measures|collects|divides|orders|prints"
).split("|")
_OBJECTS = (
    "the rows of the next table|a short list of names|the header of the message|an older copy|"
    "the letters of the week|one line for an entry|the result of the last step|"
    "the names that were given before|a page of notes|the water behind the gate|"
    "the request and its answer|a place in the queue|the weight of the load|two small rooms|"
    "the map of the northern part|the work of a long season"
).split("|")
_TAILS = (
    ", and the rest is left for the following day|, while the others wait at the door|"
    " before anything else is read| with the help of a second pair of hands|"
    " when the evening comes| in the order in which they arrived|"
    ", which is the habit of the house| from the first page to the last||||||"
    " until the last of them has been handed over| between two meetings of the group|"
    ", as the manual of that year explains| without a word about the price"
).split("|")
#: What is found now and then; one sentence in twenty.
_CLAIMS = (
    "It is probably the oldest of the three.|All of the entries were checked by hand.|"
    "This should be enough for most readers.|The delay was caused by the weather.|"
    "Nothing else in the building uses it.|It took about 40 minutes in all."
).split("|")
#: The first claim of every text, and what is found in it.
OPENING = "I think the delay was caused by the weather."
EXPECTED = ("I think", "was caused by")


def prose(size: int, seed: int = 1) -> str:
    """Return exactly ``size`` characters; the same arguments, the same text."""
    source = random.Random(seed)
    pieces = [OPENING]
    length = len(OPENING)
    while length < size:
        sentences = [_sentence(source) for _ in range(source.randint(3, 7))]
        pieces.append("\n\n" + " ".join(sentences))
        length += len(pieces[-1])
    return "".join(pieces)[:size]


def _sentence(source: random.Random) -> str:
    if source.random() < 1 / 20:
        return source.choice(_CLAIMS)
    subject, verb = source.choice(_SUBJECTS), source.choice(_VERBS)
    return f"{subject} {verb} {source.choice(_OBJECTS)}{source.choice(_TAILS)}."
