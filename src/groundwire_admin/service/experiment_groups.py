"""Which A/B group a session belongs to, by the digest of its id (R002-36, A002-13)."""

from __future__ import annotations

from groundwire.digest import digest
from groundwire.errors import ConfigError

GROUPS = ("formula", "llm", "hybrid")
#: Percent of sessions; what 100 does not divide by three leaves over goes to hybrid.
SHARES = (33, 33, 34)
BUCKETS = 100
_SALT = "groundwire a/b:"


def bucket_of(session_id: str) -> int:
    """Return the bucket of a session, 0 to 99; the same one always and everywhere."""
    return int(digest((_SALT + session_id).encode("utf-8", "surrogatepass")), 16) % BUCKETS


def group_of(bucket: int, shares: tuple[int, int, int] = SHARES) -> str:
    """Return the group of a bucket: the first ones are formula, then llm, then hybrid."""
    formula, llm, _ = shares
    if bucket < formula:
        return GROUPS[0]
    return GROUPS[1] if bucket < formula + llm else GROUPS[2]


def checked_shares(formula: object, llm: object, hybrid: object) -> tuple[int, int, int]:
    """Return shares in percent; raises ConfigError unless they are whole and sum to 100."""
    given = {"formula": formula, "llm": llm, "hybrid": hybrid}
    problems = [
        f"shares: {name}: value {value!r}: allowed: a whole number from 0 to 100"
        for name, value in given.items()
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= BUCKETS
    ]
    if problems:
        raise ConfigError("\n".join(problems))
    one, two, three = (int(str(value)) for value in given.values())
    if one + two + three != BUCKETS:
        total = f"value {one} + {two} + {three} = {one + two + three}"
        raise ConfigError(f"shares: formula, llm, hybrid: {total}: allowed: a sum of 100")
    return one, two, three
