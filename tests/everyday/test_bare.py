"""Honest prose without a transcript: next to nothing of it is reported."""

import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.everyday.rows import reported
from tests.support.tables import table

ROWS = tomllib.loads(Path(__file__).with_name("bare.toml").read_text(encoding="utf-8"))["row"]
#: The share of rows in which something may be reported.
MOST = 0.02
CLASSES = """ignorance failure condition cited reason quotation requirement instruction plan
    behaviour question table changelog""".split()


def test_the_table_is_large_and_varied() -> None:
    classes = Counter(row["class"] for row in ROWS)
    assert len(ROWS) >= 160
    assert len({row["says"] for row in ROWS}) == len(ROWS)
    assert sorted(classes) == sorted(CLASSES)
    assert min(classes.values()) >= 10


def test_hardly_any_row_is_reported(record_property: Callable[[str, object], None]) -> None:
    offenders = [(row, found) for row in ROWS if (found := reported(row["says"]))]
    share = len(offenders) / len(ROWS)
    record_property("reported", f"{len(offenders)} of {len(ROWS)}, {share:.1%}")
    told = [
        f"{row['class']}: {row['says']!r}: {one.confidence} {one.marker.id}: {one.evidence}"
        for row, found in offenders
        for one in found
    ]
    assert share <= MOST, "\n".join([f"{share:.1%} of {len(ROWS)} rows are reported", *told])


@table
def test_what_is_only_claimed_is_reported(text: str) -> None:
    """The table would hold of a filter that finds nothing."""
    assert reported(text)
