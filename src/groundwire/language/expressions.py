"""Markers that a regular expression finds; the only importer of ``regex``.

An expression searches the message as it was written, in which code, quotations and links are
masked. It gets a time: one that backtracks for ever must not hold up a turn.
"""

from __future__ import annotations

from time import thread_time

import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundwire.base.budget import Watch

#: Milliseconds of one expression for a message of up to ``_MESSAGE`` characters; longer texts get
#: more. It is a few hundred times of what one needs that does not backtrack.
MILLISECONDS = 50
_MESSAGE = 100_000
#: What ``regex`` raises for a pattern that it cannot read, or that grows beyond all bounds.
_UNREADABLE = (regex.error, ValueError, OverflowError, RecursionError, MemoryError)


def find_expressions(
    masked: str, expressions: Iterable[tuple[str, str]], watch: Watch, share: float
) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and id of what each of ``(id, pattern)`` finds in a masked message.

    One that takes too long is left out for this message; the notes of ``watch`` say so. After
    ``share`` of its time no further one is tried.
    """
    limit = MILLISECONDS * max(1.0, len(masked) / _MESSAGE)
    for name, pattern in expressions:
        if watch.is_over("expressions", share):
            return
        try:
            matches = list(regex.finditer(pattern, masked, timeout=limit / 1000))
        except TimeoutError:
            watch.notes[f"{name}: took more than {limit:.0f} ms, so it is off for this turn"] = None
            continue
        for match in matches:
            yield match.start(), match.end(), name


def pattern_problem(pattern: str) -> str:
    """Return why ``pattern`` cannot be used, and what is allowed; "" when it can."""
    started = thread_time()
    try:
        regex.compile(pattern)
    except _UNREADABLE as error:
        return f"{str(error) or type(error).__name__}: allowed: a regular expression"
    took = (thread_time() - started) * 1000
    if took > MILLISECONDS:
        return f"takes {took:.0f} ms to read: allowed: up to {MILLISECONDS} ms, so less repetition"
    return ""
