"""Secrets out of what the hook keeps: commands, outputs, quotations.

It keeps little text and seldom a secret, and the expressions that mask one need ``re``, whose
import takes as long as the interpreter's start; so they are asked where a sign of one is seen.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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


def without_secrets(text: str) -> str:
    """Return ``text`` with tokens, keys and passwords masked. Linear."""
    if not _may_hold_secret(text):
        return text
    from groundwire.text.secrets import without_tokens

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
