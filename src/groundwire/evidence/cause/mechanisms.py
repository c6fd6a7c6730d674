"""Kinds of causes that leave a trace: what a sentence calls them, and what a result shows of them.

A rate limit prints 429 or says so, a full disk prints ENOSPC. A cause of such a kind that no text
of the turn has a trace of was thought up. The traces are wide on purpose: one that stands in a
result shows no cause, it only shows that somebody may have seen one.
"""

from __future__ import annotations

from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Mechanism(Record):
    """``said`` are folded words that name it, ``signs`` lower-case parts of texts that show it."""

    name: str
    said: tuple[str, ...]
    signs: tuple[str, ...]


_ROWS = (
    (
        "a rate limit",
        (
            "rate limit|rate-limit|rate limits|rate limited|rate-limited|rate limiting"
            "|rate-limiting|throttled|throttling|quota"
        ),
        (
            "rate limit|rate-limit|rate_limit|ratelimit|429|too many requests|throttl|quota"
            "|limit exceeded|limit reached|usage limit|retry-after|retry after"
        ),
    ),
    (
        "a timeout",
        "timeout|timeouts|timed out|times out|time out",
        (
            "timeout|timed out|time out|time-out|timed_out|etimedout|deadline|exceeded"
            "|took too long|hang|hung|stuck|max-time|(28)|504 gateway|http 504|http 408"
        ),
    ),
    (
        "a lack of memory",
        "out of memory|out-of-memory|oom|oom-killed|memory pressure|oom killer",
        "memory|oom|heap|137|killed|enomem|bad_alloc|sigkill|rss",
    ),
    (
        "a name server",
        "dns|dns propagation|dns cache",
        "dns|nxdomain|resolv|enotfound|eai_again|getaddrinfo|nslookup|name or service|no such host",
    ),
    (
        "the network",
        (
            "network issue|network problem|network error|network hiccup|network glitch"
            "|network outage|network blip|network failure|flaky network|packet loss|network latency"
            "|connectivity issue|connectivity problem"
        ),
        (
            "network|econn|timed out|timeout|unreachable|connection|enotfound|resolve|502|503|504"
            "|reset by peer|fetch failed|dial tcp|socket"
        ),
    ),
    (
        "a force push",
        (
            "force-pushed|force pushed|force push|force-push|history rewrite"
            "|rewritten history|history was rewritten|had been rewritten"
        ),
        "forc|forz|erzw|unrelated histories|filter-branch|filter-repo|rewritten|reflog",
    ),
    (
        "a full disk",
        "disk full|full disk|disk is full|disk was full|disk space|no space left|out of disk",
        "no space|enospc|disk|avail|quota|100%",
    ),
    (
        "a firewall or proxy",
        "firewall|antivirus|virus scanner|corporate proxy|vpn|windows defender",
        "firewall|iptables|ufw|antivirus|proxy|vpn|defender|407|blocked",
    ),
    (
        "something expired",
        "expired|expired token|expired certificate",
        "expir|notafter|not after|401|invalid_token|valid until|ttl",
    ),
    (
        "a clock",
        "clock skew|clock drift|daylight saving|daylight saving time",
        "clock|skew|drift|timezone|time zone|utc|ntp|offset|dst|gmt|daylight",
    ),
    (
        "line ends",
        "line endings|line ending|mixed line endings|crlf|byte order mark",
        "crlf|\r|^m|line ending|line terminator|eol|autocrlf|\ufeff|byte order|bom|\\r",
    ),
    (
        "damage",
        "corrupted|corrupt|corruption",
        (
            "corrupt|checksum|malformed|invalid|integrity|unexpected end|bad magic|crc|truncated"
            "|not a valid|mismatch|damaged|broken|empty|null|unreadable"
        ),
    ),
    (
        "a deadlock",
        "deadlock|deadlocked|deadlocks",
        "deadlock|lock|mutex|semaphore|await|blocked|channel|waiting",
    ),
    (
        "a race",
        "race condition|race conditions|data race|race between",
        (
            "race|concurren|thread|async|await|lock|mutex|atomic|goroutine|parallel|worker|promise"
            "|callback|queue|sleep|wait|timer|flush"
        ),
    ),
    (
        "a cache",
        "browser cache|build cache|cdn cache|proxy cache",
        "cache|memo|304|etag|stale",
    ),
    (
        "a lock",
        "stale lock|leftover lock|lock file|file lock|lock contention|table lock",
        "lock|ebusy|in use|eagain|resource busy",
    ),
    (
        "an outage",
        "outage|service disruption|downtime",
        (
            "outage|incident|disruption|500|502|503|504|529|unavailable|degraded|overloaded|refused"
            "|status|down"
        ),
    ),
    (
        "load on the machine",
        (
            "resource contention|cpu contention|noisy neighbor|noisy neighbour|overloaded"
            "|slow runner|busy runner|slow machine|memory bandwidth|thermal throttling"
        ),
        "contention|load average|loadavg|cpu|overload|529|503|throttl|bandwidth|nproc|busy",
    ),
    (
        "a cold start",
        "cold start|cold starts|cold-start|cold boot",
        "cold|warm|init duration|boot|startup|starting",
    ),
)
#: Words in front of a name that deny it.
_DENIED = ("not ", "no ", "n't ", "never ", "without ", "isn't a ", "rule out ", "ruled out ")
_BEFORE = 18
MECHANISMS = tuple(
    Mechanism(name, tuple(said.split("|")), tuple(signs.split("|"))) for name, said, signs in _ROWS
)


def named_in(text: str) -> Iterator[Mechanism]:
    """Yield the mechanisms that lower-case ``text`` names without denying them."""
    for mechanism in MECHANISMS:
        if any(_asserts(text, words) for words in mechanism.said):
            yield mechanism


def _asserts(text: str, words: str) -> bool:
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        is_whole = not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum())
        if is_whole and not any(word in text[max(0, at - _BEFORE) : at] for word in _DENIED):
            return True
        at = text.find(words, end)
    return False
