"""The words of others, made safe to stand in what a model or a terminal reads.

A tool's output may hold escapes, direction marks, tags, quotation marks and secrets, or a text that
reads as an instruction. What comes out of ``safe`` is one short line that can end no quotation.

The hook keeps little text and seldom a secret, and the expressions that mask one need ``re``, whose
import takes as long as the interpreter's start; so they are asked where a sign of one is seen.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Characters of a quotation, at most.
MOST = 120
ELLIPSIS = "..."
#: What would open a tag, code or a quotation, and what stands for it.
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("<\u2039\u27e8\uff1c\u3008", "("),
        **dict.fromkeys(">\u203a\u27e9\uff1e\u3009", ")"),
        **dict.fromkeys('"`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f', "'"),
        **dict.fromkeys("\u00ab\u00bb\u300c\u300d\uff02\uff07\uff40\u2032\u2033", "'"),
    }
)
#: Lower case; whatever the expressions below find, but for mail addresses, holds one of them.
_SIGNS = (
    *("passw", "secret", "token", "authorization", "bearer", "_key", "-key", " key", "eyj"),
    *("apikey", "accesskey", "privatekey", "clientkey", "akia", "asia", "aiza", "dop_v1", "xox"),
    *("curl", "mysql", "mariadb", "sshpass", "github_pat", "glpat", "shpat"),
    *(
        f"{one}{sign}"
        for one in "sk pk rk ghp gho ghu ghs ghr npm pypi hf".split()
        for sign in "-_"
    ),
)


def safe(text: str, most: int = MOST) -> str:
    """Return ``text`` as one line of at most ``most`` characters that nothing in it can end.

    Control and format characters, halves of pairs and line separators become blanks, tags and
    quotation marks become plain signs, and what looks like a secret is masked.
    """
    line = " ".join(without_secrets(plain_signs(text[: 20 * most])).split())
    if len(line) <= most:
        return line
    return line[: most - len(ELLIPSIS)].rstrip() + ELLIPSIS


def quoted(text: str, most: int = MOST) -> str:
    """Return ``safe(text)`` between double quotes, of which there are none inside."""
    return f'"{safe(text, most)}"'


def plain_signs(text: str) -> str:
    """Return ``text`` sign by sign, with its lines, in plain and visible ones."""
    shown = (sign if sign.isprintable() or sign == "\n" else " " for sign in text)
    return "".join(shown).translate(_PLAIN)


def without_secrets(text: str) -> str:
    """Return ``text`` with tokens, keys and passwords masked. Linear."""
    if not _may_hold_secret(text):
        return text
    from groundwire.language.secrets import without_tokens

    return without_tokens(text)


def all_hidden(value: Any) -> Any:
    """Return plain data without secrets in its texts; keys are left alone."""
    return _hidden(value) if _may_hold_secret(repr(value)) else value  # one look is the rule


def _may_hold_secret(text: str) -> bool:
    lowered = text.lower()
    return any(sign in lowered for sign in _SIGNS) or ("://" in text and "@" in text)


def _hidden(value: Any) -> Any:
    if isinstance(value, str):
        return without_secrets(value)
    if isinstance(value, dict):
        return {key: _hidden(item) for key, item in value.items()}
    return [*map(_hidden, value)] if isinstance(value, list | tuple) else value
