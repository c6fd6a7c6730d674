"""Masking of what looks like a secret, before a text leaves the machine or is kept.

Patterns see the shapes that issuers give their tokens, assignments to names of secrets, and mail
addresses. What has no such shape is not seen.
"""

from __future__ import annotations

import re

MASK = "[masked]"
_SHAPES = (
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}",
    r"\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abpros]|npm|pypi|hf|dop_v1|shpat)[-_][\w-]{10,}",
    r"\bA[KS]IA[0-9A-Z]{16}\b",
    r"\bAIza[\w-]{30,}",
    r"\beyJ[\w-]{8,500}\.[\w-]{8,}(?:\.[\w-]*)?",
)
_SHAPED = re.compile("|".join(_SHAPES))
_ASSIGNED = re.compile(
    r"""(?ix)
    ( \b [\w.-]{0,80} (?: password | passwd | secret | token | api[_-]?key | access[_-]?key
                   | private[_-]?key | client[_-]?key ) \w* ["']? \s* (?: [:=] | =>) \s* ["']?
    | \b authorization ["']? \s* [:=] \s* ["']? (?: bearer | basic | token )? \s+
    | (?<! [\w-] ) --? [a-z-]{0,40} (?: password | passwd | secret | token | key ) \s+ ["']?
    | \b curl \b [^|;&\n]{0,200}? \s (?: -u | --user ) [\s=]* ["']? [^\s:]{1,80} :
    | \b (?: mysql | mariadb ) \w{0,20} \b [^|;&\n]{0,200}? \s -p ["']?
    | \b sshpass \s+ -p \s* ["']?
    | \b bearer \s+
    | :// [^\s:/@]{1,80} : (?= [^\s/@]{1,200} @ ) )
    ( [^\s"'`,;@<>(){}\[\]]{6,} )
    """
)
_MAIL = re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,9}\.[A-Za-z]{2,24}\b")
#: Values behind "token:" and the like that are words of a sentence or of code, and no secret.
_PLAIN = re.compile(r"(?i)\A(?:[a-z]+|[\w.]*\.[a-z_]+|[$%*.<{\[].*|none|null|true|false|x+)\Z")


def masked(text: str) -> str:
    """Return ``text`` with tokens, keys, passwords and mail addresses masked. Linear."""
    return re.sub(_MAIL, MASK, without_tokens(text))


def without_tokens(text: str) -> str:
    """Return ``text`` with tokens, keys and passwords masked. Linear."""
    return re.sub(_ASSIGNED, _value_masked, re.sub(_SHAPED, MASK, text))


def _value_masked(match: re.Match[str]) -> str:
    name, value = match.groups()
    return match[0] if re.match(_PLAIN, value) else f"{name}{MASK}"
