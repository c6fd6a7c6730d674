"""Requirement group 000 as rows: input and expected value, by the id of the requirement's vector.

Where the source contradicts itself the row holds the decided value and says so.
"""

from tests.support.tables import tables

TABLES = tables(__file__)

KNOWLEDGE_BASE = TABLES["knowledge_base"]
CODE = TABLES["code"]
CERTAINTY = TABLES["certainty"]
#: id, runs that met their threshold, all runs, expected score
HISTORY = [("V40", 18, 20, 0.9), ("V41", 0, 0, 0.5), ("V42", 0, 5, 0.0)]
COMPOSITE = TABLES["composite"]
LEVELS = TABLES["levels"]
THRESHOLDS = TABLES["thresholds"]
