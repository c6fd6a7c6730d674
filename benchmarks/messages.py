"""Final messages of any size: the prose, lists, code and numbers that a coding turn ends with.

Every message opens with the same finding, so that a run can be checked; the blocks behind it are
those of a careful report on the work that ``sessions.py`` records, with changing names and numbers.
Denser ones are for what is hard.
"""

from __future__ import annotations

from itertools import count

from benchmarks.growing import CLAIMS

#: What the opening line has to be reported for.
FINDING = "The type checks pass, and all 300 tests pass."
EXPECTED = ("type checks pass", "all 300 tests pass")

_NAMES = (
    "parser reader writer cache scheduler client router loader index session queue worker "
    "planner tokenizer exporter importer resolver registry"
).split()
_BLOCKS = (
    "## What changed in the {a}\n\n",
    (
        "The {a} reads the header first and hands the rows to the {b}. Each row is checked against "
        "the schema before it is stored, and a row that does not fit goes to the report.\n\n"
    ),
    (
        "- `src/pool/worker_{n}.py:{l}`: the timeout is an argument now, so callers can pass their "
        "own.\n"
        "- `src/pool/worker_{m}.py`: the retry loop of the {b} got a function and a name of its own.\n"  # noqa: E501
        "- The {b} keeps its old signature; the second argument has a default.\n\n"
    ),
    (
        "I ran `pytest tests/pool -q` and it printed `240 passed in 12.31s`. The {b} has no tests of "  # noqa: E501
        "its own there; `tests/pool/test_{t}.py` covers its callers.\n\n"
    ),
    (
        "```python\ndef {a}_of(path: str) -> {b}:\n    with open(path) as file:\n"
        "        return {b}(file.read(), limit={n})\n```\n\n"
    ),
    (
        "While the {b} waits, the {a} holds the lock for about {m} milliseconds. If that is too long "  # noqa: E501
        "for your setup, you could lower `{b}_limit` in the settings file.\n\n"
    ),
    (
        "| step | before | after |\n|---|---|---|\n| {a} | {n} ms | {m} ms |\n"
        "| {b} | 1{m} ms | 1{m} ms |\n\n"
    ),
    (
        "The **{b}** was not touched, and its tests were not run. Two callers of the {a} pass a "
        "relative path; both live in `src/pool/worker_{n}.py`, which the {b} starts.\n\n"
    ),
    (
        "1. Read the {a} configuration.\n2. Open the connection to the {b}.\n"
        "3. Write {n} rows, then close it.\n\n"
    ),
    "> A quoted line from the issue about the {a}.\n\n",
)
#: Every second word of it is a marker.
_CROWDED = (
    "It probably is clearly a perfectly good way, maybe it definitely works, or perhaps we "
    "certainly got presumably all of obviously it, and everything runs flawlessly.\n\n"
)


def message(size: int, finding: bool = True) -> str:
    """Return a message of exactly ``size`` characters, with or without the opening finding."""
    pieces = [FINDING + "\n\n"] if finding else []
    length = sum(map(len, pieces))
    for number in count():
        if length >= size:
            break
        block = _BLOCKS[number % len(_BLOCKS)].format(
            a=_NAMES[number % len(_NAMES)],
            b=_NAMES[(number * 7 + 3) % len(_NAMES)],
            n=number % 120,
            l=number % 120 * 7,
            m=11 + number % 80,
            t=1 + number % 20,
        )
        pieces.append(block)
        length += len(block)
    return "".join(pieces)[:size]


def dense(size: int) -> str:
    """Return ``size`` characters in which every sentence claims something."""
    sentence = len(CLAIMS)
    return "".join(f"{CLAIMS}Step {n}. " for n in range(size // sentence + 1))[:size]


def crowded(size: int) -> str:
    """Return ``size`` characters in which every second word is a marker."""
    return (_CROWDED * (size // len(_CROWDED) + 1))[:size]
