"""Requirement group 000 as rows: input and expected value, by the id of the requirement's vector.

Where the source contradicts itself the row holds the decided value and says so.
"""

from __future__ import annotations

#: id, similarities of the retrieval results, expected score
KNOWLEDGE_BASE = [
    ("V01", [0.85, 0.8, 0.75], 1.0),
    ("V02", [0.92, 0.85, 0.65], 1.0),  # 1.02 before the limit; one result is not relevant
    ("V03", [], 0.0),
    ("V04", [0.69, 0.5], 0.0),
    ("V05", [0.70], 0.75),  # the threshold itself is relevant
    ("V06", [0.7] * 4, 0.90),
    ("V07", [0.7] * 9, 0.90),  # the bonus has a limit of 0.2
    ("V08", [0.85], 0.90),  # one result has the bonus, too
]
#: id, the five proofs, expected score
CODE = [
    ("V09", (True, True, True, True, False), 0.85),
    ("V10", (True,) * 5, 1.0),
    ("V11", (False,) * 5, 0.0),
]
#: id, text, uncertain markers, certain markers, expected score
CERTAINTY = [
    # the source counts two markers and says 0.7; there are three, so the formula gives 0.8
    ("V12-V13", "I definitely tested this and it's confirmed working", 0, 3, 0.8),
    ("V14", "The build uses Python 3.11.", 0, 0, 0.5),
    ("V15", "maybe maybe", 2, 0, 0.2),
    ("V16", "maybe perhaps possibly might", 4, 0, 0.0),
    ("V17", "definitely certainly absolutely confirmed verified", 0, 5, 1.0),
    # the source lowers the text and not its markers; decided: both
    ("V18", "I think it broke", 1, 0, 0.35),
    ("V19", "I'm not sure and I don't know", 2, 0, 0.2),
    # whole words: a prefix turns the meaning round
    ("V20", "This is unlikely", 0, 0, 0.5),
    ("V21", "untested and unverified, unproven, undocumented, unconfirmed", 0, 0, 0.5),
    ("V22", "He spoke uncertainly", 0, 0, 0.5),
    ("V23", "It repeats indefinitely", 0, 0, 0.5),
    ("V24", "impossibly almighty", 0, 0, 0.5),
    ("V25", "this is improbable", 0, 0, 0.5),
    ("V26", "not tested", 0, 1, 0.6),  # negation is not seen unless `negators` names it
    ("V27", "I am unsure and uncertain", 2, 0, 0.2),
    ("V28", "I\u2019m not sure", 1, 0, 0.35),
    ("V29", "contested and attested", 0, 0, 0.5),
    ("V30", "likely unlikely", 1, 0, 0.35),
    ("V31", "certain and sure", 0, 0, 0.5),
    ("none", "", 0, 0, 0.5),
    # each of the twelve and of the eight, whatever the case
    ("all uncertain", "MAYBE Possibly perhaps might I'm not sure uncertain unclear", 7, 0, 0.0),
    ("more uncertain", "I DON'T KNOW, unsure, Probably likely I think", 5, 0, 0.0),
    ("all certain", "Absolutely verified, tested, PROVEN and documented", 0, 5, 1.0),
    ("mixed", "I think it is definitely verified", 1, 2, 0.55),
    ("over a line break", "I am\nnot sure; I\nthink so", 1, 0, 0.35),
    ("emphasis", "**I** think it is *tested*", 1, 1, 0.45),
    ("code is no statement", "Run `maybe` and `tested`.\n\n    likely = 1\n", 0, 0, 0.5),
]
#: id, runs that met their threshold, all runs, expected score
HISTORY = [("V40", 18, 20, 0.9), ("V41", 0, 0, 0.5), ("V42", 0, 5, 0.0)]
#: id, the four factors (None: missing), how missing ones count, expected composite
COMPOSITE = [
    ("V43", (1.0, 0.85, 0.7, 0.9), "zero", 0.875),
    ("V44", (1.0, 0.85, 0.8, 0.9), "zero", 0.895),
    # the source prints 82.50 %, which needs a history of 0.875
    ("V45", (0.8, 0.9, 0.7, 0.75), "zero", 0.8),
    ("V46", (0.8, 0.9, 0.7, 0.875), "zero", 0.825),
    ("V47", (0.85, 0.90, 0.75, 0.5), "zero", 0.775),
    ("V48", (1.0, 1.0, 1.0, 0.0), "zero", 0.8),
    ("V49", (1.0, 1.0, 0.5, 0.5), "zero", 0.8),  # 0.7999999999999999 without rounding
    ("V52", (None, 1.0, 1.0, 1.0), "zero", 0.7),
    ("V53", (None, 0.9, 0.5, 0.9), "renormalise", 0.785714),
    ("missing is neutral", (None, 1.0, 1.0, 1.0), "neutral", 0.85),
    ("only certainty", (None, None, 0.6, None), "renormalise", 0.6),
]
#: composite, level; bounds belong to the level above them, but HIGH begins beyond 0.90
LEVELS = [
    (0.875, "MODERATE"),
    (0.825, "MODERATE"),
    (0.8, "MODERATE"),
    (1.0, "HIGH"),
    (0.901, "HIGH"),
    (0.9, "MODERATE"),
    (0.75, "MODERATE"),
    (0.7499, "LOW"),
    (0.5, "LOW"),
    (0.4999, "VERY_LOW"),
    (0.0, "VERY_LOW"),
]
#: agent type, its threshold, level exactly there, whether 0.875 is enough
THRESHOLDS = [
    ("planner", 0.75, "MODERATE", True),
    ("patcher", 0.80, "MODERATE", True),
    ("validator", 0.85, "MODERATE", True),
    ("dgts_enforcer", 0.90, "MODERATE", False),
    ("clerk", 0.70, "LOW", True),
]
